"""Solutions that run in this process, without isolation."""

import copy
import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from noughts.checker import calls
from noughts.checker.problems import choose
from noughts.checker.problems.problem import Candidate
from noughts.checker.reading import read_source
from noughts.checker.reading.convention import Convention
from noughts.checker.reading.expressions import PythonExpressions
from noughts.checker.reading.live import read_live, source_of
from noughts.checker.solution import Failed, Game, How, Move, Played, Problem

PRINTED = 1 << 16  # characters of its printed output to keep


class InProcess:
    """A class or function that runs in this process: an endless loop in it never ends.

    Args:
        target: the class or function.
        names: the names that its calls may use.
        candidate: what it is, if known.

    Raises:
        Failed: "unusable": it solves no known problem.
        TypeError: `target` is neither a class nor a function.
    """

    language = "Python"

    def __init__(
        self, target: Any, names: dict[str, Any] | None = None, candidate: Candidate | None = None
    ) -> None:
        if not isinstance(target, type | FunctionType):
            raise TypeError(f"cannot check {target!r}: expected a class or a function")
        name = getattr(target, "__name__", type(target).__name__)
        found = candidate or choose(read_live(target), text=source_of(target))
        self.name: str = name
        self.what: str = found.what
        self.convention: Convention = found.convention
        self.problem: Problem = found.convention.problem
        self.notes: tuple[str, ...] = found.convention.notes
        make, call, _ = PythonExpressions().calls(found.convention)
        names = (
            {name: target, **vars(sys.modules.get(target.__module__, calls))}
            if names is None
            else names
        )
        self._make, self._call = calls.evaluated(
            found.name, {**names, found.name: target}, make, call
        )
        self._shared = SharedState(target)
        self._printed = _Printed()

    @property
    def output(self) -> str:
        """The beginning of its printed output so far."""
        return self._printed.getvalue()

    def play(self, games: Sequence[Game], how: How = "play") -> list[Played]:
        """Play games; see `Solution.play`."""
        with self._running():
            if self.convention.whole:
                answers = [calls.call_function(self._call, *game[:2]) for game in games]
                return [Played(self._read(*each)) for each in zip(games, answers, strict=True)]
            if how == "together":
                sent = [(game.n, self.convention.sent(game.moves)) for game in games]
                answers = calls.play_together(self._make, self._call, sent)
                return [Played(self._read(*each)) for each in zip(games, answers, strict=True)]
            return [self._play_one(game, how == "states") for game in games]

    def _play_one(self, game: Game, state: bool) -> Played:
        moves = self.convention.sent(game.moves)
        answers, thing = calls.play(self._make, self._call, game.n, moves)
        return Played(self._read(game, answers), calls.state(thing) if state else None)

    def _read(self, game: Game, texts: Sequence[str]) -> tuple[str, ...]:
        return self.convention.read(game.moves, texts)

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        """Measure times; see `Solution.seconds`."""
        with self._running():
            return calls.timed(self._make, self._call, n, moves, repeats)

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        """Measure an object; see `Solution.size`."""
        with self._running():
            return calls.grown(self._make, self._call, n, moves)

    def run(self, n: int, moves: Sequence[Move]) -> None:
        """Play a game, and let the first exception pass."""
        if self.convention.whole:
            self._call(n, moves)
            return
        act = self._call(self._make(n), n)
        for move in moves:
            act(*move)

    @contextmanager
    def _running(self) -> Iterator[None]:
        """Capture what it prints, and turn exceptions into `Failed`."""
        try:
            with redirect_stdout(self._printed):
                yield
        except MemoryError:
            raise Failed("memory", "it ran out of memory") from None
        except (Exception, SystemExit) as error:
            raise Failed("crashed", calls.raised(error).removeprefix("!")) from error

    def adopt(self, convention: Convention) -> None:
        """Read its answers by this convention; see `Solution.adopt`."""
        self.convention = convention

    def fresh(self) -> "InProcess":
        """Reset the state that its objects share, and return itself."""
        self._shared.reset()
        return self

    def close(self) -> None:
        """Restore the original shared state of the class."""
        self._shared.restore()


def load_file(path: Path, name: str | None = None, players: Sequence[str] = ()) -> InProcess:
    """Execute a Python file in this process and return the solution it defines.

    Args:
        path: the file.
        name: the class or function to judge, where the file defines several.
        players: the values of the players as text, if they cannot be read.

    Raises:
        Failed: "unusable": the file contains nothing that can be judged.
    """
    from noughts.checker.worker import File, UnreadableError, cleaned_text

    try:
        with redirect_stdout(_Printed()):
            file = File(path)
    except UnreadableError as error:
        raise Failed("unusable", str(error)) from None
    text = cleaned_text(path.read_bytes().decode(errors="replace"))
    found = choose(read_source(text, "python"), name, players, text)
    target = file.names.get(found.name.partition(".")[0])
    for part in found.name.split(".")[1:]:
        target = getattr(target, part, None)
    if target is None:
        raise Failed("unusable", "; ".join(file.notes) or f"it does not define {found.name}")
    solution = InProcess(target, file.names, found)
    solution.name, solution.notes = path.name, (*file.notes, *solution.notes)
    return solution


class _Printed(io.StringIO):
    """A stream that keeps only the beginning of its text."""

    def write(self, text: str, /) -> int:
        super().write(text[: max(0, PRINTED - self.tell())])
        return len(text)


class SharedState:
    """The state that all objects of a class share: class attributes, globals and default arguments.

    It is collected from everything that the class or function uses in its own module. Until it is
    restored, copies take the place of the originals.

    Args:
        root: the class or function.
    """

    def __init__(self, root: Any) -> None:
        self._owners: list[Any] = []
        self._globals: dict[str, Any] = {}
        self._names: set[str] = set()
        self._find(root, root.__module__)
        self._originals = [*self._places()]
        self.reset()

    def reset(self) -> None:
        """Replace the state by new copies of the originals."""
        copies: dict[int, Any] = {}  # an object found in two places is copied once
        self._put([(*place, _copied(value, copies)) for *place, value in self._originals])

    def restore(self) -> None:
        """Put the originals back."""
        self._put(self._originals)

    def _put(self, places: Sequence[tuple[Any, ...]]) -> None:
        known = {(id(owner), name) for owner, name, _ in places}
        for owner, name, _ in [*self._places()]:
            if (id(owner), name) not in known:
                owner.pop(name) if owner is self._globals else delattr(owner, name)
        for owner, name, value in places:
            if owner is self._globals:
                owner[name] = value
            else:
                with suppress(AttributeError):  # read-only, such as a member of an Enum
                    setattr(owner, name, value)

    def _places(self) -> Iterator[tuple[Any, str, Any]]:
        """Yield the owner (class, function or globals), name and value of each piece of state."""
        for name in self._names & self._globals.keys():
            if _is_data(self._globals[name]):
                yield self._globals, name, self._globals[name]
        for owner in self._owners:
            if isinstance(owner, FunctionType):
                yield owner, "__defaults__", owner.__defaults__
                yield owner, "__kwdefaults__", owner.__kwdefaults__
            else:
                for name, value in vars(owner).items():
                    if not name.startswith("__") and _is_data(value):
                        yield owner, name, value

    def _find(self, thing: Any, module: str) -> None:
        """Collect a class or function and everything it uses in its module."""
        thing = getattr(thing, "__func__", thing)  # unwrap static methods and class methods
        known = any(thing is owner for owner in self._owners)
        if known or getattr(thing, "__module__", None) != module:
            return
        if isinstance(thing, type):
            self._owners.append(thing)
            for part in (*vars(thing).values(), *thing.__bases__):
                self._find(part, module)
        elif isinstance(thing, FunctionType):
            self._owners.append(thing)
            self._globals = thing.__globals__
            for name in _names(thing.__code__) - self._names:
                self._names.add(name)
                self._find(self._globals.get(name), module)


def _names(code: CodeType) -> set[str]:
    """Return the names that a function and its inner functions look up."""
    inner = (_names(part) for part in code.co_consts if isinstance(part, CodeType))
    return {*code.co_names}.union(*inner)


def _is_data(value: object) -> bool:
    code = (type, ModuleType, FunctionType, BuiltinFunctionType)
    return not (isinstance(value, code) or hasattr(type(value), "__get__"))


def _copied(value: Any, copies: dict[int, Any]) -> Any:
    try:
        return copy.deepcopy(value, copies)
    except Exception:  # it cannot be copied, so the original stays
        return value
