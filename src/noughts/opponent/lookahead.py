"""Looking a few plies ahead where nothing can be proved.

Alpha-beta over the cells that matter most, scored by the live lines of each player. With more
than two players all others are taken to work against the one who thinks: the paranoid search of
N. R. Sturtevant and R. E. Korf (*On pruning techniques for multi-player games*, AAAI 2000).
"""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter

from noughts.opponent.forcing import forced_win
from noughts.opponent.merit import by_promise
from noughts.opponent.position import Position

DEPTH = 4  # plies; deeper only where a reply is forced
WIDTH = 10  # cells considered
WIN = 1 << 200  # more than any score


def look_ahead(position: Position, deadline: float) -> list[int]:
    """The moves that look best to the player to move, equally good ones together.

    Depth and width are fixed, so the answer does not depend on the machine unless the time, a
    `perf_counter` reading, is up before; then it is that of the last depth that was finished.
    """
    pool = by_promise(position)
    moves = position.blocks()
    if not moves and position.players == 2:
        moves = _defences(position, pool, deadline)
    return _Search(position, pool[:WIDTH], deadline).best(moves or pool[:WIDTH])


def _defences(position: Position, pool: list[int], deadline: float) -> list[int]:
    """If the other player could win by force, the moves that prevent it; none if there are none.

    Moves on the lines that make the danger come first. Threats of one's own that only put it off
    are left for the last.
    """
    mover, opponent = position.turn, position.next_to(position.turn)
    position.turn = opponent  # as if the mover passed
    attack = forced_win(position, deadline)
    position.turn = mover
    if not attack:
        return []
    dangerous = {*attack, *_cells_lacking_two(position, opponent)}
    forcing = _cells_lacking_two(position, mover) - dangerous
    for cells in (dangerous, forcing):
        moves = [cell for cell in pool if cell in cells and _holds(position, cell, deadline)]
        if moves:
            return moves
    return []


def _cells_lacking_two(position: Position, player: int) -> set[int]:
    """The empty cells of the lines on which the player lacks two marks."""
    return {cell for line in position.near[player][2] for cell in position.empty_on(line)}


def _holds(position: Position, move: int, deadline: float) -> bool:
    """Whether the other player has no forced win after this move; false when time is up."""
    position.play(move)
    lost = forced_win(position, deadline)
    position.undo(move)
    return not lost and perf_counter() < deadline


class _OutOfTime(Exception):
    """Ends a search from within."""


class _Search:
    """Alpha-beta for the player to move, with the same few cells to choose from at every ply."""

    def __init__(self, position: Position, pool: list[int], deadline: float) -> None:
        self.position = position
        self.mover = position.turn
        self.pool = pool
        self.deadline = deadline

    def best(self, moves: list[int]) -> list[int]:
        """The best of these moves, as far as the time allows to look."""
        best = moves[:1]
        if len(moves) > 1:
            with suppress(_OutOfTime):
                for depth in range(1, DEPTH + 1):
                    best = self._best_at(depth, moves)
                    moves = [*best, *(move for move in moves if move not in best)]  # cuts more off
        return best

    def _best_at(self, depth: int, moves: list[int]) -> list[int]:
        best, highest = list[int](), -2 * WIN
        for move in moves:
            # the window leaves room for a score equal to the highest
            score = self._score_after(move, depth, highest - 1, 2 * WIN)
            if score > highest:
                best, highest = [move], score
            elif score == highest:
                best.append(move)
        return best

    def _score_after(self, move: int, depth: int, alpha: int, beta: int) -> int:
        self.position.play(move)
        try:
            return self._score(depth - 1, alpha, beta)
        finally:
            self.position.undo(move)

    def _score(self, depth: int, alpha: int, beta: int) -> int:
        """What the position is worth to the mover, whose turn it may not be."""
        if perf_counter() > self.deadline:
            raise _OutOfTime
        position = self.position
        ours = position.turn == self.mover
        if position.near[position.turn][1]:
            return WIN + depth if ours else -WIN - depth  # the sooner the more
        blocks = position.blocks()
        moves = blocks or [cell for cell in self.pool if not position.marks[cell]]
        if not moves or depth <= (-DEPTH if blocks else 0):
            return 2 * position.score[self.mover] - sum(position.score)
        best = -2 * WIN if ours else 2 * WIN
        for move in moves:
            score = self._score_after(move, depth, alpha, beta)
            if ours:
                best = max(best, score)
                alpha = max(alpha, best)
            else:
                best = min(best, score)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best
