"""A class or a function of this process as a `Solution`; nothing is isolated."""

import inspect
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from noughts.checker import calls
from noughts.checker.shared import Shared
from noughts.checker.solution import Failed, Game, How, Move, Played, Problem, chosen

PRINTED = 1 << 16  # characters that are kept of what it prints


class Inside:
    """Somebody's class or function, in this process: an endless loop there is one here.

    Args:
        target: a class with `move`, a class with `tictactoe`, or a function ``tictactoe``.

    Raises:
        TypeError: it is none of them.
    """

    language = "Python"
    notes: tuple[str, ...] = ()

    def __init__(self, target: Any) -> None:
        self._target = target
        self.name: str = getattr(target, "__name__", type(target).__name__)
        self.problem: Problem
        if isinstance(target, type) and hasattr(target, "move"):
            self.problem = "TicTacToe"
        elif hasattr(target, "tictactoe") if isinstance(target, type) else callable(target):
            self.problem = "tictactoe"
        else:
            raise TypeError(
                f"{self.name} is no class with a method move(row, col, player), and no function "
                "tictactoe(moves)"
            )
        self.what: str = _described(target, self.name)
        self._shared = Shared(target)
        self._printed = _Printed()

    @property
    def output(self) -> str:
        """See `Solution`."""
        return self._printed.getvalue()

    def play(self, games: Sequence[Game], how: How = "play") -> list[Played]:
        """See `Solution`."""
        with self._running():
            if self.problem == "tictactoe":
                return [Played(tuple(calls.ask(self._function, game.moves))) for game in games]
            if how == "together":
                together, _ = calls.play(self._target, [game[:2] for game in games])
                return [Played(tuple(answers)) for answers in together]
            return [self._alone(game, how == "states") for game in games]

    def _alone(self, game: Game, state: bool) -> Played:
        (answers,), thing = calls.play(self._target, [game[:2]])
        return Played(tuple(answers), calls.state(thing) if state else None)

    def _function(self, cells: list[list[int]]) -> object:
        """Call the function; that of a new object, if it is a class's."""
        function = self._target().tictactoe if isinstance(self._target, type) else self._target
        return function(cells)

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        """See `Solution`."""
        with self._running():
            return calls.timed(self._target, n, moves, repeats)

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        """See `Solution`."""
        with self._running():
            return calls.grown(self._target, n, moves)

    @contextmanager
    def _running(self) -> Iterator[None]:
        """Keep what it prints; what it raises and is no answer ends it."""
        try:
            with redirect_stdout(self._printed):
                yield
        except MemoryError:
            raise Failed("memory", "it takes more memory than there is") from None
        except (Exception, SystemExit) as error:
            raise Failed("crashed", calls.raised(error).removeprefix("!")) from error

    def fresh(self) -> "Inside":
        """Itself, with all that its objects share as it was at first."""
        self._shared.renew()
        return self

    def close(self) -> None:
        """Leave the class as it was found."""
        self._shared.give_back()


def loaded(path: Path, name: str | None = None) -> Inside:
    """What a file of Python defines, in this process.

    Raises:
        Failed: "unreadable", nothing in it can be judged.
    """
    from noughts.checker.worker import File, UnreadableError

    try:
        with redirect_stdout(_Printed()):
            file = File(path)
    except UnreadableError as error:
        raise Failed("unreadable", str(error)) from None
    choice = chosen(file.found, name, file.notes)
    solution = Inside(file.names[choice.name])
    solution.name, solution.notes = path.name, choice.notes
    solution.what = choice.what + file.lines(choice.name)
    return solution


class _Printed(io.StringIO):
    """The beginning of what is printed."""

    def write(self, text: str, /) -> int:
        super().write(text[: max(0, PRINTED - self.tell())])
        return len(text)


def _described(target: Any, name: str) -> str:
    """What is judged: ``class TicTacToe, 41 lines``."""
    kind = "class" if isinstance(target, type) else "function"
    try:
        lines = len(inspect.getsource(target).splitlines())
    except (OSError, TypeError):  # it has no file that can be read
        return f"{kind} {name}"
    return f"{kind} {name}, {lines} lines"
