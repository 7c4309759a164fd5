"""Analysis of a game: the mistakes and the moves that would have avoided them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from noughts.errors import short_repr
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.opponent.advice import Advice
from noughts.opponent.levels import advise
from noughts.picture import cell_name, facts_html, symbol

MUCH = 20  # how many percent of the points a move must lose to count as a mistake by score
Lost = Literal["win", "draw", "chances"]


class _Worth(NamedTuple):
    """The known bounds and estimate of a position's value, for the player to move."""

    least: int  # proven lower bound of the value
    most: int  # proven upper bound
    chance: int | None  # expected percentage of the points

    def turned(self) -> _Worth:
        """Return the same for the other player."""
        return _Worth(-self.most, -self.least, None if self.chance is None else 100 - self.chance)


@dataclass(frozen=True, slots=True)
class Finding:
    """The analysis of one move.

    Attributes:
        ply: the number of the move, from 1.
        player: the player who made it.
        cell: the cell played.
        lost: "win" if another move is proven to win and this one not to; "draw" if another move is
            proven not to lose and this one to lose; "chances" if nothing is proven, but the move
            loses at least `MUCH` percent of the points; None if it is not a mistake.
        loses: whether the move is proven to lose against best play.
        chance: the expected share of the points after the move, in percent; 100, 50 or 0 for a
            proven win, draw or loss; None without an estimate.
        best: the advice for the position before the move.
        best_chance: the expected share for `best`, as in `chance`.
    """

    ply: int
    player: int
    cell: Cell
    lost: Lost | None
    loses: bool
    chance: int | None
    best: Advice
    best_chance: int | None

    def _repr_html_(self) -> str:
        """Return the move and what it lost as HTML, for notebooks."""
        lost = {"win": "a win", "draw": "a draw", "chances": "chances", None: "nothing"}[self.lost]
        change = ""
        if self.chance is not None and self.best_chance is not None:
            change = f"{self.best_chance}% before, {self.chance}% after"
        facts = [
            ("gave away", lost),
            ("proved", "it loses against best play" if self.loses else ""),
            ("chances", change),
            ("better", cell_name(self.best.cell) if self.lost else ""),
        ]
        return facts_html(f"{self.ply}. {symbol(self.player)} {cell_name(self.cell)}", facts)


def analyse(game: Game, *, seconds: float = 1.0, nodes: int | None = None) -> Iterator[Finding]:
    """Analyse each move of a game, from the first to the last.

    The level "strong" searches every position once. The proven values before and after a move are
    compared, and if they decide nothing, the estimated chances.

    Args:
        game: a game of two players; unchanged on return.
        seconds: time limit for each position, as for `advise`.
        nodes: maximum number of positions searched for each position of the game, as for `advise`.

    Yields:
        One finding per move.

    Raises:
        ValueError: the game has more than two players, or `advise` refuses an argument.
        TypeError: game is not a Game.

    >>> lost = Game.replay(Game().rules, [(1, 1), (0, 1), (0, 0), (2, 2), (1, 0)])
    >>> [(finding.cell, finding.lost, finding.best.value) for finding in analyse(lost)][:2]
    [((1, 1), None, 0), ((0, 1), 'draw', 0)]
    """
    if not isinstance(game, Game):
        raise TypeError(f"game must be a Game, not {short_repr(game)}")
    if game.rules.players != 2:
        raise ValueError(f"analysis needs a game of two players, got {game.rules.players}")
    thoughts = (
        None if each.outcome else advise(each, seconds=seconds, nodes=nodes, seed=0)
        for each in positions(game)
    )
    return findings(game, thoughts)


def positions(game: Game) -> Iterator[Game]:
    """Yield every position from the empty board to the last, as one object that is updated."""
    position = Game(game.rules)
    yield position
    for cell in game.history:
        position.play(cell)
        yield position


def findings(game: Game, thoughts: Iterable[Advice | None]) -> Iterator[Finding]:
    """Yield the finding for each move, from the advice for each position; see `analyse`."""
    thought = iter(thoughts)
    best = next(thought)
    worth = _worth(game, best)
    for ply, cell in enumerate(game.history, start=1):
        assert best is not None  # the game was not over
        reply = next(thought)
        after = _worth(game, reply)
        played = after.turned()
        lost = _lost(worth, played)
        if lost == "chances" and best.cell == cell:  # the search only saw it too late
            lost = None
        player = 2 - ply % 2
        yield Finding(ply, player, cell, lost, played.most < 0, played.chance, best, worth.chance)
        best, worth = reply, after


def _worth(game: Game, advice: Advice | None) -> _Worth:
    """Return the bounds and estimate that the advice gives; None means that the game is over."""
    if advice is None:
        assert game.outcome is not None
        winner, turn = game.outcome.winner, game.ply % 2 + 1
        value = 0 if winner is None else 1 if winner == turn else -1
        return _Worth(value, value, 50 + 50 * value)
    if advice.value is None:
        return _Worth(-1, 1, advice.chance)
    most = advice.value if advice.value else 1  # a move that cannot lose may still win
    return _Worth(advice.value, most, 50 + 50 * advice.value)


def _lost(best: _Worth, played: _Worth) -> Lost | None:
    """Return what a move lost, from the bounds and estimates before and after it."""
    if best.least > max(0, played.most):
        return "win"
    if best.least == 0 > played.most:
        return "draw"
    if best.chance is None or played.chance is None:
        return None
    return "chances" if best.chance - played.chance >= MUCH else None
