"""Solutions in any language that run in their own process, and the protocol they speak.

The process first writes a line of JSON: ``{"found": {NAME: PROBLEM}, "lines": {NAME: TEXT},
"notes": [SENTENCE]}``, where only ``found`` is required. It then reads the name of the class or
function to judge, and answers these requests, each followed by games, one per line::

    play COUNT        one line per game: its answers, separated by tabs
    together COUNT    the same, with objects that exist at the same time and move in turn
    states COUNT      like play, preceded by the state in hexadecimal; only if it sent "lines"
    time REPEATS      for one game: the shortest times to create the object and to move, in seconds
    size 1            for one game: the size of the object in bytes

A game is written as the size of the board, then the row, column and player of each move. A process
that cannot continue writes ``fail VERDICT MESSAGE`` and exits. It never receives the right answers.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from noughts.checker.calls import line
from noughts.checker.sandbox import Limits, Sandbox
from noughts.checker.solution import Failed, Game, How, Move, Played, Problem, chosen

NOTES = 10
# Average seconds allowed per move in addition to `Limits.seconds`: the smaller sum counts.
PER_MOVE = 0.002
PER_CELL = 0.00005  # for each cell of the board


@dataclass(frozen=True, slots=True)
class Program:
    """The way to run a solution.

    Attributes:
        path: its file.
        wanted: the name of the class or function to judge, if requested.
        language: the language of the file.
        words: the command.
        reads: the files that it must be able to read.
        limits: the limits of its process.
        found: the candidates, see `chosen`; if empty, the process reports them.
        kept: an object that must live as long as this one, such as a temporary folder.
    """

    path: Path
    wanted: str | None
    language: str
    words: Sequence[str]
    reads: Sequence[Path]
    limits: Limits
    found: Mapping[str, Problem] = field(default_factory=dict)
    kept: object = None


class IsolatedSolution:
    """A `Solution` in a process of its own. Raises Failed if it cannot be started or read."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._process = Sandbox(program.words, program.reads, program.limits)
        self.name: str = program.path.name
        self.language: str = program.language
        first = self._process.request("", 1, max(program.limits.seconds, 5))[0]
        try:
            # The process is not trusted: names and notes are shortened and made printable.
            fields = json.loads(first)
            found = program.found or {line(name): of for name, of in fields["found"].items()}
            notes = [line(str(note)) for note in fields.get("notes", ())[:NOTES]]
            choice = chosen(found, program.wanted, notes)
            self._has_states = "lines" in fields
            self.what: str = choice.what + line(str(fields.get("lines", {}).get(choice.name, "")))
        except Failed:
            self._process.close()
            raise
        except (ValueError, AttributeError, TypeError, KeyError):
            raise self._disturbed() from None
        self.problem: Problem = choice.problem
        self.notes: tuple[str, ...] = choice.notes
        self._process.request(f"{choice.name}\n", 0, 0)

    @property
    def output(self) -> str:
        """The beginning of its printed output so far."""
        return self._process.output

    def play(self, games: Sequence[Game], how: How = "play") -> list[Played]:
        """Play games; see `Solution.play`."""
        states = how == "states" and self._has_states
        how = "states" if states else "play" if how == "states" else how
        moves = sum(len(game.moves) for game in games)
        cells = sum(len(game.moves) * game.n**2 for game in games)
        seconds = self._program.limits.seconds + min(PER_MOVE * moves, PER_CELL * cells)
        text = "".join(map(_line, games))
        found = self._process.request(f"{how} {len(games)}\n{text}", len(games), seconds)
        played = []
        for game, said in zip(games, found, strict=True):
            state, answers = "", said.split("\t")
            if states:
                state, *answers = answers
            played.append(Played(tuple(answers), state.encode() or None))
            if len(answers) != len(game.right) or not said.replace("\t", "").isprintable():
                raise self._disturbed()
        return played

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        """Measure times; see `Solution.seconds`."""
        make, move = self._measured(f"time {repeats}", n, moves, repeats).split()
        return float(make), float(move)

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        """Measure an object; see `Solution.size`."""
        return int(self._measured("size 1", n, moves, 1))

    def fresh(self) -> "IsolatedSolution":
        """Start another process of the same program."""
        return IsolatedSolution(self._program)

    def close(self) -> None:
        """Kill the process."""
        self._process.close()

    def _measured(self, question: str, n: int, moves: Sequence[Move], repeats: int) -> str:
        """Return the answer to a request about one object."""
        seconds = self._program.limits.seconds + PER_MOVE * len(moves) * repeats
        return self._process.request(f"{question}\n{_line(Game(n, tuple(moves)))}", 1, seconds)[0]

    def _disturbed(self) -> Failed:
        """Close the process and return the error for output that is not an answer."""
        self._process.close()
        return Failed("crashed", "it wrote to the checker's channel", self.output)


def _line(game: Game) -> str:
    return " ".join([str(game.n), *map(_move, game.moves)]) + "\n"


@lru_cache(1 << 16)
def _move(move: Move) -> str:
    return "{} {} {}".format(*move)
