"""Any other program: it reads call lists, two lines a game, and answers a line a game.

It is started anew for every few thousand games, and its input ends after the last of them, so that
it may write all its answers at its end.
"""

import json
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import nan
from pathlib import Path

from noughts.checker.process import DEFAULT, Batch, Limits, Process
from noughts.checker.solution import Answer, Failed, Move, Played, Problem, Script

GAMES = 20_000  # for one process
PER_MOVE = 0.0002  # seconds, besides `Limits.seconds`


class Command:
    """A program behind a command line: a `noughts.checker.solution.Solution`.

    Each object of a script is a game of its own: they are not alive at once.

    Raises:
        Failed: "unreadable", there is no such program.
    """

    problem: Problem = "TicTacToe"
    language = "command"
    notes: tuple[str, ...] = ()

    def __init__(self, line: str, limits: Limits = DEFAULT) -> None:
        self.name, self._line, self._limits = line, line, replace(limits, addresses=None)
        self.what, self.output = f"the program {line}", ""
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise Failed("unreadable", f"{line}: {error}") from None
        program = shutil.which(words[0]) if words else None
        if program is None:
            raise Failed("unreadable", f"{line}: there is no such program")
        # It runs in another folder, and of this one it sees what it is given.
        here = [Path(word).resolve() if Path(word).exists() else None for word in words[1:]]
        self._words = [str(Path(program).absolute())]
        self._words += [str(path or word) for path, word in zip(here, words[1:], strict=True)]
        home = Path(program).absolute() if "/" in words[0] else Path(program).resolve().parents[1]
        python = (Path(sys.prefix), Path(sys.base_prefix)) * ("python" in Path(program).name)
        self._reads = [home, Path(program).absolute(), *python, *filter(None, here)]

    def play(self, scripts: Sequence[Script], states: bool = False) -> list[Played]:
        """See `Solution.play`."""
        games = [game for script in scripts for game in _games(script)]
        answers: list[list[Answer]] = []
        for start in range(0, len(games), GAMES):
            answers += self._answers(games[start : start + GAMES])
        each = iter(answers)
        played = []
        for script in scripts:
            own = [iter(next(each)) for _ in script.sides]
            played.append(Played(tuple(next(own[number]) for number, _ in script.calls)))
        return played

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        """Not a number: what it does between its start and its end cannot be told apart."""
        return nan, nan

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        """None: it cannot be seen."""
        return None

    def fresh(self) -> "Command":
        """Itself: it is started anew all the time."""
        return self

    def close(self) -> None:
        """Nothing is left running."""

    def _answers(self, games: list[tuple[int, list[Move]]]) -> Iterator[list[Answer]]:
        """What the program answers to each move of the games."""
        text = "".join(
            f"{json.dumps(['TicTacToe', *['move'] * len(moves)])}\n{json.dumps([[n], *moves])}\n"
            for n, moves in games
        )
        seconds = self._limits.seconds + PER_MOVE * sum(len(moves) for _, moves in games)
        process = Process(self._words, self._reads, self._limits, filters=True)
        try:
            lines = next(process.ask([Batch(text, len(games), seconds)]))
        finally:
            self.output = process.output
            process.close()
        for line, (_, moves) in zip(lines, games, strict=True):
            yield _read(line, len(moves))


def _games(script: Script) -> Iterator[tuple[int, list[Move]]]:
    """The game of each object."""
    for number, n in enumerate(script.sides):
        yield n, [move for which, move in script.calls if which == number]


def _read(line: str, moves: int) -> list[Answer]:
    """The answers in a line, without that of the constructor."""
    try:
        answers = json.loads(line)
    except (ValueError, RecursionError):
        answers = None
    if not isinstance(answers, list) or len(answers) != moves + 1:
        wanted = f"a line such as {json.dumps([None, *[0] * moves])[:60]} is expected"
        raise Failed("unreadable", f"it answered {line[:60]!r}: {wanted}")
    return [f"'{a}'" if isinstance(a, str) else json.dumps(a)[:200] for a in answers[1:]]
