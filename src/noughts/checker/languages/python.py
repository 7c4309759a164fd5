"""Python: the file is run in a process of its own, by `noughts.checker.worker`."""

import sys
from pathlib import Path

from noughts.checker.process import Limits
from noughts.checker.running import Program

LANGUAGE = "Python"
WORKER = Path(__file__).parent.with_name("worker.py")


def program(path: Path, name: str | None, limits: Limits) -> Program:
    """How the file is run; see `noughts.checker.languages.open_solution`."""
    # Without bytecode written, and with nothing of the caller's folder or of his own packages.
    words = (sys.executable, "-B", "-P", "-s", str(WORKER), str(path))
    reads = (Path(sys.base_prefix), Path(sys.prefix), WORKER, WORKER.with_name("calls.py"), path)
    return Program(path, name, LANGUAGE, words, reads, limits)
