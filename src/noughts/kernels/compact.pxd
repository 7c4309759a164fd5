# cython: language_level=3
"""Integers of one digit, read on the spot.

CPython offers that from 3.12 on; 3.11 has the same digits, and will not change any more. Elsewhere
none is compact. A call for each of a move's integers made the move a sixth slower.
"""

cdef extern from *:
    """
    #ifdef PyUnstable_Long_IsCompact
    #define is_compact(value) PyUnstable_Long_IsCompact((PyLongObject *)(value))
    #define compact_value(value) PyUnstable_Long_CompactValue((PyLongObject *)(value))
    #elif !defined(PYPY_VERSION)
    #define is_compact(value) ((size_t)(Py_SIZE(value) + 1) <= 2)
    #define compact_value(value) (Py_SIZE(value) * (long)((PyLongObject *)(value))->ob_digit[0])
    #else
    #define is_compact(value) 0
    #define compact_value(value) 0
    #endif
    """
    bint is_compact(object value) noexcept  # of exactly the type int
    long compact_value(object value) noexcept
