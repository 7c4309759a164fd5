"""Killed servers and databases and cut connections lose no confirmed move."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from itertools import takewhile
from threading import Barrier
from time import monotonic, sleep, time
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from commands import SECONDS
from noughts.game.game import Game
from noughts.game.rules import Rules
from noughts.service.store.dialects import store_at
from service.loading import LARGE, Load, check
from service.serving import (
    Event,
    Postgres,
    Seat,
    Server,
    code,
    created,
    elsewhere,
    followed,
    postgres,
    serving,
    speaking_to,
    two_friends,
)

pytestmark = [pytest.mark.usefixtures("unmeasured"), pytest.mark.tier2("process")]

NO_LOOKING = "import noughts.service.app as app; app.SWEEP = 1e6"
NO_TELLING = "from noughts.service.store.postgresql import Notify; Notify.send = lambda *_: None"


def test_killed_database_loses_no_confirmed_move() -> None:
    with (
        postgres() as database,
        serving(database.database()) as server,
        speaking_to(server) as client,
        Load(server, players=3) as load,
    ):
        thought = created(client, shape=[15, 15], k=5, opponent="computer")
        with thought.events() as events:
            next(events)
            assert thought.move(7, 7).status_code == 201
            for _ in range(3):
                load.wait_for(50)
                database.kill()
                assert client.get("/readyz").status_code == 503
                assert client.get("/healthz").status_code == 200
                database.start()
            load.wait_for(50)
            assert next(events).data["ply"] == 1
            assert next(events).data["ply"] == 2  # the computer's move, which must not be lost
        load.end()
        check(server, load)


# Several servers


@contextmanager
def two_servers(database: str, before: str = "") -> Iterator[list[Server]]:
    with serving(database, before=before) as one, serving(database, before=before) as two:
        yield [one, two]


def cut_notifications(database: Postgres) -> None:
    """Cut the connections on which servers of this database listen."""
    database.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    )


def race(server: Server, game: Seat, turns: int, dice: random.Random) -> dict[int, list[int]]:
    """Play random cells while others do so, too; return the confirmed moves by seq."""
    confirmed, seq = {}, 0
    with speaking_to(server) as client:
        player = Seat(client, game.id, game.token)
        for turn in range(turns):
            cell = [dice.randrange(100), dice.randrange(100)]
            key = f"{dice.random()} {turn}".replace(" ", "-")
            answer = player.move(*cell, seq=seq, key=key)
            if answer.status_code == 201:
                seq = answer.json()["seq"]
                assert seq not in confirmed
                confirmed[seq] = cell
                if dice.random() < 0.3:
                    again = player.move(*cell, seq=seq - 1, key=key)
                    assert (again.status_code, again.json()) == (200, answer.json())
            else:
                assert answer.json()["code"] in {"stale", "cell_taken"}
                seq = answer.json()["seq"]
    return confirmed


def read(server: Server, game: Seat, after: int) -> list[Event]:
    """Return all events up to the resignation, reconnecting like a browser after any break."""
    seen: list[Event] = []
    with speaking_to(server) as client:
        while not seen or seen[-1].kind != "resigned":
            known = seen[-1].seq if seen else after
            with Seat(client, game.id).events(known) as events:
                for event in events:
                    seen.append(event)
                    if event.kind == "resigned":
                        break
    return seen


def test_racing_clients_agree_while_notifications_are_cut(
    postgresql: Postgres,
) -> None:
    with (
        two_servers(postgresql.database()) as servers,
        speaking_to(servers[0]) as client,
        ThreadPoolExecutor(32) as threads,
    ):
        games = [created(client, **LARGE) for _ in range(4)]
        empty = games[0].state()
        readers = [threads.submit(read, server, game, 0) for game in games for server in servers]
        racers: list[tuple[Seat, Future[dict[int, list[int]]]]] = []
        for number in range(16):
            game, dice = games[number % 4], random.Random(number)
            racers.append((game, threads.submit(race, servers[number // 4 % 2], game, 25, dice)))
        for racer in racers[::4]:
            racer[1].result()
            cut_notifications(postgresql)
        confirmed: dict[str, dict[int, list[int]]] = {game.id: {} for game in games}
        for game, moves in racers:
            assert not confirmed[game.id].keys() & moves.result().keys()  # each seq was used once
            confirmed[game.id] |= moves.result()
        for game in games:
            assert game.act("resign").status_code == 201

        for number, game in enumerate(games):
            log = read(servers[1], game, after=0)
            assert [event.seq for event in log] == list(range(1, len(log) + 1))
            logged = {event.seq: event.data["cell"] for event in log[:-1]}
            assert logged == confirmed[game.id]  # every move was answered, as nothing was killed
            assert len(logged) >= 25
            Game.replay(Rules((100, 100), 100), [(row, col) for row, col in logged.values()])
            for reader in readers[2 * number : 2 * number + 2]:
                assert reader.result(timeout=SECONDS) == log
            state = empty | {"id": game.id, "created": game.state()["created"]}
            for event in log:
                state = followed(state, event.data)
            assert state == game.state()


# Races between two servers

RACES = 10  # of each kind
Ask = Callable[[], httpx.Response]


def races(one: httpx.Client, two: httpx.Client) -> Iterator[tuple[Seat, Ask, Ask, set[str]]]:
    """Yield a game, one request for each server, and the two expected answers in any order."""
    made = created(one)
    join = partial(Seat(one, made.id).post, "join", invite=made.invite)
    yield (
        made,
        join,
        partial(elsewhere(made, two).post, "join", invite=made.invite),
        {"200", "seat_taken"},
    )
    first, _ = two_friends(one)
    same: dict[str, Any] = {"cell": (0, 0), "seq": 1, "key": "same"}
    move = partial(first.post, "moves", **same)
    yield first, move, partial(elsewhere(first, two).post, "moves", **same), {"200", "201"}
    first, second = two_friends(one)
    draw = partial(first.act, "draw", accept=True, seq=1)
    yield (
        first,
        draw,
        partial(elsewhere(second, two).act, "draw", accept=True, seq=1),
        {"201", "stale"},
    )
    first, second = two_friends(one)
    resign = partial(first.act, "resign", seq=1)
    yield first, resign, partial(elsewhere(second, two).act, "resign", seq=1), {"201", "stale"}
    first, second = two_friends(one)
    assert first.move(0, 0).status_code == 201
    assert first.act("takeback", accept=True).status_code == 201
    agree = partial(second.act, "takeback", accept=True, seq=3)
    yield first, agree, partial(elsewhere(second, two).move, 1, 1, seq=3), {"201", "stale"}


def test_concurrent_requests_at_two_servers_are_done_once(postgresql: Postgres) -> None:
    with (
        two_servers(postgresql.database()) as servers,
        speaking_to(servers[0]) as one,
        speaking_to(servers[1]) as two,
        ThreadPoolExecutor(2) as threads,
    ):
        start = Barrier(2)

        def asked(ask: Ask) -> httpx.Response:
            start.wait(timeout=SECONDS)
            return ask()

        for _ in range(RACES):
            for game, here, there, expected in races(one, two):
                before = game.state()["seq"]
                answers = list(threads.map(asked, (here, there)))
                said = {str(a.status_code) if a.is_success else code(a) for a in answers}
                assert said == expected
                states = [Seat(client, game.id).state() for client in (one, two)]
                assert states[0] == states[1]
                assert states[0]["seq"] == before + 1


def test_clock_runs_out_once_at_two_servers(postgresql: Postgres) -> None:
    with (
        two_servers(postgresql.database()) as servers,
        speaking_to(servers[0]) as one,
        speaking_to(servers[1]) as two,
        ThreadPoolExecutor(3 * RACES) as threads,
    ):
        dice = random.Random(1)
        games = [two_friends(one, clock={"seconds": 1})[0] for _ in range(RACES)]

        def ends(client: httpx.Client, game: Seat) -> list[Event]:
            with elsewhere(game, client).events(after=0) as events:
                return [*takewhile(lambda event: event.kind != "timeout", events)]

        def moves_late(game: Seat, before: float) -> httpx.Response:
            if deadline := game.state()["clock"]["deadline"]:
                sleep(max(0, datetime.fromisoformat(deadline).timestamp() - time() - before))
            return elsewhere(game, two).move(0, 0, seq=1)

        late = [threads.submit(moves_late, game, dice.uniform(-0.01, 0.03)) for game in games]
        logs = [threads.submit(ends, client, game) for game in games for client in (one, two)]
        for number, game in enumerate(games):
            log = logs[2 * number].result()
            assert logs[2 * number + 1].result() == log
            answer = late[number].result()
            moved = answer.status_code == 201
            assert moved or code(answer) in {"timeout", "stale", "game_over"}
            assert [event.kind for event in log] == ["joined", "move"][: 1 + moved]
            states = [Seat(client, game.id).state() for client in (one, two)]
            assert states[0] == states[1]
            assert (states[0]["seq"], states[0]["winner"]) == (2 + moved, 1 if moved else 2)


def test_concurrent_creation_at_two_servers_makes_one_game(postgresql: Postgres) -> None:
    with two_servers(postgresql.database()) as servers, ThreadPoolExecutor(16) as threads:

        def make(number: int) -> Seat:
            wish = {"n": 3, "name": "Ada", "key": f"{number // 16}" * 22}
            with speaking_to(servers[number % 2]) as client:
                answer = client.post("/api/games", json=wish)
            made = answer.json()
            return Seat(client, made["id"], made["token"], f"{answer.status_code} {made['invite']}")

        seats = list(threads.map(make, range(16 * 8)))
        with speaking_to(servers[0]) as client:
            for number in range(8):
                same = seats[16 * number : 16 * number + 16]
                assert len({seat.id for seat in same}) == 1
                answers = sorted((seat.invite or "").partition(" ") for seat in same)
                assert [status for status, _, _ in answers] == [*["200"] * 15, "201"]
                assert len({invite for _, _, invite in answers}) == 1
                for seat in same:
                    assert Seat(client, seat.id, seat.token).state()["seats"] == [1]


def test_servers_notify_each_other_of_events(postgresql: Postgres) -> None:
    database = postgresql.database()
    # The server uses the host that accepts writes, whichever comes first in the URL.
    either = re.sub(r"127.0.0.1:(\d+)/(\w+)", r"/\2?host=127.0.0.1:1&host=127.0.0.1:\1", database)
    with (
        two_servers(f"{either}&target_session_attrs=read-write", before=NO_LOOKING) as servers,
        speaking_to(servers[0]) as one,
        speaking_to(servers[1]) as two,
    ):
        game = created(one, **LARGE)
        with Seat(two, game.id).events() as events:
            assert next(events).kind == "state"
            for number in range(20):
                game.move(0, number)
                assert next(events).seq == number + 1
            cut_notifications(postgresql)
            game.move(
                1, 1
            )  # its notification may be lost, but a server that reconnects also checks
            assert next(events).seq == 21
            postgresql.execute("NOTIFY noughts, 'no hint of ours'", database)
            game.move(2, 2)
            assert next(events).seq == 22


def test_lost_notification_delays_but_loses_nothing(postgresql: Postgres) -> None:
    with (
        two_servers(postgresql.database(), before=NO_TELLING) as servers,
        speaking_to(servers[0]) as one,
        speaking_to(servers[1]) as two,
    ):
        game = created(one, opponent="self")
        with Seat(two, game.id).events() as events:
            assert next(events).kind == "state"
            assert game.move(0, 0).status_code == 201
            assert next(events).seq == 1  # after a few seconds
            assert Seat(two, game.id, game.token).move(1, 1).json()["seq"] == 2
            game.act("resign")
            assert (
                Seat(two, game.id, game.token).post("rematch").status_code == 201
            )  # checks at once


def test_server_with_a_hanging_database_reports_it_and_exits() -> None:
    with (
        postgres() as database,
        serving(database.database()) as server,
        speaking_to(server) as client,
    ):
        first, _ = two_friends(client)
        with database.stopped():
            start = monotonic()
            with ThreadPoolExecutor() as pool:
                move = pool.submit(first.post, "moves", cell=(0, 0), seq=1, key="k")
                assert client.get("/readyz").status_code == 503
                assert code(move.result()) == "unavailable"
            assert monotonic() - start < 8
            start = monotonic()
            log = server.stop()
            assert monotonic() - start < 10
    assert "Traceback" not in log


def test_postgresql_settings_override_the_defaults_of_the_database(postgresql: Postgres) -> None:
    url = postgresql.database()
    name = url.rpartition("/")[2]
    postgresql.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    store = store_at(url)
    with store.engine.connect() as connection:
        assert connection.scalar(text("SHOW synchronous_commit")) == "on"
        # A server that vanishes does not hold locks that others wait for.
        assert connection.scalar(text("SHOW idle_in_transaction_session_timeout")) == "5s"
    store.close()
