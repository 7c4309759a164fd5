"""Proofs of who wins, even on boards that are too large to search to the end.

On large boards the engine finds wins by threats: fours and threes, each of which threatens a win.
Such a win is recorded with an answer to each reply that could prevent it, so that
`noughts.opponent.exact.certificate` can check it. If threats are not enough, **quiet moves** are
tried: moves after which the player wins with fewer quiet moves if the other player passes. The zone
of that win contains the replies that could prevent it, see `noughts.opponent.exact.zones`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import zip_longest
from time import monotonic
from typing import Any

from noughts.compiled import required
from noughts.errors import InvalidRules
from noughts.game.game import Game
from noughts.game.geometry import geometry_of
from noughts.opponent.exact.certificate import MAX_CELLS, Writer
from noughts.opponent.exact.proving import CutOff, Proof
from noughts.opponent.exact.solver import MAX_CELLS as SEARCHED
from noughts.opponent.exact.solver import MEMORY, beyond
from noughts.opponent.exact.zones import Step, WrongStep, Zones, bits, marks_of

PASS = -1  # as the engine writes it
TABLE = 2**20  # bytes for its transposition table, which it hardly uses
NODES = 40_000  # for a win by threats; four times as many for each further quiet move


def prove(game: Game, *, seconds: float | None = None, memory: int = MEMORY) -> list[str] | None:
    """Prove the value of a position and return the lines of the certificate.

    On more than 64 cells only wins are proved, in games that the engine supports, and the search
    continues until the time is up.

    Args:
        game: a position in which the game is not over.
        seconds: time limit; None for no limit.
        memory: maximum size of the tables in bytes, on up to 64 cells and without the certificate.

    Returns:
        The lines, or None if the time or memory was not enough.

    Raises:
        InvalidRules: the rules are not freestyle for two players without gravity, or the board has
            too many cells.
        MemoryError: the tables cannot be allocated.
        ModuleNotFoundError: the search was not compiled.
    """
    rules = game.rules
    engine = required("noughts.opponent.search._engine", "a proof")
    most = MAX_CELLS if engine.plays(rules) else SEARCHED
    if reason := "is without gravity" if rules.gravity else beyond(rules, most):
        raise InvalidRules(f"a proof {reason}")
    try:
        if rules.cells <= SEARCHED:
            return Proof(game, seconds, memory).lines()
        return _Attack(game, engine.Engine(rules, TABLE), seconds).lines()
    except CutOff:
        return None


class _Attack:
    """A certificate of one position. Sets of cells are bits of integers."""

    def __init__(self, game: Game, engine: Any, seconds: float | None) -> None:
        self._game, self._engine = game, engine
        self._deadline = None if seconds is None else monotonic() + seconds
        self._writer = Writer(game)
        self._written: dict[int, int] = {}  # the line of each step
        self._steps: list[Step] = []
        self._zones = Zones(game.rules, self._steps.__getitem__)
        self._everywhere = (1 << game.rules.cells) - 1
        middle = tuple(side // 2 for side in game.rules.shape)
        self._middle = 1 << geometry_of(game.rules).number(middle)
        self._known: dict[tuple[int, int], int] = {}  # winning steps, by the marks
        self._failed: dict[tuple[int, int, int], int] = {}  # numbers of quiet moves that do not win
        self._spoilers = Counter[int]()  # how often each reply had no answer

    def lines(self) -> list[str]:
        """Return its lines. Raises CutOff if no win was found in time."""
        turn, marks = self._game.turn, marks_of(self._game)
        own, other = marks[turn - 1], marks[2 - turn]
        quiet, step, winner = 0, None, turn
        while step is None:
            step, winner = self._win(own, other, 0, quiet), turn
            if step is None:
                step, winner = self._answered(0, other, own, 0, quiet), 3 - turn
            quiet += 1
        self._writer.claim(winner, "wins", self._line(step))
        return self._writer.lines

    def _win(self, own: int, other: int, spare: int, quiet: int) -> int | None:
        """Find a step by which the player to move wins with at most `quiet` quiet moves.

        The win has a zone for `spare` spare marks of the other player.
        """
        known = self._known.get((own, other))
        if known is not None and self._wins(known, own, other, spare):
            return known
        is_full = own | other == self._everywhere
        if is_full or self._failed.get((own, other, spare), -1) >= quiet:
            return None
        move = self._threat(own, other, NODES * 4 ** min(quiet, 8))
        step = self._answered(move, own, other, spare, quiet) if move else None
        if step is None and quiet:
            for move in self._quiet_moves(own, other, spare, (quiet - 1) // 2):
                step = self._answered(move, own, other, spare, quiet - 1)
                if step is not None:
                    break
        if step is None:
            self._failed[own, other, spare] = quiet
        else:
            self._known[own, other] = step
        return step

    def _answered(self, move: int, own: int, other: int, spare: int, quiet: int) -> int | None:
        """Add a step with this move and an answer to each reply; None if a reply has none."""
        if move & self._zones.ends(own, other):
            return self._add(Step(move, {}))
        own |= move
        if self._zones.ends(other, own):
            return None
        ends = self._zones.ends(own, other)
        if ends & (ends - 1):
            return self._add(Step(move, {}))
        passed, zone, steps, replies = None, ends, list[int](), dict[int, int]()
        if not ends:
            passed = self._win(own, other, spare + 1, quiet // 2)
            if passed is None:
                return None
            steps.append(passed)
            zone = self._zones.zone(passed, own, other, spare + 1)
        for reply in sorted(bits(zone), key=self._spoilers.__getitem__, reverse=True):
            for step in steps:
                if self._wins(step, own, other | reply, spare):
                    break
            else:
                found = self._win(own, other | reply, spare, quiet)
                if found is None:
                    self._spoilers[reply] += 1
                    return None
                steps.append(step := found)
            replies[reply] = step
        return self._add(Step(move, replies, passed))

    def _quiet_moves(self, own: int, other: int, spare: int, quiet: int) -> list[int]:
        """Return the moves that threaten to win, those that fewest replies prevent first."""
        sizes = dict[int, int]()
        for move in bits(self._zones.live(own, other) or self._middle & ~other):
            step = self._win(own | move, other, spare + 1, quiet)
            if step is not None:
                zone = self._zones.zone(step, own | move, other, spare + 1)
                sizes[move] = zone.bit_count()
        return sorted(sizes, key=sizes.__getitem__)

    def _wins(self, step: int, own: int, other: int, spare: int) -> bool:
        """Return whether a step that wins in another position also wins here."""
        try:
            self._zones.zone(step, own, other, spare)
        except WrongStep:
            return False
        return True

    def _threat(self, own: int, other: int, nodes: int) -> int:
        """Return the first move of a win by threats, or 0 if the engine finds none."""
        left = 1e9 if self._deadline is None else self._deadline - monotonic()
        if left <= 0:
            raise CutOff
        pairs = zip_longest(_numbers(own), _numbers(other), fillvalue=PASS)
        moves = [number for pair in pairs for number in pair]
        cell, _, plies, proved, *_ = self._engine.think(moves, left, 4 * nodes, 1)
        return 1 << cell if proved and plies > 0 else 0

    def _add(self, step: Step) -> int:
        self._steps.append(step)
        return len(self._steps) - 1

    def _line(self, number: int) -> int:
        """Write a step after those that it refers to, and return the number of its line."""
        if number not in self._written:
            step, replies = self._steps[number], defaultdict[int, list[int]](list)
            for reply, following in step.replies.items():
                replies[self._line(following)].extend(_numbers(reply))
            passed = None if step.passed is None else self._line(step.passed)
            move = next(_numbers(step.move), None)
            self._written[number] = self._writer.move(move, replies, passed)
        return self._written[number]


def _numbers(cells: int) -> Iterator[int]:
    return (cell.bit_length() - 1 for cell in bits(cells))
