"""Compiled code never crashes, whatever its arguments and whatever else is running.

test_fuzz.py calls every function with arguments of all kinds.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import noughts.game.geometry
from commands import SECONDS
from meddling import whenever_memory_is_collected
from noughts import Game, Rules, TicTacToe
from noughts.compiled import load
from noughts.errors import IllegalMove
from noughts.game.geometry import geometry_of
from oracle import NaiveGame, observed

boards: Any = load("noughts.game._board")
judges: Any = load("noughts.bulk._judge")
solvers: Any = load("noughts.opponent.exact._solver")
referees: Any = load("noughts.referee._tictactoe")

pytestmark = [
    pytest.mark.compiled(
        "noughts.game._board",
        "noughts.bulk._judge",
        "noughts.opponent.exact._solver",
        "noughts.referee._tictactoe",
    ),
    # A callback during the measuring of coverage would find its lock held.
    pytest.mark.usefixtures("unmeasured"),
]
REFUSALS = (TypeError, ValueError, IndexError, OverflowError, AttributeError, MemoryError)
GEOMETRY = geometry_of(Rules())


def test_callback_plays_on_while_winning_lines_are_collected() -> None:
    rules = Rules((30, 30), k=3)
    cells = list(product(range(30), repeat=2))
    for step in (1, 31, 97):
        game, played = Game(rules), iter(range(10**9))

        def meddle(game: Game = game, step: int = step, played: Iterator[int] = played) -> None:
            number = next(played)
            with suppress(*REFUSALS):
                game.undo() if number % 3 else game.play(cells[number * step % 900])

        with whenever_memory_is_collected(meddle):
            for cell in cells[:60]:
                with suppress(IllegalMove, IndexError):
                    if outcome := game.play(cell):
                        assert outcome.lines
                        game.undo()
                assert len(game.history) < 900
                game.copy(), game.threats(1), game.outcome, game.key()
        assert observed(game) == observed(NaiveGame(rules, game.history))


def test_callback_restarts_a_referee_while_its_state_is_read() -> None:
    looks: list[Callable[[Any], object]] = [
        *(lambda game: game.rows, lambda game: game.cols, lambda game: game.__reduce__(), repr)
    ]
    for again, checked in ((1, True), (3, False), (40, True)):
        for look in looks:
            game = referees.TicTacToe(12)
            for number in range(60):
                with suppress(IllegalMove):
                    game.move(number % 12, number * 5 % 12, 1 + number % 2)

            def meddle(game: Any = game, again: int = again, checked: bool = checked) -> None:
                with suppress(*REFUSALS):
                    game.__init__(again, checked=checked)

            with whenever_memory_is_collected(meddle), suppress(*REFUSALS):
                look(game)


def test_referee_of_another_class_is_not_restored() -> None:
    class Unchecked(TicTacToe):
        def __init__(self, n: int, *, checked: bool = True) -> None:
            super().__init__(n, checked=False)

    class Small(TicTacToe):
        def __init__(self, n: int, *, checked: bool = True) -> None:
            super().__init__(1, checked=checked)

    for kind in (Unchecked, Small):
        restore: Any = kind(1).__reduce__()[0]  # called by pickle
        with pytest.raises(ValueError, match="another board"):
            restore([0] * 40, [0] * 40, 0, 0, 0, [(39, 39)])


@pytest.mark.parametrize("module", [boards, judges, solvers, referees])
def test_classes_without_arguments_do_not_crash(module: Any) -> None:
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type)]
    made = 0
    for kind in kinds:
        if kind.__module__ not in {module.__name__, "noughts"}:  # public classes belong to noughts
            continue
        for given in ((), (None,), (None, None), (Rules(), None), (GEOMETRY, 1), (None,) * 5):
            with suppress(*REFUSALS):
                made += 1
                thing = kind.__new__(kind, *given)
                for name in dir(thing):
                    with suppress(*REFUSALS):
                        attribute = getattr(thing, name)
                        if not name.startswith("__"):
                            attribute()
    assert made


def test_inconsistent_geometries_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {
        **{"shape": (3, 3), "k": 3, "count": 8, "strides": (3, 1)},
        "directions": (((0, 1), 1), ((1, 0), 3), ((1, 1), 4), ((1, -1), 2)),
    }

    def arrays(**lie: Any) -> None:
        geometry = SimpleNamespace(**whole | lie)
        monkeypatch.setattr(noughts.game.geometry, "geometry_of", lambda _: geometry)
        boards.Arrays(Rules())

    arrays()
    lies: dict[str, list[Any]] = {
        "directions": [
            *[((delta, 1),) for delta in ((0,), (), (0, 0), (0, 2**31), (5, 5))],
            *[(3,), (((0, 1), 1),) * 4000],
        ],
        "shape": [(), (0, 3), (-3, 3), (2**40, 3), (2**62,) * 2, (3,) * 9, 3, "33", (None, 3)],
        "k": [0, -1, 2**31, 2**63],
        "count": [2**63, None],
    }
    for name, values in lies.items():
        for lie in values:
            with pytest.raises((TypeError, ValueError, OverflowError)):
                arrays(**{name: lie})


class Lying(Rules):
    """Rules with attributes that do not fit together."""

    __slots__ = ("lie",)

    def __getattribute__(self, name: str) -> Any:
        lie = object.__getattribute__(self, "lie")
        return lie[name] if name in lie else super().__getattribute__(name)


@pytest.mark.parametrize(
    "lie",
    [
        {"players": 10**6},
        {"players": 0},
        {"players": -1},
        {"k": 1000},
        {"k": -5},
        {"shape": (3, 300)},
        {"shape": (3,)},
        {"shape": ()},
        {"cells": 64},
        {"cells": -1},
        {"cells": 10**30},
        {"shape": (8, 8), "k": 2, "cells": 1},
    ],
)
def test_inconsistent_rules_reach_no_memory(lie: dict[str, object]) -> None:
    rules = Lying()
    object.__setattr__(rules, "lie", lie)
    with suppress(*REFUSALS):
        board = boards.Board(rules)
        for cell in product(range(-1, 4), repeat=2):
            with suppress(*REFUSALS):
                board.play(cell)
        board.copy().live_lines(1)
    with suppress(*REFUSALS):
        prover = solvers.Prover(rules, 1000)
        for position in ((0, 0), (2**64 - 1, 0), (2**63, 2**62)):
            with suppress(*REFUSALS):
                prover.moves(*position)
                prover.wins(0, *position, lambda: 1 / 0)
    moves = np.array([[0, 3, 1, 4, 2]], np.int8)
    verdicts = [np.zeros(1, kind) for kind in (np.int8, np.int8, np.int32, np.int8)]
    with suppress(*REFUSALS):
        judges.judge(moves, None, rules, tuple(verdicts))


def test_extreme_numbers_are_refused() -> None:
    for rules in (Rules(), Rules((40_000, 40_000), k=5), Rules((1,), k=1)):
        board = boards.Board(rules)
        for player in (2**31 - 1, -(2**31), 2**63, -(2**63), 10**30, 0, 3):
            for method in (board.live_lines, board.lines_lacking_one):
                with pytest.raises(ValueError, match="unknown"):
                    method(player)
        assert board.lines_lacking_one(1) == []
        assert board.copy().history == ()
        with pytest.raises(IndexError):
            board.undo()


def test_first_board_of_a_process_may_be_invalid() -> None:
    program = """
from noughts.game._board import Board
for wrong in (None, 3, object()):
    try:
        Board(wrong)
    except TypeError as error:
        print(error)
"""
    ended = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("rules must be Rules, not ") == 3
