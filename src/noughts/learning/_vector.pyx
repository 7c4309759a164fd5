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
from noughts.learning.games cimport (
    SAME_STEP, Games, adapt, begin, conclude, draw, forget, land, renew, resumes, settle,
)
from noughts.learning.pool cimport (
    Pool, PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock,
    PyThread_type_lock, NOWAIT_LOCK, WAIT_LOCK, close_pool, load, open_pool, share, store,
)

cdef enum:
    BLOCK = 256  # games handled at a time
    MAX_ACTIONS = 1 << 16  # an action is stored in two bytes
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

cdef class Vector

ctypedef bint (*Part)(Vector, const Call*, Py_ssize_t first, Py_ssize_t last) noexcept nogil

cdef struct Call:
    Part part  # handles at most `BLOCK` games; returns False if memory is short
    void* vector  # a `Vector`
    void* array  # the caller's
    const void* choice  # a byte per game that selects games or seats; may be NULL

cdef struct Source:
    void* vector  # the `Vector` that `take` copies from
    const long long* rows  # the number of one of its games for each game
    bint streams  # whether the state of random numbers is copied, too
    unsigned long long apart  # what is added to it, times the number of the game


cdef class Vector:
    """The games; every array has one row per game.

    Args:
        rules: the `Rules` of all games.
        autoreset: a number of games.h.
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
    cdef int players
    cdef Pool* pool
    cdef PyThread_type_lock lock  # held by a call that uses the games
    cdef Py_ssize_t count, cells
    cdef Games games
    cdef Py_buffer[7] buffers  # pointers follow instead of memoryviews, which compile slowly
    cdef int buffer_count
    cdef Py_ssize_t planes_size  # of all planes of a game
    # 1 where a player has a mark. A game has a plane for each player in turn, then a second one for
    # all but the last, so that every player's view, which starts with their own plane, is contiguous.
    cdef signed char* planes
    cdef BitBoard bits
    cdef Bits* held  # each player's marks; always allocated, though only TABLE and BITS use it
    cdef unsigned char* wins  # TABLE: whether these marks contain a line
    cdef Lines lines
    cdef unsigned char* marks  # each player's, along the lines
    cdef Tallies* boards
    cdef Geometry geometry  # last because it is large: shorter code reaches the other fields

    def __cinit__(
        self, rules, int autoreset, unsigned int threads,
        legal, turn, winner, done, ply, illegal, random,
    ):
        cdef Py_ssize_t game
        read(&self.geometry, rules)
        cdef Geometry* board = &self.geometry
        cdef Games* games = &self.games
        self.players, self.cells, self.count = board.players, board.cells, len(turn)
        games.players, games.cells, games.gravity = board.players, board.cells, board.gravity
        games.actions = board.strides[0] if board.gravity else board.cells
        games.floor, games.autoreset = board.cells - board.strides[0], autoreset
        if not self.count or not threads:
            raise ValueError(WRONG_SIZE)
        if games.actions > MAX_ACTIONS:
            raise ValueError(f"a game can have at most {MAX_ACTIONS:,} actions, got {games.actions:,}")
        games.legal = <unsigned char*> self.acquire(legal, 1, games.actions)
        games.turn = <signed char*> self.acquire(turn, 1)
        games.winner = <signed char*> self.acquire(winner, 1)
        games.done = <unsigned char*> self.acquire(done, 1)
        games.ply = <int*> self.acquire(ply, sizeof(int))
        games.illegal = <unsigned char*> self.acquire(illegal, 1)
        games.random = <unsigned long long*> self.acquire(random, sizeof(long long))
        games.order = <unsigned short*> calloc(self.count, games.actions * sizeof(short))
        games.left = <unsigned int*> calloc(self.count, sizeof(int))
        if games.gravity:
            games.heights = <unsigned int*> calloc(self.count, games.actions * sizeof(int))
        self.planes_size = (2 * self.players - 1) * self.cells
        self.planes = <signed char*> calloc(self.count, self.planes_size)
        self.held = <Bits*> calloc(self.count, self.players * sizeof(Bits))
        self.pool = open_pool(threads)
        self.lock = PyThread_allocate_lock()
        ready = self.planes is not NULL and self.held is not NULL
        ready = ready and games.order is not NULL and games.left is not NULL
        ready = ready and (games.heights is not NULL or not games.gravity)
        if not ready or not self.prepare() or self.pool is NULL or self.lock is NULL:
            raise MemoryError(MEMORY_SHORT)
        for game in range(self.count):
            renew(games, game)
            if not start_game(self, game):
                raise MemoryError(MEMORY_SHORT)

    cdef void* acquire(self, array, Py_ssize_t item, Py_ssize_t items=1) except NULL:
        """Return the address of an array of `items` × `item` bytes per game, and keep its buffer."""
        cdef Py_buffer* buffer = &self.buffers[self.buffer_count]
        PyObject_GetBuffer(array, buffer, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)
        self.buffer_count += 1
        if buffer.len != self.count * items * item or <size_t> buffer.buf % item:
            raise ValueError(WRONG_SIZE)
        return buffer.buf

    cdef bint prepare(self) noexcept:
        """Choose the method and allocate its arrays; return False if memory is short."""
        cdef Geometry* board = &self.geometry
        if not by_lines(board):
            self.method = BOARD
            self.boards = <Tallies*> calloc(self.count, sizeof(Tallies))
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
        self.marks = <unsigned char*> calloc(self.count, self.players * self.lines.size)
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
            for game in range(self.count):
                finish(&self.boards[game])
        release(&self.geometry)
        free(self.planes)
        free(self.games.order)
        free(self.games.left)
        free(self.games.heights)
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
            if view.len != self.count * size:
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
        call.part, call.vector, call.array, call.choice = part, <void*> self, array, NULL
        if choice is not None:
            PyObject_GetBuffer(choice, &chosen, PyBUF_SIMPLE)
            call.choice = chosen.buf
        try:
            if choice is not None and chosen.len != self.count:
                raise ValueError(WRONG_SIZE)
            wait_for(self.lock)
            if load(&self.failed):
                pass  # perhaps in a call of another thread, while this one waited
            elif self.count <= FEW:
                run_part(&call, 0, self.count)
            else:
                with nogil:
                    share(self.pool, run_part, &call, self.count)
            PyThread_release_lock(self.lock)
        finally:
            if choice is not None:
                PyBuffer_Release(&chosen)
        if load(&self.failed):
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
        right = right and view.shape[0] == self.count and <size_t> view.buf % item == 0
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
        """Restart the chosen games, of which `chosen` has one byte each; None restarts all."""
        self.run_on(start_chosen, NULL, chosen)

    def seed(self, states):
        """Set the state of each game's random numbers; `states` are contiguous uint64."""
        self.run(set_random, states, sizeof(long long), PyBUF_SIMPLE)

    def draw(self, actions, chosen):
        """Write a random legal action for each chosen game that is not over, -1 for the others.

        `chosen` is as for `reset`. Returns False, without drawing, unless `actions` are int64.
        """
        return self.run_if(draw_actions, actions, PyBUF_WRITABLE, sizeof(long long), chosen)

    def observe(self, planes, seats):
        """Write one player's view of each game.

        `seats` has one byte per game, the player; None stands for the player to move. Returns
        False, without writing, unless `planes` are int8, games × players × the board's sides.
        """
        return self.run_if(observe, planes, PyBUF_WRITABLE, 1, seats)

    def step_random(self, planes):
        """Make a random move in every game and `observe`; return False, without a move, as there."""
        return self.run_if(play_randomly, planes, PyBUF_WRITABLE, 1, None)

    def take(self, Vector source, rows, bint streams, unsigned long long apart):
        """Make every game a copy of one of `source`. The rules must be the same.

        `rows` are contiguous int64, the number of a game of `source` for each game. If `streams`,
        random numbers are copied, too, plus `apart` times the number of each game.
        """
        if source is self:
            raise ValueError("games cannot be copied to themselves")
        cdef Py_buffer view
        cdef Source origin  # not in `self`, where the next call could change it before this one runs
        PyObject_GetBuffer(rows, &view, PyBUF_SIMPLE)
        try:
            if view.len != self.count * <Py_ssize_t> sizeof(long long):
                raise ValueError(WRONG_SIZE)
            origin.vector, origin.rows = <void*> source, <const long long*> view.buf
            origin.streams, origin.apart = streams, apart
            # No deadlock: the source never waits for these games, which are new or take from a copy.
            wait_for(source.lock)
            try:
                if load(&source.failed):
                    raise MemoryError(MEMORY_SHORT)
                self.run_on(take_games, &origin, None)
            finally:
                PyThread_release_lock(source.lock)
        finally:
            PyBuffer_Release(&view)


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
    for i in range(select(chosen, first, last, <const unsigned char*> call.choice, NULL)):
        renew(&self.games, chosen[i])
        done &= start_game(self, chosen[i])
    return done


cdef bint set_random(
    Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Set the state of these games' random numbers."""
    cdef const unsigned long long* states = <const unsigned long long*> call.array
    memcpy(self.games.random + first, states + first, (last - first) * sizeof(long long))
    return True


cdef inline void copy_rows(
    void* target, const void* source, Py_ssize_t size, const long long* rows,
    Py_ssize_t first, Py_ssize_t last, bint adjacent,
) noexcept nogil:
    """Copy row `rows[row]` of `source`, of `size` bytes, to each row from `first` to before `last`.

    It is inlined, so that a size known to the compiler becomes one move instead of a call.
    """
    cdef Py_ssize_t row
    if adjacent:
        memcpy(
            <char*> target + first * size,
            <const char*> source + rows[first] * size,
            (last - first) * size,
        )
        return
    for row in range(first, last):
        memcpy(<char*> target + row * size, <const char*> source + rows[row] * size, size)


cdef inline bint are_adjacent(
    const long long* rows, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Return whether these rows follow each other, as in `restore`, where one copy is faster."""
    cdef Py_ssize_t row
    for row in range(first + 1, last):
        if rows[row] != rows[row - 1] + 1:
            return False
    return first < last


cdef bint take_games(
    Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Make these games copies of the source's; return False if memory is short."""
    cdef const Source* origin = <const Source*> call.array
    return take_from(self, origin, <Vector> origin.vector, first, last)


cdef bint take_from(
    Vector self, const Source* origin, Vector source, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Make these games copies of the games `rows` of `source`, array by array."""
    cdef const long long* rows = origin.rows
    cdef bint adjacent = are_adjacent(rows, first, last)
    cdef Py_ssize_t game, size, actions = self.games.actions
    cdef Games* mine = &self.games
    cdef Games* theirs = &source.games
    copy_rows(mine.turn, theirs.turn, 1, rows, first, last, adjacent)
    copy_rows(mine.winner, theirs.winner, 1, rows, first, last, adjacent)
    copy_rows(mine.done, theirs.done, 1, rows, first, last, adjacent)
    copy_rows(mine.ply, theirs.ply, sizeof(int), rows, first, last, adjacent)
    copy_rows(mine.legal, theirs.legal, actions, rows, first, last, adjacent)
    copy_rows(mine.order, theirs.order, 2 * actions, rows, first, last, adjacent)
    copy_rows(mine.left, theirs.left, sizeof(int), rows, first, last, adjacent)
    copy_rows(self.planes, source.planes, self.planes_size, rows, first, last, adjacent)
    copy_rows(self.held, source.held, self.players * sizeof(Bits), rows, first, last, adjacent)
    if origin.streams:
        copy_rows(mine.random, theirs.random, sizeof(long long), rows, first, last, adjacent)
        for game in range(first, last):
            mine.random[game] += origin.apart * <unsigned long long> game
    if mine.gravity:
        size = actions * sizeof(int)
        copy_rows(mine.heights, theirs.heights, size, rows, first, last, adjacent)
    if self.method == LINES:
        size = self.players * self.lines.size
        copy_rows(self.marks, source.marks, size, rows, first, last, adjacent)
    elif self.method == BOARD:
        for game in range(first, last):
            finish(&self.boards[game])
            if not copy(&self.boards[game], &source.boards[rows[game]]):
                return False
            self.boards[game].geometry = &self.geometry
    for game in range(first, last):
        if adapt(mine, game, theirs.autoreset) and not start_game(self, game):
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
    cdef Games games = self.games  # copied so that it stays in registers
    cdef const unsigned char* over = games.done if games.autoreset != SAME_STEP else NULL
    cdef bint picked = call.choice is not NULL or over is not NULL
    if picked:
        memset(drawn + first, 0xFF, count * sizeof(long long))
        count = select(chosen, first, last, <const unsigned char*> call.choice, over)
    if self.geometry.variant.fouls:
        for i in range(count):
            game = chosen[i] if picked else first + i
            drawn[game] = draw(&games, game, self.planes + game * self.planes_size)
    else:  # in a loop of its own, which keeps more in registers
        for i in range(count):
            game = chosen[i] if picked else first + i
            drawn[game] = draw(&games, game, NULL)
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
        seat = self.games.turn
    for game in range(first, last):
        if 1 <= seat[game] <= players:  # another thread may have changed it
            copy_bytes(
                seen + game * size, planes + game * planes_size + (seat[game] - 1) * cells, size
            )
    return True


cdef bint start_game(Vector self, Py_ssize_t game) noexcept nogil:
    """Start a game; return False if memory is short."""
    cdef Py_ssize_t marks = self.players * self.lines.size
    begin(&self.games, game)
    memset(self.planes + game * self.planes_size, 0, self.planes_size)
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
    cdef Games games = self.games  # copied so that it stays in registers
    cdef long long cell
    cdef Py_ssize_t cells = self.cells, size = self.planes_size
    cdef signed char* planes = self.planes + (first - 1) * size
    cdef Py_ssize_t ended[BLOCK]
    cdef signed char lines[BLOCK]  # the player who completed a line in each of these, or 0
    cdef Py_ssize_t game, count = 0
    cdef int players = self.players, player, answer
    cdef bint complete, ends
    cdef Bits* held = self.held + (first - 1) * players - 1  # player 1 comes first
    cdef Bits* bit_of = self.bits.bit_of
    cdef Bits marks
    cdef unsigned char* marked
    forget(&games, first, last)
    for game in range(first, last):
        held += players
        planes += size
        if games.done[game]:
            if resumes(&games, game) and not start_game(self, game):
                return False
            continue
        player = games.turn[game]
        cell = land(&games, game, chosen[game])
        if cell < 0:
            continue
        planes[(player - 1) * cells + cell] = 1
        # The second plane, if there is one.
        planes[(player - 1 + players * (player < players)) * cells + cell] = 1
        if Finder is Wins or Finder is BitBoard:
            marks = held[player] | bit_of[cell]
            held[player] = marks
            ends = complete = finder[marks] if Finder is Wins else has_line(finder, marks)
        elif Finder is Lines:
            marked = self.marks + game * players * finder.size
            ends = complete = put_on_lines(finder, marked, player, cell)
        else:
            answer = self.play_on_board(game, cell, games.legal + game * games.actions)
            if answer == NO_MEMORY:
                return False
            complete, ends = answer == LINE, answer != GOES_ON
        ended[count] = game
        lines[count] = <signed char> (player * complete)
        count += settle(&games, game, player, ends)
    return end(self, ended, lines, count)


cdef bint play_randomly(
    Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Make a random move in each of these games and `observe`; return False if memory is short."""
    cdef long long actions[BLOCK]
    cdef Call moves = call[0]
    moves.array = actions - first  # parts index arrays by the number of the game
    return (
        draw_actions(self, &moves, first, last)
        and advance(self, &moves, first, last)
        and observe(self, call, first, last)
    )


cdef bint end(
    Vector self, const Py_ssize_t* ended, const signed char* lines, Py_ssize_t count
) noexcept nogil:
    """Close these games, and restart those that begin again; return False if memory is short."""
    cdef const Variant* variant = &self.geometry.variant
    cdef Py_ssize_t i
    cdef int winner
    for i in range(count):
        winner = winner_by(variant, lines[i]) if lines[i] else 0
        if conclude(&self.games, ended[i], winner) and not start_game(self, ended[i]):
            return False
    return True


def decisions(rules):
    """Return which runs end a game, of two players: a byte per [player, above k, before, after].

    `noughts.game.rules.Variant.decides` has the meaning; 2 marks above k stand for all longer runs.
    """
    cdef Geometry geometry
    memset(&geometry, 0, sizeof(Geometry))
    try:
        read(&geometry, rules)
        return (<const unsigned char*> geometry.variant.decides)[:2 * 27]
    finally:
        release(&geometry)
