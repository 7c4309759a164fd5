"""Who is here and who has left, and games that wait for somebody: both databases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from noughts.service.play import presence
from noughts.service.play.presence import Here, Presence, Streams
from serving import Event, Seat, Server, code, created, serving, speaking_to, two_friends


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[httpx.Client]:
    with speaking_to(server) as found:
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
    monkeypatch.setattr(presence, "monotonic", lambda: time)
    known = Presence()
    said = {"game": Streams((2, 0, 1), (1, 0))}
    own = known.streams("game", [(), (1,)])
    assert known.hear("other", said) == ["game"]
    assert known.hear("other", said) == []  # nothing new
    assert known.of("game", own)[0] == Here((True, True), (None, None), 3)
    time += presence.EXPIRES + 1
    known.forget()
    here = known.of("game", known.streams("game", [()]))[0]
    assert here == Here((False, False), ("1970-01-01T00:00:00.001Z", None), 1)


def test_it_is_remembered_of_so_many_games_when_somebody_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(presence, "REMEMBERED", 2)
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
