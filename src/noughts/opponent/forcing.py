"""Wins by force: one threat after the other until there are two at once.

For two players. A threat to complete a line leaves the defender one reply, so a series of them is
a single line of play and can be searched deep. In go-moku it is known as victory by continuous
fours (L. V. Allis, *Searching for Solutions in Games and Artificial Intelligence*, 1994).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from time import perf_counter

from noughts.opponent.position import Position

MAX_NODES = 2000  # attacking moves tried, at most; some tens of milliseconds
MAX_DEPTH = 20  # attacking moves in a row


def forced_win(position: Position, deadline: float = inf) -> list[int] | None:
    """Moves with which the player to move, one of two, wins whatever the other does.

    The cells in turn: a move, the reply it forces, the next move …, and last the move that
    completes a line or threatens to in two places. None if no such series was found before the
    deadline, a `perf_counter` reading.
    """
    return next(forced_wins(position, deadline), None)


def forced_wins(position: Position, deadline: float = inf) -> Iterator[list[int]]:
    """Forced wins as `forced_win` has them, each with another first move."""
    if position.near[position.turn][1]:
        yield from ([cell] for cell in sorted(position.threats(position.turn)))
    else:
        yield from _Attack(position, deadline).series(MAX_DEPTH)


class _Attack:
    """One search, by the player to move."""

    def __init__(self, position: Position, deadline: float) -> None:
        self.position = position
        self.attacker = position.turn
        self.defender = position.next_to(position.turn)
        self.nodes_left = MAX_NODES
        self.deadline = deadline
        self.failed: set[bytes] = set()  # the same threats in another order lead here again

    def series(self, depth: int) -> Iterator[list[int]]:
        """Every forced win of at most `depth` attacking moves from the present position."""
        for move, reply in self._threatening_moves():
            if self.nodes_left > 0 and perf_counter() < self.deadline:
                self.nodes_left -= 1
                series = self._follow(move, reply, depth)
                if series:
                    yield series

    def _follow(self, move: int, reply: int, depth: int) -> list[int] | None:
        """The forced win that begins with this move and, unless it ends there, this reply."""
        position = self.position
        position.play(move)
        series = None
        if not position.near[self.defender][1]:  # else the defender wins instead of replying
            if len(position.threats(self.attacker)) > 1:
                series = [move]
            elif depth > 1:
                position.play(reply)
                rest = self._first(depth - 1)
                position.undo(reply)
                series = [move, reply, *rest] if rest else None
        position.undo(move)
        return series

    def _first(self, depth: int) -> list[int] | None:
        key = bytes(self.position.marks)
        if key in self.failed:
            return None
        series = next(self.series(depth), None)
        if series is None:
            self.failed.add(key)
        return series

    def _threatening_moves(self) -> list[tuple[int, int]]:
        """Each move that threatens to complete a line, with a reply that it forces.

        If the defender threatens something, only moves that prevent it.
        """
        position = self.position
        must = position.threats(self.defender)
        if len(must) > 1:
            return []
        pairs = [position.empty_on(line) for line in position.near[self.attacker][2]]
        replies = {move: reply for a, b in sorted(pairs) for move, reply in ((a, b), (b, a))}
        return sorted(pair for pair in replies.items() if not must or pair[0] in must)
