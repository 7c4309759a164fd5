"""Shrinking: the fewest tables and faults that still show a finding, and its trace."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import inf
from typing import TypeVar

from lab.simulation.round import Plan, Round

T = TypeVar("T")
LAST = 25  # records of a trace that are shown
TRIES = 100  # rounds, most of which are short


def shrunk(plan: Plan, failed: Round) -> Round:
    """Return the smallest of up to `TRIES` rounds that fails like this one.

    A round with fewer tables or faults is another one, as messages arrive at other times, so it may
    not fail. The plan of the result is in `plan`. Tries are counted, since time would not let the
    same seed end with the same round.
    """
    tries, kind, best = 0, _kind(failed.findings[0]), failed

    def fails(tables: tuple[int, ...], faults: tuple[int, ...]) -> bool:
        nonlocal best, tries
        tries += 1
        if tries > TRIES:
            return False
        kept = tuple(failed.started[number] for number in faults)
        tried = Round(plan._replace(moves=inf, tables=tables, faults=kept, until=failed.stopped))
        if any(_kind(each) == kind for each in tried.run()):
            best = tried
            return True
        return False

    tables, faults = plan.tables, tuple(range(len(failed.started)))
    if (table := _table(failed)) is not None and fails((table,), faults):
        tables = (table,)
    if not fails(tables, ()):
        faults = fewest(faults, lambda some: fails(tables, some))
        fewest(tables, lambda some: fails(some, faults))
    return best


def fewest(items: tuple[T, ...], fails: Callable[[tuple[T, ...]], bool]) -> tuple[T, ...]:
    """Return few of the items with which it still fails (delta debugging: Zeller 2002)."""
    parts = 2
    while len(items) > 1:
        size = -(-len(items) // parts)
        for start in range(0, len(items), size):
            rest = items[:start] + items[start + size :]
            if fails(rest):
                items, parts = rest, max(2, parts - 1)
                break
        else:
            if size == 1:
                break
            parts = min(len(items), 2 * parts)
    return items


def trace(failed: Round) -> Iterator[str]:
    """Yield the faults of a round, and the last records of the game that a finding names."""
    for fault in failed.started:
        yield f"{fault.at:9.3f} s  {fault.name}"
    records = failed.records.get(_game(failed) or "", [])
    for record in records[-LAST:]:
        fields = ", ".join(f"{name}={value}" for name, value in record.items() if name != "at")
        yield f"{record['at']:9.3f} s  {fields[:200]}"


def _kind(finding: str) -> str:
    """Return a finding without what differs from round to round."""
    return re.sub(r"\S*\d\S*", "#", finding)


def _game(failed: Round) -> str | None:
    """Return the game that the first finding names."""
    return next((game for game in failed.records if game and game in failed.findings[0]), None)


def _table(failed: Round) -> int | None:
    """Return the table that the first finding is about."""
    named = re.search(r"\btable (\d+)", failed.findings[0])
    for record in failed.records.get(_game(failed) or "", []):
        named = named or re.search(r"\btable (\d+)", record.get("player", ""))
    return int(named[1]) if named else None
