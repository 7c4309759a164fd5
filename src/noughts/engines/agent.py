"""Python functions as players: agents as Kaggle's ConnectX publishes them, and `choose`."""

import json
import re
import symtable
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import decode_source
from os import PathLike
from pathlib import Path

from noughts.checker.calls import line
from noughts.checker.sandbox import DEFAULT, Sandbox
from noughts.checker.solution import Failed
from noughts.checker.worker import UnreadableError, parsed
from noughts.engines.engine import STARTING, TOLERANCE
from noughts.engines.process import EngineError, Reason
from noughts.engines.program import Program
from noughts.game.game import Game, fallen
from noughts.game.geometry import Cell
from noughts.game.rules import Rules, as_rules

WORKER = Path(__file__).with_name("agent_worker.py")
PACKAGES = Path(__file__).parents[2]  # the folder from which noughts is imported
# Libraries such as PyTorch reserve more addresses than memory, and each move has its own limit.
LIMITS = replace(DEFAULT, addresses=None, cpu=86_400)
NUMBERS = re.compile(r"-?\d{1,9}(?: -?\d{1,9}){0,7}", re.ASCII)


def is_agent(text: str) -> bool:
    """Return whether a player's text is the path of a Python file, rather than a command.

    >>> is_agent("bots/connectx.py"), is_agent("python engine.py")
    (True, False)
    """
    return text.endswith(".py") and (not re.search(r"\s", text) or Path(text).is_file())


class Agent(Program[Sandbox]):
    """A function in a Python file, as a player.

    The function is ``agent(observation, configuration)``, as for Kaggle's ConnectX, or
    ``choose(game)``, which gets a `noughts.Game`. If the file has neither, its last function is the
    agent, as on Kaggle. An agent returns a column; `choose` returns a cell or, with gravity, a
    column. Each game has a process of its own, with the limits of `noughts check`.

    Args:
        path: the file.
        tolerance: seconds by which a move may be late.

    Attributes:
        path: the file.
        name: the name of the file, without its ending.
    """

    def __init__(self, path: str | PathLike[str], *, tolerance: float = TOLERANCE) -> None:
        self.path: Path = Path(path)
        super().__init__(self.path.stem, tolerance)
        self._function = ""  # as passed to the process

    def __repr__(self) -> str:
        return f"Agent({str(self.path)!r}, tolerance={self._tolerance!r})"

    def check(self, rules: Rules | str) -> None:
        """Raise ValueError if the file cannot be read, or its function cannot play these rules."""
        self._function_for(as_rules(rules))

    def start(self, rules: Rules | str) -> None:
        """Start a game in a new process.

        Raises:
            EngineError: the file cannot be run, or takes longer than `STARTING` seconds.
            NeedsPosix: the system is not supported.
            ValueError: the file cannot be read, or its function cannot play these rules.
        """
        self.close()
        rules = as_rules(rules)
        path, self._function = self.path.resolve(), self._function_for(rules)
        words = [sys.executable, "-B", "-P", "-s", str(WORKER)]
        words += [self._function, str(rules), str(path)]
        reads = (Path(sys.base_prefix), Path(sys.prefix), PACKAGES, path)
        with self._named(f"did not start within {STARTING:g} s", "silent"):
            self._process = Sandbox(words, reads, LIMITS)
            self._process.request("", 1, STARTING)
        self._rules = rules

    def move(self, game: Game, seconds: float) -> Cell:
        """Return the cell of its move, which may be illegal.

        Args:
            game: a game with the rules passed to `start`; it is not changed.
            seconds: time limit, in processor time; a process that waits has four times as long.

        Raises:
            EngineError: it does not answer with a cell or column in time.
            ValueError: it was not started with these rules.
        """
        process = self._running(game)
        request = json.dumps([game.history, seconds])
        with self._named(f"did not choose a move within {seconds:g} s", "late"):
            [answer] = process.request(f"{request}\n", 1, seconds + self._tolerance)
            cell = cell_of(game, answer, columns_only=self._function != "choose")
            if cell is None:
                what = "column" if game.rules.gravity else "cell"
                raise EngineError(f"returned {line(answer)} instead of a {what}", "garbage")
        return cell

    def _function_for(self, rules: Rules) -> str:
        """Return the name of the function, which can play these rules."""
        name = self._defined()
        if rules.players != 2:
            raise ValueError(f"{self.name} needs rules for two players, got {rules.players}")
        flat = len(rules.shape) == 2 and rules.gravity and rules.variant == "freestyle"
        if name != "choose" and not flat:
            raise ValueError(
                f"{self.name} is an agent for ConnectX, which drops marks into columns: "
                f"it needs rules such as connect-four, got {rules}; "
                "a function choose(game) plays any rules"
            )
        return name

    def _defined(self) -> str:
        """Return "agent" or "choose", or an empty name if the file has neither at its top level.

        Raises ValueError if the file cannot be read.
        """
        try:
            source = self.path.read_bytes()
            parsed(source, self.path.name)
            table = symtable.symtable(decode_source(source), self.path.name, "exec")
        except OSError as error:
            raise ValueError(f"{self.path}: {error.strerror}") from None
        except UnreadableError as error:
            raise ValueError(f"{self.name}: {error}") from None
        names = {
            symbol.get_name()
            for symbol in table.get_symbols()
            if symbol.is_assigned() or symbol.is_imported()
        }
        if not names:
            raise ValueError(
                f"{self.path} defines no player: write agent(observation, configuration) "
                "or choose(game)"
            )
        return next((name for name in ("agent", "choose") if name in names), "")

    @contextmanager
    def _named(self, late: str, reason: Reason) -> Iterator[None]:
        """Close the agent if it fails, and add its name to the error."""
        try:
            yield
        except Failed as error:
            self.close()
            if error.verdict == "timeout":
                raise EngineError(f"{self.name} {late}", reason) from None
            said = str(error)
            said = f" {said[3:]}" if said.startswith("it ") else f": {said}"
            raise EngineError(f"{self.name}{said}", "crashed") from None
        except EngineError as error:
            self.close()
            raise EngineError(f"{self.name} {error}", error.reason) from None


def cell_of(game: Game, answer: str, *, columns_only: bool) -> Cell | None:
    """Return the cell that an answer names; None if it names none."""
    if not NUMBERS.fullmatch(answer):
        return None
    numbers = tuple(map(int, answer.split()))
    dimensions = len(game.rules.shape)
    if game.rules.gravity and len(numbers) == dimensions - 1:
        return fallen(game, numbers)
    return numbers if len(numbers) == dimensions and not columns_only else None
