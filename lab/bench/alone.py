"""Run a command in a process of its own, and say how long it took and how much memory.

Started as a script it must stay small: Linux counts the memory of the process that starts another
as that one's too.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import NamedTuple


class Usage(NamedTuple):
    """What a command took.

    Attributes:
        seconds: from its start to its end.
        megabytes: of memory, at its peak.
    """

    seconds: float
    megabytes: float


def environment() -> dict[str, str]:
    """The environment without what would change how Python runs."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def run_alone(*command: object) -> Usage:
    """Run a command on one core; its output is dropped, and an error if it fails."""
    script = [sys.executable, "-I", "-S", __file__, *map(str, command)]
    done = subprocess.run(script, env=environment(), stdout=subprocess.PIPE, check=True, text=True)
    return Usage(**json.loads(done.stdout))


def main() -> None:
    """Run the command of the arguments and print what it took, as JSON."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    start = perf_counter()
    done = subprocess.run(
        sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    seconds = perf_counter() - start
    if done.returncode:
        sys.stderr.buffer.write(done.stderr)
        sys.exit(done.returncode)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    unit = 1 if sys.platform == "darwin" else 1024
    print(json.dumps({"seconds": seconds, "megabytes": peak * unit / 1e6}))


def noughts() -> Path:
    """The command of this environment."""
    return Path(sys.executable).with_name("noughts")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
