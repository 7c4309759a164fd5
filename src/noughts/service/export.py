"""All games of a server as records, for ``noughts judge`` and for study."""

from collections.abc import Callable, Iterable, Iterator
from heapq import merge

from noughts.errors import NoughtsError
from noughts.records import Record
from noughts.service.play.state import State
from noughts.service.store.store import Store

Exported = tuple[Record, dict[str, object]]
"""A game, and what its record does not hold: status, winner and termination."""


def exported(stores: Iterable[Store], damaged: Callable[[str], None]) -> Iterator[Exported]:
    """Every game of these stores in its present state, in the order they were made.

    A game that cannot be replayed is left out, and `damaged` is called with a sentence about it.

    Raises:
        StoreError: a database cannot be read.
    """
    logs = (store.export() for store in stores)
    for made, events in merge(*logs, key=lambda log: (log[0].at, log[0].id)):
        state = State(made)
        try:
            for event in events:
                state.apply(event)
        except (NoughtsError, ValueError, TypeError) as error:
            damaged(f"game {made.id} is damaged: {error}")
        else:
            game, winner, why = state.game, state.winner, state.termination
            result = 0 if state.status == "draw" else winner  # None while nothing is decided
            termination = why.value if why else None
            end = {"status": state.status, "winner": winner, "termination": termination}
            yield Record(game.rules, game.history, state.id, result), end
