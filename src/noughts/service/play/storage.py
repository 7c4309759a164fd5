"""The protocols of a store of games, which `noughts.service.store` implements.

The methods of `Storage` block, so `ask` calls them in a thread.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, ParamSpec, Protocol, TypeVar

from noughts.errors import NoughtsError
from noughts.service.play.events import Change, Event, NewGame, Seats
from noughts.service.play.subscriptions import Streams

PAGE = 500  # events of a game that are read together
SHOWN = 50  # open games
WAIT = 5.5  # seconds for an answer; PostgreSQL itself cancels a statement after five

Heard = Callable[[list[Event]], Awaitable[None]]  # takes events of other servers
Met = Callable[[str, dict[str, Streams]], None]  # takes a server and its streams by game
P = ParamSpec("P")
T = TypeVar("T")


class StoreError(NoughtsError):
    """The store is not responding, or a request to it failed."""


class DamagedGame(NoughtsError):
    """A game that this version cannot read, created at this time in ms, and the reason."""

    def __init__(self, id: str, at: int, reason: Exception) -> None:
        self.id: str = id
        self.at: int = at
        plain = isinstance(reason, NoughtsError | ValueError)
        super().__init__(f"game {id} cannot be read: {reason if plain else repr(reason)}")


class Loaded(NamedTuple):
    """A game in the store."""

    made: NewGame
    events: list[Event]  # at most the first `PAGE`


class Notifications(Protocol):
    """Notifications between servers that share a store, of events and streams; some may be lost.

    The store itself sends the events that it commits.
    """

    def announce(self, streams: Mapping[str, Streams]) -> None:
        """Notify the other servers of the event streams of these games soon."""

    async def listen(self, heard: Heard, look: Callable[[], Awaitable[None]], met: Met) -> None:
        """Pass on notifications to `heard` and `met`; call `look` if some may be lost."""

    async def close(self) -> None:
        """Wait until all notifications are sent."""


class Storage(Protocol):
    """A store of games. Each method raises `StoreError` if the store is not responding."""

    notifications: Notifications | None  # None if no other server may write to this store
    threads: ThreadPoolExecutor  # of its own to call it in, as they hang if it hangs
    url: str  # without a password
    prefix: str | None  # of the ids of games created here; None until the store has answered

    def alive(self) -> None:
        """Check that the store answers, and that no write has just failed."""

    def commit(self, changes: list[Change]) -> list[bool]:
        """Write changes to different games together; return for each whether its place was free."""

    def load(self, ids: Iterable[str]) -> list[Loaded | DamagedGame]:
        """Return these games with the first page of their logs, or why they cannot be read."""

    def events(self, known: Mapping[str, int]) -> list[Event]:
        """Return at most `PAGE` events of each game after the known seq, game by game in order."""

    def seats(self, tokens: Iterable[bytes]) -> list[Seats]:
        """Return the seats of the tokens with these SHA-256 values."""

    def open_games(self) -> list[NewGame]:
        """Return the listed games that are waiting for a player, the newest first."""

    def begun_games(self) -> list[str]:
        """Return the ids of the latest listed games that have two players, the newest first."""

    def clocks(self) -> list[tuple[str, int]]:
        """Return the games whose clock may run, with the earliest time at which it can be up."""

    def put_off(self, earliest: Mapping[str, int]) -> None:
        """Set new earliest times at which the clocks of these games can be up, if they run."""

    def forget(self, before: int) -> tuple[int, bool]:
        """Delete some games idle since then; return how many, and whether there may be more."""

    def claim(self, before: int) -> list[str]:
        """Claim and return the games whose computer has been due since before this time."""

    def close(self) -> None:
        """Close the connections."""


async def ask(store: Storage, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call this in a thread of the store. Raises StoreError if it takes too long."""
    call = partial(question, *args, **kwargs)
    return await in_time(asyncio.get_running_loop().run_in_executor(store.threads, call))


async def in_time(answer: Awaitable[T]) -> T:
    """Await the answer of the store. Raises StoreError after `WAIT` seconds."""
    try:
        async with asyncio.timeout(WAIT):  # unlike wait_for, it never swallows a cancellation
            return await answer
    except TimeoutError:
        raise StoreError(f"no answer within {WAIT} seconds") from None
