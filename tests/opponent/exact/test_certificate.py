"""Certificates: true claims, and errors for changed certificates."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from noughts import Game, InvalidRecord, InvalidRules, Rules
from noughts.opponent.attack import prove
from noughts.opponent.exact.certificate import Proved, check_certificate
from noughts.opponent.exact.solver import solve
from oracle import random_game

BOARDS = [
    *[Rules(), Rules(early_draw=True), Rules((4, 3), k=3), Rules((4, 4), k=4), Rules((5, 4), k=4)],
    *[Rules((3, 3), k=1), Rules((2, 2, 2)), Rules((2, 2, 3), k=3), Rules((9,), k=3)],
    *[Rules((5, 5), k=4), Rules((6, 6), k=5), Rules((1,), k=1), Rules((3, 1), k=3)],
]
NAMES = [f"{column}{row}" for row in range(1, 6) for column in "ABCDE"]

pytestmark = pytest.mark.compiled("noughts.opponent.exact._breaker")


def proved(game: Game) -> tuple[list[str], Proved]:
    lines = prove(game)
    assert lines is not None
    return lines, check_certificate(lines)


def value(game: Game, found: Proved) -> int:
    if found.winner is None:
        assert found.held == {1, 2}
        return 0
    return 1 if found.winner == game.turn else -1


@pytest.mark.usefixtures("unmeasured")
@settings(max_examples=30)
@given(st.sampled_from(BOARDS), st.integers(0, 10**6), st.integers(0, 12))
def test_certificate_agrees_with_exact_search(rules: Rules, seed: int, plies: int) -> None:
    game = random_game(rules, seed, plies)
    assume(not game.outcome)
    lines, found = proved(game)
    assert (found.game, found.lines) == (game, len(lines))
    assert value(game, found) == solve(game).value


@pytest.mark.parametrize(
    ("shape", "k", "expected"), [((7, 6), 5, 0), ((9, 5), 5, 0), ((6, 5), 4, 1)]
)
def test_prove_solves_whole_boards(shape: tuple[int, ...], k: int, expected: int) -> None:
    game = Game(Rules(shape, k))
    assert value(game, proved(game)[1]) == expected


def test_prove_rejects_unsupported_rules() -> None:
    assert prove(Game(Rules((8, 8), k=5)), seconds=0) is None
    for rules, reason in [
        (Rules.connect_four(), "a proof is without gravity"),
        (Rules((21, 21), k=5), "a proof takes at most 400 cells, not 441"),
        (Rules((3, 3, 3, 3)), "a proof takes at most 64 cells, not 81"),
        (Rules((15, 15), k=5, variant="renju"), "a proof is for freestyle, not renju"),
        (Rules((3, 3), players=3), "a proof is for 2 players"),
    ]:
        with pytest.raises(InvalidRules, match=reason):
            prove(Game(rules))


# Changed certificates


@cache
def certificates() -> list[list[Any]]:
    """Return parsed certificates of draws by plans, draws by moves, and wins."""
    games = [
        *[Game(rules) for rules in [Rules((5, 4), k=4), Rules(), Rules((4, 3), k=3)]],
        Game.replay(Rules(), [(1, 1), (0, 1)]),
        Game(Rules((9, 8), k=3)),
        Game.replay(Rules((9, 8), k=4), [(4, 4), (3, 4), (4, 5)]),
    ]
    return [[json.loads(line) for line in proved(game)[0]] for game in games]


def written(lines: list[Any]) -> list[str]:
    return [json.dumps(line) for line in lines]


def refused(lines: list[Any], message: str | None = None) -> int | None:
    with pytest.raises(InvalidRecord, match=message) as caught:
        check_certificate(written(lines), "proof.jsonl")
    assert str(caught.value).startswith("proof.jsonl:")
    return caught.value.line


HEADER = {"rules": "4x4,k=4", "moves": ""}
# These cover all lines except the row A1 B1 C1 D1.
PAIRS = "A2 B2 A3 B3 A4 B4 C2 C3 D2 D3 B1 C4"


@pytest.mark.parametrize(
    ("lines", "at", "message"),
    [
        ([], 0, "claims nothing"),
        ([HEADER], 1, "claims nothing"),
        ([HEADER, 1], 2, "a line must be an object"),
        ([HEADER, {}], 2, "a line must be a plan"),
        (
            [HEADER, {"pairs": "", "pair": ""}],
            2,
            r"no line has these fields together: \['pair', 'pairs'\]",
        ),
        ([HEADER, {"move": "A1", "replies": [], "plan": 2}], 2, "no line has these fields"),
        ([{"rules": "4x4"}], 1, "the first line must have rules and moves"),
        ([{"rules": "4x4", "moves": "", "k": 4}], 1, "the first line must have rules and moves"),
        ([{"pairs": "A1 A2"}], 1, "the first line must have rules and moves"),
        ([{"rules": "4x4", "moves": 1}], 1, "moves must be text"),
        ([{"rules": "4x4,gravity", "moves": ""}], 1, "without gravity"),
        ([{"rules": "99x99,k=5", "moves": ""}], 1, "at most 400 cells"),
        ([{"rules": "4x4", "moves": "A1 A1"}], 1, "already taken"),
        ([{"rules": "3x3", "moves": "A1 B1 A2 B2 A3"}], 1, "the game is over"),
        ([HEADER, {"pairs": "A1 A2 A2 A3"}], 2, "the pair A2 A3 repeats a cell"),
        ([HEADER, {"pairs": "A1 A1"}], 2, "the pair A1 A1 repeats a cell"),
        ([HEADER, {"pairs": "A1 A2 A3"}], 2, "A3 has no second cell"),
        ([HEADER, {"pairs": "A1 E5"}], 2, "'E5' is not a cell of the board"),
        ([HEADER, {"answers": []}], 2, "A1 has no answer"),
        ([HEADER, {"pairs": ""}, {"answers": [["A1", 2]]}], 3, "A1 has no answer"),
        ([HEADER, {"pairs": "A1 A2"}, {"answers": [["A1", 2]]}], 3, "step 2 needs A1"),
        ([HEADER, {"answers": [["A1", 2]]}], 2, "2 is not the line of an earlier step"),
        ([HEADER, {"answers": [["A1", True]]}], 2, "True is not the line"),
        ([HEADER, {"move": "A1", "replies": []}, {"answers": [["A1", 2]]}], 3, "not a plan"),
        ([HEADER, {"pairs": PAIRS}, {"player": 2, "holds": 2}], 3, "leaves the line A1 "),
        (
            [HEADER, {"pairs": PAIRS}, {"player": 1, "holds": 2}],
            3,
            "the other player must be to move",
        ),
        ([HEADER, {"pairs": PAIRS}, {"player": 2, "wins": 2}], 3, "is a plan"),
        ([HEADER, {"pairs": PAIRS}, {"player": 3, "holds": 2}], 3, "player must be 1 or 2"),
        ([HEADER, {"pairs": PAIRS}, {"player": 2}], 3, "a claim must have wins or holds"),
        (
            [{"rules": "4x4", "moves": "A2"}, {"pairs": PAIRS}, {"player": 1, "holds": 2}],
            3,
            "step 2 needs A2, which is taken",
        ),
        ([HEADER, {"move": "A1", "replies": []}, {"player": 1, "holds": 2}], 2, "no answer to B1"),
        ([HEADER, {"move": "A1", "replies": []}, {"player": 2, "holds": 2}], 2, "player 1 is to"),
        ([HEADER, {"replies": [["A1", 9]]}, {"player": 2, "holds": 2}], 2, "9 is not the line"),
        ([HEADER, {"move": "A1", "replies": [["A2", [2]]]}], 2, "is not the line"),
        ([HEADER, {"move": "A1", "replies": [], "pass": {}}], 2, "is not the line"),
        ([HEADER, {"move": "A1", "plan": True}], 2, "True is not the line"),
        ([HEADER, {"replies": []}, {"move": "A1", "replies": [["A2", 2]]}], 3, "2 has no move"),
        ([HEADER, {"pairs": PAIRS}, {"move": "A1", "replies": [], "pass": 2}], 3, "2 has no move"),
        (
            [{"rules": "3x3,k=1", "moves": ""}, {"replies": []}, {"player": 2, "wins": 2}],
            2,
            "the other player completes a line after it",
        ),
        ([HEADER, {"replies": [], "pass": 2}], 2, "2 is not the line of an earlier step"),
        ([HEADER, {"move": "A1", "replies": []}, {"player": 1, "wins": 2}], 2, "no answer to B1"),
    ],
)
def test_check_rejects_a_wrong_certificate(lines: list[Any], at: int, message: str) -> None:
    assert refused(lines, message) == at


@pytest.mark.parametrize("text", ["", "hello", b"\xff\xfe\n", '{"rules":' + "9" * 5000 + "}"])
def test_check_rejects_invalid_json(text: str | bytes) -> None:
    with pytest.raises(InvalidRecord, match="this is not JSON"):
        check_certificate([text], "proof.jsonl")


def test_check_rejects_deep_nesting() -> None:
    with pytest.raises(InvalidRecord, match="nested too deeply"):
        check_certificate(["[" * 100_000], "proof.jsonl")


def test_step_proves_nothing_for_the_other_player() -> None:
    lines = [{"rules": "1x1", "moves": ""}, {"move": "A1", "replies": []}]
    claims = [{"player": 1, "wins": 2}, {"player": 2, "wins": 2}]
    assert check_certificate(written([*lines, claims[0]])).winner == 1
    assert refused([*lines, *claims], "player 1 is to move") == 2


@given(st.data())
def test_changed_certificate_proves_only_true_claims(data: st.DataObject) -> None:
    lines: list[Any] = json.loads(json.dumps(data.draw(st.sampled_from(certificates()))))
    before = check_certificate(written(lines))
    at = data.draw(st.integers(1, len(lines) - 1))
    line = lines[at]
    field = data.draw(st.sampled_from(sorted(line)))
    if isinstance(line[field], list) and line[field]:
        items = line[field]
        place = data.draw(st.integers(0, len(items) - 1))
        change = data.draw(st.sampled_from(["drop", "cell", "step"]))
        if change == "drop":
            del items[place]
        elif change == "cell":
            items[place][0] = data.draw(st.sampled_from(NAMES))
        else:
            items[place][1] = data.draw(st.integers(-1, len(lines) + 1))
    elif isinstance(line[field], str):
        names = line[field].split()
        if names:
            names[data.draw(st.integers(0, len(names) - 1))] = data.draw(st.sampled_from(NAMES))
        line[field] = " ".join(names)
    elif isinstance(line[field], int):
        line[field] = data.draw(st.integers(-1, len(lines) + 1))
    with suppress(InvalidRecord):
        after = check_certificate(written(lines))
        assert after.winner in (None, before.winner)
        if before.winner:
            assert after.held <= {before.winner}


@pytest.mark.parametrize("drop", ["pair", "answer", "reply", "step"])
def test_check_rejects_a_certificate_without_a_needed_part(drop: str) -> None:
    found = 0
    for lines in certificates():
        for at in range(1, len(lines)):
            changed: list[Any] = json.loads(json.dumps(lines))
            line = changed[at]
            if drop == "pair" and line.get("pairs"):
                line["pairs"] = " ".join(line["pairs"].split()[2:])
            elif drop == "answer" and "answers" in line:
                del line["answers"][-1]
            elif drop == "reply" and line.get("replies"):
                line["replies"][-1][0] = ""
            elif drop == "step" and "player" not in line:
                del changed[at]
            else:
                continue
            refused(changed)
            found += 1
    assert found > 0
