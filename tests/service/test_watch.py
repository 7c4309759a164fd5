"""Presence across servers, and the list of games."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from noughts.service.http.handlers import Lobby
from noughts.service.play import subscriptions
from noughts.service.play.computer import Computer
from noughts.service.play.events import NewGame
from noughts.service.play.games import Databases
from noughts.service.play.subscriptions import Streams, Subscriptions
from noughts.service.store.dialects import store_at
from noughts.service.store.sql import Store

ONE = Streams((1, 0, 0))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SOON", "LATER"):
        monkeypatch.setattr(subscriptions, name, 0.0)


async def settle() -> None:
    """Wait until all readers are woken, which takes few iterations of the event loop."""
    for _ in range(50):
        await asyncio.sleep(0)


def test_presence_of_a_stopped_server_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        watchers = Subscriptions()
        with watchers.subscribed("game", lambda: None, ()):
            watchers.heard("other", {"game": ONE})
            await settle()
            assert watchers.here("game").watchers == 2
            monkeypatch.setattr(subscriptions, "EXPIRES", -1.0)
            await watchers.heartbeat()
            await settle()
            assert watchers.here("game").watchers == 1

    asyncio.run(run())


def test_server_announces_only_its_own_streams() -> None:
    async def run() -> None:
        told: list[Mapping[str, Streams]] = []
        watchers = Subscriptions()
        watchers.announce = told.append
        watchers.heard("other", {"elsewhere": Streams((0, 1, 0), (0, 5))})
        await settle()
        assert told == []
        with watchers.subscribed("game", lambda: None, ()):
            await settle()
            await watchers.heartbeat()
            watchers.heard("other", {"game": Streams((2, 0, 0))})
            await settle()
        await settle()
        assert told == [{"game": ONE}, {"game": ONE}, {"game": Streams()}]
        with watchers.subscribed("game", lambda: None, (1,)):
            pass
        await settle()
        assert told[-1]["game"].left[0] > 0  # although no stream was announced
        announced = len(told)
        watchers.heard("other", {"game": Streams((0, 0, 0), (0, 9))})
        await settle()
        assert len(told) == announced  # as there are no streams any more

    asyncio.run(run())


def test_concurrent_readers_share_a_list_started_after_their_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, go_on = 0, threading.Event()

    async def run(store: Store) -> None:
        listing = Lobby(Databases([store], Subscriptions(), Computer()), Subscriptions())
        first = asyncio.create_task(listing.read(fresh=True))
        await settle()
        others = [asyncio.create_task(listing.read(fresh=True)) for _ in range(20)]
        await settle()
        go_on.set()
        await asyncio.gather(first, *others)
        assert made == 2  # the first had started before the other requests
        await listing.read(fresh=False)
        assert made == 2

    with closing(store_at(f"sqlite:///{tmp_path}/noughts.db")) as store:
        store.open()
        open_games = store.open_games

        def counted() -> list[NewGame]:
            nonlocal made
            made += 1
            go_on.wait()
            return open_games()

        monkeypatch.setattr(store, "open_games", counted)
        asyncio.run(run(store))
