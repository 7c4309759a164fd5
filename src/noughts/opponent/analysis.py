"""Where a game was lost: the moves that gave something away, and what would have kept it."""

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

MUCH = 20
"""The percent of the points by which a move must be worse than the best for a finding by score."""

Lost = Literal["win", "draw", "chances"]


class _Worth(NamedTuple):
    """What is known of a position, for the player to move."""

    least: int  # the value is proved to be no less,
    most: int  # and no more
    chance: int | None  # the percent of the points that are expected

    def turned(self) -> _Worth:
        """The same for the other player."""
        return _Worth(-self.most, -self.least, None if self.chance is None else 100 - self.chance)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out about a move of a game.

    Attributes:
        ply: of the move, from 1.
        player: who made it.
        cell: where.
        lost: what it gave away: "win", it was proved that another move wins, and that this one does
            not; "draw", it was proved that another move cannot lose, and that this one loses;
            "chances", nothing is proved, but this move expects `MUCH` less of the points; None for
            nothing.
        loses: whether it is proved that the move loses against best play.
        chance: the share of the points that was expected after it, in percent; 100, 50 and 0 for a
            proved win, draw or loss; None where nothing was estimated.
        best: the advice in its place.
        best_chance: the share that was expected of that, as `chance`.
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
        """The move and what it gave away, for notebooks."""
        lost = {"win": "a win", "draw": "a draw", "chances": "chances", None: "nothing"}[self.lost]
        change = ""
        if self.chance is not None and self.best_chance is not None:
            change = f"{self.best_chance} % before, {self.chance} % after"
        facts = [
            ("gave away", lost),
            ("proved", "it loses against best play" if self.loses else ""),
            ("chances", change),
            ("better", cell_name(self.best.cell) if self.lost else ""),
        ]
        return facts_html(f"{self.ply}. {symbol(self.player)} {cell_name(self.cell)}", facts)


def analyse(game: Game, *, seconds: float = 1.0, nodes: int | None = None) -> Iterator[Finding]:
    """What each move of a game gave away, from the first to the last.

    Every position is thought about once, as the level "strong" does. What is proved of the
    positions before and after a move is compared, and where that decides nothing, the chances.

    Args:
        game: of two players; as it was when this returns.
        seconds: for each position, as for `advise`; so are the errors.
        nodes: as `seconds`.

    Raises:
        ValueError: there are more players. TypeError: game is no Game.

    >>> lost = Game.replay(Game().rules, [(1, 1), (0, 1), (0, 0), (2, 2), (1, 0)])
    >>> [(finding.cell, finding.lost, finding.best.value) for finding in analyse(lost)][:2]
    [((1, 1), None, 0), ((0, 1), 'draw', 0)]
    """
    if not isinstance(game, Game):
        raise TypeError(f"game must be a Game, not {short_repr(game)}")
    if game.rules.players != 2:
        raise ValueError(f"an analysis is of a game of two players, not {game.rules.players}")
    return findings(game, (advise_if_open(each, seconds, nodes) for each in positions(game)))


def positions(game: Game) -> Iterator[Game]:
    """Every position of a game, from the empty board to the last; one object that moves on."""
    position = Game(game.rules)
    yield position
    for cell in game.history:
        position.play(cell)
        yield position


def advise_if_open(game: Game, seconds: float, nodes: int | None = None) -> Advice | None:
    """The advice of the level "strong"; None if the game is over."""
    if game.outcome is not None:
        return None
    return advise(game, seconds=seconds, nodes=nodes, seed=0)


def findings(game: Game, thoughts: Iterable[Advice | None]) -> Iterator[Finding]:
    """What each move gave away, by the advice for each of the game's positions; see `analyse`."""
    thought = iter(thoughts)
    best = next(thought)
    worth = _worth(game, best)
    for ply, cell in enumerate(game.history, start=1):
        assert best is not None  # a move follows
        reply = next(thought)
        after = _worth(game, reply)
        played = after.turned()
        lost = _lost(worth, played)
        if lost == "chances" and best.cell == cell:  # it was only seen too late
            lost = None
        player = 2 - ply % 2
        yield Finding(
            ply, player, cell, lost, played.most < 0, played.chance, best, worth.chance
        )  # fmt: skip
        best, worth = reply, after


def _worth(game: Game, advice: Advice | None) -> _Worth:
    """What is known of the position that this advice is for; without any it is the game's end."""
    if advice is None:
        assert game.outcome is not None
        winner, turn = game.outcome.winner, game.ply % 2 + 1
        value = 0 if winner is None else 1 if winner == turn else -1
        return _Worth(value, value, 50 + 50 * value)
    if advice.value is None:
        return _Worth(-1, 1, advice.chance)
    most = advice.value if advice.value else 1  # who cannot lose may still win
    return _Worth(advice.value, most, 50 + 50 * advice.value)


def _lost(best: _Worth, played: _Worth) -> Lost | None:
    """What a move gave away, by what is known before and after it."""
    if best.least > max(0, played.most):
        return "win"
    if best.least == 0 > played.most:
        return "draw"
    if best.chance is None or played.chance is None:
        return None
    return "chances" if best.chance - played.chance >= MUCH else None
