# cython: language_level=3, cdivision=True
"""What the modules of exact search share: sets of cells in a word, memory, and plain rules."""

from libc.stdlib cimport calloc

cdef extern from *:
    int lowest_bit "__builtin_ctzll"(unsigned long long bits) noexcept nogil
    int count_bits "__builtin_popcountll"(unsigned long long bits) noexcept nogil

ctypedef unsigned long long Cells  # a set of cells, a bit for each

cdef enum:
    MAX_CELLS = 64
    PAUSE = 16384  # positions visited between two calls of `check`: some milliseconds
    SYMMETRIC_PLIES = 12  # with more marks, finding symmetric positions costs more than it saves


cdef inline Cells bit(int cell) noexcept nogil:
    return <Cells> 1 << cell


cdef inline bint several(Cells cells) noexcept nogil:
    """Whether these are two cells or more."""
    return cells & (cells - 1) != 0


cdef inline Cells mix(Cells first, Cells second) noexcept nogil:
    """A hash of two players' marks; its upper bits are well spread."""
    first *= 0x9E3779B97F4A7C15ULL  # 2^64 / golden ratio, Knuth's multiplier
    first = (first ^ first >> 29 ^ second) * 0xBF58476D1CE4E5B9ULL
    return (first ^ first >> 31) * 0x9E3779B97F4A7C15ULL


cdef inline void* zeros(size_t count, size_t size) except NULL:
    """Zeroed memory for this many items, taken up where it is used; the caller frees it."""
    made = calloc(count + 1, size)
    if made == NULL:
        raise MemoryError(f"no room for {count} items of {size} bytes")
    return made


cdef inline object plain(rules):
    """Rules with these fields and no subclass's: all sizes that follow from them must agree."""
    from noughts.game.rules import Rules

    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {rules!r}")
    return Rules(
        rules.shape, rules.k, rules.players, rules.early_draw, gravity=rules.gravity,
        variant=rules.variant,
    )
