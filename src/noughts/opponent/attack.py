"""Proofs of who wins, also on boards that are too large to be searched to the end.

There the engine finds wins by threats: fours and threes, each of which threatens a win. Such a win
is written down with an answer to each reply that could spoil it, for
`noughts.opponent.exact.certificate` to check. Where threats alone do not win, **quiet moves** are
tried: moves after which the player wins by fewer quiet moves if the other one passes. Which replies
could spoil that win is known from its zone, see `noughts.opponent.exact.zones`.
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
from noughts.opponent.exact import proving
from noughts.opponent.exact.certificate import MAX_CELLS, Writer
from noughts.opponent.exact.solver import MAX_CELLS as SEARCHED
from noughts.opponent.exact.solver import MEMORY, beyond
from noughts.opponent.exact.zones import Step, WrongStep, Zones, bits, marks_of

PASS = -1  # for the engine
TABLE = 2**20  # bytes for its transposition table, which is hardly used
NODES = 40_000  # for a win by threats; four times as many for each quiet move that may follow


def prove(game: Game, *, seconds: float | None = None, memory: int = MEMORY) -> list[str] | None:
    """The lines of a certificate that proves the value of a position.

    On more than 64 cells it proves wins alone, in games that the engine plays, and looks for one
    until the time is over.

    Args:
        game: the position, in which the game is not over.
        seconds: the most time to take.
        memory: the most bytes for tables on up to 64 cells, without the certificate.

    Returns:
        None if there is not enough time or memory.

    Raises:
        InvalidRules: not for two players, in freestyle and without gravity, or too many cells.
        MemoryError, ModuleNotFoundError: as for `solve`.
    """
    rules = game.rules
    engine = required("noughts.opponent.search._engine", "a proof")
    most = MAX_CELLS if engine.plays(rules) else SEARCHED
    if reason := "is without gravity" if rules.gravity else beyond(rules, most):
        raise InvalidRules(f"a proof {reason}")
    if rules.cells <= SEARCHED:
        return proving.prove(game, seconds=seconds, memory=memory)
    try:
        return _Attack(game, engine.Engine(rules, TABLE), seconds).lines()
    except TimeoutError:
        return None


class _Attack:
    """The certificate of one position. Sets of cells are the bits of integers."""

    def __init__(self, game: Game, engine: Any, seconds: float | None) -> None:
        self._game, self._engine = game, engine
        self._deadline = None if seconds is None else monotonic() + seconds
        self._writer = Writer(game)
        self._written: dict[int, int] = {}  # the lines of steps
        self._steps: list[Step] = []
        self._zones = Zones(game.rules, self._steps.__getitem__)
        self._everywhere = (1 << game.rules.cells) - 1
        middle = tuple(side // 2 for side in game.rules.shape)
        self._middle = 1 << geometry_of(game.rules).number(middle)
        self._known: dict[tuple[int, int], int] = {}  # steps that win, by the marks
        self._failed: dict[tuple[int, int, int], int] = {}  # the quiet moves that did not suffice
        self._spoilers = Counter[int]()  # how often a reply was not answered

    def lines(self) -> list[str]:
        """Its lines.

        Raises:
            TimeoutError: no win was found in time.
        """
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
        """How the player to move wins with at most so many quiet moves: a step, if one is found.

        The win has a zone for so many spare marks of the other player's.
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
        """This move, with answers to all replies: a step; None if a reply has no answer."""
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
        """The moves that threaten such a win, those first whose win fewest replies could spoil."""
        sizes = dict[int, int]()
        for move in bits(self._zones.live(own, other) or self._middle & ~other):
            step = self._win(own | move, other, spare + 1, quiet)
            if step is not None:
                zone = self._zones.zone(step, own | move, other, spare + 1)
                sizes[move] = zone.bit_count()
        return sorted(sizes, key=sizes.__getitem__)

    def _wins(self, step: int, own: int, other: int, spare: int) -> bool:
        """Whether a step that wins elsewhere wins here, too."""
        try:
            self._zones.zone(step, own, other, spare)
        except WrongStep:
            return False
        return True

    def _threat(self, own: int, other: int, nodes: int) -> int:
        """The first move of a win by threats that the engine finds; 0 if it finds none."""
        left = 1e9 if self._deadline is None else self._deadline - monotonic()
        if left <= 0:
            raise TimeoutError
        pairs = zip_longest(_numbers(own), _numbers(other), fillvalue=PASS)
        moves = [number for pair in pairs for number in pair]
        cell, _, plies, proved, *_ = self._engine.think(moves, left, 4 * nodes, 1)
        return 1 << cell if proved and plies > 0 else 0

    def _add(self, step: Step) -> int:
        """Keep a step; its number."""
        self._steps.append(step)
        return len(self._steps) - 1

    def _line(self, number: int) -> int:
        """Write a step, after those that follow it; the number of its line."""
        if number not in self._written:
            step, replies = self._steps[number], defaultdict[int, list[int]](list)
            for reply, following in step.replies.items():
                replies[self._line(following)].extend(_numbers(reply))
            passed = None if step.passed is None else self._line(step.passed)
            move = next(_numbers(step.move), None)
            self._written[number] = self._writer.move(move, replies, passed)
        return self._written[number]


def _numbers(cells: int) -> Iterator[int]:
    """The numbers of these cells."""
    return (cell.bit_length() - 1 for cell in bits(cells))
