# cython: language_level=3, cdivision=True
"""A copy of a `noughts.game.rules.Variant` in C."""

cdef enum:
    MAX_PLAYERS = 8

cdef struct Variant:
    bint any_line  # whether every line ends the game, regardless of its place and neighbours
    bint loses
    bint fouls
    # Whether a run ends the game: [player, marks above k, mark before, mark after]. A mark is 0 for
    # none, 1 for the player's, 2 for an opponent's; 2 above k means 2 or more.
    unsigned char[MAX_PLAYERS][3][3][3] decides


cdef inline int describe(Variant* variant, object rules, int players) except -1:
    """Copy the variant of these rules for up to MAX_PLAYERS players."""
    from noughts.game.rules import VARIANTS

    described = VARIANTS.get(rules.variant)
    if described is None:
        raise ValueError(f"unknown variant {rules.variant!r}")
    variant.loses, variant.fouls = described.loses, described.fouls
    variant.any_line = described.counts is None
    cdef int player, before, after, ends
    cdef unsigned char[3][3][3]* decides
    for player in range(players):
        marks = 0, player + 1, (player + 1) % players + 1
        decides = &variant.decides[player]
        for before in range(3):
            for after in range(3):
                ends = described.decides(marks[1], marks[before], marks[after])
                decides[0][0][before][after] = ends
                variant.any_line &= ends
        for before in range(3):
            for after in range(3):  # a longer run has several lines: the first, the last, those between
                ends = decides[0][0][before][1] | decides[0][0][1][after]
                decides[0][1][before][after] = ends
                decides[0][2][before][after] = ends | decides[0][0][1][1]
    return 0


cdef inline bint decides(
    const Variant* variant, int player, int above, int before, int after
) noexcept nogil:
    """Return whether a run of k + `above` marks of a player ends the game (`Variant.decides`)."""
    return variant.decides[player - 1][above][kind(player, before)][kind(player, after)]


cdef inline int kind(int player, int mark) noexcept nogil:
    """Classify a mark for a player: 0 for none, 1 for the player's, 2 for an opponent's."""
    return (mark != 0) + (mark != 0 and mark != player)


cdef inline int winner_by(const Variant* variant, int player) noexcept nogil:
    """Return the winner when a player has completed a line that ends the game."""
    return 3 - player if variant.loses else player
