"""Lets everything fail that can, and judges what players saw. See `script/faults --help`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from benchmarks.faults.faults import FAULTS
from benchmarks.faults.history import read

UNSHARE = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]


@click.command(context_settings={"show_default": True})
@click.option("--seconds", type=click.FloatRange(1), default=600, help="How long to play.")
@click.option("--seed", type=int, default=1, help="What decides which faults come when.")
@click.option("--only", type=click.Choice(list(FAULTS)), multiple=True, help="Only this fault.")
@click.option("--plant", help="Plant this mistake in the servers.")
def faults(seconds: float, seed: int, only: tuple[str, ...], plant: str | None) -> None:
    with TemporaryDirectory(prefix="noughts-faults-") as folder:
        Path(folder).chmod(0o755)
        given = {"folder": folder, "programs": "/usr/lib/postgresql/15/bin", "seconds": seconds, "seed": seed, "names": list(only or FAULTS), "plant": plant}
        done = subprocess.run([*UNSHARE, sys.executable, "-m", "benchmarks.faults.run", json.dumps(given)])
        os.system(f"rm -rf /tmp/faults-last; cp -r {folder} /tmp/faults-last")
        sys.exit(done.returncode)

if __name__ == "__main__":
    faults()
