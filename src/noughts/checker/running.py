"""A solution in a process of its own, whatever its language: what it is asked, in lines of text.

The process first writes a line of JSON: ``{"found": {NAME: PROBLEM}, "lines": {NAME: TEXT},
"notes": [SENTENCE]}``, of which it may leave out all but the first. It reads the name of what is
judged. Then it is asked one of these, each followed by games, one a line::

    play COUNT        a line for each game, its answers between tabs
    together COUNT    the same, by objects that are all alive at once and move in turn
    states COUNT      as play, after the state in hexadecimal; asked if "lines" were told
    time REPEATS      of one game: the shortest seconds to make the object, and to move
    size 1            of one game: bytes

A game is the side of the board, then the row, the column and the player of each move. A process
that cannot go on writes ``fail VERDICT MESSAGE`` and ends. It never learns what is right.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from noughts.checker.calls import line
from noughts.checker.process import Limits, Process
from noughts.checker.solution import Failed, Game, How, Move, Played, Problem, chosen

NOTES = 10
DISTURBED = "it wrote to the channel of the checker"
# Seconds that a move may take, on average and besides `Limits.seconds`: the smaller of these.
PER_MOVE = 0.002
PER_CELL = 0.00005


@dataclass(frozen=True, slots=True)
class Program:
    """How a solution is run.

    Attributes:
        path: of its file.
        wanted: the name of what is judged, if one is asked for.
        language: of the file.
        words: the command.
        reads: the files that it must see.
        limits: what it may take.
        found: see `chosen`; if it is empty, the process says it.
        kept: anything that must live as long as this, as a folder does.
    """

    path: Path
    wanted: str | None
    language: str
    words: Sequence[str]
    reads: Sequence[Path]
    limits: Limits
    found: Mapping[str, Problem] = field(default_factory=dict)
    kept: object = None


class Running:
    """A running program: a `noughts.checker.solution.Solution`.

    Raises:
        Failed: it cannot be started or read.
    """

    def __init__(self, program: Program) -> None:
        self._program, self._process = (
            program,
            Process(program.words, program.reads, program.limits),
        )
        self.name: str = program.path.name
        self.language: str = program.language
        told = self._process.ask("", 1, max(program.limits.seconds, 5))[0]
        try:
            # It may say anything, of any length: nothing but lines that can be shown are taken.
            said = json.loads(told)
            found = program.found or {line(name): of for name, of in said["found"].items()}
            notes = [line(str(note)) for note in said.get("notes", ())[:NOTES]]
            choice = chosen(found, program.wanted, notes)
            self._has_states = "lines" in said
            self.what: str = choice.what + line(str(said.get("lines", {}).get(choice.name, "")))
        except Failed:
            self._process.close()
            raise
        except (ValueError, AttributeError, TypeError, KeyError):
            raise self._disturbed() from None
        self.problem: Problem = choice.problem
        self.notes: tuple[str, ...] = choice.notes
        self._process.ask(f"{choice.name}\n", 0, 0)

    @property
    def output(self) -> str:
        """See `Solution`."""
        return self._process.output

    def play(self, games: Sequence[Game], how: How = "play") -> list[Played]:
        """See `Solution`."""
        states = how == "states" and self._has_states
        how = "states" if states else "play" if how == "states" else how
        moves = sum(len(game.moves) for game in games)
        cells = sum(len(game.moves) * game.n**2 for game in games)
        seconds = self._program.limits.seconds + min(PER_MOVE * moves, PER_CELL * cells)
        text = "".join(map(_line, games))
        found = self._process.ask(f"{how} {len(games)}\n{text}", len(games), seconds)
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
        """See `Solution.seconds`."""
        make, move = self._measured(f"time {repeats}", n, moves, repeats).split()
        return float(make), float(move)

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        """See `Solution.size`."""
        return int(self._measured("size 1", n, moves, 1))

    def fresh(self) -> "Running":
        """See `Solution.fresh`."""
        return Running(self._program)

    def close(self) -> None:
        """See `Solution.close`."""
        self._process.close()

    def _measured(self, question: str, n: int, moves: Sequence[Move], repeats: int) -> str:
        """The answer to a question about one object."""
        seconds = self._program.limits.seconds + PER_MOVE * len(moves) * repeats
        return self._process.ask(f"{question}\n{_line(Game(n, tuple(moves)))}", 1, seconds)[0]

    def _disturbed(self) -> Failed:
        """Something else than answers has come."""
        self._process.close()
        return Failed("crashed", DISTURBED, self.output)


def _line(game: Game) -> str:
    """The game as a line."""
    return " ".join([str(game.n), *map(_move, game.moves)]) + "\n"


@lru_cache(1 << 16)
def _move(move: Move) -> str:
    return "{} {} {}".format(*move)
