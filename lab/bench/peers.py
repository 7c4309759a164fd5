"""Replaying the same 3×3 games with noughts and with other libraries.

Each side gets the games in its best form, prepared before the clock starts, and does only what a
replay needs: make a move, and check whether the game is over.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lab.bench.random_games import random_games
from lab.bench.timing import Case, Run, Table, busy
from noughts import Game, Rules
from noughts.bulk.arrays import judge
from noughts.referee import SignedSums

Array = NDArray[Any]
Winners = list[int]
GAMES = 100_000
SLOW = 50  # slow sides get this many times fewer games
REPEATS = 20  # of a replay that takes only a millisecond


class Side(Protocol):
    """A library that replays games."""

    def prepared(self, games: Array) -> Any:
        """Return the games in the form that `replay` takes."""

    def winners(self, games: Any) -> Winners:
        """Return the winners, 0 for a draw; check that each game ends with its last move."""

    def replay(self, games: Any) -> object:
        """Replay the games; this is timed."""


def lists(games: Array) -> list[list[int]]:
    """Return the games as lists of cell numbers, without the -1s."""
    return [[move for move in game if move >= 0] for game in games.tolist()]


class Judge:
    """noughts.bulk.arrays, on one thread, every move checked."""

    def prepared(self, games: Array) -> Array:
        return games

    def winners(self, games: Array) -> Winners:
        verdicts = judge(games)
        assert (verdicts.ply == (games >= 0).sum(axis=1)).all()
        assert ((verdicts.status == 1) | (verdicts.status == 2)).all()
        found: Winners = verdicts.winner.tolist()
        return found

    def replay(self, games: Array) -> None:
        for _ in range(REPEATS):
            judge(games)


class PlayedGame:
    """noughts.Game, move by move, every move checked."""

    def __init__(self, rules: Rules | None = None, kind: Any = Game) -> None:
        self._game, self._rules = kind, rules or Rules()

    def prepared(self, games: Array) -> list[list[tuple[int, int]]]:
        side = self._rules.shape[1]
        return [[divmod(move, side) for move in game] for game in lists(games)]

    def winners(self, games: Any) -> Winners:
        outcomes = [self._game.replay(self._rules, game).outcome for game in games]
        return [outcome.winner or 0 for outcome in outcomes]

    def replay(self, games: Any) -> None:
        new, rules = self._game, self._rules
        for moves in games:
            game = new(rules)
            for cell in moves:
                game.play(cell)
                if game.outcome is not None:
                    break

    def moves_alone(self, games: Any) -> float:
        """Return the seconds for the moves, without creating the games."""
        boards = [self._game(self._rules) for _ in games]
        began = process_time()
        for game, moves in zip(boards, games, strict=True):
            for cell in moves:
                game.play(cell)
                if game.outcome is not None:
                    break
        return process_time() - began


class PlainClass:
    """The classic class of twenty lines in Python, without checks."""

    def prepared(self, games: Array) -> list[list[tuple[int, int, int]]]:
        return [
            [(*divmod(move, 3), 1 + ply % 2) for ply, move in enumerate(game)]
            for game in lists(games)
        ]

    def winners(self, games: Any) -> Winners:
        return [max(map(SignedSums(3).move, *zip(*game, strict=True))) for game in games]

    def replay(self, games: Any) -> None:
        for game in games:
            move = SignedSums(3).move
            for row, col, player in game:
                if move(row, col, player):
                    break


class OpenSpiel:
    """OpenSpiel, a game in C++, move by move."""

    def __init__(self, name: str = "tic_tac_toe") -> None:
        import pyspiel

        self._game = pyspiel.load_game(name)

    def prepared(self, games: Array) -> list[list[int]]:
        return lists(games)

    def winners(self, games: Any) -> Winners:
        return list(map(self._winner, games))

    def _winner(self, moves: list[int]) -> int:
        state = self._game.new_initial_state()
        for ply, move in enumerate(moves, start=1):
            state.apply_action(move)
            assert state.is_terminal() == (ply == len(moves))
        return {1: 1, -1: 2, 0: 0}[int(state.returns()[0])]

    def replay(self, games: Any) -> None:
        new = self._game.new_initial_state
        for moves in games:
            state = new()
            for move in moves:
                state.apply_action(move)
                if state.is_terminal():
                    break

    def moves_alone(self, games: Any) -> float:
        """Return the seconds for the moves, without creating the games."""
        states = [self._game.new_initial_state() for _ in games]
        began = process_time()
        for state, moves in zip(states, games, strict=True):
            for move in moves:
                state.apply_action(move)
                if state.is_terminal():
                    break
        return process_time() - began


class PettingZoo:
    """PettingZoo's environment in Python, without its checking wrappers."""

    def __init__(self) -> None:
        from pettingzoo.classic.tictactoe.tictactoe import raw_env

        self._env = raw_env()

    def prepared(self, games: Array) -> list[list[int]]:
        return lists(games)

    def winners(self, games: Any) -> Winners:
        return list(map(self._winner, games))

    def _winner(self, moves: list[int]) -> int:
        env = self._env
        env.reset()
        for ply, move in enumerate(moves, start=1):
            env.step(move)
            assert env.terminations["player_1"] == (ply == len(moves))
        return {1: 1, -1: 2, 0: 0}[env.rewards["player_1"]]

    def replay(self, games: Any) -> None:
        env = self._env
        for moves in games:
            env.reset()
            for move in moves:
                env.step(move)
                if env.terminations["player_1"]:
                    break


class Pgx:
    """pgx: a batch of games replayed by one function that jax has compiled, on the processor."""

    BATCH = 1024  # games; the fastest of 1024, 4096 … 262144

    def __init__(self) -> None:
        import jax
        import pgx

        env, key = pgx.make("tic_tac_toe"), jax.random.PRNGKey(0)

        def one(moves: Any) -> Any:
            end, _ = jax.lax.scan(lambda at, move: (env.step(at, move), None), env.init(key), moves)
            return end.terminated, end._x.winner, end._step_count

        self._jax, self._replay = jax, jax.jit(jax.vmap(one))

    def prepared(self, games: Array) -> list[Any]:
        moves = np.maximum(games, 0).astype(np.int32)  # moves after the end have no effect
        parts = [moves[at : at + self.BATCH] for at in range(0, len(moves), self.BATCH)]
        return [self._jax.device_put(part) for part in parts]

    def winners(self, games: Any) -> Winners:
        found: Winners = []
        for part in games:
            terminated, winner, _ = self._replay(part)
            assert terminated.all()
            found += (np.asarray(winner) + 1).tolist()
        return found

    def replay(self, games: Any) -> None:
        self._jax.block_until_ready([self._replay(part) for part in games])


SIDES: dict[str, Callable[[], Side]] = {
    "`judge`": Judge,
    "pgx, compiled batches": Pgx,
    "a class of twenty lines, unchecked": PlainClass,
    "`Game`": PlayedGame,
    "OpenSpiel": OpenSpiel,
    "PettingZoo": PettingZoo,
}
OURS = next(iter(SIDES))


def games_of(side: Side, games: Array) -> Array:
    """Return the games that this side replays."""
    return games[: max(1, len(games) // SLOW)] if isinstance(side, PettingZoo) else games


def agreed(sides: dict[str, Side], games: Array) -> dict[str, Any]:
    """Check that all sides agree on the winners; return the games in each side's form."""
    expected: Winners = judge(games).winner.tolist()
    prepared = {}
    for name, side in sides.items():
        prepared[name] = side.prepared(games_of(side, games))
        found = side.winners(prepared[name])
        assert found == expected[: len(found)], f"{name} disagrees"
        assert len(found) == len(games_of(side, games)), f"{name} left games out"
    return prepared


def measure(run: Run) -> dict[str, Table]:
    """Return all tables of this part."""
    games = random_games(Rules(), run.sized(GAMES))
    run.report("peers: checking that all sides agree")
    sides = {name: kind() for name, kind in SIDES.items()}
    prepared = agreed(sides, games)
    cases = {name: per_game(side, games, prepared[name]) for name, side in sides.items()}
    times = run.times("peers", cases)
    plies = (games >= 0).sum() / len(games)
    return {
        "3×3": {
            name: {
                "ns per game": times.median(name) * 1e9,
                "ns per move": times.median(name) * 1e9 / plies,
                f"times as long as {OURS}": times.ratio(name, OURS),
            }
            for name in sides
        }
    }


def per_game(side: Side, games: Array, prepared: Any) -> Case:
    """Return a case that replays the games and returns the seconds per game."""
    count = len(games_of(side, games)) * (REPEATS if isinstance(side, Judge) else 1)
    whole = busy(side.replay, prepared)
    return lambda number: whole(number) / count
