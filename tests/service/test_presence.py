"""Presence, waiting games, lists and reactions, with both databases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from noughts import Rules
from noughts.service.http.models import LiveGameAnswer
from noughts.service.play import subscriptions
from noughts.service.play.events import Event as Logged
from noughts.service.play.events import NewGame
from noughts.service.play.state import State
from noughts.service.play.subscriptions import Here, Presence, Streams
from service.serving import (
    DATABASES,
    Event,
    Seat,
    code,
    created,
    new_database,
    serving,
    speaking_to,
    two_friends,
)

HURRIED = """
from noughts.service.play import subscriptions
subscriptions.SOON = subscriptions.LATER = 0.05
subscriptions.LINGER = 0.2
"""


@pytest.fixture(scope="module", params=DATABASES)
def client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[httpx.Client]:
    """Return a client of a server that reports presence soon."""
    database = new_database(request, tmp_path_factory.mktemp("presence"))
    with serving(database, before=HURRIED) as server, speaking_to(server) as found:
        yield found


def told(events: Iterator[Event], **wanted: Any) -> Event:
    """Return the next presence event with these fields."""
    return next(
        event
        for event in events
        if event.kind == "presence" and wanted.items() <= event.data.items()
    )


def test_stream_reports_players_and_watchers(client: httpx.Client) -> None:
    first, second = two_friends(client)
    with first.events(aside=True) as events:
        assert next(events).kind == "state"
        begun = next(events)
        assert (begun.kind, begun.seq) == ("presence", -1)  # it is not in the log
        assert {**begun.data, "now": ""} == {
            "here": [True, False],
            "away": [None, None],
            "watchers": 0,
            "now": "",
        }
        with Seat(client, first.id).events():
            told(events, watchers=1)
            with second.events():
                told(events, here=[True, True])
            left = told(events, here=[True, False]).data
        told(events, watchers=0)
        assert begun.data["now"] < left["away"][1] < left["now"]
        first.move(0, 0)
        assert next(events).kind == "move"


def test_player_of_both_seats_is_here_on_both(client: httpx.Client) -> None:
    with created(client, opponent="self").events(aside=True) as events:
        told(events, here=[True, True], watchers=0)


def test_servers_of_a_database_share_presence(postgresql: Any) -> None:
    database = postgresql.database()
    with serving(database) as one, serving(database) as two, speaking_to(one) as client:
        first, second = two_friends(client)
        with first.events(aside=True) as events, speaking_to(two) as elsewhere:
            with Seat(elsewhere, second.id, second.token).events():
                told(events, here=[True, True])
            told(events, here=[True, False])


def test_open_game_shows_whether_its_host_is_here(client: httpx.Client) -> None:
    def listed() -> dict[str, Any]:
        games = client.get("/api/games?listed=open").json()["games"]
        return next(game for game in games if game["id"] == host.id)

    host = created(client, listed=True)
    assert (listed()["here"], listed()["away"]) == (False, None)
    guest = Seat(client, host.id)
    with guest.events(aside=True) as events:
        with host.events() as own:
            next(own)
            told(events, here=[True, False])
            assert listed()["here"]
        left = told(events, here=[False, False]).data["away"][0]
    assert (listed()["here"], listed()["away"]) == (False, left)


def test_presence_of_another_server_expires(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    time = 100.0
    monkeypatch.setattr(subscriptions, "monotonic", lambda: time)
    known = Presence()
    said = {"game": Streams((2, 0, 1), (1, 0))}
    own = known.streams("game", [(), (1,)])
    assert known.hear("other", said) == ["game"]
    assert known.hear("other", said) == []  # nothing new
    assert known.of("game", own)[0] == Here((True, True), (None, None), 3)
    time += subscriptions.EXPIRES + 1
    known.forget()
    here = known.of("game", known.streams("game", [()]))[0]
    assert here == Here((False, False), ("1970-01-01T00:00:00.001Z", None), 1)


def test_presence_remembers_departures_of_a_limited_number_of_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subscriptions, "REMEMBERED", 2)
    known = Presence()
    for game in "abc":
        known.leave(game, (2,))
    assert [known.streams(game, []).left[1] > 0 for game in "abc"] == [False, True, True]


# Waiting games


def test_waiting_player_can_cancel_the_game(client: httpx.Client) -> None:
    host = created(client, listed=True)
    assert code(Seat(client, host.id).act("abort")) == "no_token"
    answer = host.act("abort", key="a")
    assert (answer.status_code, answer.json()) == (201, {"seq": 1, "ply": 0, "status": "aborted"})
    assert host.act("abort", key="a").status_code == 200
    assert (host.state()["status"], host.state()["winner"], host.state()["turn"]) == (
        "aborted",
        None,
        None,
    )
    open_games = client.get("/api/games?listed=open").json()["games"]
    assert host.id not in [game["id"] for game in open_games]
    assert code(host.post("join", invite=host.invite)) == "game_over"
    assert code(host.move(0, 0)) == "game_over"
    assert code(host.act("abort")) == "not_waiting"
    assert code(host.post("rematch")) == "not_over"


def test_begun_game_cannot_be_cancelled(client: httpx.Client) -> None:
    first, _ = two_friends(client)
    assert code(first.act("abort")) == "not_waiting"


def test_cancelled_rematch_is_no_longer_offered(client: httpx.Client) -> None:
    first, second = two_friends(client)
    first.act("resign")
    made = first.post("rematch").json()
    assert made["game"]["before"] == first.id
    waiting = Seat(client, made["id"], made["token"])
    with second.events(after=2) as events:
        assert next(events).data["rematch"] == made["id"]
        assert waiting.act("abort").status_code == 201
        withdrawn = next(events)
    assert (withdrawn.kind, withdrawn.data["rematch"]) == ("rematch", None)
    again = second.post("rematch").json()
    assert (again["seats"], again["game"]["status"]) == ([1], "waiting")
    assert first.post("rematch").json()["game"]["status"] == "playing"


# Games to watch


def live_games(client: httpx.Client, *ids: str) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = client.get("/api/games?listed=open").json()["live"]
    return [game for game in games if game["id"] in ids]


def test_listed_game_is_live_while_a_player_has_it_open(client: httpx.Client) -> None:
    first, second = two_friends(client, listed=True, name="Ada", shape=[15, 15], k=5)
    hidden, _ = two_friends(client)
    with hidden.events() as events:
        next(events)
        assert live_games(client, first.id, hidden.id) == []  # none of its players has it open
    with first.events(aside=True) as events, Seat(client, first.id).events():
        told(events, watchers=1)
        first.move(7, 7)
        (game,) = live_games(client, first.id)
        assert [player["name"] for player in game["players"]] == ["Ada", None]
        assert (game["ply"], game["moves"], game["watchers"]) == (1, [[7, 7]], 1)
        second.act("resign")
        assert live_games(client, first.id) == []


def test_live_game_lists_its_last_moves_from_seat_1() -> None:
    state = State(NewGame("id", Rules.square(20), "self", None, 1, None, True, None, 0))
    for seq in range(1, 104):
        state.apply(Logged("id", seq, "move", 2 - seq % 2, f"{seq}", 0, seq))
        moves = LiveGameAnswer.of(state, 0).moves
        assert seq - len(moves) in ({0} if seq <= 100 else {2, 4})
        assert moves == state.game.history[seq - len(moves) :]
        assert len(moves) <= 100


def test_list_is_sent_again_only_after_a_change(client: httpx.Client) -> None:
    again = client.get("/api/games?listed=open")
    while again.status_code == 200:  # as long as earlier tests still change the list
        asked = {"If-None-Match": again.headers["ETag"]}
        again = client.get("/api/games?listed=open", headers=asked)
    assert (again.status_code, again.content) == (304, b"")
    host = created(client, listed=True)
    while (later := client.get("/api/games?listed=open", headers=asked)).status_code == 304:
        pass  # for at most a second
    assert host.id in [game["id"] for game in later.json()["games"]]


# Reactions


def test_reaction_is_sent_and_changes_nothing(client: httpx.Client) -> None:
    first, second = two_friends(client)
    first.act("draw")
    with first.events(after=2) as events:
        answer = second.act("reaction", reaction="🤔", key="r")
        assert (answer.status_code, answer.json()["seq"]) == (201, 3)
        seen = next(events)
    assert (seen.kind, seen.data["seat"], seen.data["reaction"]) == ("reaction", 2, "🤔")
    assert seen.data["draw"] == first.state()["draw"] == 1  # the offer still stands
    assert second.act("reaction", reaction="🤔", key="r").status_code == 200
    assert code(second.act("reaction", reaction="gg", key="r")) == "key_used"
    assert first.move(0, 0, seq=2).status_code == 201  # the player had not seen the reaction
    assert code(second.move(1, 1, seq=3)) == "stale"
    second.act("resign")
    assert first.act("reaction", reaction="gg", seq=0).status_code == 201
    assert code(first.act("reaction", reaction="👎")) == "malformed"
    assert code(Seat(client, first.id).act("reaction", reaction="gg")) == "no_token"
    assert code(created(client).act("reaction", reaction="gg")) == "waiting"
    while (limited := first.act("reaction", reaction="gg")).status_code == 201:
        pass
    assert code(limited) == "too_many"
