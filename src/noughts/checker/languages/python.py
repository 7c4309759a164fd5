"""Python: `noughts.checker.worker` runs the file in its own process."""

import json
import subprocess
import sys
from pathlib import Path
from shutil import which

from noughts.checker.isolated import Program
from noughts.checker.languages.language import Language
from noughts.checker.problems.problem import Candidate
from noughts.checker.reading.expressions import PythonExpressions
from noughts.checker.sandbox import Limits
from noughts.checker.solution import Failed
from noughts.checker.worker import UnreadableError, cleaned, parsed

WORKER = Path(__file__).parent.with_name("worker.py")


class Python(PythonExpressions, Language):
    """Python."""

    key = "python"
    suffixes = (".py",)

    def __init__(self, command: str | None = None) -> None:
        self._command = command

    def program(self, path: Path, text: str, candidate: Candidate, limits: Limits) -> Program:
        """Return how to run the file; see `Language.program`."""
        # Write no bytecode, and import nothing from the caller's folder or user packages.
        calls = json.dumps([candidate.name, *self.calls(candidate.convention)])
        python, homes = self._interpreter()
        safe = ("-P",) if self._command is None else ()  # older versions do not know it
        words = (python, "-B", *safe, "-s", str(WORKER), calls, str(path))
        library = WORKER.with_name("calls.py")
        reads = (*homes, WORKER, library, path)
        return Program(path, candidate, self.name, words, reads, limits, has_states=True)

    def _interpreter(self) -> tuple[str, list[Path]]:
        """Return the command of Python, and the folders that it needs."""
        if self._command is None:
            return sys.executable, [Path(sys.base_prefix), Path(sys.prefix)]
        found = which(self._command)
        asked = "import sys; print(sys.base_prefix); print(sys.prefix)"
        done = found and subprocess.run(
            [found, "-c", asked], capture_output=True, text=True, check=False
        )
        if not found or not done or done.returncode:
            raise Failed("unusable", f"{self._command} is not a Python that can be run")
        return found, [Path(line) for line in done.stdout.splitlines()]

    def syntax_error(self, path: Path, line: int, text: str) -> Failed:
        """Return the error for a file that cannot be read; see `Language.syntax_error`."""
        try:
            parsed(cleaned(path.read_bytes()), path.name)
        except UnreadableError as error:
            return Failed("unusable", str(error))
        return super().syntax_error(path, line, text)
