"""C#: compiled with its driver, by .NET or Mono."""

from dataclasses import replace
from pathlib import Path

from noughts.checker.isolated import Program
from noughts.checker.languages.compiling import compiled
from noughts.checker.languages.language import HERE, Language, Tool
from noughts.checker.problems.problem import Candidate
from noughts.checker.sandbox import Limits

USINGS = "using System; using System.Collections.Generic; using System.Linq; using System.Text; "
NUMBERS = ("byte", "sbyte", "short", "ushort", "uint", "long", "ulong")


class CSharp(Language):
    """C#."""

    name = "C#"
    key = "c_sharp"
    suffixes = (".cs",)
    tools = (Tool(("mcs",), "mono-mcs"), Tool(("mono",), "mono-runtime"))
    template = "Driver.cs"
    walker = "Bytes.cs"
    factory = "{owner}.{name}({arguments})"
    root = "object"
    letters = ("char",)
    casts = {type: f"({type}) {{}}" for type in NUMBERS}
    pairs = {
        "int[]": "new[] {row, col}",
        "(int, int)": "(row, col)",
        "Tuple<int, int>": "Tuple.Create(row, col)",
    }
    wholes = {
        "moves int[][]": "System.Linq.Enumerable.ToArray(System.Linq.Enumerable.Select("
        "System.Linq.Enumerable.Range(0, marks.Length / 3), "
        "i => new[] {marks[1 + 3 * i], marks[2 + 3 * i]}))"
    }

    def program(self, path: Path, text: str, candidate: Candidate, limits: Limits) -> Program:
        """Compile the file with its driver; see `Language.program`."""
        mcs, mono = self.tool(0), self.tool(1)
        convention = candidate.convention
        driver = self.driver(convention)
        files = {
            "Solution.cs": USINGS + text,
            "Driver.cs": driver,
            "Bytes.cs": (HERE / "walkers" / self.walker).read_text(),
        }
        limits = replace(limits, addresses=None)  # the runtime reserves far more than it uses
        system = [Path("/usr/lib/mono"), Path("/etc/mono")]
        flags = ("-out:solution.exe", "-main:NoughtsDriver", "-nowarn:0-9999", "-optimize+")
        folder = compiled((mcs, *flags, *files), files, limits, system)
        reads = [Path(folder.name), *system]
        run = (mono, f"{folder.name}/solution.exe")
        return Program(path, candidate, self.name, run, reads, limits, kept=folder)
