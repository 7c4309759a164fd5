"""JavaScript and TypeScript: the file becomes the body of a function, followed by its driver."""

import re
import shlex
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import ClassVar

from noughts.checker.isolated import Program
from noughts.checker.languages.compiling import Folder
from noughts.checker.languages.language import HERE, Language, Tool
from noughts.checker.problems.problem import Candidate
from noughts.checker.sandbox import Limits
from noughts.checker.solution import Failed

# A function has no exports; a class without a name gets one.
EXPORTS = (
    (
        r"^[ \t]*export\s+default\s+(?:abstract\s+)?(class|function)\s*(?=[({])",
        r"var TicTacToe = \1 ",
    ),
    (r"^[ \t]*export\s+(?:default\s+)?(?=\w)", ""),
    (r"^[ \t]*export\s*\{[^}]*\}[^\n]*", ""),
    (r"^[ \t]*module\.exports\s*=\s*class\b(?!\s+\w)", "var TicTacToe = class"),
)
COMMENTS = re.compile(
    r"(\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|//[^\n]*|/\*.*?(?:\*/|\Z)",
    re.DOTALL,
)
"""Comments, and strings, which may look like them."""
IMPORTED = re.compile(
    r"^[ \t]*(?:import\b|export\b[^;\"'\n]*?\bfrom\s*(?=[\"']))"
    r"[^;\"'\n]*?[\"'](\.{1,2}/[^\"']*)[\"']"
    r"|\brequire\([\"'](\.{1,2}/[^\"']*)[\"']\)",
    re.MULTILINE,
)
STRIPS_TYPES = (22, 18)  # the first version of Node.js that runs TypeScript


class JavaScript(Language):
    """JavaScript."""

    name = "JavaScript"
    key = "javascript"
    suffixes: ClassVar[tuple[str, ...]] = (".js", ".mjs", ".cjs")
    tools = (Tool(("node", "deno"), "nodejs"),)
    template = "driver.js"
    renews = True
    walker = "bytes.js"
    choice = "(player === 1 ? {} : {})"
    static = "{owner}.{name}({arguments})"
    factory = "{owner}.{name}({arguments})"
    pairs = dict.fromkeys(("", "number[]", "[number, number]", "Array<number>"), "[row, col]")
    wholes = dict.fromkeys(("moves", "moves number[][]", "moves Array<Array<number>>"), "marks")

    def program(self, path: Path, text: str, candidate: Candidate, limits: Limits) -> Program:
        """Return how to run the file with its driver; see `Language.program`."""
        tool = self.tool()
        folder = Folder()
        suffix = (
            self.suffixes[0].replace(".js", ".cjs")
            if Path(tool).name == "node"
            else self.suffixes[0]
        )
        file = Path(folder.name, f"solution{suffix}")
        file.write_text(self.script(text, candidate) + (HERE / "drivers/process.js").read_text())
        limits = replace(limits, addresses=None)  # V8 reserves far more than it uses
        most = f"--max-old-space-size={limits.memory >> 21}"
        words = self.words(tool, file, most)
        # Its standard input and output, as Deno may open no others.
        script = f'export HOME="$PWD" DENO_DIR="$PWD"; exec {shlex.join(words)} <&3 >&4'
        home = Path(tool).resolve().parents[1]
        reads = (home, Path(tool).resolve(), Path(folder.name))
        run = ("/bin/sh", "-c", script)
        return Program(path, candidate, self.name, run, reads, limits, True, folder)

    def script(self, text: str, candidate: Candidate) -> str:
        """Return the text of a file with its driver, the function ``noughtsDriver``."""
        convention = candidate.convention
        if found := IMPORTED.search(COMMENTS.sub(lambda each: each[1] or " ", text)):
            other = found[1] or found[2]
            raise Failed("unusable", f"it imports {other}; put what it needs into the same file")
        for pattern, replacement in EXPORTS:
            text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
        text = re.sub(r"^#!.*", "", text)
        act = f"{self.called(convention.call, convention)}; " if convention.asks else ""
        answer = self.called(convention.asks or convention.call, convention)
        make = self.construction(convention)
        if convention.renews:
            make, act = f"({{game: {make}}})", f"game.game = {act.replace('game', 'game.game', 1)}"
            answer = answer.replace("game", "game.game", 1)
        calls = (
            f"noughtsCalls({{defined: () => {candidate.name}, "
            f"make: n => {make}, "
            f"move: (game, n, row, col, player, marks) => {{ {act}return {answer}; }}}});"
        )
        start = f"function noughtsSolution(noughtsCalls, module, exports, require) {{ {calls} "
        walkers = [(HERE / "walkers" / name).read_text() for name in (self.walker, "state.js")]
        if "WeakMap" in text:  # where the state of an object may be hidden
            walkers[1] = "const noughtsState = () => null;\n"
        return f"{start}{text}\n}}\n{''.join(walkers)}{self.driver(convention)}"

    def words(self, tool: str, file: Path, most: str) -> list[str]:
        """Return the command that runs a file."""
        if Path(tool).name == "deno":
            return [tool, "run", "--quiet", "--no-prompt", "--no-check", "--no-config",
                    f"--v8-flags={most}", str(file)]  # fmt: skip
        return [tool, most, str(file)]


class TypeScript(JavaScript):
    """TypeScript."""

    name = "TypeScript"
    key = "typescript"
    suffixes = (".ts", ".mts")
    tools = (Tool(("deno", "node"), "nodejs"),)

    def words(self, tool: str, file: Path, most: str) -> list[str]:
        """Return the command that runs a file. Raises Failed if Node.js is too old for it."""
        words = super().words(tool, file, most)
        if Path(tool).name == "node":
            if _version(tool) < STRIPS_TYPES:
                message = "TypeScript solutions need deno, or node 22.18 or newer"
                raise Failed("unusable", f"{message}; pip install deno installs it")
            words.insert(1, "--experimental-transform-types")
        return words


@cache
def _version(node: str) -> tuple[int, ...]:
    """Return the version of Node.js."""
    found = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(map(int, re.findall(r"\d+", found)[:2])) or (0, 0)
