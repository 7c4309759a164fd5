"""Looking ahead, where counting proves nothing: wins by force, and a few plies of everything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import inf
from time import perf_counter

from noughts.opponent.position import Position

MAX_NODES = 2000  # attacking moves tried, at most; some tens of milliseconds
MAX_DEPTH = 20  # attacking moves in a row
DEPTH = 4  # plies; deeper only where a reply is forced
WIDTH = 10  # cells considered
WIN = 1 << 200  # more than any score


def forced_wins(position: Position, deadline: float = inf) -> Iterator[list[int]]:
    """Series of threats with which the player to move, one of two, wins whatever the other does.

    Each is the cells in turn: a move, the reply it forces, the next move …, and last the move that
    completes a line or threatens to in two places; each begins with another move. They end when
    the deadline, a `perf_counter` reading, is over.

    A threat leaves the defender one reply, so a series of them can be searched deep. In go-moku
    it is known as victory by continuous fours (L. V. Allis, *Searching for Solutions in Games and
    Artificial Intelligence*, 1994).
    """
    attacker, defender = position.turn, position.next_to(position.turn)
    nodes_left = MAX_NODES
    failed = set[bytes]()  # the same threats in another order lead here again

    def series(depth: int) -> Iterator[list[int]]:
        """Every forced win of at most so many attacking moves from the present position."""
        nonlocal nodes_left
        for move, reply in _threatening_moves(position, attacker, defender):
            if nodes_left > 0 and perf_counter() < deadline:
                nodes_left -= 1
                position.play(move)
                rest = after(reply, depth)
                position.undo(move)
                if rest is not None:
                    yield [move, *rest]

    def after(reply: int, depth: int) -> list[int] | None:
        """How the attacker goes on to win after a move, if that is by force."""
        if position.lacking(1, defender):
            return None  # the defender wins instead of replying
        if len(position.threats(attacker)) > 1:
            return []
        if depth == 1:
            return None
        position.play(reply)
        key = bytes(position.marks)
        rest = None if key in failed else next(series(depth - 1), None)
        position.undo(reply)
        if rest is None:
            failed.add(key)
            return None
        return [reply, *rest]

    if threats := position.threats(attacker):
        yield from ([cell] for cell in threats)
    else:
        yield from series(MAX_DEPTH)


def _threatening_moves(position: Position, attacker: int, defender: int) -> list[tuple[int, int]]:
    """Each move that threatens to complete a line, with a reply that it forces.

    If the defender threatens something, only moves that prevent it.
    """
    must = position.threats(defender)
    if len(must) > 1:
        return []
    pairs = [position.empty_on(line) for line in position.lacking(2, attacker)]
    replies = {move: reply for a, b in sorted(pairs) for move, reply in ((a, b), (b, a))}
    return sorted(pair for pair in replies.items() if not must or pair[0] in must)


def look_ahead(position: Position, legal: list[int], deadline: float) -> list[int]:
    """The moves that look best to the player to move, equally good ones together.

    Alpha-beta over the cells that matter most, scored by the live lines of each player. With more
    than two players all others are taken to work against the one who thinks: the paranoid search
    of N. R. Sturtevant and R. E. Korf (*On pruning techniques for multi-player games*, AAAI 2000).

    Depth and width are fixed, so the answer does not depend on the machine unless the time, a
    `perf_counter` reading, is up before; then it is that of the last depth that was finished.
    """
    allowed = set(legal)
    cells = [cell for cell in position.by_promise() if cell in allowed]
    moves = [cell for cell in position.blocks() if cell in allowed]
    if not moves and position.players == 2:
        moves = _defences(position, cells, deadline)
    moves = moves or cells[:WIDTH]
    best = moves[:1]
    if len(moves) > 1:
        search = _AlphaBeta(position, cells[:WIDTH], deadline)
        with suppress(_OutOfTime):
            for depth in range(1, DEPTH + 1):
                best = search.best(moves, depth)
                moves = [*best, *(move for move in moves if move not in best)]  # cuts more off
    return best


def _defences(position: Position, cells: list[int], deadline: float) -> list[int]:
    """If the other player could win by force, the moves that prevent it; none if there are none.

    Moves on the lines that make the danger come first. Threats of one's own that only put it off
    are left for the last.
    """
    mover, opponent = position.turn, position.next_to(position.turn)
    position.turn = opponent  # as if the mover passed
    attack = next(forced_wins(position, deadline), None)
    position.turn = mover
    if not attack:
        return []

    def lacking_two(player: int) -> set[int]:
        return {cell for line in position.lacking(2, player) for cell in position.empty_on(line)}

    def holds(move: int) -> bool:
        position.play(move)
        lost = next(forced_wins(position, deadline), None)
        position.undo(move)
        return not lost and perf_counter() < deadline

    dangerous = {*attack, *lacking_two(opponent)}
    forcing = lacking_two(mover) - dangerous
    return [cell for cell in cells if cell in dangerous and holds(cell)] or [
        cell for cell in cells if cell in forcing and holds(cell)
    ]


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
