"""Which mistake is it? The known one that answers alike, or what was right and what was wrong."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

from noughts.checker.catalogue import CATALOGUE, Mistake
from noughts.checker.games import Case, Games, Wrong, larger, right_answers
from noughts.checker.inside import Inside
from noughts.checker.solution import Answer, Problem, Script
from noughts.checker.wording import through

SEED = 348  # the same games for everybody, or the same mistake had two names
CHUNK = 50  # games that are compared at once
INTEGERS = ("0", "1", "2")

Log = Sequence[tuple[Script, tuple[Answer, ...]]]
"""What was played, and what was answered."""


@cache
def panel(problem: Problem) -> tuple[Case, ...]:
    """Games of all kinds, some thousands, the smaller boards first."""
    if problem == "tictactoe":
        calls = [case.script.calls for case in Games(3, SEED).at_random(1_500, 9)]
        calls = [each[: len(each) - less % 3 * (less % 4)] for less, each in enumerate(calls)]
        scripts = [Script((3,), each) for each in calls if each and each[0][1][2] == 1]
        return tuple(Case(script, right_answers(problem, script)) for script in scripts)
    cases: list[Case] = []
    for n in (1, 2, 3):
        cases += Games(n, SEED).at_random(40 * n * n, n * n)
    for n in (3, 4, 5, 6, 7, 8, 11, 12, 13, 24):
        cases += larger(n, SEED, 400)
    for n in (50, 100):
        cases += islice(larger(n, SEED, 400), 12)
    return tuple(cases)


@cache
def _suspects(problem: Problem) -> list[tuple[Mistake, Inside]]:
    """The known mistakes, ready to be asked; made when somebody is first wrong."""
    return [(mistake, Inside(mistake.solution)) for mistake in CATALOGUE[problem]]


def diagnosis(problem: Problem, *logs: Log) -> Mistake | None:
    """The known mistake that answers exactly as in all of these logs, if one does.

    If none does, games end with their first wrong answer: after a win that is none, one solution
    answers it again, and another of the same mistake does not.

    Args:
        problem: which.
        logs: what was played and answered, each from a fresh solution on.
    """
    for cut in (False, True):
        if cut:
            logs = tuple([_to_first_wrong(problem, *game) for game in log] for log in logs)
        for mistake, suspect in _suspects(problem):
            if all(_answers_alike(suspect, log) for log in logs):
                return mistake
    return None


def _to_first_wrong(
    problem: Problem, script: Script, answers: tuple[Answer, ...]
) -> tuple[Script, tuple[Answer, ...]]:
    """The game as far as the first wrong answer, and the answers."""
    case = Case(script, right_answers(problem, script))
    if answers == case.right:
        return script, answers
    wrong = Wrong.of(case, answers)
    return wrong.cut().case.script, answers[: wrong.call + 1]


def _answers_alike(suspect: Inside, log: Log) -> bool:
    waiting = iter(log)
    suspect.fresh()
    try:
        while chunk := list(islice(waiting, CHUNK)):
            played = suspect.play([script for script, _ in chunk])
            for (_, answers), each in zip(chunk, played, strict=True):
                if each.answers != answers:
                    return False
        return True
    finally:
        suspect.close()


# In words


def _kinds(case: Case) -> Iterator[str]:
    """The kinds that a case is of, the same words for one kind."""
    script = case.script
    if len(script.sides) > 1:
        yield "several objects at once"
        return
    n, player = script.sides[0], script.calls[-1][1][2]
    if n == 1:
        yield "the board of one cell"
        return
    moves = tuple(move for _, move in script.calls)
    ended = [name for name, _, marks in through(n, moves) if marks == n]
    if len(ended) > 1:
        yield "several lines at once"
    elif ended:
        word = ended[0].partition(" ")[0]
        yield {"row": "rows", "column": "columns"}.get(word, ended[0])
    else:
        yield "full boards without a line" if len(script.calls) == n * n else "games that go on"
    if ended:
        yield f"player {player}"
    if case.right[-1] in INTEGERS:
        yield "boards of odd size" if n % 2 else "boards of even size"
        if n > 10:
            yield "boards larger than 10×10"


ORDER = (
    *("rows", "columns", "the diagonal", "the anti-diagonal", "several lines at once"),
    *("player 1", "player 2", "games that go on", "full boards without a line"),
    *("boards of odd size", "boards of even size", "boards larger than 10×10"),
    *("the board of one cell", "several objects at once"),
)


def kinds(played: Sequence[tuple[Case, tuple[Answer, ...]]]) -> tuple[str, ...]:
    """Sentences: of which kinds all games were right, of which some were not."""
    wrong: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for case, answers in played:
        if answers != case.right:
            case = Wrong.of(case, answers).cut().case  # the kind of its wrong answer
            wrong.update(_kinds(case))
        total.update(_kinds(case))
    good = [kind for kind in ORDER if total[kind] and not wrong[kind]]
    bad = {kind: f" ({wrong[kind]} of {total[kind]})" for kind in ORDER if wrong[kind]}
    told = [kind + bad[kind] * (wrong[kind] < total[kind]) for kind in bad]
    if not good:
        return ("wrong: all kinds of games",)
    return f"right: {', '.join(good)}", f"wrong: {', '.join(told)}"
