"""Run fuzzing targets, each in its own process: ``script/fuzz``."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

import click

from fuzz.running import TARGETS, run


@click.command()
@click.argument("targets", nargs=-1, type=click.Choice(sorted(TARGETS)))
@click.option(
    "--seed", default=0, show_default=True, help="First seed; each round uses the next one."
)
@click.option("--seconds", default=60.0, show_default=True, help="Seconds per target.")
def main(targets: tuple[str, ...], seed: int, seconds: float) -> None:
    """Try unusual input on TARGETS, by default on all of them.

    Exit status: 1 if an error is found, after printing the simplest example.
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
            click.echo(f"{name}: exited with {process.exitcode}; the last example is in {last}")
        else:
            last.unlink(missing_ok=True)
    raise SystemExit(1 if found else 0)


if __name__ == "__main__":
    main()
