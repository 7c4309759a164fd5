"""Every game on the smallest boards, shortest first."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from noughts.checker.games import Wrong
from noughts.checker.solution import Game, How, Move, Played, Problem
from noughts.referee import SignedSums

CHUNK = 500  # games played at once: few objects exist when the garbage collector runs
MERGING = 4  # the ply on 3×3 at which it is clear whether equal boards have equal states:
FEW = 2_500  # 1,512 games are unfinished then, otherwise 6,048
PARTS = 16  # equal parts of the longer games
FULL = 0b111_111_111  # all cells of 3×3

Play = Callable[[Sequence[Game], How], list[Played]]
"""Plays these games; raises `Wrong` at a wrong answer."""
Continuation = tuple[tuple[Move, ...], tuple[str, ...]]
"""The moves with which a game goes on, and the right answers to the whole game."""


class Unfinished(NamedTuple):
    """An unfinished game: its moves, the players' cells as bits, and the player to move."""

    moves: tuple[Move, ...]
    marks: tuple[int, int]
    turn: int


@cache
def _wins(n: int) -> list[bool]:
    """Return for each set of cells, as bits, whether the referee finds a line in it."""

    def has_line(cells: int) -> bool:
        referee = SignedSums(n)
        return any(referee.move(*divmod(at, n), 1) for at in range(n * n) if cells >> at & 1)

    return [has_line(cells) for cells in range(1 << n * n)]


@cache
def _moves(n: int, player: int) -> list[tuple[int, Move]]:
    """Return the moves of a player, each with its cell as a bit."""
    return [(1 << at, (*divmod(at, n), player)) for at in range(n * n)]


def _longer(n: int, games: Iterable[Unfinished]) -> Iterator[tuple[Unfinished, int]]:
    """Yield each game extended by one move, and its winner or 0."""
    wins = _wins(n)
    for before, marks, player in games:
        taken, own, other = marks[0] | marks[1], marks[player - 1], marks[2 - player]
        for bit, move in _moves(n, player):
            if not taken & bit:
                mine = own | bit
                both = (mine, other) if player == 1 else (other, mine)
                winner = player if wins[mine] else 0
                yield Unfinished((*before, move), both, 3 - player), winner


def every_game(
    problem: Problem, play: Play, patient: Callable[[], bool], sides: Iterable[int] = (1, 2, 3)
) -> bool:
    """Play every game on these boards; for ``tictactoe``, those that A begins.

    All games of one length are played before longer ones. Of the games that lead to the same board
    and the same state of the solution, only one is continued. Once `patient` returns False, an
    evenly spread part of the games is left out.

    Returns whether all games were played. Raises `Wrong` at a wrong answer that no shorter game
    gets.
    """
    whole = problem == "tictactoe"
    for n in sides:
        games = [Unfinished((), (0, 0), player) for player in ((1,) if whole else (1, 2))]
        while games:
            if n == 3 and len(games[0].moves) == MERGING and len(games) > FEW:
                return _one_by_one(problem, games, play, patient)
            games = _one_ply(problem, n, games, play, "play" if whole else "states")
    return True


def _one_ply(
    problem: Problem, n: int, games: list[Unfinished], play: Play, how: How
) -> list[Unfinished]:
    """Play each game extended by one move; return the unfinished ones, one per state."""
    found: dict[object, Unfinished] = {}
    for (game, winner), played in _played(problem, n, _longer(n, games), play, how):
        if not winner and len(game.moves) < n * n:
            key = (game.marks, game.turn, played.state) if played.state else game.moves
            found.setdefault(key, game)
    return [*found.values()]


def _played(
    problem: Problem, n: int, games: Iterator[tuple[Unfinished, int]], play: Play, how: How = "play"
) -> Iterator[tuple[tuple[Unfinished, int], Played]]:
    while chunk := list(islice(games, CHUNK)):
        chunk_games = [_game(n, problem, game.moves, winner) for game, winner in chunk]
        yield from zip(chunk, play(chunk_games, how), strict=True)


def _game(n: int, problem: Problem, moves: tuple[Move, ...], winner: int) -> Game:
    return Game(n, moves, _right(problem, len(moves), winner))


@cache
def _right(problem: Problem, plies: int, winner: int) -> tuple[str, ...]:
    """Return the right answers to a game of this length."""
    if problem == "TicTacToe":
        return ("0",) * (plies - 1) + (str(winner),)
    nobody = "'Draw'" if plies == 9 else "'Pending'"
    return (f"'{'AB'[winner - 1]}'" if winner else nobody,)


def _one_by_one(
    problem: Problem, games: list[Unfinished], play: Play, patient: Callable[[], bool]
) -> bool:
    """Play all continuations of these games on 3×3, without merging equal boards."""
    rest = _continuations(problem)
    for part in range(PARTS):
        if not patient():
            return False
        try:
            longer = (
                Game(3, before + after, right)
                for before, marks, player in games[part::PARTS]
                for after, right in rest(marks[player - 1], marks[2 - player], player)
            )
            while chunk := list(islice(longer, CHUNK)):
                play(chunk, "play")
        except Wrong as wrong:
            while len(games[0].moves) + 1 < len(wrong.game.moves):  # look for a shorter game
                games = _one_ply(problem, 3, games, play, "play")
            raise
    return True


def _continuations(problem: Problem) -> Callable[[int, int, int], list[Continuation]]:
    """Return a function that finds how a game on 3×3 goes on; equal boards go on equally.

    It takes the cells of the player to move, those of the opponent, and the player to move. For the
    class it finds only complete games, as the class answers every move.
    """
    wins, every = _wins(3), problem == "tictactoe"

    @cache
    def rest(own: int, other: int, player: int) -> list[Continuation]:
        found: list[Continuation] = []
        for bit, move in _moves(3, player):
            if not (own | other) & bit:
                mine = own | bit
                taken = mine | other
                winner = player if wins[mine] else 0
                ends = winner or taken == FULL
                if ends or every:
                    found.append(((move,), _right(problem, taken.bit_count(), winner)))
                if not ends:
                    longer = rest(other, mine, 3 - player)
                    found += [((move, *after), right) for after, right in longer]
        return found

    return rest
