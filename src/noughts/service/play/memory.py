"""Games in memory: those that somebody holds, and those that were used last, within bounds."""

from collections import OrderedDict
from math import inf
from weakref import WeakValueDictionary

from noughts.service.play.events import now
from noughts.service.play.live import LiveGame

KEPT = 2000  # games in memory, in addition to those in use
KEPT_MOVES = 2_000_000  # in these games together


class Memory:
    """The games in memory, one object a game.

    Args:
        keep: milliseconds after which a game is forgotten that nobody touched. Every server sees
            that by itself, long before the game is deleted.
    """

    def __init__(self, keep: float = inf) -> None:
        self._keep = keep
        self._live: WeakValueDictionary[str, LiveGame] = WeakValueDictionary()
        self._used: OrderedDict[LiveGame, int] = OrderedDict()  # with its ply; the latest last
        self._moves = 0  # the sum of these

    def get(self, id: str) -> LiveGame | None:
        """The game, if it is in memory."""
        return self._live.get(id)

    def add(self, live: LiveGame) -> LiveGame:
        """The game, or the object that is in memory already."""
        return self.use(self._live.setdefault(live.id, live))

    def use(self, live: LiveGame) -> LiveGame:
        """Keep this game in memory, and of those that were used before no more than may be."""
        ply = live.game.ply
        self._moves += ply - self._used.get(live, 0)
        self._used[live] = ply
        self._used.move_to_end(live)
        while self._moves > KEPT_MOVES or len(self._used) > KEPT:
            self._moves -= self._used.popitem(last=False)[1]
        return live

    def is_forgotten(self, live: LiveGame) -> bool:
        """Whether nobody has touched this game for too long, as far as this object knows."""
        return live.touched < now() - self._keep

    def forget(self) -> list[str]:
        """Forget the games that nobody has touched for too long; return them.

        One that was touched at another server is read again when it is asked for.
        """
        forgotten = [*filter(self.is_forgotten, self._live.values())]
        for live in forgotten:
            live.forgotten = True
            del self._live[live.id]
            self._moves -= self._used.pop(live, 0)
        return [live.id for live in forgotten]
