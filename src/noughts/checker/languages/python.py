"""Python: `noughts.checker.worker` runs the file in its own process."""

import sys
from pathlib import Path

from noughts.checker.isolated import Program
from noughts.checker.sandbox import Limits

LANGUAGE = "Python"
WORKER = Path(__file__).parent.with_name("worker.py")


def program(path: Path, name: str | None, limits: Limits) -> Program:
    """Return how to run the file; see `noughts.checker.languages.open_solution`."""
    # Write no bytecode, and import nothing from the caller's folder or user packages.
    words = (sys.executable, "-B", "-P", "-s", str(WORKER), str(path))
    reads = (Path(sys.base_prefix), Path(sys.prefix), WORKER, WORKER.with_name("calls.py"), path)
    return Program(path, name, LANGUAGE, words, reads, limits)
