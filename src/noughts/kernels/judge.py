# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Judging many games at once; `noughts.judge` is the door to it, with the documentation.

`judge_table` takes games as the rows of a table, `judge_ragged` as stretches of one long array.
Both read their moves in place, without the GIL, and are told the rules by plain numbers. A game is
judged by the first of these that fits:

* `_three`, the 3×3 board: nine bits a player and a table of the 512 ways to hold them. All nine
  plies are worked through without a branch, since a branch that depends on how a game went is
  guessed wrong about once a game, which would take longer than all the rest.
* `_square`, square boards where a whole side wins: marks are never taken off the board, so a line
  that is complete at any time is complete at the last. It is enough to place the marks, look at
  the lines once, and only if one is complete to ask when that was.
* `_lines`, the tallies of `Game`: for early draws, and for games much shorter than their board.
* `_runs`, any other rules: from each mark walk along the player's own marks in every direction.

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
from cython.cimports.libc.string import memset

from noughts.errors import InvalidRecord, InvalidRules

MAX_PLIES = 2**31 - 1  # the verdicts count plies in 32 bits
MAX_CELLS = 2**58  # so that sums of a few cell numbers fit in 64 bits
MAX_LINES = 2**22  # whose tallies are kept in a table, of 32 MiB
SMALL_BOARD = 2**18  # cells, in a table of 1 MiB

# What stands in the arrays of verdicts; the same order as in noughts.judge.
PENDING = cython.declare(cython.schar, 0)
WON = cython.declare(cython.schar, 1)
DRAW = cython.declare(cython.schar, 2)
ILLEGAL = cython.declare(cython.schar, 3)
NONE = cython.declare(cython.schar, 0)
OFF_BOARD = cython.declare(cython.schar, 1)
CELL_TAKEN = cython.declare(cython.schar, 2)
GAME_OVER = cython.declare(cython.schar, 3)

SCATTER = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)  # 2^64 / golden ratio, Knuth's
SPOILT = cython.declare(cython.ulonglong, 15)  # the owner of a line that nobody can complete

Integer = cython.fused_type(
    cython.schar,
    cython.uchar,
    cython.short,
    cython.ushort,
    cython.int,
    cython.uint,
    cython.longlong,
    cython.ulonglong,
)

Out = cython.struct(
    status=cython.pointer[cython.schar],
    winner=cython.pointer[cython.schar],
    ply=cython.pointer[cython.int],
    code=cython.pointer[cython.schar],
)

# Where the games are: rows of a table, or stretches of one array between two offsets.
Games = cython.struct(
    count=cython.Py_ssize_t,
    step=cython.Py_ssize_t,  # from a move to the next; this and the other strides in elements
    row=cython.Py_ssize_t,  # from a game to the next, in a table
    width=cython.Py_ssize_t,  # plies, in a table; else moves in all
    padded=cython.bint,  # whether trailing -1s are no moves
    ragged=cython.bint,
    offsets=cython.pointer[cython.char],
    offset_step=cython.Py_ssize_t,  # in bytes
    offset_kind=cython.int,
    longest=cython.Py_ssize_t,
)

THREE = cython.declare(cython.int, 0)
SQUARE = cython.declare(cython.int, 1)
LINES = cython.declare(cython.int, 2)
RUNS = cython.declare(cython.int, 3)

# The rules, made ready, and the room to work in.
Plan = cython.struct(
    method=cython.int,
    cells=cython.ulonglong,
    k=cython.longlong,
    players=cython.longlong,
    early_draw=cython.bint,
    sides=cython.Py_ssize_t,
    side=cython.pointer[cython.longlong],
    # The board of _lines and _runs. Each row has one more place at its end, which stays empty, so
    # that a walk off the board meets no mark: stride and margin count places, not cells.
    stride=cython.pointer[cython.longlong],
    margin=cython.longlong,
    stamp=cython.uint,  # this game's; marks with another are those of games before
    places=cython.pointer[cython.uint],  # stamp << 4 | player
    keys=cython.pointer[cython.longlong],  # which place it is, if places is a hash table
    mask=cython.ulonglong,  # the hash table's size - 1
    # directions
    directions=cython.Py_ssize_t,
    delta=cython.pointer[cython.longlong],  # [direction, side]
    reach=cython.pointer[cython.longlong],  # [direction]: the same in places
    # lines: the line in a direction that begins at a cell is origin + its coordinates · weight
    origin=cython.pointer[cython.longlong],  # [direction]
    weight=cython.pointer[cython.longlong],  # [direction, side]
    next_line=cython.pointer[cython.longlong],  # [direction]: that of the next cell
    line_count=cython.longlong,
    lines=cython.pointer[cython.ulonglong],  # stamp << 32 | tally << 4 | owner
    at=cython.pointer[cython.longlong],  # the coordinates of the cell being played
    unmarked=cython.longlong,  # lines without a mark
    live=cython.pointer[cython.longlong],  # [player, tally]: how many lines only the player has
    best=cython.pointer[cython.longlong],  # [player]: no live line has a higher tally
    # the marks of _square: a bit for each player, so that the AND of a line tells its holder
    marks=cython.pointer[cython.uchar],
    rows=cython.pointer[cython.uchar],
    cols=cython.pointer[cython.uchar],
)

# Of the 3×3 board, a bit a cell; bit 9 stands for no move and bit 10 for a cell off the board.
_bit_of = cython.declare(cython.uint[11])  # the bit of a cell + 1
_wins = cython.declare(cython.uchar[2048])  # whether these cells hold a line
_count_of = cython.declare(cython.uchar[2048])  # how many cells these are
_ends_of = cython.declare(cython.ushort[2048])  # the plies left: a bit each, the last one's lowest


def _fill_tables():
    lines = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124]
    for cell in range(-1, 10):
        _bit_of[cell + 1] = 1 << cell if 0 <= cell < 9 else 1 << 9 if cell < 0 else 1 << 10
    for bits in range(2048):
        count = (bits & 511).bit_count()
        _wins[bits] = any(bits & line == line for line in lines)
        _count_of[bits] = count
        _ends_of[bits] = (1 << (9 - count)) - 1 if bits < 1024 else 65535


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
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _integer(data: cython.pointer[cython.char], kind: cython.int) -> cython.longlong:
    """One offset; one too large for the return type comes out negative, and so as a lie."""
    if kind == -4:
        return cython.cast(cython.pointer[cython.int], data)[0]
    if kind == -8:
        return cython.cast(cython.pointer[cython.longlong], data)[0]
    if kind == 4:
        return cython.cast(cython.pointer[cython.uint], data)[0]
    if kind == 8:
        return cython.cast(cython.longlong, cython.cast(cython.pointer[cython.ulonglong], data)[0])
    if kind == -2:
        return cython.cast(cython.pointer[cython.short], data)[0]
    if kind == 2:
        return cython.cast(cython.pointer[cython.ushort], data)[0]
    if kind == -1:
        return cython.cast(cython.pointer[cython.schar], data)[0]
    return cython.cast(cython.pointer[cython.uchar], data)[0]


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _offset(games: cython.pointer[Games], i: cython.Py_ssize_t) -> cython.longlong:
    return _integer(games.offsets + i * games.offset_step, games.offset_kind)


@cython.cfunc
def _longest(games: cython.pointer[Games]) -> cython.Py_ssize_t:
    """The length of the longest game. Raises InvalidRecord if an offset lies."""
    longest: cython.Py_ssize_t = 0
    liar: cython.Py_ssize_t = -1
    i: cython.Py_ssize_t
    begin: cython.longlong
    end: cython.longlong
    with cython.nogil:
        begin = _offset(games, 0)
        if begin < 0 or begin > games.width:
            liar = 0
        for i in range(games.count):
            end = _offset(games, i + 1)
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
    begin, end = _offset(games, game), (_offset(games, game + 1) if games.count else 0)
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
        shape = tuple(shape)
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
    begin: cython.longlong = 0
    end: cython.longlong
    first: cython.pointer[Integer]
    length: cython.Py_ssize_t = games.width
    readable: cython.Py_ssize_t = games.width
    step: cython.Py_ssize_t = games.step
    padded: cython.bint = games.padded
    method: cython.int = plan.method
    if games.ragged:
        begin = _offset(games, 0)
        if begin < 0:
            return 0
    elif method == THREE and padded and step == 1 and length >= 9:
        # The most common case has a loop to itself, which the compiler then makes a tight one.
        for game in range(games.count):
            _three(moves + game * games.row, 1, length, True, plan, out, game)
        return -1
    for game in range(games.count):
        if games.ragged:
            end = _offset(games, game + 1)
            # They were looked at before, but may have been changed since.
            if begin > end or end > games.width or end - begin > games.longest:
                return game
            first = moves + begin * step
            length = end - begin
            readable = games.width - begin
            begin = end
        else:
            first = moves + game * games.row
        if method == THREE:
            if readable < 9:
                _three_slowly(first, step, length, padded, plan, out, game)
            elif padded:
                _three(first, step, length, True, plan, out, game)
            else:
                _three(first, step, length, False, plan, out, game)
        elif method == RUNS:
            _runs(first, step, length, padded, plan, out, game)
        elif method == SQUARE and plan.cells <= 16 * cython.cast(cython.ulonglong, length):
            _square(first, step, length, padded, plan, out, game)
        else:
            _lines(first, step, length, padded, plan, out, game)
    return -1


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _write(
    out: Out,
    game: cython.Py_ssize_t,
    status: cython.schar,
    winner: cython.schar,
    ply: cython.Py_ssize_t,
    code: cython.schar,
) -> cython.void:
    out.status[game] = status
    out.winner[game] = winner
    out.ply[game] = cython.cast(cython.int, ply)
    out.code[game] = code


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _settle(
    moves: cython.pointer[Integer],
    step: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    padded: cython.bint,
    plan: cython.pointer[Plan],
    ply: cython.Py_ssize_t,
    winner: cython.longlong,
    over: cython.bint,
    out: Out,
    game: cython.Py_ssize_t,
) -> cython.void:
    """Write the verdict on a game whose legal moves are the first `ply`."""
    code: cython.schar
    if ply < length and not (padded and _no_moves(moves, step, ply, length)):
        if cython.cast(cython.ulonglong, moves[ply * step]) >= plan.cells:
            code = OFF_BOARD
        else:
            code = GAME_OVER if over else CELL_TAKEN
        _write(out, game, ILLEGAL, 0, ply, code)
    elif winner:
        _write(out, game, WON, cython.cast(cython.schar, winner), ply, NONE)
    else:
        _write(out, game, DRAW if over else PENDING, 0, ply, NONE)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _no_moves(
    moves: cython.pointer[Integer],
    step: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.bint:
    """Whether there is nothing but -1 from ply `begin` to before `end`."""
    nothing: cython.ulonglong = cython.cast(cython.ulonglong, -1)
    other: cython.ulonglong = 0
    t: cython.Py_ssize_t
    if begin < end and cython.cast(cython.ulonglong, moves[begin * step]) != nothing:
        return False
    for t in range(begin, end):  # without a way out in the middle it is done many plies at a time
        other |= cython.cast(cython.ulonglong, moves[t * step]) ^ nothing
    return other == 0


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _three(
    moves: cython.pointer[Integer],
    step: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    padded: cython.bint,
    plan: cython.pointer[Plan],
    out: Out,
    game: cython.Py_ssize_t,
) -> cython.void:
    """The 3×3 board, two players; nine values can be read, whatever the game's length.

    A game is clean if all that is on the board comes first, no cell comes twice, nothing but
    missing moves comes after, and no line is complete before the last move.
    """
    crosses: cython.uint = 0
    noughts: cython.uint = 0
    ends: cython.uint = 0  # plies without a move and plies at which the mover holds a line:
    wins: cython.uint = 0  # a bit each, the last ply's is the lowest
    mark: cython.uint
    t: cython.int
    for t in range(0, 8, 2):
        mark = _mark(moves, step, t, length, padded)
        crosses |= mark
        ends = ends * 2 + (mark >> 9)
        wins = wins * 2 + _wins[crosses]
        mark = _mark(moves, step, t + 1, length, padded)
        noughts |= mark
        ends = ends * 2 + (mark >> 9)
        wins = wins * 2 + _wins[noughts]
    mark = _mark(moves, step, 8, length, padded)
    crosses |= mark
    ends = ends * 2 + (mark >> 9)
    wins = (wins * 2 + _wins[crosses]) & ~ends
    ply: cython.uint = _count_of[crosses | noughts]
    won: cython.bint = wins != 0
    if (
        (ends == _ends_of[crosses | noughts])
        & ((wins == 0) | (wins == ends + 1))
        & ((ply == length) | padded)
    ) and (not padded or length == 9 or _no_moves(moves, step, 9, length)):
        _write(out, game, won | ((ply == 9) & ~won) << 1, won << (~ply & 1), ply, 0)
    else:
        _three_slowly(moves, step, length, padded, plan, out, game)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _mark(
    moves: cython.pointer[Integer],
    step: cython.Py_ssize_t,
    t: cython.int,
    length: cython.Py_ssize_t,
    padded: cython.bint,
) -> cython.uint:
    """The bit of the cell played at ply t: bit 9 for no move, bit 10 for a cell off the board."""
    cell: cython.ulonglong = cython.cast(cython.ulonglong, moves[t * step]) + 1
    if cell > 10:
        cell = 10
    if not padded:
        cell = cell if t < length else 0
    return _bit_of[cell]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _three_slowly(
    moves: cython.pointer[Integer],
    step: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    padded: cython.bint,
    plan: cython.pointer[Plan],
    out: Out,
    game: cython.Py_ssize_t,
) -> cython.void:
    """The 3×3 board, two players, move by move."""
    mine: cython.uint = 0
    theirs: cython.uint = 0
    cell: cython.ulonglong
    ply: cython.Py_ssize_t = 0
    winner: cython.longlong = 0
    over: cython.bint = False
    while ply < length and not over:
        cell = cython.cast(cython.ulonglong, moves[ply * step])
        if cell >= 9 or (mine | theirs) >> cell & 1:
            break
        mine, theirs = theirs, mine | cython.cast(cython.uint, 1) << cell
        ply += 1
        if _wins[theirs]:
            winner = 2 - (ply & 1)
        over = winner != 0 or ply == 9
    _settle(moves, step, length, padded, plan, ply, winner, over, out, game)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _square(
    moves: cython.pointer[Integer],
    step: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    padded: cython.bint,
    plan: cython.pointer[Plan],
    out: Out,
    game: cython.Py_ssize_t,
) -> cython.void:
    """A square board on which a whole side wins; games not much shorter than their board."""
    cells: cython.ulonglong = plan.cells
    marks: cython.pointer[cython.uchar] = plan.marks
    last: cython.uint = 1 << (plan.players - 1)
    mark: cython.uint = 1
    cell: cython.ulonglong
    ply: cython.Py_ssize_t = 0
    limit: cython.Py_ssize_t = length
    winner: cython.longlong = 0
    if cython.cast(cython.ulonglong, limit) > cells:
        limit = cells
    memset(marks, 0, cells)
    marks[cells] = 1  # stands for every cell off the board, and is taken
    while ply < limit:
        cell = cython.cast(cython.ulonglong, moves[ply * step])
        cell = cell if cell < cells else cells
        if marks[cell]:
            break
        marks[cell] = mark
        mark = 1 if mark == last else mark << 1
        ply += 1
    if ply > (plan.k - 1) * plan.players:
        ply = _first_win(moves, step, plan, ply, cython.address(winner))
    over: cython.bint = winner != 0 or cython.cast(cython.ulonglong, ply) == cells
    _settle(moves, step, length, padded, plan, ply, winner, over, out, game)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _first_win(
    moves: cython.pointer[Integer],
    step: cython.Py_ssize_t,
    plan: cython.pointer[Plan],
    plies: cython.Py_ssize_t,
    winner: cython.pointer[cython.longlong],
) -> cython.Py_ssize_t:
    """After how many of these plies, all of them marked, the first line was complete.

    Returns `plies` and sets no winner if none is.
    """
    n: cython.Py_ssize_t = plan.k
    row: cython.pointer[cython.uchar] = plan.marks
    rows: cython.pointer[cython.uchar] = plan.rows
    cols: cython.pointer[cython.uchar] = plan.cols
    diagonal: cython.uchar = 255
    anti_diagonal: cython.uchar = 255
    held: cython.uchar
    r: cython.Py_ssize_t
    c: cython.Py_ssize_t
    complete: cython.Py_ssize_t = 0
    memset(cols, 255, n)
    for r in range(n):
        held = 255
        for c in range(n):
            held &= row[c]
        for c in range(n):
            cols[c] &= row[c]
        rows[r] = held
        complete += held != 0
        diagonal &= row[r]
        anti_diagonal &= row[n - 1 - r]
        row += n
    for c in range(n):
        complete += cols[c] != 0
    complete += (diagonal != 0) + (anti_diagonal != 0)
    if complete == 0:
        return plies
    # Backwards, the first move met on a line is the one that completed it. In a game that ends
    # with its win this is the very last.
    t: cython.Py_ssize_t = plies
    first: cython.Py_ssize_t = plies
    cell: cython.ulonglong
    found: cython.Py_ssize_t
    while complete > 0 and t > 0:
        t -= 1
        cell = cython.cast(cython.ulonglong, moves[t * step])
        if cell >= plan.cells:
            continue  # it was not when it was marked: someone is writing to the moves
        r = cell // cython.cast(cython.ulonglong, n)
        c = cell - r * n
        found = (rows[r] != 0) + (cols[c] != 0)
        rows[r] = cols[c] = 0
        if r == c and diagonal:
            found += 1
            diagonal = 0
        if r + c == n - 1 and anti_diagonal:
            found += 1
            anti_diagonal = 0
        if found:
            first = t
            complete -= found
    winner[0] = first % plan.players + 1
    return first + 1


# --- the board of the two general methods ---------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _clear_board(plan: cython.pointer[Plan]) -> cython.void:
    """A new stamp makes all older marks and tallies void."""
    plan.stamp += 1
    if plan.stamp == 1 << 28:
        plan.stamp = 1
        memset(plan.places, 0, (plan.mask + 1) * cython.sizeof(cython.uint))
        if plan.lines:
            memset(plan.lines, 0, plan.line_count * cython.sizeof(cython.ulonglong))


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _place(plan: cython.pointer[Plan], cell: cython.ulonglong) -> cython.longlong:
    """The place of a cell on the board; leaves its coordinates in `plan.at`."""
    place: cython.longlong = plan.margin
    side: cython.ulonglong
    rest: cython.ulonglong
    axis: cython.Py_ssize_t = plan.sides - 1
    while axis > 0:
        side = plan.side[axis]
        rest = cell // side
        plan.at[axis] = cell - rest * side
        place += plan.at[axis] * plan.stride[axis]
        cell = rest
        axis -= 1
    plan.at[0] = cell
    return place + plan.at[0] * plan.stride[0]


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _slot(plan: cython.pointer[Plan], place: cython.longlong) -> cython.longlong:
    """Where the place is kept; in a hash table, where it is or where it would be.

    The table has room for twice as many marks as there are moves in the longest game.
    """
    slot: cython.ulonglong
    if plan.keys == cython.NULL:
        return place
    slot = cython.cast(cython.ulonglong, place) * SCATTER
    slot = (slot ^ slot >> 32) & plan.mask
    while plan.places[slot] >> 4 == plan.stamp and plan.keys[slot] != place:
        slot = (slot + 1) & plan.mask
    return slot


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _take(
    plan: cython.pointer[Plan], place: cython.longlong, player: cython.longlong
) -> cython.bint:
    """Mark the place for the player, unless it is taken."""
    slot: cython.longlong = _slot(plan, place)
    if plan.places[slot] >> 4 == plan.stamp:
        return False
    plan.places[slot] = plan.stamp << 4 | cython.cast(cython.uint, player)
    if plan.keys != cython.NULL:
        plan.keys[slot] = place
    return True


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _run(
    plan: cython.pointer[Plan],
    place: cython.longlong,
    step: cython.longlong,
    mark: cython.uint,
    most: cython.longlong,
) -> cython.longlong:
    """How many places beyond this one bear the mark, going this way; `most` at most."""
    length: cython.longlong = 0
    while length < most:
        place += step
        if plan.places[_slot(plan, place)] != mark:
            break
        length += 1
    return length


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _runs(
    moves: cython.pointer[Integer],
    step: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    padded: cython.bint,
    plan: cython.pointer[Plan],
    out: Out,
    game: cython.Py_ssize_t,
) -> cython.void:
    """Any rules without early draws."""
    cell: cython.ulonglong
    place: cython.longlong
    mark: cython.uint
    run: cython.longlong
    player: cython.longlong = 0
    winner: cython.longlong = 0
    ply: cython.Py_ssize_t = 0
    d: cython.Py_ssize_t
    over: cython.bint = False
    _clear_board(plan)
    while ply < length and not over:
        cell = cython.cast(cython.ulonglong, moves[ply * step])
        if cell >= plan.cells:
            break
        place = _place(plan, cell)
        player = 1 if player == plan.players else player + 1
        if not _take(plan, place, player):
            break
        ply += 1
        mark = plan.stamp << 4 | cython.cast(cython.uint, player)
        for d in range(plan.directions):
            run = 1 + _run(plan, place, plan.reach[d], mark, plan.k - 1)
            run += _run(plan, place, -plan.reach[d], mark, plan.k - run)
            if run >= plan.k:
                winner = player
                break
        over = winner != 0 or cython.cast(cython.ulonglong, ply) == plan.cells
    _settle(moves, step, length, padded, plan, ply, winner, over, out, game)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _lines(
    moves: cython.pointer[Integer],
    step: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    padded: cython.bint,
    plan: cython.pointer[Plan],
    out: Out,
    game: cython.Py_ssize_t,
) -> cython.void:
    """Any rules, by a tally for each line."""
    cell: cython.ulonglong
    player: cython.longlong = 0
    winner: cython.longlong = 0
    ply: cython.Py_ssize_t = 0
    over: cython.bint
    _clear_board(plan)
    if plan.early_draw:
        _clear_live(plan, length)
    over = plan.early_draw and not _winnable(plan, 0)
    while ply < length and not over:
        cell = cython.cast(cython.ulonglong, moves[ply * step])
        if cell >= plan.cells:
            break
        player = 1 if player == plan.players else player + 1
        if not _take(plan, _place(plan, cell), player):
            break
        ply += 1
        if _add(plan, player):
            winner = player
        over = (
            winner != 0
            or cython.cast(cython.ulonglong, ply) == plan.cells
            or (plan.early_draw and not _winnable(plan, ply))
        )
    _settle(moves, step, length, padded, plan, ply, winner, over, out, game)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add(plan: cython.pointer[Plan], player: cython.longlong) -> cython.bint:
    """Count a mark at `plan.at` on every line through it; whether that completes one."""
    complete: cython.bint = False
    behind: cython.longlong
    ahead: cython.longlong
    below: cython.longlong
    above: cython.longlong
    line: cython.longlong
    delta: cython.longlong
    d: cython.Py_ssize_t
    axis: cython.Py_ssize_t
    for d in range(plan.directions):
        behind = ahead = plan.k - 1
        line = plan.origin[d]
        for axis in range(plan.sides):
            line += plan.at[axis] * plan.weight[d * plan.sides + axis]
            delta = plan.delta[d * plan.sides + axis]
            if delta:
                below = plan.at[axis]
                above = plan.side[axis] - 1 - below
                behind = min(behind, below if delta > 0 else above)
                ahead = min(ahead, above if delta > 0 else below)
        line -= behind * plan.next_line[d]
        while behind + ahead >= plan.k - 1:
            complete |= _count(plan, line, player)
            line += plan.next_line[d]
            behind -= 1
    return complete


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _count(
    plan: cython.pointer[Plan], line: cython.longlong, player: cython.longlong
) -> cython.bint:
    """Count a mark on a line; whether that completes it."""
    state: cython.ulonglong = plan.lines[line]
    fresh: cython.ulonglong = cython.cast(cython.ulonglong, plan.stamp) << 32
    mine: cython.ulonglong = cython.cast(cython.ulonglong, player)
    tally: cython.longlong = 0
    if state >> 32 != plan.stamp:
        state = fresh
        plan.unmarked -= 1
    elif state & 15 == SPOILT:
        return False
    else:
        tally = cython.cast(cython.uint, state) >> 4
        if plan.early_draw:
            plan.live[((state & 15) - 1) * (plan.k + 1) + tally] -= 1
        if state & 15 != mine:
            plan.lines[line] = fresh | SPOILT
            return False
    tally += 1
    plan.lines[line] = fresh | cython.cast(cython.ulonglong, tally) << 4 | mine
    if plan.early_draw:
        plan.live[(player - 1) * (plan.k + 1) + tally] += 1
        plan.best[player - 1] = max(plan.best[player - 1], tally)
    return tally == plan.k


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _clear_live(plan: cython.pointer[Plan], length: cython.Py_ssize_t) -> cython.void:
    """No line bears a mark. Tallies above the game's length are 0 from the beginning."""
    player: cython.longlong
    most: cython.longlong = plan.k
    plan.unmarked = plan.line_count
    for player in range(plan.players):
        plan.best[player] = 0
        memset(plan.live + player * (plan.k + 1), 0, (most + 1) * cython.sizeof(cython.longlong))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _winnable(plan: cython.pointer[Plan], ply: cython.longlong) -> cython.bint:
    """`Game.winnable`: whether a player's best live line lacks no more than the moves they have.

    Lowering `best` costs no more in all than raising it did.
    """
    empty: cython.longlong = cython.cast(cython.longlong, plan.cells) - ply
    wait: cython.longlong
    player: cython.longlong
    best: cython.longlong
    for wait in range(plan.players):
        player = (ply + wait) % plan.players
        best = plan.best[player]
        while best > 0 and plan.live[player * (plan.k + 1) + best] == 0:
            best -= 1
        plan.best[player] = best
        if (best > 0 or plan.unmarked > 0) and plan.k - best <= (
            empty - wait + plan.players - 1
        ) // plan.players:
            return True
    return False


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
