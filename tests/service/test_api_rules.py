"""The API with gravity, variants and the fouls of renju."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from noughts import Game, Rules
from service.serving import Seat, code, created, followed, two_friends

CONNECT_FOUR = {"shape": [6, 7], "k": 4, "gravity": True}
RENJU = {"shape": [15, 15], "k": 5, "variant": "renju"}
CROSS = [(7, 5), (0, 0), (7, 6), (0, 14), (5, 7), (14, 0), (6, 7), (14, 14)]  # (7, 7): double-three


def play(seat: Seat, cells: list[tuple[int, int]]) -> None:
    for cell in cells:
        answer = seat.move(*cell)
        assert answer.status_code == 201, answer.text


@pytest.mark.parametrize("variant", ["freestyle", "standard", "caro", "misere", "renju"])
@pytest.mark.parametrize("gravity", [False, True])
def test_new_game_has_the_requested_rules(
    client: httpx.Client, variant: str, gravity: bool
) -> None:
    wish: dict[str, Any] = {"shape": [9, 8], "k": 5, "variant": variant, "gravity": gravity}
    if variant == "renju" and gravity:
        assert code(client.post("/api/games", json=wish)) == "malformed"
        return
    seat = created(client, **wish, listed=True)
    listed = client.get("/api/games?listed=open").json()["games"]
    record = client.get(f"/api/games/{seat.id}/record.json").json()
    for told in (seat.state(), next(game for game in listed if game["id"] == seat.id)):
        assert {name: told[name] for name in wish} == wish
    assert Rules(
        tuple(record["shape"]),
        record["k"],
        gravity=record.get("gravity", False),
        variant=record.get("variant", "freestyle"),
    ) == Rules((9, 8), 5, gravity=gravity, variant=variant)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("connect-four", CONNECT_FOUR),
        ("renju", RENJU),
        ("9x8,k=4,variant=caro", {"shape": [9, 8], "k": 4, "variant": "caro"}),
        ("4x4", {"n": 4}),
    ],
)
def test_rules_as_text_create_the_same_game_as_their_fields(
    client: httpx.Client, text: str, wish: dict[str, Any]
) -> None:
    by_text = created(client, rules=text, listed=True).state()
    by_fields = created(client, **wish).state()
    fields = "rules", "shape", "k", "gravity", "variant"
    assert [by_text[name] for name in fields] == [by_fields[name] for name in fields]
    assert by_text["rules"] == text
    listed = client.get("/api/games?listed=open").json()["games"]
    assert text in [game["rules"] for game in listed if game["id"] == by_text["id"]]
    again = created(client, rules=text, opponent="self")
    again.act("resign")
    assert again.post("rematch").json()["game"]["rules"] == text


@pytest.mark.parametrize(
    ("name", "text"),
    [("tic-tac-toe", "3x3"), ("Connect 4", "connect-four"), ("mnk(9,9,5)", "9x9,k=5")],
)
def test_other_names_of_rules_are_answered_with_their_text(
    client: httpx.Client, name: str, text: str
) -> None:
    assert created(client, rules=name).state()["rules"] == text


def test_unknown_name_of_rules_is_answered_with_the_reason(client: httpx.Client) -> None:
    for name, reason in [("omok", "double-three"), ("tik-tac-toe", "did you mean 'tic-tac-toe'?")]:
        answer = client.post("/api/games", json={"rules": name})
        assert code(answer) == "malformed"
        assert reason in answer.text


def test_option_of_rules_without_a_field_is_played(client: httpx.Client) -> None:
    seat = created(client, rules="3x3,early-draw", opponent="self")
    play(seat, [(0, 0), (0, 1), (1, 1), (2, 2), (0, 2), (2, 0), (2, 1)])
    state = seat.state()
    assert (state["rules"], state["status"]) == ("3x3,early-draw", "draw")
    assert state["termination"] == "no_win_left"


def test_connect_four_is_played_to_its_end_and_again(client: httpx.Client) -> None:
    first, second = two_friends(client, **CONNECT_FOUR)
    refused = first.move(4, 3)
    assert code(refused) == "floating"
    assert "a mark on cell (4, 3) would fall: cell (5, 3) is empty" in refused.text
    for row in (5, 4, 3):
        play(first, [(row, 3)])
        play(second, [(row, 4)])
    play(first, [(2, 3)])
    state = first.state()
    assert (state["status"], state["winner"]) == ("won", 1)
    assert state["lines"] == [[[2, 3], [3, 3], [4, 3], [5, 3]]]
    again = second.post("rematch").json()["game"]
    assert {name: again[name] for name in CONNECT_FOUR} == CONNECT_FOUR


def test_misere_line_loses(client: httpx.Client) -> None:
    seat = created(client, n=3, variant="misere", opponent="self")
    play(seat, [(0, 0), (1, 1), (0, 1), (2, 2), (0, 2)])
    assert (seat.state()["status"], seat.state()["winner"]) == ("won", 2)


def test_renju_lists_and_refuses_fouls_of_the_player_to_move(client: httpx.Client) -> None:
    seat = created(client, **RENJU, opponent="self")
    seen = seat.state()
    play(seat, CROSS)
    assert seat.state()["forbidden"] == [[7, 7]]
    refused = seat.move(7, 7)
    assert code(refused) == "foul"
    assert refused.json()["kind"] == "double_three"
    seat.act("takeback")
    assert seat.state()["forbidden"] == []  # it is the other player's turn
    play(seat, [(7, 7), (7, 8)])
    with seat.events(0) as events:  # each event has the same fields as the state
        for event in events:
            if event.seq == len(CROSS):
                assert event.data["forbidden"] == [[7, 7]]
            seen = followed(seen, event.data) | {"seq": event.seq}
            if event.seq == len(CROSS) + 3:
                break
    assert seen == seat.state()
    record = json.loads(client.get(f"/api/games/{seat.id}/record.json").text)
    moves = [(row, col) for row, col in record["moves"]]
    assert Game.replay(Rules.gomoku("renju"), moves).ply == len(CROSS) + 1


@pytest.mark.parametrize("wish", [CONNECT_FOUR, RENJU, {"n": 3, "variant": "misere"}])
def test_computer_plays_by_the_rules(client: httpx.Client, wish: dict[str, Any]) -> None:
    seat = created(client, **wish, opponent="computer", level="medium", seat=2)
    rules = {name: value for name, value in wish.items() if name in ("gravity", "variant")}
    with seat.events(0) as events:
        for event in events:
            state = seat.state()
            if event.kind != "move" or not state["turn"]:
                break
            if event.data["turn"] == 2:
                moves = [(row, col) for row, col in state["moves"]]
                game = Game.replay(Rules(tuple(state["shape"]), state["k"], **rules), moves)
                if game.ply > 5:
                    break
                row, col = next(iter(game.legal_moves))
                play(seat, [(row, col)])
    assert len(seat.state()["moves"]) > 2


def test_friends_agree_on_the_referees_view(client: httpx.Client) -> None:
    ada, bo = two_friends(client, referee=True)
    assert ada.state()["referee"] is bo.state()["referee"] is True
    assert two_friends(client)[0].state()["referee"] is False
    assert created(client, opponent="computer", referee=True).state()["referee"] is False
    ada.act("resign")
    assert ada.post("rematch").json()["game"]["referee"] is True
