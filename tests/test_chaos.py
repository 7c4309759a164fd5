"""Servers and databases that are killed, connections that are cut: no confirmed move is lost."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from threading import Event as Flag
from threading import Semaphore
from time import monotonic

import httpx
from sqlalchemy import text

from noughts.game import Game
from noughts.rules import Rules
from noughts.service.store import Store
from serving import (
    Event,
    Postgres,
    Seat,
    Server,
    code,
    created,
    followed,
    free_port,
    postgres,
    serving,
    speaking_to,
    two_friends,
)

KILLS = int(os.environ.get("NOUGHTS_KILLS", "2"))  # of a server, for each kind of database
LARGE = {"shape": [100, 100], "k": 100, "opponent": "self"}
NO_LOOKING = "import noughts.service.app as app; app.SWEEP = 1e6"
NO_TELLING = "from noughts.service.hints import Teller; Teller.tell = lambda *_: None"


class Load:
    """Players who move without pause, each in a game of its own, and try again what has failed.

    The move number n of each has seq n + 1, however often it is sent.

    Attributes:
        confirmed: how many moves were confirmed, by game.
    """

    def __init__(self, server: Server, players: int) -> None:
        self._server = server
        self._news = Semaphore(0)
        self._ending = Flag()
        self._threads = ThreadPoolExecutor(players)
        with speaking_to(server) as client:
            games = [created(client, **LARGE) for _ in range(players)]
        self.confirmed = Counter({game.id: 0 for game in games})
        self._done = [self._threads.submit(self._play, game) for game in games]

    def wait_for(self, moves: int) -> None:
        """Wait until so many more moves were confirmed."""
        for _ in range(moves):
            while not self._news.acquire(timeout=1):
                self._raise()

    def end(self) -> None:
        """Have the players finish their moves."""
        self._ending.set()
        self._threads.shutdown()
        self._raise()

    def _raise(self) -> None:
        for done in self._done:
            if done.done():
                done.result()

    def _play(self, game: Seat) -> None:
        with speaking_to(self._server) as client:
            player = Seat(client, game.id, game.token)
            for number in count():
                answer = self._insist(player, number)
                if answer is None:
                    return
                assert answer.status_code in {200, 201}, answer.text
                assert answer.json()["seq"] == number + 1
                self.confirmed[game.id] += 1
                self._news.release()

    def _insist(self, player: Seat, number: int) -> httpx.Response | None:
        """The answer to a move, sent under the same key until there is one."""
        while not self._ending.is_set():
            with suppress(httpx.TransportError):
                answer = player.move(*divmod(number, 100), seq=number, key=str(number))
                if answer.status_code != 503:
                    return answer
            self._ending.wait(0.1)
        return None


def check(server: Server, load: Load) -> None:
    """See that all that was confirmed is there, in its order, and once."""
    with speaking_to(server) as client:
        for id, confirmed in load.confirmed.items():
            state = Seat(client, id).state()
            assert confirmed <= state["seq"] <= confirmed + 1  # one may be without its answer
            assert state["moves"] == [list(divmod(n, 100)) for n in range(state["seq"])]


def test_a_server_that_is_killed_loses_no_confirmed_move(database: str) -> None:
    port = free_port()
    with serving(database, port=port) as server:
        load = Load(server, players=3)
        load.wait_for(20)
        server.kill()
    for _ in range(KILLS - 1):
        with serving(database, port=port) as server:
            load.wait_for(20)
            server.kill()
    with serving(database, port=port) as server:
        load.wait_for(20)
        load.end()
        check(server, load)


def test_a_database_that_is_killed_loses_no_confirmed_move() -> None:
    with postgres() as database, serving(database.database()) as server:
        load = Load(server, players=3)
        with speaking_to(server) as client:
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
                assert next(events).data["ply"] == 2  # the computer's, even if it was to be lost
        load.end()
        check(server, load)


# Several servers


@contextmanager
def two_servers(database: str, before: str = "") -> Iterator[list[Server]]:
    with serving(database, before=before) as one, serving(database, before=before) as two:
        yield [one, two]


def cut_hints(database: Postgres) -> None:
    """End the connections on which servers of this database listen."""
    database.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    )


def race(server: Server, game: Seat, turns: int, dice: random.Random) -> dict[int, list[int]]:
    """Move wherever there seems to be room, whoever else does; what was confirmed, by seq."""
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
                assert answer.json()["error"]["code"] in {"stale", "cell_taken"}
                seq = answer.json()["error"]["seq"]
    return confirmed


def read(server: Server, game: Seat, after: int) -> list[Event]:
    """All events until the game is resigned; as a browser, again after any break."""
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


def test_sixteen_clients_race_at_two_servers_while_their_hints_are_cut(
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
            cut_hints(postgresql)
        confirmed: dict[str, dict[int, list[int]]] = {game.id: {} for game in games}
        for game, moves in racers:
            assert not confirmed[game.id].keys() & moves.result().keys()  # each seq was given once
            confirmed[game.id] |= moves.result()
        for game in games:
            assert game.act("resign").status_code == 201

        for number, game in enumerate(games):
            log = read(servers[1], game, after=0)
            assert [event.seq for event in log] == list(range(1, len(log) + 1))
            logged = {event.seq: event.data["cell"] for event in log[:-1]}
            assert logged == confirmed[game.id]  # no move without its answer: nothing was killed
            assert len(logged) >= 25
            Game.replay(Rules((100, 100), 100), [(row, col) for row, col in logged.values()])
            for reader in readers[2 * number : 2 * number + 2]:
                assert reader.result(timeout=30) == log
            state = empty | {"id": game.id, "created": game.state()["created"]}
            for event in log:
                state = followed(state, event.data)
            assert state == game.state()


def test_servers_tell_each_other_of_news(postgresql: Postgres) -> None:
    database = postgresql.database()
    with (
        two_servers(database, before=NO_LOOKING) as servers,
        speaking_to(servers[0]) as one,
        speaking_to(servers[1]) as two,
    ):
        game = created(one, **LARGE)
        with Seat(two, game.id).events() as events:
            assert next(events).kind == "state"
            for number in range(20):
                game.move(0, number)
                assert next(events).seq == number + 1
            cut_hints(postgresql)
            game.move(1, 1)  # its hint may be lost, but who listens again also looks
            assert next(events).seq == 21
            postgresql.execute("NOTIFY noughts, 'no hint of ours'", database)
            game.move(2, 2)
            assert next(events).seq == 22


def test_a_hint_that_is_lost_delays_and_loses_nothing(postgresql: Postgres) -> None:
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
            )  # looks at once


def test_a_server_whose_database_hangs_says_so_and_ends() -> None:
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


def test_postgresql_is_durable_whatever_its_default(postgresql: Postgres) -> None:
    url = postgresql.database()
    name = url.rpartition("/")[2]
    postgresql.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    store = Store(url)
    with store.engine.connect() as connection:
        assert connection.scalar(text("SHOW synchronous_commit")) == "on"
    store.close()
