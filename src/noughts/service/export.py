"""The games of a server as records, for ``noughts judge`` and for study."""

from collections.abc import Callable, Iterable, Iterator
from heapq import merge
from math import inf

from noughts.records import Record
from noughts.service.play.events import NewGame
from noughts.service.play.state import State
from noughts.service.play.storage import DamagedGame
from noughts.service.store.sql import Store

Exported = tuple[Record, dict[str, object]]
"""The record of a game, and what a record lacks: status, winner and termination."""


def exported(stores: Iterable[Store], damaged: Callable[[str], None]) -> Iterator[Exported]:
    """Yield every game of these stores in its present state, in the order of creation.

    A game that cannot be read is skipped, and `damaged` is called with a sentence that names it.
    Raises StoreError if a database cannot be read.
    """
    logs = (store.export() for store in stores)
    for game, events in merge(*logs, key=lambda log: _created(log[0])):
        if isinstance(game, DamagedGame):
            damaged(str(game))
            continue
        try:
            state = State(game)
            for event in events:
                state.apply(event)
        except Exception as error:  # of any kind: the other games are exported
            damaged(str(DamagedGame(game.id, game.at, error)))
            continue
        result = 0 if state.status == "draw" else state.winner  # None while nothing is decided
        termination = state.termination.value if state.termination else None
        end = {"status": state.status, "winner": state.winner, "termination": termination}
        yield Record(state.game.rules, state.game.history, state.id, result), end


def _created(game: NewGame | DamagedGame) -> tuple[float, str]:
    """Return when a game was created, and its id; the time of a damaged game may be anything."""
    return game.at if isinstance(game.at, int | float) else inf, game.id
