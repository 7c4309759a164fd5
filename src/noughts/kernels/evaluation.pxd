# cython: language_level=3, cdivision=True
"""What the codes of empty cells are worth: each alone, and each two of one player at a cell together.

Threats that cross at a cell are more than their sum. The numbers are a logistic regression on
positions where a search had ended, each with what a deeper search says of it; a score of 250
hundredths stands for odds of e to 1.
"""

from noughts.kernels.variants cimport RENJU

cdef enum:
    LEAST = 7  # the first code that counts
    COUNTED = 8
    TEMPO = 3917  # what it is worth to be to move, in sixteenths of a hundredth

cdef extern from *:
    """
    /* By code from LEAST on, in sixteenths of a hundredth: alone, and with each code from its own
       on. First what it adds for the player to move, then what it takes for the other. */
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

# The scores for either player, if it were to move, in one number: player 1's in its lower half.
ctypedef long long Scores

cdef struct Evaluation:
    Scores alone[2][16]  # [player][code]
    Scores together[2][256]  # [player][16 * code + code]


cdef inline int score_for(Scores scores, int player) noexcept nogil:
    """The score for player 0 or 1."""
    cdef int lower = <int> scores
    return <int> (scores - lower >> 32) if player else lower


cdef inline Scores adding(int player, int mine, int others) noexcept nogil:
    """What adds so much to a player's score, and takes so much from its opponent's."""
    cdef long long first = -others if player else mine
    cdef long long second = mine if player else -others
    return first + second * (<long long> 1 << 32)


cdef inline void fill(Evaluation* evaluation, int variant) noexcept nogil:
    """Make the tables, of zeros so far, for games of a variant."""
    cdef int player, code, other
    cdef int number = 0
    cdef Scores scores
    for code in range(COUNTED):
        for player in range(2):
            evaluation.alone[player][LEAST + code] = adding(player, ALONE[0][code], ALONE[1][code])
        for other in range(code, COUNTED):
            for player in range(2):
                scores = adding(player, TOGETHER[0][number], TOGETHER[1][number])
                if variant != RENJU or player or not is_foul(LEAST + code, LEAST + other):
                    evaluation.together[player][16 * (LEAST + code) + LEAST + other] = scores
                    evaluation.together[player][16 * (LEAST + other) + LEAST + code] = scores
            number += 1


cdef inline bint is_foul(int code, int other) noexcept nogil:
    """Whether Black may not make both in renju: two threes, or two fours."""
    return (code == 12 and other == 12) or (code >= 13 and other >= 13)


cdef inline Scores worth_of(
    const Evaluation* evaluation, const unsigned char* codes, int ways
) noexcept nogil:
    """What a cell is worth with these codes, which are both players', as `codes_of` has them."""
    cdef Scores scores = 0
    cdef int way, other
    for way in range(ways):
        scores += evaluation.alone[0][codes[way] & 15] + evaluation.alone[1][codes[way] >> 4]
        for other in range(way):
            scores += evaluation.together[0][(codes[way] & 15) << 4 | codes[other] & 15]
            scores += evaluation.together[1][codes[way] & 240 | codes[other] >> 4]
    return scores


cdef inline Scores gain_of(
    const Evaluation* evaluation, const unsigned char* codes, int ways, int way, int code
) noexcept nogil:
    """What a cell is worth more with another code in one direction."""
    cdef int old = codes[way]
    cdef const Scores* one = evaluation.together[0] + 16 * (code & 15)
    cdef const Scores* two = evaluation.together[1] + (code & 240)
    cdef const Scores* old_one = evaluation.together[0] + 16 * (old & 15)
    cdef const Scores* old_two = evaluation.together[1] + (old & 240)
    cdef Scores gain = evaluation.alone[0][code & 15] - evaluation.alone[0][old & 15]
    cdef int other
    gain += evaluation.alone[1][code >> 4] - evaluation.alone[1][old >> 4]
    for other in range(ways):
        if other != way:
            gain += one[codes[other] & 15] - old_one[codes[other] & 15]
            gain += two[codes[other] >> 4] - old_two[codes[other] >> 4]
    return gain
