# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Judging many games at once; `noughts.bulk.arrays` is the door to it, with the documentation.

`judge_table` takes games as the rows of a table, `judge_ragged` as stretches of one long array.
Both read their moves in place, without the GIL, and are told the rules by plain numbers. A game is
judged by the first of these that fits, each a file beside this one:

* `three`: the 3×3 board, without a branch.
* `square`: square boards where a whole side wins, from what is on the board at the end.
* `lines`: early draws, and games much shorter than their square, by a tally for each line.
* `runs`: any other rules, along the player's own marks.

These and what they share (`games`, `plan`, `places`) are .pxd files of inline functions: they
become part of this module, which is thus compiled and optimized as a whole, or not at all.

Another thread may write to the moves while they are read. The verdicts mean nothing then, but
nothing is ever read or written outside: every value is checked each time it is read.
"""

import cython

if not cython.compiled:
    raise ImportError("noughts.kernels.judge has not been compiled")

from itertools import product
from math import prod

from cython.cimports.cpython.buffer import (
    Py_buffer,
    PyBUF_FORMAT,
    PyBUF_STRIDED_RO,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.noughts.kernels.games import Games, Integer, Out, Place, locate, offset
from cython.cimports.noughts.kernels.lines import judge_lines
from cython.cimports.noughts.kernels.plan import LINES, RUNS, SQUARE, THREE, Plan
from cython.cimports.noughts.kernels.runs import judge_runs
from cython.cimports.noughts.kernels.square import judge_square
from cython.cimports.noughts.kernels.three import Three, judge_threes

from noughts.checks import integer
from noughts.errors import InvalidRecord, InvalidRules

MAX_PLIES = 2**31 - 1  # the verdicts count plies in 32 bits
MAX_CELLS = 2**58  # so that sums of a few cell numbers fit in 64 bits
MAX_LINES = 2**22  # whose tallies are kept in a table, of 32 MiB
SMALL_BOARD = 2**18  # cells, in a table of 1 MiB

_three = cython.declare(Three)


def _fill_tables():
    lines = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124]
    for first in range(9):
        _three.marks_of[first | 255 << 8] = 1 << first
        for second in range(9):
            _three.marks_of[first | second << 8] = 1 << first | 1 << 16 + second
    for bits in range(512):
        _three.wins[bits] = any(bits & line == line for line in lines)
        _three.count_of[bits] = bits.bit_count()
    for ply in range(10):
        _three.half_of[ply] = 0 if ply % 2 else 16
        _three.since[ply] = max(0, 2**64 - 2 ** (8 * ply))
        _three.ninth_since[ply] = 255 if ply < 9 else 0


_fill_tables()


@cython.cclass
class _Integers:
    """A buffer of integers, held while it is read.

    `kind` is its items' size in bytes, negative if they have a sign.
    """

    view: Py_buffer
    held: cython.bint
    kind: cython.int

    def __cinit__(self, source, dimensions: cython.int, name: str):
        PyObject_GetBuffer(source, cython.address(self.view), PyBUF_STRIDED_RO | PyBUF_FORMAT)
        self.held = True
        text = "B" if self.view.format == cython.NULL else self.view.format.decode("latin-1")
        letter = text[1:] if text[:1] in ("@", "=", "<") and text != "<" else text
        if (
            len(letter) != 1
            or letter not in "bBhHiIlLqQnN"
            or self.view.itemsize not in (1, 2, 4, 8)
        ):
            raise TypeError(f"{name} must be integers in native byte order, not of format {text!r}")
        if self.view.ndim != dimensions:
            raise ValueError(f"{name} must have {dimensions} dimensions, not {self.view.ndim}")
        strides = [self.view.strides[axis] for axis in range(dimensions)]
        if any(
            place % self.view.itemsize
            for place in (cython.cast(cython.size_t, self.view.buf), *strides)
        ):
            raise ValueError(f"{name} must be aligned to its items of {self.view.itemsize} bytes")
        self.kind = self.view.itemsize * (-1 if letter in "bhilqn" else 1)

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(cython.address(self.view))


@cython.cfunc
def _longest(games: cython.pointer[Games]) -> cython.Py_ssize_t:
    """The length of the longest game. Raises InvalidRecord if an offset lies."""
    longest: cython.Py_ssize_t = 0
    liar: cython.Py_ssize_t = -1
    i: cython.Py_ssize_t
    begin: cython.longlong
    end: cython.longlong
    with cython.nogil:
        begin = offset(games, 0)
        if begin < 0 or begin > games.width:
            liar = 0
        for i in range(games.count):
            end = offset(games, i + 1)
            if end < begin or end > games.width:
                if liar < 0:
                    liar = i
                break
            longest = max(longest, end - begin)
            begin = end
    if liar >= 0:
        _raise_liar(games, liar)
    return longest


@cython.cfunc
def _raise_liar(games: cython.pointer[Games], game: cython.Py_ssize_t) -> cython.void:
    begin, end = offset(games, game), (offset(games, game + 1) if games.count else 0)
    raise InvalidRecord(
        f"game {game} cannot be from offset {begin} to {end}: offsets must ascend from 0 to"
        f" the number of values, {games.width}"
    )


# --- the rules, made ready ------------------------------------------------------------------------


def _directions(shape, k):
    """The directions in which k cells fit, one of each opposite pair; one only for k = 1."""
    origin = (0,) * len(shape)
    if k == 1:
        return [(*origin[1:], 1)]
    return [
        delta
        for delta in product((0, 1, -1), repeat=len(shape))
        if delta > origin
        and all(side >= k for side, step in zip(shape, delta, strict=True) if step)
    ]


def _line_counts(shape, k, directions):
    """How many lines there are in each direction."""
    return [
        prod(side - k + 1 if step else side for side, step in zip(shape, delta, strict=True))
        for delta in directions
    ]


@cython.cclass
class _Desk:
    """A `Plan`, and the memory that its pointers lead to."""

    plan: Plan
    rules: tuple
    rooms: cython.p_void[16]
    used: cython.int

    def __cinit__(self, shape, k, players, early_draw):
        # Plain integers: half a cell would be rounded here one way and there another.
        shape = tuple([integer(side, "side") for side in shape])
        k, players = integer(k, "k"), integer(players, "players")
        self.used = 0
        if not (
            1 <= len(shape) <= 8
            and min(shape) >= 1
            and 1 <= k <= max(shape)
            and 2 <= players <= 8
            and covers(shape, k, players, early_draw)
        ):
            raise InvalidRules(
                f"shape = {shape}, k = {k} and players = {players} cannot be judged by the kernel"
            )
        self.rules = (shape, k, players, early_draw)

    def __dealloc__(self):
        for i in range(self.used):
            free(self.rooms[i])

    @cython.cfunc
    def room(self, count: cython.size_t, itemsize: cython.size_t) -> cython.p_void:
        """Zeroed memory, freed with the desk."""
        memory: cython.p_void = calloc(count + 1, itemsize)
        if memory == cython.NULL:
            raise MemoryError(f"no room for {count} numbers of {itemsize} bytes to judge with")
        self.rooms[self.used] = memory
        self.used += 1
        return memory

    @cython.cfunc
    def numbers(self, values: list) -> cython.pointer[cython.longlong]:
        """An array of these values."""
        array = cython.cast(
            cython.pointer[cython.longlong], self.room(len(values), cython.sizeof(cython.longlong))
        )
        for i, value in enumerate(values):
            array[i] = value
        return array

    @cython.cfunc
    def make_room(self, longest: cython.Py_ssize_t) -> cython.void:
        """Choose the method, and get what it needs for games of up to this many plies."""
        shape, k, players, early_draw = self.rules
        plan: cython.pointer[Plan] = cython.address(self.plan)
        cells = prod(shape)
        plan.cells, plan.k, plan.players, plan.early_draw = cells, k, players, early_draw
        whole_side = set(shape) == {k} and len(shape) == 2
        if early_draw:
            plan.method = LINES
        elif whole_side and k == 3 and players == 2:
            plan.method = THREE
            plan.three = cython.address(_three)
            return
        elif whole_side and cells <= 16 * longest:
            plan.method = SQUARE
        elif whole_side and 2 * k + 2 <= MAX_LINES:
            plan.method = LINES
        else:
            plan.method = RUNS
        if plan.method == SQUARE:
            plan.marks = cython.cast(cython.pointer[cython.uchar], self.room(cells, 1))
            plan.rows = cython.cast(cython.pointer[cython.uchar], self.room(k, 1))
            plan.cols = cython.cast(cython.pointer[cython.uchar], self.room(k, 1))
        self.prepare_board(shape, longest)
        self.prepare_directions(shape, k)
        if plan.method != RUNS:
            self.prepare_lines(shape, k, players)

    @cython.cfunc
    def prepare_board(self, shape, longest) -> cython.void:
        plan: cython.pointer[Plan] = cython.address(self.plan)
        strides = [prod(side + 1 for side in shape[axis + 1 :]) for axis in range(len(shape))]
        plan.sides = len(shape)
        plan.side = self.numbers(list(shape))
        plan.stride = self.numbers(strides)
        plan.at = self.numbers([0] * len(shape))
        plan.margin = sum(strides)  # no step leads farther off the board
        places = prod(side + 1 for side in shape) + 2 * sum(strides)
        slots = 1 << max(4, (2 * min(longest, prod(shape))).bit_length())
        if places <= SMALL_BOARD or places <= 3 * slots:  # a slot takes three times as much
            plan.keys = cython.NULL
            plan.places = cython.cast(
                cython.pointer[cython.uint], self.room(places, cython.sizeof(cython.uint))
            )
            plan.mask = places - 1
            return
        plan.mask = slots - 1
        plan.places = cython.cast(
            cython.pointer[cython.uint], self.room(slots, cython.sizeof(cython.uint))
        )
        plan.keys = cython.cast(
            cython.pointer[cython.longlong], self.room(slots, cython.sizeof(cython.longlong))
        )

    @cython.cfunc
    def prepare_directions(self, shape, k) -> cython.void:
        plan: cython.pointer[Plan] = cython.address(self.plan)
        directions = _directions(shape, k)
        strides = [plan.stride[axis] for axis in range(plan.sides)]
        plan.directions = len(directions)
        plan.delta = self.numbers([step for delta in directions for step in delta])
        plan.reach = self.numbers(
            [
                sum(step * stride for step, stride in zip(delta, strides, strict=True))
                for delta in directions
            ]
        )

    @cython.cfunc
    def prepare_lines(self, shape, k, players) -> cython.void:
        plan: cython.pointer[Plan] = cython.address(self.plan)
        directions = _directions(shape, k)
        counts = _line_counts(shape, k, directions)
        origins, weights, nexts = [], [], []
        for number, delta in enumerate(directions):
            starts = [
                side - k + 1 if step else side for side, step in zip(shape, delta, strict=True)
            ]
            weight = [prod(starts[axis + 1 :]) for axis in range(len(shape))]
            # Lines that run against an axis begin k - 1 cells up it, the others at 0.
            lowest = sum((k - 1) * w for w, step in zip(weight, delta, strict=True) if step < 0)
            origins.append(sum(counts[:number]) - lowest)
            weights += weight
            nexts.append(sum(w * step for w, step in zip(weight, delta, strict=True)))
        plan.origin = self.numbers(origins)
        plan.weight = self.numbers(weights)
        plan.next_line = self.numbers(nexts)
        plan.line_count = sum(counts)
        plan.lines = cython.cast(
            cython.pointer[cython.ulonglong],
            self.room(sum(counts), cython.sizeof(cython.ulonglong)),
        )
        if plan.early_draw:
            plan.live = self.numbers([0] * (players * (k + 1)))
            plan.best = self.numbers([0] * players)


@cython.cfunc
def _judge(
    moves: _Integers,
    games: cython.pointer[Games],
    rules: tuple,
    verdicts: tuple,
) -> cython.void:
    if games.longest > MAX_PLIES:
        raise InvalidRecord(f"a game has at most {MAX_PLIES} moves, not {games.longest}")
    status: cython.schar[::1]
    winner: cython.schar[::1]
    ply: cython.int[::1]
    code: cython.schar[::1]
    status, winner, ply, code = verdicts
    for name, room in zip(
        ("status", "winner", "ply", "code"),
        (status.shape[0], winner.shape[0], ply.shape[0], code.shape[0]),
        strict=True,
    ):
        if room < games.count:
            raise ValueError(f"{name} has room for {room} of {games.count} games")
    if games.count == 0:
        return
    out = cython.declare(Out)
    out.status = cython.address(status[0])
    out.winner = cython.address(winner[0])
    out.ply = cython.address(ply[0])
    out.code = cython.address(code[0])
    desk = _Desk(*rules)
    desk.make_room(games.longest)
    plan: cython.pointer[Plan] = cython.address(desk.plan)
    data: cython.p_void = moves.view.buf
    kind: cython.int = moves.kind
    liar: cython.Py_ssize_t = -1
    with cython.nogil:
        if kind == -1:
            liar = _games(cython.cast(cython.pointer[cython.schar], data), games, plan, out)
        elif kind == 1:
            liar = _games(cython.cast(cython.pointer[cython.uchar], data), games, plan, out)
        elif kind == -2:
            liar = _games(cython.cast(cython.pointer[cython.short], data), games, plan, out)
        elif kind == 2:
            liar = _games(cython.cast(cython.pointer[cython.ushort], data), games, plan, out)
        elif kind == -4:
            liar = _games(cython.cast(cython.pointer[cython.int], data), games, plan, out)
        elif kind == 4:
            liar = _games(cython.cast(cython.pointer[cython.uint], data), games, plan, out)
        elif kind == -8:
            liar = _games(cython.cast(cython.pointer[cython.longlong], data), games, plan, out)
        else:
            liar = _games(cython.cast(cython.pointer[cython.ulonglong], data), games, plan, out)
    if liar >= 0:
        _raise_liar(games, liar)


# --- the games ------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _games(
    moves: cython.pointer[Integer],
    games: cython.pointer[Games],
    plan: cython.pointer[Plan],
    out: Out,
) -> cython.Py_ssize_t:
    """Judge all games. Returns -1, or the number of the first game whose offsets lie."""
    game: cython.Py_ssize_t
    place: Place
    first: cython.pointer[Integer]
    length: cython.Py_ssize_t
    step: cython.Py_ssize_t = games.step
    padded: cython.bint = games.padded
    method: cython.int = plan.method
    if method == THREE:
        return judge_threes(moves, games, plan.three, out)
    for game in range(games.count):
        place = locate(games, game)
        if place.length < 0:
            return game
        first, length = moves + place.begin, place.length
        if method == RUNS:
            judge_runs(first, step, length, padded, plan, out, game)
        elif method == SQUARE and plan.cells <= 16 * cython.cast(cython.ulonglong, length):
            judge_square(first, step, length, padded, plan, out, game)
        else:
            judge_lines(first, step, length, padded, plan, out, game)
    return -1


# --- the entry points -----------------------------------------------------------------------------


def covers(shape: tuple, k: int, players: int, early_draw: bool) -> bool:
    """Whether games by these rules can be judged here; if not, it is for want of memory."""
    if prod(side + 1 for side in shape) > MAX_CELLS:
        return False
    lines = sum(_line_counts(shape, k, _directions(shape, k)))
    return not early_draw or lines + players * (k + 1) <= MAX_LINES


def judge_table(moves, rules: tuple, verdicts: tuple) -> None:
    """Judge the games that are the rows of a table.

    Args:
        moves: a buffer of two dimensions, games × plies, of any integer type and any strides.
            The -1s at the end of a row are no moves, if the type has a sign.
        rules: (shape, k, players, early_draw).
        verdicts: (status, winner, ply, code), contiguous buffers to write to, of int8, int8, int32
            and int8, with room for all games.

    Raises:
        TypeError, ValueError: the buffers are not like this. InvalidRules: see `covers`.
        MemoryError: there is no room to work in.
    """
    table = _Integers(moves, 2, "moves")
    games = cython.declare(Games)
    games.count = table.view.shape[0]
    games.width = games.longest = table.view.shape[1]
    games.row = table.view.strides[0] // table.view.itemsize
    games.step = table.view.strides[1] // table.view.itemsize
    games.padded = table.kind < 0
    games.ragged = False
    _judge(table, cython.address(games), rules, verdicts)


def judge_ragged(values, offsets, rules: tuple, verdicts: tuple) -> None:
    """Judge the games whose moves are values[offsets[i]:offsets[i + 1]].

    Args:
        values: a buffer of one dimension, of any integer type and any stride.
        offsets: the same; one more than there are games, none less than the one before.
        rules, verdicts: as in `judge_table`.

    Raises:
        InvalidRecord: an offset lies; some of the verdicts have been written then.
        TypeError, ValueError, InvalidRules, MemoryError: as `judge_table`.
    """
    moves = _Integers(values, 1, "values")
    bounds = _Integers(offsets, 1, "offsets")
    if bounds.view.shape[0] < 1:
        raise InvalidRecord("offsets must be one more than there are games, not none")
    games = cython.declare(Games)
    games.count = bounds.view.shape[0] - 1
    games.width = moves.view.shape[0]
    games.row = 0
    games.step = moves.view.strides[0] // moves.view.itemsize
    games.padded = False
    games.ragged = True
    games.offsets = cython.cast(cython.pointer[cython.char], bounds.view.buf)
    games.offset_step = bounds.view.strides[0]
    games.offset_kind = bounds.kind
    games.longest = _longest(cython.address(games))
    _judge(moves, cython.address(games), rules, verdicts)
