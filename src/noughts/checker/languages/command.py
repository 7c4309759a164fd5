"""Programs in any language that read call lists, two lines per game, and write one line per game.

A program is restarted for every few thousand games. Its input ends after the last of them, so that
it may write all its answers at the end.
"""

import json
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from math import nan
from pathlib import Path

from noughts.checker.reading.convention import PLAIN, Convention
from noughts.checker.sandbox import DEFAULT, Sandbox
from noughts.checker.solution import Failed, Game, How, Move, Played, Problem

PER_MOVE = 0.0002  # seconds, in addition to `Limits.seconds`


class Command:
    """A program behind a command line: a `noughts.checker.solution.Solution`.

    It plays one game after another, even those meant for simultaneous objects. Raises Failed,
    "unusable", if the program does not exist.
    """

    problem: Problem = "TicTacToe"
    language = "command"
    notes: tuple[str, ...] = ()
    convention: Convention = PLAIN

    def __init__(self, line: str) -> None:
        self.name: str = line
        self.what: str = f"the program {line}"
        self.output: str = ""
        self._limits = replace(DEFAULT, addresses=None)
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise Failed("unusable", f"{line}: {error}") from None
        program = shutil.which(words[0]) if words else None
        if program is None:
            raise Failed("unusable", f"{line}: command not found")
        # It runs in another folder, so its arguments that are files here become absolute paths.
        here = [Path(word).resolve() if Path(word).exists() else None for word in words[1:]]
        self._words = [str(Path(program).absolute())]
        self._words += [str(path or word) for path, word in zip(here, words[1:], strict=True)]
        home = Path(program).absolute() if "/" in words[0] else Path(program).resolve().parents[1]
        python = (Path(sys.prefix), Path(sys.base_prefix)) * ("python" in Path(program).name)
        self._reads = [home, Path(program).absolute(), *python, *filter(None, here)]

    def play(self, games: Sequence[Game], how: How = "play") -> list[Played]:
        """Play games; see `Solution.play`."""
        text = "".join(
            f"{json.dumps(['TicTacToe', *['move'] * len(game.moves)])}\n"
            f"{json.dumps([[game.n], *game.moves])}\n"
            for game in games
        )
        seconds = self._limits.seconds + PER_MOVE * sum(len(game.moves) for game in games)
        process = Sandbox(self._words, self._reads, self._limits, filters=True)
        try:
            lines = process.request(text, len(games), seconds)
        finally:
            self.output = process.output
            process.close()
        return [_read(line, len(game.moves)) for line, game in zip(lines, games, strict=True)]

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        """Return NaN, because the start of the program cannot be separated from its moves."""
        return nan, nan

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        """Return None, because its memory is not accessible."""
        return None

    def adopt(self, convention: Convention) -> None:
        """Read its answers by this convention; see `Solution.adopt`."""
        self.convention = convention

    def fresh(self) -> "Command":
        """Return itself, because the program is restarted all the time."""
        return self

    def close(self) -> None:
        """Do nothing: no process is left running."""


def _read(line: str, moves: int) -> Played:
    """Parse the answers in a line, except the constructor's."""
    try:
        answers = json.loads(line)
    except (ValueError, RecursionError):
        answers = None
    if not isinstance(answers, list) or len(answers) != moves + 1:
        wanted = f"expected a line such as {json.dumps([None, *[0] * moves])[:60]}"
        raise Failed("unusable", f"it answered {line[:60]!r}, {wanted}")
    return Played(
        tuple(f"'{a}'" if isinstance(a, str) else json.dumps(a)[:200] for a in answers[1:])
    )
