"""A look-ahead of a few plies, for games that the engine does not support."""

from contextlib import suppress
from time import perf_counter

from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.opponent.exact.position import by_promise

DEPTH = 4  # plies; forced replies are searched deeper
WIDTH = 10  # cells considered
WIN = 1 << 200  # more than any score


def look_ahead(game: Game, deadline: float) -> list[Cell]:
    """Return the best moves for the player to move, all that are equally good.

    Alpha-beta over the most promising cells, scored by each player's live lines. All other players
    are assumed to work against the player to move: the paranoid search of N. R. Sturtevant and
    R. E. Korf (*On pruning techniques for multi-player games*, AAAI 2000).

    Depth and width are fixed, so the result is the same on every machine, unless the deadline (a
    `perf_counter` reading) passes first. The last completed depth then decides.
    """
    cells = by_promise(game)[:WIDTH]
    moves = to_block(game) or cells
    best = moves[:1]
    if len(moves) > 1:
        search = _AlphaBeta(game.copy(), cells, deadline)
        with suppress(_OutOfTime):
            for depth in range(1, DEPTH + 1):
                best = search.best(moves, depth)
                moves = [*best, *(move for move in moves if move not in best)]  # cuts more off
    return best


def to_block(game: Game) -> list[Cell]:
    """Return the cells on which the first other player able to complete a line would do so."""
    if game.outcome is None:
        for wait in range(game.rules.players - 1):
            if threats := game.threats((game.turn + wait) % game.rules.players + 1):
                return sorted(threats)
    return []


class _OutOfTime(Exception):
    """The deadline has passed."""


class _AlphaBeta:
    """A search for the player to move, limited to the same few cells at every ply."""

    def __init__(self, game: Game, pool: list[Cell], deadline: float) -> None:
        self.game = game
        self.mover = game.turn
        self.pool = pool
        self.deadline = deadline

    def best(self, moves: list[Cell], depth: int) -> list[Cell]:
        """Return the best of these moves at this depth."""
        best, highest = list[Cell](), -2 * WIN
        for move in moves:
            # the window includes a score equal to the highest
            score = self._score_after(move, depth, highest - 1, 2 * WIN)
            if score > highest:
                best, highest = [], score
            if score == highest:
                best.append(move)
        return best

    def _score_after(self, move: Cell, depth: int, alpha: int, beta: int) -> int:
        self.game.play(move)
        try:
            return self._score(depth - 1, alpha, beta)
        finally:
            self.game.undo()

    def _score(self, depth: int, alpha: int, beta: int) -> int:
        """Return the position's score for the mover at the root, from alpha to beta."""
        if perf_counter() > self.deadline:
            raise _OutOfTime
        game = self.game
        ours = game.turn == self.mover
        if game.threats(game.turn):
            return WIN + depth if ours else -WIN - depth  # sooner is better
        forced = to_block(game)
        if game.outcome or depth <= (-DEPTH if forced else 0):
            return self._worth()
        pool = game.legal_moves if game.rules.gravity else self.pool
        moves = forced or [cell for cell in pool if not game.mark(cell)]
        if not moves:
            return self._worth()
        for move in moves:
            score = self._score_after(move, depth, alpha, beta)
            if ours:
                alpha = max(alpha, score)
            else:
                beta = min(beta, score)
            if alpha >= beta:
                break
        return alpha if ours else beta

    def _worth(self) -> int:
        """Weigh the mover's live lines against the others'; each mark on one counts fourfold."""
        players, k = self.game.rules.players, self.game.rules.k
        worth = 0
        for player in range(1, players + 1):
            tallies = self.game.tallies(player)[1:k]
            lines = sum([count << 2 * min(tally, 40) for tally, count in enumerate(tallies, 1)])
            worth += lines if player == self.mover else -lines
        return worth
