# cython: language_level=3, cdivision=True
"""The variants that the engine plays; the look-ahead plays the others."""

cdef enum:
    FREESTYLE
    STANDARD
    CARO
    MISERE
    RENJU
    UNKNOWN


cdef inline int variant_of(object rules) except -1:
    """The variant of these rules, or UNKNOWN."""
    known = ("freestyle", "standard", "caro", "misere", "renju")
    return known.index(rules.variant) if rules.variant in known else UNKNOWN
