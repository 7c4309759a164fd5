# cython: language_level=3
"""A hash table from numbers to numbers, with open addressing: what dicts are to plain Python.

Every key is there from the beginning, with the value 0. A slot's key of 0 says that the slot is
free, so numbers from 0 up are kept as themselves + 1. Keys whose value has become 0 stay until the
table is made anew.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.string cimport memcpy

cdef struct Table:
    long long* keys  # of each slot; one block of memory with the values
    long long* values
    Py_ssize_t slots  # a power of two
    Py_ssize_t used
    int shift  # 64 less the bits of a slot's number


cdef inline long long* zeros(size_t count) except NULL:
    """So many numbers; the caller frees them."""
    made = <long long*> PyMem_Calloc(count, sizeof(long long))
    if made is NULL:
        raise MemoryError
    return made


cdef inline int empty(Table* table, Py_ssize_t slots) except -1:
    """Make an empty table of so many slots, a power of two; what was there is not freed."""
    table.keys = zeros(2 * slots)
    table.values = table.keys + slots
    table.slots = slots
    table.used = 0
    table.shift = 64
    while slots > 1:
        table.shift -= 1
        slots >>= 1
    return 0


cdef inline int take_after(Table* table, const Table* other) except -1:
    """Become a copy of another table; what was there is not freed."""
    empty(table, other.slots)
    table.used = other.used
    memcpy(table.keys, other.keys, 2 * other.slots * sizeof(long long))
    return 0


cdef inline Py_ssize_t slot_of(const Table* table, long long key) noexcept:
    """The slot of a key, or the free one where it belongs."""
    key += key >= 0
    cdef Py_ssize_t mask = table.slots - 1
    # 2^64 divided by the golden ratio: the top bits of its products are well spread.
    cdef Py_ssize_t slot = (<unsigned long long> key * 0x9E3779B97F4A7C15ULL) >> table.shift
    while table.keys[slot] and table.keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


cdef inline Py_ssize_t place_of(Table* table, long long key) noexcept:
    """The slot of a key, which is put there if it is new; `reserve` has made room."""
    cdef Py_ssize_t slot = slot_of(table, key)
    if not table.keys[slot]:
        table.keys[slot] = key + (key >= 0)
        table.used += 1
    return slot


cdef inline int reserve(Table* table, long long more) except -1:
    """Make room for so many new keys."""
    if table.used + more > table.slots - (table.slots >> 2):
        rehash(table, more)
    return 0


cdef inline int rehash(Table* table, long long more) except -1:
    """Make the table anew, without the keys whose value is 0, and at most half full."""
    cdef Table old = table[0]
    cdef Py_ssize_t slots = 32
    cdef Py_ssize_t slot
    cdef long long key
    for slot in range(old.slots):
        more += old.values[slot] != 0
    while slots < 2 * more:
        slots *= 2
    empty(table, slots)
    for slot in range(old.slots):
        if old.values[slot]:
            key = old.keys[slot]
            table.values[place_of(table, key - (key > 0))] = old.values[slot]
    PyMem_Free(old.keys)
    return 0
