"""The protocols of stored games, which `noughts.service.store` implements.

The methods of `Storage` block, so they run in a thread: see `ask`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, Protocol, TypeVar

from noughts.errors import NoughtsError
from noughts.service.play.events import Change, Event, NewGame, Seats
from noughts.service.play.presence import Streams

PAGE = 500  # events of a game read at once
SHOWN = 50  # open games
WAIT = 5.5  # seconds for an answer; PostgreSQL itself ends a statement after five

Heard = Callable[[list[Event]], Awaitable[None]]  # by other servers
Met = Callable[[str, dict[str, Streams]], None]  # a server, and its streams by game
P = ParamSpec("P")
T = TypeVar("T")


class StoreError(NoughtsError):
    """The store does not answer, or has refused a request."""


class DamagedGame(NoughtsError):
    """A game that this version cannot read, created at this time in ms, and the reason."""

    def __init__(self, id: str, at: int, reason: Exception) -> None:
        self.id: str = id
        self.at: int = at
        plain = isinstance(reason, NoughtsError | ValueError)
        super().__init__(f"game {id} cannot be read: {reason if plain else repr(reason)}")


class Notifications(Protocol):
    """Messages between servers that share a store, about events and streams; some may be lost.

    The store itself sends the events that it commits.
    """

    def announce(self, streams: Mapping[str, Streams]) -> None:
        """Inform the other servers of the event streams of these games soon."""

    async def listen(self, heard: Heard, look: Callable[[], Awaitable[None]], met: Met) -> None:
        """Pass events of other servers to `heard`, streams to `met`; `look` if some may be lost."""

    async def close(self) -> None:
        """Wait until everything is sent."""


class Storage(Protocol):
    """A store of games. Each method raises `StoreError` if the store does not answer."""

    notifications: Notifications | None  # None if no other server may write to this store
    threads: ThreadPoolExecutor  # that query it: its own, as they hang when it hangs
    url: str  # without a password
    prefix: str | None  # of the ids of games created here; None until it has answered

    def alive(self) -> None:
        """Check that the store answers, and that the latest write did not fail just now."""

    def commit(self, changes: list[Change]) -> list[bool]:
        """Write changes to different games at once; return which places were free."""

    def games(self, ids: Iterable[str]) -> list[NewGame | DamagedGame]:
        """Return how these games were created, or why that cannot be read; no unknown ones."""

    def events(self, known: Mapping[str, int]) -> list[Event]:
        """Return the events of these games after the seq that is known, game by game in order.

        There are at most `PAGE` per game.
        """

    def seats(self, tokens: Iterable[bytes]) -> list[Seats]:
        """Return the seats of the tokens with these SHA-256; no unknown ones."""

    def open_games(self) -> list[NewGame]:
        """Return the listed games that have no opponent yet, the newest first."""

    def begun_games(self) -> list[str]:
        """Return the ids of the latest listed games with two players, the newest first."""

    def clocks(self) -> list[tuple[str, int]]:
        """Return the games whose clock may run, each with the earliest time it can run out."""

    def put_off(self, earliest: Mapping[str, int]) -> None:
        """Note for these games, if their clocks run, new earliest times one can run out."""

    def forget(self, before: int) -> tuple[int, bool]:
        """Delete some games idle since then; return how many, and whether there may be more."""

    def claim(self, before: int) -> list[str]:
        """Return the games in which a computer has been due since before this time."""


async def ask(store: Storage, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call this in a thread of the store; raise `StoreError` if that takes too long."""
    call = partial(question, *args, **kwargs)
    return await in_time(asyncio.get_running_loop().run_in_executor(store.threads, call))


async def in_time(answer: Awaitable[T]) -> T:
    """Return the answer of the store; raise `StoreError` if it takes more than `WAIT` seconds."""
    try:
        async with asyncio.timeout(WAIT):  # unlike wait_for it never swallows a cancellation
            return await answer
    except TimeoutError:
        raise StoreError(f"no answer in {WAIT} seconds") from None
