"""Games that nobody touches are forgotten, where the server is told to keep them for some days."""

from __future__ import annotations

import re
from contextlib import closing
from time import sleep

from noughts.service.play.events import Change, Event, NewGame, digest, new_id, now
from noughts.service.store.database import store_at
from service.serving import Seat, code, created, serving, speaking_to

DAY = 24 * 3600 * 1000  # ms
FORGOTTEN = re.compile(r"^noughts_games_forgotten_total (\d+)", re.MULTILINE)


def test_games_that_nobody_touches_are_forgotten(database: str) -> None:
    with closing(store_at(database)) as store:
        store.open()
        begun = now()

        def made(days: float, moved: float) -> NewGame:
            """A game that was made so long ago, and in which somebody moved later."""
            game = NewGame(new_id(), 3, 3, 3, "friend", None, 1, "Ada", True, None, at(days))
            joined = Event(game.id, 1, "joined", 2, "a", at(days), text="Bob")
            move = Event(game.id, 2, "move", 1, "b", at(moved), cell=4)
            for change in (Change(game=game), Change(joined), Change(move)):
                assert store.commit([change]) == [True]
            return game

        def at(days: float) -> int:
            return begun - int(days * DAY)

        long_ago, lately = made(9, 2.5), made(9, 1.5)
        ending = made(9, 2 - 5 / 24 / 3600)  # in five seconds
        invited = NewGame(new_id(), 3, 3, 3, "friend", None, 1, "Ada", True, digest("x"), at(3))
        store.commit([Change(game=invited)])
    with serving(database, "--keep=2") as server, speaking_to(server) as client:
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
        with closing(store_at(database)) as store:
            while store.games([long_ago.id, invited.id]):
                sleep(0.05)
            assert len(store.events({long_ago.id: 0})) == 0
            kept = {game.id for game in store.games([lately.id, ending.id, young.id])}
            assert kept == {lately.id, ending.id, young.id}  # of the second, for an hour longer
        while not (found := FORGOTTEN.search(client.get("/metrics").text)) or found[1] == "0":
            sleep(0.05)
        assert found[1] == "2"
