"""Diagnosis of a wrong solution: the known mistake with the same answers, and the failing cases."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, islice
from typing import NamedTuple

from noughts.checker.catalogue import CATALOGUE, Mistake
from noughts.checker.games import Games, Wrong, larger, together
from noughts.checker.in_process import InProcess
from noughts.checker.messages import through
from noughts.checker.problems import choose
from noughts.checker.reading.live import read_live
from noughts.checker.solution import Answer, Game, How, Problem
from noughts.referee import tictactoe

SEED = 348  # fixed, so that a mistake always gets the same diagnosis
CHUNK = 50  # games compared at once
MOST = 3  # maximum number of faults in a report
WINS = {"1": "2", "2": "1", "'A'": "'B'", "'B'": "'A'"}  # answers that name a winner
NO_WINNER = ("0", "'Pending'", "'Draw'")
IN_PYTHON = {"true": "True", "false": "False"} | dict.fromkeys(("null", "nil", "undefined"), "None")
"""Answers in other languages, as the known mistakes give them."""


class Round(NamedTuple):
    """Games played at once, and their answers."""

    games: Sequence[Game]
    how: How
    answers: Sequence[tuple[Answer, ...]] = ()


@cache
def panel(problem: Problem) -> tuple[Round, ...]:
    """Return a few thousand games of all kinds, smaller boards first."""
    if problem == "tictactoe":
        played = [game.moves for game in Games(3, SEED).at_random(1_500, 9)]
        played = [moves[: len(moves) - less % 3 * (less % 4)] for less, moves in enumerate(played)]
        games = [
            Game(3, moves, (repr(tictactoe([move[:2] for move in moves])),))
            for moves in played
            if moves and moves[0][2] == 1
        ]
        return tuple(Round(games[at : at + CHUNK], "play") for at in range(0, len(games), CHUNK))
    if problem not in CATALOGUE:
        return ()
    asked: list[Round] = []
    for n in (1, 2, 3, 3, 4, 5, 6, 7, 8, 11, 12, 13, 24, 50, 100):
        first = n < 3 or (n == 3 and asked[-1].games[0].n < 3)
        kinds = Games(n, SEED).at_random(40 * n * n, n * n) if first else larger(n, SEED, 400)
        games = list(kinds if n < 50 else islice(kinds, 12))
        asked += [Round(games[at : at + CHUNK], "play") for at in range(0, len(games), CHUNK)]
        if 1 < n < 50:
            asked += [Round(each, "together") for each in together(n, SEED)]
    return tuple(asked)


@cache
def _suspects(problem: Problem) -> list[tuple[Mistake, InProcess]]:
    """Return the known mistakes, ready to play; created when the first wrong solution appears.

    All mistakes of a problem are called in the same way, so only the source of the first is read:
    reading all of them took 0.5 s, a third of the check of a wrong class.
    """
    mistakes = CATALOGUE.get(problem, ())
    called = choose(read_live(mistakes[0].solution)) if mistakes else None
    return [(mistake, InProcess(mistake.solution, candidate=called)) for mistake in mistakes]


def diagnosis(problem: Problem, *logs: Sequence[Round], letters: bool = False) -> Mistake | None:
    """Return the known mistake whose answers equal the solution's in all these rounds, or None.

    If none matches exactly, each game is compared up to its first wrong answer: after a false win,
    solutions with the same mistake may answer differently. Each log starts with a fresh solution.
    Mistakes with letters for players are considered only if the solution's code has them.
    """
    for cut in (False, True):
        if cut:
            logs = tuple([_to_first_wrong(asked) for asked in log] for log in logs)
        for mistake, suspect in _suspects(problem):
            possible = letters or not mistake.letters
            if possible and all(_answers_alike(suspect, log) for log in logs):
                return mistake
    return None


def _to_first_wrong(asked: Round) -> Round:
    """Cut each game after its first wrong answer."""
    games, answers = [], []
    for game, given in zip(asked.games, asked.answers, strict=True):
        cut = game if given == game.right else Wrong(game, given).game
        games.append(cut)
        answers.append(given[: len(cut.right)])
    return Round(games, asked.how, answers)


def _answers_alike(suspect: InProcess, log: Sequence[Round]) -> bool:
    suspect.fresh()
    try:
        for games, how, answers in log:
            for at in range(0, len(games), CHUNK):
                played = suspect.play(games[at : at + CHUNK], how)
                if any(
                    each.answers != _in_python(answers[at + i]) for i, each in enumerate(played)
                ):
                    return False
        return True
    finally:
        suspect.close()


def _in_python(answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    return tuple([IN_PYTHON.get(answer, answer) for answer in answers])


ORDER = (
    *("rows", "columns", "the diagonal", "the anti-diagonal", "several lines at once"),
    *("player 1", "player 2", "unfinished games", "full boards without a line"),
    *("boards of odd size", "boards of even size", "boards larger than 10×10"),
    *("the one-cell board", "several objects at once"),
)


def _kinds(game: Game, how: How) -> Iterator[str]:
    """Yield the kinds of a game, in the words of `ORDER`."""
    n = game.n
    if how == "together":
        yield "several objects at once"
        return
    if n == 1:
        yield "the one-cell board"
        return
    ended = [name for name, _, marks in through(n, game.moves) if marks == n]
    if len(ended) > 1:
        yield "several lines at once"
    elif ended:
        word = ended[0].partition(" ")[0]
        yield {"row": "rows", "column": "columns"}.get(word, ended[0])
    else:
        yield "full boards without a line" if len(game.moves) == n * n else "unfinished games"
    if ended:
        yield f"player {game.moves[-1][2]}"
    if game.right[-1] in (*"012",):
        yield "boards of odd size" if n % 2 else "boards of even size"
        if n > 10:
            yield "boards larger than 10×10"


def findings(log: Sequence[Round]) -> tuple[str, str]:
    """Return which kinds of games were right, and what the wrong ones share, as two sentences."""
    good: Counter[str] = Counter()
    sizes = set[int]()  # of boards with a game without a wrong answer
    faults: dict[str, list[tuple[Game, set[str]]]] = {}
    for games, how, answered in log:
        for game, answers in zip(games, answered, strict=True):
            if answers == game.right:
                good.update(_kinds(game, how))
                sizes.add(game.n)
            else:
                wrong = Wrong(game, answers)
                fault = _fault(game.right[len(wrong.game.right) - 1], wrong.answered)
                kinds = {*_kinds(wrong.game, how)}
                faults.setdefault(fault, []).append((wrong.game, kinds))
    bad = {kind for found in faults.values() for _, kinds in found for kind in kinds}
    right = [kind for kind in ORDER if good[kind] and kind not in bad]
    often = sorted(faults.items(), key=lambda fault: -len(fault[1]))[:MOST]
    told = [fault + _in_common(found, sizes) for fault, found in often]
    return (
        f"right: {', '.join(right)}" if right else "",
        f"wrong: it {'; it '.join(told)}" if told else "",
    )


def _fault(right: Answer, answered: Answer) -> str:
    """Return a verb phrase for a wrong answer, to follow "it"."""
    if answered.startswith("!"):
        return f"raises {answered[1:].partition(':')[0]}"
    if right in WINS and answered in NO_WINNER:
        return "misses wins"
    if right in NO_WINNER and answered in WINS:
        return "claims false wins"
    if WINS.get(right) == answered:
        return "names the other player"
    return f"answers {answered} instead of {right}"


def _in_common(found: Sequence[tuple[Game, set[str]]], good: set[int]) -> str:
    """Return what games with the same fault share, to follow `_fault`.

    Args:
        found: these games up to the fault, with their kinds.
        good: the sizes of boards with a game that was right. On others, an earlier fault may have
            hidden this one, so "only" would claim too much.
    """
    alone = [each for each in found if "several objects at once" not in each[1]]
    if not alone:
        return " when several objects exist at once"
    every = set.intersection(*(kinds for _, kinds in alone))
    some = set(chain.from_iterable(kinds for _, kinds in alone))
    lines = [kind for kind in ORDER[:4] if kind in some] or [*some.intersection(ORDER[4:5])]
    told = "".join(f" for {kind}" for kind in ORDER[5:7] if kind in every)
    told += f" on {' and '.join(lines)}" if 0 < len(lines) < 4 else ""
    told += " on full boards" if "full boards without a line" in every else ""
    sides = {game.n for game, _ in alone}
    if not good - sides:
        return told
    if len(sides) == 1:
        return f"{told}, only on {min(sides)}×{min(sides)}"
    told += "".join(f", only on {kind}" for kind in ORDER[9:11] if kind in every)
    return told + (f", only on {min(sides)}×{min(sides)} and larger" if min(sides) > 3 else "")
