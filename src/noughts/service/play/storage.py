"""What the games need of a store: the protocols that `noughts.service.store` implements.

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

PAGE = 500  # events of a game that are read at once
SHOWN = 50  # open games
WAIT = 5.5  # seconds for an answer; PostgreSQL itself ends a statement after five

Heard = Callable[[list[Event]], Awaitable[None]]  # by other servers
Met = Callable[[str, dict[str, Streams]], None]  # a server, and its streams by game
P = ParamSpec("P")
T = TypeVar("T")


class StoreError(NoughtsError):
    """The store does not answer, or cannot do what it was asked."""


class Hints(Protocol):
    """How servers that share a store inform each other of events and streams; hints may be lost.

    The store itself sends the events that it commits.
    """

    def announce(self, streams: Mapping[str, Streams]) -> None:
        """Inform the other servers of the event streams of these games, soon."""

    async def listen(self, heard: Heard, look: Callable[[], Awaitable[None]], met: Met) -> None:
        """Pass what other servers say to `heard` and `met`; call `look` if hints may be lost."""

    async def close(self) -> None:
        """Wait until everything is sent."""


class Storage(Protocol):
    """A store of games. Each method raises `StoreError` if the store does not answer."""

    hints: Hints | None  # None if no other server may write to this store
    threads: ThreadPoolExecutor  # in which it is asked: its own, as they hang where it hangs
    url: str  # its address, without a password
    prefix: str | None  # of the ids of games that are made here; None until it has answered

    def alive(self) -> None:
        """Check that the store answers, and that the latest write did not fail just now."""

    def commit(self, changes: list[Change]) -> list[bool]:
        """Write changes to different games at once; say whose place was free."""

    def games(self, ids: Iterable[str]) -> list[NewGame]:
        """How these games were made."""

    def events(self, known: Mapping[str, int]) -> list[Event]:
        """The events of these games after the seq that is known, game by game in order.

        Of each game they are at most `PAGE`.
        """

    def seats(self, tokens: Iterable[bytes]) -> list[Seats]:
        """The seats of the tokens with these SHA-256."""

    def open_games(self) -> list[NewGame]:
        """The listed games that wait for somebody to join, the newest first."""

    def begun_games(self) -> list[str]:
        """The ids of the latest listed games that somebody has joined, the newest first."""

    def clocks(self) -> list[tuple[str, int]]:
        """The games whose clock may run, each with the earliest time at which it can be up."""

    def put_off(self, earliest: Mapping[str, int]) -> None:
        """Note for these games, if their clocks run, new earliest times at which one can be up."""

    def forget(self, before: int) -> tuple[int, bool]:
        """Delete some games that nobody has touched since; how many, and if there may be more."""

    def claim(self, before: int) -> list[str]:
        """The games in which a computer has been due since before this time, for this server."""


async def ask(store: Storage, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call this in a thread of the store; raises `StoreError` if that takes too long."""
    call = partial(question, *args, **kwargs)
    return await in_time(asyncio.get_running_loop().run_in_executor(store.threads, call))


async def in_time(answer: Awaitable[T]) -> T:
    """The answer of the store; raises `StoreError` if it does not come within `WAIT` seconds."""
    try:
        async with asyncio.timeout(WAIT):  # unlike wait_for it never swallows a cancellation
            return await answer
    except TimeoutError:
        raise StoreError(f"no answer in {WAIT} seconds") from None
