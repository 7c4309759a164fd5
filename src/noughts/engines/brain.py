"""noughts as an engine that speaks the Gomocup protocol: its clock, its answers and its session."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from queue import SimpleQueue
from threading import Lock, Thread
from time import perf_counter

from noughts.engines.protocol import CONTINUOUS, UNLIMITED, K, Lines, cell_of, numbers_of, written
from noughts.errors import GameOver, IllegalMove, NoughtsError
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.names import GOMOCUP_RULES
from noughts.game.rules import Rules
from noughts.opponent import Advice, advise
from noughts.system import most_memory, processors

SIDES = range(K, 101)  # the supported sides of boards
MAX_STONES = SIDES[-1] ** 2  # lines of BOARD that are kept
OPENING: tuple[Cell, Cell, Cell] = (1, 1), (2, 2), (2, 4)
"""The three stones that it places for swap2, on any board.

On 15×15 and 20×20 both colours have the same potential, summed over the positions before and after
White's move. Nothing is proved about this opening."""

KEYS = {"timeout_turn", "timeout_match", "time_left", "rule", "max_memory", "thread_num"}
"""The keys of INFO that are not ignored."""

PROVED = {
    1: "wins, proved by",
    0: "cannot lose, proved by",
    -1: "loses against best play, proved by",
}

WITHOUT_LIMIT = 5.0  # seconds for a move if the manager has not set a limit
MARGIN, SHARE = 0.05, 0.05  # seconds and share of a limit left unused, for delays
MOVES_TO_COME = 20
"""Number of further moves that time is kept for, unless the board has fewer empty cells.

Each move gets an equal share of the time left, so the time shrinks but never runs out.
"""

MOST = 4  # such shares that one move can take if the best move changes or its score falls
CHUNK = 1 << 16  # bytes read at once

Thinker = Callable[[Game, float, float | None, int], Advice]
"""Returns advice, given a game, the maximum and average seconds, and the number of threads."""


@dataclass
class Clock:
    """The time limits set by a manager, in milliseconds.

    Attributes:
        turn: the limit for each move, 0 to move at once; None if not set.
        match: the limit for all moves of a game, 0 for no limit.
        left: the rest of `match`, which can be negative; None if the manager has not sent it.
        spent: seconds taken by the moves of this game so far.
    """

    turn: int | None = None
    match: int = 0
    left: int | None = None
    spent: float = 0.0

    def seconds(self, empty: int) -> tuple[float, float | None]:
        """Return the maximum and the share of the clock for the next move, in seconds.

        The maximum counts from the command for the move. The share, which can be larger, is None if
        the game has no clock, because saving time is then useless. `empty` is the number of empty
        cells.

        >>> Clock(turn=1000).seconds(400), Clock(turn=1000, left=2100).seconds(400)
        ((0.9, None), (0.4, 0.1))
        """
        most, share = WITHOUT_LIMIT, None
        left = None if self.left is None else self.left / 1000
        if left is None and self.match:
            left = self.match / 1000 - self.spent
        if left is not None and left < UNLIMITED // 1000:
            moves = 1 + max(1, min((empty + 1) // 2, MOVES_TO_COME))
            share = max(0.0, round(left / moves, 3))
            most = left / max(2, moves / MOST)
        if self.turn is not None:
            turn = self.turn / 1000 * (1 - SHARE) - MARGIN
            most = turn if share is None else min(most, turn)
        return max(0.0, round(most, 3)), share


class Refused(NoughtsError):
    """A command is refused; the answer is ERROR with this message."""


def think(game: Game, seconds: float, optimum: float | None, threads: int) -> Advice:
    """Return the advice of the strongest level."""
    return advise(game, level="strong", seconds=seconds, optimum=optimum, threads=threads)


class Brain:
    """The state that a manager has set, and the answers to its commands.

    A refused command changes nothing.

    >>> brain = Brain()
    >>> [*brain.answer("START 15", 0.0), *brain.answer("HELLO", 0.0)]
    ['OK', 'UNKNOWN HELLO']
    """

    def __init__(self, thinker: Thinker = think) -> None:
        self.moves: tuple[Cell, ...] = ()
        self._think_of = thinker
        self._shape: tuple[int, int] | None = None
        self._variant = "freestyle"
        self._clock = Clock()
        self._threads = 1
        self._notes: list[str] = []  # about INFO, which has no answer
        self._block: tuple[str, float, list[str]] | None = None  # a command that ends with DONE
        self._commands: dict[str, Callable[[str, float], Iterator[str]]] = {
            "START": self._start,
            "RECTSTART": self._start,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "PLAY": self._play,
            "TAKEBACK": self._undo,
            "ABOUT": self._about,
        }
        self._blocks = {"BOARD": self._board, "SWAP2BOARD": self._swap2}

    def answer(self, line: str, came: float) -> Iterator[str]:
        """Yield the lines of the answer to a command, each as soon as possible.

        Args:
            line: the command.
            came: when it arrived, in the time of `perf_counter`. The time of a move starts then.
        """
        word, rest = [*line.split(None, 1), "", ""][:2]
        word, rest = word.upper(), rest.strip()
        is_command = word in self._commands or word in self._blocks or word == "INFO"
        if self._block is not None and not is_command:
            name, began, stones = self._block
            if word != "DONE":
                if len(stones) <= MAX_STONES:
                    stones.append(line)
                return
            self._block = None
            yield from self._answered(partial(self._blocks[name], stones, began))
        elif word in self._blocks:
            self._block = word, came, []
        elif word == "INFO":
            self._info(rest)
        elif word in self._commands:
            self._block = None
            yield from self._answered(partial(self._commands[word], rest, came))
        elif word:
            yield f"UNKNOWN {line.strip()[:80]}"

    def _answered(self, answers: Callable[[], Iterator[str]]) -> Iterator[str]:
        """Yield the notes about INFO and then these answers, or ERROR for a refusal."""
        yield from (f"MESSAGE {note}" for note in self._notes)
        self._notes.clear()
        try:
            yield from answers()
        except NoughtsError as error:
            yield f"ERROR {error}"

    def _start(self, rest: str, _: float) -> Iterator[str]:
        """Answer START size or RECTSTART width,height."""
        sides = numbers_of(rest)
        if sides is None or len(sides) > 2:
            raise Refused(f"expected a board such as 20, or 30,20 after RECTSTART, got {rest!r}")
        width, height = sides * 2 if len(sides) == 1 else sides
        if width not in SIDES or height not in SIDES:
            raise Refused(f"the sides of a board must be {SIDES[0]} to {SIDES[-1]}, got {rest}")
        self._shape = height, width
        return self._restart(rest, _)

    def _restart(self, _: str, __: float) -> Iterator[str]:
        self._rules()
        self.moves = ()
        self._clock.spent = 0.0
        yield "OK"

    def _info(self, rest: str) -> None:
        """Store the value of an INFO key; unknown keys are ignored."""
        key, value = [*rest.split(None, 1), "", ""][:2]
        key = key.lower()
        if key not in KEYS:
            return
        pattern = r"-?[0-9]{1,18}" if key == "time_left" else r"[0-9]{1,18}"
        if not re.fullmatch(pattern, value, re.ASCII):
            self._notes.append(f"INFO {key} needs a number from 0, got {value[:40]!r}")
            return
        number = int(value)
        if key == "timeout_turn":
            self._clock.turn = number
        elif key == "timeout_match":
            self._clock.match = number
        elif key == "time_left":
            self._clock.left = number
        elif key == "thread_num":
            self._threads = max(1, min(number, processors()))
        elif key == "rule":
            self._variant = self._variant_of(number)
        elif 0 < number < (used := most_memory()):
            self._notes.append(f"max_memory is {number:,} bytes, but noughts uses {used:,}")

    def _variant_of(self, rule: int) -> str:
        """Return the variant with this number, or the nearest one with a note."""
        names = {number: name for name, number in GOMOCUP_RULES.items()}
        nearest = next((names[bit] for bit in (4, 8, 1) if rule & bit), "freestyle")
        if (number := GOMOCUP_RULES[nearest]) != rule:
            ends = ", and a win ends the game" if rule & CONTINUOUS else ""
            self._notes.append(f"rule {rule} is not supported; playing rule {number}{ends}")
        return nearest

    def _begin(self, _: str, came: float) -> Iterator[str]:
        if self.moves:
            raise Refused(f"BEGIN needs an empty board, but this one has {len(self.moves)} stones")
        return self._move(self._game(()), came)

    def _turn(self, rest: str, came: float) -> Iterator[str]:
        return self._move(self._game((*self.moves, _cell(rest))), came)

    def _play(self, rest: str, _: float) -> Iterator[str]:
        cell = _cell(rest)
        self.moves = self._game((*self.moves, cell)).history
        yield written(cell)

    def _undo(self, rest: str, _: float) -> Iterator[str]:
        cell = _cell(rest)
        if self.moves[-1:] != (cell,):
            raise Refused(f"the last move is not {written(cell)}")
        self.moves = self.moves[:-1]
        yield "OK"

    def _board(self, lines: list[str], came: float) -> Iterator[str]:
        """Answer BOARD: x,y,1 is a stone of noughts, x,y,2 a stone of the other player."""
        stones = list[tuple[Cell, int]]()
        for line in lines:
            numbers = numbers_of(line)
            if numbers is None or len(numbers) != 3 or numbers[2] not in (1, 2):
                raise Refused(
                    f"expected a stone of BOARD such as 7,8,1 or 7,8,2, got {line[:80]!r}"
                )
            col, row, owner = numbers
            stones.append(((row, col), owner))
        return self._move(self._game(_in_order(stones)), came)

    def _move(self, game: Game, came: float) -> Iterator[str]:
        """Choose and play a move, and yield the thoughts about it and the move."""
        advice, seconds = self._advice(game, came)
        game.play(advice.cell)
        self.moves = game.history
        self._clock.spent += perf_counter() - came
        yield f"DEBUG {perf_counter() - came:.3f} s used of {seconds:.3f} s"
        yield f"MESSAGE {_thought(advice)}"
        yield written(advice.cell)

    def _swap2(self, lines: list[str], came: float) -> Iterator[str]:
        """Answer SWAP2BOARD, with none, three or five stones so far.

        Player A places three stones, black, white and black. Player B takes Black (swaps), or keeps
        White and places the fourth stone, or places the fourth and fifth and lets A choose the
        colour. noughts never chooses the last option.
        """
        cells = list(map(_cell, lines))
        game = self._game(cells)
        if not cells:
            yield " ".join(map(written, OPENING))
        elif len(cells) in (3, 5):
            advice, _ = self._advice(game, came)
            yield f"MESSAGE {_thought(advice)}"
            yield "SWAP" if swaps(advice) else written(advice.cell)
        else:
            raise Refused(f"SWAP2BOARD needs 0, 3 or 5 stones, got {len(cells)}")

    def _about(self, _: str, __: float) -> Iterator[str]:
        from importlib.metadata import version  # slow to import

        yield f'name="noughts", version="{version("noughts")}", author="the noughts authors"'

    def _advice(self, game: Game, came: float) -> tuple[Advice, float]:
        """Return advice and the time limit for it, in seconds."""
        if game.outcome is not None:
            raise Refused("the game is over")
        seconds, optimum = self._clock.seconds(game.rules.cells - game.ply)
        left = max(0.0, seconds - (perf_counter() - came))
        return self._think_of(game, left, optimum, self._threads), seconds

    def _rules(self) -> Rules:
        if self._shape is None:
            raise Refused("send START first")
        return Rules(self._shape, K, variant=self._variant)

    def _game(self, moves: list[Cell] | tuple[Cell, ...]) -> Game:
        game = Game(self._rules())
        for ply, cell in enumerate(moves, start=1):
            try:
                game.play(cell)
            except IllegalMove as error:
                order = "" if isinstance(error, GameOver) else ", as (row, column)"
                raise Refused(f"{written(cell)} cannot be move {ply}: {error}{order}") from None
        return game


def _cell(text: str) -> Cell:
    cell = cell_of(text)
    if cell is None:
        raise Refused(f"expected a cell such as 7,8, got {text[:80]!r}")
    return cell


def _in_order(stones: list[tuple[Cell, int]]) -> list[Cell]:
    """Return the stones of BOARD in the order of play: the players alternate, in the given order.

    The owner of the stones marked 1 is to move, and so has as many as the other or one less.
    """
    own, other = ([cell for cell, owner in stones if owner == whose] for whose in (1, 2))
    if len(other) - len(own) not in (0, 1):
        raise Refused(f"BOARD has {len(own)} stones with 1 and {len(other)} with 2")
    first, second = (own, other) if len(own) == len(other) else (other, own)
    return [cell for pair in zip_longest(first, second) for cell in pair if cell is not None]


def swaps(advice: Advice) -> bool:
    """Return whether to take Black, after three or five stones, instead of playing the advice.

    The proven value decides, or else whether less than half the points are expected.
    """
    if advice.value is not None:
        return advice.value < 0
    return advice.chance is not None and advice.chance < 50


def _thought(advice: Advice) -> str:
    known = ["nothing is proved"]
    if advice.value is not None:
        known = [f"{PROVED[advice.value]} {advice.proof}"]
    if advice.plies is not None:
        end = "lost" if advice.value == -1 or advice.chance == 0 else "won"
        seen = "seems " if advice.value is None else ""
        known.append(f"{seen}{end} in {advice.plies} plies")
    if advice.chance is not None:
        known.append(f"chance {advice.chance}%")
    if advice.depth is not None:
        known.append(f"depth {advice.depth}")
    if advice.line:
        known.append(f"line {' '.join(map(written, advice.line))}")
    return f"{written(advice.cell)} {', '.join(known)}"


class _Ended(Exception):
    """The manager has ended the session."""


def converse(commands: int, say: Callable[[str], None], thinker: Thinker = think) -> None:
    """Answer a manager until END or the end of its commands.

    Commands before the end are still answered, up to the first that needs a move. If noughts is
    thinking, the process exits at once. `commands` is a file descriptor; `say` writes a line.
    """
    came = SimpleQueue[tuple[str, float] | None]()
    state = Lock()  # protects the next two
    ended = thinking = False

    def listen() -> None:
        nonlocal ended
        lines = Lines()
        # not sys.stdin, because the waiting thread would hold its lock when Python exits
        while chunk := os.read(commands, CHUNK):
            now = perf_counter()
            for line in lines.of(chunk):
                if line.split()[0].upper() == "END":
                    break
                came.put((line, now))
            else:
                continue
            break
        with state:
            ended = True
            if thinking:
                os._exit(0)
        came.put(None)

    def advice(game: Game, seconds: float, optimum: float | None, threads: int) -> Advice:
        nonlocal thinking
        with state:
            if ended:
                raise _Ended
            thinking = True
        try:
            return thinker(game, seconds, optimum, threads)
        finally:
            with state:
                thinking = False

    brain = Brain(advice)
    Thread(target=listen, daemon=True).start()
    while (command := came.get()) is not None:
        try:
            for line in brain.answer(*command):
                say(line)
        except _Ended:
            return
