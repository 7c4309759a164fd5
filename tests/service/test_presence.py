"""Who is here and who has left, and games that wait for somebody: both databases."""

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
    """The next event of presence that says this."""
    return next(
        event
        for event in events
        if event.kind == "presence" and wanted.items() <= event.data.items()
    )


def test_a_stream_tells_who_is_here_who_is_away_and_how_many_watch(client: httpx.Client) -> None:
    first, second = two_friends(client)
    with first.events(aside=True) as events:
        assert next(events).kind == "state"
        begun = next(events)
        assert (begun.kind, begun.seq) == ("presence", -1)  # no log has it
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


def test_who_plays_both_sides_is_here_on_both(client: httpx.Client) -> None:
    with created(client, opponent="self").events(aside=True) as events:
        told(events, here=[True, True], watchers=0)


def test_the_servers_of_a_database_tell_each_other_who_is_here(postgresql: Any) -> None:
    database = postgresql.database()
    with serving(database) as one, serving(database) as two, speaking_to(one) as client:
        first, second = two_friends(client)
        with first.events(aside=True) as events, speaking_to(two) as elsewhere:
            with Seat(elsewhere, second.id, second.token).events():
                told(events, here=[True, True])
            told(events, here=[True, False])


def test_an_open_game_tells_whether_its_host_is_here(client: httpx.Client) -> None:
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


def test_what_other_servers_say_counts_until_they_say_nothing(
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


def test_it_is_remembered_of_so_many_games_when_somebody_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subscriptions, "REMEMBERED", 2)
    known = Presence()
    for game in "abc":
        known.leave(game, (2,))
    assert [known.streams(game, []).left[1] > 0 for game in "abc"] == [False, True, True]


# Games that wait


def test_who_waits_may_withdraw_the_game(client: httpx.Client) -> None:
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


def test_a_game_that_was_begun_is_not_withdrawn(client: httpx.Client) -> None:
    first, _ = two_friends(client)
    assert code(first.act("abort")) == "not_waiting"


def test_a_rematch_that_was_withdrawn_is_offered_no_more(client: httpx.Client) -> None:
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


def test_listed_games_that_a_player_has_open_are_there_to_watch(client: httpx.Client) -> None:
    first, second = two_friends(client, listed=True, name="Ada", shape=[15, 15], k=5)
    hidden, _ = two_friends(client)
    with hidden.events() as events:
        next(events)
        assert live_games(client, first.id, hidden.id) == []  # its players are elsewhere
    with first.events(aside=True) as events, Seat(client, first.id).events():
        told(events, watchers=1)
        first.move(7, 7)
        (game,) = live_games(client, first.id)
        assert [player["name"] for player in game["players"]] == ["Ada", None]
        assert (game["ply"], game["moves"], game["watchers"]) == (1, [[7, 7]], 1)
        second.act("resign")
        assert live_games(client, first.id) == []


def test_the_moves_of_a_long_game_are_cut_and_begin_with_seat_1() -> None:
    state = State(NewGame("id", Rules.square(20), "self", None, 1, None, True, None, 0))
    for seq in range(1, 104):
        state.apply(Logged("id", seq, "move", 2 - seq % 2, f"{seq}", 0, seq))
        moves = LiveGameAnswer.of(state, 0).moves
        assert seq - len(moves) in ({0} if seq <= 100 else {2, 4})
        assert moves == state.game.history[seq - len(moves) :]
        assert len(moves) <= 100


def test_who_asks_again_is_told_when_the_list_has_changed(client: httpx.Client) -> None:
    again = client.get("/api/games?listed=open")
    while again.status_code == 200:  # as long as earlier tests still change the list
        asked = {"If-None-Match": again.headers["ETag"]}
        again = client.get("/api/games?listed=open", headers=asked)
    assert (again.status_code, again.content) == (304, b"")
    host = created(client, listed=True)
    while (later := client.get("/api/games?listed=open", headers=asked)).status_code == 304:
        pass  # for a second at most
    assert host.id in [game["id"] for game in later.json()["games"]]


# Reactions


def test_a_reaction_is_told_and_changes_nothing(client: httpx.Client) -> None:
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
    assert first.move(0, 0, seq=2).status_code == 201  # it had not seen the reaction
    assert code(second.move(1, 1, seq=3)) == "stale"
    second.act("resign")
    assert first.act("reaction", reaction="gg", seq=0).status_code == 201
    assert code(first.act("reaction", reaction="👎")) == "malformed"
    assert code(Seat(client, first.id).act("reaction", reaction="gg")) == "no_token"
    assert code(created(client).act("reaction", reaction="gg")) == "waiting"
    while (limited := first.act("reaction", reaction="gg")).status_code == 201:
        pass
    assert code(limited) == "too_many"
