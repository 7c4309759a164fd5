"""Engines of the Gomocup protocol as players, with a time limit."""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from time import perf_counter
from typing import TypeVar

from noughts.engines.process import EngineError, Process
from noughts.engines.program import Program
from noughts.engines.protocol import UNLIMITED, K, cell_of, written
from noughts.errors import short_repr
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.names import GOMOCUP_RULES
from noughts.game.rules import Rules, as_rules

STARTING = 10.0  # seconds that an engine may take to start a game
TOLERANCE = 0.1  # seconds by which an answer may be late, for delays of pipes and busy machines
PATIENCE = 1.0  # seconds after which a late engine counts as silent
T = TypeVar("T")


class Engine(Program[Process]):
    """A program that speaks the Gomocup protocol, as a player.

    It runs in its own session. Children that have left its process group outlive it.

    Args:
        command: the command that runs it, as words or as text to split like a shell.
        tolerance: seconds by which a move may be late.

    Attributes:
        name: the name that it reports, or until then the name of its file.

    Raises:
        ValueError: the command is empty or lacks a quotation mark.
    """

    def __init__(self, command: str | Sequence[str], *, tolerance: float = TOLERANCE) -> None:
        self._words = shlex.split(command) if isinstance(command, str) else [*command]
        if not self._words:
            raise ValueError("an engine's command must not be empty")
        super().__init__(PurePath(self._words[0]).stem.removeprefix("pbrain-"), tolerance)
        self._moves: tuple[Cell, ...] = ()  # on the engine's board
        self._limit: float | None = None  # as sent to the engine

    def __repr__(self) -> str:
        return f"Engine({shlex.join(self._words)!r}, tolerance={self._tolerance!r})"

    def start(self, rules: Rules | str) -> None:
        """Start a game, and the program if it is not running.

        Raises:
            EngineError: it does not start or does not answer OK within `STARTING` seconds.
            ValueError: the protocol does not have these rules.
        """
        rules = as_rules(rules)
        self.check(rules)
        height, width = rules.shape
        size = f"START {width}" if height == width else f"RECTSTART {width},{height}"
        with self._named():
            self._process = self._process or Process(self._words)
            # do not wait for the answer to ABOUT, which some engines never send
            self._ask("OK", perf_counter() + STARTING, self._is_ready, "ABOUT", size)
        self._rules, self._moves, self._limit = rules, (), None

    def check(self, rules: Rules | str) -> None:
        """Raise ValueError if the protocol does not have these rules."""
        rules = as_rules(rules)
        if (
            (rules.k, rules.players, len(rules.shape), rules.gravity) != (K, 2, 2, False)
            or rules.variant not in GOMOCUP_RULES
            or rules.early_draw
        ):
            raise ValueError(f"the Gomocup protocol does not support {rules}")

    def move(self, game: Game, seconds: float) -> Cell:
        """Return the cell of its move, which may be illegal.

        Args:
            game: a game with the rules passed to `start`; it is not changed.
            seconds: time limit. The engine is not informed of the tolerance.

        Raises:
            EngineError: it does not answer with a cell in time.
            ValueError: it was not started with these rules.
        """
        self._running(game)
        *before, last = (*game.history,) or (None,)
        if before != [*self._moves] and self._moves:  # moves were undone
            self.start(game.rules)
        lines = [] if seconds == self._limit else _infos(game.rules, seconds)
        lines.append(f"INFO time_left {UNLIMITED}")
        if last is None:
            lines.append("BEGIN")
        elif before == [*self._moves]:
            lines.append(f"TURN {written(last)}")
        else:
            lines += _board(game)
        began = perf_counter()
        limit = seconds + self._tolerance
        with self._named():
            cell = self._ask("a move", began + limit + PATIENCE, self._cell_or_suggestion, *lines)
            took = perf_counter() - began
            if took > limit:
                raise EngineError(f"took {took:.2f} s instead of {seconds:g}", "late")
        self._moves, self._limit = (*game.history, cell), seconds
        return cell

    def _ask(self, what: str, deadline: float, read: Callable[[str], T | None], *lines: str) -> T:
        """Send these lines and return the first answer that `read` accepts."""
        assert self._process is not None
        began, strange = perf_counter(), ""
        self._process.ask(*lines)
        while (line := self._process.line(deadline)) is not None:
            answer = read(line)
            if answer is not None:
                return answer
            word = line.split()[0].upper()
            if word == "ERROR":
                raise EngineError(f"answered {short_repr(line)}", "refused")
            if word not in ("MESSAGE", "DEBUG"):
                strange = line
        took = f"in {perf_counter() - began:.2f} s"
        if strange:
            raise EngineError(f"wrote {short_repr(strange)} instead of {what} {took}", "garbage")
        raise EngineError(f"did not write {what} {took}", "silent")

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Close the engine if it fails, and add its name to the error."""
        try:
            yield
        except EngineError as error:
            self.close()
            raise EngineError(f"{self.name} {error}", error.reason) from None

    def _is_ready(self, line: str) -> bool | None:
        if named := re.search(r'name\s*=\s*"([^"]{1,80})"', line):
            self.name = named[1]
        return True if re.match(r"OK\b", line, re.IGNORECASE) else None

    def _cell_or_suggestion(self, line: str) -> Cell | None:
        """Return the cell of an answer, and accept a suggested move."""
        word, _, cell = line.partition(" ")
        if word.upper() == "SUGGEST" and cell_of(cell) is not None and self._process is not None:
            self._process.ask(f"PLAY {cell}")
        return cell_of(line)


def _infos(rules: Rules, seconds: float) -> list[str]:
    return [
        f"INFO rule {GOMOCUP_RULES[rules.variant]}",
        "INFO game_type 1",  # against another program
        f"INFO timeout_turn {round(seconds * 1000)}",
        "INFO timeout_match 0",
    ]


def _board(game: Game) -> list[str]:
    """Format a board, with 1 for stones of the player to move and 2 for the other player's."""
    owners = [1 + (game.ply - ply) % 2 for ply in range(game.ply)]
    stones = zip(game.history, owners, strict=True)
    return ["BOARD", *(f"{written(cell)},{owner}" for cell, owner in stones), "DONE"]
