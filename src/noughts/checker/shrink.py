"""The search for the smallest game that reproduces a wrong answer."""

from collections.abc import Iterator, Sequence
from itertools import islice

from noughts.checker.games import Wrong, first_wrong, in_turn, judged
from noughts.checker.solution import Flat, Game, How, Move, Solution, renewed

PAIRS = 2_500  # maximum number of games tried with two moves left out
RESTARTS = 80  # maximum number of fresh solutions for finding out which earlier games matter
FEW = 2  # maximum number of earlier games to shorten


def smallest(solution: Solution, game: Game, before: Sequence[Game], how: How) -> Wrong | None:
    """Find the smallest game that reproduces the mistake on a fresh solution.

    The game ends with the wrong answer; `before` are the games that other objects played earlier or
    at the same time. Returns the wrong answer with the other games it depends on, or None if fresh
    solutions are right.
    """
    if alone := _wrong_when_fresh(solution, [game], "play"):
        return _wrong_when_fresh(solution, [fewest(solution, alone).game], "play") or alone
    found = _wrong_when_fresh(solution, [*before, game], how)
    return found and _fewest_before(solution, found, how)


def _wrong_when_fresh(solution: Solution, games: Sequence[Game], how: How) -> Wrong | None:
    """Return the first wrong answer of a fresh solution to these games, or None."""
    with renewed(solution) as fresh:
        return first_wrong(games, fresh.play(games, how), how)


def _fewest_before(solution: Solution, wrong: Wrong, how: How) -> Wrong:
    """Remove earlier games as long as the answer stays wrong."""
    size, trials = len(wrong.before), 0
    while size:
        at = 0
        while at < len(wrong.before) and trials < RESTARTS:
            fewer = [*wrong.before[:at], *wrong.before[at + size :], wrong.game]
            if found := _wrong_when_fresh(solution, fewer, how):
                wrong = found
            else:
                at += size
            trials += 1
        size //= 2
    return _shortest_before(solution, wrong, how)


def _shortest_before(solution: Solution, wrong: Wrong, how: How) -> Wrong:
    """Shorten the earlier games as long as the answer stays wrong."""
    if solution.convention.whole:
        return wrong  # the function takes whole games only
    for at, game in enumerate(wrong.before[:FEW]):
        for plies in range(len(game.moves)):
            short = Game(game.n, game.moves[:plies], game.right[:plies])
            asked = [*wrong.before[:at], short, *wrong.before[at + 1 :], wrong.game]
            found = _wrong_when_fresh(solution, asked, how)
            if found and found.game == wrong.game:
                wrong = found
                break
    return wrong


def fewest(solution: Solution, wrong: Wrong) -> Wrong:
    """Remove moves from the game as long as the mistake remains."""
    if solution.convention.whole:
        return wrong  # every shorter game has been played
    size = len(wrong.game.moves) // 2
    while size:
        shorter = _first(solution, wrong.game.n, _without(wrong.game.moves, size))
        wrong, size = (shorter, size) if shorter else (wrong, size // 2)
    while shorter := _first(solution, wrong.game.n, islice(_without_some(wrong.game.moves), PAIRS)):
        wrong = shorter
    return wrong


def _first(solution: Solution, n: int, games: Iterator[list[Move]]) -> Wrong | None:
    """Return the first wrong answer among these games, judged by the referee, or None."""
    while chunk := [judged(n, moves) for moves in islice(games, 100)]:
        if wrong := first_wrong(chunk, solution.play(chunk)):
            return wrong
    return None


def _sides(moves: Sequence[Move]) -> tuple[list[Flat], list[Flat], int]:
    """Return the cells of the player who moves last, the opponent's cells, and that player."""
    player = moves[-1][2]
    mine = [(row, col) for row, col, who in moves if who == player]
    return mine, [(row, col) for row, col, who in moves if who != player], player


def _without(moves: Sequence[Move], size: int) -> Iterator[list[Move]]:
    """Yield the game without `size` moves of each player; the last move stays."""
    mine, theirs, player = _sides(moves)
    for at in range(0, len(mine) - 1, size):
        kept = [*mine[: min(at, len(mine) - 1)], *mine[at + size : -1], mine[-1]]
        for other in {min(at, max(len(theirs) - size, 0)), max(len(theirs) - size - at, 0)}:
            left = [*theirs[:other], *theirs[other + len(mine) - len(kept) :]]
            if len(kept) - len(left) in (0, 1):
                yield in_turn(kept, left, player)


def _without_some(moves: Sequence[Move]) -> Iterator[list[Move]]:
    """Yield the game without one move, so that the other player begins, or without two moves."""
    mine, theirs, player = _sides(moves)
    mine_less = [[*mine[:at], *mine[at + 1 :]] for at in range(len(mine) - 1)]
    theirs_less = [[*theirs[:at], *theirs[at + 1 :]] for at in range(len(theirs))]
    if len(mine) == len(theirs):
        yield from (in_turn(mine, fewer, player) for fewer in theirs_less)
    else:
        yield from (in_turn(fewer, theirs, player) for fewer in mine_less)
    for fewer in mine_less:
        yield from (in_turn(fewer, less, player) for less in theirs_less)
