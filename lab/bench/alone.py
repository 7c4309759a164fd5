"""Run a command in its own process, and measure its time and memory.

As a script, this file must use little memory, since Linux includes the memory of the parent process
in the peak of its child.
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
    """Resources used by a command.

    Attributes:
        seconds: from its start to its end.
        megabytes: its peak memory.
    """

    seconds: float
    megabytes: float


def environment() -> dict[str, str]:
    """Return the environment without the variables that change how Python runs."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def run_alone(*command: object) -> Usage:
    """Run a command on one core and discard its output; raise an error if it fails."""
    script = [sys.executable, "-I", "-S", __file__, *map(str, command)]
    done = subprocess.run(script, env=environment(), stdout=subprocess.PIPE, check=True, text=True)
    return Usage(**json.loads(done.stdout))


def main() -> None:
    """Run the command in the arguments and print its usage as JSON."""
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
    """Return the path of this environment's ``noughts``."""
    return Path(sys.executable).with_name("noughts")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
