"""Tries examples of a target for a while."""

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
    "protocol": (streams, speaking),
}
ROUND = 200  # examples of one seed


def fuzz(name: str, seed: int, seconds: float, last: Path | None = None) -> int:
    """Try examples until the time is over; how many. Raises the first error, at its simplest.

    Args:
        name: of a target.
        seed: the same seed gives the same examples.
        seconds: how long; one round is tried in any case.
        last: a file that always has the example being tried, should the process die.
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
    """Fuzz in this process, and say how many examples were tried."""
    faulthandler.enable()
    click.echo(f"{name}: {fuzz(name, seed, seconds, last):,} examples, nothing found")
