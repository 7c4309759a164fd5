"""Search for proofs: certificates of the value of a position.

`noughts.opponent.exact.certificate` describes their format. `_breaker.pyx` finds the plans and the
solver finds the moves.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from time import monotonic

from noughts.compiled import required
from noughts.game.game import Game
from noughts.game.geometry import Cell, geometry_of
from noughts.opponent.exact.certificate import Writer
from noughts.opponent.exact.solver import Solver
from noughts.opponent.exact.zones import marks_of

Marks = tuple[int, int]  # the cells of each player, as the bits of an integer


class CutOff(Exception):
    """The search for a proof has run out of time or memory."""


class Proof:
    """A certificate of one position; creating it and `lines` raise `CutOff`."""

    def __init__(self, game: Game, seconds: float | None, memory: int) -> None:
        breaker = required("noughts.opponent.exact._breaker", "a proof")
        self._game = game.copy()
        self._deadline = None if seconds is None else monotonic() + seconds
        self._writer = Writer(game)
        self._geometry = geometry_of(game.rules)
        self._line_cells = [self._geometry.numbers(line) for line in self._geometry]
        self._lines = [sum(1 << cell for cell in line) for line in self._line_cells]
        self._everywhere = (1 << game.rules.cells) - 1
        self._breaker = breaker.Breaker(game.rules, memory // 4)
        self._solver = Solver(game.rules, memory=memory - memory // 4)
        self._plans: dict[tuple[int, Marks], tuple[int, int]] = {}  # with their zones
        self._steps: dict[tuple[int, bytes], int] = {}
        held = self._is_held(1) and self._is_held(2)
        self._value = 0 if held else self._solve()[0]  # for the player to move

    def lines(self) -> list[str]:
        """Return its lines."""
        turn = self._game.turn
        if self._value:
            winner = turn if self._value == 1 else 3 - turn
            self._writer.claim(winner, "wins", self._step(winner))
        else:
            for player in (turn, 3 - turn):
                self._writer.claim(player, "holds", self._step(player))
        return self._writer.lines

    def _step(self, player: int) -> int:
        """Write a step by which the player reaches the value of the position; return its number."""
        game, position = self._game, (player, self._game.key())
        if position not in self._steps:
            if game.turn == player:
                cell = self._best(player)
                game.play(cell)
                replies = self._plan(player) or self._replies(player)
                game.undo()
                step = self._writer.move(self._geometry.number(cell), replies)
            else:
                step = self._plan(player) or self._writer.move(None, self._replies(player))
            self._steps[position] = step
        return self._steps[position]

    def _replies(self, player: int) -> Mapping[int, list[int]]:
        """Map steps to the other player's replies, where the player cannot complete a line."""
        game, replies = self._game, defaultdict[int, list[int]](list)
        threats = game.threats(player)
        if not game.outcome and len(threats) < 2:
            for reply in list(threats or game.legal_moves):
                if not game.play(reply):
                    replies[self._step(player)].append(self._geometry.number(reply))
                game.undo()
        return replies

    def _plan(self, player: int) -> int | None:
        """Write a plan for the player, not to move, to mark every line of a draw, if one exists."""
        if self._value or self._game.outcome or not self._is_held(3 - player):
            return None
        return self._plan_against(2 - player, marks_of(self._game), 0)[0]

    def _plan_against(self, maker: int, marks: Marks, spared: int) -> tuple[int, int]:
        """Write a plan against the maker (0 or 1), who is to move; return its step and zone."""
        marks = self._reduced(maker, marks)
        position = maker, marks
        if position in self._plans:
            return self._plans[position]
        self._check()
        if (pairs := self._breaker.pairs(maker, *marks, spared)) is not None:
            found = self._writer.pairs(pairs), sum(1 << cell for pair in pairs for cell in pair)
        else:
            found = self._answers_to(maker, marks)
        self._plans[position] = found
        return found

    def _answers_to(self, maker: int, marks: Marks) -> tuple[int, int]:
        """Write a plan of answers; return its step and zone."""
        zone, answers = 0, []
        moves = self._promising(maker, marks)
        left = sum(1 << cell for cell in moves)
        for move in moves:
            if left >> move & 1:
                left &= ~(1 << move)
                attack = _with(marks, maker, move)
                reply = self._breaker.reply(maker, *attack, left, self._check)
                step, needed = self._plan_against(maker, _with(attack, 1 - maker, reply), left)
                needed |= 1 << reply
                answers.append((reply, step))
                zone |= needed
                left &= needed
        return self._writer.answers(answers), zone

    def _promising(self, maker: int, marks: Marks) -> list[int]:
        """Return the empty cells on the maker's live lines, the most and nearest lines first."""
        weights = Counter[int]()
        for line, cells in zip(self._lines, self._line_cells, strict=True):
            if not line & marks[1 - maker]:
                weight = 1 << (line & marks[maker]).bit_count()
                weights.update(dict.fromkeys(cells, weight))
        taken = marks[0] | marks[1]
        return [cell for cell, _ in weights.most_common() if not taken >> cell & 1]

    def _reduced(self, maker: int, marks: Marks) -> Marks:
        """Give the defender every cell that is on no live line, which changes no plan."""
        cells = 0
        for line in self._lines:
            if not line & marks[1 - maker]:
                cells |= line
        own, other = marks[maker] & cells, self._everywhere & ~cells
        return (other, own) if maker else (own, other)

    def _best(self, player: int) -> Cell:
        """Return a move that keeps the value, if possible one after which a plan holds."""
        marks = marks_of(self._game)
        if not self._value and self._is_held(3 - player):
            reply = self._breaker.reply(2 - player, *marks, 0, self._check)
            if reply is not None:
                return self._geometry.cell(reply)
        best = self._solve()[1]
        assert best is not None  # the game is not over
        return best

    def _solve(self) -> tuple[int, Cell | None]:
        """Return the value of the position and a move that keeps it."""
        solution = self._solver.solve(self._game, seconds=self._left())
        if solution.value is None:
            raise CutOff
        return solution.value, solution.best

    def _is_held(self, player: int) -> bool:
        """Return whether the other player can get a mark on every line of this one."""
        return bool(self._breaker.holds(player - 1, *marks_of(self._game), self._check))

    def _left(self) -> float | None:
        return None if self._deadline is None else max(0, self._deadline - monotonic())

    def _check(self) -> None:
        if self._left() == 0:
            raise CutOff


def _with(marks: Marks, player: int, cell: int) -> Marks:
    """Return these marks and one more of a player, counted from 0."""
    first, second = marks
    return (first, second | 1 << cell) if player else (first | 1 << cell, second)
