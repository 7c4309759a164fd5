# cython: language_level=3, cdivision=True
"""The rules, made ready, and the room to work in; `judge` fills it in, the methods work with it."""

from noughts.kernels.three cimport Three

cdef enum Method:
    THREE
    SQUARE
    LINES
    RUNS

cdef struct Plan:
    Method method
    unsigned long long cells
    long long k
    long long players
    bint early_draw
    Py_ssize_t sides
    long long* side
    const Three* three  # tables of the method of this name
    # The marks of the method `square`: a bit for each player, so that the AND of a line tells its
    # holder.
    unsigned char* marks
    unsigned char* rows
    unsigned char* cols
    # The board of the methods `lines` and `runs`. Each row has one more place at its end, which
    # stays empty, so that a walk off the board meets no mark: stride and margin count places, not
    # cells.
    long long* stride
    long long margin
    unsigned int stamp  # this game's; marks with another are those of games before
    unsigned int* places  # stamp << 4 | player
    long long* keys  # which place it is, if places is a hash table
    unsigned long long mask  # the hash table's size - 1
    long long* at  # the coordinates of the cell being played
    # directions
    Py_ssize_t directions
    long long* delta  # [direction, side]
    long long* reach  # [direction]: the same in places
    # lines: the line in a direction that begins at a cell is origin + its coordinates · weight
    long long* origin  # [direction]
    long long* weight  # [direction, side]
    long long* next_line  # [direction]: that of the next cell
    long long line_count
    unsigned long long* lines  # stamp << 32 | tally << 4 | owner
    long long unmarked  # lines without a mark
    long long* live  # [player, tally]: how many lines only the player has
    long long* best  # [player]: no live line has a higher tally
