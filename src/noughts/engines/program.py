"""Programs as players: a process that must be started and closed."""

from abc import ABC, abstractmethod
from typing import Generic, Protocol, Self, TypeVar

from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.rules import Rules


class _Process(Protocol):
    def close(self) -> None: ...
    def kill(self) -> None: ...


P = TypeVar("P", bound=_Process)


class Program(ABC, Generic[P]):
    """A player with a process of its own, from `start` until `close` or a failure.

    After a failure, `start` runs it again. As a context manager, it closes itself.

    Args:
        name: its name.
        tolerance: seconds by which a move may be late.
    """

    def __init__(self, name: str, tolerance: float) -> None:
        self.name: str = name
        self._tolerance = tolerance
        self._process: P | None = None
        self._rules: Rules | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End its process; an engine is first told to exit, and has half a second for that."""
        if self._process is not None:
            self._process.close()
        self._process = self._rules = None

    def kill(self) -> None:
        """Kill it at once, from any thread; a thread waiting for a move gets an `EngineError`."""
        if (process := self._process) is not None:
            process.kill()

    def _running(self, game: Game) -> P:
        """Return the process; raise ValueError if it was not started with the rules of the game."""
        if self._process is None or game.rules != self._rules:
            raise ValueError(f"{self.name} was not started for {game.rules!r}")
        return self._process

    @abstractmethod
    def check(self, rules: Rules | str) -> None:
        """Raise ValueError if it cannot play by these rules."""

    @abstractmethod
    def start(self, rules: Rules | str) -> None:
        """Start a game; raise EngineError if it fails, or ValueError as `check` does."""

    @abstractmethod
    def move(self, game: Game, seconds: float) -> Cell:
        """Return the cell of its move, which may be illegal; raise EngineError if it fails."""
