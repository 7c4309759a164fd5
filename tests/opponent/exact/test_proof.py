"""Proofs of wins on large boards: sound, and found for all known wins."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from noughts import Game, Rules
from noughts.compiled import load
from noughts.game.geometry import Geometry, automorphisms, symmetries
from noughts.opponent.exact.solver import Solver, solve
from oracle import random_game

QUBIC = Rules((4, 4, 4))
BOARDS = [
    *[Rules((4, 4), k=3), Rules((3, 3, 3)), Rules((4, 4), k=4), Rules((5, 5), k=4)],
    *[Rules((6, 5), k=4), Rules((6, 6), k=5), Rules((4, 3, 2), k=3), Rules((12,), k=3)],
]
MEMORY = 2**22

proofs: Any = load("noughts.opponent.exact._proof")
exact: Any = load("noughts.opponent.exact._solver")
pytestmark = pytest.mark.compiled("noughts.opponent.exact._proof")


def nothing() -> None:
    """Let a search continue."""


def marks(game: Game) -> tuple[int, int]:
    numbers = [Geometry(game.rules).number(cell) for cell in game.history]
    return sum(1 << cell for cell in numbers[::2]), sum(1 << cell for cell in numbers[1::2])


@pytest.mark.parametrize("rules", BOARDS, ids=repr)
def test_proved_wins_agree_with_exact_search(rules: Rules) -> None:
    random, found = Random(1), 0
    finder, prover = proofs.Prover(rules, MEMORY), exact.Prover(rules, MEMORY)
    for seed in range(25):
        game = random_game(rules, seed, random.randrange(2, rules.cells // 2))
        for player in (0, 1):
            if not game.outcome and finder.wins(player, *marks(game), nothing):
                assert prover.wins(player, *marks(game), nothing)
                found += 1
    assert found > 0


@pytest.mark.parametrize(("shape", "k"), [((6, 6), 4), ((7, 7), 4), ((8, 5), 4), ((3, 3, 3), 3)])
def test_winning_move_wins_against_any_reply(shape: tuple[int, ...], k: int) -> None:
    rules, random = Rules(shape, k), Random(2)
    finder = proofs.Prover(rules, 2**26)
    for _ in range(10):  # games against random replies
        game = Game(rules)
        while not game.outcome:
            assert finder.wins(0, *marks(game), nothing)
            game.play(Geometry(rules).cell(finder.winning_move(*marks(game))))
            if not game.outcome:
                game.play(random.choice(list(game.legal_moves)))
        assert game.outcome.winner == 1


def test_solver_wins_4x4x4_against_any_defence() -> None:
    random, solver = Random(3), Solver(QUBIC)
    for _ in range(2):
        game = Game.replay(QUBIC, [(0, 0, 0), (0, 0, 1)])
        while not game.outcome:
            solution = solver.solve(game)
            assert (solution.value, solution.reason) == (1, None)
            assert solution.best is not None
            game.play(solution.best)
            if not game.outcome:
                assert solver.solve(game).value == -1
                blocks = [cell for cell in game.legal_moves if cell in game.threats(1)]
                game.play(random.choice(blocks or list(game.legal_moves)))
        assert game.outcome.winner == 1


def test_prover_finds_a_win_of_the_second_player() -> None:
    history = [(0, 1, 3), (0, 0, 0), (2, 1, 3), (0, 0, 3), (3, 0, 1), (3, 3, 3), (2, 0, 1)]
    game = Game.replay(QUBIC, history)
    assert proofs.Prover(QUBIC, MEMORY).wins(1, *marks(game), nothing)
    assert solve(game).value == 1


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        *[(QUBIC, 192), (Rules.square(4), 32), (Rules.square(5), 32), (Rules.square(3), 8)],
        *[(Rules((4, 4, 4), k=3), 48), (Rules((4, 3), k=3), 4), (Rules.connect_four(), 2)],
    ],
    ids=repr,
)
def test_automorphisms_map_lines_to_lines(rules: Rules, count: int) -> None:
    geometry = Geometry(rules)
    lines = {frozenset(geometry.numbers(line)) for line in geometry}
    found = list(automorphisms(rules))
    assert len(found) == len(set(found)) == count
    assert found[: len(list(symmetries(rules)))] == list(symmetries(rules))
    for image in found:
        assert {frozenset(image[cell] for cell in line) for line in lines} == lines


@pytest.mark.parametrize(
    ("side", "k", "player", "first", "second"),
    [(3, 3, 0, 0b001, 0b010), (4, 3, 1, 0b0011, 0b0100), (5, 4, 0, 0b00101, 0b01010)],
)
def test_wins_is_false_if_the_last_cell_decides_nothing(
    side: int, k: int, player: int, first: int, second: int
) -> None:
    finder = proofs.Prover(Rules((side,), k), MEMORY)
    assert not finder.wins(player, first, second, nothing)


def test_wins_stops_when_memory_is_full() -> None:
    finder = proofs.Prover(QUBIC, 2**17)
    assert not finder.wins(0, 0, 0, nothing)
    assert finder.visited > 0
    assert not proofs.Prover(QUBIC, 0).wins(0, 0, 0, nothing)


def test_proofs_are_kept_when_the_graph_is_nearly_full() -> None:
    finder = proofs.Prover(QUBIC, MEMORY)  # the proof takes seven eighths of it
    first, second, played = 1 << 0, 1 << 1, 0
    assert finder.wins(0, first, second, nothing)
    while first.bit_count() < 4:
        move = finder.winning_move(first, second)
        first |= 1 << move
        for cell in range(64):
            if not (first | second) >> cell & 1:
                assert finder.proved(0, first, second | 1 << cell)
                played = cell
        second |= 1 << played


def test_prover_continues_after_an_interruption() -> None:
    finder = proofs.Prover(QUBIC, 2**24)
    first, second = 1 << 0, 1 << 1
    with pytest.raises(ZeroDivisionError):
        finder.wins(0, first, second, lambda: 1 // 0)
    assert finder.wins(0, first, second, nothing)


def test_prover_rejects_invalid_arguments() -> None:
    for wrong in (None, (4, 4, 4), 4):
        with pytest.raises(TypeError, match="rules must be Rules"):
            proofs.Prover(wrong, 0)
    for rules in (
        *[Rules(players=3), Rules.square(9), Rules((4, 4), k=2), Rules.connect_four()],
        *[Rules((4, 4), variant="misere"), Rules((64,), k=9), Rules((4, 4, 4), k=3)],
    ):
        assert not proofs.takes(rules)
        with pytest.raises(ValueError, match="cannot prove wins for"):
            proofs.Prover(rules, 0)
    finder = proofs.Prover(QUBIC, 0)
    with pytest.raises(ValueError, match="player must be 0 or 1, not 2"):
        finder.wins(2, 0, 0, nothing)
    with pytest.raises(ValueError, match="has not been proved"):
        finder.winning_move(0, 0)
    with pytest.raises(MemoryError):
        proofs.Prover(QUBIC, 2**62)
