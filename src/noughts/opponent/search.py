"""Looking ahead a few plies, in games that the engine does not play."""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter

from noughts.opponent.position import Position

DEPTH = 4  # plies; deeper only where a reply is forced
WIDTH = 10  # cells considered
WIN = 1 << 200  # more than any score


def look_ahead(position: Position, deadline: float) -> list[int]:
    """The moves that look best to the player to move, equally good ones together.

    Alpha-beta over the cells that matter most, scored by the live lines of each player. All others
    are taken to work against the one who thinks: the paranoid search of N. R. Sturtevant and
    R. E. Korf (*On pruning techniques for multi-player games*, AAAI 2000).

    Depth and width are fixed, so the answer does not depend on the machine unless the time, a
    `perf_counter` reading, is up before; then it is that of the last depth that was finished.
    """
    cells = position.by_promise()[:WIDTH]
    moves = position.blocks() or cells
    best = moves[:1]
    if len(moves) > 1:
        search = _AlphaBeta(position, cells, deadline)
        with suppress(_OutOfTime):
            for depth in range(1, DEPTH + 1):
                best = search.best(moves, depth)
                moves = [*best, *(move for move in moves if move not in best)]  # cuts more off
    return best


class _OutOfTime(Exception):
    """Ends a search from within."""


class _AlphaBeta:
    """A search for the player to move, with the same few cells to choose from at every ply."""

    def __init__(self, position: Position, pool: list[int], deadline: float) -> None:
        self.position = position
        self.mover = position.turn
        self.pool = pool
        self.deadline = deadline

    def best(self, moves: list[int], depth: int) -> list[int]:
        """The best of these moves, so many plies deep."""
        best, highest = list[int](), -2 * WIN
        for move in moves:
            # the window leaves room for a score equal to the highest
            score = self._score_after(move, depth, highest - 1, 2 * WIN)
            if score > highest:
                best, highest = [], score
            if score == highest:
                best.append(move)
        return best

    def _score_after(self, move: int, depth: int, alpha: int, beta: int) -> int:
        self.position.play(move)
        try:
            return self._score(depth - 1, alpha, beta)
        finally:
            self.position.undo(move)

    def _score(self, depth: int, alpha: int, beta: int) -> int:
        """What the position is worth to the mover, whose turn it may not be: alpha to beta."""
        if perf_counter() > self.deadline:
            raise _OutOfTime
        position = self.position
        ours = position.turn == self.mover
        if position.threats(position.turn):
            return WIN + depth if ours else -WIN - depth  # the sooner the more
        blocks = position.blocks()
        pool = position.open if position.falls else self.pool
        moves = blocks or [cell for cell in pool if not position.marks[cell]]
        if not moves or depth <= (-DEPTH if blocks else 0):
            scores = map(position.score, range(1, position.players + 1))
            return 2 * position.score(self.mover) - sum(scores)
        for move in moves:
            score = self._score_after(move, depth, alpha, beta)
            if ours:
                alpha = max(alpha, score)
            else:
                beta = min(beta, score)
            if alpha >= beta:
                break
        return alpha if ours else beta
