"""All games of a store as records, for ``noughts judge`` and for study."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from noughts.errors import NoughtsError
from noughts.records import Record
from noughts.service.play.state import State
from noughts.service.store.store import Store

Exported = tuple[Record, dict[str, object]]
"""A game, and what its record does not hold: its status, its winner and why it ended."""


def exported(store: Store, damaged: Callable[[str], None]) -> Iterator[Exported]:
    """Every game in its present state, in the order they were made, a few at a time.

    Args:
        store: where they are kept.
        damaged: called with a sentence about each game that cannot be replayed; it is left out.

    Raises:
        StoreError: the database cannot be read.
    """
    for made, events in store.export():
        state = State(made)
        try:
            for event in events:
                state.apply(event)
        except (NoughtsError, ValueError, TypeError) as error:
            damaged(f"game {made.id} is damaged: {error}")
        else:
            game, winner, why = state.game, state.winner, state.termination
            result = 0 if state.status == "draw" else winner  # None while nothing is decided
            end: dict[str, object] = {"status": state.status, "winner": winner}
            end["termination"] = why.value if why else None
            yield Record(game.rules, game.history, state.id, result), end
