"""The potential: an exact reason why the other player will never complete a line.

A line is *live* for the attacker while it bears no mark of the defender, and weighs 2^(−e) with e
empty cells. The potential P is the weight of all live lines; w(c) is the weight of those through
the cell c.

**Theorem** (P. Erdős and J. L. Selfridge, *On a combinatorial game*, Journal of Combinatorial
Theory A 14 (1973), 298–301). If P < 1 when the defender is to move, and the defender always takes
a cell of largest w, then P < 1 at each of the defender's turns, so the attacker never completes a
line. For the defender's move takes w(m), the largest there is, out of P; the reply r adds at most
w(r), as its lines weigh twice as much from then on; and a complete line alone would weigh 1.

Any other move m serves as well if, after it, P + max w < 1: that is what `safe_moves` looks for.
All numbers here are integers, the weights times 2^k: a line with t marks weighs 2^t, and 1 is 2^k.
"""

from __future__ import annotations

from fractions import Fraction

from noughts.checks import integer
from noughts.game import Game
from noughts.opponent.position import Position


def potential(game: Game, attacker: int) -> Fraction:
    """The attacker's potential P: the sum of 2^(−empty cells) over the attacker's live lines.

    >>> potential(Game(), 2)
    Fraction(1, 1)
    """
    attacker = integer(attacker, "attacker")
    game.live_lines(attacker)  # raises what is to be raised of an unknown player
    position = Position(game)
    return Fraction(scaled_potential(position, attacker), 1 << position.k)


def potential_after(game: Game, cell: tuple[int, ...]) -> Fraction:
    """The most that the potential against the mover can be at the mover's next turn.

    That is P + max w once the player to move has played `cell`. Below 1 it proves that this
    player, one of two, need not lose.

    >>> potential_after(Game(), (1, 1))
    Fraction(3, 4)
    """
    game = game.copy()
    defender = game.turn
    game.play(cell)
    position = Position(game)
    attacker = position.next_to(defender)
    weights = position.weights(attacker)
    heaviest = max((weights[cell] for cell in position.empty), default=0)
    return Fraction(scaled_potential(position, attacker) + heaviest, 1 << position.k)


def scaled_potential(position: Position, attacker: int) -> int:
    """P times 2^k."""
    tally = position.tally[attacker]
    return sum([1 << tally[line] for line in position.live(attacker)])


def safe_moves(position: Position) -> list[int]:
    """The moves after which the other of two players still has P + max w < 1.

    Moves are weighed exactly: m is unsafe if and only if some reply c to it has
    P − w(m) + w'(c) ≥ 1, where w'(c) leaves out the lines that also run through m.
    """
    attacker = position.next_to(position.turn)
    slack = (1 << position.k) - scaled_potential(position, attacker)
    if _heaviest_possible(position, attacker) < slack:
        return position.empty  # on large boards the usual case
    weights, empty = position.weights(attacker), position.empty
    replies = sorted(
        (cell for cell in empty if weights[cell] >= slack), key=lambda cell: -weights[cell]
    )

    def refutes(reply: int, move: int) -> bool:
        room = slack + weights[move]
        return (
            reply != move
            and weights[reply] >= room
            and weights[reply] - _shared(position, attacker, reply, move) >= room
        )

    return [
        move
        for move in empty
        if weights[move] + slack > 0 and not any(refutes(reply, move) for reply in replies)
    ]


def _heaviest_possible(position: Position, attacker: int) -> int:
    """A bound on w that needs no look at the cells."""
    tally = position.tally[attacker]
    most = max((tally[line] for line in position.live(attacker)), default=0)
    return position.tables.crossing << most


def _shared(position: Position, attacker: int, one: int, other: int) -> int:
    """The weight of the attacker's live lines that run through both cells."""
    through, tally, total = position.tables.through, position.tally[attacker], position.total
    both = through[one] & through[other]
    return sum(1 << tally[line] for line in both if tally[line] == total[line])
