# cython: language_level=3, boundscheck=False, wraparound=False
# cython: binding=False, embedsignature=True, embedsignature.format=clinic
"""The checked `TicTacToe`, compiled: the accelerator of `noughts.referee.tictactoe`, the definition.

With binding=False, above, `move` is a plain C method, the quickest to call; `help` and `inspect` find
its arguments through embedsignature, and those of the class at the start of its docstring.
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

# Integers of one digit that are not negative, read without a call, as CPython's `list[i]` does; a
# call for each made a move a sixth slower. From 3.12 on a tag says how many digits there are (8 for
# one) and whether the integer is negative (2); its other bits (4, 1) do not matter here. Before, it is
# a size, less than 0 for a negative integer. The digit of 0 is 0. Other Pythons have none of this.
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

cdef word MAPPED = 1 << 16  # from so many words (512 KiB) on, memory is mapped,
cdef word HUGE = 1 << 23  # and up to so many (64 MiB) in huge pages
cdef int HUGE_PAGES = getattr(mapping, "MADV_HUGEPAGE", -1)  # -1: no advice


@cython.freelist(64)
cdef class TicTacToe:
    """TicTacToe(n, *, checked=True)\n--\n\nThe referee of an n×n board.

    Each move is judged at once, by the signed sums of its lines.

    The caller says who plays: turns are not enforced, and either player may begin.
    `checked=True` refuses a move on a taken cell or after the end. `checked=False` trusts the
    caller there, as the classic problem does, and needs memory for the sums alone. Both refuse a
    cell off the board, an unknown player and a wrong type.

    Cost: O(1) a move. Memory: 8n bytes, and when checked also n²/8; as the system provides memory
    only where it is touched, a new board of any size is ready at once and grows as it is played on.

    Args:
        n: the side of the board, at least 1; no upper limit but memory.
        checked: whether taken cells and the end of the game are noticed.

    Raises:
        InvalidRules: n is less than 1.
        MemoryError: the board does not fit in memory; from n = 2**31 on none does.
        TypeError: n is not an integer, or checked not a bool.
    """

    cdef long long side
    cdef int* sums  # of the rows, the columns, the diagonal, the anti-diagonal
    cdef word* taken  # a bit for each cell, row-major; NULL when unchecked
    cdef long long untaken  # how many cells; stays n² when unchecked
    cdef int first  # the player who won first, or 0
    cdef word words  # allocated at `sums`; 0 up to 10×10, where everything is kept right here:
    cdef int[22] few_sums
    cdef word[2] few_taken

    def __cinit__(self):
        self.sums = self.few_sums  # so that even an object made by __new__ alone can be read

    def __init__(self, n, *, checked=True):
        cdef long long side = small(n)
        if not 0 < side <= INT_MAX or not (checked is True or checked is False):
            side = board_side(n, checked)
        cdef word taken_words = (<word> (side * side) + 63) >> 6 if checked is True else 0
        cdef word words = 0 if side <= 10 else side + 1 + taken_words
        cdef word* block = allocate(words) if words else NULL
        if words and block is NULL:
            raise no_room("n² cells" if taken_words else "2n + 2 sums", side)
        # Nothing can fail any more. There may be an older board, as __init__ may be called twice.
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
            UnknownPlayer, OffBoard: always. GameOver, CellTaken: when checked.
            OverflowError: when unchecked, a sum would pass ±(2**31 - 1).
            TypeError: an argument is not an integer. Whatever is raised, nothing has changed.
        """
        cdef long r = small(row)
        cdef long c = small(col)
        cdef long p = small(player)
        if not (1 <= p <= 2 and is_within(r, self.side) and is_within(c, self.side)):
            # An error or unusual integers, whose __index__ may change this very board: read them
            # first, then start again.
            return TicTacToe.move(self, *move_arguments(row, col, player, self.side))
        cdef int verdict = judge(self, r, c, p)
        if verdict == 0:  # one by one, as Python keeps these integers ready
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
        """The signed sum of each row, from the top. Cost: O(n), it is a snapshot."""
        return snapshot(self, 0)

    @property
    def cols(self):
        """The signed sum of each column, from the left. Cost: O(n), it is a snapshot."""
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
        """The player who won first, or 0 while nobody has."""
        return self.first

    @classmethod
    def _restore(cls, rows, cols, diagonal, anti_diagonal, winner, taken):
        """The referee in a given state; what `repr`, copies and pickles are made of."""
        rows = tuple(rows)
        sums = [integer(value, "sum") for value in (*rows, *cols, diagonal, anti_diagonal)]
        winner = integer(winner, "winner")
        cells = [(integer(row, "row"), integer(col, "col")) for row, col in taken or ()]
        # From here on only the constructor of a subclass runs other code.
        n = len(rows)
        limit = INT_MAX if taken is None else n  # so no sum overflows, whatever is played next
        if (
            len(sums) != 2 * n + 2
            or not 0 <= winner <= 2
            or any([not -limit <= value <= limit for value in sums])
            or any([not (0 <= row < n and 0 <= col < n) for row, col in cells])
        ):
            raise ValueError("no state of a TicTacToe: its parts do not fit together")
        cdef TicTacToe game = cls(n, checked=taken is not None)
        if game.side != n or (game.taken is NULL) != (taken is None):
            raise ValueError(f"no state of a {cls.__name__}: it is another board")
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
        """Whether both are in the same state; a checked and an unchecked one never are."""
        return self._state() == other._state() if isinstance(other, TicTacToe) else NotImplemented

    def __repr__(self):
        """An expression for the same state: ``TicTacToe(3)`` for an empty board."""
        checked = self.taken is not NULL
        if self == TicTacToe(self.side, checked=checked):
            return f"TicTacToe({self.side}{'' if checked else ', checked=False'})"
        return f"TicTacToe._restore{self._state()!r}"

    def _repr_svg_(self):
        """The sums around their board as SVG, for notebooks; None if it is too large for that."""
        from noughts.picture import sums_svg  # slow to import, and few referees are shown

        return sums_svg(*self._state())


cdef inline long small(object value) noexcept:
    """The value of a plain int; -1 for what needs a second look: other types, very large ones."""
    if type(value) is int and is_digit(value):
        return digit_of(value)
    return unusual(value)


cdef long unusual(object value) noexcept:
    """The same for what is not one digit; a function of its own, as it is rare."""
    cdef int overflow = 0
    return PyLong_AsLongAndOverflow(value, &overflow) if type(value) is int else -1


cdef inline bint is_within(long coordinate, long long side) noexcept:
    """Whether a coordinate is on the board, by one comparison: a negative one becomes a huge one."""
    return <word> coordinate < <word> side


cdef inline int judge(TicTacToe game, long row, long col, long player) noexcept:
    """Mark a cell of the board: the player if that wins, else 0; -1, with nothing changed, if refused."""
    cdef long long n = game.side
    cdef int sign = 3 - 2 * player  # without a branch, whoever plays
    if game.taken is not NULL:  # then no sum can overflow: lines have only n cells to take
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
    """Whether one of the sums through a cell has reached the limit."""
    cdef long long n = game.side
    return (
        game.sums[row] == limit
        or game.sums[n + col] == limit
        or (row == col and game.sums[2 * n] == limit)
        or (row + col == n - 1 and game.sums[2 * n + 1] == limit)
    )


cdef inline bint take(TicTacToe game, word cell) noexcept:
    """Take a cell unless it is taken; whether it was free."""
    cdef word bit = <word> 1 << (cell & 63)
    if game.taken[cell >> 6] & bit:
        return False
    game.taken[cell >> 6] |= bit
    game.untaken -= 1
    return True


cdef inline bint add(int* line, int sign, int complete) noexcept:
    """Count a mark on a line; whether that completes it."""
    line[0] += sign
    return line[0] == complete


cdef refusal(TicTacToe game, long row, long col, long player):
    """The error for a move that `judge` has refused."""
    cell = (row, col)
    if game.taken is NULL:
        return sum_overflow(cell)
    if game.first or not game.untaken:
        return GameOver.of(game.first or None, cell, player)
    return CellTaken.of(cell, player)


cdef tuple snapshot(TicTacToe game, long long first):
    """The sums of a side, from this one on, as a tuple."""
    cdef list sums = []  # making it may run code of the caller's; filling it does not
    cdef long long i
    first = min(first, game.side)
    for i in range(first, first + game.side):
        sums.append(game.sums[i])
    return tuple(sums)


cdef taken_cells(TicTacToe game):
    """The taken cells, row-major, as a tuple; None when unchecked."""
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
    """Zeroed words that take no memory until they are touched; NULL if they do not fit.

    Many are mapped, unreserved: `calloc` refuses more than the machine has, though a board needs
    only what is played on. Huge pages save most page faults and address look-ups when moves are far
    apart; on larger boards, at 2 MiB each, they would take too much memory.
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
    """Free what was allocated."""
    if game.words >= MAPPED:
        munmap(game.sums, 8 * game.words)
    elif game.words:
        free(game.sums)
    game.words = 0


# What users import, in help and pickles: the name of a compiled class is fixed, but for this.
(<PyTypeObject*> <PyObject*> TicTacToe).tp_name = b"noughts.TicTacToe"
