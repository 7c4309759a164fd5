"""Swift: compiled with its driver at the end of the file.

No compiler was at hand where this was written: the calls are tested as text, and have not been run.
"""

from dataclasses import replace
from pathlib import Path

from noughts.checker.isolated import Program
from noughts.checker.languages.compiling import compiled
from noughts.checker.languages.language import Language, Tool
from noughts.checker.problems.problem import Candidate
from noughts.checker.reading.convention import Call, Convention
from noughts.checker.sandbox import Limits


class Swift(Language):
    """Swift."""

    name = "Swift"
    key = "swift"
    suffixes = (".swift",)
    tools = (Tool(("swiftc",), "swiftlang"),)
    template = "Driver.swift"
    walker = "Bytes.swift"
    root = "Int"
    new = "{owner}({arguments})"
    factory = "{owner}.{name}({arguments})"
    nothing = "0"
    statement = "_ = {}"
    letter = text = '"{}"'
    letters = ("Character",)
    pairs = {"(Int, Int)": "(row, col)", "[Int]": "[row, col]"}

    def program(self, path: Path, text: str, candidate: Candidate, limits: Limits) -> Program:
        """Compile the file with its driver; see `Language.program`."""
        convention = candidate.convention
        object = convention.owner if convention.make else self.root
        source = f"{text}\n{self.walked()}\n{self.driver(convention, object=object)}"
        limits = replace(limits, addresses=None)
        swiftc = self.tool()
        folder = compiled(
            (swiftc, "-O", "-o", "solution", "main.swift"), {"main.swift": source}, limits
        )
        run, reads = (
            [f"{folder.name}/solution"],
            [Path(folder.name), Path(swiftc).resolve().parents[1]],
        )
        return Program(path, candidate, self.name, run, reads, limits, kept=folder)

    def _filled(self, text: str, call: Call, convention: Convention) -> str:
        """Return a call, whose arguments have labels unless they are ``_``."""
        written = [(each.label, self.argument(each, convention)) for each in call.arguments]
        arguments = ", ".join(f"{label}: {each}" if label else each for label, each in written)
        return text.format(owner=convention.owner, name=call.name, arguments=arguments)
