"""A description of the computer and of the measured libraries."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PEERS = ("open_spiel", "pettingzoo", "pgx", "jax", "bitbully")
LIBRARIES = ("numpy", "pyarrow", *PEERS)


def description() -> dict[str, str]:
    """Return the properties of the computer and the versions of the libraries, by name."""
    found = {
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()}, {platform.machine()}",
        "processor": processor(),
        "cores": str(os.cpu_count()),
    }
    for name in LIBRARIES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def processor() -> str:
    """Return the processor's name, as far as the system reports it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
