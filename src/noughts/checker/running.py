"""A solution in a process of its own, whatever its language: what it is asked, in lines of text.

The process first writes a line of JSON that may say ``what``, ``problem`` and ``notes``.
It is asked one of these, each followed by scripts, one a line::

    play COUNT STATES   a line for each script: answers between tabs, the state first if STATES is 1
    time REPEATS        of one script: the shortest seconds to make the object, and to move
    size                of one script: bytes, or None

A script is the number of objects, the side of each, and then each call: the number of its object
unless there is one only, the row, the column and the player. A process that cannot go on
writes ``fail VERDICT MESSAGE`` and ends. It never learns what is right.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from noughts.checker.calls import line as shown
from noughts.checker.process import Batch, Limits, Process
from noughts.checker.solution import Failed, Move, Played, Problem, Script

CELLS = 40_000  # how much board a batch has: moves × n²
SCRIPTS = 2_000
NOTES = 10
DISTURBED = "it wrote to the channel of the checker"
# Seconds that a move may take, on average and besides `Limits.seconds`: the smaller of these.
PER_MOVE = 0.002
PER_CELL = 0.00005


@dataclass(frozen=True, slots=True)
class Program:
    """How a solution is run.

    Attributes:
        name, what, problem, language, notes: see `Solution`; the process may know better.
        words: the command.
        reads: the files that it must see.
        limits: what it may take.
        kept: anything that must live as long as this, as a folder does.
    """

    name: str
    language: str
    words: tuple[str, ...]
    reads: tuple[Path, ...]
    limits: Limits
    what: str = "class TicTacToe"
    problem: Problem = "TicTacToe"
    notes: tuple[str, ...] = ()
    kept: object = None


class Running:
    """A running program: a `noughts.checker.solution.Solution`.

    Raises:
        Failed: it cannot be started or read.
    """

    def __init__(self, program: Program) -> None:
        self._process = Process(program.words, program.reads, program.limits)
        try:
            ready = Batch("", 1, max(program.limits.seconds, 5))
            told = json.loads(next(self._process.ask([ready]))[0])
            # It may say anything, of any length: nothing but a line that can be shown is taken.
            notes = (*program.notes, *(shown(str(note)) for note in told.get("notes", ())[:NOTES]))
            problem: Problem = "tictactoe" if told.get("problem") == "tictactoe" else "TicTacToe"
            if "problem" not in told:
                problem = program.problem
            what = shown(str(told.get("what", program.what)))
        except (ValueError, AttributeError, TypeError):
            self._process.close()
            raise Failed("crashed", DISTURBED, self.output) from None
        self._program = replace(program, what=what, problem=problem, notes=notes)
        self.name, self.what, self.notes = program.name, what, notes
        self.problem, self.language = problem, program.language

    @property
    def output(self) -> str:
        """What it printed, as much as is kept."""
        return self._process.output

    def play(self, scripts: Sequence[Script], states: bool = False) -> list[Played]:
        """See `Solution.play`."""
        played: list[Played] = []
        disturbed = False
        try:
            for lines in self._process.ask(_batches(scripts, states, self._program.limits)):
                for line in lines:
                    script = scripts[len(played)]
                    answers = line.split("\t") if line else []
                    state = answers.pop(0) if states and answers else "-"
                    wanted = 1 if self.problem == "tictactoe" else len(script.calls)
                    seen = None if state == "-" else bytes.fromhex(state)
                    played.append(Played(tuple(answers), seen))
                    printable = line.replace("\t", "").isprintable()
                    disturbed = disturbed or not printable or len(answers) != wanted
        except ValueError:  # no state
            disturbed = True
        if disturbed:
            self._process.close()
            raise Failed("crashed", DISTURBED, self.output)
        return played

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        """See `Solution.seconds`."""
        make, move = self._one(f"time {repeats}", n, moves, repeats).split()
        return float(make), float(move)

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        """See `Solution.size`."""
        answer = self._one("size", n, moves, 1)
        return int(answer) if answer.isdigit() else None

    def fresh(self) -> "Running":
        """See `Solution.fresh`."""
        return Running(self._program)

    def close(self) -> None:
        """See `Solution.close`."""
        self._process.close()

    def _one(self, question: str, n: int, moves: Sequence[Move], repeats: int) -> str:
        """The answer to a question about one object."""
        script = _line(Script((n,), tuple((0, move) for move in moves)))
        seconds = self._program.limits.seconds + PER_MOVE * len(moves) * repeats
        return next(self._process.ask([Batch(f"{question}\n{script}\n", 1, seconds)]))[0]


def _batches(scripts: Sequence[Script], states: bool, limits: Limits) -> Iterator[Batch]:
    """The scripts in batches that take about as long."""
    part: list[Script] = []
    cells = 0
    for script in scripts:
        part.append(script)
        cells += (len(script.calls) + 1) * max(script.sides, default=1) ** 2
        if cells >= CELLS or len(part) >= SCRIPTS:
            yield _batch(part, cells, states, limits)
            part, cells = [], 0
    if part:
        yield _batch(part, cells, states, limits)


def _batch(scripts: list[Script], cells: int, states: bool, limits: Limits) -> Batch:
    moves = sum(len(script.calls) for script in scripts)
    seconds = limits.seconds + min(PER_MOVE * moves, PER_CELL * cells)
    lines = "\n".join(map(_line, scripts))
    return Batch(f"play {len(scripts)} {states:d}\n{lines}\n", len(scripts), seconds)


def _line(script: Script) -> str:
    """The script as a line."""
    calls = map(_move if len(script.sides) == 1 else _call, script.calls)
    return " ".join([str(len(script.sides)), *map(str, script.sides), *calls])


@lru_cache(1 << 16)
def _move(call: tuple[int, Move]) -> str:
    row, col, player = call[1]
    return f"{row} {col} {player}"


@lru_cache(1 << 16)
def _call(call: tuple[int, Move]) -> str:
    return f"{call[0]} {_move(call)}"
