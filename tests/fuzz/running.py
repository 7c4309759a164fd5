"""The targets, and the loop that tries examples of a target."""

from __future__ import annotations

import faulthandler
import sys
from pathlib import Path
from time import monotonic
from typing import Any

import click
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

from fuzz import Target
from fuzz.batches import batches, judging_batches
from fuzz.compiled import calling_compiled, calls
from fuzz.protocol import speaking, streams
from fuzz.records import (
    json_lines,
    judging_json_lines,
    judging_parquet,
    parquet,
    reading_texts,
    texts,
)

TARGETS: dict[str, Target] = {
    "records": (json_lines, judging_json_lines),
    "parquet": (parquet, judging_parquet),
    "texts": (texts, reading_texts),
    "compiled": (calls, calling_compiled),
    "batches": (batches, judging_batches),
    "protocol": (streams, speaking),
}
ROUND = 200  # examples per seed


def fuzz(name: str, seed: int, seconds: float, last: Path | None = None) -> int:
    """Try examples for a while and return their number; raise the first error, simplified.

    Args:
        name: the name of the target.
        seed: the same seed gives the same examples.
        seconds: the minimum duration; one round is always completed.
        last: a file that always contains the current example, in case the process dies.
    """
    strategy, checking = TARGETS[name]
    tried, end = 0, monotonic() + seconds
    with checking() as check:

        def attempt(example: Any) -> None:
            nonlocal tried
            tried += 1
            if last:
                last.write_text(repr(example))
            check(example)

        for number in range(seed, sys.maxsize):
            seeded(number)(
                settings(
                    max_examples=ROUND,
                    database=None,
                    deadline=None,
                    phases=(Phase.generate, Phase.shrink),
                    suppress_health_check=list(HealthCheck),
                )(given(strategy)(attempt))
            )()
            if monotonic() >= end:
                break
    return tried


def run(name: str, seed: int, seconds: float, last: Path) -> None:
    """Fuzz in this process, and print the number of examples."""
    faulthandler.enable()
    click.echo(f"{name}: {fuzz(name, seed, seconds, last):,} examples, no errors")
