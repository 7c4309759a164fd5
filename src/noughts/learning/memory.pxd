# cython: language_level=3, cdivision=True
"""Copying and setting a few bytes without calling `memcpy` and `memset`.

On 3×3 these calls took a tenth of a step of `VectorGame`.
"""

from libc.string cimport memcpy, memset


cdef inline void copy(void* target, const void* source, Py_ssize_t size) noexcept nogil:
    """Copy `size` bytes; 16 to 32 without a call."""
    cdef char* to = <char*> target
    cdef const char* start = <const char*> source
    if 16 <= size <= 32:
        memcpy(to + size - 16, start + size - 16, 16)
        memcpy(to, start, 16)
    else:
        memcpy(to, start, size)


cdef inline void fill(void* target, int value, Py_ssize_t size) noexcept nogil:
    """Set `size` bytes; 8 to 32 without a call."""
    cdef char* to = <char*> target
    if 16 <= size <= 32:
        memset(to + size - 16, value, 16)
        memset(to, value, 16)
    elif 8 <= size < 16:
        memset(to + size - 8, value, 8)
        memset(to, value, 8)
    else:
        memset(to, value, size)
