"""What the games need of a store: the protocols that `noughts.service.store` implements.

The methods of a store block, so they run in a thread: see `ask`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import ParamSpec, Protocol, TypeVar

from noughts.errors import NoughtsError
from noughts.service.play.events import Change, Event, NewGame, Seats
from noughts.service.play.presence import Streams

PAGE = 500  # events of a game that are read at once
WAIT = 5.5  # seconds for an answer; PostgreSQL itself ends a statement after five

Heard = Callable[[dict[str, int]], Awaitable[None]]
Met = Callable[[str, dict[str, Streams]], None]
P = ParamSpec("P")
T = TypeVar("T")


class StoreError(NoughtsError):
    """The store does not answer, or cannot do what it was asked."""


class Hints(Protocol):
    """How the servers that share a store keep each other informed of events and streams.

    A hint may be lost.
    """

    def tell(self, events: Iterable[Event]) -> None:
        """Announce these events to the other servers, soon."""

    def announce(self, streams: Mapping[str, Streams]) -> None:
        """Announce the event streams of these games to the other servers, soon."""

    async def listen(self, heard: Heard, look: Callable[[], Awaitable[None]], met: Met) -> None:
        """Pass on what others announce, the latest seq by game; call `look` where some may be lost.

        What another server announces goes to `met`.
        """

    async def close(self) -> None:
        """Wait until everything is announced."""


class Storage(Protocol):
    """A store of games. Each method raises `StoreError` if the store does not answer."""

    hints: Hints | None
    """The link to the other servers; None if no other server may write to this store."""

    def commit(self, changes: list[Change]) -> list[bool]:
        """Write changes about different games at once; those whose place was free."""

    def game(self, id: str) -> NewGame | None:
        """How this game was made."""

    def events(self, known: Mapping[str, int]) -> list[Event]:
        """The events of these games after the seq that is known, game by game in order."""

    def page(self, game: str, after: int) -> list[Event]:
        """The next events of a game after this seq, at most `PAGE`."""

    def seats(self, token: bytes) -> Seats | None:
        """The seats of the token with this SHA-256."""

    def open_games(self) -> list[NewGame]:
        """The listed games that wait for somebody to join, the newest first."""

    def begun_games(self) -> list[str]:
        """The ids of the latest listed games that somebody has joined, the newest first."""

    def logs(self, ids: list[str]) -> list[tuple[NewGame, list[Event]]]:
        """These games, each with all its events."""

    def clocks(self) -> list[tuple[str, int]]:
        """The games whose clock may run, each with the earliest time at which it can be up."""

    def put_off(self, earliest: Mapping[str, int]) -> None:
        """Note of these games, if their clocks run, a new earliest time at which one can be up."""

    def claim(self, before: int) -> list[str]:
        """The games in which a computer has been due since before this time, for this server."""


async def ask(question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a method of the store in a thread; raises `StoreError` if that takes too long."""
    return await in_time(asyncio.to_thread(question, *args, **kwargs))


async def in_time(answer: Awaitable[T]) -> T:
    """The answer of the store; raises `StoreError` if it does not come within `WAIT` seconds."""
    try:
        async with asyncio.timeout(WAIT):  # unlike wait_for it never swallows a cancellation
            return await answer
    except TimeoutError:
        raise StoreError(f"no answer in {WAIT} seconds") from None
