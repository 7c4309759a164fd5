"""A language: how solutions in it are built and started."""

import os
import sys
from pathlib import Path
from shutil import which
from string import Template
from typing import ClassVar, NamedTuple

from noughts.checker.isolated import Program
from noughts.checker.problems.problem import Candidate
from noughts.checker.reading import Source, read_source
from noughts.checker.reading.convention import Convention
from noughts.checker.reading.expressions import Expressions
from noughts.checker.sandbox import Limits
from noughts.checker.solution import Failed

HERE = Path(__file__).parent


class Tool(NamedTuple):
    """A program that a language needs: its names, the best first, and its package on Debian."""

    commands: tuple[str, ...]
    package: str


class Language(Expressions):
    """A language. Its driver is a template, filled in with the expressions of a `Convention`.

    Attributes:
        name: its name in reports.
        key: its name in `noughts.checker.reading`.
        suffixes: the suffixes of its files.
        tools: the programs it needs.
        template: the file of its driver.
        walker: the file that counts the bytes of an object.
    """

    key: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    tools: ClassVar[tuple[Tool, ...]] = ()
    template: ClassVar[str] = ""
    walker: ClassVar[str] = ""
    root: ClassVar[str] = "Object"  # the type of the object where none is needed

    def read(self, text: str) -> Source:
        """Return what a file with this text defines."""
        return read_source(text, self.key)

    def program(self, path: Path, text: str, candidate: Candidate, limits: Limits) -> Program:
        """Build the solution, and return how to run it.

        Args:
            path: its file.
            text: its text.
            candidate: what to judge.
            limits: the limits of its process.

        Raises:
            Failed: "unusable": a tool is missing, or it does not compile.
        """
        raise NotImplementedError

    def syntax_error(self, path: Path, line: int, text: str) -> Failed:
        """Return the error for a file that cannot be read."""
        message = f"line {line} of {path.name} is not valid {self.name}: {text}"
        return Failed("unusable", message, line=line)

    def tool(self, number: int = 0) -> str:
        """Return the path of a tool. Raises Failed, "unusable", if it is not installed."""
        commands, package = self.tools[number]
        places = os.pathsep.join(
            (os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent))
        )
        found = next(filter(None, (which(command, path=places) for command in commands)), None)
        if found is None:
            needs = " or ".join(commands)
            message = f"{self.name} solutions need {needs}, which is not installed"
            raise Failed("unusable", f"{message}; on Debian it is in the package {package}")
        return found

    def driver(self, convention: Convention, **more: str) -> str:
        """Return the driver: the template with the solution's calls and these other texts."""
        return Template((HERE / "drivers" / self.template).read_text()).substitute(
            owner=convention.owner if convention.make else self.root,
            make=self.construction(convention),
            act=self.statement.format(self.called(convention.call, convention))
            if convention.asks
            else "",
            answer=self.called(convention.asks or convention.call, convention),
            whole=self.truths[convention.whole],
            **more,
        )

    def walked(self, **more: str) -> str:
        """Return the file that counts bytes."""
        return Template((HERE / "walkers" / self.walker).read_text()).substitute(more)
