"""The opponent never loses on squares where a whole side wins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, Rules
from noughts.game.geometry import Cell, symmetries
from noughts.opponent import Advice, advise
from noughts.opponent.search.move_selection import best_moves
from oracle import NaiveGame, potential_by_definition, random_game, winning_lines

SEATS = (1, 2)


def smallest_view(game: Game) -> bytes:
    """Return the same key for all mirror images and rotations of a position."""
    marks = game.key().ljust(256)  # a table for `translate`
    return min(view.translate(marks) for view in views(game.rules))


@cache
def views(rules: Rules) -> tuple[bytes, ...]:
    return tuple(map(bytes, symmetries(rules)))


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("n", [3, pytest.param(4, marks=pytest.mark.tier2("long"))])
def test_best_moves_never_lose_against_any_reply(n: int, seat: int) -> None:
    """Check every reply, and every move that it could choose with any seed."""
    game, seen = Game(Rules.square(n)), set[bytes]()

    def visit() -> None:
        position = smallest_view(game)  # with the same best moves, as tested below
        if position in seen:
            return
        seen.add(position)
        if game.outcome is not None:
            assert game.outcome.winner != 3 - seat
            return
        if not NaiveGame(game.rules, game.history).live_lines(3 - seat):
            return  # the opponent cannot win any more
        if game.turn == seat:
            assert n < 4 or potential_by_definition(game, 3 - seat) < 1
            moves = [advice.cell for advice in best_moves(game, seconds=60)]
        else:
            moves = list(game.legal_moves)
        for cell in moves:
            game.play(cell)
            visit()
            game.undo()

    visit()
    assert len(seen) > 50


@given(n=st.integers(3, 6), seed=st.integers(0, 2**32), plies=st.integers(0, 30))
def test_best_moves_are_the_same_under_symmetries(n: int, seed: int, plies: int) -> None:
    """Because of this, the exhaustive test can skip mirror images and rotations."""
    game = random_game(Rules.square(n), seed, plies)
    if game.outcome is not None:
        return
    cells: list[Cell] = list(product(range(n), range(n)))
    best = best_moves(game, seconds=60)
    for view in symmetries(game.rules):
        turned = dict(zip(cells, (cells[cell] for cell in view), strict=True))
        other = Game.replay(game.rules, [turned[cell] for cell in game.history])
        expected = {Advice(turned[one.cell], one.value, one.proof) for one in best}
        assert set(best_moves(other, seconds=60)) == expected


# Independent opponents for squares where a whole side wins.
class Adversary:
    """Counts of both players' marks on the lines of a square, and three strategies."""

    def __init__(self, n: int, seed: int) -> None:
        self.n, self.random = n, Random(seed)
        self.lines = list(winning_lines((n, n), n))
        self.through = defaultdict[Cell, list[int]](list)
        for number, line in enumerate(self.lines):
            for cell in line:
                self.through[cell].append(number)
        self.counts = [(0, 0)] * len(self.lines)

    def see(self, cell: Cell, player: int) -> None:
        for line in self.through.pop(cell):
            one, two = self.counts[line]
            self.counts[line] = (one + 1, two) if player == 1 else (one, two + 1)

    def potential(self, player: int) -> Fraction:
        """Return the sum of 2^(−empty cells) over the player's live lines."""
        live = [counts for counts in self.counts if not counts[2 - player]]
        return Fraction(sum(1 << counts[player - 1] for counts in live), 1 << self.n)

    def completing(self, player: int) -> list[Cell]:
        """Return the cells that complete a line of the player."""
        ready = (self.n - 1, 0) if player == 1 else (0, self.n - 1)
        lines = {line for line, counts in enumerate(self.counts) if counts == ready}
        return [cell for line in lines for cell in self.lines[line] if cell in self.through]

    def at_random(self, player: int) -> Cell:
        return self.random.choice(list(self.through))

    def blocking(self, player: int) -> Cell:
        cells = self.completing(player) or self.completing(3 - player) or list(self.through)
        return self.random.choice(cells)

    def maximising(self, player: int) -> Cell:
        weights = [0 if counts[2 - player] else 1 << counts[player - 1] for counts in self.counts]
        gains = {cell: sum(weights[line] for line in lines) for cell, lines in self.through.items()}
        most = max(gains.values())
        return self.random.choice([cell for cell, gain in gains.items() if gain == most])


Strategy = Callable[[Adversary, int], Cell]
STRATEGIES: list[Strategy] = [Adversary.at_random, Adversary.blocking, Adversary.maximising]
LARGE = [pytest.param(n, marks=pytest.mark.tier2("long")) for n in (50, 99, 100)]
SIDES = [*range(5, 13), 15, 25, *LARGE]


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.__name__)
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("n", SIDES)
def test_strong_never_loses_and_keeps_the_potential_below_1(
    n: int, seat: int, strategy: Strategy
) -> None:
    for seed in range(1 + 40 // n):
        game, adversary = Game(Rules.square(n)), Adversary(n, seed)
        while game.outcome is None:
            player = game.turn
            if player == seat:
                potential = adversary.potential(3 - seat)
                assert potential < 1
                if not potential:  # the other player cannot win any more
                    break
                advice = advise(game, seed=seed)
                cell = advice.cell
                assert advice.value in (0, 1)
                assert advice.proof in ("line", "potential", "search")
            else:
                cell = strategy(adversary, player)
            game.play(cell)
            adversary.see(cell, player)
        assert game.outcome is None or game.outcome.winner != 3 - seat


@pytest.mark.parametrize("game", ["x", None, Rules()])
def test_advise_rejects_anything_but_a_game(game: Any) -> None:
    with pytest.raises(TypeError, match=r"^game must be a Game, not "):
        advise(game)


@pytest.mark.parametrize(
    ("seconds", "error"),
    [(-1, ValueError), (float("nan"), ValueError), ("1", TypeError), (None, TypeError)],
)
@pytest.mark.parametrize("rules", [Rules(), Rules((5, 5), 4), Rules((15, 15), 5)])
def test_advise_rejects_invalid_seconds(rules: Rules, seconds: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^seconds must be "):
        advise(Game(rules), seconds=seconds)
    if seconds is not None:
        with pytest.raises(error, match=r"^optimum must be "):
            advise(Game(rules), optimum=seconds)


@pytest.mark.parametrize("seconds", [1e10, 10**400, float("inf")])
def test_advise_accepts_huge_seconds(seconds: float) -> None:
    game = Game(Rules((15, 15), 5))
    assert advise(game, seconds=seconds, nodes=1).cell == (7, 7)
    assert advise(game, seconds=seconds, nodes=1, optimum=seconds).cell == (7, 7)
    assert advise(game, seconds=0, optimum=seconds).cell == (7, 7)
