# cython: language_level=3, cdivision=True
"""Patterns: the result of a mark on an empty cell along one direction.

A *code* gives the number of further marks that the player needs, and whether the last of them can be
placed in more than one way, so that no single reply helps:

    15  completes a line                                 (a five, if k is 5)
    14  lacks one, and no single reply can prevent it    (a straight four)
    13  lacks one                                        (a four)
    12  lacks two and can become a 14                    (a three)
    11  lacks two
    10  lacks three, in more than one line;   9  lacks three, in one;   and so on, down to
     0  no line is possible here

The cells around the empty one form a *key* with two bits per cell, from the farthest behind to the
farthest ahead: 0 for an empty cell, 1 or 2 for the player with a mark there, 3 for off the board.
"""

from libc.stdlib cimport calloc

ctypedef unsigned long long Bits

cdef extern from *:
    int count_bits "__builtin_popcountll"(Bits bits) noexcept nogil

# The variants that the engine supports; the look-ahead plays all others.
cdef enum:
    FREESTYLE
    STANDARD
    CARO
    MISERE
    RENJU
    UNKNOWN

cdef enum:
    COMPLETES = 15
    MAX_REACH = 16  # so that a key has 64 bits
    TABLE_REACH = 6  # keys of up to 24 bits have a table of 32 MB, of which few pages are used
    KNOWN = 256

cdef struct Patterns:
    int k
    int reach  # number of cells that matter on each side
    int variant
    unsigned short* table  # by key, the codes of both players once KNOWN; NULL if reach is larger

# The line through a cell, which is bit `reach`.
cdef struct Around:
    Bits own
    Bits other
    Bits border
    bint exact  # longer runs do not count
    bint caro

# The lines through the cell that lack the fewest marks.
cdef struct Nearest:
    int missing
    int lines
    Bits cells  # the empty cells on them


cdef inline int variant_of(object rules) except -1:
    """Return the variant of these rules, or UNKNOWN."""
    known = ("freestyle", "standard", "caro", "misere", "renju")
    return known.index(rules.variant) if rules.variant in known else UNKNOWN


cdef inline bint prepare(Patterns* patterns, int k, int variant) noexcept nogil:
    """Initialise patterns, for a k within reach; return False if memory is short."""
    patterns.k, patterns.variant, patterns.table = k, variant, NULL
    patterns.reach = reach_of(k, variant)
    if patterns.reach > TABLE_REACH:
        return True
    patterns.table = <unsigned short*> calloc(<size_t> 1 << 4 * patterns.reach, sizeof(short))
    return patterns.table is not NULL


cdef inline int reach_of(int k, int variant) noexcept nogil:
    """Return how far from a cell marks matter: one cell beyond its lines if their ends count."""
    return k - 1 if variant == FREESTYLE or variant == MISERE else k


cdef inline int codes_of(const Patterns* patterns, Bits key) noexcept nogil:
    """Return the code of a key for player 1 plus 16 times the code for player 2."""
    cdef int codes
    if patterns.table is NULL:
        return classify(patterns, key, 1) | classify(patterns, key, 2) << 4
    codes = patterns.table[key]
    if not codes:
        codes = KNOWN | classify(patterns, key, 1) | classify(patterns, key, 2) << 4
        patterns.table[key] = <unsigned short> codes
    return codes & (KNOWN - 1)


cdef inline int classify(const Patterns* patterns, Bits key, int player) noexcept nogil:
    """Return the code of a key for one player."""
    cdef Around around
    cdef Nearest nearest
    cdef Bits bit
    cdef int i, what
    cdef int reach = patterns.reach
    around.own, around.other, around.border = <Bits> 1 << reach, 0, 0
    around.exact = patterns.variant == STANDARD or (patterns.variant == RENJU and player == 1)
    around.caro = patterns.variant == CARO
    for i in range(2 * reach):
        what = (key >> 2 * i) & 3
        bit = <Bits> 1 << (i + (i >= reach))
        if what == player:
            around.own |= bit
        elif what == 3:
            around.border |= bit
        elif what:
            around.other |= bit
    nearest = find_nearest(patterns, &around)
    if not nearest.lines:
        return 0
    if not nearest.missing:
        return COMPLETES
    return max(1, COMPLETES - 2 * nearest.missing) + is_open(patterns, &around, &nearest)


cdef inline Nearest find_nearest(const Patterns* patterns, const Around* around) noexcept nogil:
    """Return the lines through the cell that lack the fewest marks."""
    cdef Nearest nearest
    cdef Bits line
    cdef int first, missing
    cdef int k = patterns.k
    nearest.missing, nearest.lines, nearest.cells = k + 1, 0, 0
    for first in range(patterns.reach - k + 1, patterns.reach + 1):
        line = ((<Bits> 1 << k) - 1) << first
        if line & (around.other | around.border):
            continue
        if around.exact and ((around.own >> first - 1) & 1 or (around.own >> first + k) & 1):
            continue
        if around.caro and (around.other >> first - 1) & (around.other >> first + k) & 1:
            continue
        missing = k - count_bits(line & around.own)
        if missing < nearest.missing:
            nearest.missing, nearest.lines, nearest.cells = missing, 0, 0
        if missing == nearest.missing:
            nearest.lines += 1
            nearest.cells |= line & ~around.own
    return nearest


cdef inline bint is_open(
    const Patterns* patterns, const Around* around, const Nearest* nearest
) noexcept nogil:
    """Return whether the nearest lines, incomplete, can be completed in more than one way."""
    cdef Around after = around[0]
    cdef Nearest then
    cdef Bits cells = nearest.cells
    cdef Bits cell
    if nearest.missing > 2:
        return nearest.lines > 1
    if nearest.missing == 1 and not around.caro:
        return (cells & (cells - 1)) != 0
    if nearest.missing == 1:  # in caro a reply next to the ends can help too
        cells = (<Bits> 1 << 2 * patterns.reach + 1) - 1
        cells &= ~(around.own | around.other | around.border)
    while cells:
        cell = cells & (~cells + 1)
        cells ^= cell
        if nearest.missing == 1:
            after.other = around.other | cell
            if find_nearest(patterns, &after).missing != 1:
                return False
        else:
            after.own = around.own | cell
            then = find_nearest(patterns, &after)
            if then.missing == 1 and is_open(patterns, &after, &then):
                return True
    return nearest.missing == 1
