"""Looking a few plies ahead where nothing can be proved.

Alpha-beta over the cells that matter most, scored by the live lines of each player. With more
than two players all others are taken to work against the one who thinks: the paranoid search of
N. R. Sturtevant and R. E. Korf (*On pruning techniques for multi-player games*, AAAI 2000).
"""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter

from noughts.opponent.forcing import forced_win
from noughts.opponent.position import Position

DEPTH = 4  # plies; deeper only where a reply is forced
WIDTH = 10  # cells considered
WIN = 1 << 200  # more than any score


class OutOfTime(Exception):
    """The search has used its seconds."""


def look_ahead(position: Position, deadline: float) -> list[int]:
    """The moves that look best to the player to move, equally good ones together.

    The depth and the width are fixed, so the answer does not depend on the machine unless the
    time, a `perf_counter` reading, is up before; then it is that of the last full depth.
    """
    must = urgent_blocks(position)
    pool = promising(position, position.empty)
    moves = must or (pool[:WIDTH] if position.players > 2 else _defences(position, pool, deadline))
    if len(moves) < 2:
        return moves
    best = moves[:1]
    try:
        for depth in range(1, DEPTH + 1):
            best = _best(position, moves, pool[:WIDTH], depth, deadline)
            moves = [*best, *(move for move in moves if move not in best)]  # cuts off more
    except OutOfTime:
        pass
    return best


def urgent_blocks(position: Position) -> list[int]:
    """The cells with which the first of the others to move who can would complete a line."""
    player = position.next_to(position.turn)
    while player != position.turn:
        if position.near[player][1]:
            return sorted(position.threats(player))
        player = position.next_to(player)
    return []


def promising(position: Position, cells: Iterable[int]) -> list[int]:
    """The cells, those first that do most for the mover's lines and against the others'."""
    merit = merits(position)
    return sorted(cells, key=lambda cell: -merit[cell])


def merits(position: Position) -> list[int]:
    """For each cell, the lines it would lengthen, counted twice, and those it would block.

    A line with t marks counts 2^t.
    """
    merit = [2 * weight for weight in position.weights(position.turn)]
    for player in range(1, position.players + 1):
        if player != position.turn:
            weights = position.weights(player)
            merit = [own + other for own, other in zip(merit, weights, strict=True)]
    return merit


def _defences(position: Position, pool: list[int], deadline: float) -> list[int]:
    """The moves worth a thought: if the other player could win by force, those that prevent it."""
    position.turn = position.next_to(position.turn)  # as if the move were passed
    attack = forced_win(position, deadline)
    position.turn = position.next_to(position.turn)
    if not attack:
        return pool[:WIDTH]
    opponent = position.next_to(position.turn)
    lines = position.near[opponent][2]
    near = {*attack, *(cell for line in lines for cell in position.empty_on(line))}
    first = [cell for cell in pool if cell in near]
    forcing = {cell for line in position.near[position.turn][2] for cell in position.empty_on(line)}
    then = [cell for cell in pool if cell in forcing and cell not in near]
    for moves in (first, then):
        held = [
            move for move in moves if perf_counter() < deadline and _holds(position, move, deadline)
        ]
        if held:
            return held[: 2 * WIDTH]
    return first[:WIDTH] or pool[:WIDTH]


def _holds(position: Position, move: int, deadline: float) -> bool:
    """Whether the other player has no forced win after this move."""
    position.play(move)
    lost = forced_win(position, deadline)
    position.undo(move)
    return not lost


def _best(
    position: Position, moves: list[int], pool: list[int], depth: int, deadline: float
) -> list[int]:
    """Of these moves those of the highest score, each searched to the full window's edge."""
    mover, best, highest = position.turn, list[int](), -2 * WIN
    for move in moves:
        position.play(move)
        try:
            score = _score(position, mover, pool, depth - 1, highest - 1, 2 * WIN, deadline)
        finally:
            position.undo(move)
        if score > highest:
            best, highest = [move], score
        elif score == highest:
            best.append(move)
    return best


def _score(
    position: Position,
    mover: int,
    pool: list[int],
    depth: int,
    alpha: int,
    beta: int,
    deadline: float,
) -> int:
    """What the position is worth to `mover`, whoever's turn it is."""
    if perf_counter() > deadline:
        raise OutOfTime
    player = position.turn
    if position.near[player][1]:
        return WIN + depth if player == mover else -WIN - depth  # the sooner the more
    must = urgent_blocks(position)
    if depth <= 0 and not (must and depth > -DEPTH):
        return 2 * position.score[mover] - sum(position.score)
    moves = must or [cell for cell in pool if not position.marks[cell]]
    if not moves:
        return 2 * position.score[mover] - sum(position.score)
    best = None
    for move in moves:
        position.play(move)
        try:
            score = _score(position, mover, pool, depth - 1, alpha, beta, deadline)
        finally:
            position.undo(move)
        if player == mover:
            best = score if best is None else max(best, score)
            alpha = max(alpha, best)
        else:
            best = score if best is None else min(best, score)
            beta = min(beta, best)
        if alpha >= beta:
            break
    assert best is not None
    return best
