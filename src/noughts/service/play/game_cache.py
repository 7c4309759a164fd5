"""Games in memory, with their latest events; older events come from the store.

The latest events of a game are in memory, within bounds. A reader who has missed more gets the rest
page by page. For that the log is replayed, as an event is sent with the state that it led to.
"""

import asyncio
from collections import OrderedDict, deque
from itertools import islice
from math import inf
from weakref import WeakValueDictionary

from msgspec import Struct

from noughts.opponent import Advice
from noughts.service.play.computer import RESERVE, SECONDS
from noughts.service.play.events import NewGame, Seats, now
from noughts.service.play.scheduling import FairQueue
from noughts.service.play.state import State
from noughts.service.play.storage import Storage, StoreError, ask

RECENT_BYTES = 16 * 1024  # of a game's events in memory; its last event may be larger
PAGE_BYTES = 64 * 1024  # of events that a reader is sent at once; one event may be larger
PAGES_AT_ONCE = 2  # pages that are prepared at the same time
KEPT_REPLAYS = 4  # states kept for readers who will ask for the next page


class Recent:
    """The latest events of a game, encoded."""

    def __init__(self) -> None:
        self._frames: deque[bytes] = deque()
        self._size = 0

    def append(self, frame: bytes) -> None:
        """Add the next event, and drop the oldest ones beyond the bound."""
        self._frames.append(frame)
        self._size += len(frame)
        while self._size > RECENT_BYTES and len(self._frames) > 1:
            self._size -= len(self._frames.popleft())

    def last(self, count: int) -> bytes | None:
        """Return the last `count` events, or None if they are not all here."""
        older = len(self._frames) - count
        return b"".join(islice(self._frames, older, None)) if older >= 0 else None


class Backlog:
    """Pages of old events, prepared for a few readers at a time; clients take turns."""

    def __init__(self, store: Storage) -> None:
        self._store = store
        self._turns = FairQueue(PAGES_AT_ONCE)
        self._replays: dict[tuple[str, int], State] = {}  # by game and seq, the latest last

    async def page(self, state: State, after: int, who: str) -> tuple[bytes, int]:
        """Return the next events after a seq for the reader at this address, and their last seq.

        Raises StoreError if the store is not responding or has lost events.
        """
        async with self._turns.turn(who):
            replay = self._replays.pop((state.id, after), None) or State(state.made)
            frames: list[bytes] = []
            while not frames:
                await ask(self._store, self._replay, replay, after, state.seq, frames)
            if replay.seq < state.seq:
                self._replays[state.id, replay.seq] = replay
                for oldest in list(self._replays)[:-KEPT_REPLAYS]:
                    del self._replays[oldest]
            return b"".join(frames), replay.seq

    def _replay(self, replay: State, after: int, latest: int, frames: list[bytes]) -> None:
        """Apply a page of the log, up to the latest event that the reader is to see now."""
        events, size = self._store.events({replay.id: replay.seq}), 0
        if not events:
            raise StoreError(f"the events of game {replay.id} after {replay.seq} are missing")
        for event in events:
            if event.seq > latest:  # written since; readers get it from the game in memory
                break
            replay.apply(event)
            if event.seq > after:
                frames.append(replay.encode(event))
                size += len(frames[-1])
                if size >= PAGE_BYTES:
                    break


class Thought(Struct, frozen=True):
    """The advice behind a move of the computer."""

    seq: int  # of the move
    advice: Advice


class LiveGame(State):
    """A game in memory: a state that follows the log for as long as it is in use."""

    def __init__(self, made: NewGame) -> None:
        super().__init__(made)
        self.recent: Recent = Recent()
        self.seats: dict[bytes, Seats] = {}  # by the SHA-256 of tokens that were presented
        self.lock: asyncio.Lock = asyncio.Lock()  # held during each change
        self.forgotten = False  # whether it was, after being idle too long; its streams then end
        self.heard = 0  # events from other servers since the last request here
        self.thought: Thought | None = None  # of the latest move, if this server's computer made it
        self.who: str = made.id  # for `FairQueue`; later the address of the last player to act

    def earliest(self, at: int) -> int:
        """Return the earliest time at which the clock can be up, if no move came before `at`."""
        assert self.clock is not None
        return self.clock.earliest(self.game.turn, at)

    def time_to_think(self, at: int) -> float:
        """Return the seconds that the computer, which is to move, may think."""
        if self.clock is None:
            return SECONDS
        return min(SECONDS, self.clock.share(self.game.turn, at)) - RESERVE


KEPT_GAMES = 2000  # in memory, in addition to those in use
KEPT_MOVES = 2_000_000  # of these games together
ELSEWHERE = 2  # events from other servers without a request here, after which a game is dropped


class GameCache:
    """The games in memory, one object per game.

    Args:
        keep: Forget games idle for this many milliseconds. Every server does so by itself, long
            before the game is deleted.
    """

    def __init__(self, keep: float = inf) -> None:
        self._keep = keep
        self._live: WeakValueDictionary[str, LiveGame] = WeakValueDictionary()
        self._used: OrderedDict[LiveGame, int] = OrderedDict()  # with their plies; the latest last
        self._moves = 0  # the sum of these plies

    def get(self, id: str) -> LiveGame | None:
        """Return the game if it is in memory."""
        return self._live.get(id)

    def add(self, live: LiveGame) -> LiveGame:
        """Add a game; return it, or the object that is already in memory."""
        return self.use(self._live.setdefault(live.id, live))

    def use(self, live: LiveGame) -> LiveGame:
        """Keep this game in memory, and drop the games used longest ago beyond the bounds."""
        live.heard, ply = 0, live.game.ply
        self._moves += ply - self._used.get(live, 0)
        self._used[live] = ply
        self._used.move_to_end(live)
        while self._moves > KEPT_MOVES or len(self._used) > KEPT_GAMES:
            self._moves -= self._used.popitem(last=False)[1]
        return live

    def hear(self, id: str) -> LiveGame | None:
        """Return the game if it is in memory; drop it if it is played at another server.

        A stream or a request that uses it keeps it in memory.
        """
        if live := self._live.get(id):
            live.heard += 1
            if live.heard > ELSEWHERE:
                self._moves -= self._used.pop(live, 0)
        return live

    def is_forgotten(self, live: LiveGame) -> bool:
        """Return whether this object has been idle for too long."""
        return live.touched < now() - self._keep

    def forget(self) -> list[str]:
        """Forget the games idle for too long and return their ids.

        A game that was used at another server is read again when it is needed.
        """
        forgotten = [*filter(self.is_forgotten, self._live.values())]
        for live in forgotten:
            live.forgotten = True
            del self._live[live.id]
            self._moves -= self._used.pop(live, 0)
        return [live.id for live in forgotten]
