# cython: language_level=3, cdivision=True
"""The worth of the codes of empty cells: of single codes and of pairs of one player's codes at a cell.

Threats that cross at a cell are worth more than their sum. The numbers are a logistic regression on
positions at leaves of a search, each with the result of a deeper search; a score of 250 hundredths
means odds of e to 1.
"""

from libc.string cimport memset

from noughts.opponent.search.patterns cimport RENJU

cdef enum:
    LEAST = 7  # the first code that counts
    COUNTED = 8
    TEMPO = 3917  # the worth of having the move, in sixteenths of a hundredth

cdef extern from *:
    """
    /* By code from LEAST on, in sixteenths of a hundredth: of the code itself, and with each code
       from it on. First the gain of the player to move, then the loss by the other player's codes. */
    static const short ALONE[2][8] = {
        {-14, -2, 52, 159, 327, 626, 1012, 0},
        {-7, -1, 82, 160, 449, 564, 1129, 7518},
    };
    static const short TOGETHER[2][36] = {
        {-7, -7, -19, -23, -6, -75, 5, 0,
         -4, 3, -28, 1, -10, 133, 0,
         6, -13, 47, 120, 339, 0,
         21, 178, 969, 1843, 0,
         216, 811, 1250, 0,
         4778, 2636, 0,
         0, 0,
         0},
        {-5, -5, -21, -8, -44, -84, -80, 0,
         -5, -4, -25, -53, -35, 12, 0,
         -3, -30, -34, -18, 201, 0,
         -56, -23, 99, 674, 0,
         21, 127, 941, 0,
         304, 3841, 0,
         2883, 0,
         0},
    };
    """
    const short ALONE[2][8]
    const short TOGETHER[2][36]

# The scores of both players, each as if to move, in one number: player 1's in its lower half.
ctypedef long long Scores

# The worth of a player's codes at a cell, in small tables that stay in the L1 cache.
cdef struct Evaluation:
    Scores[2][16] alone  # in one direction
    Scores[2][16][16] together  # in two


cdef inline int score_for(Scores scores, int player) noexcept nogil:
    """Return the score of player 0 or 1."""
    cdef int lower = <int> scores
    return <int> (scores - lower >> 32) if player else lower


cdef inline Scores adding(int player, int mine, int others) noexcept nogil:
    """Return a gain that raises a player's score and lowers the opponent's."""
    cdef long long first = -others if player else mine
    cdef long long second = mine if player else -others
    return first + second * (<long long> 1 << 32)


cdef inline void fill(Evaluation* evaluation, int variant) noexcept nogil:
    """Fill the tables for games of a variant."""
    cdef int player, code, other, number = 0
    cdef Scores gain
    memset(evaluation, 0, sizeof(Evaluation))
    for code in range(LEAST, LEAST + COUNTED):
        for player in range(2):
            evaluation.alone[player][code] = adding(
                player, ALONE[0][code - LEAST], ALONE[1][code - LEAST]
            )
        for other in range(code, LEAST + COUNTED):
            for player in range(2):
                if variant != RENJU or player or not is_foul(code, other):
                    gain = adding(player, TOGETHER[0][number], TOGETHER[1][number])
                    evaluation.together[player][code][other] = gain
                    evaluation.together[player][other][code] = gain
            number += 1


cdef inline bint is_foul(int code, int other) noexcept nogil:
    """Return whether both together are a foul of Black in renju: two threes or two fours."""
    return (code == 12 and other == 12) or (code >= 13 and other >= 13)


cdef inline Scores worth_of(
    const Evaluation* evaluation, const unsigned char* codes, int ways
) noexcept nogil:
    """Return the worth of a cell with these codes, each for both players as `codes_of` returns it."""
    cdef Scores scores = 0
    cdef int way, other
    for way in range(ways):
        scores += evaluation.alone[0][codes[way] & 15] + evaluation.alone[1][codes[way] >> 4]
        for other in range(way):
            scores += evaluation.together[0][codes[way] & 15][codes[other] & 15]
            scores += evaluation.together[1][codes[way] >> 4][codes[other] >> 4]
    return scores


cdef inline Scores gain_of(
    const Evaluation* evaluation, const unsigned char* codes, int ways, int way, int code
) noexcept nogil:
    """Return the change in a cell's worth with another code in one direction."""
    cdef int before = codes[way]
    cdef Scores gain = 0
    if (before ^ code) & 15:
        gain = gain_for(evaluation, 0, 0, codes, ways, way, code)
    if (before ^ code) >> 4:
        gain += gain_for(evaluation, 1, 4, codes, ways, way, code)
    return gain


cdef inline Scores gain_for(
    const Evaluation* evaluation, int player, int shift, const unsigned char* codes, int ways,
    int way, int code,
) noexcept nogil:
    """Return the part of the gain due to a player's codes, which are the bits from `shift` on."""
    cdef int now = code >> shift & 15, before = codes[way] >> shift & 15
    cdef const Scores* new = evaluation.together[player][now]
    cdef const Scores* old = evaluation.together[player][before]
    cdef Scores gain = evaluation.alone[player][now] - evaluation.alone[player][before]
    cdef int other, i
    if ways == 4:  # so that the compiler unrolls the loop
        for i in range(1, 4):
            other = codes[way ^ i] >> shift & 15
            gain += new[other] - old[other]
        return gain
    for i in range(ways):
        if i != way:
            other = codes[i] >> shift & 15
            gain += new[other] - old[other]
    return gain
