# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Judging many games at once. `noughts.bulk.arrays` wraps and documents this module.

`judge` computes verdicts, and `winning_lines` finds the lines that the last moves completed. Both read
the moves in place, and both release the GIL. The first method that fits judges a game:

* The board of `Game` (`replay`), for rules that are not `by_lines`, such as early draws.
* `three`, for the 3×3 board: clean games without branches, and games of bytes 16 to 64 at a time
  (`three_round.h`).
* `word`, for boards that fit in a machine word, where any line ends a game.
* `square`, for squares where k is the side, from the final board, unless games are much shorter than
  their board.
* Bits for every line (`replay`), for boards not much larger than the games are long.
* Walking along a player's marks (`marks`), for all others.

docs/performance.md lists the time per move of each.

Another thread may write to the moves while they are read. The verdicts are then meaningless, but no
memory outside the arrays is read or written: every value is checked each time it is read.
"""

from cpython.buffer cimport (
    Py_buffer, PyBUF_FORMAT, PyBUF_STRIDED_RO, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer,
)
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_Resize
from cpython.long cimport PyLong_AsLongLongAndOverflow
from libc.stdlib cimport calloc, free

from noughts.game.bits cimport BitBoard, lay_out
from noughts.bulk.word cimport judge_bits
from noughts.bulk.layout cimport Integer, Layout, Standing, Stretch, Verdicts, locate, settle
from noughts.game.geometry cimport Geometry, by_lines, read, release
from noughts.game.lines cimport number
from noughts.bulk.marks cimport Marks
from noughts.bulk.replay cimport MarkedLines, judge_on
from noughts.bulk.square cimport Square, judge_square
from noughts.game.table cimport discard
from noughts.game.tallies cimport Tallies, finish
from noughts.bulk.rounds cimport judge_rounds
from noughts.bulk.three cimport Three, fill, judge_three, replay_three
from noughts.game.rules cimport Variant
from noughts.bulk.winning cimport find_lines, find_threes

from noughts.arguments import integer
from noughts.errors import InvalidRecord, short_repr

cdef enum:
    MOST_PLIES = 0x7FFFFFFF  # verdicts count plies in 32 bits
    LAST_CELL = 0x7FFFFFFE  # of the largest board
    MOST_BITS = 1 << 22  # of all lines; numbering them needs 16 MiB
    NO_MEMORY = -2

cdef Three three
fill(&three)


cdef class Numbers:
    """A buffer of aligned integers in native byte order, held while it is in use.

    It must have this many dimensions, with at least `count` items along the first. If `size` is given,
    items must be signed integers of this many bytes, and contiguous. Messages refer to it as `name`.
    """

    cdef Py_buffer view
    cdef bint held
    cdef int kind  # the size of an item in bytes, negative if it is signed

    def __cinit__(self, source, name, int dimensions=1, Py_ssize_t count=0, size=0, written=False):
        flags = PyBUF_STRIDED_RO | PyBUF_FORMAT | (PyBUF_WRITABLE if written else 0)
        PyObject_GetBuffer(source, &self.view, flags)
        self.held = True
        text = "B" if self.view.format == NULL else self.view.format.decode("latin-1")
        letter = text[1:] if text[:1] in ("@", "=", "<") and text != "<" else text
        found = self.view.itemsize
        if len(letter) != 1 or letter not in "bBhHiIlLqQnN" or found not in (1, 2, 4, 8):
            raise TypeError(f"{name} must be integers in native byte order, got format {text!r}")
        if self.view.ndim != dimensions:
            raise ValueError(f"{name} must have {dimensions} dimensions, got {self.view.ndim}")
        strides = [self.view.strides[axis] for axis in range(dimensions)]
        if any([offset % found for offset in (<size_t> self.view.buf, *strides)]):
            raise ValueError(f"{name} must be aligned to its items of {found} bytes")
        self.kind = found if letter in "BHILQN" else -found
        if size and (self.kind != -size or strides != [size]):
            raise TypeError(f"{name} must be contiguous signed integers of {size} bytes")
        if self.view.shape[0] < count:
            raise ValueError(f"{name} must have one item per game, {count}, got {self.view.shape[0]}")

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.view)


cdef class Games:
    """The games passed to `judge`."""

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
            raise InvalidRecord("expected one more offset than there are games, got no offsets")
        if not 0 <= layout.offsets[0] <= layout.width:
            self.raise_offsets(0)
        cdef long long longest = 0, wrong = layout.width - layout.offsets[layout.count], length
        for game in range(layout.count):
            length = layout.offsets[game + 1] - layout.offsets[game]
            wrong |= length | layout.offsets[game]
            longest = max(longest, length)
        layout.longest = longest
        for game in range(layout.count if wrong < 0 else 0):
            stretch = locate(layout, game)
            if stretch.length < 0:
                self.raise_offsets(game)

    cdef int raise_offsets(self, Py_ssize_t game) except -1:
        """Raise InvalidRecord for a game whose offsets are wrong."""
        begin = self.layout.offsets[game]
        end = self.layout.offsets[min(game + 1, self.layout.count)]
        raise InvalidRecord(
            f"offsets must ascend from 0 to the number of values, {self.layout.width},"
            f" got {begin} and {end} for game {game}"
        )


cdef enum Method:
    BOARD
    BITS
    SQUARE
    LINES
    MARKS


cdef class Workspace:
    """The rules, and the working memory for judging these games."""

    cdef Geometry geometry
    cdef unsigned int limit  # numbers from here on are not cells
    cdef Method method
    cdef bint three  # whether `three` judges the games
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
        """Choose a method for these games and allocate its memory; return False if memory is short."""
        cdef Geometry* board = &self.geometry
        cdef bint square = board.dimensions == 2 and board.sides[0] == board.sides[1] == board.k
        cdef const Variant* variant = &board.variant
        square = square and variant.any_line and not variant.loses and not board.gravity
        if not by_lines(board):
            self.method = BOARD
        elif variant.any_line and lay_out(&self.bits, board, board.gravity):
            self.method = BITS
            self.three = is_three(board)
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


cdef bint is_three(const Geometry* board) noexcept:
    """Return whether this is the classic game, for which there are tables."""
    cdef const Variant* variant = &board.variant
    return (
        board.dimensions == 2 and board.sides[0] == 3 and board.sides[1] == 3 and board.k == 3
        and board.players == 2 and variant.any_line and not variant.loses and not board.gravity
        and by_lines(board)
    )


cdef bint pay(const Geometry* board, const Layout* games) noexcept:
    """Return whether numbering the board's lines, and clearing them for each game, pays off."""
    cdef long long moves = games.width * (1 if games.offsets is not NULL else games.count)
    cdef bint vast = board.cells * board.directions > MOST_BITS
    return not vast and board.cells * (games.count + 256) <= 1024 * moves


def flatten(list games):
    """Copy the moves of games that are lists into one array, with the offset of each game.

    Returns:
        (values, offsets), two bytearrays of int32 and int64. Numbers too large for any board become -1.

    Raises:
        TypeError: a game is neither a list nor a tuple, or a move is not an integer.
    """
    cdef Py_ssize_t capacity = 0, game, at = 0
    cdef int beyond = 0
    cdef long long number
    games = games[:]  # a move's `__index__` may change the original list
    values, offsets = bytearray(), bytearray(8 * (len(games) + 1))
    cdef int* numbers = NULL
    cdef long long* ends = <long long*> PyByteArray_AS_STRING(offsets)
    for game, moves in enumerate(games):
        if not isinstance(moves, (list, tuple)):
            raise TypeError(
                f"moves[{game}] must be a list of integers, got {short_repr(moves)}"
                f" ({type(moves).__name__})"
            )
        for move in moves:
            if type(move) is not int:
                move = integer(move, f"moves[{game}][{at - ends[game]}]")
            number = PyLong_AsLongLongAndOverflow(move, &beyond)
            if at == capacity:
                capacity = 2 * capacity + 1024
                PyByteArray_Resize(values, capacity * sizeof(int))
                numbers = <int*> PyByteArray_AS_STRING(values)
            numbers[at] = <int> number if 0 <= number <= LAST_CELL else -1
            at += 1
        ends[game + 1] = at
    PyByteArray_Resize(values, at * sizeof(int))
    return values, offsets


cdef Numbers known_lines(lines, const Layout* layout, written=False):
    """Return the buffer for the lines of each game, as in `Verdicts.lines`, or None."""
    if lines is None:
        return None
    return Numbers(lines, "lines", count=layout.count, size=1, written=written)


def judge(moves, offsets, rules, tuple verdicts, lines=None):
    """Judge games and write their verdicts; some may already be written when an error is raised.

    The errors are the same as in `noughts.bulk.arrays.judge`.

    Args:
        moves: a buffer of integers of any type and strides.
        offsets: a buffer of contiguous int64, or None if `moves` is a table.
        rules: the rules of all games.
        verdicts: (status, winner, ply, code, ended), contiguous writable buffers of int8, and int32
            for `ply`, with at least one item per game. `ended` is who had won a game that goes on
            after its end, otherwise 0; the others are those of `noughts.bulk.Verdicts`.
        lines: another such buffer of int8, all zero, for what `winning_lines` can use; or None.
    """
    cdef Games games = Games(moves, offsets)
    cdef Layout* layout = &games.layout
    cdef Verdicts out
    cdef Py_ssize_t wrong
    cdef Numbers status, winner, ply, code, ended
    if layout.longest > MOST_PLIES:
        raise InvalidRecord(f"a game has at most {MOST_PLIES} moves, got {layout.longest}")
    cdef Workspace work = Workspace(rules, games)
    names = ("status", "winner", "ply", "code", "ended")
    status, winner, ply, code, ended = [
        Numbers(each, name, count=layout.count, size=size, written=True)
        for each, name, size in zip(verdicts, names, (1, 1, 4, 1, 1), strict=True)
    ]
    out.status = <signed char*> status.view.buf
    out.winner = <signed char*> winner.view.buf
    out.ply = <int*> ply.view.buf
    out.code = <signed char*> code.view.buf
    out.ended = <signed char*> ended.view.buf
    cdef Numbers known = known_lines(lines, layout, written=True)
    out.lines = NULL if known is None else <unsigned char*> known.view.buf
    if not work.prepare(layout):
        raise MemoryError(f"not enough memory for a board of {work.geometry.cells} cells")
    data = games.moves.view.buf
    cdef int size = abs(games.moves.kind)
    with nogil:
        if size == 1:
            wrong = judge_all(<unsigned char*> data, layout, work, out)
        elif size == 2:
            wrong = judge_all(<unsigned short*> data, layout, work, out)
        elif size == 4:
            wrong = judge_all(<unsigned int*> data, layout, work, out)
        else:
            wrong = judge_all(<unsigned long long*> data, layout, work, out)
    if wrong == NO_MEMORY:
        raise MemoryError("not enough memory for the marks of a game")
    if wrong >= 0:
        games.raise_offsets(wrong)


cdef Py_ssize_t judge_all(
    Integer* moves, const Layout* games, Workspace work, Verdicts out
) noexcept nogil:
    """Judge all games; return -1, the first game whose offsets are wrong, or NO_MEMORY."""
    cdef Py_ssize_t done = 0
    if not work.three:
        return judge_some(moves, games, work, out)
    if sizeof(Integer) == 1:
        done = judge_rounds(<const unsigned char*> moves, games, 0, games.count, out)
    # The compiler specialises the loops for the common layouts.
    if games.step == 1 and games.padded:
        return judge_threes(moves, 1, True, games, work, out, done)
    if games.step == 1:
        return judge_threes(moves, 1, False, games, work, out, done)
    return judge_threes(moves, games.step, games.padded, games, work, out, done)


cdef Py_ssize_t judge_some(
    Integer* moves, const Layout* games, Workspace work, Verdicts out
) noexcept nogil:
    """Judge all games on any board; return the same as `judge_all`."""
    cdef Py_ssize_t step = games.step
    cdef Integer* first
    cdef Stretch stretch
    cdef Standing stands
    cdef Py_ssize_t game
    for game in range(games.count):
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
    Integer* moves, Py_ssize_t step, bint padded, const Layout* given, Workspace work, Verdicts out,
    Py_ssize_t begin,
) noexcept nogil:
    """Judge the games from `begin` on the 3×3 board, by `three` if possible.

    Returns the same as `judge_all`.
    """
    cdef Layout games = given[0]  # a local copy stays in registers while verdicts are written
    cdef Integer* first
    cdef Stretch stretch
    cdef Standing stands
    cdef Py_ssize_t game
    if padded:
        games.offsets = NULL  # already NULL; this tells the compiler
    for game in range(begin, games.count):
        stretch = locate(&games, game)
        if stretch.length < 0:
            return game
        if stretch.readable < 9 or not judge_three(
            moves + stretch.begin, step, stretch.length, padded, &three, out, game
        ):
            first = moves + stretch.begin
            stands = replay_three(first, step, stretch.length, &three)
            settle(first, step, stretch.length, padded, 9, stands, out, game)
    return -1


def winning_lines(moves, offsets, rules, tuple verdicts, ends, lines=None):
    """Find every line that the last move of a won game completed.

    Errors are the same as in `judge`, and ValueError if the verdicts do not belong to these games.
    With `lines`, that is checked only where they do not agree with `winner`.

    Args:
        moves: the games, as for `judge`.
        offsets: as for `judge`.
        rules: the rules of all games.
        verdicts: (winner, ply), contiguous buffers of int8 and int32 written by `judge`.
        ends: a contiguous writable buffer of int64, for the number of lines up to the end of each
            game.
        lines: what `judge` wrote about these games, which halves the time; or None.

    Returns:
        A bytearray of the lines, k int64 cells each, in the order of games and directions.
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
    cdef Numbers known = known_lines(lines, layout)
    given.lines = NULL if known is None else <unsigned char*> known.view.buf
    cdef long long* up_to = <long long*> bounds.view.buf
    data = games.moves.view.buf
    cdef int size = abs(games.moves.kind)
    cdef Workspace work = Workspace(rules, games)
    if size == 1:
        return lines_of(<unsigned char*> data, layout, work, given, up_to)
    if size == 2:
        return lines_of(<unsigned short*> data, layout, work, given, up_to)
    if size == 4:
        return lines_of(<unsigned int*> data, layout, work, given, up_to)
    return lines_of(<unsigned long long*> data, layout, work, given, up_to)


cdef bytearray lines_of(
    Integer* moves, const Layout* games, Workspace work, Verdicts given, long long* up_to
):
    """Find the lines by `find_threes` if possible, otherwise by `find_lines`."""
    cdef bytearray found = None
    if is_three(&work.geometry):
        if games.step == 1:
            found = find_threes(moves, 1, games, &three, given, up_to)
        else:
            found = find_threes(moves, games.step, games, &three, given, up_to)
    if found is None:
        found = find_lines(moves, games, work.limit, &work.marks, given, up_to)
    return found
