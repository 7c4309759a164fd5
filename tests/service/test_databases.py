"""Several databases behind one server: each has its own games, and its own failures."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from shutil import copyfile
from time import sleep

import httpx
import pytest
from click.testing import CliRunner

from noughts import Rules
from noughts.cli.app import application
from noughts.service.play.events import Change, NewGame, new_id, now
from noughts.service.settings import read_settings
from noughts.service.store.dialects import opened, store_at, stores_at
from service.serving import (
    Postgres,
    Seat,
    code,
    created,
    elsewhere,
    postgres,
    serving,
    speaking_to,
)

SOON = "import noughts.service.app as app; app.SWEEP = 0.2"
MANY = 6  # games, or more until every database has some


@contextmanager
def served(*databases: str) -> Iterator[httpx.Client]:
    first, *others = databases
    options = [f"--database-url={each}" for each in others]
    with serving(first, *options, before=SOON) as server, speaking_to(server) as client:
        yield client


def key(number: int) -> str:
    return f"{number}-".ljust(22, "k")


def make(client: httpx.Client, databases: int) -> list[Seat]:
    made: list[Seat] = []
    while len(made) < MANY or len(by_prefix(made)) < databases:
        made.append(created(client, listed=True, key=key(len(made))))
    return made


def by_prefix(seats: list[Seat]) -> dict[str, list[Seat]]:
    found: dict[str, list[Seat]] = {}
    for seat in seats:
        assert len(seat.id) == 16
        found.setdefault(seat.id[: seat.id.find("~") + 1], []).append(seat)
    return found


def games_in(database: str) -> set[str]:
    with closing(store_at(database)) as store:
        return {game.id for game, _ in store.export()}


def answered(ask: Callable[[], httpx.Response]) -> httpx.Response:
    """Return the answer; retry while it is 503, as clients do."""
    while (answer := ask()).status_code == 503:
        assert answer.headers["retry-after"] == "1"
        sleep(0.1)
    return answer


def open_ids(client: httpx.Client) -> list[str]:
    answer = client.get("/api/games?listed=open")
    assert answer.status_code == 200
    return [game["id"] for game in answer.json()["games"]]


def up(client: httpx.Client) -> list[bool]:
    """Return which databases are up, by the metrics."""
    found = re.findall(r"^noughts_database_down\{.*\} (\S+)$", client.get("/metrics").text, re.M)
    return sorted(float(down) == 0 for down in found)


def test_database_that_is_down_blocks_only_its_own_games(
    tmp_path: Path, postgresql: Postgres
) -> None:
    """Serve a file that has games, and two databases in PostgreSQL: one hangs, dies and returns."""
    with postgres() as lost:
        file, kept, down = f"sqlite:///{tmp_path}/a b.db", postgresql.database(), lost.database()
        with served(file) as client:
            alone = created(client, opponent="self")
        with served(down, kept, file) as client:
            assert elsewhere(alone, client).move(0, 0).status_code == 201
            made = make(client, 3)
            assert open_ids(client) == [seat.id for seat in reversed(made)]
            games = by_prefix(made)
            again = client.post("/api/games", json={"n": 3, "listed": True, "key": key(0)})
            assert (again.status_code, again.json()["id"]) == (200, made[0].id)
            lost_ids = games_in(down)
            gone = [seat for seat in made if seat.id in lost_ids]
            there = [seat for seat in made if seat.id not in lost_ids]
            assert games.pop(gone[0].id[:3]) == gone
            second = there[0].join()
            assert second.act("resign").status_code == 201
            rematch = there[0].post("rematch").json()["id"]
            assert [*by_prefix([Seat(client, rematch)])] == [*by_prefix(there[:1])]

            with lost.stopped(), ThreadPoolExecutor(MANY) as threads:
                join = partial(gone[0].post, "join", invite=gone[0].invite, key="j")
                state = partial(client.get, f"/api/games/{gone[0].id}")
                hanging = [threads.submit(each) for each in (join, state)]
                for seat in there[1:]:
                    assert seat.join().post("moves", cell=(0, 0), seq=1, key="k").status_code == 409
                    assert seat.move(0, 0, seq=1).status_code == 201
                assert client.get("/readyz").status_code == 200
                assert not any(each.done() for each in hanging)
                assert {code(each.result()) for each in hanging} == {"unavailable"}
            assert answered(join).is_success

            lost.kill()
            for seat in there[1:]:
                assert seat.act("draw", accept=True).status_code == 201
            refused = state()
            assert (code(refused), refused.headers["retry-after"]) == ("unavailable", "1")
            assert client.get("/readyz").status_code == 200
            wish = {"n": 3, "listed": True, "key": key(made.index(gone[0]))}
            later = created(client, **wish)
            assert next(iter(by_prefix([later]))) in games
            assert open_ids(client) == [later.id]
            while up(client) != [False, True, True]:
                sleep(0.1)

        with served(kept, file, down) as client:  # it starts without one, in any order
            assert elsewhere(alone, client).act("reaction", reaction="gg").status_code == 201
            for id in (gone[0].id, "xx~" + gone[0].id[3:]):
                assert client.get(f"/api/games/{id}").status_code == 503
            lost.start()
            for seat in gone:
                back = elsewhere(seat, client)
                assert answered(partial(back.post, "join", invite=seat.invite, key="j")).is_success
                assert back.move(0, 0, seq=1).status_code == 201
            for id in ("xx~" + gone[0].id[3:], "x" * 16):
                assert client.get(f"/api/games/{id}").status_code == 404
            again = client.post("/api/games", json=wish)
            assert (again.status_code, again.json()["id"]) == (200, later.id)

        options = [f"--database-url={each}" for each in (file, kept, down)]
        ended = CliRunner().invoke(application, ["export", *options])
        assert ended.exit_code == 0, ended.output
        ids = [json.loads(line)["id"] for line in ended.stdout.splitlines()]
        assert ids[:1] == [alone.id]
        assert {seat.id for seat in [*made, later]} < {*ids}


@pytest.mark.parametrize("used", ["together", "alone"])
def test_databases_whose_ids_start_alike_are_refused(tmp_path: Path, used: str) -> None:
    """Serve a database and its copy, or two that were the only database of a server before."""
    one, two, new = (f"sqlite:///{tmp_path}/{name}.db" for name in ("one", "two", "new"))
    if used == "together":
        with opened(stores_at([one, new])):
            pass
        copyfile(tmp_path / "one.db", tmp_path / "two.db")
    for database in (one, two) if used == "alone" else ():
        (store,) = stores_at([database])
        with opened([store]):
            game = NewGame(new_id(), Rules(), "self", None, 1, None, False, None, now())
            store.commit([Change(game=game)])
    options = [f"--database-url={each}" for each in (one, new, two)]
    ended = CliRunner().invoke(application, ["serve", "--port=0", *options])
    assert ended.exit_code == 2
    assert ended.stderr == f"noughts: ids in {two} start like those in {one}\n"


def test_setting_separates_databases_by_lines_or_spaces() -> None:
    written = "sqlite:///my games.db postgresql+psycopg://a@b/c\nnone"
    databases = ["sqlite:///my games.db", "postgresql+psycopg://a@b/c", "none"]
    assert read_settings(database_url=written).databases == databases
