# cython: language_level=3, cdivision=True
"""The variants in C: what a complete line means. `noughts.game.board` is the definition."""

cdef enum:
    FREESTYLE
    STANDARD
    CARO
    MISERE
    RENJU


cdef inline int variant_of(object rules) except -1:
    """The variant of these rules."""
    variants = ("freestyle", "standard", "caro", "misere", "renju")
    return variants.index(rules.variant)


cdef inline bint decides(int variant, int player, int before, int after) noexcept nogil:
    """Whether a line that a player has completed ends the game.

    `before` and `after` are the players whose marks are next to its ends; 0 where there is none.
    Players are counted from 1.
    """
    if variant == STANDARD or (variant == RENJU and player == 1):
        return before != player and after != player
    if variant == CARO:
        return before == 0 or before == player or after == 0 or after == player
    return True


cdef inline int winner_by(int variant, int player) noexcept nogil:
    """Who has won when a player has completed a line that ends the game."""
    return 3 - player if variant == MISERE else player
