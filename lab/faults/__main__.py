"""Inject faults under load and check what players saw: ``script/lab faults``."""

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
@click.option(
    "--seconds", type=click.FloatRange(1), default=600, help="Duration of the run in seconds."
)
@click.option(
    "--seed", type=int, default=1, help="Seed that decides which fault happens when and where."
)
@click.option(
    "--only",
    type=click.Choice(list(FAULTS)),
    multiple=True,
    help="Inject only this fault; may be repeated.",
)
@click.option("--bug", type=click.Choice(BUGS), help="Bug to inject into the servers.")
@click.option(
    "--history",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the history to this file, and the logs of servers and databases beside it.",
)
def faults(
    seconds: float, seed: int, only: tuple[str, ...], bug: str | None, history: Path | None
) -> None:
    """Inject failures into servers, databases and their network, and check what players saw.

    Two databases in synchronous replication, three servers and the players are hosts of a network
    in namespaces of this machine, which only root can create. One fault follows another. Exit
    status: 1 if anything was lost, repeated, shown wrongly or unavailable for too long.
    """
    if reason := obstacle():
        raise click.ClickException(reason)
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
            raise click.ClickException("the test bed failed; the reason is above")
        records = read(file)
    wrong = check(records)
    show(figures(records), wrong)
    sys.exit(bool(wrong))


def show(found: dict[str, Any], wrong: list[str]) -> None:
    """Print the figures and the errors."""
    console = Console(highlight=False)
    table = Table("fault", box=None, pad_edge=False, header_style="bold")
    table.add_column("times", justify="right")
    table.add_column("slowest recovery, s", justify="right")
    for name, (times, slowest) in found.pop("faults").items():
        table.add_row(name.replace("_", " "), str(times), f"{slowest:.1f}")
    table.add_row("at most:", "", str(RECOVERY), style="dim")
    console.print("", table, "")
    console.print(", ".join(f"{number:,} {name}" for name, number in found.items()))
    for sentence in wrong:
        console.print(f"[red]error:[/] {sentence}", soft_wrap=True)
    console.print("no errors" if not wrong else f"{len(wrong):,} errors")


if __name__ == "__main__":
    faults()
