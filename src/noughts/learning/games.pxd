# cython: language_level=3
"""The rules of a step, in C: games.h describes each function."""

cdef extern from "games.h":
    enum:
        SAME_STEP
    ctypedef struct Games:
        long long actions, cells, floor, players, gravity, autoreset
        unsigned char* legal
        signed char* turn
        signed char* winner
        unsigned char* done
        unsigned char* illegal
        int* ply
        unsigned long long* random
        unsigned int* heights
        unsigned short* order
        unsigned int* left
    long long draw(const Games* games, long long game, const signed char* planes) noexcept nogil
    void renew(const Games* games, long long game) noexcept nogil
    void begin(const Games* games, long long game) noexcept nogil
    void forget(const Games* games, long long first, long long last) noexcept nogil
    bint resumes(const Games* games, long long game) noexcept nogil
    long long land(const Games* games, long long game, long long action) noexcept nogil
    bint settle(const Games* games, long long game, int player, bint ends) noexcept nogil
    bint conclude(const Games* games, long long game, int winner) noexcept nogil
    bint adapt(const Games* games, long long game, long long theirs) noexcept nogil
