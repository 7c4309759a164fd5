# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Judging many games at once. `noughts.bulk.arrays` calls and documents it.

`judge` gives the verdicts, `winning_lines` the lines that the last moves completed. Both read the
moves in place, and `judge` without the GIL. A game is judged by the first of these that fits:

* `moves`: rules that are not `by_lines`, such as early draws, on the board of `Game`.
* `three`: clean games on the 3×3 board, without a branch.
* `word`: boards of a machine word's bits, where any line ends a game.
* `square`: squares where a whole side wins, from the board at the end, unless games are much
  shorter than their board.
* `lines`: boards not much larger than the games are long, by the bits of every line.
* `marks`: all others, along the player's own marks.

docs/performance.md has the time of a move with each.

Another thread may write to the moves while they are read. The verdicts mean nothing then, but
nothing outside is read or written: every value is checked each time it is read.
"""

from cpython.buffer cimport (
    Py_buffer, PyBUF_FORMAT, PyBUF_STRIDED_RO, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer,
)
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_Resize
from cpython.long cimport PyLong_AsLongLongAndOverflow
from libc.stdlib cimport calloc, free

from noughts.game.bits cimport BitBoard, lay_out
from noughts.bulk.word cimport judge_bits
from noughts.bulk.games cimport Integer, Layout, Stretch, locate
from noughts.game.geometry cimport Geometry, by_lines, read, release
from noughts.game.lines cimport number
from noughts.bulk.marks cimport Marks
from noughts.bulk.moves cimport MarkedLines, judge_on
from noughts.bulk.square cimport Square, judge_square
from noughts.game.table cimport discard
from noughts.game.tallies cimport Tallies, finish
from noughts.bulk.three cimport Three, fill, judge_three
from noughts.game.rules cimport Variant
from noughts.bulk.verdicts cimport Standing, Verdicts, settle
from noughts.bulk.winning cimport find_lines

from noughts.arguments import integer
from noughts.errors import InvalidRecord, short_repr

cdef enum:
    MOST_PLIES = 0x7FFFFFFF  # the verdicts count plies in 32 bits
    LAST_CELL = 0x7FFFFFFE  # of the largest board
    MOST_BITS = 1 << 22  # of all lines; numbering them takes 16 MiB
    NO_MEMORY = -2

cdef Three three
fill(&three)


cdef class Numbers:
    """A buffer of aligned integers in native byte order, held while it is used.

    It must have this many dimensions, and along the first at least `count` items; with `size`, signed
    items of this many bytes side by side. Messages call it `name`.
    """

    cdef Py_buffer view
    cdef bint held
    cdef int kind  # the size of an item in bytes, negative if it has a sign

    def __cinit__(self, source, name, int dimensions=1, Py_ssize_t count=0, size=0, written=False):
        flags = PyBUF_STRIDED_RO | PyBUF_FORMAT | (PyBUF_WRITABLE if written else 0)
        PyObject_GetBuffer(source, &self.view, flags)
        self.held = True
        text = "B" if self.view.format == NULL else self.view.format.decode("latin-1")
        letter = text[1:] if text[:1] in ("@", "=", "<") and text != "<" else text
        found = self.view.itemsize
        if len(letter) != 1 or letter not in "bBhHiIlLqQnN" or found not in (1, 2, 4, 8):
            raise TypeError(f"{name} must be integers in native byte order, not of format {text!r}")
        if self.view.ndim != dimensions:
            raise ValueError(f"{name} must have {dimensions} dimensions, not {self.view.ndim}")
        strides = [self.view.strides[axis] for axis in range(dimensions)]
        if any([place % found for place in (<size_t> self.view.buf, *strides)]):
            raise ValueError(f"{name} must be aligned to its items of {found} bytes")
        self.kind = found if letter in "BHILQN" else -found
        if size and (self.kind != -size or strides != [size]):
            raise TypeError(f"{name} must be contiguous integers of {size} bytes with a sign")
        if self.view.shape[0] < count:
            raise ValueError(f"{name} has room for {self.view.shape[0]} of {count} games")

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.view)


cdef class Games:
    """The games to judge, as `judge` is given them."""

    cdef Numbers moves, offsets
    cdef Layout layout

    def __cinit__(self, moves, offsets):
        cdef Layout* layout = &self.layout
        cdef Py_ssize_t game
        cdef Stretch stretch
        self.moves = Numbers(moves, "moves", 2 if offsets is None else 1)
        cdef Py_buffer* view = &self.moves.view
        layout.width = layout.longest = view.shape[view.ndim - 1]
        layout.step = view.strides[view.ndim - 1] // view.itemsize
        if offsets is None:
            layout.count = view.shape[0]
            layout.row = view.strides[0] // view.itemsize
            layout.padded = self.moves.kind < 0
            return
        self.offsets = Numbers(offsets, "offsets", size=8)
        layout.offsets = <const long long*> self.offsets.view.buf
        layout.count = self.offsets.view.shape[0] - 1
        if layout.count < 0:
            raise InvalidRecord("offsets must be one more than there are games, not none")
        if not 0 <= layout.offsets[0] <= layout.width:
            self.refuse(0)
        cdef Py_ssize_t longest = 0
        for game in range(layout.count):
            stretch = locate(layout, game)
            if stretch.length < 0:
                self.refuse(game)
            longest = max(longest, stretch.length)
        layout.longest = longest

    cdef int refuse(self, Py_ssize_t game) except -1:
        """Raise InvalidRecord for a game whose offsets are wrong."""
        begin = self.layout.offsets[game]
        end = self.layout.offsets[min(game + 1, self.layout.count)]
        raise InvalidRecord(
            f"game {game} cannot be from offset {begin} to {end}: offsets must ascend from 0 to"
            f" the number of values, {self.layout.width}"
        )


cdef enum Method:
    BOARD
    BITS
    SQUARE
    LINES
    MARKS


cdef class Workspace:
    """The rules, and the memory in which these games are judged by them."""

    cdef Geometry geometry
    cdef unsigned int limit  # numbers from here on are not cells
    cdef Method method
    cdef bint three  # with BITS, on 3×3: clean games are judged by `three`
    cdef Square square
    cdef BitBoard bits
    cdef MarkedLines lines
    cdef Marks marks
    cdef Tallies tallies

    def __cinit__(self, rules, Games games not None):
        read(&self.geometry, rules)
        self.limit = self.geometry.cells
        if games.moves.kind < 0:
            self.limit = min(self.limit, <unsigned int> 1 << (-8 * max(games.moves.kind, -4) - 1))
        self.tallies.geometry = self.marks.geometry = &self.geometry

    def __dealloc__(self):
        release(&self.geometry)
        free(self.square.marks)
        free(self.lines.lines.bits)
        free(self.lines.marks)
        discard(&self.marks.players)
        finish(&self.tallies)

    cdef bint prepare(self, const Layout* games) noexcept:
        """Choose how to judge these games, and get the memory; False if it is short."""
        cdef Geometry* board = &self.geometry
        cdef bint square = board.dimensions == 2 and board.sides[0] == board.sides[1] == board.k
        cdef const Variant* variant = &board.variant
        square = square and variant.any_line and not variant.loses and not board.gravity
        if not by_lines(board):
            self.method = BOARD
        elif variant.any_line and lay_out(&self.bits, board, board.gravity):
            self.method = BITS
            self.three = square and board.k == 3 and board.players == 2
        elif square and board.cells <= 16 * games.longest:
            self.method = SQUARE
            self.square.n, self.square.limit = board.k, self.limit
            self.square.players = board.players
            self.square.marks = <unsigned char*> calloc(board.cells + 2 * board.k + 1, 1)
            if self.square.marks is NULL:
                return False
            self.square.rows = self.square.marks + board.cells + 1
            self.square.cols = self.square.rows + board.k
        elif pay(board, games):
            self.method = LINES
            if not number(&self.lines.lines, board):
                return False
            self.lines.marks = <unsigned char*> calloc(self.lines.lines.size, board.players)
            return self.lines.marks is not NULL
        else:
            self.method = MARKS
        return True


cdef bint pay(const Geometry* board, const Layout* games) noexcept:
    """Whether it pays to number the board's lines, and to clear them for each of these games."""
    cdef long long moves = games.width * (1 if games.offsets is not NULL else games.count)
    cdef bint vast = board.cells * board.directions > MOST_BITS
    return not vast and board.cells * (games.count + 256) <= 1024 * moves


def joined(list games):
    """The moves of games that are lists, one after the other, and where each game begins.

    Returns:
        (values, offsets), two bytearrays of int32 and int64. A number too large for any board is -1.

    Raises:
        TypeError: a game is neither a list nor a tuple, or a move is not an integer.
    """
    cdef Py_ssize_t room = 0, game, at = 0
    cdef int beyond = 0
    cdef long long number
    games = games[:]  # `__index__` of a move may change the list that was given
    values, offsets = bytearray(), bytearray(8 * (len(games) + 1))
    cdef int* numbers = NULL
    cdef long long* ends = <long long*> PyByteArray_AS_STRING(offsets)
    for game, moves in enumerate(games):
        if not isinstance(moves, (list, tuple)):
            raise TypeError(
                f"moves[{game}] must be a list of integers, not {short_repr(moves)}"
                f" ({type(moves).__name__})"
            )
        for move in moves:
            if type(move) is not int:
                move = integer(move, f"moves[{game}][{at - ends[game]}]")
            number = PyLong_AsLongLongAndOverflow(move, &beyond)
            if at == room:
                room = 2 * room + 1024
                PyByteArray_Resize(values, room * sizeof(int))
                numbers = <int*> PyByteArray_AS_STRING(values)
            numbers[at] = <int> number if 0 <= number <= LAST_CELL else -1
            at += 1
        ends[game + 1] = at
    PyByteArray_Resize(values, at * sizeof(int))
    return values, offsets


def judge(moves, offsets, rules, tuple verdicts):
    """Judge the games; some of the verdicts may have been written when an error is raised.

    Arguments and errors are those of `noughts.bulk.arrays.judge`, but as buffers: `moves` of integers
    of any type and strides, `offsets` None or of contiguous int64.

    Args:
        verdicts: (status, winner, ply, code), contiguous buffers to write to, of int8, int8, int32
            and int8, with room for all games.
    """
    cdef Games games = Games(moves, offsets)
    cdef Layout* layout = &games.layout
    cdef Verdicts out
    cdef Py_ssize_t refused
    cdef Numbers status, winner, ply, code
    if layout.longest > MOST_PLIES:
        raise InvalidRecord(f"a game has at most {MOST_PLIES} moves, not {layout.longest}")
    cdef Workspace work = Workspace(rules, games)
    names = ("status", "winner", "ply", "code")
    status, winner, ply, code = [
        Numbers(each, name, count=layout.count, size=size, written=True)
        for each, name, size in zip(verdicts, names, (1, 1, 4, 1), strict=True)
    ]
    out.status = <signed char*> status.view.buf
    out.winner = <signed char*> winner.view.buf
    out.ply = <int*> ply.view.buf
    out.code = <signed char*> code.view.buf
    if not work.prepare(layout):
        raise MemoryError(f"no room for a board of {work.geometry.cells} cells")
    data = games.moves.view.buf
    cdef int size = abs(games.moves.kind)
    with nogil:
        if size == 1:
            refused = judge_all(<unsigned char*> data, layout, work, out)
        elif size == 2:
            refused = judge_all(<unsigned short*> data, layout, work, out)
        elif size == 4:
            refused = judge_all(<unsigned int*> data, layout, work, out)
        else:
            refused = judge_all(<unsigned long long*> data, layout, work, out)
    if refused == NO_MEMORY:
        raise MemoryError("no room for the marks of a game")
    if refused >= 0:
        games.refuse(refused)


cdef Py_ssize_t judge_all(
    Integer* moves, const Layout* games, Workspace work, Verdicts out
) noexcept nogil:
    """Judge all games: -1, or the first game whose offsets are wrong, or NO_MEMORY."""
    if not work.three:
        return judge_some(moves, games, work, out, 0, games.count)
    # The common forms have loops of their own, which the compiler makes tight.
    if games.step == 1 and games.padded:
        return judge_threes(moves, 1, True, games, work, out)
    if games.step == 1:
        return judge_threes(moves, 1, False, games, work, out)
    return judge_threes(moves, games.step, games.padded, games, work, out)


cdef Py_ssize_t judge_some(
    Integer* moves, const Layout* games, Workspace work, Verdicts out, Py_ssize_t begin,
    Py_ssize_t end,
) noexcept nogil:
    """Judge the games from `begin` to before `end`, on any board; answers as `judge_all`."""
    cdef Py_ssize_t step = games.step
    cdef Integer* first
    cdef Stretch stretch
    cdef Standing stands
    cdef Py_ssize_t game
    for game in range(begin, end):
        stretch = locate(games, game)
        if stretch.length < 0:
            return game
        first = moves + stretch.begin
        if work.method == BOARD:
            stands = judge_on(
                first, step, stretch.length, work.limit, &work.geometry, &work.tallies
            )
        elif work.method == BITS:
            stands = judge_bits(
                first, step, stretch.length, work.limit, &work.geometry.variant, &work.bits
            )
        elif work.method == SQUARE and work.geometry.cells <= 16 * stretch.length:
            stands = judge_square(first, step, stretch.length, &work.square)
        elif work.method == LINES:
            stands = judge_on(
                first, step, stretch.length, work.limit, &work.geometry, &work.lines
            )
        else:
            stands = judge_on(first, step, stretch.length, work.limit, &work.geometry, &work.marks)
        if stands.ply < 0:
            return NO_MEMORY
        settle(first, step, stretch.length, games.padded, work.limit, stands, out, game)
    return -1


cdef inline Py_ssize_t judge_threes(
    Integer* moves, Py_ssize_t step, bint padded, const Layout* given, Workspace work, Verdicts out
) noexcept nogil:
    """Judge all games on the 3×3 board, the quick way where possible; answers as `judge_all`."""
    cdef Layout games = given[0]  # a copy, which stays in registers while verdicts are written
    cdef Stretch stretch
    cdef Py_ssize_t game, refused
    if padded:
        games.offsets = NULL  # it is already, but now the compiler knows
    for game in range(games.count):
        stretch = locate(&games, game)
        if stretch.length < 0:
            return game
        if stretch.readable < 9 or not judge_three(
            moves + stretch.begin, step, stretch.length, padded, &three, out, game
        ):
            refused = judge_some(moves, given, work, out, game, game + 1)
            if refused != -1:
                return refused
    return -1


def winning_lines(moves, offsets, rules, tuple verdicts, ends):
    """Find every line that the last move of a won game completed.

    Args:
        moves, offsets, rules: as for `judge`; so are the errors.
        verdicts: (winner, ply), contiguous buffers of int8 and int32, as `judge` has written them;
            a ValueError where they are not on these games.
        ends: a contiguous buffer of int64 to write to: how many lines there are up to the end of
            each game.

    Returns:
        A bytearray of the lines, game by game in the order of the directions, k int64 cells each.
    """
    cdef Games games = Games(moves, offsets)
    cdef Layout* layout = &games.layout
    cdef Py_ssize_t count = layout.count
    winners, plies = verdicts
    cdef Numbers winner = Numbers(winners, "winner", count=count, size=1)
    cdef Numbers ply = Numbers(plies, "ply", count=count, size=4)
    cdef Numbers bounds = Numbers(ends, "ends", count=count, size=8, written=True)
    cdef Verdicts given
    given.winner, given.ply = <signed char*> winner.view.buf, <int*> ply.view.buf
    cdef long long* up_to = <long long*> bounds.view.buf
    data = games.moves.view.buf
    cdef int size = abs(games.moves.kind)
    cdef Workspace work = Workspace(rules, games)
    if size == 1:
        return find_lines(<unsigned char*> data, layout, work.limit, &work.marks, given, up_to)
    if size == 2:
        return find_lines(<unsigned short*> data, layout, work.limit, &work.marks, given, up_to)
    if size == 4:
        return find_lines(<unsigned int*> data, layout, work.limit, &work.marks, given, up_to)
    return find_lines(<unsigned long long*> data, layout, work.limit, &work.marks, given, up_to)
