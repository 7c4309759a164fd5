"""The pairing: two private cells for each line that the other player could still complete.

With such pairs nobody can be beaten: whenever the attacker takes one cell of a pair, the defender
takes the other, so every line gets a mark of the defender. (A. W. Hales and R. I. Jewett,
*Regularity and positional games*, Transactions of the AMS 106 (1963), 222–229.) Unlike the
potential it can succeed where many lines are nearly complete.

Pairs are found by matching lines, each of them twice, with cells. The classic augmenting paths
are a dozen lines for the few hundred lines a board has here, too little for a library.
"""

from __future__ import annotations

from noughts.opponent.position import Position

MAX_LINES = 400  # each is matched by a recursive search through the others


def pairing(position: Position, attacker: int) -> dict[int, tuple[int, int]] | None:
    """A pair of empty cells for each live line of the attacker, no cell in two of them.

    It proves that the other of two players does not lose when the attacker is to move.

    Returns:
        The pair of each line, or None if there are no such pairs or too many lines to look.
    """
    live = position.live(attacker)
    if position.near[attacker][1] or 2 * len(live) > min(2 * MAX_LINES, position.marks.count(0)):
        return None
    lines = {line: position.empty_on(line) for line in live}
    holder: dict[int, int] = {}  # cell: the line that it is given to

    def give_cell(line: int, asked: set[int]) -> bool:
        """Give the line one more cell, if need be one that another line can replace."""
        for cell in lines[line]:
            if cell not in asked and holder.get(cell) != line:
                asked.add(cell)
                if cell not in holder or give_cell(holder[cell], asked):
                    holder[cell] = line
                    return True
        return False

    for line in sorted(lines, key=lambda line: len(lines[line])):  # the hardest first
        if not (give_cell(line, set()) and give_cell(line, set())):
            return None
    pairs: dict[int, list[int]] = {line: [] for line in lines}
    for cell, line in holder.items():
        pairs[line].append(cell)
    return {line: (min(cells), max(cells)) for line, cells in pairs.items()}
