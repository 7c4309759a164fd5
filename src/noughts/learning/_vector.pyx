# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Many games with the same rules, advanced together. `noughts.learning.vector` is the interface.

A move is legal if the mask of its game allows it; every move updates the mask. One of four methods
decides whether a move ends its game:

* `BOARD`: for rules that are not `by_lines`, such as early draws; each game has a board as in `Game`.
* `BITS`: for boards that fit in a machine word, if any line ends the game; each player has a word.
* `TABLE`: like `BITS`, on boards of up to `TABLE_BITS` bits, with a table of all winning words.
* `LINES`: for all others; every line has its bits.

A mispredicted branch costs as much as a whole step on 3×3, so games that need separate treatment are
first collected without branching (see `select`).
"""

from cpython.buffer cimport (
    Py_buffer, PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release,
    PyObject_CheckBuffer, PyObject_GetBuffer,
)
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from noughts.game.bits cimport BitBoard, Bits, has_line, lay_out, tabulate
from noughts.game.geometry cimport Geometry, by_lines, read, release
from noughts.game.lines cimport Lines, number, put_on_lines
from noughts.game.moves cimport play_and_mark
from noughts.game.rules cimport Variant, winner_by
from noughts.game.tallies cimport GOES_ON, LINE, NO_MEMORY, Tallies, copy, finish, start
from noughts.learning.candidates cimport (
    MAX_ACTIONS, Candidates, close, draw, free_candidates, new_candidates, sort,
)
from noughts.learning.pool cimport (
    Pool, PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock,
    PyThread_type_lock, NOWAIT_LOCK, WAIT_LOCK, close_pool, open_pool, share, store,
)

cdef enum:
    BLOCK = 256  # games handled at a time
    FEW = 16  # games for which letting other Python threads run would take longer than the games
    TABLE_BITS = 12

MEMORY_SHORT = "not enough memory for the games"
WRONG_SIZE = "an array does not have the size of these games"

cdef enum Method:
    BOARD
    TABLE
    BITS
    LINES

ctypedef unsigned char Wins

# What finds lines, one for each method. Each gets a loop of its own, which keeps more in registers: a
# step on 3×3 takes four fifths of the time.
ctypedef fused Finder:
    Wins
    BitBoard
    Lines
    Tallies

cdef enum Autoreset:  # the order of `AUTORESET` in noughts.learning.vector
    SAME_STEP
    NEXT_STEP
    DISABLED

cdef class Vector

ctypedef bint (*Part)(Vector, const Call*, Py_ssize_t first, Py_ssize_t last) noexcept nogil

cdef struct Call:
    Part part  # handles at most `BLOCK` games; returns False if memory is short
    void* vector  # a `Vector`
    void* array  # the caller's
    const void* choice  # a byte per game that selects games or seats; may be NULL


cdef class Vector:
    """The games; every array has one row per game.

    Args:
        rules: the `Rules` of all games.
        autoreset: an `Autoreset`.
        threads: number of threads that share the games. Calls from several threads wait for each
            other.
        legal: uint8, games × actions; this array and the next six are written to.
        turn: int8. winner: int8. done: uint8. ply: int32.
        illegal: uint8, 1 for each game in which `step` has refused the action.
        random: uint64, the state of each game's random numbers.

    Raises:
        ValueError: there are too many actions, or an array has the wrong size.
        MemoryError: memory is short.
    """

    cdef unsigned int failed  # memory was short, so the games are no longer valid
    cdef Method method
    cdef Autoreset autoreset
    cdef int players
    cdef bint gravity
    cdef Pool* pool
    cdef PyThread_type_lock lock  # held by a call that uses the games
    cdef Py_ssize_t games
    cdef Py_ssize_t actions, cells, floor  # the first cell of the last row, with gravity
    cdef Py_buffer[7] buffers  # pointers follow instead of memoryviews, which compile slowly
    cdef int buffer_count
    cdef unsigned char* legal
    cdef signed char* turn
    cdef signed char* winner
    cdef unsigned char* done
    cdef unsigned char* illegal
    cdef int* ply
    cdef unsigned long long* random
    cdef Py_ssize_t planes_size  # of all planes of a game
    # 1 where a player has a mark. A game has a plane for each player in turn, then a second one for
    # all but the last, so that every player's view, which starts with their own plane, is contiguous.
    cdef signed char* planes
    cdef unsigned int* heights  # of each action's column, with gravity
    cdef Candidates candidates
    cdef BitBoard bits
    cdef Bits* held  # each player's marks; always allocated, though only TABLE and BITS use it
    cdef unsigned char* wins  # TABLE: whether these marks contain a line
    cdef Lines lines
    cdef unsigned char* marks  # each player's, along the lines
    cdef Tallies* boards
    cdef void* source  # the `Vector` that `take` copies from, during the call
    cdef bint streams  # whether `take` copies the state of random numbers, too
    cdef unsigned long long apart  # what it adds to them, times the number of the game
    cdef Geometry geometry  # last because it is large: shorter code reaches the other fields

    def __cinit__(
        self, rules, int autoreset, unsigned int threads,
        legal, turn, winner, done, ply, illegal, random,
    ):
        cdef Py_ssize_t game
        read(&self.geometry, rules)
        cdef Geometry* board = &self.geometry
        self.players, self.gravity = board.players, board.gravity
        self.autoreset = <Autoreset> autoreset
        self.games = len(turn)
        self.cells = board.cells
        self.actions = board.strides[0] if self.gravity else board.cells
        self.floor = board.cells - board.strides[0]
        if not self.games or not threads:
            raise ValueError(WRONG_SIZE)
        if self.actions > MAX_ACTIONS:
            raise ValueError(f"a game can have at most {MAX_ACTIONS:,} actions, got {self.actions:,}")
        self.legal = <unsigned char*> self.acquire(legal, 1, self.actions)
        self.turn = <signed char*> self.acquire(turn, 1)
        self.winner = <signed char*> self.acquire(winner, 1)
        self.done = <unsigned char*> self.acquire(done, 1)
        self.ply = <int*> self.acquire(ply, sizeof(int))
        self.illegal = <unsigned char*> self.acquire(illegal, 1)
        self.random = <unsigned long long*> self.acquire(random, sizeof(long long))
        self.planes_size = (2 * self.players - 1) * self.cells
        self.planes = <signed char*> calloc(self.games, self.planes_size)
        self.held = <Bits*> calloc(self.games, self.players * sizeof(Bits))
        if self.gravity:
            self.heights = <unsigned int*> calloc(self.games, self.actions * sizeof(int))
        self.pool = open_pool(threads)
        self.lock = PyThread_allocate_lock()
        ready = self.planes is not NULL and self.held is not NULL
        ready = ready and (self.heights is not NULL or not self.gravity)
        ready = ready and new_candidates(&self.candidates, self.games, self.actions)
        if not ready or not self.prepare() or self.pool is NULL or self.lock is NULL:
            raise MemoryError(MEMORY_SHORT)
        for game in range(self.games):
            sort(&self.candidates, game)
            if not begin(self, game):
                raise MemoryError(MEMORY_SHORT)

    cdef void* acquire(self, array, Py_ssize_t item, Py_ssize_t items=1) except NULL:
        """Return the address of an array of `items` × `item` bytes per game, and keep its buffer."""
        cdef Py_buffer* buffer = &self.buffers[self.buffer_count]
        PyObject_GetBuffer(array, buffer, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)
        self.buffer_count += 1
        if buffer.len != self.games * items * item or <size_t> buffer.buf % item:
            raise ValueError(WRONG_SIZE)
        return buffer.buf

    cdef bint prepare(self) noexcept:
        """Choose the method and allocate its arrays; return False if memory is short."""
        cdef Geometry* board = &self.geometry
        if not by_lines(board):
            self.method = BOARD
            self.boards = <Tallies*> calloc(self.games, sizeof(Tallies))
            return self.boards is not NULL
        if board.variant.any_line and lay_out(&self.bits, board, False):
            self.method = BITS
            if self.bits.bit_of[board.cells - 1] < 1 << TABLE_BITS:  # the highest bit
                self.method = TABLE
                self.wins = tabulate(&self.bits)
            return self.method == BITS or self.wins is not NULL
        self.method = LINES
        if not number(&self.lines, board):
            return False
        self.marks = <unsigned char*> calloc(self.games, self.players * self.lines.size)
        return self.marks is not NULL

    cdef int play_on_board(
        self, Py_ssize_t game, long long cell, unsigned char* legal
    ) noexcept nogil:
        """Make a move on a board. As a method it is not inlined, which would slow others by 5%."""
        return play_and_mark(&self.boards[game], cell, legal)

    def __dealloc__(self):
        cdef Py_ssize_t game
        cdef int i
        close_pool(self.pool)
        if self.lock is not NULL:
            PyThread_free_lock(self.lock)
        for i in range(self.buffer_count):
            PyBuffer_Release(&self.buffers[i])
        if self.boards is not NULL:
            for game in range(self.games):
                finish(&self.boards[game])
        release(&self.geometry)
        free(self.planes)
        free_candidates(&self.candidates)
        free(self.heights)
        free(self.held)
        free(self.wins)
        free(self.lines.bits)
        free(self.marks)
        free(self.boards)

    cdef int run(
        self, Part part, object array, Py_ssize_t size, int flags, object choice=None
    ) except -1:
        """Run a part in all threads, with an array of `size` bytes per game and a choice or None."""
        cdef Py_buffer view
        PyObject_GetBuffer(array, &view, flags)
        try:
            if view.len != self.games * size:
                raise ValueError(WRONG_SIZE)
            self.run_on(part, view.buf, choice)
        finally:
            PyBuffer_Release(&view)
        return 0

    cdef int run_on(self, Part part, void* array, object choice) except -1:
        """Run a part in all threads, with an array and a choice of a byte per game, or None.

        After a MemoryError some game may have lost its board, so every later call raises it, too.
        """
        cdef Call call
        cdef Py_buffer chosen
        if self.failed:
            raise MemoryError(MEMORY_SHORT)
        call.part, call.vector, call.array, call.choice = part, <void*> self, array, NULL
        if choice is not None:
            PyObject_GetBuffer(choice, &chosen, PyBUF_SIMPLE)
            call.choice = chosen.buf
        try:
            if choice is not None and chosen.len != self.games:
                raise ValueError(WRONG_SIZE)
            wait_for(self.lock)
            if self.games <= FEW:
                run_part(&call, 0, self.games)
            else:
                with nogil:
                    share(self.pool, run_part, &call, self.games)
            PyThread_release_lock(self.lock)
        finally:
            if choice is not None:
                PyBuffer_Release(&chosen)
        if self.failed:
            raise MemoryError(MEMORY_SHORT)
        return 0

    cdef bint fits(self, object array, Py_buffer* view, int flags, Py_ssize_t item) except -1:
        """Get the buffer of an array that needs no conversion; otherwise return False.

        It must have a row of signed integers of `item` bytes per game: one integer, or if they are
        bytes one per player and cell.
        """
        cdef Geometry* board = &self.geometry
        cdef int axis
        if not PyObject_CheckBuffer(array):
            return False
        try:
            PyObject_GetBuffer(array, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | flags)
        except (BufferError, TypeError, ValueError):
            return False
        cdef bint right = view.itemsize == item and view.format is not NULL
        right = right and view.ndim == (1 if item > 1 else 2 + board.dimensions)
        right = right and view.shape[0] == self.games and <size_t> view.buf % item == 0
        right = right and view.format[1] == 0 and view.format[0] in (b"l", b"q", b"b")
        if right and item == 1:
            right = view.shape[1] == self.players
            for axis in range(board.dimensions):
                right = right and view.shape[2 + axis] == board.sides[axis]
        if not right:
            PyBuffer_Release(view)
        return right

    cdef bint run_if(
        self, Part part, object array, int flags, Py_ssize_t item, object choice
    ) except -1:
        """Run a part with an array if it `fits`; return whether it does."""
        cdef Py_buffer view
        if not self.fits(array, &view, flags, item):
            return False
        try:
            self.run_on(part, view.buf, choice)
        finally:
            PyBuffer_Release(&view)
        return True

    def step(self, actions):
        """Make a move in every game; return False, without one, unless `actions` are int64."""
        return self.run_if(advance, actions, 0, sizeof(long long), None)

    def reset(self, chosen):
        """Restart the chosen games from an empty board; `chosen` has one byte per game."""
        self.run(start_chosen, chosen, 1, PyBUF_SIMPLE)

    def seed(self, states):
        """Set the state of each game's random numbers; `states` are contiguous uint64."""
        self.run(set_random, states, sizeof(long long), PyBUF_SIMPLE)

    def draw(self, actions, chosen):
        """Write a random legal action for each chosen game that is not over, -1 for the others.

        `chosen` is as for `reset`, or None for all games. Returns False, without drawing, unless
        `actions` are int64.
        """
        return self.run_if(draw_actions, actions, PyBUF_WRITABLE, sizeof(long long), chosen)

    def observe(self, planes, seats):
        """Write one player's view of each game.

        `seats` has one byte per game, the player; None stands for the player to move. Returns
        False, without writing, unless `planes` are int8, games × players × the board's sides.
        """
        return self.run_if(observe, planes, PyBUF_WRITABLE, 1, seats)

    def take(self, Vector source, rows, bint streams, unsigned long long apart):
        """Make every game a copy of one of `source`. The rules must be the same.

        `rows` are contiguous int64, the number of a game of `source` for each game. If `streams`,
        random numbers are copied, too, plus `apart` times the number of each game.
        """
        if source is self:
            raise ValueError("games cannot be copied to themselves")
        if source.failed:
            raise MemoryError(MEMORY_SHORT)
        wait_for(source.lock)  # no call holds a lock and waits for this one: sources are not changed
        try:
            self.source, self.streams, self.apart = <void*> source, streams, apart
            self.run(take_games, rows, sizeof(long long), PyBUF_SIMPLE)
        finally:
            PyThread_release_lock(source.lock)


cdef int wait_for(PyThread_type_lock lock) except -1:
    """Take the lock, letting other Python threads run only if one of them holds it."""
    if not PyThread_acquire_lock(lock, NOWAIT_LOCK):
        with nogil:
            PyThread_acquire_lock(lock, WAIT_LOCK)
    return 0


cdef void run_part(void* call, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Run a call's part for these games, in any thread."""
    cdef Call* self = <Call*> call
    cdef Py_ssize_t end
    while first < last:
        end = min(first + BLOCK, last)
        if not self.part(<Vector> self.vector, self, first, end):
            store(&(<Vector> self.vector).failed, True)
        first = end


cdef inline Py_ssize_t select(
    Py_ssize_t* found, Py_ssize_t first, Py_ssize_t last, const unsigned char* wanted,
    const unsigned char* unwanted,
) noexcept nogil:
    """Write the numbers of the wanted games, at most `BLOCK`, without branching; return their count.

    Either array may be NULL.
    """
    cdef Py_ssize_t game
    cdef Py_ssize_t count = 0
    cdef bint is_wanted
    for game in range(first, last):
        is_wanted = wanted is NULL or wanted[game]
        if unwanted is not NULL:
            is_wanted &= not unwanted[game]
        found[count] = game
        count += is_wanted
    return count


cdef bint start_chosen(
    Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Restart the chosen games; return False if memory is short."""
    cdef Py_ssize_t chosen[BLOCK]
    cdef Py_ssize_t i
    cdef bint done = True
    for i in range(select(chosen, first, last, <const unsigned char*> call.array, NULL)):
        self.done[chosen[i]] = self.winner[chosen[i]] = 0
        sort(&self.candidates, chosen[i])
        done &= begin(self, chosen[i])
    return done


cdef bint set_random(
    Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Set the state of these games' random numbers."""
    cdef const unsigned long long* states = <const unsigned long long*> call.array
    memcpy(self.random + first, states + first, (last - first) * sizeof(long long))
    return True


cdef inline void copy_rows(
    void* target, const void* source, Py_ssize_t size, const long long* rows,
    Py_ssize_t first, Py_ssize_t last,
) noexcept nogil:
    """Copy row `rows[row]` of `source`, of `size` bytes, to each row from `first` to before `last`.

    It is inlined, so that a size known to the compiler becomes one move instead of a call.
    """
    cdef Py_ssize_t row
    for row in range(first, last):
        memcpy(<char*> target + row * size, <const char*> source + rows[row] * size, size)


cdef bint take_games(
    Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Make these games copies of the source's; return False if memory is short."""
    return take_from(self, <Vector> self.source, <const long long*> call.array, first, last)


cdef bint take_from(
    Vector self, Vector source, const long long* rows, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Make these games copies of the games `rows` of `source`, array by array."""
    cdef Py_ssize_t game, actions = self.actions
    copy_rows(self.turn, source.turn, 1, rows, first, last)
    copy_rows(self.winner, source.winner, 1, rows, first, last)
    copy_rows(self.done, source.done, 1, rows, first, last)
    copy_rows(self.ply, source.ply, sizeof(int), rows, first, last)
    copy_rows(self.legal, source.legal, actions, rows, first, last)
    copy_rows(self.planes, source.planes, self.planes_size, rows, first, last)
    copy_rows(self.candidates.order, source.candidates.order, 2 * actions, rows, first, last)
    copy_rows(self.candidates.left, source.candidates.left, sizeof(int), rows, first, last)
    copy_rows(self.held, source.held, self.players * sizeof(Bits), rows, first, last)
    if self.streams:
        copy_rows(self.random, source.random, sizeof(long long), rows, first, last)
        for game in range(first, last):
            self.random[game] += self.apart * <unsigned long long> game
    if self.gravity:
        copy_rows(self.heights, source.heights, actions * sizeof(int), rows, first, last)
    if self.method == LINES:
        copy_rows(self.marks, source.marks, self.players * self.lines.size, rows, first, last)
    elif self.method == BOARD:
        for game in range(first, last):
            finish(&self.boards[game])
            if not copy(&self.boards[game], &source.boards[rows[game]]):
                return False
            self.boards[game].geometry = &self.geometry
    return adopt(self, source.autoreset, first, last)


cdef bint adopt(Vector self, Autoreset theirs, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Adapt copies of finished games to this `autoreset`; return False if memory is short."""
    cdef Py_ssize_t ended[BLOCK]
    cdef Py_ssize_t i
    if theirs == self.autoreset:
        return True
    if theirs == SAME_STEP:
        memset(self.done + first, 0, last - first)
        memset(self.winner + first, 0, last - first)
    elif self.autoreset == SAME_STEP:
        for i in range(select(ended, first, last, self.done, NULL)):
            if not begin(self, ended[i]):
                return False
    return True


cdef bint draw_actions(
    Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Draw an action for each game that is chosen and not over; write -1 for the others."""
    cdef Py_ssize_t chosen[BLOCK]
    cdef Py_ssize_t i, game
    cdef Py_ssize_t count = last - first
    cdef long long* drawn = <long long*> call.array
    cdef const unsigned char* over = self.done if self.autoreset != SAME_STEP else NULL
    cdef bint picked = call.choice is not NULL or over is not NULL
    cdef bint fouls = self.geometry.variant.fouls
    cdef Candidates candidates = self.candidates  # copied so that it stays in registers
    cdef const unsigned char* legal = self.legal
    cdef unsigned long long* random = self.random
    cdef const Tallies* board = NULL
    if picked:
        memset(drawn + first, 0xFF, count * sizeof(long long))
        count = select(chosen, first, last, <const unsigned char*> call.choice, over)
    for i in range(count):
        game = chosen[i] if picked else first + i
        if fouls:
            board = &self.boards[game]
        drawn[game] = draw(
            &candidates, game, legal + game * candidates.actions, &random[game], board
        )
    return True


cdef inline void copy_bytes(
    signed char* target, const signed char* source, Py_ssize_t size
) noexcept nogil:
    """Copy bytes, a few of them without calling `memcpy`, which takes twice as long on 3×3."""
    cdef Py_ssize_t at = 0
    if not 16 <= size <= 128:
        memcpy(target, source, size)
        return
    while at < size - 16:
        memcpy(target + at, source + at, 16)
        at += 16
    memcpy(target + size - 16, source + size - 16, 16)


cdef bint observe(Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Write one player's view of each of these games."""
    cdef Py_ssize_t game
    cdef int players = self.players  # fields are read once, not for each game
    cdef Py_ssize_t cells = self.cells, size = players * cells, planes_size = self.planes_size
    cdef const signed char* planes = self.planes
    cdef signed char* seen = <signed char*> call.array
    cdef const signed char* seat = <const signed char*> call.choice
    if seat is NULL:
        seat = self.turn
    for game in range(first, last):
        if 1 <= seat[game] <= players:  # another thread may have changed it
            copy_bytes(
                seen + game * size, planes + game * planes_size + (seat[game] - 1) * cells, size
            )
    return True


cdef bint begin(Vector self, Py_ssize_t game) noexcept nogil:
    """Start a game; return False if memory is short."""
    cdef Py_ssize_t marks = self.players * self.lines.size
    self.ply[game], self.turn[game] = 0, 1
    self.candidates.left[game] = <unsigned int> self.actions
    memset(self.legal + game * self.actions, 1, self.actions)
    memset(self.planes + game * self.planes_size, 0, self.planes_size)
    if self.gravity:
        memset(self.heights + game * self.actions, 0, self.actions * sizeof(int))
    memset(self.held + game * self.players, 0, self.players * sizeof(Bits))
    if self.method == LINES:
        memset(self.marks + game * marks, 0, marks)
    elif self.method == BOARD:
        finish(&self.boards[game])
        return start(&self.boards[game], &self.geometry)
    return True


cdef bint advance(Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Make a move in each of these games; return False if memory is short."""
    if self.method == TABLE:
        return advance_by(self, call, first, last, self.wins)
    if self.method == BITS:
        return advance_by(self, call, first, last, &self.bits)
    if self.method == LINES:
        return advance_by(self, call, first, last, &self.lines)
    return advance_by(self, call, first, last, self.boards)


cdef inline bint advance_by(
    Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last, Finder* finder
) noexcept nogil:
    """Make a move in each of these games, by one method; return False if memory is short."""
    cdef const long long* chosen = <const long long*> call.array
    cdef unsigned char* legal = self.legal + (first - 1) * self.actions
    cdef signed char* turns = self.turn
    cdef unsigned char* done = self.done
    cdef unsigned char* illegal = self.illegal
    cdef int* ply = self.ply
    cdef Autoreset autoreset = self.autoreset
    cdef long long action, cell
    cdef Candidates candidates = self.candidates  # copied so that it stays in registers
    cdef Py_ssize_t cells = self.cells, actions = self.actions, size = self.planes_size
    cdef signed char* planes = self.planes + (first - 1) * size
    cdef Py_ssize_t ended[BLOCK]
    cdef signed char lines[BLOCK]  # the player who completed a line in each of these, or 0
    cdef Py_ssize_t game, count = 0
    cdef int players = self.players, player, answer, again, plies
    cdef bint over, complete, gravity = self.gravity  # fields are read once, not for each game
    cdef Bits* held = self.held + (first - 1) * players - 1  # player 1 comes first
    cdef Bits* bit_of = self.bits.bit_of
    cdef Bits marks
    cdef unsigned char* marked
    memset(illegal + first, 0, last - first)
    if autoreset == SAME_STEP:
        memset(done + first, 0, last - first)
        memset(self.winner + first, 0, last - first)
    for game in range(first, last):
        held += players
        legal += actions
        planes += size
        if done[game]:
            if autoreset == NEXT_STEP:
                done[game] = self.winner[game] = 0
                if not begin(self, game):
                    return False
            continue
        action = chosen[game]
        if not 0 <= action < actions or not legal[action]:
            illegal[game] = True
            continue
        player = turns[game]
        cell = fall(self, game, action) if gravity else action
        legal[action] = cell != action
        close(&candidates, game, action, cell == action)
        plies = ply[game] + 1
        ply[game] = plies
        again = player < players
        turns[game] = <signed char> (player * again + 1)
        planes[(player - 1) * cells + cell] = 1
        planes[(player - 1 + players * again) * cells + cell] = 1  # the second, if there is one
        over = plies == cells
        if Finder is Wins or Finder is BitBoard:
            marks = held[player] | bit_of[cell]
            held[player] = marks
            complete = finder[marks] if Finder is Wins else has_line(finder, marks)
        elif Finder is Lines:
            marked = self.marks + game * players * finder.size
            complete = put_on_lines(finder, marked, player, cell)
        else:
            answer = self.play_on_board(game, cell, legal)
            if answer == NO_MEMORY:
                return False
            complete = answer == LINE
            over = answer != GOES_ON
        over |= complete
        done[game] = over
        ended[count] = game
        lines[count] = <signed char> (player * complete)
        count += over
    return end(self, ended, lines, count)


cdef bint end(
    Vector self, const Py_ssize_t* games, const signed char* lines, Py_ssize_t count
) noexcept nogil:
    """Write the winners, and restart these games or close them; return False if memory is short."""
    cdef const Variant* variant = &self.geometry.variant
    cdef Py_ssize_t i
    for i in range(count):
        if lines[i]:
            self.winner[games[i]] = <signed char> winner_by(variant, lines[i])
        if self.autoreset != SAME_STEP:
            memset(self.legal + games[i] * self.actions, 0, self.actions)
        elif not begin(self, games[i]):
            return False
    return True


cdef inline long long fall(Vector self, Py_ssize_t game, long long action) noexcept nogil:
    """Return the cell where a mark lands in a column that is not full."""
    cdef unsigned int* height = self.heights + game * self.actions + action
    cdef long long cell = self.floor + action - height[0] * self.actions
    height[0] += 1
    return cell
