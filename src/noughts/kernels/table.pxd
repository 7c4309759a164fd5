# cython: language_level=3
"""A hash table from numbers to numbers, with open addressing: what a dict is in Python.

Every key is there from the beginning, with the value 0. A slot whose key is 0 is free, so numbers
from 0 up are kept as themselves + 1. Keys whose value has become 0 stay until the table is rebuilt.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.string cimport memcpy, memset

cdef enum:
    SMALLEST = 32  # slots

cdef struct Table:
    long long* keys  # of each slot; one block of memory with the values
    long long* values
    Py_ssize_t slots  # a power of two
    Py_ssize_t used
    int shift  # 64 less the bits of a slot's number


cdef inline bint empty(Table* table, Py_ssize_t slots) noexcept nogil:
    """Make an empty table of this many slots, a power of two; False where memory is short.

    What was there is not freed.
    """
    cdef long long* keys = <long long*> PyMem_RawCalloc(2 * slots, sizeof(long long))
    if keys is NULL:
        return False
    table.keys = keys
    table.values = keys + slots
    table.slots = slots
    table.used = 0
    table.shift = 64
    while slots > 1:
        table.shift -= 1
        slots >>= 1
    return True


cdef inline bint copy_of(Table* table, const Table* other) noexcept nogil:
    """Become a copy of another table; False where memory is short. What was there is not freed."""
    if not empty(table, other.slots):
        return False
    table.used = other.used
    memcpy(table.keys, other.keys, 2 * other.slots * sizeof(long long))
    return True


cdef inline bint cleared(Table* table) noexcept nogil:
    """Empty the table; False where memory is short. A table that was sparse becomes small again."""
    cdef long long* old = table.keys
    if table.slots <= SMALLEST or table.slots <= 16 * table.used:
        memset(table.keys, 0, 2 * table.slots * sizeof(long long))
        table.used = 0
        return True
    if not empty(table, SMALLEST):
        return False
    PyMem_RawFree(old)
    return True


cdef inline Py_ssize_t slot_of(const Table* table, long long key) noexcept nogil:
    """The slot of a key, or the free one where it belongs."""
    key += key >= 0
    cdef Py_ssize_t mask = table.slots - 1
    # 2^64 divided by the golden ratio: the top bits of its products are well spread (Knuth, The Art
    # of Computer Programming 3, 6.4).
    cdef Py_ssize_t slot = (<unsigned long long> key * 0x9E3779B97F4A7C15ULL) >> table.shift
    while table.keys[slot] and table.keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


cdef inline Py_ssize_t place_of(Table* table, long long key) noexcept nogil:
    """The slot of a key, which is put there if it is new; `reserve` has made room."""
    cdef Py_ssize_t slot = slot_of(table, key)
    if not table.keys[slot]:
        table.keys[slot] = key + (key >= 0)
        table.used += 1
    return slot


cdef inline bint reserve(Table* table, long long more) noexcept nogil:
    """Make room for this many new keys; False where memory is short, and nothing has changed."""
    return table.used + more <= table.slots - (table.slots >> 2) or rehash(table, more)


cdef inline bint rehash(Table* table, long long more) noexcept nogil:
    """Rebuild the table without the keys whose value is 0, and at most half full."""
    cdef Table old = table[0]
    cdef Py_ssize_t slots = SMALLEST
    cdef Py_ssize_t slot
    cdef long long key
    for slot in range(old.slots):
        more += old.values[slot] != 0
    while slots < 2 * more:
        slots *= 2
    if not empty(table, slots):
        return False
    for slot in range(old.slots):
        if old.values[slot]:
            key = old.keys[slot]
            table.values[place_of(table, key - (key > 0))] = old.values[slot]
    PyMem_RawFree(old.keys)
    return True
