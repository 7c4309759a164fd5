"""The state of a game, which follows from its log in every process and client."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.json import encode

from noughts import Rules
from noughts.game.game import Game
from noughts.service.http.models import StateAnswer
from noughts.service.play import decisions
from noughts.service.play.api_errors import APIError
from noughts.service.play.decisions import Act
from noughts.service.play.events import Event, NewGame, Opponent, digest
from noughts.service.play.state import State, timestamp
from service.serving import followed

Cell = tuple[int, int]
Wish = tuple[str, int, Cell]


@st.composite
def games(draw: st.DrawFn) -> NewGame:
    rows, cols = draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
    opponent = draw(st.sampled_from(get_args(Opponent)))
    seat = 1 if opponent == "self" else draw(st.sampled_from([1, 2]))
    k = draw(st.integers(1, max(rows, cols)))
    invite = digest("come")
    variant = draw(st.sampled_from(["freestyle", "standard", "caro", "misere"]))  # k is not 5
    clock = draw(st.sampled_from([(None, None), (1, None), (1, 0), (2, 1)]))
    rules = Rules((rows, cols), k, gravity=draw(st.booleans()), variant=variant)
    made = NewGame("id", rules, opponent, None, seat, "Ada", False, invite, 0)
    return made._replace(seconds=clock[0], increment=clock[1])


def wishes() -> st.SearchStrategy[list[Wish]]:
    """Return actions that players try in turn, many of which are refused."""
    rare = [
        "resign",
        "take back",
        "decline",
        "join",
        "rematch",
        "draw",
        "no draw",
        "time",
        "abort",
        "react",
    ]
    kind = st.sampled_from([*["move"] * 18, *rare, *rare[1:4]])
    cell = st.tuples(st.integers(-1, 4), st.integers(-1, 4))
    return st.lists(st.tuples(kind, st.sampled_from([1, 2]), cell), max_size=40)


def answered(state: State, wish: str, seat: int, cell: Cell) -> Event | None:
    """Return the event of this action, or None if it is refused or has no event."""
    seats = (1, 2) if state.made.opponent == "self" else (seat,)
    act = Act(seats, state.seq, f"key {state.seq}", state.seq * 100)
    try:
        if wish == "move":
            change = decisions.move(state, act, cell)
        elif wish == "resign":
            change = decisions.resign(state, act)
        elif wish == "join":
            change = decisions.join(state, act, "come", "Bob", b"")
        elif wish == "rematch":
            change = decisions.rematch(state, act, "next", b"")
        elif wish == "abort":
            change = decisions.abort(state, act)
        elif wish == "react":
            change = decisions.react(state, act, "gg")
        elif wish == "time":
            change = decisions.timeout(state, act.at)
        elif wish in {"draw", "no draw"}:
            change = decisions.draw(state, act, accept=wish == "draw")
        else:
            change = decisions.takeback(state, act, accept=wish == "take back")
    except APIError as refused:
        if refused.code == "timeout":
            assert decisions.timeout(state, act.at)
        elif wish == "move" and state.status == "playing":
            reason = state.game.why_illegal(cell, state.game.turn if len(seats) == 2 else seat)
            why = refused.code, refused.seq
            assert reason is not None
            assert why == (reason.code, state.seq)  # the reason given by the rules
        return None
    return change.event if change else None


def image(state: State) -> dict[str, Any]:
    """Return the state as a client sees it."""
    seen: dict[str, Any] = json.loads(encode(StateAnswer.of(state)))
    return seen


@given(games(), wishes())
def test_replayed_log_gives_every_earlier_state(made: NewGame, wanted: list[Wish]) -> None:
    state, log, images = State(made), [], [image(State(made))]
    told = []
    for wish in wanted:
        if event := answered(state, *wish):
            state.apply(event)
            log.append(event)
            told.append(state.encode(event))
            images.append(image(state))
        assert image(state) == images[-1]  # a refused action changes nothing
    replayed = State(made)
    for number, event in enumerate(log):
        assert image(replayed) == images[number]
        replayed.apply(event)
        assert replayed.encode(event) == told[number]
    assert image(replayed) == images[-1]
    assert replayed.answers == state.answers

    reader = images[0]
    for number, frame in enumerate(told, start=1):
        kind, id, data = frame.decode().strip().split("\n")
        assert (kind, id) == (f"event: {log[number - 1].kind}", f"id: {number}")
        reader = followed(reader, json.loads(data.removeprefix("data: ")))
        assert reader == images[number]


@given(games(), wishes())
def test_state_matches_a_game_of_the_remaining_moves(made: NewGame, wanted: list[Wish]) -> None:
    state, moves, resigned, ended = State(made), [], 0, ""
    for wish in wanted:
        event = answered(state, *wish)
        if event is None:
            continue
        state.apply(event)
        if event.kind == "move":
            moves.append(wish[2])
        elif event.kind == "takeback":
            assert len(moves) - 2 <= (event.ply or 0) < len(moves)
            del moves[event.ply :]
            ended = ""
        elif event.kind in {"resigned", "timeout"}:
            resigned, ended = event.seat, event.kind
        elif event.kind in {"agreed", "aborted"}:
            ended = "draw" if event.kind == "agreed" else "aborted"
    game, seen = Game.replay(made.rules, moves), image(state)
    assert [tuple(cell) for cell in seen["moves"]] == moves
    assert state.game == game
    over = game.outcome is not None or bool(ended)
    assert (state.status not in {"waiting", "playing"}) == over
    assert (seen["turn"] is None) == (seen["status"] != "playing")
    assert seen["turn"] in {None, game.turn}
    if resigned:
        assert (seen["status"], seen["winner"]) == (ended, 3 - resigned)
    elif ended:
        assert (seen["status"], seen["winner"]) == (ended, None)
    elif game.outcome:
        status = "won" if game.outcome.winner else "draw"
        assert (seen["status"], seen["winner"]) == (status, game.outcome.winner)
        lines = tuple(tuple(map(tuple, line)) for line in seen["lines"])
        assert lines == game.outcome.lines
    else:
        assert (seen["winner"], seen["lines"]) == (None, [])
        everyone = all(player["joined"] for player in seen["players"])
        assert seen["status"] == ("playing" if everyone else "waiting")


def test_apply_refuses_events_out_of_order() -> None:
    state = State(NewGame("id", Rules(), "self", None, 1, None, False, None, 0))
    for seq in (0, 2):
        with pytest.raises(ValueError, match=f"event {seq} of game id cannot follow 0"):
            state.apply(Event("id", seq, "move", 1, "k", 0, 0))
    assert image(state) == image(State(state.made))


def test_timestamp_has_milliseconds() -> None:
    assert timestamp(1_795_262_400_007) == "2026-11-21T12:00:00.007Z"
    assert timestamp(1_795_262_400_000) == "2026-11-21T12:00:00.000Z"
