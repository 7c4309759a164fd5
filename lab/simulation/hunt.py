"""Bugs to inject into the server, as patches of its source, which show that each is found."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PATCHES = Path(__file__).parent / "bugs"
SOURCE = ROOT / "src/noughts"
BUGS = sorted(path.stem for path in PATCHES.glob("*.patch"))
"""The names of the bugs."""


class Found(NamedTuple):
    """How a bug was found."""

    bug: str
    seed: str  # of the round
    moves: int  # in this search before it was found
    seconds: float
    finding: str


@contextmanager
def patched(bug: str) -> Iterator[Path]:
    """Yield a folder with a copy of the package that has this bug; only the service is copied.

    Raises:
        CalledProcessError: the patch does not apply.
    """
    with TemporaryDirectory() as folder:
        package = Path(folder, "noughts")
        package.mkdir()
        for path in SOURCE.iterdir():
            if path.name == "service":
                shutil.copytree(path, package / "service")
            else:
                (package / path.name).symlink_to(path)
        patch = str(PATCHES / f"{bug}.patch")
        subprocess.run(["git", "apply", "-p2", patch], cwd=folder, check=True)
        yield Path(folder)


def environment(*folders: Path) -> dict[str, str]:
    """Return the environment for a simulation with packages from these folders.

    Sets have the same order in every run.
    """
    path = os.pathsep.join(map(str, (*folders, ROOT)))
    return {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": path}


def hunt(bug: str, seed: int, moves: int) -> Found | None:
    """Search for a bug for this many moves, in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "lab.simulation",
        f"--seed={seed}",
        f"--moves={moves}",
        "--json",
    ]
    begun = perf_counter()
    with patched(bug) as folder:
        done = subprocess.run(
            command, cwd=ROOT, env=environment(folder), capture_output=True, text=True, check=False
        )
    if not done.stdout:
        raise RuntimeError(f"the simulation with {bug} failed:\n{done.stderr}")
    result = json.loads(done.stdout)
    if not result["findings"]:
        return None
    found = result["seed"], result["moves"], perf_counter() - begun, result["findings"][0]
    return Found(bug, *found)
