"""Go: the driver is another file of the package."""

import re
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

from noughts.checker.isolated import Program
from noughts.checker.languages.compiling import compiled
from noughts.checker.languages.language import HERE, Language, Tool
from noughts.checker.problems.problem import Candidate
from noughts.checker.reading.convention import Call, Convention, Value
from noughts.checker.sandbox import Limits

PACKAGE = re.compile(r"^[ \t]*package[ \t]+\w+", re.MULTILINE)
MAIN = re.compile(r"^func[ \t]+main[ \t]*\(", re.MULTILINE)
FAILING = re.compile(r"^\((.*), ?error\)$")  # two results, of which the second is an error
NUMBERS = ("int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "byte")


class Go(Language):
    """Go."""

    name = "Go"
    key = "go"
    suffixes = (".go",)
    tools = (Tool(("go",), "golang-go"),)
    template = "driver.go"
    walker = "bytes.go"
    new = "{owner}{{}}"
    method = "(*game).{name}({arguments})"
    field = "(*game).{name}"
    nothing = "0"
    statement = "{}"
    choice = "noughtsPick(player == 1, {}, {})"
    member = "{member}"
    letters = ("byte", "rune")
    casts = {type: f"{type}({{}})" for type in NUMBERS}
    pairs = {"[2]int": "[2]int{row, col}", "[]int": "[]int{row, col}"}

    def program(self, path: Path, text: str, candidate: Candidate, limits: Limits) -> Program:
        """Compile the file with its driver; see `Language.program`."""
        convention = candidate.convention
        make = convention.make
        object = (make.returns or convention.owner) if make else "int"
        text = MAIN.sub("func solutionMain(", text)
        text, named = PACKAGE.subn("package main", text, count=1)
        files = {
            "solution.go": text if named else f"package main; {text}",
            "driver.go": self.driver(convention, object=FAILING.sub(r"\1", object)),
            "bytes.go": (HERE / "walkers" / self.walker).read_text(),
            "go.mod": "module solution\n\ngo 1.18\n",
        }
        limits = replace(limits, addresses=None)  # its runtime reserves far more than it uses
        home = _home(self.tool())
        words = (f"{home}/bin/go", "build", "-o", "solution", ".")
        folder = compiled(words, files, limits, cached="GOCACHE")
        run, reads = [f"{folder.name}/solution"], [Path(folder.name)]
        return Program(path, candidate, self.name, run, reads, limits, kept=folder)

    def construction(self, convention: Convention) -> str:
        """Return the expression that creates an object; see `Expressions.construction`."""
        written = super().construction(convention)
        make = convention.make
        return f"noughtsFirst({written})" if make and FAILING.match(make.returns) else written

    def called(self, call: Call, convention: Convention) -> str:
        """Return the expression of a call; see `Expressions.called`."""
        written = super().called(call, convention)
        if call.returns.endswith(", error)"):
            written = f"noughtsFirst({written})"
        return f"string(rune({written}))" if call.returns == "rune" else written

    def literal(self, value: Value, type: str = "") -> str:
        """Return a value as it is written; see `Expressions.literal`."""
        written = super().literal(value, type)
        return f"byte({written})" if type == "byte" and isinstance(value, str) else written


@cache
def _home(go: str) -> str:
    """Return the folder of the compiler and its libraries; `go` may be a script that starts it."""
    found = subprocess.run([go, "env", "GOROOT"], capture_output=True, text=True, check=False)
    return found.stdout.strip() or str(Path(go).resolve().parents[1])
