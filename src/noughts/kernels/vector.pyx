# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Many games of the same rules, each a move further by one call; `noughts.learning.vector` is the
door to it, with the documentation.

A move is legal if the mask of its game says so; the mask is kept up to date with every move. What a
move ends is found by one of three methods:

* `board`: early draws and fouls, on the board of `Game`, one for each game.
* `bits`: boards of a machine word's bits, a word for each player.
* `runs`: all others, along the player's own marks.

Besides, each game has its planes: a byte a cell, for each player in turn, and then all again. Whoever
is to move, `players` planes from their own on are what they see: one copy. Nothing in a step depends
on a branch that is hard to guess, but the game's end: a wrong guess takes as long as all the rest.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from noughts.kernels.bits cimport BitBoard, Bits, decisive, has_line, lay_out
from noughts.kernels.geometry cimport Geometry, players_of, read, release
from noughts.kernels.marks cimport Marks, make, mark_of, place, put as put_mark
from noughts.kernels.marks cimport runs_through, unmake, wipe
from noughts.kernels.moves cimport refusal
from noughts.kernels.tallies cimport (
    FULL,
    GOES_ON,
    LINE,
    NO_MEMORY,
    Tallies,
    finish,
    put as put_and_tally,
    start,
    winnable,
)
from noughts.kernels.variants cimport FREESTYLE, MISERE, RENJU, variant_of, winner_by
from noughts.kernels.verdicts cimport LEGAL

from noughts.geometry import geometry_of

cdef enum Method:
    BOARD
    BITS
    RUNS

cdef enum Autoreset:
    SAME_STEP
    NEXT_STEP
    DISABLED

cdef enum:
    MAX_ACTIONS = 1 << 16  # so that an action has two bytes
    FEW = 12

AUTORESET = ("SameStep", "NextStep", "Disabled")

NO_ROOM = "no room for so many games"


cdef class Vector:
    """Some of the games; all arrays have a row for each of them.

    Args:
        rules: the `Rules` of all games.
        autoreset: one of `AUTORESET`.
        legal: uint8, games × actions; this and the next four are written to.
        turn: int8. winner: int8. done: uint8. ply: int32.
        random: uint64, the state of the random numbers.
    """

    cdef Geometry geometry
    cdef bint failed  # for want of memory; the games are not to be trusted then
    cdef Method method
    cdef Autoreset autoreset
    cdef int players, variant
    cdef bint gravity, early_draw
    cdef Py_ssize_t games, actions, cells, floor  # the first cell of the last row, with gravity
    cdef unsigned char[:, ::1] legal
    cdef signed char[::1] turn, winner
    cdef unsigned char[::1] done
    cdef int[::1] ply
    cdef unsigned long long[::1] random
    cdef signed char* planes
    cdef unsigned int* heights  # of each action's column, with gravity
    # The actions of each game in some order, first the `left` ones on empty cells; and where each is.
    cdef unsigned short* order
    cdef unsigned short* rank
    cdef unsigned int* left
    cdef BitBoard bits
    cdef Bits* held  # by each player
    cdef unsigned char* lines  # whether these marks hold a line; on boards of up to `FEW` places
    cdef Marks marks
    cdef unsigned int* stamps
    cdef Tallies* boards

    def __cinit__(self, rules, autoreset, legal, turn, winner, done, ply, random):
        cdef Py_ssize_t game
        cdef Marks marks
        read(&self.geometry, geometry_of(rules))
        cdef Geometry* board = &self.geometry
        self.players, self.variant = players_of(rules), variant_of(rules)
        self.gravity, self.early_draw = rules.gravity, rules.early_draw
        self.autoreset = AUTORESET.index(autoreset)
        self.legal, self.turn, self.winner, self.done = legal, turn, winner, done
        self.ply, self.random = ply, random
        self.games, self.cells = self.legal.shape[0], board.cells
        self.actions = board.strides[0] if self.gravity else board.cells
        self.floor = board.cells - board.strides[0]
        lengths = [len(each) for each in (turn, winner, done, ply, random)]
        if self.legal.shape[1] != self.actions or lengths != [self.games] * 5:
            raise ValueError("the arrays are not of these games")
        if self.actions > MAX_ACTIONS:
            raise ValueError(f"a game has at most {MAX_ACTIONS} actions, not {self.actions}")
        self.planes = <signed char*> calloc(self.games, 2 * self.players * self.cells)
        self.order = <unsigned short*> calloc(self.games, self.actions * sizeof(short))
        self.rank = <unsigned short*> calloc(self.games, self.actions * sizeof(short))
        self.left = <unsigned int*> calloc(self.games, sizeof(int))
        if self.gravity:
            self.heights = <unsigned int*> calloc(self.games, self.actions * sizeof(int))
        ready = self.planes is not NULL and (self.heights is not NULL or not self.gravity)
        ready = ready and self.order is not NULL and self.rank is not NULL and self.left is not NULL
        if not ready or not self.prepare():
            raise MemoryError(NO_ROOM)
        marks = self.marks
        for game in range(self.games):
            sort_actions(self, game)
            if not begin(self, game, &marks):
                raise MemoryError(NO_ROOM)

    cdef bint prepare(self) noexcept:
        """Choose the method and get what it needs; False where memory is short."""
        cdef Geometry* board = &self.geometry
        cdef Bits places, marks
        if self.early_draw or self.variant == RENJU:
            self.method = BOARD
            self.boards = <Tallies*> calloc(self.games, sizeof(Tallies))
            return self.boards is not NULL
        if lay_out(&self.bits, board, self.players, self.variant, False):
            self.method = BITS
            self.held = <Bits*> calloc(self.games, self.players * sizeof(Bits))
            places = self.bits.bit_of[board.cells - 1]  # the highest
            if places < 1 << FEW and (self.variant == FREESTYLE or self.variant == MISERE):
                self.lines = <unsigned char*> calloc(2 * places, 1)
                if self.lines is NULL:
                    return False
                for marks in range(2 * places):
                    self.lines[marks] = has_line(&self.bits, marks)
            return self.held is not NULL
        self.method = RUNS
        if not make(&self.marks, board, board.cells):
            return False
        free(self.marks.array)  # which is for one game
        self.marks.array = <unsigned int*> calloc(self.games, self.marks.places * sizeof(int))
        self.stamps = <unsigned int*> calloc(self.games, sizeof(int))
        return self.marks.array is not NULL and self.stamps is not NULL

    def __dealloc__(self):
        cdef Py_ssize_t game
        if self.boards is not NULL:
            for game in range(self.games):
                finish(&self.boards[game])
        release(&self.geometry)
        unmake(&self.marks)
        free(self.planes)
        free(self.order)
        free(self.rank)
        free(self.left)
        free(self.heights)
        free(self.held)
        free(self.lines)
        free(self.stamps)
        free(self.boards)

    cdef int check(self, bint fits) except -1:
        """Raise what is wrong with a call, if anything is."""
        if self.failed:
            raise MemoryError(NO_ROOM)
        if not fits:
            raise ValueError("the arrays are not of these games")
        return 0

    cdef int finish(self, bint done) except -1:
        """Raise if memory was short: some game may lack its board now, so that no call may go on."""
        if not done:
            self.failed = True
            raise MemoryError(NO_ROOM)
        return 0

    def step(self, const long long[::1] actions not None, unsigned char[::1] illegal not None):
        """Make a move in every game; `illegal` says in which it was refused.

        Raises:
            MemoryError: some games have moved, others have not; from then on every call raises.
        """
        cdef bint done
        self.check(actions.shape[0] == illegal.shape[0] == self.games)
        with nogil:
            if self.method == BITS and self.gravity:  # each is compiled by itself
                done = advance(self, &actions[0], &illegal[0], BITS, True)
            elif self.method == BITS:
                done = advance(self, &actions[0], &illegal[0], BITS, False)
            elif self.method == RUNS:
                done = advance(self, &actions[0], &illegal[0], RUNS, self.gravity)
            else:
                done = advance(self, &actions[0], &illegal[0], BOARD, self.gravity)
        self.finish(done)

    def reset(self, const unsigned char[::1] chosen not None):
        """Begin those games anew that are chosen, as if nothing had ever been played in them."""
        cdef Py_ssize_t game
        cdef bint done = True
        cdef Marks marks = self.marks
        self.check(chosen.shape[0] == self.games)
        with nogil:
            for game in range(self.games):
                if chosen[game]:
                    self.done[game] = self.winner[game] = 0
                    sort_actions(self, game)
                    done &= begin(self, game, &marks)
        self.finish(done)

    def draw(self, long long[::1] actions not None):
        """Write a random legal action for each game; -1 for those that are over."""
        cdef Py_ssize_t game
        cdef Py_ssize_t count = self.actions
        cdef const unsigned char* legal = &self.legal[0, 0]
        cdef unsigned long long* random = &self.random[0]
        cdef const unsigned short* order = self.order
        cdef const unsigned int* left = self.left
        cdef bint waits = self.autoreset != SAME_STEP
        cdef long long action
        self.check(actions.shape[0] == self.games)
        with nogil:
            for game in range(self.games):
                action = -1
                if not (waits and self.done[game]):
                    action = order[below(&random[game], left[game])]
                    while not legal[action]:  # a foul
                        action = order[below(&random[game], left[game])]
                actions[game] = action
                legal += count
                order += count

    def observe(self, signed char[:, ::1] planes not None):
        """Write what the player to move sees, games × (players · cells)."""
        cdef Py_ssize_t game
        cdef Py_ssize_t size = self.players * self.cells
        cdef const signed char* own = self.planes
        cdef signed char* seen
        cdef Py_ssize_t cells = self.cells
        cdef const signed char* turn = &self.turn[0]
        self.check(planes.shape[0] == self.games and planes.shape[1] == size)
        seen = &planes[0, 0]
        with nogil:
            for game in range(self.games):
                copy(seen, own + (turn[game] - 1) * cells, size)
                seen += size
                own += 2 * size


cdef inline void copy(signed char* target, const signed char* source, Py_ssize_t size) noexcept nogil:
    """Copy so many bytes; 16 to 32 without a call."""
    if 16 <= size <= 32:
        memcpy(target + size - 16, source + size - 16, 16)
        memcpy(target, source, 16)
    else:
        memcpy(target, source, size)


cdef inline long long below(unsigned long long* state, unsigned long long count) noexcept nogil:
    """A random number below `count`, which is below 2^31: SplitMix64 (Steele, Lea, Flood 2014)."""
    state[0] += 0x9E3779B97F4A7C15ULL
    cdef unsigned long long mixed = state[0]
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ULL
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBULL
    return <long long> (((mixed ^ mixed >> 31) >> 32) * count >> 32)


cdef inline bint begin(Vector self, Py_ssize_t game, Marks* marks) noexcept nogil:
    """Begin a game anew; False where memory is short."""
    cdef Py_ssize_t planes = 2 * self.players * self.cells
    self.ply[game], self.turn[game], self.left[game] = 0, 1, <unsigned int> self.actions
    memset(&self.legal[game, 0], 1, self.actions)
    memset(self.planes + game * planes, 0, planes)
    if self.gravity:
        memset(self.heights + game * self.actions, 0, self.actions * sizeof(int))
    if self.method == BITS:
        memset(self.held + game * self.players, 0, self.players * sizeof(Bits))
    elif self.method == RUNS:
        look_at(self, game, marks)
        wipe(marks)
        self.stamps[game] = marks.stamp
    else:
        finish(&self.boards[game])
        return start(
            &self.boards[game], &self.geometry, self.players, self.variant, self.gravity
        )
    return True


cdef inline void sort_actions(Vector self, Py_ssize_t game) noexcept nogil:
    """Put the actions of a game in order, so that what is drawn does not depend on earlier games."""
    cdef Py_ssize_t action
    for action in range(self.actions):
        self.order[game * self.actions + action] = <unsigned short> action
        self.rank[game * self.actions + action] = <unsigned short> action


cdef inline void look_at(Vector self, Py_ssize_t game, Marks* marks) noexcept nogil:
    """Make these the marks of a game."""
    marks.array = self.marks.array + game * marks.places
    marks.stamp = self.stamps[game]


cdef inline bint advance(
    Vector self, const long long* chosen, unsigned char* illegal, Method method, bint gravity
) noexcept nogil:
    """Make a move in every game; False where memory is short."""
    cdef unsigned char* legal = &self.legal[0, 0]
    cdef signed char* turns = &self.turn[0]
    cdef signed char* winner = &self.winner[0]
    cdef unsigned char* done = &self.done[0]
    cdef int* ply = &self.ply[0]
    cdef signed char* planes = self.planes
    cdef Py_ssize_t cells = self.cells
    cdef Py_ssize_t actions = self.actions
    cdef int players = self.players
    cdef Marks marks = self.marks
    cdef Autoreset autoreset = self.autoreset
    cdef Py_ssize_t game
    cdef long long action, cell
    cdef int player, answer
    for game in range(self.games):
        illegal[game] = False
        if autoreset == SAME_STEP:
            done[game] = winner[game] = 0
        elif done[game]:
            if autoreset == NEXT_STEP:
                done[game] = winner[game] = 0
                if not begin(self, game, &marks):
                    return False
            continue
        action = chosen[game]
        if not 0 <= action < actions or not legal[game * actions + action]:
            illegal[game] = True
            continue
        player = turns[game]
        cell = action
        if gravity:
            cell = fall(self, game, action)
        else:
            close(self, game, action)
        answer = move(self, game, cell, player, ply[game] + 1, method, &marks)
        if answer == NO_MEMORY:
            return False
        ply[game] += 1
        turns[game] = <signed char> (player % players + 1 if players != 2 else 3 - player)
        planes[(2 * game * players + player - 1) * cells + cell] = 1
        planes[(2 * game * players + player - 1 + players) * cells + cell] = 1
        if method == BOARD and answer == GOES_ON and self.variant == RENJU:
            answer = mark_legal(self, game)
        if answer != GOES_ON:
            done[game] = True
            winner[game] = winner_by(self.variant, player) if answer == LINE else 0
            if autoreset != SAME_STEP:
                memset(legal + game * actions, 0, actions)
            elif not begin(self, game, &marks):
                return False
    return True


cdef inline void close(Vector self, Py_ssize_t game, long long action) noexcept nogil:
    """Take an action from those that are left."""
    cdef unsigned short* order = self.order + game * self.actions
    cdef unsigned short* rank = self.rank + game * self.actions
    cdef unsigned int last
    self.left[game] -= 1
    last = order[self.left[game]]
    order[self.left[game]] = <unsigned short> action
    order[rank[action]] = <unsigned short> last
    rank[last] = rank[action]
    rank[action] = <unsigned short> self.left[game]
    self.legal[game, action] = False


cdef inline long long fall(Vector self, Py_ssize_t game, long long action) noexcept nogil:
    """The cell on which a mark in a column that is not full comes to lie."""
    cdef unsigned int* height = self.heights + game * self.actions + action
    cdef long long cell = self.floor + action - height[0] * self.actions
    height[0] += 1
    if cell == action:
        close(self, game, action)
    return cell


cdef inline int move(
    Vector self,
    Py_ssize_t game,
    long long cell,
    int player,
    int ply,
    Method method,
    Marks* marks,
) noexcept nogil:
    """Put a mark on an empty cell: LINE, FULL, GOES_ON or NO_MEMORY."""
    cdef Bits* held
    cdef Bits taken = 0
    cdef Tallies* board
    cdef long long here
    cdef unsigned int mark
    cdef int answer, each
    cdef bint complete
    if method == BITS:
        held = self.held + game * self.players
        held[player - 1] |= self.bits.bit_of[cell]
        if self.lines is not NULL:
            complete = self.lines[held[player - 1]]
        elif self.variant == FREESTYLE or self.variant == MISERE:
            complete = has_line(&self.bits, held[player - 1])
        else:
            for each in range(self.players):
                taken |= held[each]
            complete = decisive(&self.bits, held[player - 1], taken)
    elif method == RUNS:
        look_at(self, game, marks)
        here, mark = place(marks, cell), mark_of(marks, player)
        put_mark(marks, here, mark)
        complete = runs_through(marks, here, mark, self.variant) != 0
    else:
        board = &self.boards[game]
        answer = put_and_tally(board, cell)
        return FULL if answer == GOES_ON and self.early_draw and not winnable(board) else answer
    if complete:
        return LINE
    return FULL if ply == self.cells else GOES_ON


cdef inline int mark_legal(Vector self, Py_ssize_t game) noexcept nogil:
    """Write the legal moves of a game with fouls; FULL if there is none, else GOES_ON."""
    cdef const Tallies* board = &self.boards[game]
    cdef Py_ssize_t cell
    cdef int answer = FULL
    for cell in range(self.cells):
        self.legal[game, cell] = refusal(board, cell) == LEGAL
        if self.legal[game, cell]:
            answer = GOES_ON
    return answer
