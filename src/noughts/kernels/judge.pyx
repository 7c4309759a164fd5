# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Judging many games at once; `noughts.bulk.arrays` is the door to it, with the documentation.

`judge` gives the verdicts, `winning_lines` the lines that the last moves completed. Both read the
moves in place, and `judge` without the GIL. A game is judged by the first of these that fits, each a
file beside this one:

* `three`: the 3×3 board, without a branch: 1.5 ns a move.
* `early`: early draws, on the board of `Game`.
* `square`: squares where a whole side wins, unless games are much shorter than their board: from
  what is on it at the end. 1.5 ns a move on 100×100, 2.5 on 10×10, 6.5 on 4×4.
* `runs`: any other rules, along the player's own marks: 45 ns a move on 15×15, k = 5.

These and what they share (`games`, `verdicts`, `marks`, and of `Game` `geometry`, `tallies` and
`table`) are .pxd files of inline functions: they become part of this module, which is thus compiled
and optimized as a whole, or not at all.

Another thread may write to the moves while they are read. The verdicts mean nothing then, but
nothing is ever read or written outside: every value is checked each time it is read.
"""

from cython cimport final
from cpython.buffer cimport (
    Py_buffer,
    PyBUF_FORMAT,
    PyBUF_STRIDED_RO,
    PyBUF_WRITABLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_Resize
from libc.stdlib cimport calloc, free

from noughts.kernels.early cimport judge_early
from noughts.kernels.games cimport Column, Integer, Layout, Stretch, locate, number
from noughts.kernels.geometry cimport Geometry, read, release
from noughts.kernels.marks cimport Marks, Run, make, mark_of, place, put, runs_through, unmake, wipe
from noughts.kernels.runs cimport judge_runs
from noughts.kernels.square cimport Square, judge_square
from noughts.kernels.tallies cimport Tallies, finish, start
from noughts.kernels.three cimport Three, fill, judge_threes
from noughts.kernels.verdicts cimport Verdicts

from noughts.errors import InvalidRecord, InvalidRules

cdef enum:
    MAX_PLIES = 0x7FFFFFFF  # the verdicts count plies in 32 bits
    MAX_PLAYERS = 8
    NO_MEMORY = -2

OTHER_GAMES = "the verdicts are not on these games"

cdef Three three
fill(&three)


# --- the games and the verdicts -------------------------------------------------------------------


cdef class Numbers:
    """A buffer of integers, held while it is used.

    Args:
        source: a buffer of integers of any type in native byte order, aligned.
        dimensions: how many it must have.
        name: what messages call it.
        count: how many items it must have at least, along the first dimension.
        written: the size that its items must have if it is to be written to, and then contiguous and with a sign.
    """

    cdef Py_buffer view
    cdef bint held
    cdef int kind  # the size of an item in bytes, negative if it has a sign

    def __cinit__(self, source, int dimensions, name, Py_ssize_t count=0, written=None):
        flags = PyBUF_STRIDED_RO | PyBUF_FORMAT | (PyBUF_WRITABLE if written else 0)
        PyObject_GetBuffer(source, &self.view, flags)
        self.held = True
        text = "B" if self.view.format == NULL else self.view.format.decode("latin-1")
        letter = text[1:] if text[:1] in ("@", "=", "<") and text != "<" else text
        size = self.view.itemsize
        if len(letter) != 1 or letter not in "bBhHiIlLqQnN" or size not in (1, 2, 4, 8):
            raise TypeError(f"{name} must be integers in native byte order, not of format {text!r}")
        if self.view.ndim != dimensions:
            raise ValueError(f"{name} must have {dimensions} dimensions, not {self.view.ndim}")
        strides = [self.view.strides[axis] for axis in range(dimensions)]
        if any([place % size for place in (<size_t> self.view.buf, *strides)]):
            raise ValueError(f"{name} must be aligned to its items of {size} bytes")
        self.kind = size if letter in "BHILQN" else -size
        if written and (self.kind != -written or strides != [size]):
            raise TypeError(f"{name} must be contiguous integers of {written} bytes with a sign")
        if self.view.shape[0] < count:
            raise ValueError(f"{name} has room for {self.view.shape[0]} of {count} games")

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.view)

    cdef Column column(self) except *:
        """The same as one of the columns that are read here."""
        cdef Column found
        if self.kind not in (-1, -4, -8):
            raise TypeError("winner, ply and offsets must be of int8, int32 or int64")
        found.data = <char*> self.view.buf
        found.stride = self.view.strides[0]
        found.size = -self.kind
        return found


cdef class Games:
    """The games to judge, as `judge` is given them."""

    cdef Numbers moves, offsets
    cdef Layout layout

    def __cinit__(self, moves, offsets):
        cdef Layout* layout = &self.layout
        cdef int last
        layout.ragged = offsets is not None
        self.moves = Numbers(moves, 1 if layout.ragged else 2, "moves")
        last = self.moves.view.ndim - 1
        layout.step = self.moves.view.strides[last] // self.moves.view.itemsize
        layout.width = layout.longest = self.moves.view.shape[last]
        if not layout.ragged:
            layout.count = self.moves.view.shape[0]
            layout.row = self.moves.view.strides[0] // self.moves.view.itemsize
            layout.padded = self.moves.kind < 0
            return
        self.offsets = Numbers(offsets, 1, "offsets")
        layout.count = self.offsets.view.shape[0] - 1
        layout.offsets = self.offsets.column()
        if layout.count < 0:
            raise InvalidRecord("offsets must be one more than there are games, not none")
        layout.longest = self.longest()

    cdef Py_ssize_t longest(self) except -1:
        """The length of the longest game. Raises InvalidRecord if an offset lies."""
        cdef Py_ssize_t longest = 0
        cdef Py_ssize_t i
        cdef long long begin = number(&self.layout.offsets, 0)
        cdef long long end = begin
        for i in range(self.layout.count):
            end = number(&self.layout.offsets, i + 1)
            if begin < 0 or end < begin or end > self.layout.width:
                self.refuse(i)
            longest = max(longest, end - begin)
            begin = end
        if begin < 0 or begin > self.layout.width:
            self.refuse(0)
        return longest

    cdef int refuse(self, Py_ssize_t game) except -1:
        """Raise InvalidRecord for a game whose offsets lie."""
        begin = number(&self.layout.offsets, game)
        end = number(&self.layout.offsets, game + 1) if self.layout.count else begin
        raise InvalidRecord(
            f"game {game} cannot be from offset {begin} to {end}: offsets must ascend from 0 to"
            f" the number of values, {self.layout.width}"
        )


# --- the rules, made ready ------------------------------------------------------------------------


cdef enum Method:
    THREE
    EARLY
    SQUARE
    RUNS


cdef class Workspace:
    """The rules, and the memory in which games are judged by them.

    Args:
        geometry: a `noughts.geometry.Geometry`.
        players: how many take turns, 2 to 8.
        games: what is to be judged.
    """

    cdef Geometry geometry
    cdef int players
    cdef unsigned int limit  # numbers from here on are of no cell
    cdef Square square
    cdef Marks marks
    cdef Tallies tallies

    def __cinit__(self, geometry, int players, Games games):
        read(&self.geometry, geometry)
        if not 2 <= players <= MAX_PLAYERS:
            raise InvalidRules(f"2 to {MAX_PLAYERS} players take turns, not {players}")
        self.players = players
        self.limit = self.geometry.cells
        if games.moves.kind < 0:
            self.limit = min(self.limit, <unsigned int> 1 << (-8 * max(games.moves.kind, -4) - 1))

    def __dealloc__(self):
        release(&self.geometry)
        free(self.square.marks)
        unmake(&self.marks)
        finish(&self.tallies)

    cdef Method prepare(self, bint early_draw, Py_ssize_t longest) except *:
        """Choose the method for games of up to this many plies, and get what it needs."""
        cdef Geometry* board = &self.geometry
        cdef bint square = board.dimensions == 2 and board.sides[0] == board.sides[1] == board.k
        if early_draw:
            if not start(&self.tallies, board, self.players):
                raise MemoryError("no room for the tallies of lines")
            return EARLY
        if square and board.k == 3 and self.players == 2:
            return THREE
        self.prepare_marks(longest)  # which short games need on squares, too
        if not square or board.cells > 16 * longest:
            return RUNS
        self.square.n, self.square.cells = board.k, board.cells
        self.square.limit, self.square.players = self.limit, self.players
        self.square.marks = <unsigned char*> calloc(board.cells + 2 * board.k + 1, 1)
        if self.square.marks == NULL:
            raise MemoryError(f"no room for a board of {board.cells} cells")
        self.square.rows = self.square.marks + board.cells + 1
        self.square.cols = self.square.rows + board.k
        return SQUARE

    cdef int prepare_marks(self, Py_ssize_t longest) except -1:
        """Get what `judge_runs` needs, and the search for winning lines."""
        if not make(&self.marks, &self.geometry, longest):
            raise MemoryError(f"no room for a board of {self.geometry.cells} cells")
        return 0


# --- judging --------------------------------------------------------------------------------------


def judge(tuple games, tuple rules, tuple verdicts):
    """Judge the games; some of the verdicts may have been written when an error is raised.

    Args:
        games: (moves, None), a buffer of games × plies, in which the -1s at the end of a row are no
            moves if the type has a sign; or (values, offsets), of which the moves of game i are
            values[offsets[i]:offsets[i + 1]]. Buffers of any integer types and strides; offsets of
            int8, int32 or int64.
        rules: (geometry, players, early_draw).
        verdicts: (status, winner, ply, code), contiguous buffers to write to, of int8, int8, int32
            and int8, with room for all games.

    Raises:
        InvalidRecord: an offset lies, or a game has 2**31 plies or more.
        TypeError, ValueError: the arguments are not like this.
        MemoryError: there is no room to work in.
    """
    cdef Games given = Games(*games)
    cdef Layout* layout = &given.layout
    cdef Verdicts out
    cdef Py_ssize_t liar
    cdef Method method
    cdef Numbers status, winner, ply, code
    if layout.longest > MAX_PLIES:
        raise InvalidRecord(f"a game has at most {MAX_PLIES} moves, not {layout.longest}")
    geometry, players, early_draw = rules
    cdef Workspace work = Workspace(geometry, players, given)
    names = ("status", "winner", "ply", "code")
    status, winner, ply, code = [
        Numbers(each, 1, name, layout.count, size)
        for each, name, size in zip(verdicts, names, (1, 1, 4, 1), strict=True)
    ]
    out.status = <signed char*> status.view.buf
    out.winner = <signed char*> winner.view.buf
    out.ply = <int*> ply.view.buf
    out.code = <signed char*> code.view.buf
    method = work.prepare(early_draw, layout.longest)
    data = given.moves.view.buf
    cdef int size = abs(given.moves.kind)
    with nogil:
        if size == 1:
            liar = judge_all(<unsigned char*> data, layout, method, work, out)
        elif size == 2:
            liar = judge_all(<unsigned short*> data, layout, method, work, out)
        elif size == 4:
            liar = judge_all(<unsigned int*> data, layout, method, work, out)
        else:
            liar = judge_all(<unsigned long long*> data, layout, method, work, out)
    if liar == NO_MEMORY:
        raise MemoryError("no room for the marks of a game")
    if liar >= 0:
        given.refuse(liar)


cdef Py_ssize_t judge_all(
    Integer* moves, const Layout* games, Method method, Workspace work, Verdicts out
) noexcept nogil:
    """Judge all games. Returns -1, or the first game whose offsets lie, or NO_MEMORY."""
    cdef Stretch stretch
    cdef Integer* first
    cdef Py_ssize_t game, length, step = games.step
    cdef bint padded = games.padded
    cdef unsigned int limit = work.limit
    cdef bint enough = True
    if method == THREE:
        return judge_threes(moves, games, &three, out)
    for game in range(games.count):
        stretch = locate(games, game)
        if stretch.length < 0:
            return game
        first, length = moves + stretch.begin, stretch.length
        if method == EARLY:
            enough = judge_early(first, step, length, padded, limit, &work.tallies, out, game)
        elif method == SQUARE and work.geometry.cells <= 16 * length:
            judge_square(first, step, length, padded, &work.square, out, game)
        else:
            enough = judge_runs(
                first, step, length, padded, limit,
                work.geometry.cells, work.players, &work.marks, out, game,
            )
        if not enough:
            return NO_MEMORY
    return -1


# --- winning lines --------------------------------------------------------------------------------


def winning_lines(tuple games, tuple rules, tuple verdicts, ends, bytearray lines):
    """Find every line that the last move of a won game completed.

    Args:
        games, rules: as for `judge`; `early_draw` makes no difference.
        verdicts: (winner, ply), buffers of int8 and int32, as `judge` has written them.
        ends: a contiguous buffer of int64 to write to: how many lines there are up to the end of
            each game.
        lines: the lines are put at its end, game by game and in the order of the directions, k
            cell numbers of 64 bits each. `ends` counts what is there before, too.

    Raises:
        ValueError: a game's moves are not there, or its last one completes no line. Some lines may
            have been found then.
        InvalidRecord, TypeError, ValueError, MemoryError: as `judge`.
    """
    cdef Games given = Games(*games)
    geometry, players, _ = rules
    cdef Workspace work = Workspace(geometry, players, given)
    cdef Numbers winner, ply
    winner, ply = [
        Numbers(each, 1, name, given.layout.count)
        for each, name in zip(verdicts, ("winner", "ply"), strict=True)
    ]
    cdef Numbers bounds = Numbers(ends, 1, "ends", given.layout.count, 8)
    work.prepare_marks(given.layout.longest)
    cdef Lines found = Lines(lines, work.geometry.k, given.layout.count)
    cdef Column winners = winner.column()
    cdef Column plies = ply.column()
    cdef long long* up_to = <long long*> bounds.view.buf
    data = given.moves.view.buf
    cdef int size = abs(given.moves.kind)
    try:
        if size == 1:
            find(<unsigned char*> data, &given.layout, work, &winners, &plies, up_to, found)
        elif size == 2:
            find(<unsigned short*> data, &given.layout, work, &winners, &plies, up_to, found)
        elif size == 4:
            find(<unsigned int*> data, &given.layout, work, &winners, &plies, up_to, found)
        else:
            find(<unsigned long long*> data, &given.layout, work, &winners, &plies, up_to, found)
    finally:
        found.close()


@final
cdef class Lines:
    """A growing array of lines at the end of a bytearray."""

    cdef bytearray array
    cdef Py_ssize_t width  # bytes a line
    cdef Py_ssize_t count
    cdef Py_ssize_t room
    cdef Py_ssize_t more  # for how many lines there is room at first

    def __cinit__(self, bytearray array not None, long long k, Py_ssize_t games):
        self.array, self.width = array, k * sizeof(long long)
        if len(array) % self.width:
            raise ValueError(f"lines must be of {k} cells each")
        self.count = self.room = len(array) // self.width
        self.more = 16 + min(games, (1 << 20) // self.width)

    cdef long long* add(self) except NULL:
        """Room for one more line."""
        if self.count == self.room:
            self.room += self.room // 2 + self.more
            PyByteArray_Resize(self.array, self.room * self.width)
        self.count += 1
        return <long long*> (PyByteArray_AS_STRING(self.array) + (self.count - 1) * self.width)

    cdef int close(self) except -1:
        """Give back the room that was not needed."""
        return PyByteArray_Resize(self.array, self.count * self.width)


cdef int find(
    Integer* moves,
    const Layout* games,
    Workspace work,
    const Column* winners,
    const Column* plies,
    long long* ends,
    Lines found,
) except -1:
    """Find the lines of all games: put the winner's marks, and walk from the last one."""
    cdef Marks* marks = &work.marks
    cdef Geometry* board = &work.geometry
    cdef Stretch stretch
    cdef Run run
    cdef Py_ssize_t game, ply
    cdef unsigned long long cell, last = 0
    cdef unsigned int mark
    cdef long long here, step, j
    cdef long long* line
    cdef int lines, i
    for game in range(games.count):
        ends[game] = found.count
        if number(winners, game) <= 0:
            continue
        stretch, ply = locate(games, game), number(plies, game)
        if not 1 <= ply <= stretch.length:
            raise ValueError(f"{OTHER_GAMES}: the moves of game {game} are not there")
        if not wipe(marks):
            raise MemoryError("no room for the marks of a game")
        mark = mark_of(marks, 1)
        here = -1
        while ply > 0:
            cell = moves[stretch.begin + (ply - 1) * games.step]
            if cell >= work.limit:
                raise ValueError(f"{OTHER_GAMES}: game {game} was played on another board")
            if here < 0:
                last, here = cell, place(marks, <unsigned int> cell)
            if not put(marks, place(marks, <unsigned int> cell), mark):
                raise MemoryError("no room for the marks of a game")
            ply -= work.players
        lines = runs_through(marks, here, mark)
        if lines == 0:
            raise ValueError(f"{OTHER_GAMES}: the last move of game {game} completes no line")
        for i in range(lines):
            run = marks.runs[i]
            step = board.steps[run.way]
            while run.behind + run.ahead >= board.k - 1:  # as many lines as there are windows of k
                line = found.add()
                for j in range(board.k):
                    line[j] = <long long> last + (j - run.behind) * step
                run.behind -= 1
        ends[game] = found.count
    return 0
