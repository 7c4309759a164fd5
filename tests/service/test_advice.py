"""Hints and analyses through the API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx

from service.serving import Event, code, created, two_friends


def asked(client: httpx.Client, seat: Any, what: str) -> httpx.Response:
    """Send a GET request with the token of a seat."""
    headers = {"Authorization": f"Bearer {seat.token}"}
    return client.get(f"/api/games/{seat.id}/{what}", headers=headers)


def test_hint_is_the_best_move_with_its_proof(client: httpx.Client) -> None:
    seat = created(client, n=3, opponent="computer", level="easy")
    hint = asked(client, seat, "hint").json()
    assert hint["seq"] == seat.state()["seq"]
    assert (hint["advice"]["value"], hint["advice"]["proof"]) == (0, "search")


def test_hints_are_refused_outside_games_in_progress_with_the_computer(
    client: httpx.Client,
) -> None:
    ada, _ = two_friends(client, n=3)
    assert code(asked(client, ada, "hint")) == "no_hints"
    seat = created(client, n=3, opponent="computer", level="strong")
    assert code(client.get(f"/api/games/{seat.id}/hint")) == "no_token"
    seat.act("resign")
    assert code(asked(client, seat, "hint")) == "game_over"


def test_analysis_lists_what_each_move_gave_away(client: httpx.Client) -> None:
    seat = created(client, n=3, opponent="self")
    assert code(asked(client, seat, "analysis")) == "not_over"
    for cell in [(1, 1), (0, 1), (0, 0), (2, 2), (0, 2), (2, 0), (1, 0), (1, 2), (2, 1)]:
        if seat.state()["status"] == "playing":
            seat.move(*cell)
    if seat.state()["status"] == "playing":
        seat.act("resign")
    found = client.get(f"/api/games/{seat.id}/analysis").json()["findings"]
    assert [finding["ply"] for finding in found] == list(range(1, len(found) + 1))
    assert found[1] == found[1] | {"player": 2, "cell": [0, 1], "lost": "draw", "loses": True}
    assert found[1]["best"]["value"] == 0
    assert client.get(f"/api/games/{seat.id}/analysis").json()["findings"] == found


def test_analysis_refuses_very_long_games(client: httpx.Client) -> None:
    seat = created(client, shape=[2, 100], k=50, opponent="self")
    long = created(client, shape=[3, 100], k=50, opponent="self")
    for number in range(226):
        long.move(number % 3, number // 3)
    long.act("resign")
    assert code(asked(client, long, "analysis")) == "too_long"
    assert code(asked(client, seat, "analysis")) == "not_over"


def test_stream_sends_the_advice_behind_a_computer_move(client: httpx.Client) -> None:
    """It follows the move, also for later readers, until the next event."""
    seat = created(client, shape=[9, 9], k=5, opponent="computer", level="strong")
    with seat.events(aside=True) as events:
        seat.move(4, 4)
        thought = _until(events, "thought")[-1]
    assert thought.seq == -1  # it is not in the log
    state = seat.state()
    with seat.events(aside=True) as events:
        again = _until(events, "thought")[-1].data
    assert again == thought.data
    advice = again["advice"]
    assert (again["seq"], advice["cell"]) == (state["seq"], state["moves"][-1])
    assert advice["line"][0] == advice["cell"]
    assert (advice["value"], advice["proof"]) == (None, None)
    assert advice["depth"] >= 1
    assert 0 <= advice["chance"] <= 100
    seat.act("takeback")
    with seat.events(aside=True) as events:
        assert [next(events).kind, next(events).kind] == ["state", "presence"]
        seat.act("resign")
        assert "thought" not in [event.kind for event in _until(events, "resigned")]


def _until(events: Iterator[Event], kind: str) -> list[Event]:
    """Return the events up to the first of this kind."""
    found = []
    for event in events:
        found.append(event)
        if event.kind == kind:
            break
    return found
