"""Boards as people write them, read by `Game.from_board`."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from game.test_position import played, reached
from noughts import Game, InvalidPosition, InvalidRules, Rules
from noughts.picture import text

BOARD: dict[str, Any] = {
    "rows of text": ["XOX", ".O.", "..X"],
    "text": "XOX\n.O.\n..X",
    "text with an end": "XOX\n.O.\n..X\n",
    "spaces between": "X O X\n. O .\n. . X",
    "spaces for empty cells": "XOX\n O \n  X",
    "spaces cut off at the end": "XOX\n O\n  X",
    "bars": " X | O | X\n---+---+---\n   | O |  \n---+---+---\n   |   | X",
    "bars around": "|X|O|X|\n|-|O|-|\n|_|_|X|",
    "names around": "  A B C\n1 X O X\n2 . O .\n3 . . X",
    "numbers around": "  1 2 3\n1 X O X\n2 - O -\n3 - - X",
    "commas": "x,o,x\n_,o,_\n_,_,x",
    "slashes": "XOX/.O./..X",
    "one row": "XOX.O...X",
    "letters": list("XOX.O...X"),
    "zero for the second player": ["X0X", ".0.", "..X"],
    "numbers": [[1, 2, 1], [0, 2, 0], [0, 0, 1]],
    "signs": [[1, -1, 1], [0, -1, 0], [0, 0, 1]],
    "a flat list": [1, 2, 1, 0, 2, 0, 0, 0, 1],
    "None": [["X", "O", "X"], [None, "O", None], [None, None, "X"]],
    "tuples of strings": (("x", "o", "x"), ("", "o", ""), (" ", "-", "x")),
    "discs": ["●○●", "·○·", "··●"],
    "digits": ["121", "020", "001"],
    "an array": np.array([[1, 2, 1], [0, 2, 0], [0, 0, 1]]),
}


@pytest.mark.parametrize("rows", BOARD.values(), ids=BOARD)
def test_board_is_read_in_every_form(rows: Any) -> None:
    game = Game.from_board(rows)
    assert game.to_text() == "3x3_XOX1O3X"
    assert (game.turn, game.ply) == (2, 5)
    assert Game.from_board(rows, "3x3", turn=2) == game


REFUSED: dict[str, tuple[Any, dict[str, Any], str]] = {
    "too many": ("X..\n...\n..X", {}, "player 1 must have 1 of 2 marks, got 2"),
    "two lines": ("XXX\nOOO\n...", {}, "players 1 and 2 both have a line"),
    "a move after the end": ("XXX\nOO.\nO..", {}, "player 1 completed A1 to C1, but player 2"),
    "a floating mark": ("X...\n....\n....\n....", {"rules": "4x4,k=3,gravity"}, "a mark on A1"),
    "the other turn": (BOARD["text"], {"turn": 1}, "the board has 5 marks: player 2 is to move"),
    "an unknown mark": ("XQX\n...\n...", {}, "'Q' is not a mark: write X and O or"),
    "a number": ([[3, 0, 0], [0, 0, 0], [0, 0, 0]], {}, "3 is not a mark"),
    "rows of different lengths": ([["X"], ["X", "O"]], {}, "row 2 has 2 cells, but row 1 has 1"),
    "nothing": ("", {}, "the board has no cells"),
    "another size": (BOARD["text"], {"rules": "4x4"}, "the rules have a 4×4 board, got 3×3"),
}


@pytest.mark.parametrize(("rows", "more", "why"), REFUSED.values(), ids=REFUSED)
def test_board_that_no_game_reaches_is_refused(rows: Any, more: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        Game.from_board(rows, **more)
    assert why in str(caught.value)


def test_larger_board_needs_rules() -> None:
    with pytest.raises(
        InvalidRules, match=r"a 6×7 board can belong to several games.*connect-four"
    ):
        Game.from_board(["." * 7] * 6)
    with pytest.raises(InvalidRules, match=r"give the rules, for example 4x4,k=4"):
        Game.from_board(["." * 4] * 4)
    with pytest.raises(TypeError, match="a board must be text or a list of rows, not 5"):
        Game.from_board(5)
    assert Game.from_board(["." * 7] * 5 + ["...X..."], "connect-four").turn == 2


def test_every_board_is_read_or_refused_as_games_decide() -> None:
    rules = Rules()
    wanted = {text.partition("_")[2] for text in reached(rules)}
    found = set()
    for number, marks in enumerate(product(".XO", repeat=9)):
        if abs(marks.count("X") - marks.count("O")) > 1 and number % 20:
            continue  # most boards have too many of one mark
        rows = ["".join(marks[at : at + 3]) for at in (0, 3, 6)]
        try:
            found.add(Game.from_board(rows).to_text().partition("_")[2])
        except InvalidPosition:
            continue
    assert found == wanted
    assert len(found) == 5478


@given(played())
def test_drawn_boards_are_read_back(game: Game) -> None:
    rules = game.rules
    if len(rules.shape) != 2 or rules.cells > 400 or rules.players > 2 or min(rules.shape) < 3:
        return
    if game.forbidden:
        return  # drawn as crosses, which are empty cells, too
    back = Game.from_board(text(game), rules)
    assert back.key() == game.key()
