"""Claims of the opponent, checked by an exhaustive search of small boards."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice, product, zip_longest
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, GameOver, Rules
from noughts.compiled import load
from noughts.opponent import LEVELS, Advice, advise, potential, potential_after, reason
from noughts.opponent.exact.position import Position
from noughts.opponent.exact.proofs import pairing, safe_moves
from noughts.opponent.search.move_selection import best_moves
from oracle import Cell, board, potential_by_definition, random_game, winning_lines

engine: Any = load("noughts.opponent.search._engine")

SMALL = [
    Rules(),
    Rules.square(1),
    Rules.square(2),
    Rules((3, 4), k=3),
    Rules((3, 4), k=4),
    Rules((2, 6), k=4),
    Rules((2, 5), k=2),
    Rules((12,), k=3),
    Rules((2, 2, 3), k=2),
    Rules((2, 2, 3), k=3),
    Rules((3, 4), k=3, early_draw=True),
    Rules((3, 4), k=1),
    Rules.square(4),
]
positions = st.builds(
    lambda rules, seed, left: random_game(rules, seed, max(0, rules.cells - left)),
    st.sampled_from(SMALL),
    st.integers(0, 2**32),
    st.integers(1, 9),
).filter(lambda game: game.outcome is None)


def true_value(game: Game) -> int:
    """Return the value for the player to move, 1, 0 or −1, by exhaustive search."""
    known: dict[bytes, int] = {}

    def value() -> int:
        if game.outcome is not None:
            return 0 if game.outcome.winner is None else -1
        key = game.key()
        if key not in known:
            known[key] = max(map(value_of, list(game.legal_moves)))
        return known[key]

    def value_of(cell: Cell) -> int:
        game.play(cell)
        result = -value()
        game.undo()
        return result

    return value()


def value_of_move(game: Game, cell: Cell) -> int:
    game = game.copy()
    game.play(cell)
    return -true_value(game)


def most_after(game: Game, cell: Cell) -> Fraction:
    """Return P + max w after a move by its definition, by playing every reply."""
    game, attacker = game.copy(), 3 - game.turn
    game.play(cell)
    replies = [game.copy() for _ in game.legal_moves]
    for reply, answer in zip(replies, list(game.legal_moves), strict=True):
        reply.play(answer)
    before = potential_by_definition(game, attacker)
    return max([before, *(potential_by_definition(reply, attacker) for reply in replies)])


@given(game=positions)
def test_best_moves_make_only_true_claims(game: Game) -> None:
    before = repr(game)
    moves = best_moves(game, seconds=60)
    assert moves
    assert repr(game) == before
    for advice in moves:
        assert game.is_legal(advice.cell)
        assert (advice.value is None) == (advice.proof is None)
        value = value_of_move(game, advice.cell)
        if advice.value == 0:
            assert value >= 0
        elif advice.value is not None:
            assert value == advice.value
        if advice.proof == "line":
            assert advice.cell in game.threats(game.turn)


@pytest.mark.compiled("noughts.opponent.search._engine")
@given(game=positions)
def test_wins_by_fours_win(game: Game) -> None:
    cells = board(game.rules.shape)
    if game.threats(game.turn):
        return
    history = [cells.index(cell) for cell in game.history]
    for series in engine.Engine(game.rules, 2**16).wins_by_fours(history, 60):
        assert value_of_move(game, cells[series[0]]) == 1


@given(game=positions)
def test_safe_moves_match_their_definition(game: Game) -> None:
    cells = board(game.rules.shape)
    if not game.threats(game.turn) and not game.rules.early_draw:
        safe = [cells[number] for number in safe_moves(Position(game))]
        assert safe == [cell for cell in game.legal_moves if most_after(game, cell) < 1]
        for cell in safe:
            assert potential_after(game, cell) == most_after(game, cell)
            assert value_of_move(game, cell) >= 0


@given(game=positions)
def test_pairing_covers_every_live_line_and_holds(game: Game) -> None:
    defender, attacker = 3 - game.turn, game.turn
    pairs = pairing(Position(game), attacker)
    if pairs is None:
        return
    cells = board(game.rules.shape)
    paired = [cells[number] for pair in pairs.values() for number in pair]
    assert len(set(paired)) == len(paired)
    assert not any(game.mark(cell) for cell in paired)
    for line in winning_lines(game.rules.shape, game.rules.k):
        if defender not in {game.mark(cell) for cell in line}:
            assert any({cells[one], cells[two]} <= line for one, two in pairs.values())
    assert true_value(game) <= 0


def test_best_moves_use_a_pairing_without_the_potential() -> None:
    """Only rows win here. Player 1 lacks two cells in each of four rows, so P = 4 · 1/4."""
    one: list[Cell] = [*product(range(4), range(8)), (8, 9)]
    two: list[Cell] = [*islice(product(range(4, 9), range(7)), len(one) - 1)]
    game = Game.replay(Rules((9, 10), k=10), interleaved(one, two))
    assert potential(game, 1) == 1
    assert not safe_moves(Position(game))
    for advice in best_moves(game, 1):
        assert (advice.value, advice.proof) == (0, "pairing")


def interleaved(one: list[Cell], two: list[Cell]) -> list[Cell]:
    """Return the moves of two players in turn."""
    return [cell for pair in zip_longest(one, two) for cell in pair if cell is not None]


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("seat", [1, 2])
def test_strong_wins_most_games_against_random_on_3x3(seat: int) -> None:
    wins: Counter[int | None] = Counter()
    for seed in range(200):
        game = Game()
        while game.outcome is None:
            level = "strong" if game.turn == seat else "random"
            game.play(advise(game, level=level, seed=seed).cell)
        wins[game.outcome.winner] += 1
    assert wins[seat] >= (190 if seat == 1 else 160)
    assert not wins[3 - seat]


def test_best_moves_exploit_a_mistake() -> None:
    game = Game.replay(Rules(), [(0, 0), (0, 1)])
    assert {advice.value for advice in best_moves(game, 60)} == {1}
    assert {advice.proof for advice in best_moves(game, 60)} == {"search"}


@pytest.mark.parametrize(
    ("game", "options", "error", "message"),
    [
        (Game.replay(Rules((1, 2), 1), [(0, 0)]), {}, GameOver, "player 1 has won"),
        (Game(), {"level": "best"}, ValueError, f"{', '.join(LEVELS)}, not 'best'"),
        (Game(), {"seed": "1"}, TypeError, "seed must be an integer"),
        (Game(Rules.square(2000)), {}, ValueError, "a 2000×2000 board is too large for the oppo"),
    ],
)
def test_advise_rejects_invalid_arguments(
    game: Game, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        advise(game, **options)


@given(game=positions, seed=st.integers())
def test_advise_with_a_seed_is_repeatable(game: Game, seed: int) -> None:
    for level in ("random", "easy", "medium", "strong"):
        first = advise(game, level=level, seed=seed)
        assert advise(game.copy(), level=level, seed=seed) == first
        assert game.is_legal(first.cell)


def test_potential_of_known_positions() -> None:
    game = Game(Rules.square(4))
    assert (potential(game, 1), potential(game, 2)) == (Fraction(10, 16), Fraction(10, 16))
    game.play((0, 0))
    assert (potential(game, 1), potential(game, 2)) == (Fraction(13, 16), Fraction(7, 16))


@pytest.mark.parametrize(
    ("advice", "expected"),
    [
        (Advice((1, 1), 1, "line"), "completes a line"),
        (Advice((1, 1), 1, "search"), "wins against every reply"),
        (Advice((1, 1), 0, "search"), "cannot lose from here: every reply was searched"),
        (Advice((1, 1), -1, "search"), "loses against best play, as every move does"),
        (Advice((1, 1), 0, "potential"), "cannot lose from here: potential 0.75 < 1"),
        (
            Advice((1, 1), 0, "pairing"),
            "cannot lose from here: each opposing line is answered by its own pair of cells",
        ),
        (Advice((1, 1)), "looks best, but nothing is proved"),
    ],
)
def test_reason_describes_each_proof(advice: Advice, expected: str) -> None:
    assert reason(Game(), advice) == expected


def test_reason_rounds_a_small_potential_up() -> None:
    advice = Advice((0, 0), 0, "potential")
    assert reason(Game(Rules.square(50)), advice).endswith("potential under 0.01")
