"""Start-up time of the import and of the command's help."""

from __future__ import annotations

import sys

from lab.bench.alone import noughts, run_alone
from lab.bench.timing import Case, Run, Table

COMMANDS = {
    "Python itself": (sys.executable, "-c", "pass"),
    "`import noughts`, on top": (sys.executable, "-c", "import noughts"),
    "`noughts --help`": (noughts(), "--help"),
}
PYTHON, IMPORT, _ = COMMANDS


def measure(run: Run) -> dict[str, Table]:
    """Return all tables of this part."""

    def case(command: tuple[object, ...]) -> Case:
        return lambda _: run_alone(*command).seconds

    times = run.times("startup", {name: case(command) for name, command in COMMANDS.items()})
    table = {name: {"ms": 1000 * times.median(name)} for name in COMMANDS}
    table[IMPORT]["ms"] -= table[PYTHON]["ms"]
    return {"times": table}
