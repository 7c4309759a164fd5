"""Internals of a server that no request can show."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from math import inf
from multiprocessing import active_children
from pathlib import Path
from typing import Any
from weakref import WeakSet

import httpx
import pytest

from noughts.game.rules import Rules
from noughts.service.app import Service
from noughts.service.play import decisions
from noughts.service.play.computer import Computer, Thinkers, think
from noughts.service.play.events import Change, Event, NewGame, new_id, new_secret, now
from noughts.service.play.games import Games
from noughts.service.play.scheduling import Writer
from noughts.service.play.state import State
from noughts.service.play.subscriptions import Subscriptions
from noughts.service.settings import Settings
from noughts.service.store.dialects import store_at
from noughts.service.store.postgresql import Message, read
from noughts.service.store.sql import Store
from noughts.service.store.sqlite import SQLite


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = store_at(f"sqlite:///{tmp_path}/noughts.db")
    found.open()
    yield found
    found.close()


def new_game(**fields: Any) -> NewGame:
    game = NewGame(new_id(), Rules(), "self", None, 1, None, False, None, now())
    return game._replace(**fields)


@pytest.mark.parametrize("used", [False, True])
def test_game_played_at_another_server_leaves_memory_unless_used_here(
    store: Store, used: bool
) -> None:
    """The other server's events arrive as its notifications do; its writer is not needed."""

    async def play() -> None:
        games = Games(store, Subscriptions(), Computer(), inf)
        id = (await games.create(new_game(), "me", new_secret())).state.id
        in_memory: WeakSet[State] = WeakSet([await games.state(id)])
        held = await games.state(id) if used else None
        for seq in range(1, 5):
            event = Event(id, seq, "move", 2 - seq % 2, f"{seq}", now(), (0, 1, 3, 4)[seq - 1])
            assert store.commit([Change(event)]) == [True]
            await games.heard([event])
        assert len(in_memory) == used
        assert (await games.state(id)).seq == 4  # read again, or followed
        assert held is None or held is await games.state(id)
        await games.close()

    asyncio.run(play())


def test_token_that_got_both_seats_at_another_server_holds_them_here(store: Store) -> None:
    async def play() -> None:
        here, elsewhere = (Games(store, Subscriptions(), Computer(), inf) for _ in range(2))
        made = await elsewhere.create(new_game(opponent="friend", listed=True), "me", "secret")
        id, token = made.state.id, made.token
        assert await here.seats(await here.state(id), token) == (1,)
        joined = await elsewhere.join(id, None, None, None, "secret")
        assert (joined.token, joined.seats) == (token, (1, 2))
        for seq, games in enumerate((elsewhere, here, here), 1):
            decide = partial(decisions.move, cell=(0, seq - 1))
            answer, _ = await games.act(id, token, "me", seq, f"{seq}", decide)
            assert answer.ply == seq
        for games in (here, elsewhere):
            await games.close()

    asyncio.run(play())


def test_rematch_of_both_players_in_one_browser_has_both_seats(store: Store) -> None:
    async def play() -> None:
        games = Games(store, Subscriptions(), Computer(), inf)
        made = await games.create(new_game(opponent="friend", listed=True), "me", "one")
        id = made.state.id
        tokens = [made.token, (await games.join(id, None, None, None, "two")).token]
        await games.act(id, tokens[0], "me", 1, "k", decisions.resign)
        taken = [await games.rematch(id, token, "me", "browser") for token in tokens]
        assert [seated.seats for seated in taken] == [(2,), (1, 2)]
        following, token = taken[0].state.id, taken[0].token
        for seq in (1, 2):
            decide = partial(decisions.move, cell=(0, seq))
            await games.act(following, token, "me", seq, f"{seq}", decide)
        await games.close()

    asyncio.run(play())


def test_game_in_use_stays_in_memory_beyond_the_limit(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.service.play.game_cache.KEPT_GAMES", 2)

    async def play() -> None:
        games = Games(store, Subscriptions(), Computer(), inf)
        made = await games.create(new_game(), "me", new_secret())
        held = await games.state(made.state.id)
        in_memory: WeakSet[State] = WeakSet([held])
        others = []
        for _ in range(5):
            other = (await games.create(new_game(), "me", new_secret())).state
            in_memory.add(other)
            others.append(other.id)
        del other
        await games.act(held.id, made.token, "me", 0, "k", partial(decisions.move, cell=(1, 1)))
        assert held.game.history == ((1, 1),)
        assert len(in_memory) <= 3  # the one in use, and the two used last
        assert (await games.state(others[0])).seq == 0  # it is read again
        await games.close()

    asyncio.run(play())


def test_games_in_memory_have_a_common_limit_of_moves(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.service.play.game_cache.KEPT_MOVES", 5)

    async def play() -> None:
        games = Games(store, Subscriptions(), Computer(), inf)
        in_memory: WeakSet[State] = WeakSet()
        for _ in range(4):
            made = await games.create(new_game(), "me", new_secret())
            for seq in range(3):
                decide = partial(decisions.move, cell=(0, seq))
                await games.act(made.state.id, made.token, "me", seq, f"{seq}", decide)
            in_memory.add(made.state)
        del made
        assert sum(state.game.ply for state in in_memory) <= 6
        await games.close()

    asyncio.run(play())


def test_writer_continues_after_any_error(store: Store) -> None:
    class Faulty(SQLite):
        def commit(self, changes: list[Change]) -> list[bool]:
            if any(change.game and change.game.name == "faulty" for change in changes):
                raise MemoryError
            return super().commit(changes)

    def change(name: str) -> Change:
        return Change(game=new_game(id=name, name=name))

    async def write() -> None:
        faulty = Faulty(store.engine.url)
        writer = Writer(faulty, lambda _: None)
        with pytest.raises(MemoryError):
            await writer.commit(change("faulty"))
        assert await writer.commit(change("sound"))
        await writer.close()
        faulty.close()

    asyncio.run(write())
    assert store.load(["sound"])


@pytest.mark.tier2("process")
def test_killed_computer_process_is_replaced() -> None:
    async def run() -> None:
        others, computer = {*active_children()}, Thinkers(1)
        question = Rules.square(3), ((0, 0), (1, 1), (0, 1)), "strong"
        assert (await computer.ask(think, question, "me", 1.0)).cell == (0, 2)
        (killed,) = {*active_children()} - others
        killed.kill()
        thoughts = (computer.ask(think, question, "me", 1.0) for _ in range(3))
        assert [advice.cell for advice in await asyncio.gather(*thoughts)] == [(0, 2)] * 3
        (again,) = {*active_children()} - others
        assert again is not killed
        computer.close()

    asyncio.run(run())


def against_computer(store: Store) -> NewGame:
    game = new_game(opponent="computer", level="easy")
    store.commit([Change(game=game)])
    return game


def spoil(store: Store, game: NewGame) -> None:
    """Give a game a log that no server writes, with the same cell twice."""
    for seq in (1, 2):
        event = Event(game.id, seq, "move", seq, str(seq), now(), cell=4)
        store.commit([Change(event, due=(game.id, True))])


def test_damaged_game_does_not_stop_others(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    bad, followed = against_computer(store), against_computer(store)

    async def look() -> None:
        games = Games(store, Subscriptions(), Computer(), inf)
        good = await games.create(
            new_game(opponent="computer", level="easy", seat=2), "me", new_secret()
        )
        following = Games(store, Subscriptions(), Computer(), inf)
        held = await following.state(followed.id)
        for game in (bad, followed):
            spoil(store, game)
        await following.think_overdue(-1000)
        opened = await following.state(good.state.id)
        while f"game {bad.id} cannot be read" not in caplog.text:
            await asyncio.sleep(0.01)
        while not (moved := store.events({good.state.id: 0})):  # by the computer
            await asyncio.sleep(0.01)
        spoilt = Event(followed.id, 2, "move", 2, "2", now(), cell=4)
        await following.heard([spoilt, *moved])
        await following.heard([spoilt._replace(seq=100), *moved])
        assert (held.seq, opened.seq) == (1, 1)
        await following.close()
        await games.close()

    asyncio.run(look())
    assert f"game {followed.id} cannot be read" in caplog.text


def test_damaged_game_has_a_page_without_a_board(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    bad = against_computer(store)
    spoil(store, bad)
    app = Service(Settings(), [store_at(str(store.url))]).app

    async def get() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get(f"/g/{bad.id}")

    answer = asyncio.run(get())
    assert (answer.status_code, answer.headers["content-type"][:9]) == (200, "text/html")
    assert f"game {bad.id}" in caplog.text


def test_foreign_notifications_are_ignored(caplog: pytest.LogCaptureFixture) -> None:
    for payload in (
        "5",
        "[]",
        "{",
        '{"server": "b", "events": {"a": "b"}}',
        '{"server": null}',
        "{}",
        "null",
        "",
    ):
        assert read(payload) is None
        assert "not a notification of ours" in caplog.text
        caplog.clear()
    told = Message([Event("game", 7, "move", 1, "k", 5, 4)])
    assert read('me {"events":[["game",7,"move",1,"k",5,4]]}') == ("me", told)
    assert not caplog.text
