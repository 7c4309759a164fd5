"""The best moves that can be found, with a proof where there is one."""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter

from noughts.game import Game
from noughts.geometry import Cell, geometry_of
from noughts.kernels import load
from noughts.opponent.advice import Advice, Proof
from noughts.opponent.position import Position, completing, legal_moves
from noughts.opponent.proofs import pairing, safe_moves
from noughts.opponent.search import forced_wins, look_ahead
from noughts.opponent.solver import MAX_CELLS, Solver
from noughts.rules import Rules

SEARCH_FIRST = 9  # cells: boards that are searched through at once
TINY_SECONDS = 60.0  # for these; never used up, so that slow machines choose alike
SEARCH_MEMORY = 64 * 2**20  # bytes
SEARCH_SHARE = 0.5  # of the seconds; the rest is for looking ahead if it finds nothing
PAIRINGS = 12  # moves for which pairs are sought

Found = tuple[Iterable[int], int | None, Proof | None]
"""The best moves, if any, what is proved of them, and how."""


def best_moves(game: Game, seconds: float) -> list[Advice]:
    """The best moves, in row-major order; those between which nothing decides together.

    In this order: complete a line; on tiny boards search; where the potential protects, a move
    that keeps it so; a win by force; search; pairs; and where nothing is proved, look ahead.

    Where the potential protects, nothing else is considered: the guarantee then needs no memory
    of earlier moves, and holds at every turn whoever plays on from there.
    """
    position = Position(game)
    numbers, value, proof = _best(game, position, seconds)
    return [Advice(position.cells[number], value, proof) for number in sorted(numbers)]


def _best(game: Game, position: Position, seconds: float) -> Found:
    deadline = perf_counter() + seconds
    ends, legal = completing(game, position), legal_moves(game, position)
    if game.rules.variant == "misere":
        others = [cell for cell in legal if cell not in ends]
        return _least_promising(position, others) if others else (legal, -1, "line")
    if ends:
        return ends, 1, "line"
    if not _may_prove(game.rules):
        return look_ahead(position, legal, deadline), None, None
    if game.rules.cells <= SEARCH_FIRST and (found := _by_search(game, position, TINY_SECONDS)):
        return found
    safe = safe_moves(position)
    if wins := _by_force(position, deadline, safe):
        return wins, 1, "search"
    if safe:
        return _most_promising(position, safe), 0, "potential"
    if len(threats := position.blocks()) > 1:  # all is lost
        return threats, -1, "search"
    share = seconds * SEARCH_SHARE
    if game.rules.cells <= MAX_CELLS and (found := _by_search(game, position, share)):
        return found
    if pairs := _by_pairing(position):
        return pairs, 0, "pairing"
    return look_ahead(position, legal, deadline), None, None


def _may_prove(rules: Rules) -> bool:
    """Whether the theorems hold: two players, and a line wins and may be blocked anywhere."""
    return rules.players == 2 and not rules.gravity and rules.variant == "freestyle"


def _least_promising(position: Position, cells: list[int]) -> Found:
    """Of these cells those that lengthen the fewest of the mover's lines."""
    weights = position.weights(position.turn)
    least = min(weights[cell] for cell in cells)
    return [cell for cell in cells if weights[cell] == least], None, None


def _most_promising(position: Position, cells: Iterable[int]) -> list[int]:
    """Of these cells those that promise most."""
    merits, cells = position.merits(), list(cells)
    most = max([merits[cell] for cell in cells])
    return [cell for cell in cells if merits[cell] == most]


def _by_force(position: Position, deadline: float, safe: list[int]) -> list[int]:
    """The moves that begin the shortest of the wins by force; only safe ones if there are any."""
    allowed = frozenset(safe or position.empty)
    wins = [win for win in forced_wins(position, deadline) if win[0] in allowed]
    shortest = min(map(len, wins), default=0)
    return [win[0] for win in wins if len(win) == shortest]


def _by_search(game: Game, position: Position, seconds: float) -> Found | None:
    """The moves of the best value, if the search finds one that wins or cannot lose, or all."""
    if load("solver") is None:
        return None
    deadline = perf_counter() + seconds
    solver = Solver(game.rules, memory=SEARCH_MEMORY)
    found = solver.values(game, seconds=seconds)
    best = max(-1 if value is None else value for value in found.values())
    if best < 0 and None in found.values():
        return None
    cells = [cell for cell, value in found.items() if value == best]
    if best < 1 and len(cells) > 1:
        cells = _most_slips(solver, game, cells, best, deadline)
    numbers = map(geometry_of(game.rules).number, cells)
    return _most_promising(position, numbers), best, "search"


def _most_slips(
    solver: Solver, game: Game, cells: list[Cell], value: int, deadline: float
) -> list[Cell]:
    """The moves after which the largest share of the replies gives some of the value away."""
    game, slips = game.copy(), []
    for cell in cells:
        left = deadline - perf_counter()
        if left <= 0:
            return cells
        game.play(cell)
        replies = solver.values(game, seconds=left).values()
        slips.append(sum(reply is not None and reply < -value for reply in replies))
        game.undo()
    return [cell for cell, count in zip(cells, slips, strict=True) if count == max(slips)]


def _by_pairing(position: Position) -> list[int]:
    """The most promising move after which the other player's lines can be paired off."""
    attacker = position.next_to(position.turn)
    for move in position.by_promise()[:PAIRINGS]:
        position.play(move)
        pairs = pairing(position, attacker)
        position.undo(move)
        if pairs is not None:
            return [move]
    return []
