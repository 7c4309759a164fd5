# cython: language_level=3
"""A table from the numbers 0 to `keys` - 1 to numbers, all 0 at first.

For few keys it is an array; for many, a hash table with open addressing, whose memory grows with its
contents. The array only adds speed: it halves the time of `Game.play` on 15×15, k = 5
(`script/bench --only game`).
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc
from libc.string cimport memcpy

cdef enum:
    LARGEST_ARRAY = 4096  # values, of 8 bytes each; enough for 19×19
    SMALLEST = 32  # slots

cdef struct Table:
    long long* values  # of each slot
    long long* keys  # of each slot, plus 1, or 0 if it is free; NULL for an array
    Py_ssize_t slots
    Py_ssize_t used  # slots of a hash table
    int shift  # 64 minus the bits of a slot's number


cdef inline bint empty(Table* table, long long keys) noexcept nogil:
    """Create an empty table; return False if memory runs out. Old contents are not freed."""
    if keys > LARGEST_ARRAY:
        return empty_hash_table(table, SMALLEST)
    table.values, table.keys = <long long*> PyMem_RawCalloc(keys, sizeof(long long)), NULL
    table.slots = keys
    return table.values is not NULL


cdef inline bint empty_hash_table(Table* table, Py_ssize_t slots) noexcept nogil:
    """Create a hash table with this many slots, a power of two, as `empty` does."""
    cdef long long* memory = <long long*> PyMem_RawCalloc(2 * slots, sizeof(long long))
    if memory is NULL:
        return False
    table.values, table.keys = memory, memory + slots
    table.slots, table.used, table.shift = slots, 0, 64
    while slots > 1:
        table.shift -= 1
        slots >>= 1
    return True


cdef inline bint duplicate(Table* twin, const Table* table) noexcept nogil:
    """Create a table with the same values; return False if memory runs out."""
    cdef size_t size = table.slots * sizeof(long long) * (1 if table.keys is NULL else 2)
    twin[0] = table[0]
    twin.values = <long long*> PyMem_RawMalloc(size)
    if twin.values is NULL:
        return False
    memcpy(twin.values, table.values, size)
    if table.keys is not NULL:
        twin.keys = twin.values + table.slots
    return True


cdef inline void discard(Table* table) noexcept nogil:
    """Free the contents of the table."""
    PyMem_RawFree(table.values)
    table.values = NULL


cdef inline Py_ssize_t find_slot(const Table* table, long long key) noexcept nogil:
    """Return the slot of a key, or the free slot of a hash table where it belongs."""
    if table.keys is NULL:
        return key
    key += 1
    # 2^64 divided by the golden ratio: the top bits of its products are spread well (Knuth, The Art
    # of Computer Programming 3, 6.4).
    cdef Py_ssize_t slot = (<unsigned long long> key * 0x9E3779B97F4A7C15ULL) >> table.shift
    while table.keys[slot] and table.keys[slot] != key:
        slot = (slot + 1) & (table.slots - 1)
    return slot


cdef inline Py_ssize_t insert_slot(Table* table, long long key) noexcept nogil:
    """Return the slot of a key, adding it if it is new; call `reserve` first."""
    cdef Py_ssize_t slot = find_slot(table, key)
    if table.keys is not NULL and not table.keys[slot]:
        table.keys[slot] = key + 1
        table.used += 1
    return slot


cdef inline long long key_at(const Table* table, Py_ssize_t slot) noexcept nogil:
    """Return the key of a slot that has a value."""
    return slot if table.keys is NULL else table.keys[slot] - 1


cdef inline bint reserve(Table* table, long long more) noexcept nogil:
    """Make room for this many new keys; return False, unchanged, if memory runs out."""
    cdef bint room = table.keys is NULL or table.used + more <= table.slots - table.slots // 4
    return room or rebuild(table, more)


cdef inline bint rebuild(Table* table, long long more) noexcept nogil:
    """Rebuild the hash table, at most half full, without the keys whose value is 0."""
    cdef Table old = table[0]
    cdef Py_ssize_t slots = SMALLEST
    cdef Py_ssize_t slot
    for slot in range(old.slots):
        more += old.values[slot] != 0
    while slots < 2 * more:
        slots *= 2
    if not empty_hash_table(table, slots):
        return False
    for slot in range(old.slots):
        if old.values[slot]:
            table.values[insert_slot(table, key_at(&old, slot))] = old.values[slot]
    discard(&old)
    return True
