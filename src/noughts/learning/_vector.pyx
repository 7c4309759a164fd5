# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Many games of the same rules, advanced together. `noughts.learning.vector` calls and documents it.

A move is legal if the mask of its game says so; every move updates the mask. Whether a move ends its
game is found by one of four methods:

* `BOARD`: rules that are not `by_lines`, such as early draws, on the board of `Game`, one for each game.
* `BITS`: boards of a machine word's bits, a word for each player, where any line ends a game.
* `TABLE`: the same on boards of up to `FEW` places, by a table of all marks that hold a line.
* `LINES`: all others, by the bits of every line.

Nothing in a step takes a branch that is hard to predict (see `noughts.learning.some`).
"""

from cpython.buffer cimport (
    Py_buffer, PyBUF_C_CONTIGUOUS, PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release,
    PyObject_GetBuffer,
)
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from noughts.game.bits cimport BitBoard, Bits, has_line, lay_out, tabulate
from noughts.learning.candidates cimport MAX_ACTIONS, Candidates, close, draw, forget, gather, sort
from noughts.game.geometry cimport Geometry, by_lines, read, release
from noughts.game.lines cimport Lines, number, put_on_lines
from noughts.game.moves cimport play_and_mark
from noughts.learning.planes cimport Planes, see, show, spread, wipe
from noughts.learning.pool cimport close_pool, open_pool, share, write
from noughts.learning.rows cimport take_rows
from noughts.learning.some cimport BLOCK, among
from noughts.game.tallies cimport GOES_ON, LINE, NO_MEMORY, Tallies, copy, finish, start
from noughts.game.rules cimport Variant, winner_by

cdef enum:
    FEW = 12  # places

AUTORESET = ("SameStep", "NextStep", "Disabled")

NO_ROOM = "no room for so many games"
OTHER_GAMES = "the arrays are not of these games"


cdef class Vector:
    """The games; every array has a row for each of them.

    Args:
        rules: the `Rules` of all games.
        autoreset: one of `AUTORESET`.
        threads: how many share the games. The caller makes one call at a time.
        legal: uint8, games × actions; this and the next six are written to.
        turn: int8. winner: int8. done: uint8. ply: int32.
        illegal: uint8, in which games `step` has refused the action.
        random: uint64, the state of the random numbers.
    """

    def __cinit__(
        self, rules, autoreset, unsigned int threads,
        legal, turn, winner, done, ply, illegal, random,
    ):
        cdef Py_ssize_t game
        read(&self.geometry, rules)
        cdef Geometry* board = &self.geometry
        self.players, self.gravity = board.players, board.gravity
        self.autoreset = AUTORESET.index(autoreset)
        self.games = len(turn)
        self.cells = board.cells
        self.actions = board.strides[0] if self.gravity else board.cells
        self.floor = board.cells - board.strides[0]
        if not self.games or not threads:
            raise ValueError(OTHER_GAMES)
        if self.actions > MAX_ACTIONS:
            raise ValueError(f"a game has at most {MAX_ACTIONS} actions, not {self.actions}")
        self.legal = <unsigned char*> self.hold(legal, 1, self.actions)
        self.turn = <signed char*> self.hold(turn, 1)
        self.winner = <signed char*> self.hold(winner, 1)
        self.done = <unsigned char*> self.hold(done, 1)
        self.ply = <int*> self.hold(ply, sizeof(int))
        self.illegal = <unsigned char*> self.hold(illegal, 1)
        self.random = <unsigned long long*> self.hold(random, sizeof(long long))
        self.held = <Bits*> calloc(self.games, self.players * sizeof(Bits))
        if self.gravity:
            self.heights = <unsigned int*> calloc(self.games, self.actions * sizeof(int))
        self.pool = open_pool(threads)
        ready = self.held is not NULL and (self.heights is not NULL or not self.gravity)
        ready = ready and spread(&self.planes, self.games, self.players, self.cells)
        ready = ready and gather(&self.candidates, self.games, self.actions)
        if not ready or not self.prepare() or self.pool is NULL:
            raise MemoryError(NO_ROOM)
        for game in range(self.games):
            sort(&self.candidates, game)
            if not begin(self, game):
                raise MemoryError(NO_ROOM)

    cdef void* hold(self, array, Py_ssize_t item, Py_ssize_t items=1) except NULL:
        """Keep an array of so many items a game, each of `item` bytes; its address."""
        cdef Py_buffer* view = &self.views[self.held_views]
        PyObject_GetBuffer(array, view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)
        self.held_views += 1
        if view.len != self.games * items * item or <size_t> view.buf % item:
            raise ValueError(OTHER_GAMES)
        return view.buf

    cdef bint prepare(self) noexcept:
        """Choose the method and get what it needs; False if memory is short."""
        cdef Geometry* board = &self.geometry
        if not by_lines(board):
            self.method = BOARD
            self.boards = <Tallies*> calloc(self.games, sizeof(Tallies))
            return self.boards is not NULL
        if board.variant.any_line and lay_out(&self.bits, board, False):
            self.method = BITS
            if self.bits.bit_of[board.cells - 1] < 1 << FEW:  # the highest
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
        """Make a move on a board. Being a method it is not inlined, which would cost others 5 %."""
        return play_and_mark(&self.boards[game], cell, legal)

    def __dealloc__(self):
        cdef Py_ssize_t game
        cdef int view
        close_pool(self.pool)
        for view in range(self.held_views):
            PyBuffer_Release(&self.views[view])
        if self.boards is not NULL:
            for game in range(self.games):
                finish(&self.boards[game])
        release(&self.geometry)
        free(self.planes.marks)
        forget(&self.candidates)
        free(self.heights)
        free(self.held)
        free(self.wins)
        free(self.lines.bits)
        free(self.marks)
        free(self.boards)

    cdef int share(
        self, Part part, object array, Py_ssize_t size, int flags, object choice=None
    ) except -1:
        """Have the threads do this with an array of `size` bytes a game, and a choice of one or None.

        After a MemoryError some game may have lost its board, so every later call raises it, too.
        """
        cdef Call call
        cdef Py_buffer view, chosen
        if self.failed:
            raise MemoryError(NO_ROOM)
        call.part, call.vector, call.choice = part, <void*> self, NULL
        PyObject_GetBuffer(array, &view, flags)
        try:
            if view.len != self.games * size:
                raise ValueError(OTHER_GAMES)
            call.array = view.buf
            if choice is not None:
                PyObject_GetBuffer(choice, &chosen, PyBUF_SIMPLE)
                call.choice = chosen.buf
            if choice is not None and chosen.len != self.games:
                raise ValueError(OTHER_GAMES)
            with nogil:
                share(self.pool, do, &call, self.games)
        finally:
            PyBuffer_Release(&view)
            if call.choice is not NULL:
                PyBuffer_Release(&chosen)
        if self.failed:
            raise MemoryError(NO_ROOM)
        return 0

    def step(self, actions):
        """Make a move in every game; `actions` are int64, contiguous, one for each game."""
        self.share(advance, actions, sizeof(long long), PyBUF_SIMPLE)

    def reset(self, chosen):
        """Restart the chosen games, as if nothing had been played; `chosen` has a byte for each."""
        self.share(begin_chosen, chosen, 1, PyBUF_SIMPLE)

    def draw(self, actions, chosen):
        """Write a random legal action for each chosen game, or for all if that is None; else -1.

        `actions` are as for `step`, `chosen` as for `reset`; games that are over get -1, too.
        """
        self.share(draw_actions, actions, sizeof(long long), PyBUF_WRITABLE, chosen)

    def observe(self, planes, seats):
        """Write what a player of each game sees, contiguous bytes, (players · cells) for each game.

        `seats` has a byte for each game, which player; or is None for the one to move.
        """
        self.share(observe, planes, self.players * self.cells, PyBUF_WRITABLE, seats)


    def take(self, Vector source, rows):
        """Make every game a copy of one of `source`, which has the same rules; but for `random`.

        `rows` are int64, contiguous, a number of a game of `source` for each game here.
        """
        if source.failed:
            raise MemoryError(NO_ROOM)
        self.source = <void*> source
        self.share(take_games, rows, sizeof(long long), PyBUF_SIMPLE)


cdef void do(void* call, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Do a call's work for these games, in any thread."""
    cdef Call* self = <Call*> call
    cdef Py_ssize_t end
    while first < last:
        end = min(first + BLOCK, last)
        if not self.part(<Vector> self.vector, self, first, end):
            write(&(<Vector> self.vector).failed, True)
        first = end


cdef bint begin_chosen(
    Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Restart those of these games that are chosen."""
    cdef Py_ssize_t some[BLOCK]
    cdef Py_ssize_t i
    cdef bint done = True
    for i in range(among(some, first, last, <const unsigned char*> call.array, NULL)):
        self.done[some[i]] = self.winner[some[i]] = 0
        sort(&self.candidates, some[i])
        done &= begin(self, some[i])
    return done


cdef bint take_games(
    Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Make these games copies."""
    return take_from(self, <Vector> self.source, <const long long*> call.array, first, last)


cdef bint take_from(
    Vector self, Vector source, const long long* rows, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Make these games copies of those that `rows` numbers, array by array."""
    cdef Py_ssize_t game, actions = self.actions
    take_rows(self.turn, source.turn, 1, rows, first, last)
    take_rows(self.winner, source.winner, 1, rows, first, last)
    take_rows(self.done, source.done, 1, rows, first, last)
    take_rows(self.ply, source.ply, sizeof(int), rows, first, last)
    take_rows(self.legal, source.legal, actions, rows, first, last)
    take_rows(self.planes.marks, source.planes.marks, self.planes.size, rows, first, last)
    take_rows(self.candidates.order, source.candidates.order, 2 * actions, rows, first, last)
    take_rows(self.candidates.left, source.candidates.left, sizeof(int), rows, first, last)
    take_rows(self.held, source.held, self.players * sizeof(Bits), rows, first, last)
    if self.gravity:
        take_rows(self.heights, source.heights, actions * sizeof(int), rows, first, last)
    if self.method == LINES:
        take_rows(self.marks, source.marks, self.players * self.lines.size, rows, first, last)
    elif self.method == BOARD:
        for game in range(first, last):
            finish(&self.boards[game])
            if not copy(&self.boards[game], &source.boards[rows[game]]):
                return False
            self.boards[game].geometry = &self.geometry
    return adopt(self, source.autoreset, first, last)


cdef bint adopt(Vector self, Autoreset theirs, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Let games that are over begin anew, or not, as is the custom here; False if memory is short."""
    cdef Py_ssize_t some[BLOCK]
    cdef Py_ssize_t i
    if theirs == self.autoreset:
        return True
    if theirs == SAME_STEP:
        memset(self.done + first, 0, last - first)
        memset(self.winner + first, 0, last - first)
    elif self.autoreset == SAME_STEP:
        for i in range(among(some, first, last, self.done, NULL)):
            if not begin(self, some[i]):
                return False
    return True


cdef bint draw_actions(
    Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Draw an action for each of these games; -1 for those not chosen and those over."""
    cdef Py_ssize_t some[BLOCK]
    cdef Py_ssize_t i, game
    cdef Py_ssize_t count = last - first
    cdef long long* drawn = <long long*> call.array
    cdef const unsigned char* over = self.done if self.autoreset != SAME_STEP else NULL
    cdef bint picked = call.choice is not NULL or over is not NULL
    cdef bint fouls = self.geometry.variant.fouls
    cdef Candidates candidates = self.candidates  # a copy, which stays in registers
    cdef const unsigned char* legal = self.legal
    cdef unsigned long long* random = self.random
    cdef const Tallies* board = NULL
    if picked:
        memset(drawn + first, 0xFF, count * sizeof(long long))
        count = among(some, first, last, <const unsigned char*> call.choice, over)
    for i in range(count):
        game = some[i] if picked else first + i
        if fouls:
            board = &self.boards[game]
        drawn[game] = draw(
            &candidates, game, legal + game * candidates.actions, &random[game], board
        )
    return True


cdef bint observe(Vector self, const Call* call, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Copy what a player of each of these games sees."""
    cdef Py_ssize_t game
    cdef Py_ssize_t size = self.players * self.cells
    cdef Planes planes = self.planes  # a copy, which stays in registers
    cdef signed char* seen = <signed char*> call.array
    cdef const signed char* seat = <const signed char*> call.choice
    if seat is NULL:
        seat = self.turn
    for game in range(first, last):
        if 1 <= seat[game] <= planes.players:  # another thread may have changed it
            see(&planes, game, seat[game], seen + game * size)
    return True


cdef bint begin(Vector self, Py_ssize_t game) noexcept nogil:
    """Start a game; False if memory is short."""
    cdef Py_ssize_t marks = self.players * self.lines.size
    self.ply[game], self.turn[game] = 0, 1
    self.candidates.left[game] = <unsigned int> self.actions
    memset(self.legal + game * self.actions, 1, self.actions)
    wipe(&self.planes, game)
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
    """Make a move in each of these games."""
    cdef const long long* chosen = <const long long*> call.array
    cdef unsigned char* legal = self.legal + (first - 1) * self.actions
    cdef signed char* turns = self.turn
    cdef unsigned char* done = self.done
    cdef unsigned char* illegal = self.illegal
    cdef int* ply = self.ply
    cdef Autoreset autoreset = self.autoreset
    cdef long long action, cell
    cdef Candidates candidates = self.candidates  # a copy, which stays in registers
    cdef Py_ssize_t cells = self.cells, actions = self.actions, size = self.planes.size
    cdef signed char* planes = self.planes.marks + (first - 1) * size
    cdef Py_ssize_t ended[BLOCK]
    cdef signed char lines[BLOCK]  # who has completed one, of these games; 0 for nobody
    cdef Py_ssize_t game, count = 0
    cdef int players = self.players, player, answer, again, plies
    cdef bint over, complete, gravity = self.gravity  # fields are read once, not for each game
    cdef Bits* held = self.held + (first - 1) * players - 1  # player 1 comes first
    cdef const unsigned char* wins = self.wins
    cdef Bits* bit_of = self.bits.bit_of
    cdef Bits marks
    cdef unsigned char* marked
    cdef Method method = self.method
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
        if cell == action:
            legal[action] = False
            close(&candidates, game, action)
        plies = ply[game] + 1
        ply[game] = plies
        again = player < players
        turns[game] = <signed char> (player * again + 1)
        show(planes, cells, player, players * again, cell)
        over = plies == cells
        if method == TABLE:
            marks = held[player] | bit_of[cell]
            held[player] = marks
            complete = wins[marks]
        elif method == BITS:
            held[player] |= bit_of[cell]
            complete = has_line(&self.bits, held[player])
        elif method == LINES:
            marked = self.marks + game * players * self.lines.size
            complete = put_on_lines(&self.lines, marked, player, cell)
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
    """Note who has won, and restart these games or let them wait; False if memory is short."""
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
    """The cell on which a mark lands in a column that is not full."""
    cdef unsigned int* height = self.heights + game * self.actions + action
    cdef long long cell = self.floor + action - height[0] * self.actions
    height[0] += 1
    return cell
