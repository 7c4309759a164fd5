"""The best moves that can be found, with a proof where there is one."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import exp, inf
from threading import Event, Thread, local
from time import perf_counter
from typing import Any, TypeVar

from noughts.compiled import load, required
from noughts.game.game import Game
from noughts.game.geometry import Cell, geometry_of
from noughts.game.rules import VARIANTS, Rules
from noughts.opponent.advice import Advice, Proof, advice_of
from noughts.opponent.exact.position import Position, by_promise
from noughts.opponent.exact.proofs import MAX_LINES, pairing, safe_moves
from noughts.opponent.exact.solver import Solver, beyond, searching
from noughts.opponent.search.lookahead import look_ahead
from noughts.opponent.search.network import network_for

SEARCH_FIRST = 9  # cells: up to here boards are searched to the end first
TINY_SECONDS = 60.0  # for these; never used up, so that slow machines choose the same
SEARCH_MEMORY = 64 * 2**20  # bytes
FALLING_MEMORY = 16 * 2**20  # where marks fall; more is hardly better, and takes time to fill
SEARCH_SHARE = 0.5  # of the seconds; the rest is for the engine
FALLING_SHARE = 0.9  # the same where marks fall: there the search nearly always finds something
TABLE = 32 * 2**20  # bytes for the engine's transposition table
PAIRINGS = 12  # moves for which pairs are tried
EVEN = 250  # the engine's score at which 73 % of the points are expected

Found = tuple[Iterable[int], int | None, Proof | None]
"""The best moves, if any, what is proved of them, and how."""

Kept = TypeVar("Kept")

_kept = local()  # what each thread has searched with last, see `_keeping`


def best_moves(
    game: Game, seconds: float, nodes: int | None = None, threads: int = 1, optimum: float = inf
) -> list[Advice]:
    """The best moves, in row-major order; several if they are equally good.

    The order: complete a line; on tiny boards search; where the potential protects, a move that
    keeps it so; a win by fours; search; pairs; and if nothing is proved, the engine.

    Where the potential protects, nothing else is considered: then the guarantee needs no memory
    of earlier moves, and holds at every turn.

    Raises:
        ModuleNotFoundError: the engine is needed, which was not compiled.
    """
    begun, seconds = perf_counter(), min(seconds, 1e8)  # more than the engine takes is no error
    latest, usual = begun + seconds, begun + min(optimum, 1e8)
    seconds, deadline = min(seconds, optimum), min(latest, usual)
    if nodes is not None:
        _kept.__dict__.clear()  # the answer must depend on the game alone
    rules, geometry = game.rules, geometry_of(game.rules)
    if not VARIANTS[rules.variant].loses and (ends := game.threats(game.turn)):
        return [Advice(cell, 1, "line") for cell in sorted(ends)]
    found = None
    if _may_prove(game):
        found = _proved(game, seconds, deadline)
    elif rules.gravity and beyond(rules) is None:
        found = _by_search(game, seconds * FALLING_SHARE)
    if not found and not _has_engine(rules):
        found = _without_engine(game, deadline)
    if found:
        numbers, value, proof = found
        return [Advice(geometry.cell(number), value, proof) for number in sorted(numbers)]
    return [_engine_advice(game, latest, nodes, threads, usual)]


def _may_prove(game: Game) -> bool:
    """Whether the theorems hold: two players, and the defender may answer anywhere."""
    rules = game.rules
    variant = VARIANTS[rules.variant]
    if rules.players > 2 or rules.gravity or variant.loses:
        return False
    return not variant.fouls or game.turn == 2


def _proved(game: Game, seconds: float, deadline: float) -> Found | None:
    """The best moves, if anything is proved about them."""
    rules = game.rules
    solvable = beyond(rules) is None
    if solvable and rules.cells <= SEARCH_FIRST and (found := _by_search(game, TINY_SECONDS)):
        return found
    # the opponent's lines that even the best move leaves, which weigh 2^-k or more
    lines = game.live_lines(3 - game.turn) - rules.k * len(geometry_of(rules).directions)
    position = Position(game)
    safe = safe_moves(position) if lines < 1 << rules.k else []
    if wins := _by_force(game, deadline, safe):
        return wins, 1, "search"
    if safe:
        return _most_promising(position, safe), 0, "potential"
    threats = game.threats(3 - game.turn)
    # A line that wins even between two marks of the mover's: all is lost.
    certain = VARIANTS[rules.variant].decides(3 - game.turn, game.turn, game.turn)
    if len(threats) > 1 and certain:
        return map(geometry_of(rules).number, threats), -1, "search"
    if solvable and (found := _by_search(game, seconds * SEARCH_SHARE)):
        return found
    if 2 * lines <= min(2 * MAX_LINES, rules.cells - game.ply) and (pairs := _by_pairing(game)):
        return pairs, 0, "pairing"
    return None


def _most_promising(position: Position, cells: Iterable[int]) -> list[int]:
    """The most promising of these cells."""
    merits, cells = position.merits(), list(cells)
    most = max([merits[cell] for cell in cells])
    return [cell for cell in cells if merits[cell] == most]


def _by_force(game: Game, deadline: float, safe: list[int]) -> list[int]:
    """The moves that begin the shortest of the wins by fours; only safe ones if there are any."""
    if not _has_engine(game.rules):
        return []
    with _keeping("engine", game.rules, _engine) as engine:
        wins = engine.wins_by_fours(_numbers(game), max(0.0, (deadline - perf_counter()) / 4))
    wins = [win for win in wins if not safe or win[0] in safe]
    shortest = min(map(len, wins), default=0)
    return [win[0] for win in wins if len(win) == shortest]


def _by_search(game: Game, seconds: float) -> Found | None:
    """The moves of the best value, if the search finds one that does not lose, or all values."""
    if load(searching(game.rules)) is None:
        return None
    with _keeping("solver", game.rules, _solver) as solver:
        deadline = perf_counter() + seconds
        found = solver.values(game, seconds=seconds)
        known = {value for value in found.values() if value is not None}
        if not known or (max(known) < 0 and None in found.values()):
            return None
        best = max(known)
        cells = [cell for cell, value in found.items() if value == best]
        if best < 1 and len(cells) > 1:
            cells = _most_slips(solver, game, cells, best, deadline)
    numbers = map(geometry_of(game.rules).number, cells)
    return _most_promising(Position(game), numbers), best, "search"


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


def _by_pairing(game: Game) -> list[int]:
    """The most promising move after which the other player's lines can be paired off."""
    game, attacker = game.copy(), 3 - game.turn
    for move in by_promise(game)[:PAIRINGS]:
        game.play(move)
        pairs = pairing(Position(game), attacker)
        game.undo()
        if pairs is not None:
            return [geometry_of(game.rules).number(move)]
    return []


def _without_engine(game: Game, deadline: float) -> Found:
    """The best moves of games that the engine does not play."""
    number = geometry_of(game.rules).number
    if not VARIANTS[game.rules.variant].loses:
        return map(number, look_ahead(game, deadline)), None, None
    ends, weights = game.threats(game.turn), Position(game).weights(game.turn)
    others = [number(cell) for cell in game.legal_moves if cell not in ends]
    least = min([weights[cell] for cell in others], default=None)
    if least is None:
        return map(number, ends), -1, "line"
    return [cell for cell in others if weights[cell] == least], None, None


def _has_engine(rules: Rules) -> bool:
    """Whether the engine plays such games."""
    return rules.players == 2 and bool(
        required("noughts.opponent.search._engine", 'the level "strong"').plays(rules)
    )


@contextmanager
def _keeping(name: str, rules: Rules, make: Callable[[Rules], Kept]) -> Iterator[Kept]:
    """What this thread last searched with under these rules, or a new one; it is kept.

    It remembers positions from one move of a game to the next. While in use it is not kept, as a
    signal handler that interrupts a search may search, too.
    """
    before: tuple[Rules, Kept] | None = _kept.__dict__.pop(name, None)
    kept = before[1] if before and before[0] == rules else make(rules)
    yield kept
    setattr(_kept, name, (rules, kept))


def _engine(rules: Rules, partner: Any = None) -> Any:
    engine = required("noughts.opponent.search._engine", 'the level "strong"')
    return engine.Engine(rules, TABLE, network_for(rules), partner)


def _solver(rules: Rules) -> Solver:
    return Solver(rules, memory=FALLING_MEMORY if rules.gravity else SEARCH_MEMORY)


def _numbers(game: Game) -> list[int]:
    """The moves as the engine takes them."""
    return list(map(geometry_of(game.rules).number, game.history))


@contextmanager
def _helping(partner: Any, game: Game, deadline: float, count: int) -> Iterator[None]:
    """So many engines search the same position in threads of their own, until this ends."""
    halted, threads = Event(), list[Thread]()
    arguments = _numbers(game), max(0.0, deadline - perf_counter()), 0, 0, halted
    try:
        for engine in [_engine(game.rules, partner) for _ in range(count)]:
            threads.append(Thread(target=engine.think, args=arguments))
            threads[-1].start()
        yield
    finally:
        halted.set()
        for thread in threads:
            if thread.ident:  # it has been started
                thread.join()


def _engine_advice(
    game: Game, deadline: float, nodes: int | None, threads: int, usual: float
) -> Advice:
    """What the engine finds by a time, usually by an earlier one, with so many threads."""
    with (
        _keeping("engine", game.rules, _engine) as engine,
        _helping(engine, game, deadline, 0 if engine.full else threads - 1),
    ):
        seconds = max(0.0, deadline - perf_counter())
        thought = engine.think(_numbers(game), seconds, nodes or 0, optimum=usual - perf_counter())
    _, score, plies, proved, depth, _, line = thought
    cells = tuple(map(geometry_of(game.rules).cell, line))
    if cells[0] in game.threats(game.turn):
        return advice_of(game, cells[0])
    return Advice(
        cells[0],
        (plies > 0) - (plies < 0) if proved else None,
        "search" if proved else None,
        chance=round(100 / (1 + exp(-score / EVEN))) if not plies else 100 * (plies > 0),
        plies=abs(plies) or None,
        depth=depth,
        line=cells,
    )
