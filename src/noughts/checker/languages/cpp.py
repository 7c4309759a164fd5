"""C++: the harness includes the file unchanged."""

import json
import re
from pathlib import Path

from noughts.checker.isolated import Program
from noughts.checker.languages.compiling import compiled, tool
from noughts.checker.sandbox import Limits
from noughts.checker.solution import Problem, chosen

LANGUAGE = "C++"
HARNESS = Path(__file__).with_name("harness.cpp")
TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[{};]|'
    r"\b(?:class|struct|namespace)\s+(?P<scope>\w+)|\b(?P<call>move|tictactoe)\s*\(",
    re.DOTALL,
)


def program(path: Path, name: str | None, limits: Limits) -> Program:
    """Compile the file; see `noughts.checker.languages.open_solution`."""
    cxx = tool("c++", LANGUAGE)
    source = path.read_text(errors="replace").removeprefix("\ufeff")
    found = _found(source)
    choice = chosen(found, name)
    kind = 0 if choice.problem == "TicTacToe" else 2 if choice.name == "tictactoe" else 1
    flags = ("-std=gnu++17", "-O1", "-w", "-D_GLIBCXX_ASSERTIONS", "-I.", "-o", "solution")
    words = (cxx, *flags, f"-DSOLUTION={choice.name}", f"-DWHOLE={kind}")
    header = f"#line 1 {json.dumps(path.name)}\n{source}"
    folder = compiled(words, {"solution.h": header}, [HARNESS], limits)
    run, reads = [f"{folder.name}/solution"], [Path(folder.name)]
    return Program(path, name, LANGUAGE, run, reads, limits, found, folder)


def _found(source: str) -> dict[str, Problem]:
    """Return the classes with ``move`` or ``tictactoe``, and that function, with their problems."""
    scopes: list[str] = []
    found: dict[str, Problem] = {}
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
        elif token["call"] and "" not in scopes:  # not in the body of a function
            problem: Problem = "TicTacToe" if token["call"] == "move" else "tictactoe"
            if problem == "tictactoe" or scopes:
                found.setdefault("::".join(scopes) or "tictactoe", problem)
    return found
