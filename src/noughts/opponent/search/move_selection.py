"""Selection of the best moves, with a proof where one can be found."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import exp, inf
from threading import Event, Thread, local
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

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

SEARCH_FIRST = 9  # cells; boards up to this size are first searched to the end
TINY_SECONDS = 60.0  # for these boards; never used up, so slow machines choose the same moves
SEARCH_MEMORY = 64 * 2**20  # bytes
FALLING_MEMORY = 16 * 2**20  # with gravity; more hardly helps and takes time to fill
SEARCH_SHARE = 0.5  # of the seconds; the engine uses the rest
FALLING_SHARE = 0.9  # the same with gravity, where the search nearly always finds a value
TABLE = 32 * 2**20  # bytes for the engine's transposition table
SOON = 200_000  # positions searched for the soonest win, about 0.1 s; a number is repeatable
LAST_CELLS = 6  # with as many empty cells every game is short enough to be played to its end
PAIRINGS = 12  # moves after which a pairing is tried
SCALE = 250  # the engine's score at which 73% of the points are expected


class Found(NamedTuple):
    """The best moves, their proven value if there is one, the kind of proof, and the distance."""

    numbers: Iterable[int]
    value: int | None
    proof: Proof | None
    plies: int | None = None


Kept = TypeVar("Kept")

_kept = local()  # the last engine and solver of each thread, see `_keeping`


def best_moves(
    game: Game, seconds: float, nodes: int | None = None, threads: int = 1, optimum: float = inf
) -> list[Advice]:
    """Return the best moves in row-major order, more than one if they are equally good.

    These are tried in turn: completing a line; exact search, on tiny boards; a win by fours; a move
    that keeps the potential below 1; exact search; a pairing; and if nothing can be proved, the
    engine.

    If the potential is below 1, only moves that keep it there are considered. The guarantee then
    holds at every turn without any memory of earlier moves.

    Raises ModuleNotFoundError if the engine is needed, but was not compiled.
    """
    begun, seconds = perf_counter(), min(seconds, 1e8)  # the engine accepts no more
    latest, usual = begun + seconds, begun + min(optimum, 1e8)
    seconds, deadline = min(seconds, optimum), min(latest, usual)
    if nodes is not None:
        _kept.__dict__.clear()  # the result must depend on nothing but the game
    rules, geometry = game.rules, geometry_of(game.rules)
    if not VARIANTS[rules.variant].loses and (ends := game.threats(game.turn)):
        return [Advice(cell, 1, "line") for cell in sorted(ends)]
    found = None
    if _may_prove(game):
        found = _proved(game, seconds, deadline)
    elif rules.gravity and beyond(rules) is None:
        found = _by_search(game, seconds * FALLING_SHARE)
    if not found and rules.players == 2 and rules.cells - game.ply <= LAST_CELLS:
        found = _by_playing_out(game)
    if not found and not _has_engine(rules):
        found = _without_engine(game, deadline)
    if found:
        numbers, value, proof, plies = found
        cells = map(geometry.cell, sorted(numbers))
        return [Advice(cell, value, proof, plies=plies) for cell in cells]
    return [_engine_advice(game, latest, nodes, threads, usual)]


def _may_prove(game: Game) -> bool:
    """Return whether the theorems hold: two players, and the defender can answer anywhere."""
    rules = game.rules
    variant = VARIANTS[rules.variant]
    if rules.players > 2 or rules.gravity or variant.loses:
        return False
    return not variant.fouls or game.turn == 2


def _proved(game: Game, seconds: float, deadline: float) -> Found | None:
    """Return the best moves if anything can be proved about them."""
    rules = game.rules
    solvable = beyond(rules) is None
    if solvable and rules.cells <= SEARCH_FIRST and (found := _by_search(game, TINY_SECONDS)):
        return found
    # the opponent's lines that remain after any move, each of which weighs at least 2^-k
    lines = game.live_lines(3 - game.turn) - rules.k * len(geometry_of(rules).directions)
    position = Position(game)
    safe = safe_moves(position) if lines < 1 << rules.k else []
    if wins := _by_force(game, deadline, safe):
        return Found(wins, 1, "search")
    if safe:
        return Found(_most_promising(position, safe), 0, "potential")
    threats = game.threats(3 - game.turn)
    # if even a line between two of the mover's marks wins, every move loses
    certain = VARIANTS[rules.variant].decides(3 - game.turn, game.turn, game.turn)
    if len(threats) > 1 and certain:
        return Found(map(geometry_of(rules).number, threats), -1, "search")
    if solvable and (found := _by_search(game, seconds * SEARCH_SHARE)):
        return found
    if 2 * lines <= min(2 * MAX_LINES, rules.cells - game.ply) and (pairs := _by_pairing(game)):
        return Found(pairs, 0, "pairing")
    return None


def _most_promising(position: Position, cells: Iterable[int]) -> list[int]:
    merits, cells = position.merits(), list(cells)
    most = max([merits[cell] for cell in cells])
    return [cell for cell in cells if merits[cell] == most]


def _by_force(game: Game, deadline: float, safe: list[int]) -> list[int]:
    """Return the first moves of the shortest wins by fours, only safe ones if there are any."""
    if not _has_engine(game.rules):
        return []
    with _keeping("engine", game.rules, _engine) as engine:
        wins = engine.wins_by_fours(_numbers(game), max(0.0, (deadline - perf_counter()) / 4))
    wins = [win for win in wins if not safe or win[0] in safe]
    shortest = min(map(len, wins), default=0)
    return [win[0] for win in wins if len(win) == shortest]


def _by_search(game: Game, seconds: float) -> Found | None:
    """Return the moves of the best value, if the search finds a non-losing one or all values."""
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
        plies = None
        if best == 1:
            plies, cells = _soonest(solver, game, cells, deadline)
        if best < 1 and len(cells) > 1:
            cells = _most_slips(solver, game, cells, best, deadline)
    numbers = map(geometry_of(game.rules).number, cells)
    return Found(_most_promising(Position(game), numbers), best, "search", plies)


def _soonest(
    solver: Solver, game: Game, cells: list[Cell], deadline: float
) -> tuple[int | None, list[Cell]]:
    """Return the distance of the soonest wins and their moves, or None and `cells`."""
    game, share = game.copy(), SOON // len(cells)
    distances = dict[Cell, int]()
    for cell in cells:
        left = max(0.0, deadline - perf_counter())
        game.play(cell)
        plies = solver.solve(
            game, seconds=left, progress=lambda nodes, _: nodes > share, distance=True
        ).plies
        game.undo()
        if plies is None:
            return None, cells
        distances[cell] = plies + 1
    least = min(distances.values())
    return least, [cell for cell in cells if distances[cell] == least]


def _by_playing_out(game: Game) -> Found:
    """Return the best moves of a game that is nearly over, found by its rules alone."""
    game = game.copy()
    number = geometry_of(game.rules).number

    def value_after(cell: Cell) -> int:
        """Return the value of this move for its player."""
        player = game.turn
        outcome = game.play(cell)
        if outcome is None:
            value = -max(map(value_after, list(game.legal_moves)))
        else:
            value = 0 if outcome.winner is None else 1 if outcome.winner == player else -1
        game.undo()
        return value

    values = {cell: value_after(cell) for cell in list(game.legal_moves)}
    best = max(values.values())
    return Found([number(cell) for cell in values if values[cell] == best], best, "search")


def _most_slips(
    solver: Solver, game: Game, cells: list[Cell], value: int, deadline: float
) -> list[Cell]:
    """Return the moves after which the most replies give the opponent a worse result."""
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
    """Return the most promising move after which a pairing covers the other player's lines."""
    game, attacker = game.copy(), 3 - game.turn
    for move in by_promise(game)[:PAIRINGS]:
        game.play(move)
        pairs = pairing(Position(game), attacker)
        game.undo()
        if pairs is not None:
            return [geometry_of(game.rules).number(move)]
    return []


def _without_engine(game: Game, deadline: float) -> Found:
    """Return the best moves in games that the engine does not support."""
    number = geometry_of(game.rules).number
    if not VARIANTS[game.rules.variant].loses:
        return Found(map(number, look_ahead(game, deadline)), None, None)
    ends, weights = game.threats(game.turn), Position(game).weights(game.turn)
    others = [number(cell) for cell in game.legal_moves if cell not in ends]
    least = min([weights[cell] for cell in others], default=None)
    if least is None:
        return Found(map(number, ends), -1, "line")
    return Found([cell for cell in others if weights[cell] == least], None, None)


def _has_engine(rules: Rules) -> bool:
    return rules.players == 2 and bool(
        required("noughts.opponent.search._engine", 'the level "strong"').plays(rules)
    )


@contextmanager
def _keeping(name: str, rules: Rules, make: Callable[[Rules], Kept]) -> Iterator[Kept]:
    """Yield this thread's last engine or solver if it is for these rules, or else a new one.

    It is kept afterwards, so that it remembers positions from one move of a game to the next. It is
    not in `_kept` while in use, because a signal handler that interrupts a search may also search.
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
    """Return the moves as cell numbers, as the engine takes them."""
    return list(map(geometry_of(game.rules).number, game.history))


@contextmanager
def _helping(partner: Any, game: Game, deadline: float, count: int) -> Iterator[None]:
    """Run `count` more engines on the same position, each in its own thread, inside the block."""
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
            if thread.ident:  # it was started
                thread.join()


def _engine_advice(
    game: Game, deadline: float, nodes: int | None, threads: int, usual: float
) -> Advice:
    """Return the engine's move, found by the deadline and in most positions by `usual`."""
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
        chance=round(100 / (1 + exp(-score / SCALE))) if not plies else 100 * (plies > 0),
        plies=abs(plies) or None,
        depth=depth,
        line=cells,
    )
