"""Every game on the smallest boards, the shortest first."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from noughts.checker.games import Wrong
from noughts.checker.solution import Game, How, Move, Played, Problem
from noughts.referee import SignedSums

CHUNK = 500  # games that are played at once: few are left when garbage is collected
MERGING = 4  # the ply of 3×3 after which it shows whether games of one board have one state:
FEW = 2_500  # then 1,512 are open, otherwise 6,048
PARTS = 16  # of the longer games, each as good as another

Ask = Callable[[Sequence[Game], How], list[Played]]
"""Play these games; raises at a wrong answer."""


class Open(NamedTuple):
    """A game that goes on: its moves, the cells of players 1 and 2 as bits, who moves."""

    moves: tuple[Move, ...]
    marks: tuple[int, int]
    turn: int


@cache
def _has_line(n: int, cells: int) -> bool:
    """Whether these cells hold a line, by the referee."""
    referee = SignedSums(n)
    return any(referee.move(*divmod(at, n), 1) for at in range(n * n) if cells >> at & 1)


@cache
def _moves(n: int, player: int) -> list[Move]:
    """The move to each cell."""
    return [(*divmod(at, n), player) for at in range(n * n)]


def _longer(n: int, games: Iterable[Open]) -> Iterator[tuple[Open, int]]:
    """Each game with one move more, and its winner or 0."""
    for game in games:
        taken, player = game.marks[0] | game.marks[1], game.turn
        moves = _moves(n, player)
        for at in range(n * n):
            if not taken >> at & 1:
                mine = game.marks[player - 1] | 1 << at
                marks = (mine, game.marks[1]) if player == 1 else (game.marks[0], mine)
                winner = player if _has_line(n, mine) else 0
                yield Open((*game.moves, moves[at]), marks, 3 - player), winner


def every_game(problem: Problem, ask: Ask, patient: Callable[[], bool]) -> bool:
    """Ask every game on 1×1, 2×2 and 3×3, both players beginning; `tictactoe` 3×3, A beginning.

    Games of one length are asked after all shorter ones. Where the board and the state of the
    solution are the same, one of them is played on.

    Args:
        problem: which.
        ask: plays them.
        patient: whether there is time for more; without it, an even part of them is left out.

    Returns:
        Whether all were played.

    Raises:
        Wrong: there is a mistake; no shorter game shows one.
    """
    whole = problem == "tictactoe"
    for n in (3,) if whole else (1, 2, 3):
        games = [Open((), (0, 0), player) for player in ((1,) if whole else (1, 2))]
        while games:
            if n == 3 and len(games[0].moves) == MERGING and len(games) > FEW:
                return _one_by_one(problem, games, ask, patient)
            games = _one_ply(problem, n, games, ask, "play" if whole else "states")
    return True


def _one_ply(problem: Problem, n: int, games: list[Open], ask: Ask, how: How) -> list[Open]:
    """Ask each game with one move more; those that go on, each state once."""
    found: dict[object, Open] = {}
    for (game, winner), played in _asked(problem, n, _longer(n, games), ask, how):
        if not winner and len(game.moves) < n * n:
            key = (game.marks, game.turn, played.state) if played.state else game.moves
            found.setdefault(key, game)
    return [*found.values()]


def _asked(
    problem: Problem, n: int, games: Iterator[tuple[Open, int]], ask: Ask, how: How = "play"
) -> Iterator[tuple[tuple[Open, int], Played]]:
    """Ask these games; raises at a wrong answer."""
    while chunk := list(islice(games, CHUNK)):
        asked = [_game(n, problem, game.moves, winner) for game, winner in chunk]
        yield from zip(chunk, ask(asked, how), strict=True)


def _game(n: int, problem: Problem, moves: tuple[Move, ...], winner: int) -> Game:
    if problem == "TicTacToe":
        return Game(n, moves, ("0",) * (len(moves) - 1) + (str(winner),))
    nobody = "'Draw'" if len(moves) == 9 else "'Pending'"
    return Game(n, moves, (f"'{'AB'[winner - 1]}'" if winner else nobody,))


def _one_by_one(problem: Problem, games: list[Open], ask: Ask, patient: Callable[[], bool]) -> bool:
    """Ask all that follows these games on 3×3, no state being known."""
    for part in range(PARTS):
        if not patient():
            return False
        try:
            for _ in _asked(problem, 3, _rest(problem, games[part::PARTS]), ask):
                pass
        except Wrong as wrong:
            while len(games[0].moves) + 1 < len(wrong.game.moves):  # is there a shorter one?
                games = _one_ply(problem, 3, games, ask, "play")
            raise
    return True


def _rest(problem: Problem, games: Iterable[Open]) -> Iterator[tuple[Open, int]]:
    """The games that follow; for the class those that end, since it answers each of their moves."""
    for longer, winner in _longer(3, games):
        ends = bool(winner) or len(longer.moves) == 9
        if ends or problem == "tictactoe":
            yield longer, winner
        if not ends:
            yield from _rest(problem, [longer])
