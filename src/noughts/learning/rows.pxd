# cython: language_level=3
"""Rows of arrays, copied from one array to another of the same width."""

from libc.string cimport memcpy


cdef inline void take_rows(
    void* target, const void* origin, Py_ssize_t size, const long long* rows,
    Py_ssize_t first, Py_ssize_t last,
) noexcept nogil:
    """Make the rows `first` to before `last` those of `origin` that `rows` numbers, `size` bytes each.

    It is inlined, so that a size known to the compiler becomes one move instead of a call.
    """
    cdef Py_ssize_t row
    for row in range(first, last):
        memcpy(
            <char*> target + row * size, <const char*> origin + rows[row] * size, size
        )
