# cython: language_level=3
"""Integers of one digit that are not negative, read on the spot, as CPython's `list[i]` does.

From 3.12 on a tag holds how many digits there are (8 for one), whether the integer is negative (2),
and what does not matter here (4, 1); before, a size does, which is less than 0 for a negative one.
The digit of 0 is 0, as `list[i]` has it too. Elsewhere there are none. A call for each of a move's
integers made the move a sixth slower.
"""

cdef extern from *:
    """
    #ifdef PyUnstable_Long_IsCompact
    #define is_digit(value) (!(((PyLongObject *)(value))->long_value.lv_tag & ~(size_t)13))
    #define digit_of(value) ((long)((PyLongObject *)(value))->long_value.ob_digit[0])
    #elif !defined(PYPY_VERSION)
    #define is_digit(value) ((size_t)Py_SIZE(value) <= 1)
    #define digit_of(value) ((long)((PyLongObject *)(value))->ob_digit[0])
    #else
    #define is_digit(value) 0
    #define digit_of(value) 0
    #endif
    """
    bint is_digit(object value) noexcept  # of exactly the type int
    long digit_of(object value) noexcept
