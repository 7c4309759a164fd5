"""A position as text survives the round trip, and only reachable positions are read."""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noughts import Game, InvalidPosition, Outcome, Rules
from oracle import Cell

SMALL = [
    Rules((2, 3), k=2),
    Rules((2, 3), k=2, players=3),
    Rules((3, 2), k=2, gravity=True),
    Rules((4, 2), k=3, gravity=True),
    Rules((7,), k=3, variant="standard"),
    Rules((3, 2), k=2, variant="standard", gravity=True),
    Rules((7,), k=2, variant="caro"),
    Rules((6,), k=2, players=3, variant="caro"),
    Rules((2, 3), k=2, variant="misere"),
    Rules((1, 7), k=5, variant="renju"),
    Rules((2, 1, 3), k=2, players=3),
    Rules((2, 2, 2), gravity=True),
    Rules((7,), k=3, early_draw=True),
    Rules((2, 4), k=3, early_draw=True, gravity=True),
    Rules((2, 2), players=8, early_draw=True),
    Rules((3,), k=1),
]
LARGE = [
    Rules(early_draw=True),
    Rules.connect_four(),
    *map(Rules.gomoku, ("freestyle", "standard", "caro", "misere", "renju")),
    Rules((9, 9), 5, variant="renju"),
    Rules((4, 4, 4), gravity=True),
    Rules((6, 7), 3, 3, gravity=True, variant="caro"),
    Rules((5, 5), 4, 2, True, gravity=True, variant="standard"),
    Rules((3, 3, 3, 3), 3, 8),
    Rules((46_340, 46_340), 5),
    Rules((2**31 - 1,), 2**31 - 1),
]


def reached(rules: Rules) -> dict[str, Outcome | None]:
    """Return every reachable position and the outcome there."""
    found: dict[str, Outcome | None] = {}
    games = [Game(rules)]
    while games:
        game = games.pop()
        if (text := game.to_text()) not in found:
            found[text] = game.outcome
            games += [Game.replay(rules, [*game.history, cell]) for cell in game.legal_moves]
    return found


def written(rules: Rules, marks: tuple[int, ...]) -> str:
    """Return these marks as a position, whether reachable or not."""
    name = Game(rules).to_text().partition("_")[0]
    board = "".join(".XOCDEFGH"[mark] for mark in marks)
    for run in range(rules.cells, 0, -1):
        board = board.replace("." * run, str(run))
    return f"{name}_{board}"


@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_from_text_reads_exactly_the_reachable_positions(rules: Rules) -> None:
    expected = reached(rules)
    found = {}
    for marks in product(range(min(rules.players, 4) + 1), repeat=rules.cells):
        text = written(rules, marks)
        with suppress(InvalidPosition):
            found[text] = Game.from_text(text).outcome
    assert found == expected


@st.composite
def played(draw: st.DrawFn) -> Game:
    """Draw a game up to some ply, near the first cell if the board is huge."""
    game = Game(draw(st.sampled_from(LARGE)))
    shape, random = game.rules.shape, draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, 2 * min(game.rules.cells, 225)))):
        cell: Cell = tuple(random.randrange(min(side, 15)) for side in shape)
        while game.rules.gravity and cell[0] + 1 < shape[0] and not game.is_legal(cell):
            cell = (cell[0] + 1, *cell[1:])
        if game.is_legal(cell):
            game.play(cell)
    return game


@given(played())
def test_position_survives_the_round_trip(game: Game) -> None:
    text = game.to_text()
    assert quote(text, safe="") == text
    back = Game.from_text(text)
    assert (back.rules, back.turn, back.outcome) == (game.rules, game.turn, game.outcome)
    assert set(back.history[:: game.rules.players]) == set(game.history[:: game.rules.players])
    assert back.to_text() == text
    assert repr(Game.from_text(text)) == repr(back)


def test_position_text_is_short() -> None:
    assert Game().to_text() == "3x3_9"
    assert Game(Rules.gomoku("caro")).to_text() == "caro_225"
    assert Game(Rules((5, 4), 3, 3, gravity=True)).to_text() == "5x4.k~3.players~3.gravity_20"
    assert Game.replay(Rules.connect_four(), [(5, 3), (4, 3)]).to_text() == "connect-four_31O6X3"


REFUSED = {
    "3x3": "'3x3' is not a position such as '3x3_X3O4'",
    "chess_9": "the rules 'chess' before '_' are invalid: unknown rules 'chess'",
    "3x3.k~4_9": "before '_' are invalid: k must be 1 to 3 on a 3×3 board, got 4",
    "3x3_X8x": "'x' at character 7 is not X, O or a number of empty cells",
    "3x3_X٣": "'٣' at character 6 is not X, O",
    "3x3_X9": "the board has 9 cells: '9' at character 6 goes beyond",
    "3x3_X": "the text describes 1 cell, but the board has 9",
    "5_25": "'5_25' must be written '5x5_25'",
    "3x3_0X08": "'3x3_0X08' must be written '3x3_X8'",
    "3x3_XX7": "player 1 must have 1 of 2 marks, got 2",
    "4x1.k~2.gravity_X3": "a mark on A1 would fall: A2 is empty",
    "3x3_XXXOO1O2": "player 1 completed A1 to C1, but player 2 made the last move",
    "3x3_XXXOOOX2": "players 1 and 2 both have a line, but a game ends with the first",
    "6x6.k~3_XXX3O1O1O1XXX3O1O15": "player 1 completed lines with more than one move",
    "4x1.k~2.gravity_XOOX": "no order of play leads to these marks",
}


@pytest.mark.parametrize("text", REFUSED)
def test_from_text_error_names_the_place(text: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        Game.from_text(text)
    assert REFUSED[text] in str(caught.value)


def test_from_text_error_has_the_cell_and_needs_a_string() -> None:
    with pytest.raises(InvalidPosition) as caught:
        Game.from_text("4x1.k~2.gravity_1X2")
    assert caught.value.cell == (1, 0)
    with pytest.raises(TypeError, match="a position must be a string, not b'3x3_9'"):
        Game.from_text(b"3x3_9")  # type: ignore[arg-type]


@given(
    st.text("3579x_.~XOCHk1playersgvity", max_size=40)
    | st.builds(
        lambda game, at, what: game.to_text()[:at] + what + game.to_text()[at + 1 :],
        played(),
        st.integers(0, 60),
        st.text(max_size=3) | st.sampled_from([*"XOC_.~0", "9" * 5000]),
    )
)
@example("9x9.k~9_" + "9" * 5000)
def test_from_text_rejects_other_text(text: str) -> None:
    try:
        game = Game.from_text(text)
    except InvalidPosition:
        return
    assert game.to_text() == text
