"""Clocks, which follow from the log, and games that end when time is up."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import closing
from functools import partial
from math import inf
from pathlib import Path
from time import sleep
from typing import Any, Literal

import httpx
import pytest

from commands import SECONDS, TRIES
from noughts import Rules
from noughts.game.outcome import Termination
from noughts.service.play import decisions, scheduling
from noughts.service.play.api_errors import APIError
from noughts.service.play.computer import Computer
from noughts.service.play.decisions import Act
from noughts.service.play.events import Change, Event, NewGame, new_id, now
from noughts.service.play.game_cache import LiveGame
from noughts.service.play.games import Games
from noughts.service.play.scheduling import Deadlines, End
from noughts.service.play.state import State
from noughts.service.play.storage import StoreError
from noughts.service.play.subscriptions import Subscriptions
from noughts.service.store.dialects import store_at
from noughts.service.store.sql import Store
from noughts.system import processors
from service.serving import Reborn, Seat, code, created, speaking_to, two_friends

CLOCKS = 1000


def new_game(**fields: Any) -> NewGame:
    game = NewGame(new_id(), Rules(), "friend", None, 1, "Ada", True, None, 0, seconds=10)
    return game._replace(**fields)


def at(state: State, time: int, *seats: int) -> Act:
    """Return a request at this time, in seconds since the game was created."""
    return Act(seats or (state.game.turn,), state.seq, f"{state.seq}", time * 1000)


def begun(**fields: Any) -> State:
    """Return a game that was joined five seconds after it was created."""
    state = State(new_game(**fields))
    assert state.deadline is None
    change = decisions.join(state, at(state, 5), None, "Bob", b"")
    assert change.clock == (state.id, 15_000)
    return after(state, change)


def after(state: State, change: Change | None) -> State:
    assert change is not None
    assert change.event is not None
    state.apply(change.event)
    return state


def move(state: State, time: int, *cell: int) -> State:
    return after(state, decisions.move(state, at(state, time), (cell[0], cell[1])))


def left(state: State) -> tuple[int, ...]:
    """Return the seconds that both have left, and when the time of one of them is up."""
    assert state.clock is not None
    return *(one // 1000 for one in state.clock.left), (state.deadline or 0) // 1000


def test_clock_per_move_restarts_at_each_move() -> None:
    state = begun()
    assert left(state) == (10, 10, 15)
    assert left(move(state, 12, 0, 0)) == (10, 10, 22)
    assert left(move(state, 13, 1, 0)) == (10, 10, 23)


def test_clock_per_game_adds_the_increment() -> None:
    state = begun(increment=2)
    assert left(move(state, 12, 0, 0)) == (5, 10, 22)
    assert left(move(state, 13, 1, 0)) == (5, 11, 18)
    assert left(move(state, 17, 0, 1)) == (3, 11, 28)


def test_offers_do_not_stop_the_clock_and_takebacks_return_no_time() -> None:
    state = move(begun(increment=0), 8, 0, 0)
    after(state, decisions.draw(state, at(state, 9, 1), accept=True))
    after(state, decisions.takeback(state, at(state, 10, 1), accept=True))
    assert left(state) == (7, 10, 18)
    after(state, decisions.takeback(state, at(state, 11, 2), accept=True))
    assert (state.game.ply, left(state)) == (0, (7, 7, 18))


def test_player_out_of_time_loses_and_cannot_act() -> None:
    state = move(begun(increment=0), 8, 0, 0)
    assert decisions.timeout(state, 17_999) is None
    late = at(state, 18)
    asked: list[Callable[[], Change | None]] = [
        lambda: decisions.move(state, late, (1, 1)),
        lambda: decisions.resign(state, late),
        lambda: decisions.takeback(state, late, True),
        lambda: decisions.draw(state, late, True),
    ]
    for decide in asked:
        with pytest.raises(APIError) as refused:
            decide()
        assert refused.value.code == "timeout"
    change = decisions.timeout(state, 18_000)
    assert change is not None
    assert change.clock == (state.id, None)
    after(state, change)
    assert (state.status, state.winner, left(state)) == ("timeout", 1, (7, 0, 0))
    assert state.termination is Termination.TIMEOUT
    assert decisions.timeout(state, 10**9) is None


def test_clock_stops_at_the_end() -> None:
    state = begun(increment=0)
    after(state, decisions.resign(state, at(state, 9, 2)))
    assert left(state) == (6, 10, 0)


def test_computer_loses_on_time_too() -> None:
    made = new_game(opponent="computer", level="easy", seat=2, increment=0)
    assert decisions.create(made, b"").clock == (made.id, 10_000)
    state = State(made)
    assert left(state) == (10, 10, 10)
    change = decisions.computer_move(state, Act((1,), 0, "computer 0", 10_000), (0, 0))
    assert after(state, change).winner == 2


@pytest.mark.parametrize("error", [StoreError, ZeroDivisionError])
def test_deadlines_retry_after_an_error(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduling, "RETRY_MS", 0)
    looks: list[list[str]] = []

    async def end(games: list[str]) -> dict[str, int]:
        looks.append(games)
        if len(looks) == 1:
            raise error
        return {"b": now() - 1} if len(looks) == 2 else {}

    async def run() -> None:
        waiting = Deadlines(end)
        for game, time in (("b", 2), ("a", 1), ("b", 1), ("later", now() + 10**6), ("a", 3)):
            waiting.set(game, time)
        running = asyncio.create_task(waiting.run())
        while len(looks) < 3:
            await asyncio.sleep(0.01)
        running.cancel()

    asyncio.run(run())
    assert looks == [["a", "b"], ["a", "b"], ["b"]]


def test_deadlines_end_many_games_without_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "TICK_SECONDS", 10 * SECONDS)
    games = [str(number) for number in range(3 * scheduling.DUE_AT_ONCE)]
    ended: list[str] = []
    all_ended = asyncio.Event()

    async def end(due: list[str]) -> dict[str, int]:
        ended.extend(due)
        if len(ended) == len(games):
            all_ended.set()
        return {}

    async def run() -> None:
        waiting = Deadlines(end)
        for time, game in enumerate(games):
            waiting.set(game, time)
        running = asyncio.create_task(waiting.run())
        await asyncio.wait_for(all_ended.wait(), SECONDS)
        running.cancel()

    asyncio.run(run())
    assert ended == games


def test_deadlines_keep_few_entries_per_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "TICK_SECONDS", 0)
    later = now() + 10**6
    looks: list[list[str]] = []

    async def end(games: list[str]) -> dict[str, int]:
        looks.append(games)
        return {"a": later + len(looks) - 1, "b": later}

    async def run(waiting: Deadlines) -> None:
        running = asyncio.create_task(waiting.run())
        for number in range(50):
            for game in "ab":
                waiting.set(game, 1)
            while len(looks) == number:
                await asyncio.sleep(0)
        running.cancel()

    waiting = Deadlines(end)
    asyncio.run(run(waiting))
    assert looks == [["a", "b"]] * 50
    # From outside, superfluous entries would only show as memory after a long time.
    assert sorted(waiting._heap) == [(later, "a"), (later, "b")]


class AtWill(Deadlines):
    """Deadlines that are checked only on request.

    Attributes:
        end: Ends games; see `End`.
        times: The times that games were set to.
    """

    def __init__(self, end: End) -> None:
        super().__init__(end)
        self.end = end
        self.times: list[int] = []

    def set(self, game: str, at: int) -> None:
        self.times.append(at)
        super().set(game, at)


@pytest.fixture
def at_will(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.service.play.games.Deadlines", AtWill)


class NoOthers:
    """The notifications of a shared store without other servers."""

    async def close(self) -> None:
        pass


@pytest.mark.usefixtures("at_will")
@pytest.mark.parametrize("shared", [False, True])
def test_clocks_are_read_once_or_postponed_in_shared_stores(
    shared: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run(store: Store) -> None:
        games = Games(store, Subscriptions(), Computer(), inf)
        assert isinstance(games.deadlines, AtWill)
        alone = new_game(opponent="self", at=now() - 5000, seconds=1000)
        made = await games.create(alone, "me", None)
        live, clocks, reads = made.state, store.clocks, 0

        def counted() -> list[tuple[str, int]]:
            nonlocal reads
            reads += 1
            return clocks()

        monkeypatch.setattr(store, "clocks", counted)
        await games.recover_clocks()
        await games.act(live.id, made.token, "me", 0, "k", partial(decisions.move, cell=(1, 1)))
        for _ in range(3):
            assert await games.deadlines.end([live.id]) == {live.id: live.deadline}
            await games.recover_clocks()
        assert reads == (4 if shared else 1)
        (noted,) = clocks()
        assert noted == (live.id, live.deadline if shared else live.made.at + 1_000_000)
        first, *others = games.deadlines.times
        assert first <= min(others)  # an earlier one would be another entry
        await games.close()

    with closing(store_at(f"sqlite:///{tmp_path}/noughts.db")) as store:
        store.open()
        monkeypatch.setattr(store, "notifications", NoOthers() if shared else None)
        asyncio.run(run(store))


class Queue(asyncio.Lock):
    """A lock that counts its acquisitions."""

    asked = 0

    async def acquire(self) -> Literal[True]:
        self.asked += 1
        return await super().acquire()


@pytest.mark.usefixtures("at_will")
def test_reopened_game_keeps_its_clock(tmp_path: Path) -> None:
    async def run(store: Store) -> None:
        games = Games(store, Subscriptions(), Computer(), inf)
        assert isinstance(games.deadlines, AtWill)
        alone = new_game(opponent="self", at=now(), seconds=1000)
        made = await games.create(alone, "me", None)
        live = await games.state(made.state.id)

        async def act(decide: Any, **how: Any) -> None:
            seq = live.seq
            await games.act(live.id, made.token, "me", seq, f"{seq}", partial(decide, **how))

        for cell in ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2)):
            await act(decisions.move, cell=cell)
        assert live.status == "won"
        live.lock = queue = Queue()
        async with queue:  # until both are waiting, the one that reopens it first
            reopened = asyncio.create_task(act(decisions.takeback, accept=True))
            while queue.asked < 2:
                await asyncio.sleep(0)
            ended = asyncio.ensure_future(games.deadlines.end([live.id]))
            while queue.asked < 3:
                await asyncio.sleep(0)
            assert live.deadline is None
        await asyncio.gather(reopened, ended)
        assert live.deadline is not None
        assert [game for game, _ in store.clocks()] == [live.id]
        await games.close()

    with closing(store_at(f"sqlite:///{tmp_path}/noughts.db")) as store:
        store.open()
        asyncio.run(run(store))


def test_clock_is_never_up_before_its_earliest_time() -> None:
    state = move(move(begun(increment=0), 12, 0, 0), 13, 1, 0)
    assert left(state) == (3, 9, 16)
    assert state.clock is not None
    assert state.clock.earliest(1, 14_000) == 16_000
    state = move(state, 14, 0, 1)
    assert left(state) == (2, 9, 23)
    assert state.clock is not None
    assert state.clock.earliest(2, 15_000) == 17_000  # if seat 2 moves now


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        ({"seconds": None}, 1.0),
        ({"seconds": 60, "increment": 0}, 0.95),
        ({"seconds": 10, "increment": 5}, 0.45),
        ({"seconds": 1, "increment": 0}, 0.0),
        ({"seconds": 1}, 0.45),
    ],
)
def test_computer_thinks_less_on_a_short_clock(fields: dict[str, Any], seconds: float) -> None:
    live = LiveGame(new_game(opponent="computer", level="strong", seat=2, **fields))
    assert live.time_to_think(0) == pytest.approx(seconds)
    assert live.time_to_think(500) <= live.time_to_think(0)


# Draws


def test_draw_offer_is_accepted_declined_or_withdrawn() -> None:
    def offered() -> State:
        state = move(State(new_game(seconds=None, opponent="self", seat=1)), 1, 0, 0)
        return after(state, decisions.draw(state, at(state, 1, 1), accept=True))

    state = offered()
    assert (state.draw, state.offer, state.status) == (1, None, "playing")
    assert after(state, decisions.draw(state, at(state, 1, 2), accept=False)).draw is None
    assert move(offered(), 1, 1, 1).draw is None
    state = after(offered(), decisions.draw(offered(), at(offered(), 1, 2), accept=True))
    assert (state.status, state.winner, state.draw) == ("draw", None, None)
    assert state.termination is Termination.AGREEMENT


def test_repeated_draw_offer_is_not_an_agreement() -> None:
    state = State(new_game(seconds=None, opponent="self"))
    for _ in range(2):
        after(state, decisions.draw(state, at(state, 1, 2), accept=True))
    assert (state.status, state.draw) == ("playing", 2)


# A server


def test_timeout_ends_the_game_in_its_stream(client: httpx.Client) -> None:
    clock = {"seconds": 1, "increment": 0}
    first, second = two_friends(client, clock=clock)
    with second.events(after=0) as events:
        begun, told = next(events).data, next(events)
    assert begun["clock"].items() >= {**clock, "left": [1000, 1000]}.items()
    assert (told.kind, told.data["seat"], told.data["winner"]) == ("timeout", 1, 2)
    assert told.data["status"] == "timeout"
    assert told.data["at"] >= begun["clock"]["deadline"]
    assert told.data["clock"] == {**clock, "left": [0, 1000], "deadline": None}
    assert code(first.move(0, 0)) == "game_over"
    again = first.post("rematch").json()["game"]
    assert again["clock"] == {**clock, "left": [1000, 1000], "deadline": None}


def test_draw_is_agreed_through_the_api(client: httpx.Client) -> None:
    first, second = two_friends(client)
    assert code(second.act("draw", accept=False)) == "nothing_to_decline"
    first.act("draw", key="d")
    assert first.act("draw", key="d").status_code == 200
    assert second.state()["draw"] == 1
    second.act("draw", accept=False)
    assert first.state()["draw"] is None
    second.act("draw")
    assert first.act("draw").json()["status"] == "draw"
    alone = created(client, opponent="self")
    assert alone.act("draw").json()["status"] == "draw"
    assert code(created(client, opponent="computer").act("draw")) == "no_draw"


@pytest.mark.parametrize(
    ("clock", "why"),
    [
        ({"seconds": 0}, "clock.seconds: Expected `int` >= 1"),
        ({"seconds": 604_801}, "clock.seconds: Expected `int` <= 604800"),
        ({"seconds": 60, "increment": -1}, "clock.increment: Expected `int` >= 0"),
        ({"seconds": 60, "increment": 3601}, "clock.increment: Expected `int` <= 3600"),
        ({"increment": 1}, "clock: Object missing required field `seconds`"),
        ({"seconds": 60, "typo": 1}, "clock: Object contains unknown field `typo`"),
    ],
)
def test_new_game_rejects_invalid_clocks(client: httpx.Client, clock: Any, why: str) -> None:
    answer = client.post("/api/games", json={"n": 3, "clock": clock})
    assert code(answer) == "malformed"
    assert why in answer.json()["detail"]


def test_open_game_lists_its_clock(client: httpx.Client) -> None:
    host = created(client, listed=True, clock={"seconds": 86_400})
    games = client.get("/api/games?listed=open").json()["games"]
    (clock,) = (game["clock"] for game in games if game["id"] == host.id)
    assert clock == {"seconds": 86_400, "increment": None}


@pytest.mark.tier2("process")
def test_clocks_run_out_on_time_without_clients_and_after_a_kill(database: str) -> None:
    with closing(Reborn(database)) as server, closing(store_at(database)) as store:
        server.start()
        assert any(lateness(server, store) * share_of_a_processor() < 1000 for _ in range(TRIES))
        while store.clocks():
            sleep(0.1)


def share_of_a_processor() -> float:
    """Return the share of a processor that each busy process had in the last minute, at most 1."""
    if not hasattr(os, "getloadavg"):  # as on Windows
        return 1.0
    return min(1.0, processors() / max(0.01, os.getloadavg()[0]))


def lateness(server: Reborn, store: Store) -> int:
    """Return how many ms after its time, with the server running, the last of many games ends.

    The server is killed once before the games are created and once while they end.
    """
    begin = now()
    games = [new_game(seconds=1, at=begin + 2 * number) for number in range(CLOCKS)]
    joined = [Event(game.id, 1, "joined", 2, "k", game.at, text="Bob") for game in games]
    moved = [Event(game.id, 2, "move", 1, "m", game.at + 1, 4) for game in games]
    server.kill()
    store.commit([Change(game=game) for game in games])
    clocks = [game.first_deadline(game.at) for game in games]
    changes = zip(joined, clocks, strict=True)
    store.commit([Change(event, clock=clock) for event, clock in changes])
    store.commit([Change(event) for event in moved])
    server.start()
    when_ended(store, games, 1)
    server.kill()
    server.start()
    up = now()
    ended = when_ended(store, games, CLOCKS)
    assert {event.seat for event in ended.values()} == {2}
    late = [ended[game.id].at - (game.at + 1 + 1000) for game in games]
    assert min(late) >= 0
    with speaking_to(server) as client:
        assert Seat(client, games[0].id).state()["status"] == "timeout"
    later = [ended[game.id].at - up for game in games]
    return max(map(min, late, later))


def when_ended(store: Store, games: list[NewGame], count: int) -> dict[str, Event]:
    """Wait until this many of the games have ended; return the events that ended them."""
    while len(found := store.events({game.id: 2 for game in games})) < count:
        sleep(0.05)
    assert {event.kind for event in found} == {"timeout"}
    return {event.game: event for event in found}
