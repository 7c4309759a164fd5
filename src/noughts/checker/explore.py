"""Every game on the smallest boards, the shortest first."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from noughts.checker.games import Case, Wrong
from noughts.checker.solution import Move, Played, Problem, Script
from noughts.referee import SignedSums

CHUNK = 500  # games that are played at once: few are left when garbage is collected
MERGING = 4  # the ply of 3×3 after which it shows whether games of one board have one state:
FEW = 2_500  # then 1,512 are open, otherwise 6,048
SHORT = 6  # plies that are asked one after the other in any case
PARTS = 16  # of the longer games, each as good as another

Ask = Callable[[Sequence[Case], bool], list[Played]]
"""Play these cases, with states or without; raises at a wrong answer."""


class Open(NamedTuple):
    """A game that goes on: its calls, the cells of players 1 and 2 as bits, who moves."""

    calls: tuple[tuple[int, Move], ...]
    marks: tuple[int, int]
    turn: int


@cache
def _has_line(n: int, cells: int) -> bool:
    """Whether these cells hold a line, by the referee."""
    referee = SignedSums(n)
    return any(referee.move(*divmod(at, n), 1) for at in range(n * n) if cells >> at & 1)


@cache
def _calls(n: int, player: int) -> list[tuple[int, Move]]:
    """The call for each cell."""
    return [(0, (*divmod(at, n), player)) for at in range(n * n)]


def _moves(n: int, game: Open) -> Iterator[tuple[Open, int]]:
    """Each game with one move more, and its winner or 0."""
    taken, player = game.marks[0] | game.marks[1], game.turn
    calls = _calls(n, player)
    for at in range(n * n):
        if not taken >> at & 1:
            mine = game.marks[player - 1] | 1 << at
            marks = (mine, game.marks[1]) if player == 1 else (game.marks[0], mine)
            winner = player if _has_line(n, mine) else 0
            yield Open((*game.calls, calls[at]), marks, 3 - player), winner


def _case(n: int, problem: Problem, calls: tuple[tuple[int, Move], ...], winner: int) -> Case:
    script = Script((n,), calls)
    if problem == "tictactoe":
        right = (
            f"'{'AB'[winner - 1]}'" if winner else ("'Draw'" if len(calls) == 9 else "'Pending'")
        )
        return Case(script, (right,))
    return Case(script, ("0",) * (len(calls) - 1) + (str(winner),))


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
    if problem == "tictactoe":
        return _one_by_one(problem, [Open((), (0, 0), 1)], ask, patient)
    for n in (1, 2, 3):
        games = [Open((), (0, 0), 1), Open((), (0, 0), 2)]
        while games:
            if n == 3 and len(games[0].calls) == MERGING and len(games) > FEW:
                return _one_by_one(problem, games, ask, patient)
            games = _one_ply(problem, n, games, ask)
    return True


def _one_ply(problem: Problem, n: int, games: list[Open], ask: Ask) -> list[Open]:
    """Ask each game with one move more; those that go on, each state once."""
    found: dict[object, Open] = {}
    after = ((game, winner) for game in games for game, winner in _moves(n, game))
    while chunk := list(islice(after, CHUNK)):
        cases = [_case(n, problem, game.calls, winner) for game, winner in chunk]
        for (game, winner), played in zip(chunk, ask(cases, True), strict=True):
            if not winner:
                key = (game.marks, game.turn, played.state) if played.state else game.calls
                found.setdefault(key, game)
    return [game for game in found.values() if len(game.calls) < n * n]


def _one_by_one(problem: Problem, games: list[Open], ask: Ask, patient: Callable[[], bool]) -> bool:
    """Ask all that follows these games on 3×3, no state being known."""
    while len(games[0].calls) < SHORT:
        after = [each for game in games for each in _moves(3, game)]
        _ask_all(problem, after, ask)
        games = [game for game, winner in after if not winner]
    for part in range(PARTS):
        if not patient():
            return False
        try:
            _ask_all(problem, _rest(problem, games[part::PARTS]), ask)
        except Wrong as wrong:
            _shorter(problem, games, wrong.length, ask)
            raise
    return True


def _ask_all(problem: Problem, games: Iterable[tuple[Open, int]], ask: Ask) -> None:
    waiting = iter(games)
    while chunk := list(islice(waiting, CHUNK)):
        ask([_case(3, problem, game.calls, winner) for game, winner in chunk], False)


def _rest(problem: Problem, games: Iterable[Open]) -> Iterator[tuple[Open, int]]:
    """The games that follow; for the class those that end, since it answers each of their moves."""
    for game in games:
        for longer, winner in _moves(3, game):
            ends = bool(winner) or len(longer.calls) == 9
            if ends or problem == "tictactoe":
                yield longer, winner
            if not ends:
                yield from _rest(problem, [longer])


def _shorter(problem: Problem, games: list[Open], length: int, ask: Ask) -> None:
    """Ask all games that follow these and are shorter than `length`, the shortest first."""
    while len(games[0].calls) + 1 < length:
        after = [each for game in games for each in _moves(3, game)]
        _ask_all(problem, after, ask)
        games = [game for game, winner in after if not winner]
