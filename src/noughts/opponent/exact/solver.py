"""Exact search: the value of a position under best play, or None if it is not known.

`_solver.pyx` answers whether a player wins, `_columns.pyx` does where marks fall. This module makes
a value of two such answers, and keeps to the limits of time and memory. Without gravity
`_breaker.pyx` is asked before, which proves most draws; on large boards `_proof.pyx` looks for a
win first.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from time import monotonic
from typing import Any, Literal

from noughts.arguments import integer
from noughts.compiled import load, required
from noughts.errors import InvalidRules
from noughts.game.game import Game
from noughts.game.geometry import Cell, column_bits
from noughts.game.rules import Rules, as_rules
from noughts.opponent.exact.book import in_book, winner_in
from noughts.opponent.exact.proofs import potential
from noughts.picture import cell_name, facts_html

MAX_CELLS = 64  # as many as a machine word has bits
MEMORY = 256 * 2**20  # bytes for the table of settled positions
SMALL = 36  # cells; only on larger boards does it pay to look for a proof first
FIRST_SHARE = 0.25  # of the seconds for all values, to find the best one first, without gravity
REPETITION = 16  # a search that has replaced its whole table this often is given up

Value = Literal[1, 0, -1]
Reason = Literal["time", "memory", "stopped"]

Progress = Callable[[int, float], object]
"""Called with the positions visited and the seconds spent; a true answer stops the search."""

Check = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Solution:
    """What a search has found out about a position.

    Attributes:
        value: for the player to move under best play by both: 1 wins, 0 draws, -1 loses; None if
            the search was cut off before.
        best: a cell to play that keeps the value, or any sensible one where all lose; None if the
            game is over or the value not known.
        nodes: how many positions were visited.
        seconds: how long it took.
        reason: what cut the search off: "time", "memory", or "stopped" by the caller; or None.
    """

    value: Value | None
    best: Cell | None
    nodes: int
    seconds: float
    reason: Reason | None = None

    def _repr_html_(self) -> str:
        """The value in words, for notebooks."""
        words = {1: "wins", 0: "can hold a draw", -1: "loses", None: "not settled"}[self.value]
        facts = [
            ("best", cell_name(self.best) if self.best else ""),
            ("cut off by", self.reason or ""),
            ("positions", f"{self.nodes:,} in {1000 * self.seconds:,.1f} ms"),
        ]
        return facts_html(words if self.value is None else f"The player to move {words}", facts)


def solve(
    position: Game | Rules | str,
    *,
    seconds: float | None = None,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> Solution:
    """The value of a position, and a move that keeps it.

    Args:
        position: a game of two players on at most 64 cells, or rules for their empty board;
            `early_draw` makes no difference to values. With gravity a board takes a bit for each
            cell and each column, and 64 bits at most.
        seconds: the most time to take, to some milliseconds.
        memory: the most bytes for the transposition table. When full it forgets what is cheapest
            to find again; a search that keeps forgetting is given up. On more than 36 cells without
            gravity three quarters are for a proof.
        progress: called every few milliseconds, see `Progress`.

    Raises:
        InvalidRules: more than two players, more cells or bits, or a variant other than freestyle.
        MemoryError: there is not so much memory.
        ModuleNotFoundError: the search was not compiled.
        TypeError, ValueError: an argument is of a wrong type or out of range.

    Cost: grows steeply with the board. On one core: 5×5 with k = 4 takes 0.1 s, 8×4 with k = 4 8 s,
    7×7 with k = 5 2 s, 4×4×4 some 130 s. Connect Four takes no time up to six plies, by a book,
    then seldom more than 1 s. The methods are in the compiled modules beside this one.

    >>> solution = solve(Rules((4, 3), k=3))
    >>> solution.value, solution.best
    (1, (1, 1))
    >>> solve(Rules.square(3)).value
    0
    """
    game = Game(position) if isinstance(position, Rules | str) else position
    return Solver(_rules_of(game), memory=memory).solve(game, seconds=seconds, progress=progress)


class Solver:
    """Solves positions of one game, and remembers what it has settled from one to the next.

    Threads must not share it: it solves one position at a time.

    Args:
        rules, memory: as for the function `solve`; so are the errors. A game of other rules is a
            ValueError.

    >>> solver = Solver(Rules((4, 4), k=3))
    >>> solver.solve(Game(solver.rules)).value
    1
    """

    def __init__(self, rules: Rules | str, *, memory: int = MEMORY) -> None:
        rules, memory = as_rules(rules), integer(memory, "memory")
        if memory < 1:
            raise ValueError(f"memory must be at least 1 byte, not {memory}")
        if reason := beyond(rules):
            raise InvalidRules(f"exact search {reason}")
        compiled = required(searching(rules), "exact search")
        self.rules = rules
        self._cells = list(product(*map(range, rules.shape)))
        self._bit = {cell: 1 << number for number, cell in enumerate(self._cells)}
        try:
            self._finder = _finder(rules, memory * 3 // 4)
            self._breaker = _breaker(rules, memory // 8)
            left = memory // 4 if self._finder else memory
            self._prover = compiled.Prover(rules, left - memory // 8 if self._breaker else left)
        except (MemoryError, OverflowError):
            raise MemoryError(f"there is no room for a table of {memory} bytes") from None
        self._parts = [part for part in (self._prover, self._breaker, self._finder) if part]

    def solve(
        self, game: Game, *, seconds: float | None = None, progress: Progress | None = None
    ) -> Solution:
        """The value of the game's position, and a move that keeps it; as the function `solve`."""
        check = self._limit(game, seconds, progress)
        start, visited = monotonic(), self._visited
        value: Value | None = None
        best: Cell | None = None
        reason: Reason | None = None
        try:
            value, best = self._value_and_best(game, check)
        except _CutOff as cut:
            reason = cut.args[0]
        return Solution(value, best, self._visited - visited, monotonic() - start, reason)

    def values(
        self, game: Game, *, seconds: float | None = None, progress: Progress | None = None
    ) -> dict[Cell, Value | None]:
        """The value of every legal move, for the player who makes it; None where not known in time.

        Arguments and errors as for the function `solve`. Cost: more than `solve`, as all moves are
        settled. Without gravity only a quarter of `seconds` is for what `solve` does: a win that
        takes longer to prove may be found by `solve` alone.

        >>> game = Game.replay(Rules(), [(0, 0), (1, 1), (0, 1)])
        >>> found = Solver(game.rules).values(game)
        >>> {cell: value for cell, value in found.items() if value != -1}
        {(0, 2): 0}
        """
        check = self._limit(game, seconds, progress)
        found: dict[Cell, Value | None] = dict.fromkeys(game.legal_moves)
        share = 1 if self.rules.gravity else FIRST_SHARE
        first = self.solve(game, seconds=seconds and seconds * share, progress=progress)
        if first.value == -1:
            return dict.fromkeys(found, -1)
        if first.best is not None:
            found[first.best] = first.value
        if first.reason == "stopped":
            return found
        with suppress(_CutOff):
            for cell in self._promising(game):
                if found[cell] is not None:
                    continue
                if self._wins_after(game, cell, game.turn, check):
                    found[cell] = 1
                else:
                    found[cell] = -1 if self._wins_after(game, cell, 3 - game.turn, check) else 0
        return found

    def _value_and_best(self, game: Game, check: Check) -> tuple[Value, Cell | None]:
        if game.outcome:
            return (0 if game.outcome.winner is None else -1), None
        moves = self._promising(game)
        winner = self._proved_winner(game, check)
        if winner == game.turn:
            return 1, self._cells[self._finder.winning_move(*self._marks(game.history))]
        if winner:
            return -1, moves[0]
        winner = self._winner_by_book(game.history)
        held = winner is None and self._is_held(game.history, game.turn, check)
        if winner in (None, game.turn) and not held:
            for cell in moves:
                if self._wins_after(game, cell, game.turn, check):
                    return 1, cell
        if winner in (None, 0):
            for cell in moves:
                if not self._wins_after(game, cell, 3 - game.turn, check):
                    return 0, cell
        return -1, moves[0]

    @property
    def _visited(self) -> int:
        """How many positions have been visited so far."""
        return sum(part.visited for part in self._parts)

    def _proved_winner(self, game: Game, check: Check) -> int | None:
        """Who is proved to win by threats; None if nobody is."""
        if self._finder is None:
            return None
        marks = self._marks(game.history)
        # Below 1/2 P is < 1 after the next move, too, and the other searches see that at once.
        players = [
            player for player in (game.turn, 3 - game.turn) if 2 * potential(game, player) >= 1
        ]
        for player in players:
            if self._finder.proved(player - 1, *marks):
                return player
        for player in players:
            if self._finder.wins(player - 1, *marks, check):
                return player
        return None

    def _wins_after(self, game: Game, cell: Cell, player: int, check: Check) -> bool:
        """Whether `player` wins, by best play, after this move."""
        if cell in game.threats(game.turn):
            return player == game.turn
        after = (*game.history, cell)
        winner = self._winner_by_book(after)
        if winner is not None:
            return player == winner
        if self._is_held(after, player, check):
            return False
        won: bool = self._prover.wins(player - 1, *self._marks(after), check)
        return won

    def _is_held(self, history: tuple[Cell, ...], player: int, check: Check) -> bool:
        """Whether `player` cannot win, since the other can get a mark on each line of theirs."""
        if self._breaker is None:
            return False
        held: bool = self._breaker.holds(player - 1, *self._marks(history), check)
        return held

    def _winner_by_book(self, history: tuple[Cell, ...]) -> int | None:
        """Who wins by best play, 0 for nobody; None if the position is not in the book."""
        return winner_in(history) if in_book(self.rules, len(history)) else None

    def _promising(self, game: Game) -> list[Cell]:
        """The legal moves: those that complete a line, those that block one, the others."""
        if game.outcome:
            return []
        live = [self._cells[number] for number in self._prover.moves(*self._marks(game.history))]
        wins, blocks = game.threats(game.turn), game.threats(3 - game.turn)
        moves = dict.fromkeys([*live, *game.legal_moves])
        return sorted(moves, key=lambda cell: (cell not in wins, cell not in blocks))

    def _marks(self, history: tuple[Cell, ...]) -> tuple[int, int]:
        """The cells of each player, as the bits of an integer."""
        bits = [self._bit[cell] for cell in history]
        return sum(bits[::2]), sum(bits[1::2])

    def _limit(self, game: Game, seconds: float | None, progress: Progress | None) -> Check:
        """The function that reports on one search, and cuts it off at its limits."""
        if _rules_of(game) != self.rules:
            raise ValueError(f"this solver is for {self.rules!r}, not for {game.rules!r}")
        if seconds is not None and not seconds >= 0:
            raise ValueError(f"seconds must be 0 or more, not {seconds}")
        start, visited = monotonic(), self._visited
        tables = [(part, part.discarded) for part in (self._prover, self._breaker) if part]

        def check() -> None:
            gone = monotonic() - start
            if progress and progress(self._visited - visited, gone):
                raise _CutOff("stopped")
            if seconds is not None and gone >= seconds:
                raise _CutOff("time")
            for table, discarded in tables:
                if table.discarded - discarded > REPETITION * table.entries:
                    raise _CutOff("memory")

        return check


def beyond(rules: Rules, most: int = MAX_CELLS) -> str | None:
    """Why exact search does not take these rules, to be read after its name; None if it does.

    `most` is the number of cells that another proof takes.

    >>> beyond(Rules((4, 4, 4), gravity=True))
    'takes at most 64 bits where marks fall, one for each cell and column, not 95'
    """
    if rules.players != 2:
        return f"is for 2 players, not {rules.players}"
    if rules.variant != "freestyle":
        return f"is for freestyle, not {rules.variant}"
    if rules.cells > most:
        return f"takes at most {most} cells, not {rules.cells}"
    if rules.gravity and (bits := column_bits(rules)[1]) > MAX_CELLS:
        return f"takes at most 64 bits where marks fall, one for each cell and column, not {bits}"
    return None


def searching(rules: Rules) -> str:
    """The compiled module that searches such games."""
    return f"noughts.opponent.exact.{'_columns' if rules.gravity else '_solver'}"


def _finder(rules: Rules, memory: int) -> Any:
    """What finds proofs of wins; None if it is not for these rules, or not compiled."""
    if rules.gravity or rules.cells <= SMALL:
        return None
    proof = load("noughts.opponent.exact._proof")
    return proof.Prover(rules, memory) if proof and proof.takes(rules) else None


def _breaker(rules: Rules, memory: int) -> Any:
    """What finds out whether a player can get a mark on every line; None where marks fall."""
    if rules.gravity:
        return None
    return required("noughts.opponent.exact._breaker", "exact search").Breaker(rules, memory)


class _CutOff(Exception):
    """Ends a search from within, for this reason."""


def _rules_of(game: Game) -> Rules:
    if not isinstance(game, Game):
        raise TypeError(f"a position is a Game, not {game!r}")
    return game.rules
