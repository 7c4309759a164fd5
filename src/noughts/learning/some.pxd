# cython: language_level=3, cdivision=True
"""Some of many games, noted before anything is done with them.

Noting a game takes no branch. A mispredicted one costs as much as a whole step on 3×3.
"""

cdef enum:
    BLOCK = 256  # games at a time


cdef inline Py_ssize_t among(
    Py_ssize_t* found, Py_ssize_t first, Py_ssize_t last, const unsigned char* wanted,
    const unsigned char* unwanted,
) noexcept nogil:
    """Note those of at most `BLOCK` games that are wanted; each array may be NULL. How many."""
    cdef Py_ssize_t game
    cdef Py_ssize_t count = 0
    cdef bint is_wanted
    for game in range(first, last):
        is_wanted = wanted is NULL or wanted[game]
        if unwanted is not NULL:
            is_wanted &= not unwanted[game]
        found[count] = game
        count += is_wanted
    return count
