"""From a wrong answer to the smallest game that shows it."""

from collections.abc import Iterator, Sequence
from itertools import islice

from noughts.checker.games import Case, Wrong, case, in_turn, right_answers
from noughts.checker.solution import Flat, Move, Script, Solution, afresh

PAIRS = 2_500  # moves left out two at a time, at most
AFRESH = 80  # fresh solutions at most, to find what must be played before

Found = tuple[list[Script], Wrong]
"""Scripts that are played before, and the wrong answer that follows."""


def smallest(solution: Solution, wrong: Wrong, log: Sequence[Script]) -> Found | None:
    """The smallest game found that shows the mistake, on a fresh solution.

    Args:
        solution: it answered wrongly.
        wrong: the answer.
        log: all that was played before it.

    Returns:
        What other objects play before, and the wrong answer; None if fresh solutions are right.
    """
    script = Script(wrong.case.script.sides, wrong.case.script.calls[: wrong.length])
    number, _ = script.calls[-1]
    own, *others = (_object(script, at) for at in _from(number, len(script.sides)))
    ways = [[own], [own, own], [*log, script]]
    if others:
        ways[1:1] = [[*others, own], [_meanwhile(own, others)], [script]]
    for scripts in ways:
        if found := _first_wrong(solution, scripts):
            before, wrong = found
            if len(wrong.case.script.sides) > 1:
                return before, _fewest_others(solution, wrong)
            if before:
                return _least_before(solution, before, wrong)
            shorter = fewest(solution, wrong)
            return _first_wrong(solution, [shorter.case.script]) or found
    return None


def _from(first: int, count: int) -> list[int]:
    return [first, *(at for at in range(count) if at != first)]


def _object(script: Script, number: int) -> Script:
    """The calls to one object alone."""
    calls = tuple((0, move) for at, move in script.calls if at == number)
    return Script((script.sides[number],), calls)


def _meanwhile(own: Script, others: Sequence[Script]) -> Script:
    """All objects are made, `own` first; then the others play, and `own` last."""
    calls = [(at, move) for at, other in enumerate(others, 1) for _, move in other.calls]
    sides = own.sides + tuple(other.sides[0] for other in others)
    return Script(sides, (*calls, *own.calls))


def _first_wrong(solution: Solution, scripts: Sequence[Script]) -> Found | None:
    """The first wrong answer of a fresh solution to these scripts, if there is one."""
    with afresh(solution) as fresh:
        played = fresh.play(scripts)
    for at, script in enumerate(scripts):
        right = right_answers(solution.problem, script)
        if played[at].answers != right:
            return list(scripts[:at]), Wrong.of(Case(script, right), played[at].answers).cut()
    return None


def _least_before(solution: Solution, before: list[Script], wrong: Wrong) -> Found:
    """As little as can be played before, so that the answer is still wrong."""
    trials = 0

    def still(scripts: Sequence[Script]) -> Found | None:
        nonlocal trials
        trials += 1
        last = wrong.case.script
        return _first_wrong(solution, [*scripts, last]) if trials <= AFRESH else None

    few = 1
    while few < len(before):
        if found := still(before[-few:]):
            before, wrong = found
        few *= 2
    size = len(before)
    while size:
        at = 0
        while at < len(before):
            if found := still(before[:at] + before[at + size :]):
                before, wrong = found
            else:
                at += size
        size //= 2
    for at in range(len(before)):
        for calls in range(min(len(before[at].calls), 9) if at < len(before) else 0):
            fewer = Script(before[at].sides, before[at].calls[:calls])
            if found := still([*before[:at], fewer, *before[at + 1 :]]):
                before, wrong = found
                break
    return before, wrong


def _fewest_others(solution: Solution, wrong: Wrong) -> Wrong:
    """The same mistake with as few other objects, and as few calls to them, as can be."""
    at = 0
    while at < len(wrong.case.script.calls) - 1:
        script = wrong.case.script
        number, own = script.calls[at][0], script.calls[-1][0]
        fewer = []
        if number != own:
            calls = script.calls
            fewer = [
                _renumbered(script, [call for call in calls if call[0] != number]),
                Script(script.sides, (*calls[:at], *(c for c in calls[at:] if c[0] != number))),
            ]
        found = next((found for each in fewer if (found := _first_wrong(solution, [each]))), None)
        if found:
            wrong = found[1]
        else:
            at += 1
    return wrong


def _renumbered(script: Script, calls: Sequence[tuple[int, Move]]) -> Script:
    """These calls with the objects that they are to, and no others."""
    used = sorted({number for number, _ in calls})
    sides = tuple(script.sides[number] for number in used)
    return Script(sides, tuple((used.index(number), move) for number, move in calls))


# One game


def fewest(solution: Solution, wrong: Wrong) -> Wrong:
    """The same mistake in a game from which no move can be left out."""
    (n,), trial = wrong.case.script.sides, _Trial(solution)
    if solution.problem == "tictactoe":
        return wrong  # every shorter game has been asked
    moves = [move for _, move in wrong.case.script.calls]
    size = len(moves) // 2
    while size:
        shorter = trial.first(n, _without(moves, size))
        if shorter:
            wrong, moves = shorter, [move for _, move in shorter.case.script.calls]
        else:
            size //= 2
    while shorter := trial.first(n, islice(_without_some(moves), PAIRS)):
        wrong, moves = shorter, [move for _, move in shorter.case.script.calls]
    return wrong


class _Trial:
    """Games that are tried, the referee being the judge."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    def first(self, n: int, games: Iterator[list[Move]]) -> Wrong | None:
        """The first of these games in which an answer is wrong, up to that answer."""
        while chunk := list(islice(games, 100)):
            cases = [case((n,), [(0, move) for move in moves]) for moves in chunk]
            played = self.solution.play([each.script for each in cases])
            for each, answers in zip(cases, played, strict=True):
                if answers.answers != each.right:
                    return Wrong.of(each, answers.answers).cut()
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
