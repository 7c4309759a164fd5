"""Solutions in any language that run in their own process, and the protocol they speak.

The process first writes a line of JSON, a list of notes on the file. It then answers requests, one
per line; after an empty line it sends the answers that it has written::

    p GAME           the answers of a new object, separated by tabs
    s GAME           the same, preceded by the state; only in Python and JavaScript
    o SLOT N         nothing: puts a new object for boards of this size in one of 64 places
    m SLOT N MOVE    the answer of the object there
    t GAME           the times to create an object and to make the moves, in the thread's seconds
    b GAME           the size of an object after the moves, in bytes

A game is written as the size of the board, then the row, column and player of each move. A process
that cannot continue writes ``fail VERDICT MESSAGE`` and exits. It never receives the right answers.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from hashlib import blake2b
from math import inf
from pathlib import Path
from typing import Protocol

from noughts.checker.calls import line
from noughts.checker.problems.problem import Candidate
from noughts.checker.reading.convention import Convention
from noughts.checker.sandbox import Limits, Sandbox
from noughts.checker.solution import Failed, Game, How, Move, Played, Problem

NOTES = 10
LINES = 1 << 12  # lines of answers to remember
# Average seconds allowed per move in addition to `Limits.seconds`; the smaller sum counts.
PER_MOVE = 0.01  # a right class may look at every cell of a large board after each move
PER_CELL = 0.00005  # for each cell of the board


class Process(Protocol):
    """What runs a solution: a `noughts.checker.sandbox.Sandbox`, or an interpreter in a browser."""

    @property
    def output(self) -> str:
        """The beginning of its printed output."""

    def request(self, text: str, count: int, seconds: float) -> list[str]:
        """Send a text and return the next `count` lines of the answer; see `Sandbox.request`."""

    def close(self) -> None:
        """End it."""


@dataclass(frozen=True, slots=True)
class Program:
    """The way to run a solution.

    Attributes:
        path: its file.
        candidate: the class or function to judge.
        language: the language of the file.
        words: the command.
        reads: the files that it must be able to read.
        limits: the limits of its process.
        has_states: whether the process answers ``states``.
        kept: an object that must live as long as this one, such as a temporary folder.
    """

    path: Path
    candidate: Candidate
    language: str
    words: Sequence[str]
    reads: Sequence[Path]
    limits: Limits
    has_states: bool = False
    kept: object = None

    def start(self) -> Process:
        """Start it. Raises Failed if it cannot be started."""
        return Sandbox(self.words, self.reads, self.limits)


class IsolatedSolution:
    """A `Solution` in a process of its own. Raises Failed if it cannot be started or read."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._process = program.start()
        self.name: str = program.path.name
        self.language: str = program.language
        first = self._process.request("", 1, max(program.limits.seconds, 5))[0]
        try:
            # The process is not trusted: notes are shortened and made printable.
            notes = [line(str(note)) for note in json.loads(first)[:NOTES]]
        except (ValueError, TypeError, RecursionError):
            raise self._disturbed() from None
        _, _, self.what, self.convention = program.candidate
        self.problem: Problem = self.convention.problem
        self.notes: tuple[str, ...] = (*notes, *self.convention.notes)
        self.adopt(self.convention)

    @property
    def output(self) -> str:
        """The beginning of its printed output so far."""
        return self._process.output

    def play(self, games: Sequence[Game], how: How = "play") -> list[Played]:
        """Play games; see `Solution.play`."""
        states = how == "states" and self._program.has_states
        moves = sum(len(game.moves) for game in games)
        cells = sum(len(game.moves) * game.n**2 for game in games)
        seconds = self._program.limits.seconds + min(PER_MOVE * moves, PER_CELL * cells)
        if how == "together" and not self.convention.whole:
            return self._play_together(games, seconds)
        verb = "s" if states else "p"
        sent = self.convention.sent
        text = "".join(f"{verb} {_line(game.n, sent(game.moves))}\n" for game in games)
        found = self._process.request(f"{text}\n", len(games), seconds)
        played = []
        for game, said in zip(games, found, strict=True):
            state, _, answered = said.partition("\t") if states else ("", "", said)
            each = self._read(answered, game.moves[0][2] if game.moves else 1)
            if len(each.answers) != len(game.right) or not state.isprintable():
                raise self._disturbed()
            played.append(each._replace(state=_digest(state)) if state else each)
        return played

    def _play_together(self, games: Sequence[Game], seconds: float) -> list[Played]:
        """Play games with objects that exist at the same time and move in turn."""
        lines = [f"o {slot} {game.n}\n" for slot, game in enumerate(games)]
        order = [
            slot
            for ply in range(max(len(game.moves) for game in games))
            for slot, game in enumerate(games)
            if ply < len(game.moves)
        ]
        rest = [iter(self.convention.sent(game.moves)) for game in games]
        lines += [f"m {slot} {games[slot].n} {_move(next(rest[slot]))}\n" for slot in order]
        found = self._process.request("".join(lines) + "\n", len(order), seconds)
        answers: list[list[str]] = [[] for _ in games]
        for slot, said in zip(order, found, strict=True):
            answers[slot].append(said)
            if not said.isprintable():
                raise self._disturbed()
        pairs = zip(games, answers, strict=True)
        return [Played(self.convention.read(game.moves, said)) for game, said in pairs]

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        """Measure times; see `Solution.seconds`."""
        found = [times.split() for times in self._measured("t", n, moves, repeats)]
        try:
            makes, plays = zip(*((float(make), float(play)) for make, play in found), strict=True)
        except ValueError:
            raise self._disturbed() from None
        if not all(0 <= each < inf for each in (*makes, *plays)):
            raise self._disturbed()
        return min(makes), min(plays)

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        """Measure an object; see `Solution.size`."""
        size = self._measured("b", n, moves)[0]
        return int(size) if re.fullmatch(r"[0-9]{1,15}", size) else None

    def adopt(self, convention: Convention) -> None:
        """Read its answers by this convention; see `Solution.adopt`."""
        candidate = self._program.candidate._replace(convention=convention)
        self._program = replace(self._program, candidate=candidate)
        self.convention = convention
        # A few lines of answers recur in hundreds of thousands of games.
        self._read = lru_cache(LINES)(partial(_played, convention))

    def fresh(self) -> "IsolatedSolution":
        """Start another process of the same program."""
        return IsolatedSolution(self._program)

    def close(self) -> None:
        """Kill the process."""
        self._process.close()

    def _measured(self, verb: str, n: int, moves: Sequence[Move], repeats: int = 1) -> list[str]:
        """Return the answers to repeated requests about one object."""
        seconds = self._program.limits.seconds + repeats * PER_MOVE * len(moves)
        text = f"{verb} {_line(n, moves)}\n"
        return self._process.request(text * repeats + "\n", repeats, seconds)

    def _disturbed(self) -> Failed:
        """Close the process and return the error for output that is not an answer."""
        self._process.close()
        return Failed("crashed", "it wrote to the checker's channel", self.output)


def _played(convention: Convention, answered: str, first: int) -> Played:
    """Return the answers in a line to moves of alternating players; none if it is not printable."""
    if not answered.replace("\t", "").isprintable():
        return Played(())
    texts = answered.split("\t")
    moves = [(0, 0, first if ply % 2 == 0 else 3 - first) for ply in range(len(texts))]
    return Played(convention.read(moves, texts))


def _digest(state: str) -> bytes:
    """Return a digest of a state: thousands of games are compared by theirs."""
    return blake2b(state.encode(), digest_size=16).digest()


def _line(n: int, moves: Sequence[Move]) -> str:
    return " ".join([str(n), *map(_move, moves)])


@lru_cache(1 << 16)
def _move(move: Move) -> str:
    return "{} {} {}".format(*move)
