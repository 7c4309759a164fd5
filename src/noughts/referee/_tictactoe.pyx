# cython: language_level=3, boundscheck=False, wraparound=False
# cython: binding=False, embedsignature=True, embedsignature.format=clinic
"""The compiled `TicTacToe`: the accelerator of its definition, `noughts.referee.tictactoe`.

With binding=False, above, `move` is a plain C method, the fastest kind to call. `help` and `inspect`
find its arguments through embedsignature, and those of the class at the start of its docstring.
"""

import mmap as mapping

from cpython.object cimport PyObject, PyTypeObject
from cpython.long cimport PyLong_AsLongAndOverflow
from libc.limits cimport INT_MAX
from libc.stdint cimport SIZE_MAX
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from posix.mman cimport (
    MAP_ANONYMOUS, MAP_FAILED, MAP_NORESERVE, MAP_PRIVATE, PROT_READ, PROT_WRITE, madvise, mmap,
    munmap,
)

cimport cython

from noughts.arguments import board_side, integer, move_arguments, no_room, sum_overflow
from noughts.errors import CellTaken, GameOver

# Reads non-negative integers of one digit without a call, as CPython's `list[i]` does; a call for each
# would make a move a sixth slower. From 3.12 on a tag holds the number of digits (8 for one) and
# whether the integer is negative (2); its other bits (4, 1) do not matter here. Earlier versions have
# a size, which is negative for negative integers. The digit of 0 is 0. Other Pythons have neither.
cdef extern from *:
    """
    #ifdef PyUnstable_Long_IsCompact
    #define is_digit(value) (!(((PyLongObject *)(value))->long_value.lv_tag & ~(size_t)13))
    #define digit_of(value) ((long)((PyLongObject *)(value))->long_value.ob_digit[0])
    #elif !defined(PYPY_VERSION)
    #define is_digit(value) ((size_t)Py_SIZE(value) <= 1)
    #define digit_of(value) ((long)((PyLongObject *)(value))->ob_digit[0])
    #else
    #define is_digit(value) 0
    #define digit_of(value) 0
    #endif
    """
    bint is_digit(object value) noexcept  # of exactly the type int
    long digit_of(object value) noexcept

ctypedef unsigned long long word

cdef word MAPPED = 1 << 16  # words (512 KiB) from which memory is mapped
cdef word HUGE = 1 << 23  # words (64 MiB) up to which it is mapped in huge pages
cdef int HUGE_PAGES = getattr(mapping, "MADV_HUGEPAGE", -1)  # -1 if not available


@cython.freelist(64)
cdef class TicTacToe:
    """TicTacToe(n, *, checked=True)\n--\n\nThe referee of an n×n board.

    It judges each move at once by the signed sums of its lines.

    The caller gives the player: turns are not enforced, and either player can move first.
    `checked=True` rejects a move on a taken cell or after the end. `checked=False` trusts the
    caller in this, like the classic problem, and needs memory only for the sums. Both reject a
    cell off the board, an unknown player and a value of the wrong type.

    Cost: O(1) per move. Memory: 8n bytes, and if checked, n²/8 more. The system provides memory only
    when it is touched, so a new board of any size is ready at once and grows with its moves.

    Args:
        n: the side of the board, at least 1; the only upper limit is memory.
        checked: whether moves on taken cells or after the end are rejected.

    Raises:
        InvalidRules: n is less than 1.
        MemoryError: the board does not fit in memory, as with any n from 2**31 on.
        TypeError: n is not an integer, or checked not a bool.
    """

    cdef long long side
    cdef int* sums  # of the rows, the columns, the diagonal, the anti-diagonal
    cdef word* taken  # a bit for each cell, row-major; NULL if unchecked
    cdef long long untaken  # the number of free cells; stays n² if unchecked
    cdef int first  # the player who won first, or 0
    cdef word words  # allocated at `sums`; 0 up to 10×10, where the arrays below are used
    cdef int[22] few_sums
    cdef word[2] few_taken

    def __cinit__(self):
        self.sums = self.few_sums  # so that even an object created only by __new__ can be read

    def __init__(self, n, *, checked=True):
        cdef long long side = small(n)
        if not 0 < side <= INT_MAX or not (checked is True or checked is False):
            side = board_side(n, checked)
        cdef word taken_words = (<word> (side * side) + 63) >> 6 if checked is True else 0
        cdef word words = 0 if side <= 10 else side + 1 + taken_words
        cdef word* block = allocate(words) if words else NULL
        if words and block is NULL:
            raise no_room("n² cells" if taken_words else "2n + 2 sums", side)
        # From here on nothing can fail. A second call of __init__ replaces an older board.
        release(self)
        memset(self.few_sums, 0, sizeof(self.few_sums))
        memset(self.few_taken, 0, sizeof(self.few_taken))
        self.sums = <int*> block if words else self.few_sums
        self.taken = NULL
        if taken_words:
            self.taken = block + side + 1 if words else self.few_taken
        self.words = words
        self.side = side
        self.untaken = side * side
        self.first = 0

    def __dealloc__(self):
        release(self)

    def move(self, row, col, player):
        """Make a move and judge it.

        Args:
            row: 0 to n - 1, from the top.
            col: 0 to n - 1, from the left.
            player: 1 or 2.

        Returns:
            `player` if this move wins, else 0.

        Raises:
            UnknownPlayer, OffBoard: there is no such player or cell.
            GameOver, CellTaken: the game is over or the cell taken, if checked.
            OverflowError: a sum would exceed ±(2**31 - 1), if unchecked.
            TypeError: an argument is not an integer. After any error, the game is unchanged.
        """
        cdef long r = small(row)
        cdef long c = small(col)
        cdef long p = small(player)
        if not (1 <= p <= 2 and is_within(r, self.side) and is_within(c, self.side)):
            # An error or unusual integers, whose __index__ can change this very board: convert them
            # first, then start again.
            return TicTacToe.move(self, *move_arguments(row, col, player, self.side))
        cdef int verdict = judge(self, r, c, p)
        if verdict == 0:  # separate constants, which Python caches
            return 0
        if verdict == 1:
            return 1
        if verdict == 2:
            return 2
        raise refusal(self, r, c, p)

    @property
    def n(self):
        """The side of the board."""
        return self.side

    @property
    def rows(self):
        """A snapshot of the signed sum of each row, from the top. Cost: O(n)."""
        return snapshot(self, 0)

    @property
    def cols(self):
        """A snapshot of the signed sum of each column, from the left. Cost: O(n)."""
        return snapshot(self, self.side)

    @property
    def diagonal(self):
        """The signed sum of the diagonal, where row == col."""
        return self.sums[2 * self.side]

    @property
    def anti_diagonal(self):
        """The signed sum of the anti-diagonal, where row + col == n - 1."""
        return self.sums[2 * self.side + 1]

    @property
    def winner(self):
        """The player who won first, or 0."""
        return self.first

    @classmethod
    def _restore(cls, rows, cols, diagonal, anti_diagonal, winner, taken):
        """Return a referee in the given state; used by `repr`, copies and pickles."""
        rows = tuple(rows)
        sums = [integer(value, "sum") for value in (*rows, *cols, diagonal, anti_diagonal)]
        winner = integer(winner, "winner")
        cells = [(integer(row, "row"), integer(col, "col")) for row, col in taken or ()]
        # From here on only the constructor of a subclass runs other code.
        n = len(rows)
        limit = INT_MAX if taken is None else n  # so that no later move overflows a sum
        if (
            len(sums) != 2 * n + 2
            or not 0 <= winner <= 2
            or any([not -limit <= value <= limit for value in sums])
            or any([not (0 <= row < n and 0 <= col < n) for row, col in cells])
        ):
            raise ValueError("this is not a state of a TicTacToe: its parts do not fit together")
        cdef TicTacToe game = cls(n, checked=taken is not None)
        if game.side != n or (game.taken is NULL) != (taken is None):
            raise ValueError(f"this is not a state of a {cls.__name__}: it belongs to another board")
        cdef Py_ssize_t i  # no other code runs from here on
        for i, value in enumerate(sums):
            game.sums[i] = value
        for row, col in cells:
            take(game, row * n + col)
        game.first = winner
        return game

    def _state(self):
        sums = self.rows, self.cols, self.diagonal, self.anti_diagonal
        return *sums, self.first, taken_cells(self)

    def __reduce__(self):
        """Pickle and copy by value."""
        return type(self)._restore, self._state()

    def __eq__(self, other):
        """Return whether both are in the same state; a checked and an unchecked one never are."""
        return self._state() == other._state() if isinstance(other, TicTacToe) else NotImplemented

    def __repr__(self):
        """Return an expression for the same state, such as ``TicTacToe(3)`` for an empty board."""
        checked = self.taken is not NULL
        if self == TicTacToe(self.side, checked=checked):
            return f"TicTacToe({self.side}{'' if checked else ', checked=False'})"
        return f"TicTacToe._restore{self._state()!r}"

    def _repr_svg_(self):
        """Return the sums around their board as SVG for notebooks, or None if it is too large."""
        from noughts.picture import sums_svg  # slow to import, and rarely needed

        return sums_svg(*self._state())


cdef inline long small(object value) noexcept:
    """Return the value of a plain int; -1 for other types and very large values."""
    if type(value) is int and is_digit(value):
        return digit_of(value)
    return unusual(value)


cdef long unusual(object value) noexcept:
    """Return the same for values of more than one digit, which are rare."""
    cdef int overflow = 0
    return PyLong_AsLongAndOverflow(value, &overflow) if type(value) is int else -1


cdef inline bint is_within(long coordinate, long long side) noexcept:
    """Return whether a coordinate is on the board; a negative one becomes huge when unsigned."""
    return <word> coordinate < <word> side


cdef inline int judge(TicTacToe game, long row, long col, long player) noexcept:
    """Mark a cell; return the player if that wins, 0 if not, or -1, unchanged, if it is illegal."""
    cdef long long n = game.side
    cdef int sign = 3 - 2 * player  # without a branch
    if game.taken is not NULL:  # then no sum can overflow, since lines have only n cells
        if game.first or not take(game, row * n + col):
            return -1
    elif would_overflow(game, row, col, sign * INT_MAX):
        return -1
    cdef int complete = sign * <int> n
    cdef bint won = add(game.sums + row, sign, complete)
    won |= add(game.sums + n + col, sign, complete)
    if row == col:
        won |= add(game.sums + 2 * n, sign, complete)
    if row + col == n - 1:
        won |= add(game.sums + 2 * n + 1, sign, complete)
    if not won:
        return 0
    if not game.first:
        game.first = player
    return player


cdef inline bint would_overflow(TicTacToe game, long row, long col, int limit) noexcept:
    """Return whether one of the sums through a cell has reached the limit."""
    cdef long long n = game.side
    return (
        game.sums[row] == limit
        or game.sums[n + col] == limit
        or (row == col and game.sums[2 * n] == limit)
        or (row + col == n - 1 and game.sums[2 * n + 1] == limit)
    )


cdef inline bint take(TicTacToe game, word cell) noexcept:
    """Take a cell if it is free; return whether it was."""
    cdef word bit = <word> 1 << (cell & 63)
    if game.taken[cell >> 6] & bit:
        return False
    game.taken[cell >> 6] |= bit
    game.untaken -= 1
    return True


cdef inline bint add(int* line, int sign, int complete) noexcept:
    """Count a mark on a line; return whether that completes it."""
    line[0] += sign
    return line[0] == complete


cdef refusal(TicTacToe game, long row, long col, long player):
    """Return the error for a move that `judge` rejected."""
    cell = (row, col)
    if game.taken is NULL:
        return sum_overflow(cell)
    if game.first or not game.untaken:
        return GameOver.of(game.first or None, cell, player)
    return CellTaken.of(cell, player)


cdef tuple snapshot(TicTacToe game, long long first):
    """Return the sums of a side, from this one on, as a tuple."""
    cdef list sums = []  # creating it can run the caller's code; filling it does not
    cdef long long i
    first = min(first, game.side)
    for i in range(first, first + game.side):
        sums.append(game.sums[i])
    return tuple(sums)


cdef taken_cells(TicTacToe game):
    """Return the taken cells, row-major, as a tuple; None if unchecked."""
    cdef list numbers = []  # as in `snapshot`
    if game.taken is NULL:
        return None
    cdef long long side = game.side
    cdef long long left = side * side - game.untaken
    cdef long long cell = 0
    while left:
        if not game.taken[cell >> 6]:
            cell += 64
            continue
        if game.taken[cell >> 6] >> (cell & 63) & 1:
            numbers.append(cell)
            left -= 1
        cell += 1
    return tuple([(number // side, number % side) for number in numbers])


cdef word* allocate(word words) noexcept:
    """Return zeroed words that take no memory until they are touched; NULL if they do not fit.

    Large blocks are mapped without reserving memory: `calloc` would fail for more than the machine
    has, though a board needs only the pages that are played on. Huge pages save most page faults and
    address look-ups when moves are far apart; on larger boards, at 2 MiB each, they would take too
    much memory.
    """
    if words > SIZE_MAX // 8:
        return NULL
    if words < MAPPED:
        return <word*> calloc(words, 8)
    cdef int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    cdef void* block = mmap(NULL, 8 * words, PROT_READ | PROT_WRITE, flags, -1, 0)
    if block == MAP_FAILED:
        return NULL
    if words <= HUGE:
        madvise(block, 8 * words, HUGE_PAGES)
    return <word*> block


cdef void release(TicTacToe game) noexcept:
    """Free the allocated memory."""
    if game.words >= MAPPED:
        munmap(game.sums, 8 * game.words)
    elif game.words:
        free(game.sums)
    game.words = 0


# The public name, for help and pickles; nothing else can change the name of a compiled class.
(<PyTypeObject*> <PyObject*> TicTacToe).tp_name = b"noughts.TicTacToe"
