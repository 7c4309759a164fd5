# cython: language_level=3, cdivision=True
"""Random legal actions for many games: all equally likely, in constant time.

The candidates of a game are the actions that are not known to be closed; they come first in an order
of all actions. A drawn action becomes the last candidate, so that the step that plays it only lowers
their number. Other actions remain candidates after they are played, until `draw` comes across them.
"""

from libc.stdlib cimport calloc, free

from noughts.game.tallies cimport Tallies, mark

cdef enum:
    MAX_ACTIONS = 1 << 16  # an action is stored in two bytes

cdef struct Candidates:
    Py_ssize_t actions  # of a game
    unsigned short* order  # of the actions, game by game
    unsigned int* left  # number of candidates of each game


cdef inline bint new_candidates(
    Candidates* self, Py_ssize_t games, Py_ssize_t actions
) noexcept nogil:
    """Allocate memory, which `free_candidates` must free in any case; return False if it is short."""
    self.actions = actions
    self.order = <unsigned short*> calloc(games, actions * sizeof(short))
    self.left = <unsigned int*> calloc(games, sizeof(int))
    return self.order is not NULL and self.left is not NULL


cdef inline void free_candidates(Candidates* self) noexcept nogil:
    """Free the memory."""
    free(self.order)
    free(self.left)


cdef inline void sort(Candidates* self, Py_ssize_t game) noexcept nogil:
    """Sort the actions, so that draws do not depend on earlier games."""
    cdef Py_ssize_t action
    for action in range(self.actions):
        self.order[game * self.actions + action] = <unsigned short> action


cdef inline void close(
    Candidates* self, Py_ssize_t game, long long action, bint used_up
) noexcept nogil:
    """Drop an action if it is used up, so that nobody can play it again, and the last candidate."""
    cdef unsigned int last = self.left[game] - 1
    self.left[game] = last + ((self.order[game * self.actions + last] != action) | (not used_up))


cdef inline long long draw(
    Candidates* self, Py_ssize_t game, const unsigned char* legal, unsigned long long* random,
    const Tallies* board,
) noexcept nogil:
    """Return a random legal action of a game that has one.

    With a `board`, an illegal action on an empty cell is a foul and may become legal later.
    """
    cdef unsigned short* order = self.order + game * self.actions
    cdef unsigned int left = self.left[game]
    cdef long long at = below(random, left)
    cdef unsigned short action = order[at]
    while not legal[action]:
        if board is NULL or mark(board, action):
            left -= 1
            order[at], order[left] = order[left], action
            self.left[game] = left
        at = below(random, left)
        action = order[at]
    order[at] = order[left - 1]
    order[left - 1] = action
    return action


cdef inline long long below(unsigned long long* state, unsigned long long count) noexcept nogil:
    """Return a random number below `count`, which must be below 2^31.

    It uses the upper half of SplitMix64 (Steele, Lea, Flood 2014), which does not need the last shift.
    """
    state[0] += 0x9E3779B97F4A7C15ULL
    cdef unsigned long long mixed = state[0]
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ULL
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBULL
    return <long long> ((mixed >> 32) * count >> 32)
