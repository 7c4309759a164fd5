"""Rust: the driver is a module at the end of the file."""

import re
import subprocess
from functools import cache
from pathlib import Path

from noughts.checker.isolated import Program
from noughts.checker.languages.compiling import compiled
from noughts.checker.languages.language import HERE, Language, Tool
from noughts.checker.problems.problem import Candidate
from noughts.checker.reading import Enum
from noughts.checker.reading.convention import Value
from noughts.checker.sandbox import Limits

NUMBERS = ("i8", "i16", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize")
MAIN = re.compile(r"\bfn\s+main\s*\(")


class Rust(Language):
    """Rust."""

    name = "Rust"
    key = "rust"
    suffixes = (".rs",)
    tools = (Tool(("rustc",), "rustc"),)
    template = "driver.rs"
    walker = "bytes.rs"
    factory = "{owner}::{name}({arguments})"
    new = "{owner}::default()"
    static = "{owner}::{name}({arguments})"
    nothing = "()"
    choice = "(if player == 1 {{ {} }} else {{ {} }})"
    member = "{enum}::{member}"
    letters = ("char",)
    casts = {type: f"({{}} as {type})" for type in NUMBERS}
    pairs = {"(i32, i32)": "(row, col)", "(usize, usize)": "(row as usize, col as usize)"}
    wholes = {
        f"moves {type}": "(1..marks.len()).step_by(3)"
        ".map(|at| vec![marks[at], marks[at + 1]]).collect()"
        for type in ("Vec<Vec<i32>>",)
    }

    def program(self, path: Path, text: str, candidate: Candidate, limits: Limits) -> Program:
        """Compile the file with its driver; see `Language.program`."""
        convention = candidate.convention
        rustc = self.tool()
        driver = self.driver(
            convention,
            object=convention.owner if convention.make else "()",
            enums="\n".join(map(_written, convention.enums)),
            walker=(HERE / "walkers" / self.walker).read_text(),
        )
        source = MAIN.sub("fn solution_main(", text) + "\n" + driver
        flags = ("--edition=2021", "-Copt-level=1", "-Coverflow-checks=on", "--cap-lints=allow")
        home = Path(_home(rustc))
        compiler = home / "bin" / "rustc"  # behind a version manager's program of this name
        words = (
            str(compiler if compiler.exists() else rustc),
            *flags,
            "-o",
            "solution",
            "solution.rs",
        )
        folder = compiled(words, {"solution.rs": source}, limits, [home])
        run, reads = [f"{folder.name}/solution"], [Path(folder.name)]
        return Program(path, candidate, self.name, run, reads, limits, kept=folder)

    def literal(self, value: Value, type: str = "") -> str:
        """Return a value as it is written; see `Expressions.literal`."""
        written = super().literal(value, type)
        return f"{written}.to_string()" if type == "String" and isinstance(value, str) else written


def _written(enum: Enum) -> str:
    """Return how a driver writes the members of an enum."""
    # With braces a pattern matches members that hold values as well.
    arms = " ".join(f'{enum.name}::{each.name} {{ .. }} => "{each.name}",' for each in enum.members)
    body = f"String::from(match self {{ {arms} }})"
    return f"impl Written for {enum.name} {{ fn written(&self) -> String {{ {body} }} }}"


@cache
def _home(rustc: str) -> str:
    """Return the folder of the compiler and its libraries."""
    found = subprocess.run(
        [rustc, "--print", "sysroot"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or str(Path(rustc).parent)
