"""A naive game that stores only the moves and computes everything else by its definition."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from random import Random

from noughts import Game, Outcome, Rules, Termination
from noughts.game.fouls import foul

Cell = tuple[int, ...]
Lines = frozenset[frozenset[Cell]]


class Indexed:
    """An integer like NumPy's: not an int, but with ``__index__``."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def kind(value: object) -> str:
    """Name a test case; unlike the repr, the name is the same in every process."""
    return type(value).__name__


def board(shape: tuple[int, ...]) -> list[Cell]:
    """Return every cell, row-major."""
    return list(product(*map(range, shape)))


@cache
def winning_lines(shape: tuple[int, ...], k: int) -> Lines:
    """Return every set of k cells in a row: k - 1 steps each way that end on the board."""
    cells = set(board(shape))
    lines = set()
    for start in cells:
        for step in product((-1, 0, 1), repeat=len(shape)):
            way = [tuple(a + i * s for a, s in zip(start, step, strict=True)) for i in (0, k - 1)]
            if way[-1] in cells and (any(step) or k == 1):
                lines.add(
                    frozenset(
                        tuple(a + i * s for a, s in zip(start, step, strict=True)) for i in range(k)
                    )
                )
    return frozenset(lines)


class NaiveGame:
    """The public interface of `Game`, each property by its definition. It is immutable."""

    def __init__(self, rules: Rules, history: tuple[Cell, ...] = ()) -> None:
        self.rules = rules
        self.history = history
        self.lines = winning_lines(rules.shape, rules.k)
        self.marks = {cell: self.player_at(ply) for ply, cell in enumerate(history)}
        self.empty = [cell for cell in board(rules.shape) if cell not in self.marks]

    def player_at(self, ply: int) -> int:
        return ply % self.rules.players + 1

    def played(self, cell: Cell) -> NaiveGame:
        return NaiveGame(self.rules, (*self.history, cell))

    def undone(self) -> NaiveGame:
        return NaiveGame(self.rules, self.history[:-1])

    @property
    def ply(self) -> int:
        return len(self.history)

    @property
    def turn(self) -> int:
        return self.player_at(self.ply)

    @property
    def players(self) -> range:
        return range(1, self.rules.players + 1)

    def mark(self, cell: Cell) -> int:
        return self.marks.get(cell, 0)

    def cells_of(self, player: int) -> set[Cell]:
        return {cell for cell, owner in self.marks.items() if owner == player}

    def decisive_lines(self, player: int) -> Lines:
        """Return the player's complete lines that end the game, given their neighbours."""
        mine = self.cells_of(player)
        return frozenset(line for line in self.lines if line <= mine and self.decides(line))

    def decides(self, line: frozenset[Cell]) -> bool:
        first, *others = sorted(line)
        player, variant = self.mark(first), self.rules.variant
        if not others or variant in ("freestyle", "misere"):
            return True
        step = [b - a for a, b in zip(first, others[0], strict=True)]
        near = [
            self.mark(tuple(at + d * by for at, by in zip(end, step, strict=True)))
            for end, d in ((first, -1), (others[-1], 1))
        ]
        if variant == "standard" or (variant == "renju" and player == 1):
            return player not in near
        return variant == "renju" or 0 in near or player in near

    def falls(self, cell: Cell) -> bool:
        if not self.rules.gravity:
            return False
        below = (cell[0] + 1, *cell[1:])
        return below[0] < self.rules.shape[0] and not self.mark(below)

    def with_mark(self, cell: Cell, player: int) -> NaiveGame:
        """Return the same game with one more mark of any player."""
        other = NaiveGame(self.rules, self.history)
        other.marks[cell] = player
        return other

    def unspoilt_lines(self, player: int) -> Lines:
        foreign = set(self.marks) - self.cells_of(player)
        return frozenset(line for line in self.lines if not line & foreign)

    def live_lines(self, player: int) -> int:
        return len(self.unspoilt_lines(player))

    def threats(self, player: int) -> set[Cell]:
        mine = self.cells_of(player)
        near = [line for line in self.lines if len(line - mine) == 1]
        return {
            cell
            for cell in self.empty
            if not self.falls(cell)
            and any(
                cell in line and self.with_mark(cell, player).decides(line)
                for line in near
                if line <= mine | {cell}
            )
        }

    @cached_property
    def winnable(self) -> bool:
        if any(map(self.decisive_lines, self.players)):
            return True
        turns_left = [self.player_at(ply) for ply in range(self.ply, self.rules.cells)]
        empty = set(self.empty)
        return any(
            0 < len(line & empty) <= turns
            for player, turns in ((player, turns_left.count(player)) for player in self.players)
            for line in self.unspoilt_lines(player)
        )

    @cached_property
    def ending(self) -> tuple[Termination, int | None, Lines] | None:
        for player in self.players:
            if lines := self.decisive_lines(player):
                misere = self.rules.variant == "misere"
                return Termination.LINE, 3 - player if misere else player, lines
        if not self.playable:
            return Termination.FULL_BOARD, None, frozenset()
        if self.rules.early_draw and not self.winnable:
            return Termination.NO_WIN_LEFT, None, frozenset()
        return None

    @property
    def legal_moves(self) -> list[Cell]:
        return [] if self.ending else self.playable

    @cached_property
    def playable(self) -> list[Cell]:
        """The cells that can be played if the game is not over; test_fouls tests the fouls."""
        open_cells = [cell for cell in self.empty if not self.falls(cell)]
        if self.rules.variant == "renju" and self.turn == 1:
            rows, columns = self.rules.shape
            return [cell for cell in open_cells if not foul(self.marks, (rows, columns), cell)]
        return open_cells

    def key(self) -> bytes:
        return bytes(self.mark(cell) for cell in board(self.rules.shape))


def ending_of(outcome: Outcome | None) -> tuple[Termination, int | None, Lines] | None:
    """Return an `Outcome` without the order of its lines and of their cells."""
    if outcome is None:
        return None
    lines = frozenset(map(frozenset, outcome.lines))
    assert len(lines) == len(outcome.lines)
    return outcome.termination, outcome.winner, lines


def observed(game: Game | NaiveGame) -> dict[str, object]:
    """Return all visible state of a game, except the order of the lines in its outcome."""
    players = range(1, game.rules.players + 1)
    return {
        "rules": game.rules,
        "history": game.history,
        "ply": game.ply,
        "turn": game.turn,
        "marks": [game.mark(cell) for cell in board(game.rules.shape)],
        "key": game.key(),
        "legal_moves": list(game.legal_moves),
        "how_many": len(game.legal_moves),
        "ending": game.ending if isinstance(game, NaiveGame) else ending_of(game.outcome),
        "live_lines": [game.live_lines(player) for player in players],
        "threats": [set(game.threats(player)) for player in players],
        "winnable": game.winnable,
    }


def every_game(n: int) -> Iterator[tuple[list[Cell], int]]:
    """Yield the moves and winner (0 for a draw) of each complete game on n×n, depth first."""
    lines = winning_lines((n, n), n)
    moves: list[Cell] = []

    def go_on(empty: list[Cell]) -> Iterator[tuple[list[Cell], int]]:
        for cell in empty:
            moves.append(cell)
            mine = set(moves[-1::-2])
            if any(line <= mine for line in lines):
                yield moves, 2 - len(moves) % 2
            elif len(empty) == 1:
                yield moves, 0
            else:
                yield from go_on([other for other in empty if other != cell])
            moves.pop()

    yield from go_on(board((n, n)))


def random_game(rules: Rules, seed: int, plies: int) -> Game:
    """Return a game of up to `plies` plies, each move equally likely."""
    random, game = Random(seed), Game(rules)
    while game.ply < plies and game.outcome is None:
        game.play(random.choice(list(game.legal_moves)))
    return game


def potential_by_definition(game: Game, attacker: int) -> Fraction:
    """Sum 2^(−empty cells) over the lines without marks of other players."""
    k, weight = game.rules.k, 0
    for line in winning_lines(game.rules.shape, k):
        marks = [game.mark(cell) for cell in line]
        if set(marks) <= {0, attacker}:
            weight += 2 ** (k - marks.count(0))
    return Fraction(weight, 2**k)
