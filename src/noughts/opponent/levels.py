"""The levels of play and the advice they give."""

from collections.abc import Collection
from math import inf
from random import Random
from typing import NamedTuple

from noughts.arguments import integer, thread_count
from noughts.errors import GameOver, short_repr
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.rules import VARIANTS
from noughts.opponent.advice import Advice, advice_of
from noughts.opponent.exact.position import Position
from noughts.opponent.search.lookahead import to_block
from noughts.opponent.search.move_selection import best_moves

NEAR = 24  # cells nearest to the last move; a slip is one of their better half


class Level(NamedTuple):
    """A level of the computer. Every list or description of the levels is built from this.

    Attributes:
        name, title: the name for `advise`, and the one that users see.
        about: one sentence on how it plays.
        completes, blocks, takes_the_best: for a level that sees lines but does not search, the
            probability of completing a line, of blocking one, and otherwise of choosing one of the
            moves that do most for its lines and against the others'; 0 if it sees no lines.
        searches: whether it searches within its limits and proves values if it can.
    """

    name: str
    title: str
    about: str
    completes: float = 0.0
    blocks: float = 0.0
    takes_the_best: float = 0.0
    searches: bool = False


STRONG = "Looks ahead for up to a second and proves results if it can."
LEVELS = {
    level.name: level
    for level in (
        Level("random", "Random", "Plays any legal move."),
        Level("easy", "Easy", "Completes and blocks lines, but often misses one.", 0.9, 0.7, 0.3),
        Level("medium", "Medium", "Sees most lines, but occasionally misses one.", 1.0, 0.95, 0.6),
        Level("strong", "Strong", STRONG, searches=True),
    )
}
"""The levels by name, from the weakest to the strongest."""


def advise(
    game: Game,
    *,
    level: str = "strong",
    seconds: float = 1.0,
    nodes: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    optimum: float | None = None,
) -> Advice:
    """Choose a move and report what is proven about it.

    If several moves are equally good, one of those nearest to the last move is chosen.

    Args:
        game: the game to advise; unchanged on return.
        level: one of `LEVELS`.
        seconds: time limit of "strong", on boards of more than 9 cells.
        nodes: maximum number of positions that its engine visits; None for no limit. With a limit,
            the result is the same on every machine unless the time runs out first.
        seed: makes the choice among equally good moves repeatable, with one thread and unless the
            time runs out; None for a random choice.
        threads: number of threads of its engine, 1 to 1,024; only 1 with `nodes`. More threads
            only help if each has its own processor.
        optimum: time for a move of average difficulty, in seconds, for games with a clock. After
            half of it, "strong" starts no new depth as long as its best move stays the same; if
            the move changes or its score falls, it continues for up to `seconds`. None always
            allows `seconds`.

    Raises:
        GameOver: the game is over.
        ModuleNotFoundError: "strong" needs the engine, and noughts was installed without a C
            compiler.
        ValueError: unknown level; seconds or optimum is negative or NaN; nodes is less than 1;
            threads is out of range or combined with nodes; or the board is too large. The limit is
            1,000,000 cells, for some games also 2,000,000 summed over all lines.
        TypeError: an argument is of the wrong type.

    >>> advise(Game.replay(Game().rules, [(0, 0), (1, 0), (0, 1), (1, 1)]))
    Advice(cell=(0, 2), value=1, proof='line', chance=None, plies=None, depth=None, line=())
    """
    if not isinstance(game, Game):
        raise TypeError(f"game must be a Game, not {short_repr(game)}")
    optimum = inf if optimum is None else optimum
    for value, name in ((seconds, "seconds"), (optimum, "optimum")):
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise TypeError(f"{name} must be a number, not {short_repr(value)}")
        if not value >= 0:  # nan is not
            raise ValueError(f"{name} must be 0 or more, not {value}")
    if nodes is not None and integer(nodes, "nodes") < 1:
        raise ValueError(f"nodes must be at least 1, not {nodes}")
    if thread_count(threads) > 1 and nodes is not None:
        raise ValueError("nodes needs threads=1: with more threads, advice is not repeatable")
    if level not in LEVELS:
        raise ValueError(f"level must be one of {', '.join(LEVELS)}, not {level!r}")
    if game.outcome is not None:
        raise GameOver.of(game.outcome.winner)
    # a new stream for each move, or an opponent with few choices would repeat itself
    random = Random() if seed is None else Random(f"{integer(seed, 'seed')} {game.ply}")
    described = LEVELS[level]
    if described.searches:
        best = {
            advice.cell: advice for advice in best_moves(game, seconds, nodes, threads, optimum)
        }
        return best[random.choice(_nearest(game, best))]
    if not described.takes_the_best:
        return Advice(random.choice(list(game.legal_moves)))
    return advice_of(game, _casual(game, random, described))


def _nearest(game: Game, cells: Collection[Cell]) -> list[Cell]:
    """Return the cells nearest to the last move, where people look."""
    least = min(_from_last(game, cell) for cell in cells)
    return [cell for cell in cells if _from_last(game, cell) == least]


def _from_last(game: Game, cell: Cell) -> int:
    """Return the squared distance of a cell from the last move; 0 before the first move."""
    last = game.history[-1] if game.history else cell
    return sum((one - other) ** 2 for one, other in zip(cell, last, strict=True))


def _casual(game: Game, random: Random, level: Level) -> Cell:
    """Choose the move of a level that sees lines and sometimes misses one."""
    position = Position(game)
    legal, ends = list(game.legal_moves), sorted(game.threats(game.turn))
    if VARIANTS[game.rules.variant].loses:
        if random.random() < level.completes:
            legal = [cell for cell in legal if cell not in ends] or legal
        merits = [-merit for merit in position.weights(position.turn)]
    else:
        blocks = list(filter(game.is_legal, to_block(game)))
        if ends and random.random() < level.completes:
            return random.choice(_nearest(game, ends))
        if blocks and random.random() < level.blocks:
            return random.choice(_nearest(game, blocks))
        merits = position.merits()
    merit = dict(zip(position.cells, merits, strict=True))
    if random.random() < level.takes_the_best:
        most = max(merit[cell] for cell in legal)
        return random.choice(_nearest(game, [cell for cell in legal if merit[cell] == most]))
    # a slip, but not a stupid one
    near = sorted(legal, key=lambda cell: _from_last(game, cell))
    near = sorted(near[: NEAR if game.ply else None], key=merit.__getitem__)
    return random.choice(near[len(near) // 2 :])
