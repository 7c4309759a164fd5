# cython: language_level=3
"""What `noughts.learning._vector` keeps of many games."""

from noughts.game.bits cimport BitBoard, Bits
from noughts.game.geometry cimport Geometry
from noughts.game.lines cimport Lines
from noughts.game.tallies cimport Tallies
from noughts.learning.candidates cimport Candidates
from noughts.learning.planes cimport Planes
from noughts.learning.pool cimport Pool

cdef enum Method:
    BOARD
    TABLE
    BITS
    LINES

cdef enum Autoreset:
    SAME_STEP
    NEXT_STEP
    DISABLED


cdef class Vector

ctypedef bint (*Part)(Vector, const Call*, Py_ssize_t first, Py_ssize_t last) noexcept nogil

cdef struct Call:
    Part part  # what to do with at most `BLOCK` games; False if memory is short
    void* vector  # a `Vector`
    void* array  # the caller's
    const void* choice  # of games or seats; NULL for none


cdef class Vector:
    cdef unsigned int failed  # memory was short; then the games are not to be trusted
    cdef Method method
    cdef Autoreset autoreset
    cdef int players
    cdef bint gravity
    cdef Pool* pool
    cdef Py_ssize_t games
    cdef Py_ssize_t actions, cells, floor  # the first cell of the last row, with gravity
    cdef Py_buffer[7] views  # of the arrays; pointers into them, as memoryviews take long to compile
    cdef int held_views
    cdef unsigned char* legal
    cdef signed char* turn
    cdef signed char* winner
    cdef unsigned char* done
    cdef unsigned char* illegal
    cdef int* ply
    cdef unsigned long long* random
    cdef Planes planes
    cdef unsigned int* heights  # of each action's column, with gravity
    cdef Candidates candidates
    cdef BitBoard bits
    cdef Bits* held  # by each player; only TABLE and BITS use it, but it is always there
    cdef unsigned char* wins  # the table: whether these marks hold a line
    cdef Lines lines
    cdef unsigned char* marks  # each player's, along the lines
    cdef Tallies* boards
    cdef void* source  # the `Vector` from which `take` copies, while it does
    cdef Geometry geometry  # last, as it is large: the others are reached by shorter code

    cdef void* hold(self, array, Py_ssize_t item, Py_ssize_t items=*) except NULL
    cdef bint prepare(self) noexcept
    cdef int play_on_board(self, Py_ssize_t game, long long cell, unsigned char* legal) noexcept nogil
    cdef int share(
        self, Part part, object array, Py_ssize_t size, int flags, object choice=*
    ) except -1
