"""Counts of games and positions, to show the size of a game and to test rules engines.

`perft` is the chess programmers' word for the number of move sequences of a given length.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from noughts.arguments import integer
from noughts.errors import size
from noughts.game.game import Game
from noughts.game.geometry import symmetries
from noughts.game.outcome import Status, status

MAX_CELLS = 1_000_000  # for more than one ply; a position takes one byte per cell
TABLE_LIMIT = 1 << 20  # positions remembered at most, about 300 MB
TABLE_BYTES = 1 << 28  # for their cells


def perft(game: Game, depth: int) -> int:
    """Count the move sequences of exactly `depth` plies from here.

    The count of a position is remembered, for up to a million positions or 256 MB of cells.

    Args:
        game: the start position; unchanged on return.
        depth: number of plies, 0 or more.

    Raises:
        ValueError: depth is negative, or above 1 on a board of more than a million cells.

    >>> [perft(Game(), depth) for depth in range(5)]
    [1, 9, 72, 504, 3024]
    """
    depth = integer(depth, "depth")
    if depth < 0:
        raise ValueError(f"depth must be 0 or more, not {depth}")

    rules = game.rules
    if depth > 1 and rules.cells > MAX_CELLS:
        raise ValueError(f"a {size(rules.shape)} board is too large to count more than one ply")

    def sequences(depth: int) -> int:
        if depth < 2:
            return len(game.legal_moves) if depth else 1
        return sequences_from(game.key(), depth)

    @lru_cache(maxsize=min(TABLE_LIMIT, TABLE_BYTES // rules.cells))
    def sequences_from(_position: bytes, depth: int) -> int:
        return sum(sequences(depth - 1) for _ in _after_each_move(game))

    return sequences(depth)


def count_games(game: Game) -> Counter[tuple[Status, int | None, int]]:
    """Count the complete games that follow from here, by status, winner and length in plies.

    Args:
        game: the start position; unchanged on return.

    >>> games = count_games(Game())
    >>> games.total(), games["won", 1, 5], games["draw", None, 9]
    (255168, 1440, 46080)
    """

    @lru_cache(maxsize=TABLE_LIMIT)
    def games_from(_position: bytes) -> Counter[tuple[Status, int | None, int]]:
        if game.outcome:
            return Counter([(status(game.outcome), game.outcome.winner, game.ply)])
        ends: Counter[tuple[Status, int | None, int]] = Counter()
        for _ in _after_each_move(game):
            ends.update(games_from(game.key()))
        return ends

    return games_from(game.key())


def count_positions(game: Game, *, symmetric: bool = False) -> Counter[tuple[Status, int | None]]:
    """Count the positions reachable from here, including this one, by status and winner.

    Args:
        game: the start position; unchanged on return.
        symmetric: count positions that are mirror images or rotations of each other once.

    Memory: all positions are kept.

    >>> count_positions(Game()).total(), count_positions(Game(), symmetric=True).total()
    (5478, 765)
    """
    views = list(symmetries(game.rules)) if symmetric else []
    seen: set[bytes] = set()
    positions: Counter[tuple[Status, int | None]] = Counter()

    def visit() -> None:
        position = game.key()
        if views:
            position = min(bytes(map(position.__getitem__, view)) for view in views)
        if position not in seen:
            seen.add(position)
            outcome = game.outcome
            positions[status(outcome), outcome.winner if outcome else None] += 1
            for _ in _after_each_move(game):
                visit()

    visit()
    return positions


def _after_each_move(game: Game) -> Iterator[None]:
    """Play each legal move in turn, yield, and undo it."""
    for cell in game.legal_moves:
        game.play(cell)
        yield
        game.undo()
