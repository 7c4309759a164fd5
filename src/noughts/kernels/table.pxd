# cython: language_level=3
"""A table from keys to numbers, all of which are 0 at first: what a dict is in Python.

Keys count from -negatives to positives - 1. A small range is an array with a value for each key; a
large one a hash table with open addressing, whose memory follows what is put there. The array is
there for speed alone: it halves the time of `Game.play` on 15×15, k = 5 (`script/bench --only game`).
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.string cimport memcpy, memset

cdef enum:
    LARGEST_ARRAY = 4096  # values, of 8 bytes each; enough for 19×19
    SMALLEST = 32  # slots

cdef struct Table:
    long long* memory
    long long* values  # of each slot
    long long* keys  # of each slot, 0 where it is free, else the key, from 0 up + 1; NULL: an array
    Py_ssize_t first  # slot
    Py_ssize_t end  # of the slots
    Py_ssize_t used  # slots of a hash table
    int shift  # 64 less the bits of a slot's number


cdef inline bint empty(Table* table, long long negatives, long long positives) noexcept nogil:
    """Make an empty table; False where memory is short. What was there is not freed."""
    if negatives + positives > LARGEST_ARRAY:
        return empty_hash_table(table, SMALLEST)
    table.memory = <long long*> PyMem_RawCalloc(negatives + positives, sizeof(long long))
    if table.memory is NULL:
        return False
    table.values, table.keys = table.memory + negatives, NULL
    table.first, table.end = -negatives, positives
    return True


cdef inline bint empty_hash_table(Table* table, Py_ssize_t slots) noexcept nogil:
    """Make a hash table of so many slots, a power of two; as `empty`."""
    cdef long long* memory = <long long*> PyMem_RawCalloc(2 * slots, sizeof(long long))
    if memory is NULL:
        return False
    table.memory, table.keys, table.values = memory, memory, memory + slots
    table.first, table.end, table.used, table.shift = 0, slots, 0, 64
    while slots > 1:
        table.shift -= 1
        slots >>= 1
    return True


cdef inline bint copy_of(Table* table, const Table* other) noexcept nogil:
    """Become a copy of another table; as `empty`."""
    cdef Py_ssize_t size = other.end - other.first
    if other.keys is NULL:
        if not empty(table, -other.first, other.end):
            return False
    else:
        if not empty_hash_table(table, size):
            return False
        table.used = other.used
        size *= 2
    memcpy(table.memory, other.memory, size * sizeof(long long))
    return True


cdef inline bint cleared(Table* table) noexcept nogil:
    """Make all values 0; False where memory is short. A sparse hash table becomes small again."""
    cdef Py_ssize_t size = table.end - table.first
    cdef long long* old = table.memory
    if table.keys is not NULL:
        if size > SMALLEST and size > 16 * table.used:
            if not empty_hash_table(table, SMALLEST):
                return False
            PyMem_RawFree(old)
            return True
        table.used = 0
        size *= 2
    memset(old, 0, size * sizeof(long long))
    return True


cdef inline Py_ssize_t find_slot(const Table* table, long long key) noexcept nogil:
    """The slot of a key, or in a hash table the free one where it belongs."""
    if table.keys is NULL:
        return key
    key += key >= 0
    cdef Py_ssize_t mask = table.end - 1
    # 2^64 divided by the golden ratio: the top bits of its products are well spread (Knuth, The Art
    # of Computer Programming 3, 6.4).
    cdef Py_ssize_t slot = (<unsigned long long> key * 0x9E3779B97F4A7C15ULL) >> table.shift
    while table.keys[slot] and table.keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


cdef inline Py_ssize_t insert_slot(Table* table, long long key) noexcept nogil:
    """The slot of a key, which is put there if it is new; `reserve` has made room."""
    cdef Py_ssize_t slot = find_slot(table, key)
    if table.keys is not NULL and not table.keys[slot]:
        table.keys[slot] = key + (key >= 0)
        table.used += 1
    return slot


cdef inline long long key_at(const Table* table, Py_ssize_t slot) noexcept nogil:
    """The key of a slot that holds a value."""
    if table.keys is NULL:
        return slot
    return table.keys[slot] - (table.keys[slot] > 0)


cdef inline bint reserve(Table* table, long long more) noexcept nogil:
    """Make room for this many new keys; False where memory is short, and nothing has changed."""
    return table.keys is NULL or table.used + more <= table.end - table.end // 4 or rehash(table, more)


cdef inline bint rehash(Table* table, long long more) noexcept nogil:
    """Rebuild the hash table without the keys whose value is 0, and at most half full."""
    cdef Table old = table[0]
    cdef Py_ssize_t slots = SMALLEST
    cdef Py_ssize_t slot
    for slot in range(old.end):
        more += old.values[slot] != 0
    while slots < 2 * more:
        slots *= 2
    if not empty_hash_table(table, slots):
        return False
    for slot in range(old.end):
        if old.values[slot]:
            table.values[insert_slot(table, key_at(&old, slot))] = old.values[slot]
    PyMem_RawFree(old.memory)
    return True
