"""Lets everything fail that can, and judges what players saw. See `script/lab faults --help`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from lab.faults.check import RECOVERY, check, figures
from lab.faults.history import read
from lab.faults.hosts import NAMESPACES, obstacle
from lab.faults.injected_bugs import BUGS
from lab.faults.injections import FAULTS


@click.command(context_settings={"show_default": True})
@click.option("--seconds", type=click.FloatRange(1), default=600, help="How long faults come.")
@click.option("--seed", type=int, default=1, help="It decides which fault comes when and where.")
@click.option(
    "--only", type=click.Choice(list(FAULTS)), multiple=True, help="This fault; give it again."
)
@click.option("--bug", type=click.Choice(BUGS), help="Bug to inject into the servers.")
@click.option(
    "--history",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write there what happened, and what servers and databases logged beside it.",
)
def faults(
    seconds: float, seed: int, only: tuple[str, ...], bug: str | None, history: Path | None
) -> None:
    """Let servers, databases and their network fail under load, and judge what players saw.

    Two databases in synchronous replication, three servers and the players are hosts of a network
    in namespaces of this machine; only root may make these. One fault comes after another. The exit
    status is 1 if anything was lost, done twice, shown wrongly, or refused for too long.
    """
    if why := obstacle():
        raise click.ClickException(why)
    with TemporaryDirectory(prefix="noughts-faults-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as another user
        file = Path(folder) / "history.jsonl"
        given: dict[str, Any] = {"folder": folder, "file": str(file), "seconds": seconds}
        given |= {"seed": seed, "names": list(only or FAULTS), "bug": bug}
        run = [sys.executable, "-m", "lab.faults.run", json.dumps(given)]
        done = subprocess.run([*NAMESPACES, *run])
        if history:
            history.write_bytes(file.read_bytes())
            for log in Path(folder).glob("*.log"):
                history.with_name(f"{history.stem}.{log.name}").write_bytes(log.read_bytes())
        if done.returncode:
            raise click.ClickException("the bed has failed")
        records = read(file)
    wrong = check(records)
    show(figures(records), wrong)
    sys.exit(bool(wrong))


def show(found: dict[str, Any], wrong: list[str]) -> None:
    """Print what happened, and what is wrong with it."""
    console = Console(highlight=False)
    table = Table("fault", box=None, pad_edge=False, header_style="bold")
    table.add_column("times", justify="right")
    table.add_column("until all were through, s", justify="right")
    for name, (times, slowest) in found.pop("faults").items():
        table.add_row(name.replace("_", " "), str(times), f"{slowest:.1f}")
    table.add_row("at most:", "", str(RECOVERY), style="dim")
    console.print("", table, "")
    console.print(", ".join(f"{number:,} {name}" for name, number in found.items()))
    for sentence in wrong:
        console.print(f"[red]wrong:[/] {sentence}", soft_wrap=True)
    console.print("nothing is wrong" if not wrong else f"{len(wrong):,} things are wrong")


if __name__ == "__main__":
    faults()
