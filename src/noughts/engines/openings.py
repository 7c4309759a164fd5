"""Openings: the first moves of the games of a match, as tournament managers write them.

An opening is a line, in one of two notations: offsets from the centre of the board, column and row,
as Gomocup publishes them, ``8,-3, 6,-4, 5,-4``; or names of cells, the column's letter and the row
counted from 1 at the top, ``b7d6e6``. c-gomoku-cli calls them "offset" and "pos".
"""

import re
from collections.abc import Iterable

from noughts.engines.match import Opening
from noughts.engines.protocol import numbers_of
from noughts.errors import IllegalMove, InvalidRecord, short_repr
from noughts.game.game import Game
from noughts.game.rules import Rules, as_rules


def read_openings(lines: Iterable[str], source: str, rules: Rules | str) -> tuple[Opening, ...]:
    """The openings in the lines of a file; empty lines are skipped.

    Raises:
        InvalidRecord: a line is not an opening, or its moves are illegal or end the game; or there
            are no openings; or the board does not have two sides.

    >>> read_openings(["0,0, 1,-1", "a1b2"], "x.txt", Rules.gomoku())
    (((7, 7), (6, 8)), ((0, 0), (1, 1)))
    """
    rules = as_rules(rules)
    openings = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            opening = _opening(line.strip(), rules)
            game = Game.replay(rules, opening)
        except (InvalidRecord, IllegalMove) as error:
            raise InvalidRecord(str(error), source, number) from None
        if game.outcome is not None:
            raise InvalidRecord("the opening ends the game", source, number)
        openings.append(opening)
    if not openings:
        raise InvalidRecord("there are no openings", source)
    return tuple(openings)


def _opening(text: str, rules: Rules) -> Opening:
    if len(rules.shape) != 2:
        raise InvalidRecord(f"openings are for boards of two sides, not {len(rules.shape)}")
    if re.fullmatch(r"([a-z][0-9]{1,3})+", text):
        cells = re.findall(r"([a-z])([0-9]+)", text)
        return tuple((int(row) - 1, ord(column) - ord("a")) for column, row in cells)
    offsets = numbers_of(text)
    if offsets is None or len(offsets) % 2:
        raise InvalidRecord(
            f"expected an opening such as 8,-3, 6,-4 or h8h9, not {short_repr(text)}"
        )
    rows, columns = rules.shape
    pairs = zip(offsets[::2], offsets[1::2], strict=True)
    return tuple((rows // 2 + down, columns // 2 + right) for right, down in pairs)
