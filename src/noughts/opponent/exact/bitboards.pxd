# cython: language_level=3, cdivision=True
"""Sets of cells as words and their symmetries, with the memory and rules that searches share.

A *score* grades the result of a game for a player: s > 0 if this player wins with the s-th last of
the own marks that fit on the board, 0 for a draw, -s if the opponent wins so. What a search knows of
a position is a pair of bounds of player 0's score, in `BOUNDS` bits: 0 knows nothing, and of two
values of either half the larger one is the tighter bound.
"""

from libc.stdlib cimport calloc, free

cdef extern from *:
    int lowest_bit "__builtin_ctzll"(unsigned long long bits) noexcept nogil
    int count_bits "__builtin_popcountll"(unsigned long long bits) noexcept nogil

ctypedef unsigned long long Cells  # a set of cells, one bit each

cdef enum:
    MAX_CELLS = 64
    PAUSE = 16384  # positions between two calls of `check`, a few milliseconds
    SYMMETRIC_PLIES = 12  # with more marks, finding symmetric positions costs more than it saves
    BOUNDS = 12  # bits
    LEAST = -31  # the lowest score on 64 cells, except that of a line of one cell
    MOST = 32

# The symmetries of a board, so that one position represents all its images.
cdef struct Images:
    int count, cells
    Cells* bits  # for each symmetry, the bit that each cell becomes
    Cells* origins  # for each symmetry, the bit of the cell that becomes this one


cdef inline Cells bit(int cell) noexcept nogil:
    return <Cells> 1 << cell


cdef inline bint several(Cells cells) noexcept nogil:
    """Return whether these are two or more cells."""
    return cells & (cells - 1) != 0


cdef inline Cells mix(Cells first, Cells second) noexcept nogil:
    """Return a hash of two players' marks, with well-distributed upper bits."""
    first *= 0x9E3779B97F4A7C15ULL  # 2^64 / golden ratio, Knuth's multiplier
    first = (first ^ first >> 29 ^ second) * 0xBF58476D1CE4E5B9ULL
    return (first ^ first >> 31) * 0x9E3779B97F4A7C15ULL


cdef inline void* zeros(size_t count, size_t size) except NULL:
    """Allocate zeroed memory for this many items, used lazily; the caller frees it."""
    made = calloc(count + 1, size)
    if made == NULL:
        raise MemoryError(f"cannot allocate {count} items of {size} bytes")
    return made


cdef inline int goal_of(int attacker, int cells, int last) noexcept nogil:
    """Return the score of an attacker who completes a line as the mark number `last`, or just before.

    It is more than `MOST` if the attacker has no move until then.
    """
    last -= (last + attacker + 1) & 1  # player 0 makes the marks with odd numbers
    return (cells - last) // 2 + 1 if last > attacker else MOST + 1


cdef inline int last_of(int attacker, int cells, int goal) noexcept nogil:
    """Return the number of the mark with which the attacker reaches the goal, like `goal_of`."""
    return cells - ((cells + attacker + 1) & 1) - 2 * (goal - 1)


cdef inline int answered(Cells bounds, int attacker, int goal) noexcept nogil:
    """Return 1 if the attacker's score is at least the goal, 0 if not, -1 if unknown."""
    cdef int low = LEAST + <int> (bounds & 63)
    cdef int high = MOST - <int> (bounds >> 6 & 63)
    if attacker:
        return 1 if high <= -goal else 0 if low > -goal else -1
    return 1 if low >= goal else 0 if high < goal else -1


cdef inline Cells bounds_of(int attacker, int goal, bint won) noexcept nogil:
    """Return the bounds after the answer whether the attacker's score is at least the goal."""
    if attacker:
        return <Cells> (MOST + goal) << 6 if won else <Cells> (1 - goal - LEAST)
    return <Cells> (goal - LEAST) if won else <Cells> (MOST + 1 - goal) << 6


cdef inline Cells tightened(Cells bounds, Cells others) noexcept nogil:
    """Return the tighter one of each of two bounds."""
    return max(bounds & 63, others & 63) | max(bounds & 63 << 6, others & 63 << 6)


cdef inline object plain(rules):
    """Return plain Rules with these fields: a subclass could make derived sizes disagree."""
    from noughts.game.rules import Rules

    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {rules!r}")
    return Rules(
        rules.shape, rules.k, rules.players, rules.early_draw, gravity=rules.gravity,
        variant=rules.variant,
    )


cdef inline int make_images(Images* self, list symmetries) except -1:
    """Set the symmetries: permutations of cell numbers, the identity first."""
    cdef int i, cell
    self.count, self.cells = len(symmetries), len(symmetries[0])
    self.bits = <Cells*> zeros(self.count * self.cells, sizeof(Cells))
    self.origins = <Cells*> zeros(self.count * self.cells, sizeof(Cells))
    for i in range(self.count):
        for cell in range(self.cells):
            self.bits[i * self.cells + cell] = bit(symmetries[i][cell])
            self.origins[i * self.cells + <int> symmetries[i][cell]] = bit(cell)
    return 0


cdef inline void free_images(Images* self) noexcept:
    """Free the memory of the symmetries."""
    free(self.bits)
    free(self.origins)


cdef inline Cells image_of(const Images* self, int symmetry, Cells marks) noexcept nogil:
    """Return the image of these cells under a symmetry."""
    return mapped(self.bits + symmetry * self.cells, marks)


cdef inline Cells original_of(const Images* self, int symmetry, Cells image) noexcept nogil:
    """Return the cells whose image under a symmetry is `image`."""
    return mapped(self.origins + symmetry * self.cells, image)


cdef inline Cells mapped(const Cells* bits, Cells marks) noexcept nogil:
    """Return the bits for these cells."""
    cdef Cells image = 0
    while marks:
        image |= bits[lowest_bit(marks)]
        marks &= marks - 1
    return image


cdef inline int take_least_image(const Images* self, Cells* marks) noexcept nogil:
    """Replace two players' marks by their least image, and return its symmetry."""
    cdef Cells first = marks[0]
    cdef Cells second = marks[1]
    cdef Cells one, other
    cdef int least = 0
    cdef int i
    for i in range(1, self.count):
        one = image_of(self, i, first)
        if one <= marks[0]:
            other = image_of(self, i, second)
            if one < marks[0] or other < marks[1]:
                marks[0], marks[1] = one, other
                least = i
    return least
