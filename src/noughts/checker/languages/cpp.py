"""C++: the file is included, as it is, by a harness that comes before it."""

import json
import re
from pathlib import Path

from noughts.checker.languages.compiling import compiled, tool
from noughts.checker.process import Limits
from noughts.checker.running import Program
from noughts.checker.solution import Failed, Problem

LANGUAGE = "C++"
HARNESS = Path(__file__).with_name("harness.cpp")
TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[{};]|'
    r"\b(?:class|struct|namespace)\s+(?P<scope>\w+)|\b(?P<call>move|tictactoe)\s*\(",
    re.DOTALL,
)


def program(path: Path, name: str | None, limits: Limits) -> Program:
    """How the file is run; see `noughts.checker.languages.open_solution`."""
    cxx = tool("c++", LANGUAGE)
    source = path.read_text(errors="replace").removeprefix("\ufeff")
    chosen, kind, notes = _chosen(source, name)
    flags = ("-std=gnu++17", "-O1", "-w", "-D_GLIBCXX_ASSERTIONS", "-I.", "-o", "solution")
    words = (cxx, *flags, f"-DSOLUTION={chosen}", f"-DWHOLE={kind}")
    folder = compiled(
        words, {"solution.h": f"#line 1 {json.dumps(path.name)}\n{source}"}, [HARNESS], limits
    )
    what = (f"class {chosen}", f"class {chosen}.tictactoe", f"function {chosen}")[kind]
    problem: Problem = "tictactoe" if kind else "TicTacToe"
    run = (f"{folder.name}/solution",)
    reads = (Path(folder.name),)
    return Program(path.name, LANGUAGE, run, reads, limits, what, problem, notes, folder)


def _chosen(source: str, wanted: str | None) -> tuple[str, int, tuple[str, ...]]:
    """The class that is judged, or the function; what kind it is; and what others could be.

    The kind is 0 for a class with ``move``, 1 for one with ``tictactoe``, 2 for that function.
    """
    scopes: list[str] = []
    found: dict[str, int] = {}
    announced = ""
    for token in TOKENS.finditer(source):
        if token["scope"]:
            announced = token["scope"]
        elif token[0] == "{":
            scopes.append(announced)
            announced = ""
        elif token[0] == "}" and scopes:
            scopes.pop()
        elif token[0] == ";":
            announced = ""
        elif token["call"] and "" not in scopes:  # not in a function's body
            kind = 0 if token["call"] == "move" else 1 if scopes else 2
            if kind != 0 or scopes:
                found.setdefault("::".join(scopes) or "tictactoe", kind)
    names = [name for name in found if name.rpartition("::")[2] == wanted] if wanted else [*found]
    names.sort(key=_unlikely)
    if not names:
        raise Failed(
            "unreadable", f"no class {wanted} with a method move is found".replace(" None", "")
        )
    if _unlikely(names[0]) == 2 and found[names[0]] == 0 and len(names) > 1:
        several = ", ".join(names)
        raise Failed(
            "unreadable", f"several classes have a method move: {several}; choose with --name"
        )
    others = f"{' and '.join(names[1:])} could be judged too, with --name"
    return names[0], found[names[0]], (others,) if names[1:] else ()


def _unlikely(name: str) -> int:
    last = name.rpartition("::")[2]
    return 0 if last == "TicTacToe" else 1 if "tictactoe" in last.lower().replace("_", "") else 2
