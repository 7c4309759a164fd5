"""Exact search: the value of a position with best play, or None if the search was cut off.

`_solver.pyx`, and with gravity `_columns.pyx`, decides whether a player wins. This module derives a
value from two such answers and keeps to the limits of time and memory. For the distance to the end
it asks further whether the winner wins by a certain ply. Without gravity `_breaker.pyx` runs first
and proves most draws; on large boards `_proof.pyx` first looks for a win.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from time import monotonic
from typing import Any, Literal, NamedTuple, overload

from noughts.arguments import integer
from noughts.compiled import load, required
from noughts.errors import InvalidRules
from noughts.game.game import Game
from noughts.game.geometry import Cell, column_bits
from noughts.game.rules import Rules, as_rules
from noughts.opponent.exact.book import PLIES, in_book, winner_in, winner_of
from noughts.opponent.exact.proofs import potential
from noughts.picture import cell_name, facts_html

MAX_CELLS = 64  # the bits of a machine word
MEMORY = 256 * 2**20  # bytes for the table of solved positions
SMALL = 36  # cells; only on larger boards is it worth looking for a proof first
FIRST_SHARE = 0.25  # of the time for all values, to find the best one first; without gravity
REPETITION = 16  # a search stops after replacing its whole table this often

Value = Literal[1, 0, -1]
Reason = Literal["time", "memory", "stopped"]

Progress = Callable[[int, float], object]
"""Called with the positions visited and the seconds spent; a true result stops the search."""

Check = Callable[[], None]
Marks = tuple[int, int]
"""The cells of each player as bits of an integer, the first cell the lowest."""

# `Game.key` as digits of a binary number, 1 for the marks of this player
ONLY = [bytes.maketrans(bytes(range(3)), digits) for digits in (b"010", b"001")]


class MoveValue(NamedTuple):
    """The value of a move for its player, and how long the game then lasts.

    Attributes:
        value: as in `Solution`; None if it was not found in time.
        plies: the number of plies to the end with best play by both, this move included; None for a
            draw or if it was not found in time.
    """

    value: Value | None
    plies: int | None


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of an exact search.

    Attributes:
        value: the value for the player to move with best play by both: 1 for a win, 0 for a draw,
            -1 for a loss; None if the search was cut off.
        best: a cell that keeps the value, or any sensible one if every move loses; None if the game
            is over or the value is unknown.
        nodes: the number of positions visited.
        seconds: the time taken.
        reason: what cut the search off: "time", "memory" or, by the caller, "stopped"; or None. If
            the value was found before, it is valid and only the distance is missing.
        plies: the number of plies to the end with best play by both: a win as soon, a loss as late
            as possible. `best` is then a move that keeps to it. None without `distance`, for a
            draw, and if the search was cut off.
    """

    value: Value | None
    best: Cell | None
    nodes: int
    seconds: float
    reason: Reason | None = None
    plies: int | None = None

    def _repr_html_(self) -> str:
        """Return the value in words as HTML, for notebooks."""
        words = {1: "wins", 0: "can hold a draw", -1: "loses", None: "not solved"}[self.value]
        facts = [
            ("best", cell_name(self.best) if self.best else ""),
            ("plies to the end", "" if self.plies is None else f"{self.plies}"),
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
    distance: bool = False,
) -> Solution:
    """Find the value of a position and a move that keeps it.

    Args:
        position: a game of two players on at most 64 cells, or rules for the empty board;
            `early_draw` does not change values. With gravity a board needs one bit per cell and
            per column, at most 64 in all.
        seconds: time limit, accurate to a few milliseconds; None for no limit.
        memory: maximum size of the transposition table in bytes. A full table drops the results
            that are cheapest to find again, and a search that keeps losing them is cut off. Without
            gravity, on more than 36 cells, three quarters of it are used for a proof.
        progress: called every few milliseconds, see `Progress`.
        distance: also find the number of plies to the end, and a move that wins as soon or loses as
            late as possible. It takes longer, in the opening often much longer.

    Raises:
        InvalidRules: the game has more than two players, too many cells or bits, or a variant other
            than freestyle.
        MemoryError: the table cannot be allocated.
        ModuleNotFoundError: the search was not compiled.
        TypeError, ValueError: an argument is of the wrong type or out of range.

    Cost: grows steeply with the size of the board; docs/opponent.md has a table. Connect Four takes
    no time for the first six plies, which are in a book, and then seldom more than 1 s.

    >>> solution = solve(Rules((4, 3), k=3))
    >>> solution.value, solution.best
    (1, (1, 1))
    >>> solve(Rules.square(3)).value
    0
    >>> solve(Rules((4, 3), k=3), distance=True).plies
    7
    """
    game = Game(position) if isinstance(position, Rules | str) else position
    solver = Solver(_rules_of(game), memory=memory)
    return solver.solve(game, seconds=seconds, progress=progress, distance=distance)


class Solver:
    """A solver for positions of one game, which remembers solved positions between calls.

    It solves one position at a time and must not be shared by threads.

    Args:
        rules: the rules of the game; its methods raise ValueError for a game with other rules.
        memory: as for the function `solve`.

    Raises:
        InvalidRules, MemoryError, ModuleNotFoundError, TypeError, ValueError: as for `solve`.

    >>> solver = Solver(Rules((4, 4), k=3))
    >>> solver.solve(Game(solver.rules)).value
    1
    """

    def __init__(self, rules: Rules | str, *, memory: int = MEMORY) -> None:
        rules, memory = as_rules(rules), integer(memory, "memory")
        if memory < 1:
            raise ValueError(f"memory must be at least 1 byte, got {memory}")
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
            known = (winner_of, PLIES) if in_book(rules, 0) else ()
            self._prover = compiled.Prover(
                rules, left - memory // 8 if self._breaker else left, *known
            )
        except (MemoryError, OverflowError):
            raise MemoryError(f"cannot allocate a table of {memory} bytes") from None
        self._parts = [part for part in (self._prover, self._breaker, self._finder) if part]

    def solve(
        self,
        game: Game,
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
        distance: bool = False,
    ) -> Solution:
        """Find the value of the game's position and a move that keeps it, like `solve`."""
        check = self._limit(game, seconds, progress)
        start, visited = monotonic(), self._visited
        value: Value | None = None
        best: Cell | None = None
        reason: Reason | None = None
        plies: int | None = None
        try:
            value, best = self._value_and_best(game, check)
            if distance and value:
                plies, best = self._plies_and_best(game, value, check)
        except _CutOff as cut:
            reason = cut.args[0]
        return Solution(value, best, self._visited - visited, monotonic() - start, reason, plies)

    def solve_many(
        self,
        games: Iterable[Game],
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
        distance: bool = False,
    ) -> list[Solution]:
        """Solve several positions, and return their solutions in the same order.

        Arguments and errors are as for `solve`; `seconds` is the limit for each position. Those
        nearest to the end of the game come first, because their results help with the others.

        >>> solver = Solver(Rules((4, 4), k=3, gravity=True))
        >>> games = [Game(solver.rules), Game.replay(solver.rules, [(3, 0), (3, 1)])]
        >>> [solution.plies for solution in solver.solve_many(games, distance=True)]
        [9, 7]
        """
        positions = list(map(self._checked, games))
        latest = sorted(range(len(positions)), key=lambda at: positions[at].ply, reverse=True)
        solved = {
            at: self.solve(positions[at], seconds=seconds, progress=progress, distance=distance)
            for at in latest
        }
        return [solved[at] for at in range(len(positions))]

    @overload
    def values(
        self,
        game: Game,
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
        distance: Literal[False] = False,
    ) -> dict[Cell, Value | None]: ...

    @overload
    def values(
        self,
        game: Game,
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
        distance: Literal[True],
    ) -> dict[Cell, MoveValue]: ...

    def values(
        self,
        game: Game,
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
        distance: bool = False,
    ) -> dict[Cell, Value | None] | dict[Cell, MoveValue]:
        """Return the value of every legal move for its player; None if it was not found in time.

        Arguments and errors are as for the function `solve`. All moves are solved, so it takes
        longer. With `distance`, each is a `MoveValue`. Without gravity only a quarter of `seconds`
        is spent like `solve`, which may therefore prove wins that this method does not.

        >>> game = Game.replay(Rules(), [(0, 0), (1, 1), (0, 1)])
        >>> found = Solver(game.rules).values(game)
        >>> {cell: value for cell, value in found.items() if value != -1}
        {(0, 2): 0}
        >>> Solver(game.rules).values(game, distance=True)[2, 2]
        MoveValue(value=-1, plies=2)
        """
        check = self._limit(game, seconds, progress)
        found = self._values(game, seconds, progress, check)
        if not distance:
            return found
        plies: dict[Cell, int | None] = dict.fromkeys(found)
        with suppress(_CutOff):
            for cell, value in found.items():
                if value:
                    winner = game.turn if value > 0 else 3 - game.turn
                    plies[cell] = self._end_after(game, cell, winner, check) - game.ply
        return {cell: MoveValue(value, plies[cell]) for cell, value in found.items()}

    def _values(
        self, game: Game, seconds: float | None, progress: Progress | None, check: Check
    ) -> dict[Cell, Value | None]:
        """Return the value of every legal move; None if it was not found in time."""
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
        if self.rules.gravity and not in_book(self.rules, game.ply + 1):
            return self._searched_value_and_best(game, check)
        moves = self._promising(game)
        winner = self._proved_winner(game, check)
        if winner == game.turn:
            return 1, self._cells[self._finder.winning_move(*self._marks(game))]
        if winner:
            return -1, moves[0]
        winner = self._winner_by_book(game)
        held = winner is None and self._is_held(self._marks(game), game.turn, check)
        if winner in (None, game.turn) and not held:
            for cell in moves:
                if self._wins_after(game, cell, game.turn, check):
                    return 1, cell
        if winner in (None, 0):
            for cell in moves:
                if not self._wins_after(game, cell, 3 - game.turn, check):
                    return 0, cell
        return -1, moves[0]

    def _searched_value_and_best(self, game: Game, check: Check) -> tuple[Value, Cell]:
        """Return the same with gravity, where one search also finds the move."""
        winner = self._winner_by_book(game)
        low, high = -1, 1
        if winner is not None:
            high = 1 if winner == game.turn else -1 if winner else 0
            low = max(low, high - 1)
        value, number = self._prover.score(*self._marks(game), check, low, high)
        return value, self._cells[number]

    def _plies_and_best(self, game: Game, value: Value, check: Check) -> tuple[int, Cell | None]:
        """Return the plies to the end of a won or lost position, and a move that keeps to them."""
        if game.outcome:
            return 0, None
        winner = game.turn if value > 0 else 3 - game.turn
        if self.rules.gravity:
            end, best = self._searched_end(self._marks(game), winner, check)
            return end - game.ply, best
        if value > 0 and (ends := game.threats(winner)):
            return 1, min(ends)
        end = self._end(self._marks(game), winner, check)
        # the winner's move is in time, or after the loser's move an earlier end is too early
        last = end if value > 0 else end - 2
        moves = self._promising(game)
        for cell in moves:
            if self._wins_after(game, cell, winner, check, last) == (value > 0):
                return end - game.ply, cell
        return end - game.ply, moves[0]

    def _end_after(self, game: Game, cell: Cell, winner: int, check: Check) -> int:
        """Return the ply with which `winner` wins after this move, with best play by both."""
        if cell in game.threats(game.turn):
            return game.ply + 1
        return self._end(self._marks_after(game, cell), winner, check)

    def _end(self, marks: Marks, winner: int, check: Check) -> int:
        """Return the ply with which `winner` wins a position that is not over, with best play.

        The ply is searched from the next one on in growing steps, then between the last two:
        questions about early plies are cheap, and so are those that have the answer yes.
        """
        if self.rules.gravity:
            return self._searched_end(marks, winner, check)[0]
        ends = range(_ply_of(marks) + 1, self.rules.cells + 1)
        ends = ends[(winner - ends[0]) % 2 :: 2]  # those at which `winner` moves
        low, high, step = 0, len(ends) - 1, 0
        while low < high:
            middle = min(low + step, high - 1)
            if self._prover.wins(winner - 1, *marks, check, ends[middle]):
                high, step = middle, (middle - low) // 2
            else:
                low, step = middle + 1, 2 * step + 1
        return ends[low]

    def _searched_end(self, marks: Marks, winner: int, check: Check) -> tuple[int, Cell]:
        """Return the same with gravity, and the move to play for it."""
        cells = self.rules.cells
        bounds = (0, cells) if winner == _ply_of(marks) % 2 + 1 else (-cells, -1)
        score, number = self._prover.score(*marks, check, *bounds)
        last = cells - (cells + winner) % 2  # the winner's last mark that fits
        return last - 2 * (abs(score) - 1), self._cells[number]

    @property
    def _visited(self) -> int:
        return sum(part.visited for part in self._parts)

    def _proved_winner(self, game: Game, check: Check) -> int | None:
        """Return the player who is proved to win by threats, or None."""
        if self._finder is None:
            return None
        marks = self._marks(game)
        # If P < 1/2, then P < 1 after the next move, which the other searches see at once.
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

    def _wins_after(
        self, game: Game, cell: Cell, player: int, check: Check, last: int = MAX_CELLS
    ) -> bool:
        """Return whether `player` wins with best play after this move, by the ply `last`.

        If the move itself completes a line, it must be in time.
        """
        if cell in game.threats(game.turn):
            return player == game.turn
        winner = self._winner_by_book(game, cell)
        if winner is not None and (winner != player or last >= self.rules.cells):
            return player == winner
        after = self._marks_after(game, cell)
        if winner is None and self._is_held(after, player, check):
            return False
        return bool(self._prover.wins(player - 1, *after, check, last))

    def _is_held(self, marks: Marks, player: int, check: Check) -> bool:
        """Return whether the other player can get a mark on every line of `player`."""
        if self._breaker is None:
            return False
        return bool(self._breaker.holds(player - 1, *marks, check))

    def _winner_by_book(self, game: Game, *moves: Cell) -> int | None:
        """Return the winner after these moves, 0 for a draw; None if that is not in the book."""
        known = in_book(self.rules, game.ply + len(moves))
        return winner_in((*game.history, *moves)) if known else None

    def _promising(self, game: Game) -> list[Cell]:
        """Return the legal moves: first those that complete a line, then those that block one."""
        if game.outcome:
            return []
        live = [self._cells[number] for number in self._prover.moves(*self._marks(game))]
        if self.rules.gravity:
            return live  # all legal moves, in this order
        wins, blocks = game.threats(game.turn), game.threats(3 - game.turn)
        moves = dict.fromkeys([*live, *game.legal_moves])
        return sorted(moves, key=lambda cell: (cell not in wins, cell not in blocks))

    def _marks(self, game: Game) -> Marks:
        """Return the marks of the position."""
        key = game.key()[::-1]
        return int(key.translate(ONLY[0]), 2), int(key.translate(ONLY[1]), 2)

    def _marks_after(self, game: Game, cell: Cell) -> Marks:
        """Return the marks after this move."""
        first, second = self._marks(game)
        bit = self._bit[cell]
        return (first | bit, second) if game.turn == 1 else (first, second | bit)

    def _checked(self, game: Game) -> Game:
        """Return the game if it has the rules of this solver."""
        if _rules_of(game) != self.rules:
            raise ValueError(f"this solver is for {self.rules!r}, not for {game.rules!r}")
        return game

    def _limit(self, game: Game, seconds: float | None, progress: Progress | None) -> Check:
        """Return the function that reports progress and cuts off one search at its limits."""
        self._checked(game)
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
    """Explain why exact search does not accept these rules, as a predicate; None if it does.

    `most` is the maximum number of cells, if another kind of proof accepts more.

    >>> beyond(Rules((4, 4, 4), gravity=True))
    'takes at most 64 bits with gravity, one for each cell and column, not 95'
    """
    if rules.players != 2:
        return f"is for 2 players, not {rules.players}"
    if rules.variant != "freestyle":
        return f"is for freestyle, not {rules.variant}"
    if rules.cells > most:
        return f"takes at most {most} cells, not {rules.cells}"
    if rules.gravity and (bits := column_bits(rules)[1]) > MAX_CELLS:
        return f"takes at most 64 bits with gravity, one for each cell and column, not {bits}"
    return None


def searching(rules: Rules) -> str:
    """Return the name of the compiled module that searches such games."""
    return f"noughts.opponent.exact.{'_columns' if rules.gravity else '_solver'}"


def _finder(rules: Rules, memory: int) -> Any:
    """Return the search for wins by threats; None if it is unsuitable or was not compiled."""
    if rules.gravity or rules.cells <= SMALL:
        return None
    proof = load("noughts.opponent.exact._proof")
    return proof.Prover(rules, memory) if proof and proof.takes(rules) else None


def _breaker(rules: Rules, memory: int) -> Any:
    """Return the search for a player who can mark every line; None with gravity."""
    if rules.gravity:
        return None
    return required("noughts.opponent.exact._breaker", "exact search").Breaker(rules, memory)


class _CutOff(Exception):
    """The search is cut off for this reason."""


def _ply_of(marks: Marks) -> int:
    return marks[0].bit_count() + marks[1].bit_count()


def _rules_of(game: Game) -> Rules:
    if not isinstance(game, Game):
        raise TypeError(f"a position must be a Game, not {game!r}")
    return game.rules
