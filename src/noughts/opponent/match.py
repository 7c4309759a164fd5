"""Matches between two levels."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from noughts.game import Game
from noughts.opponent.levels import advise
from noughts.rules import Rules


def play_match(
    rules: Rules,
    levels: tuple[str, str],
    games: int,
    *,
    seconds: float = 1.0,
    seed: int | None = None,
) -> Iterator[int | None]:
    """Play so many games, the two beginning in turns, the first level in the first game.

    Args:
        rules: of two players.
        levels, seconds, seed: as for `advise`, the seed for the match as a whole.

    Yields:
        For each game, 0 or 1 for the level that has won it, or None for a draw.

    >>> list(play_match(Rules(), ("perfect", "perfect"), 3, seed=1))
    [None, None, None]
    """
    if rules.players != 2:
        raise ValueError(f"a match is between two players, not {rules.players}")
    random = Random(seed)
    for number in range(games):
        game = Game(rules)
        seeds = random.getrandbits(63), random.getrandbits(63)
        while game.outcome is None:
            side = (game.ply + number) % 2
            advice = advise(game, level=levels[side], seconds=seconds, seed=seeds[side])
            game.play(advice.cell)
        winner = game.outcome.winner
        yield None if winner is None else (winner - 1 + number) % 2
