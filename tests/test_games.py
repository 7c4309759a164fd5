"""What goes on inside a server, where no request can show it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from noughts.game import Game
from noughts.rules import Rules
from noughts.service import games as games_module
from noughts.service.computer import Computer
from noughts.service.events import Change, NewGame, now
from noughts.service.games import Games, Wish
from noughts.service.store import Store
from noughts.service.watch import Watchers
from noughts.service.writer import Writer


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = Store(f"sqlite:///{tmp_path}/noughts.db")
    found.open()
    yield found
    found.close()


def test_a_game_that_somebody_holds_is_followed_however_many_others_there_are(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games_module, "KEPT", 2)

    async def play() -> None:
        games = Games(store, Watchers(), Computer())
        made = await games.create(Wish(3, 3, 3, "self"))
        held = await games.current(made.state.id)
        others = [await games.create(Wish(3, 3, 3, "self")) for _ in range(5)]
        await games.move(held.state.id, made.token, (1, 1), 0, "k")
        assert held.state.game.history == ((1, 1),)
        assert len(games._open) <= 3  # the held one, and the two that were used last
        assert (await games.state(others[0].state.id)).seq == 0  # it is read again
        await games.close()

    asyncio.run(play())


def test_a_writer_goes_on_after_whatever_has_failed(store: Store) -> None:
    class Faulty(Store):
        def commit(self, changes: list[Change]) -> list[bool]:
            if any(change.game and change.game.name == "faulty" for change in changes):
                raise MemoryError
            return super().commit(changes)

    def change(name: str) -> Change:
        return Change(game=NewGame(name, 3, 3, 3, "self", None, 1, name, False, None, now()))

    async def write() -> None:
        faulty = Faulty(str(store.url))
        writer = Writer(faulty, lambda _: None)
        with pytest.raises(MemoryError):
            await writer.commit(change("faulty"))
        assert await writer.commit(change("sound"))
        await writer.close()
        faulty.close()

    asyncio.run(write())
    assert store.game("sound")


def test_a_computer_whose_process_was_killed_thinks_again() -> None:
    async def think() -> None:
        computer = Computer()
        game = Game.replay(Rules.square(3), [(0, 0), (1, 1), (0, 1)])
        assert await computer.move(game, "perfect") == (0, 2)
        pool = computer._pool
        assert pool is not None
        for process in pool._processes.values():
            process.kill()
        cells = await asyncio.gather(*(computer.move(game, "perfect") for _ in range(3)))
        assert cells == [(0, 2)] * 3
        assert computer._pool is not pool
        computer.close()

    asyncio.run(think())
