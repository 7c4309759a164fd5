"""Runs the targets, each in a process of its own; see script/fuzz --help."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

import click

from fuzz.running import TARGETS, run


@click.command()
@click.argument("targets", nargs=-1, type=click.Choice(sorted(TARGETS)))
@click.option(
    "--seed", default=0, show_default=True, help="The first seed; each round has the next."
)
@click.option("--seconds", default=60.0, show_default=True, help="How long, for each target.")
def main(targets: tuple[str, ...], seed: int, seconds: float) -> None:
    """Try input that nobody would write on TARGETS, all of them unless named.

    Exits with 1 if something is found, after showing the simplest example.
    """
    context, found = get_context("spawn"), []
    for name in targets or TARGETS:
        last = Path(f"fuzz-{name}.txt")
        process = context.Process(target=run, args=(name, seed, seconds, last))
        process.start()
        try:
            process.join()
        except KeyboardInterrupt:
            process.join()
            raise SystemExit(130) from None
        if process.exitcode:
            found.append(name)
            click.echo(f"{name}: ended with {process.exitcode}; the last example is in {last}")
        else:
            last.unlink(missing_ok=True)
    raise SystemExit(1 if found else 0)


if __name__ == "__main__":
    main()
