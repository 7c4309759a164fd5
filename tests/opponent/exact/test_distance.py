"""Distances to the end: compared with a plain retrograde table, and published ones."""

from __future__ import annotations

from itertools import product
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple

import pytest

from noughts import Game, Rules
from noughts.compiled import load
from noughts.game.geometry import Geometry, geometry_of, symmetries
from noughts.opponent.exact.solver import MoveValue, Solver, solve

pytestmark = pytest.mark.compiled("noughts.opponent.exact._solver")

CONNECT_FOUR = Rules.connect_four()
# Columns played, from 1, with the score that J. Tromp and P. Pons give to the player to move
PUBLISHED = [
    ("2252576253462244111563365343671351441", -1),
    ("7422341735647741166133573473242566", 1),
    ("5554224333234511764415115", 4),
    ("52753311433677442422121", 8),
    ("32164625", 11),
    ("6146", 18),
    ("2543713", -2),
    ("5724", 2),
    ("243335424257", 12),
]


class Known(NamedTuple):
    """A row of the table: cells that lead to a position, and its value and distance."""

    history: tuple[int, ...]
    value: int
    plies: int | None


def table(rules: Rules) -> dict[bytes, Known]:
    """Return every position that a game can reach, one of each set of images.

    The positions are listed by their number of marks, then judged from the last to the first.
    """
    geometry, width = Geometry(rules), rules.cells // rules.shape[0]
    lines = [list(geometry.numbers(line)) for line in geometry]
    through = [[line for line in lines if cell in line] for cell in range(rules.cells)]
    images = [itemgetter(*image) for image in symmetries(rules)]

    def least(marks: bytes) -> bytes:
        return bytes(min(image(marks) for image in images))

    def legal(marks: bytes) -> list[int]:
        empty = [cell for cell, mark in enumerate(marks) if not mark]
        if not rules.gravity:
            return empty
        return [cell for cell in empty if cell + width >= rules.cells or marks[cell + width]]

    # each position as it was first reached, by its least image
    first = {bytes(rules.cells): bytes(rules.cells)}
    histories: dict[bytes, tuple[int, ...]] = {bytes(rules.cells): ()}
    replies: dict[bytes, set[bytes]] = {}
    lost = set()
    for key, marks in (waiting := list(first.items())):
        history = histories[key]
        player = len(history) % 2 + 1
        replies[key] = set()
        for cell in [] if key in lost else legal(marks):
            after = marks[:cell] + bytes([player]) + marks[cell + 1 :]
            image = least(after)
            replies[key].add(image)
            if image not in histories:
                histories[image] = (*history, cell)
                waiting.append((image, after))
                if any(all(after[each] == player for each in line) for line in through[cell]):
                    lost.add(image)
    known: dict[bytes, Known] = {}
    for key, _ in reversed(waiting):
        best: tuple[int, int | None] = (-1, 0) if key in lost else (0, None)
        if replies[key]:
            results = [(-known[reply].value, known[reply].plies) for reply in replies[key]]
            value, plies = max(results, key=lambda each: (each[0], -each[0] * (each[1] or 0)))
            best = value, None if plies is None else plies + 1
        known[key] = Known(histories[key], *best)
    return known


def assert_right(rules: Rules) -> int:
    """Compare the solver with the table in every position; return their number."""
    solver, cells = Solver(rules), list(product(*map(range, rules.shape)))
    known = table(rules)
    for history, value, plies in known.values():
        game = Game.replay(rules, [cells[number] for number in history])
        solution = solver.solve(game, distance=True)
        assert (solution.value, solution.plies, solution.reason) == (value, plies, None), game
    return len(known)


@pytest.mark.usefixtures("unmeasured")
def test_distance_is_right_in_every_position_of_3x3() -> None:
    assert assert_right(Rules()) == 765


@pytest.mark.tier2("long")
@pytest.mark.parametrize(
    "rules",
    [Rules((4, 3), k=3), Rules((4, 4), gravity=True), Rules((4, 5), k=3, gravity=True)],
    ids=str,
)
def test_distance_is_right_in_every_position_of_larger_boards(rules: Rules) -> None:
    assert assert_right(rules) > 10_000


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(
    "rules",
    [
        *[Rules((3, 3), k, gravity=True) for k in (1, 2, 3)],
        *[Rules((2, 4), k=3), Rules((2, 2, 2)), Rules((7,), k=3), Rules((3, 3), k=1)],
        *[Rules((2, 5), k=2, gravity=True), Rules((4, 3), k=3, gravity=True)],
    ],
    ids=str,
)
def test_distance_is_right_in_every_position_of_small_boards(rules: Rules) -> None:
    assert assert_right(rules)


@pytest.mark.usefixtures("unmeasured")
def test_values_and_best_move_have_the_distance() -> None:
    solver, random = Solver(Rules((4, 4), k=3, gravity=True)), Random(4)
    for _ in range(200):
        game = Game(solver.rules)
        for _ in range(random.randrange(10)):
            if not game.outcome:
                game.play(random.choice(list(game.legal_moves)))
        solution = solver.solve(game, distance=True)
        found = solver.values(game, distance=True)
        assert {cell: each.value for cell, each in found.items()} == solver.values(game)
        for cell, value in found.items():
            game.play(cell)
            plies = solver.solve(game, distance=True).plies
            game.undo()
            assert value.plies == (None if plies is None else plies + 1)
        if solution.best:
            assert found[solution.best] == (solution.value, solution.plies)


@pytest.mark.parametrize(
    ("rules", "empty"),
    [
        (CONNECT_FOUR, 16),
        (Rules((6, 5), 4, gravity=True), 16),
        (Rules((5, 5), 4, gravity=True), 15),
    ],
    ids=str,
)
def test_score_follows_from_questions_whether_a_player_wins(rules: Rules, empty: int) -> None:
    columns: Any = load("noughts.opponent.exact._columns")
    number, cells, random = geometry_of(rules).number, rules.cells, Random(1)
    for _ in range(100):
        game = Game(rules)
        while game.ply < cells - empty and not game.outcome:
            game.play(random.choice(list(game.legal_moves)))
        if game.outcome:
            continue
        bits = [1 << number(cell) for cell in game.history]
        marks = sum(bits[::2]), sum(bits[1::2])
        asked = columns.Prover(rules, 2**20)
        ends = range(game.ply + 1, cells + 1)
        end = next(
            (last for last in ends if any(asked.wins(p, *marks, None, last) for p in (0, 1))), None
        )
        value = 0 if end is None else 1 if end % 2 == game.turn % 2 else -1
        expected = value * ((cells - (end or 0)) // 2 + 1)
        for low, high in [(-cells, cells), (-1, 1), (0, 2), (-3, -1)]:
            prover = columns.Prover(rules, 2**20)
            score, cell = prover.score(*marks, None, low, high)
            assert score == min(max(expected, low), high)
            if score > low:
                won = columns.Prover(rules, 2**20)
                assert moved(won, game, cell, score)


def moved(prover: Any, game: Game, number: int, score: int) -> bool:
    """Return whether the score of the player to move is at least this after a move."""
    player, cells = game.turn, game.rules.cells
    game = game.copy()
    game.play(geometry_of(game.rules).cell(number))
    if game.outcome:
        return score <= ((cells - game.ply) // 2 + 1 if game.outcome.winner else 0)
    bits = [1 << geometry_of(game.rules).number(cell) for cell in game.history]
    marks = sum(bits[::2]), sum(bits[1::2])
    if score > 0:
        last = cells - (cells + player) % 2 - 2 * (score - 1)
        return bool(prover.wins(player - 1, *marks, None, last))
    other = 3 - player
    last = cells - (cells + other) % 2 + 2 * score
    return not prover.wins(other - 1, *marks, None, last)


def play(columns: str) -> Game:
    game = Game(CONNECT_FOUR)
    for column in columns:
        game.play(next(cell for cell in game.legal_moves if cell[1] == int(column) - 1))
    return game


@pytest.mark.parametrize(("columns", "score"), PUBLISHED)
def test_distance_agrees_with_published_scores(columns: str, score: int) -> None:
    game = play(columns)
    winner = game.turn if score > 0 else 3 - game.turn
    solution = solve(game, distance=True)
    assert solution.plies == 42 + winner - 2 * abs(score) - game.ply
    assert solution.value == (1 if score > 0 else -1)


@pytest.mark.parametrize("memory", [2**20, 2**22])
def test_distance_is_right_while_the_table_grows(memory: int) -> None:
    """Compare with the scores of positions from a set that P. Pons published."""
    solver = Solver(CONNECT_FOUR, memory=memory)
    solutions = solver.solve_many([play("23361434"), play("33324334")], distance=True)
    assert [(each.value, each.plies, each.reason) for each in solutions] == [
        (1, 31, None),
        (0, None, None),
    ]
    assert min(each.nodes for each in solutions) > 200_000


def test_solve_many_keeps_the_order_and_checks_all_positions_first() -> None:
    solver = Solver(CONNECT_FOUR)
    games = list(map(play, ["32164625", "7422341735647741166133573473242566", "6146"]))
    solutions = solver.solve_many(iter(games))
    assert [solution.value for solution in solutions] == [1, 1, 1]
    assert [solution.plies for solution in solutions] == [None] * 3
    plies = [solver.solve(game, distance=True).plies for game in games]
    assert [each.plies for each in solver.solve_many(games, distance=True)] == plies
    assert solver.solve_many([]) == []
    asked: list[int] = []
    with pytest.raises(ValueError, match="this solver is for"):
        solver.solve_many([*games, Game()], progress=lambda nodes, _: asked.append(nodes))
    with pytest.raises(TypeError, match="a position must be a Game, not 'b'"):
        solver.solve_many("b")  # type: ignore[arg-type]
    assert not asked


def test_distance_is_none_unless_asked_for() -> None:
    assert solve(play("6146")).plies is None
    assert solve(Rules(), distance=True).plies is None  # a draw


def test_value_stands_if_a_limit_comes_before_the_distance() -> None:
    asked = []

    def stop(nodes: int, seconds: float) -> bool:
        asked.append(nodes)
        return True

    solution = solve(CONNECT_FOUR, distance=True, progress=stop)
    assert (solution.value, solution.plies, solution.reason) == (1, None, "stopped")
    assert solution.best == (5, 3)
    found = Solver(CONNECT_FOUR).values(Game(CONNECT_FOUR), distance=True, progress=stop)
    assert found[5, 3] == MoveValue(1, None)
    assert found[5, 2] == MoveValue(0, None)
    assert asked
