"""What the readers of a game have missed: from memory, or from the store if it is more.

A game's latest events are in memory, within bounds. A reader who has missed more gets it page by
page. As an event is sent with the state that it led to, the log is then replayed.
"""

from collections import deque
from itertools import islice

from noughts.service.play.state import State
from noughts.service.play.storage import Storage, StoreError, ask
from noughts.service.play.turns import Turns

RECENT = 16 * 1024  # bytes of a game's events in memory; its last event, if that alone is larger
PAGE = 64 * 1024  # bytes of events that a reader is sent at once, or one event
REPLAYED = 2  # pages made at the same time
REPLAYS = 4  # states kept for readers who will need the next page


class Recent:
    """The latest events of a game, as they are sent."""

    def __init__(self) -> None:
        self._frames: deque[bytes] = deque()
        self._size = 0

    def append(self, frame: bytes) -> None:
        """Add the next event; forget the oldest ones beyond the bound."""
        self._frames.append(frame)
        self._size += len(frame)
        while self._size > RECENT and len(self._frames) > 1:
            self._size -= len(self._frames.popleft())

    def last(self, count: int) -> bytes | None:
        """The last `count` events; None if they are not all here."""
        older = len(self._frames) - count
        return b"".join(islice(self._frames, older, None)) if older >= 0 else None


class Backlog:
    """Pages of old events, for a few readers at a time; addresses take turns."""

    def __init__(self, store: Storage) -> None:
        self._store = store
        self._turns = Turns(REPLAYED)
        self._replays: dict[tuple[str, int], State] = {}  # by game and seq, the latest last

    async def page(self, state: State, after: int, who: str) -> tuple[bytes, int]:
        """The next events after the seq that the reader at this address knows, and the last seq.

        Raises:
            StoreError: the store does not answer, or has lost events.
        """
        async with self._turns.turn(who):
            replay = self._replays.pop((state.id, after), None) or State(state.made)
            frames: list[bytes] = []
            while not frames:
                await ask(self._store, self._replay, replay, after, state.seq, frames)
            if replay.seq < state.seq:
                self._replays[state.id, replay.seq] = replay
                for oldest in list(self._replays)[:-REPLAYS]:
                    del self._replays[oldest]
            return b"".join(frames), replay.seq

    def _replay(self, replay: State, after: int, latest: int, frames: list[bytes]) -> None:
        """Follow a page of the log, up to the latest event that the reader is to see now."""
        events, size = self._store.events({replay.id: replay.seq}), 0
        if not events:
            raise StoreError(f"the events of game {replay.id} after {replay.seq} are gone")
        for event in events:
            if event.seq > latest:  # written since; those who follow the game get it from there
                break
            replay.apply(event)
            if event.seq > after:
                frames.append(replay.told(event))
                size += len(frames[-1])
                if size >= PAGE:
                    break
