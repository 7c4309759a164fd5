"""Two exact proofs that the other player will never complete a line.

A line is *live* for the attacker while the defender has no mark on it.

**The potential.** A live line with e empty cells weighs 2^(−e). The potential P is the weight of
all live lines, and w(c) is the weight of the live lines through the cell c. A reply c adds at most
w(c) to P, because it doubles the weight of its lines, and a single complete line would weigh 1. So
if the defender's move leaves P + max w < 1, then P < 1 at the next turn, and again there is such a
move: any cell with the largest w. (P. Erdős and J. L. Selfridge, *On a combinatorial game*, Journal
of Combinatorial Theory A 14 (1973), 298–301.) All numbers here are integers, the weights times 2^k:
a line with t marks weighs 2^t, and 1 is 2^k.

**The pairing.** If each live line can be given two empty cells of its own, the attacker cannot win:
whenever the attacker takes one cell of a pair, the defender takes the other, so that every line
gets a mark of the defender. (A. W. Hales and R. I. Jewett, *Regularity and positional games*,
Transactions of the AMS 106 (1963), 222–229.) It can succeed even if many lines are nearly complete.
"""

from fractions import Fraction

from noughts.game.game import Game
from noughts.opponent.exact.position import Position

MAX_LINES = 400  # to be paired; matching one searches recursively through the others


def potential(game: Game, attacker: int) -> Fraction:
    """Return the attacker's potential P: the sum of 2^(−empty cells) over their live lines.

    >>> potential(Game(), 2)
    Fraction(1, 1)
    """
    scaled = sum(lines << tally for tally, lines in enumerate(game.tallies(attacker)))
    return Fraction(scaled, 1 << game.rules.k)


def potential_after(game: Game, cell: tuple[int, ...]) -> Fraction:
    """Return the highest potential that the mover can face at their next turn, after `cell`.

    It is P + max w after the move. A value below 1 proves that the mover, one of two players,
    cannot lose.

    >>> potential_after(Game(), (1, 1))
    Fraction(3, 4)
    """
    game = game.copy()
    attacker = 3 - game.turn
    game.play(cell)
    position = Position(game)
    weights = position.weights(attacker)
    heaviest = max((weights[cell] for cell in position.empty), default=0)
    return Fraction(_scaled_potential(position, attacker) + heaviest, 1 << position.k)


def safe_moves(position: Position) -> list[int]:
    """Return the moves after which the other of two players has P + max w < 1.

    The test is exact: m is unsafe if and only if some reply c to it has P − w(m) + w'(c) ≥ 1, where
    w'(c) excludes the lines that also run through m.
    """
    attacker, empty = 3 - position.turn, position.empty
    potential = _scaled_potential(position, attacker)
    slack = (1 << position.k) - potential
    if potential < slack:  # no cell weighs more than all lines; the usual case on large boards
        return empty
    weights, live = position.weights(attacker), position.live[attacker]
    heavy = [cell for cell in empty if weights[cell] >= slack]

    def shared(one: int, other: int) -> int:
        """Return the weight of the live lines through both cells."""
        both = set(position.through[one]).intersection(position.through[other])
        return sum(1 << live[line] for line in both if line in live)

    def refutes(reply: int, move: int) -> bool:
        excess = weights[reply] - weights[move] - slack
        return reply != move and excess >= 0 and excess >= shared(reply, move)

    return [
        move
        for move in empty
        if weights[move] + slack > 0 and not any(refutes(reply, move) for reply in heavy)
    ]


def _scaled_potential(position: Position, attacker: int) -> int:
    """Return P times 2^k."""
    return sum(1 << tally for tally in position.live[attacker].values())


def pairing(position: Position, attacker: int) -> dict[int, list[int]] | None:
    """Find a pair of empty cells for each live line of the attacker, with no cell in two pairs.

    Such pairs prove that the other of two players does not lose when the attacker is to move.

    Returns:
        The pair of each line; None if there are no such pairs or too many lines to try.
    """
    live = position.live[attacker]
    if 2 * len(live) > min(2 * MAX_LINES, position.marks.count(0)):
        return None
    lines = {line: position.empty_on(line) for line in live}
    holder: dict[int, int] = {}  # the line that has each cell

    def give_cell(line: int, asked: set[int]) -> bool:
        """Give the line one more cell, possibly from a line that can replace it."""
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
    return pairs
