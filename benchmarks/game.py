"""What a move costs in `Game`, with the outcome read after it: both forms and OpenSpiel.

.venv/bin/python benchmarks/game.py

Whole random games, construction included, and the moves alone. Needs `open_spiel` for the rows
of OpenSpiel. Every row is the median of interleaved rounds; the outcomes are compared first.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from itertools import product
from random import Random
from statistics import median
from time import perf_counter
from types import ModuleType
from typing import Any

import noughts
from noughts import Rules
from noughts.kernels import position

Moves = list[tuple[int, int]]
BOARDS = {
    "3×3": (Rules(), "tic_tac_toe", 3000),
    "15×15, k = 5": (Rules((15, 15), k=5), "mnk(m=15,n=15,k=5)", 40),
}


def uncompiled() -> ModuleType:
    """The package once more, over the uncompiled form of its kernel."""

    def ours() -> dict[str, ModuleType]:
        return {name: sys.modules[name] for name in sys.modules if name.split(".")[0] == "noughts"}

    plain, kept = position.uncompiled(), ours()
    for name in kept:
        del sys.modules[name]
    sys.modules["noughts.kernels.position"] = plain
    try:
        return importlib.import_module("noughts")
    finally:
        for name in ours():
            del sys.modules[name]
        sys.modules.update(kept)


def random_games(rules: Rules, count: int) -> list[Moves]:
    """Games to their end in which every move is equally likely; the same ones each time."""
    random = Random(1)
    cells: Moves = list(product(*map(range, rules.shape)))  # type: ignore[arg-type]
    games = []
    for _ in range(count):
        random.shuffle(cells)
        game = noughts.Game(rules)
        for cell in cells:
            if game.play(cell):
                break
        games.append(list(game.history))
    return games  # type: ignore[return-value]


class Ours:
    """A form of noughts, as the benchmark sees it."""

    def __init__(self, package: ModuleType, rules: Rules) -> None:
        self._game = package.Game
        self._rules = package.Rules(rules.shape, rules.k)

    def move(self, cell: tuple[int, int]) -> object:
        return cell

    def winner(self, moves: list[Any]) -> int:
        game = self._game.replay(self._rules, moves)
        return game.outcome.winner or 0

    def whole_games(self, games: list[list[Any]]) -> None:
        new, rules = self._game, self._rules
        for moves in games:
            game = new(rules)
            for cell in moves:
                game.play(cell)
                if game.outcome is not None:
                    break

    def moves(self, games: list[list[Any]]) -> float:
        boards = [self._game(self._rules) for _ in games]
        began = perf_counter()
        for game, moves in zip(boards, games, strict=True):
            for cell in moves:
                game.play(cell)
                if game.outcome is not None:
                    break
        return perf_counter() - began


class OpenSpiel:
    """OpenSpiel's game, as the benchmark sees it."""

    def __init__(self, name: str, rules: Rules) -> None:
        import pyspiel  # type: ignore[import-not-found, unused-ignore]

        self._game = pyspiel.load_game(name)
        self._side = rules.shape[1]

    def move(self, cell: tuple[int, int]) -> int:
        return cell[0] * self._side + cell[1]

    def winner(self, moves: list[int]) -> int:
        state = self._game.new_initial_state()
        for ply, move in enumerate(moves, start=1):
            state.apply_action(move)
            assert state.is_terminal() == (ply == len(moves))
        return {1: 1, -1: 2, 0: 0}[int(state.returns()[0])]

    def whole_games(self, games: list[list[Any]]) -> None:
        new = self._game.new_initial_state
        for moves in games:
            state = new()
            for move in moves:
                state.apply_action(move)
                if state.is_terminal():
                    break

    def moves(self, games: list[list[Any]]) -> float:
        states = [self._game.new_initial_state() for _ in games]
        began = perf_counter()
        for state, moves in zip(states, games, strict=True):
            for move in moves:
                state.apply_action(move)
                if state.is_terminal():
                    break
        return perf_counter() - began


def sides(rules: Rules, name: str) -> dict[str, Any]:
    """Who is measured: both forms of ours where there are two, and OpenSpiel if it is installed."""
    found: dict[str, Any] = {}
    if not hasattr(position.Position.play, "__code__"):
        found["noughts, compiled"] = Ours(noughts, rules)
    found["noughts, plain Python"] = Ours(uncompiled(), rules)
    try:
        found["OpenSpiel"] = OpenSpiel(name, rules)
    except ImportError:
        print("OpenSpiel (open_spiel) is not installed", file=sys.stderr)
    return found


def rows(rounds: int = 7) -> Iterator[tuple[str, float]]:
    """What was measured, and the nanoseconds a move."""
    for board, (rules, name, count) in BOARDS.items():
        games = random_games(rules, count)
        plies = sum(map(len, games))
        measured = sides(rules, name)
        played = {
            side: [list(map(form.move, moves)) for moves in games]
            for side, form in measured.items()
        }
        winners = [list(map(form.winner, played[side])) for side, form in measured.items()]
        assert all(found == winners[0] for found in winners), "the sides disagree"
        times: dict[str, list[tuple[float, float]]] = {side: [] for side in measured}
        for _ in range(rounds):
            for side, form in measured.items():
                began = perf_counter()
                form.whole_games(played[side])
                whole = perf_counter() - began
                times[side].append((whole, form.moves(played[side])))
        for side, taken in times.items():
            for what, seconds in zip(
                ("whole games", "moves"), zip(*taken, strict=True), strict=True
            ):
                yield f"{board}, {what}, {side}", median(seconds) / plies * 1e9


if __name__ == "__main__":
    for label, value in rows():
        print(f"{label:50s} {value:7.0f} ns a move")
