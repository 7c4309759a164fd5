"""noughts as an engine of the Gomocup protocol: what it answers to each command."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import zip_longest
from time import perf_counter

from noughts.engines.clock import Clock
from noughts.engines.protocol import CONTINUOUS, K, cell_of, numbers_of, written
from noughts.errors import GameOver, IllegalMove, NoughtsError
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.names import GOMOCUP_RULES
from noughts.game.rules import Rules
from noughts.opponent import Advice, advise
from noughts.system import most_memory, processors

SIDES = range(K, 101)
"""The sides of boards that it plays on."""

MAX_STONES = SIDES[-1] ** 2
"""How many lines of BOARD are kept."""

OPENING: tuple[Cell, Cell, Cell] = (1, 1), (2, 2), (2, 4)
"""The three stones that it places for swap2, on any board.

On 15×15 and 20×20 neither colour has the greater potential, summed over the positions before and
after White's move. Nothing is proved about them."""

KEYS = {"timeout_turn", "timeout_match", "time_left", "rule", "max_memory", "thread_num"}
"""Of INFO, the others are ignored."""

PROVED = {
    1: "wins, proved by",
    0: "cannot lose, proved by",
    -1: "loses against best play, proved by",
}

Thinker = Callable[[Game, float, float | None, int], Advice]
"""What gives advice in a game, in at most, and usually, so many seconds, with so many threads."""


class Refused(NoughtsError):
    """A command that cannot be obeyed; the answer is ERROR with this message."""


def think(game: Game, seconds: float, optimum: float | None, threads: int) -> Advice:
    """The advice of the strongest level."""
    return advise(game, level="strong", seconds=seconds, optimum=optimum, threads=threads)


class Brain:
    """The board, the rules and the limits that a manager has set, and what noughts answers.

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
            "TAKEBACK": self._take_back,
            "ABOUT": self._about,
        }
        self._blocks = {"BOARD": self._board, "SWAP2BOARD": self._swap2}

    def answer(self, line: str, came: float) -> Iterator[str]:
        """The lines of the answer to a line of the manager, each as soon as it is known.

        A move's time counts from when the line came, in the time of `perf_counter`.
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
        """The notes about INFO, and then these lines; ERROR for a refusal."""
        yield from (f"MESSAGE {note}" for note in self._notes)
        self._notes.clear()
        try:
            yield from answers()
        except NoughtsError as error:
            yield f"ERROR {error}"

    # A new game

    def _start(self, rest: str, _: float) -> Iterator[str]:
        """START size, or RECTSTART width,height."""
        sides = numbers_of(rest)
        if sides is None or len(sides) > 2:
            raise Refused(f"a board is written as 20, or as 30,20 after RECTSTART, not {rest!r}")
        width, height = sides * 2 if len(sides) == 1 else sides
        if width not in SIDES or height not in SIDES:
            raise Refused(f"the sides of a board are {SIDES[0]} to {SIDES[-1]}, not {rest}")
        self._shape = height, width
        return self._restart(rest, _)

    def _restart(self, _: str, __: float) -> Iterator[str]:
        self._rules()
        self.moves = ()
        self._clock.spent = 0.0
        yield "OK"

    def _info(self, rest: str) -> None:
        """INFO key value; other keys are ignored."""
        key, value = [*rest.split(None, 1), "", ""][:2]
        key = key.lower()
        if key not in KEYS:
            return
        pattern = r"-?[0-9]{1,18}" if key == "time_left" else r"[0-9]{1,18}"
        if not re.fullmatch(pattern, value, re.ASCII):
            self._notes.append(f"INFO {key} needs a number from 0, not {value[:40]!r}")
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
        """The variant with this number; if there is none, the nearest one, and a note."""
        names = {number: name for name, number in GOMOCUP_RULES.items()}
        nearest = next((names[bit] for bit in (4, 8, 1) if rule & bit), "freestyle")
        if (number := GOMOCUP_RULES[nearest]) != rule:
            ends = ", and a win ends the game" if rule & CONTINUOUS else ""
            self._notes.append(f"noughts has no rule {rule}: it plays rule {number}{ends}")
        return nearest

    # Moves

    def _begin(self, _: str, came: float) -> Iterator[str]:
        if self.moves:
            raise Refused(f"BEGIN is for an empty board, and this one has {len(self.moves)} stones")
        return self._move(self._game(()), came)

    def _turn(self, rest: str, came: float) -> Iterator[str]:
        return self._move(self._game((*self.moves, _cell(rest))), came)

    def _play(self, rest: str, _: float) -> Iterator[str]:
        cell = _cell(rest)
        self.moves = self._game((*self.moves, cell)).history
        yield written(cell)

    def _take_back(self, rest: str, _: float) -> Iterator[str]:
        cell = _cell(rest)
        if self.moves[-1:] != (cell,):
            raise Refused(f"the last move is not {written(cell)}")
        self.moves = self.moves[:-1]
        yield "OK"

    def _board(self, lines: list[str], came: float) -> Iterator[str]:
        """BOARD: x,y,1 is a stone of noughts, x,y,2 one of the other player."""
        stones = list[tuple[Cell, int]]()
        for line in lines:
            numbers = numbers_of(line)
            if numbers is None or len(numbers) != 3 or numbers[2] not in (1, 2):
                raise Refused(f"a stone of BOARD is written as 7,8,1 or 7,8,2, not {line[:80]!r}")
            col, row, owner = numbers
            stones.append(((row, col), owner))
        return self._move(self._game(_in_order(stones)), came)

    def _move(self, game: Game, came: float) -> Iterator[str]:
        """Think, say what is known, and make the move."""
        advice, seconds = self._advice(game, came)
        game.play(advice.cell)
        self.moves = game.history
        self._clock.spent += perf_counter() - came
        yield f"DEBUG {perf_counter() - came:.3f} s used of {seconds:.3f} s"
        yield f"MESSAGE {_thought(advice)}"
        yield written(advice.cell)

    def _swap2(self, lines: list[str], came: float) -> Iterator[str]:
        """SWAP2BOARD: the stones so far, none, three or five.

        Player A places three stones, black, white and black. Player B takes Black (swaps), or stays
        White and places the fourth stone, or places the fourth and fifth and lets A choose the
        colour. noughts never does the last.
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
            raise Refused(f"SWAP2BOARD has no stones, three or five, not {len(cells)}")

    def _about(self, _: str, __: float) -> Iterator[str]:
        from importlib.metadata import version  # a tenth of the time to start

        yield f'name="noughts", version="{version("noughts")}", author="the noughts authors"'

    def _advice(self, game: Game, came: float) -> tuple[Advice, float]:
        """A move, and the most seconds that it was allowed to take."""
        if game.outcome is not None:
            raise Refused("the game is over")
        seconds, optimum = self._clock.seconds(game.rules.cells - game.ply)
        left = max(0.0, seconds - (perf_counter() - came))
        return self._think_of(game, left, optimum, self._threads), seconds

    def _rules(self) -> Rules:
        if self._shape is None:
            raise Refused("there is no board yet: send START first")
        return Rules(self._shape, K, variant=self._variant)

    def _game(self, moves: list[Cell] | tuple[Cell, ...]) -> Game:
        """The game with these moves."""
        game = Game(self._rules())
        for ply, cell in enumerate(moves, start=1):
            try:
                game.play(cell)
            except IllegalMove as error:
                order = "" if isinstance(error, GameOver) else ", as (row, column)"
                raise Refused(f"{written(cell)} cannot be move {ply}: {error}{order}") from None
        return game


def _cell(text: str) -> Cell:
    """The cell written as x,y."""
    cell = cell_of(text)
    if cell is None:
        raise Refused(f"a cell is written as 7,8, not {text[:80]!r}")
    return cell


def _in_order(stones: list[tuple[Cell, int]]) -> list[Cell]:
    """The stones of BOARD in the order of play: the owners take turns, each in the order given.

    The owner of the stones marked 1 is to move, so has as many as the other or one less.
    """
    own, other = ([cell for cell, owner in stones if owner == whose] for whose in (1, 2))
    if len(other) - len(own) not in (0, 1):
        raise Refused(f"BOARD has {len(own)} stones of mine and {len(other)} of the other player's")
    first, second = (own, other) if len(own) == len(other) else (other, own)
    return [cell for pair in zip_longest(first, second) for cell in pair if cell is not None]


def swaps(advice: Advice) -> bool:
    """Whether to take Black, after three or five stones, instead of making the advised move.

    What is proved decides, or else whether less than half the points are expected.
    """
    if advice.value is not None:
        return advice.value < 0
    return advice.chance is not None and advice.chance < 50


def _thought(advice: Advice) -> str:
    """What is known about a move."""
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
