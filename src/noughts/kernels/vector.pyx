# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Many games of the same rules, each a move further by one call; `noughts.learning.vector` is the
door to it, with the documentation.

A move is legal if the mask of its game says so; the mask is kept up to date with every move. What a
move ends is found by one of four methods:

* `board`: early draws and fouls, on the board of `Game`, one for each game.
* `bits`: boards of a machine word's bits, a word for each player, where any line ends a game.
* `table`: the same on boards of up to `FEW` places, by a table of all marks that hold a line.
* `lines`: all others, by the bits of every line.

Besides, each game has its planes: a byte a cell, for each player in turn, and then again for all
but the last. Whoever is to move, `players` planes from their own on are what they see: one copy.
Nothing in a step depends on a branch that is hard to guess (see `noughts.kernels.some`).
"""

from cpython.buffer cimport (
    Py_buffer, PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer,
)
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from noughts.kernels.bits cimport BitBoard, Bits, has_line, lay_out
from noughts.kernels.candidates cimport MAX_ACTIONS, Candidates, close, draw, forget, gather, sort
from noughts.kernels.geometry cimport Geometry, players_of, read, release
from noughts.kernels.lines cimport Lines, number, put_on_lines
from noughts.kernels.memory cimport copy, fill
from noughts.kernels.moves cimport refusal
from noughts.kernels.some cimport BLOCK, among
from noughts.kernels.tallies cimport (
    FULL, GOES_ON, LINE, NO_MEMORY, Tallies, finish, put, start, winnable,
)
from noughts.kernels.variants cimport FREESTYLE, MISERE, RENJU, variant_of, winner_by
from noughts.kernels.verdicts cimport LEGAL

from noughts.geometry import geometry_of

cdef enum Method:
    BOARD
    TABLE
    BITS
    LINES

cdef enum Autoreset:
    SAME_STEP
    NEXT_STEP
    DISABLED

cdef enum:
    FEW = 12  # places

AUTORESET = ("SameStep", "NextStep", "Disabled")

NO_ROOM = "no room for so many games"
OTHER_GAMES = "the arrays are not of these games"


cdef class Vector:
    """Some of the games; every array has a row for each of all games.

    Args:
        rules: the `Rules` of all games.
        autoreset: one of `AUTORESET`.
        first, games: these are the games from `first` on, so many.
        legal: uint8, games × actions; this and the next six are written to.
        turn: int8. winner: int8. done: uint8. ply: int32.
        illegal: uint8, in which games `step` has refused the action.
        random: uint64, the state of the random numbers.
    """

    cdef Geometry geometry
    cdef bint failed  # for want of memory; the games are not to be trusted then
    cdef Method method
    cdef Autoreset autoreset
    cdef int players, variant
    cdef bint gravity, early_draw
    cdef Py_ssize_t first, games, all_games
    cdef Py_ssize_t actions, cells, floor  # the first cell of the last row, with gravity
    cdef unsigned char[:, ::1] legal
    cdef signed char[::1] turn, winner
    cdef unsigned char[::1] done, illegal
    cdef int[::1] ply
    cdef unsigned long long[::1] random
    cdef signed char* planes
    cdef unsigned int* heights  # of each action's column, with gravity
    cdef Candidates candidates
    cdef BitBoard bits
    cdef Bits* held  # by each player; of use to TABLE and BITS alone, but always there
    cdef unsigned char* wins  # the table: whether these marks hold a line
    cdef Lines lines
    cdef unsigned char* marks  # each player's, along the lines
    cdef Tallies* boards

    def __cinit__(
        self, rules, autoreset, Py_ssize_t first, Py_ssize_t games,
        legal, turn, winner, done, ply, illegal, random,
    ):
        cdef Py_ssize_t game
        read(&self.geometry, geometry_of(rules))
        cdef Geometry* board = &self.geometry
        self.players, self.variant = players_of(rules), variant_of(rules)
        self.gravity, self.early_draw = rules.gravity, rules.early_draw
        self.autoreset = AUTORESET.index(autoreset)
        self.first, self.games, self.all_games = first, games, len(turn)
        self.cells = board.cells
        self.actions = board.strides[0] if self.gravity else board.cells
        self.floor = board.cells - board.strides[0]
        lengths = {len(each) for each in (legal, turn, winner, done, ply, illegal, random)}
        if not 0 <= first < first + games <= self.all_games or lengths != {self.all_games}:
            raise ValueError(OTHER_GAMES)
        if self.actions > MAX_ACTIONS:
            raise ValueError(f"a game has at most {MAX_ACTIONS} actions, not {self.actions}")
        mine = slice(first, first + games)
        self.legal, self.turn, self.winner = legal[mine], turn[mine], winner[mine]
        self.done, self.ply, self.illegal = done[mine], ply[mine], illegal[mine]
        self.random = random[mine]
        if self.legal.shape[1] != self.actions:
            raise ValueError(OTHER_GAMES)
        self.planes = <signed char*> calloc(self.games, (2 * self.players - 1) * self.cells)
        self.held = <Bits*> calloc(self.games, self.players * sizeof(Bits))
        if self.gravity:
            self.heights = <unsigned int*> calloc(self.games, self.actions * sizeof(int))
        ready = self.planes is not NULL and (self.heights is not NULL or not self.gravity)
        ready = ready and self.held is not NULL and gather(&self.candidates, self.games, self.actions)
        if not ready or not self.prepare():
            raise MemoryError(NO_ROOM)
        for game in range(self.games):
            sort(&self.candidates, game)
            if not begin(self, game):
                raise MemoryError(NO_ROOM)

    cdef bint prepare(self) noexcept:
        """Choose the method and get what it needs; False where memory is short."""
        cdef Geometry* board = &self.geometry
        cdef bint any_line = self.variant == FREESTYLE or self.variant == MISERE
        cdef Bits places, marks
        if self.early_draw or self.variant == RENJU:
            self.method = BOARD
            self.boards = <Tallies*> calloc(self.games, sizeof(Tallies))
            return self.boards is not NULL
        if any_line and lay_out(&self.bits, board, self.players, self.variant, False):
            self.method = BITS
            places = self.bits.bit_of[board.cells - 1]  # the highest
            if places < 1 << FEW:
                self.method = TABLE
                self.wins = <unsigned char*> calloc(2 * places, 1)
                if self.wins is NULL:
                    return False
                for marks in range(2 * places):
                    self.wins[marks] = has_line(&self.bits, marks)
            return True
        self.method = LINES
        if not number(&self.lines, board, self.players, self.variant):
            return False
        self.marks = <unsigned char*> calloc(self.games, self.players * self.lines.size)
        return self.marks is not NULL

    def __dealloc__(self):
        cdef Py_ssize_t game
        if self.boards is not NULL:
            for game in range(self.games):
                finish(&self.boards[game])
        release(&self.geometry)
        free(self.planes)
        forget(&self.candidates)
        free(self.heights)
        free(self.held)
        free(self.wins)
        free(self.lines.bits)
        free(self.marks)
        free(self.boards)

    cdef int hold(self, object array, Py_buffer* view, Py_ssize_t size, int flags) except -1:
        """Get at an array of so many bytes a game; raise if the call is wrong."""
        if self.failed:
            raise MemoryError(NO_ROOM)
        PyObject_GetBuffer(array, view, flags)
        if view.len != self.all_games * size:
            PyBuffer_Release(view)
            raise ValueError(OTHER_GAMES)
        return 0

    cdef int finish(self, bint done, Py_buffer* view) except -1:
        """Raise if memory was short: some game may lack its board now, so no call may go on."""
        PyBuffer_Release(view)
        if not done:
            self.failed = True
            raise MemoryError(NO_ROOM)
        return 0

    def step(self, actions):
        """Make a move in every game; `illegal` says in which it was refused.

        Args:
            actions: a contiguous buffer of int64, one for each of all games.

        Raises:
            ValueError: it is another one.
            MemoryError: some games have moved, others have not; from then on every call raises.
        """
        cdef bint done
        cdef Py_buffer view
        cdef const long long* chosen
        self.hold(actions, &view, sizeof(long long), PyBUF_SIMPLE)
        chosen = <const long long*> view.buf + self.first
        with nogil:
            done = advance(self, chosen)
        self.finish(done, &view)

    def reset(self, chosen):
        """Begin those games anew that are chosen, as if nothing had ever been played in them.

        Args:
            chosen: a contiguous buffer of bytes, one for each of all games.
        """
        cdef Py_ssize_t some[BLOCK]
        cdef Py_ssize_t i, first, last = 0
        cdef bint done = True
        cdef Py_buffer view
        cdef const unsigned char* begins
        self.hold(chosen, &view, 1, PyBUF_SIMPLE)
        begins = <const unsigned char*> view.buf + self.first
        with nogil:
            while last < self.games:
                first, last = last, min(last + BLOCK, self.games)
                for i in range(among(some, first, last, begins, NULL)):
                    self.done[some[i]] = self.winner[some[i]] = 0
                    sort(&self.candidates, some[i])
                    done &= begin(self, some[i])
        self.finish(done, &view)

    def draw(self, actions, const unsigned char[::1] chosen):
        """Write a random legal action for each game that is chosen; -1 for others and those over.

        Args:
            actions: a contiguous buffer of int64, one for each of all games.
            chosen: a byte for each of all games; None for all.
        """
        cdef Py_ssize_t some[BLOCK]
        cdef Py_ssize_t i, game, first, count, last = 0
        cdef bint picked = chosen is not None or self.autoreset != SAME_STEP
        cdef const unsigned char* over = &self.done[0] if self.autoreset != SAME_STEP else NULL
        cdef bint fouls = self.variant == RENJU
        cdef Candidates candidates = self.candidates  # a copy, which stays in registers
        cdef const unsigned char* legal = &self.legal[0, 0]
        cdef unsigned long long* random = &self.random[0]
        cdef const Tallies* board = NULL
        cdef Py_buffer view
        cdef long long* drawn
        cdef const unsigned char* wanted = NULL
        if chosen is not None:
            if chosen.shape[0] != self.all_games:
                raise ValueError(OTHER_GAMES)
            wanted = &chosen[self.first]
        self.hold(actions, &view, sizeof(long long), PyBUF_WRITABLE)
        drawn = <long long*> view.buf + self.first
        with nogil:
            while last < self.games:
                first, last = last, min(last + BLOCK, self.games)
                count = last - first
                if picked:
                    memset(drawn + first, 0xFF, count * sizeof(long long))
                    count = among(some, first, last, wanted, over)
                for i in range(count):
                    game = some[i] if picked else first + i
                    if fouls:
                        board = &self.boards[game]
                    drawn[game] = draw(
                        &candidates, game, legal + game * candidates.actions, &random[game], board
                    )
        self.finish(True, &view)

    def observe(self, planes, const signed char[::1] seats):
        """Write what a player of each game sees.

        Args:
            planes: a contiguous buffer of bytes, (players · cells) for each of all games.
            seats: which player, for each of all games; None for the one to move. Raises
                ValueError if one is no player.
        """
        cdef Py_ssize_t game
        cdef Py_ssize_t cells = self.cells
        cdef Py_ssize_t size = self.players * cells
        cdef const signed char* own = self.planes
        cdef const signed char* seat = &self.turn[0]
        cdef Py_buffer view
        cdef signed char* seen
        cdef bint wrong = False
        if seats is not None:
            if seats.shape[0] != self.all_games:
                raise ValueError(OTHER_GAMES)
            seat = &seats[self.first]
            for game in range(self.games):
                wrong |= not 1 <= seat[game] <= self.players
            if wrong:
                raise ValueError(f"players must be 1 to {self.players}")
        self.hold(planes, &view, size, PyBUF_WRITABLE)
        seen = <signed char*> view.buf + self.first * size
        with nogil:
            for game in range(self.games):
                if 1 <= seat[game] <= self.players:
                    copy(seen, own + (seat[game] - 1) * cells, size)
                seen += size
                own += 2 * size - cells
        self.finish(True, &view)


cdef bint begin(Vector self, Py_ssize_t game) noexcept nogil:
    """Begin a game anew; False where memory is short."""
    cdef Py_ssize_t planes = (2 * self.players - 1) * self.cells
    cdef Py_ssize_t marks = self.players * self.lines.size
    self.ply[game], self.turn[game] = 0, 1
    self.candidates.left[game] = <unsigned int> self.actions
    fill(&self.legal[game, 0], 1, self.actions)
    fill(self.planes + game * planes, 0, planes)
    if self.gravity:
        fill(self.heights + game * self.actions, 0, self.actions * sizeof(int))
    fill(self.held + game * self.players, 0, self.players * sizeof(Bits))
    if self.method == LINES:
        fill(self.marks + game * marks, 0, marks)
    elif self.method == BOARD:
        finish(&self.boards[game])
        return start(
            &self.boards[game], &self.geometry, self.players, self.variant, self.gravity
        )
    return True


cdef bint advance(Vector self, const long long* chosen) noexcept nogil:
    """Make a move in every game; False where memory is short."""
    cdef unsigned char* legal = &self.legal[0, 0] - self.actions
    cdef signed char* turns = &self.turn[0]
    cdef unsigned char* done = &self.done[0]
    cdef unsigned char* illegal = &self.illegal[0]
    cdef int* ply = &self.ply[0]
    cdef signed char* planes = self.planes - (2 * self.players - 1) * self.cells
    cdef Py_ssize_t cells = self.cells, actions = self.actions
    cdef Autoreset autoreset = self.autoreset
    cdef long long action, cell
    cdef Candidates candidates = self.candidates  # a copy, which stays in registers
    cdef Py_ssize_t ended[BLOCK]
    cdef signed char lines[BLOCK]  # who has completed one, of these games; 0 for nobody
    cdef Py_ssize_t game, count = 0
    cdef int players = self.players, player, answer, again, plies
    cdef bint over, complete, gravity = self.gravity  # each field is read once, not for each game
    cdef Bits* held = self.held - players - 1  # player 1 comes first
    cdef const unsigned char* wins = self.wins
    cdef Bits* bit_of = self.bits.bit_of
    cdef Bits marks
    cdef unsigned char* marked
    cdef Method method = self.method
    memset(illegal, 0, self.games)
    if autoreset == SAME_STEP:
        memset(done, 0, self.games)
        memset(&self.winner[0], 0, self.games)
    for game in range(self.games):
        held += players
        legal += actions
        planes += (2 * players - 1) * cells
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
        planes[(player - 1) * cells + cell] = 1
        planes[(player - 1 + players * again) * cells + cell] = 1
        if method == BOARD:
            answer = move_on_board(self, game, cell)
        else:
            if method == TABLE:
                marks = held[player] | bit_of[cell]
                held[player] = marks
                complete = wins[marks]
            elif method == BITS:
                held[player] |= bit_of[cell]
                complete = has_line(&self.bits, held[player])
            else:
                marked = self.marks + game * players * self.lines.size
                complete = put_on_lines(&self.lines, marked, player, cell)
            answer = LINE * complete + FULL * (complete < (plies == cells))
        if answer == NO_MEMORY:
            return False
        over = answer != GOES_ON
        done[game] = over
        ended[count] = game
        lines[count] = <signed char> (player * (answer == LINE))
        count += over
        if count == BLOCK:
            if not end(self, ended, lines, count):
                return False
            count = 0
    return end(self, ended, lines, count)


cdef bint end(
    Vector self, const Py_ssize_t* games, const signed char* lines, Py_ssize_t count
) noexcept nogil:
    """Note who has won, and begin these games anew or let them wait; False where memory is short."""
    cdef Py_ssize_t i
    for i in range(count):
        if lines[i]:
            self.winner[games[i]] = <signed char> winner_by(self.variant, lines[i])
        if self.autoreset != SAME_STEP:
            memset(&self.legal[games[i], 0], 0, self.actions)
        elif not begin(self, games[i]):
            return False
    return True


cdef inline long long fall(Vector self, Py_ssize_t game, long long action) noexcept nogil:
    """The cell on which a mark in a column that is not full comes to lie."""
    cdef unsigned int* height = self.heights + game * self.actions + action
    cdef long long cell = self.floor + action - height[0] * self.actions
    height[0] += 1
    return cell


cdef int move_on_board(Vector self, Py_ssize_t game, long long cell) noexcept nogil:
    """Put a mark on the board of `Game`: LINE, FULL, GOES_ON or NO_MEMORY.

    In renju the legal moves are marked, and FULL if none is.
    """
    cdef Tallies* board = &self.boards[game]
    cdef int answer = put(board, cell)
    if answer == GOES_ON and self.early_draw and not winnable(board):
        return FULL
    if answer != GOES_ON or self.variant != RENJU:
        return answer
    answer = FULL
    for cell in range(self.cells):
        self.legal[game, cell] = refusal(board, cell) == LEGAL
        if self.legal[game, cell]:
            answer = GOES_ON
    return answer
