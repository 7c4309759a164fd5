"""The best moves that can be found, with a proof where there is one."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from time import perf_counter

from noughts.game import Game
from noughts.geometry import Cell
from noughts.kernels import load
from noughts.opponent.advice import Advice, Proof
from noughts.opponent.forcing import forced_wins
from noughts.opponent.lookahead import look_ahead
from noughts.opponent.merit import by_promise, most_promising
from noughts.opponent.pairing import pairing
from noughts.opponent.position import Position
from noughts.opponent.potential import safe_moves
from noughts.opponent.solver import Solver

SEARCH_FIRST = 9  # cells: boards that are searched through at once
TINY_SECONDS = 60.0  # for these; never used up, so that slow machines choose alike
SEARCH_CELLS = 64  # what the search can hold
SEARCH_MEMORY = 64 * 2**20  # bytes
SEARCH_SHARE = 0.5  # of the seconds; the rest is for looking ahead if it finds nothing
PAIRINGS = 12  # moves for which pairs are sought


def best_moves(game: Game, seconds: float) -> list[Advice]:
    """The best moves, in row-major order; those between which nothing decides together.

    In this order: complete a line; on tiny boards search; where the potential protects, a move
    that keeps it so; a win by force; search; pairs; and where nothing is proved, look ahead.

    Where the potential protects, nothing else is considered: the guarantee then needs no memory
    of earlier moves, and holds at every turn whoever plays on from there.
    """
    deadline, share = perf_counter() + seconds, seconds * SEARCH_SHARE
    position = Position(game)
    if position.near[position.turn][1]:
        return _advices(position, position.threats(position.turn), 1, "line")
    if position.players > 2:
        return _advices(position, look_ahead(position, deadline))
    return (
        (_by_search(game, position, TINY_SECONDS) if game.rules.cells <= SEARCH_FIRST else [])
        or _by_potential(position, deadline)
        or _by_force(position, deadline)
        or _by_threats(position)
        or (_by_search(game, position, share) if game.rules.cells <= SEARCH_CELLS else [])
        or _by_pairing(position)
        or _advices(position, look_ahead(position, deadline))
    )


def _by_potential(position: Position, deadline: float) -> list[Advice]:
    """The most promising of the moves that keep P + max w < 1; first those that win by force."""
    safe = set(safe_moves(position))
    if not safe:
        return []
    return _by_force(position, deadline, safe) or _advices(
        position, most_promising(position, safe), 0, "potential"
    )


def _by_force(
    position: Position, deadline: float, allowed: Container[int] | None = None
) -> list[Advice]:
    """The moves that begin the shortest of the wins by force that were found."""
    wins = [
        series
        for series in forced_wins(position, deadline)
        if allowed is None or series[0] in allowed
    ]
    shortest = min(map(len, wins), default=0)
    return _advices(position, [win[0] for win in wins if len(win) == shortest], 1, "search")


def _by_threats(position: Position) -> list[Advice]:
    """If the other player can complete a line in two places, all is lost: take one of them."""
    threats = position.blocks()
    return _advices(position, threats, -1, "search") if len(threats) > 1 else []


def _by_search(game: Game, position: Position, seconds: float) -> list[Advice]:
    """The moves of the best value, if the search finds one that wins or cannot lose, or all."""
    if load("solver") is None:
        return []
    deadline = perf_counter() + seconds
    solver = Solver(game.rules, memory=SEARCH_MEMORY)
    found = solver.values(game, seconds=seconds)
    known = {cell: value for cell, value in found.items() if value is not None}
    best = max(known.values(), default=-1)
    if best < 0 and len(known) < len(found):
        return []
    cells = [cell for cell, value in known.items() if value == best]
    if best < 1:
        cells = _most_slips(solver, game, cells, best, deadline)
    numbers = map(position.tables.cells.index, cells)
    return _advices(position, most_promising(position, numbers), best, "search")


def _most_slips(
    solver: Solver, game: Game, cells: list[Cell], value: int, deadline: float
) -> list[Cell]:
    """The moves after which the largest share of the replies gives some of the value away."""
    if len(cells) < 2:
        return cells
    game = game.copy()
    slips = dict.fromkeys(cells, 0)
    for cell in cells:
        left = deadline - perf_counter()
        if left <= 0:
            return cells
        if game.play(cell) is None:
            replies = solver.values(game, seconds=left).values()
            slips[cell] = sum(reply is not None and reply < -value for reply in replies)
        game.undo()
    return [cell for cell in cells if slips[cell] == max(slips.values())]


def _by_pairing(position: Position) -> list[Advice]:
    """The most promising moves after which the other player's lines can be paired off."""
    attacker = position.next_to(position.turn)
    for move in by_promise(position)[:PAIRINGS]:
        position.play(move)
        pairs = pairing(position, attacker)
        position.undo(move)
        if pairs is not None:
            return _advices(position, [move], 0, "pairing")
    return []


def _advices(
    position: Position,
    cells: Iterable[int],
    value: int | None = None,
    proof: Proof | None = None,
) -> list[Advice]:
    name: Sequence[Cell] = position.tables.cells
    return [Advice(name[cell], value, proof) for cell in sorted(cells)]
