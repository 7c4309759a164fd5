"""A server with a retention time deletes idle games."""

from __future__ import annotations

import re
from contextlib import closing
from time import sleep

import pytest

from noughts import Rules
from noughts.service.play.events import Change, Event, NewGame, digest, new_id, now
from noughts.service.play.storage import Loaded
from noughts.service.store.dialects import store_at
from noughts.service.store.sql import Store
from service.serving import Seat, code, created, serving, speaking_to

DAY = 24 * 3600 * 1000  # ms
FORGOTTEN = re.compile(r"^noughts_games_forgotten_total (\d+)", re.MULTILINE)


@pytest.mark.tier2("time")
def test_server_forgets_idle_games(database: str) -> None:
    with closing(store_at(database)) as store:
        store.open()
        long_ago, lately = made(store, 9, 2.5), made(store, 9, 1.5)
        invited = new_game(3)._replace(invite=digest("x"))
        store.commit([Change(game=invited)])
    store = store_at(database)
    serve = serving(database, "--retention-days=2")
    with serve as server, speaking_to(server) as client, closing(store):
        ending = made(store, 9, 2 - 5 / 24 / 3600)  # in five seconds
        with client.stream("GET", f"/api/games/{ending.id}/events") as answer:
            lines = answer.iter_lines()
            assert "event: state" in (next(lines), next(lines), next(lines))
            gone = Seat(client, long_ago.id)
            assert code(gone.act("moves", seq=2, cell=[0, 0])) == "no_game"
            assert code(client.get(f"/api/games/{long_ago.id}")) == "no_game"
            assert code(Seat(client, invited.id).post("join", invite="x")) == "no_game"
            assert len(Seat(client, lately.id).state()["moves"]) == 1
            young = created(client, opponent="self")
            assert "event: bye" not in [*lines]  # it ends as HTTP does, and the server goes on
        assert code(client.get(f"/api/games/{ending.id}")) == "no_game"
        assert young.move(1, 1).status_code == 201
        while store.load([long_ago.id, invited.id]):
            sleep(0.05)
        left = store.load([lately.id, ending.id, young.id])
        kept = {each.made.id for each in left if isinstance(each, Loaded)}
        assert kept == {lately.id, ending.id, young.id}  # the second of them for an hour longer
        while not (found := FORGOTTEN.search(client.get("/metrics").text)) or found[1] == "0":
            sleep(0.05)
        assert found[1] == "2"


def new_game(days: float) -> NewGame:
    """Return a game between friends, created this many days ago."""
    return NewGame(new_id(), Rules(), "friend", None, 1, "Ada", True, None, ago(days))


def made(store: Store, days: float, moved: float) -> NewGame:
    """Store such a game, with a move that was made this many days ago."""
    game = new_game(days)
    joined = Event(game.id, 1, "joined", 2, "a", ago(days), text="Bob")
    move = Event(game.id, 2, "move", 1, "b", ago(moved), cell=4)
    for change in (Change(game=game), Change(joined), Change(move)):
        assert store.commit([change]) == [True]
    return game


def ago(days: float) -> int:
    """Return the time this many days ago, in ms."""
    return now() - int(days * DAY)
