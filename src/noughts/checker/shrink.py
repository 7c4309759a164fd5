"""From a wrong answer to the smallest game that shows it."""

from collections.abc import Iterator, Sequence
from itertools import islice

from noughts.checker.games import Wrong, first_wrong, in_turn, judged
from noughts.checker.solution import Flat, Game, How, Move, Solution, afresh

PAIRS = 2_500  # moves left out two at a time, at most
AFRESH = 80  # fresh solutions at most, to find what must be played before
FEW = 2  # games before, at most, that are shortened


def smallest(solution: Solution, game: Game, before: Sequence[Game], how: How) -> Wrong | None:
    """The smallest game found that shows the mistake, on a fresh solution.

    Args:
        solution: it answered wrongly.
        game: the game, as far as the wrong answer.
        before: what other objects played before, or meanwhile.
        how: whether they played together.

    Returns:
        The wrong answer, with what others must play; None if fresh solutions are right.
    """
    if alone := _afresh(solution, [game], "play"):
        return _afresh(solution, [fewest(solution, alone).game], "play") or alone
    found = _afresh(solution, [*before, game], how)
    return found and _fewest_before(solution, found, how)


def _afresh(solution: Solution, games: Sequence[Game], how: How) -> Wrong | None:
    """The first wrong answer of a fresh solution to these games, if there is one."""
    with afresh(solution) as fresh:
        return first_wrong(games, fresh.play(games, how), how)


def _fewest_before(solution: Solution, wrong: Wrong, how: How) -> Wrong:
    """As few games before as can be found, so that there is still a wrong answer."""
    size, trials = len(wrong.before), 0
    while size:
        at = 0
        while at < len(wrong.before) and trials < AFRESH:
            fewer = [*wrong.before[:at], *wrong.before[at + size :], wrong.game]
            if found := _afresh(solution, fewer, how):
                wrong = found
            else:
                at += size
            trials += 1
        size //= 2
    return _shortest_before(solution, wrong, how)


def _shortest_before(solution: Solution, wrong: Wrong, how: How) -> Wrong:
    """As few moves in the games before as can be found, from their beginnings."""
    if solution.problem == "tictactoe":
        return wrong  # games are whole there
    for at, game in enumerate(wrong.before[:FEW]):
        for plies in range(len(game.moves)):
            short = Game(game.n, game.moves[:plies], game.right[:plies])
            asked = [*wrong.before[:at], short, *wrong.before[at + 1 :], wrong.game]
            found = _afresh(solution, asked, how)
            if found and found.game == wrong.game:
                wrong = found
                break
    return wrong


# One game


def fewest(solution: Solution, wrong: Wrong) -> Wrong:
    """The same mistake in a game from which no move can be left out."""
    if solution.problem == "tictactoe":
        return wrong  # every shorter game has been asked
    size = len(wrong.game.moves) // 2
    while size:
        shorter = _first(solution, wrong.game.n, _without(wrong.game.moves, size))
        wrong, size = (shorter, size) if shorter else (wrong, size // 2)
    while shorter := _first(solution, wrong.game.n, islice(_without_some(wrong.game.moves), PAIRS)):
        wrong = shorter
    return wrong


def _first(solution: Solution, n: int, games: Iterator[list[Move]]) -> Wrong | None:
    """The first of these games in which an answer is wrong, the referee being the judge."""
    while chunk := [judged(n, moves) for moves in islice(games, 100)]:
        if wrong := first_wrong(chunk, solution.play(chunk)):
            return wrong
    return None


def _sides(moves: Sequence[Move]) -> tuple[list[Flat], list[Flat], int]:
    """The cells of the player who moves last, those of the other, and who moves last."""
    player = moves[-1][2]
    mine = [(row, col) for row, col, who in moves if who == player]
    return mine, [(row, col) for row, col, who in moves if who != player], player


def _without(moves: Sequence[Move], size: int) -> Iterator[list[Move]]:
    """The game without `size` moves of each player; the last move stays."""
    mine, theirs, player = _sides(moves)
    for at in range(0, len(mine) - 1, size):
        kept = [*mine[: min(at, len(mine) - 1)], *mine[at + size : -1], mine[-1]]
        for other in {min(at, max(len(theirs) - size, 0)), max(len(theirs) - size - at, 0)}:
            left = [*theirs[:other], *theirs[other + len(mine) - len(kept) :]]
            if len(kept) - len(left) in (0, 1):
                yield in_turn(kept, left, player)


def _without_some(moves: Sequence[Move]) -> Iterator[list[Move]]:
    """The game without one move, the other player beginning; or without one of each player."""
    mine, theirs, player = _sides(moves)
    mine_less = [[*mine[:at], *mine[at + 1 :]] for at in range(len(mine) - 1)]
    theirs_less = [[*theirs[:at], *theirs[at + 1 :]] for at in range(len(theirs))]
    if len(mine) == len(theirs):
        yield from (in_turn(mine, fewer, player) for fewer in theirs_less)
    else:
        yield from (in_turn(fewer, theirs, player) for fewer in mine_less)
    for fewer in mine_less:
        yield from (in_turn(fewer, less, player) for less in theirs_less)
