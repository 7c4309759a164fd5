# cython: language_level=3
"""A bounded transposition table of solved positions, with keys of at most 64 bits.

It is exact: the number of the bucket and the bits of the entry together are the whole key. In a full
bucket the position that took the least work is replaced.
"""

from noughts.opponent.exact.bitboards cimport zeros

cdef extern from *:
    int leading_zeros "__builtin_clzll"(unsigned long long bits) noexcept nogil

ctypedef unsigned long long Bits

cdef enum:
    WORD = 64
    SLOTS = 4  # entries of a bucket
    # Bits of an entry in addition to the key: two for each attacker (1 if it wins, 2 if not), and above them
    # the work. An unused entry is 0, less work than any position takes.
    DETAILS = 10

cdef struct Bucket:
    Bits[SLOTS] entries

cdef struct SolvedTable:
    Bucket* buckets
    int bits  # of a key
    int rest  # bits of a key that are not in the bucket's number
    long long discarded  # positions that were replaced

# The bucket of a position and the rest of its key.
cdef struct Place:
    Bucket* bucket
    Bits rest


cdef inline int make_table(SolvedTable* table, int bits, Bits memory) except -1:
    """Create an empty table of about `memory` bytes, at most 32 KB more."""
    cdef int number = max(0, bits - (WORD - DETAILS))  # bits of a key in the bucket's number
    while number < bits and number < 56 and <Bits> 2 * sizeof(Bucket) << number <= memory:
        number += 1
    table.bits, table.rest, table.discarded = bits, bits - number, 0
    table.buckets = <Bucket*> zeros(<size_t> 1 << number, sizeof(Bucket))
    return 0


cdef inline Bits entries_of(const SolvedTable* table) noexcept:
    """Return the maximum number of positions in the table."""
    return <Bits> SLOTS << (table.bits - table.rest)


cdef inline Place place_of(const SolvedTable* table, Bits key) noexcept:
    """Return the place of this key."""
    cdef Place place
    key *= 0x9E3779B97F4A7C15ULL  # 2^64 / golden ratio, Knuth's multiplier; odd, so nothing is lost
    if table.bits < WORD:
        key &= (<Bits> 1 << table.bits) - 1
    place.bucket = table.buckets + (key >> table.rest)
    place.rest = (key & ((<Bits> 1 << table.rest) - 1)) << DETAILS
    return place


cdef inline bint holds(Bits entry, const Place* place) noexcept:
    """Return whether the entry is for the position of this place."""
    return entry >> DETAILS == place.rest >> DETAILS and entry != 0


cdef inline int known(const Place* place, int attacker) noexcept:
    """Return 1 if the attacker is known to win, 0 if known not to, -1 if unknown."""
    cdef Bits entry
    cdef int own, i
    for i in range(SLOTS):
        entry = place.bucket.entries[i]
        if holds(entry, place):
            own = entry >> 2 * attacker & 3
            if own:
                return own == 1
            return 0 if (entry >> 2 * (1 - attacker) & 3) == 1 else -1
    return -1


cdef inline void remember(
    SolvedTable* table, const Place* place, int attacker, bint won, Bits work
) noexcept:
    """Store the answer and the number of positions visited for it."""
    cdef Bits* entries = place.bucket.entries
    cdef Bits details = <Bits> (1 if won else 2) << 2 * attacker
    cdef int least = 0
    cdef int i
    for i in range(SLOTS):
        if holds(entries[i], place):
            entries[i] |= details
            return
        if entries[i] % (1 << DETAILS) < entries[least] % (1 << DETAILS):
            least = i
    table.discarded += entries[least] != 0
    entries[least] = place.rest | <Bits> (WORD - leading_zeros(work | 1)) << 4 | details
