"""The process of a Python solution: finds what its file defines, plays what it is asked.

It is run as ``python worker.py FILE NAME REQUESTS ANSWERS`` (a name may be empty, the others are
file descriptors), imports the standard library alone, and speaks as
`noughts.checker.running` says.
"""

import __future__

import ast
import builtins
import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

# What problem sites import before they run a solution.
USUAL = (
    *("collections", "itertools", "functools", "math", "heapq", "bisect", "string"),
    *("copy", "operator", "random", "re", "json", "sys", "os", "typing"),
)
CO_VARARGS = 4  # as `inspect` has it, which takes long to import
OLD = {"xrange", "raw_input", "unicode", "basestring", "unichr"}  # names of Python 2


class UnreadableError(Exception):
    """There is nothing that can be judged."""


class Found:
    """What is judged in a file.

    Attributes:
        make: makes an object; for ``tictactoe``, the function.
        problem, what, notes: see `noughts.checker.solution.Solution`.
    """

    def __init__(self, path: Path, wanted: str) -> None:
        self.notes: list[str] = []
        source = path.read_bytes()
        tree = _parsed(source, path.name)
        names = self._run(source, path.name, self._usual(tree))
        name, others = _chosen(names, wanted)
        one = isinstance(names[name], type) and not hasattr(names[name], "tictactoe")
        self.problem = "TicTacToe" if one or _moves(names[name]) else "tictactoe"
        self.make = _game(names[name]) if self.problem == "tictactoe" else names[name]
        kind = "class" if isinstance(names[name], type) else "function"
        method = ".tictactoe" if hasattr(names[name], "tictactoe") else ""
        self.what = f"{kind} {name}{method}"
        defined = [
            node for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef)
        ]
        own = [node for node in defined if node.name == name]
        for last in own[-1:]:
            self.what += f", {(last.end_lineno or 0) - last.lineno + 1} lines"
        if len(own) > 1:
            which = f"the last, in line {own[-1].lineno}, is judged"
            self.notes.append(f"{name} is defined {len(own)} times: {which}")
        if others:
            self.notes.append(f"{' and '.join(others)} could be judged too, with --name")

    def _usual(self, tree: ast.Module) -> dict[str, Any]:
        """The names that problem sites define, those that the file uses and does not."""
        nodes = [*ast.walk(tree)]
        used = [node for node in nodes if isinstance(node, ast.Name)]
        bound = {n for node in nodes for n in (getattr(node, "name", 0), getattr(node, "arg", 0))}
        bound |= {node.id for node in used if not isinstance(node.ctx, ast.Load)}
        imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
        bound |= {(a.asname or a.name).partition(".")[0] for node in imports for a in node.names}
        missing = sorted({node.id for node in used} - bound - vars(builtins).keys())
        if OLD.intersection(missing):
            old = " and ".join(sorted(OLD.intersection(missing)))
            raise UnreadableError(f"it is Python 2: it uses {old}, which Python 3 has not")
        given, told = {}, []
        for name in missing:
            for module in USUAL:
                value = importlib.import_module(module)
                if name == module or name in getattr(value, "__all__", dir(value)):
                    given[name] = value if name == module else getattr(value, name)
                    told += [name] * (module != "typing")
                    break
        if told:
            names = " and ".join(told)
            self.notes.append(f"it uses {names} without an import, as problem sites allow")
        return given

    def _run(self, source: bytes, name: str, given: dict[str, Any]) -> dict[str, Any]:
        """Run the file, where these names are given; return what it defines."""
        module = ModuleType("solution")
        sys.modules["solution"] = module
        vars(module).update(given, __file__=name)
        # Annotations are not evaluated: problem sites allow `List[int]` without its import.
        flags = __future__.annotations.compiler_flag
        try:
            exec(compile(source, name, "exec", flags, dont_inherit=True), vars(module))
        except MemoryError:
            raise
        except BaseException as error:
            said = f"{type(error).__name__}: {error}".removesuffix(": ")
            if not any(map(_moves, vars(module).values())) and "tictactoe" not in vars(module):
                raise UnreadableError(f"it cannot be imported: {said}") from None
            self.notes.append(f"its own code stops with {said}")
        return vars(module)


def _parsed(source: bytes, name: str) -> ast.Module:
    """The syntax of the file."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        said = getattr(error, "msg", None) or str(error) or type(error).__name__
        where = f"line {line} of {name}" if line else name
        if any(word in said for word in ("'print'", "'exec'", "multiple exception", "tabs")):
            raise UnreadableError(f"it is Python 2 ({where}: {said})") from None
        raise UnreadableError(f"{where} is no Python: {said}") from None


def _moves(thing: object) -> bool:
    """Whether it is a class with a method of the problem: one that takes three arguments."""
    move = getattr(thing, "move", None)
    if not isinstance(thing, type) or not isinstance(move, FunctionType):
        return isinstance(thing, type) and callable(move)
    code, given = move.__code__, len(move.__defaults__ or ())
    some = bool(code.co_flags & CO_VARARGS)
    return code.co_argcount - given <= 4 and (some or code.co_argcount >= 4)


def _game(thing: Any) -> Callable[[Any], Any]:
    """The function that judges a whole game: with a class, of a new object each time."""
    if not isinstance(thing, type):
        return thing  # type: ignore[no-any-return]
    return lambda moves: thing().tictactoe(moves)


def _chosen(names: dict[str, Any], wanted: str) -> tuple[str, list[str]]:
    """The name of what is judged, and the others that could be."""
    own = {n: of for n, of in names.items() if getattr(of, "__module__", None) == "solution"}
    movers = [name for name, of in own.items() if _moves(of)]
    games = [name for name, of in own.items() if name == "tictactoe" or hasattr(of, "tictactoe")]
    likely = [name for name in movers if "tictactoe" in name.lower().replace("_", "")]
    if wanted:
        if not callable(names.get(wanted)):
            raise UnreadableError(f"{wanted} is not defined")
        return wanted, []
    if "TicTacToe" not in movers and not games and not likely and len(movers) > 1:
        several = ", ".join(movers)
        raise UnreadableError(f"several classes have a method move: {several}; choose with --name")
    for name in ("TicTacToe", *games, *likely[::-1], *movers):
        if name in (*movers, *games):
            others = [n for n in dict.fromkeys((*movers, *games)) if own[n] is not own[name]]
            bases = own[name].__mro__ if isinstance(own[name], type) else ()
            return name, [other for other in others if own[other] not in bases]
    if isinstance(own.get("TicTacToe"), type):  # its objects may get their move when they are made
        return "TicTacToe", []
    raise UnreadableError(
        "no class has a method move(row, col, player), and no function is called tictactoe"
    )


def serve(found: Found, calls: ModuleType, requests: Any, answers: Any) -> None:
    """Answer what is asked, until nothing is asked any more."""
    whole = found.problem == "tictactoe"
    for request in requests:
        verb, *numbers = request.split()
        if verb == "play":
            lines = []
            for _ in range(int(numbers[0])):
                sides, moves = script(requests.readline())
                if whole:
                    texts, last = calls.ask(found.make, (move for _, move in moves)), None
                else:
                    texts, last = calls.play(found.make, sides, moves)
                if numbers[1] == "1":
                    state = None if whole else calls.state(last)
                    texts.insert(0, state.hex() if state else "-")
                lines.append("\t".join(texts))
            answers.write("\n".join(lines) + "\n")
        else:
            (n,), moves = script(requests.readline())
            given = [move for _, move in moves]
            if verb == "time":
                made, moved = calls.timed(found.make, n, given, int(numbers[0]), whole)
                answers.write(f"{made!r} {moved!r}\n")
            else:
                answers.write(f"{None if whole else calls.grown(found.make, n, given)}\n")
        show()
        answers.flush()


def show() -> None:
    """Pass on what the solution printed, if it has left a way to."""
    with suppress(Exception):
        sys.stdout.flush()


def script(line: str) -> tuple[list[int], Iterator[tuple[int, tuple[int, int, int]]]]:
    """The sides, and each call with the number of its object."""
    numbers = [*map(int, line.split())]
    count = numbers[0]
    rest = iter(numbers[count + 1 :])
    moves = zip(rest, rest, rest, strict=True)
    if count == 1:
        return numbers[1:2], ((0, move) for move in moves)
    rest = iter(numbers[count + 1 :])
    return numbers[1 : count + 1], (
        (number, (row, col, player))
        for number, row, col, player in zip(rest, rest, rest, rest, strict=True)
    )


def main() -> None:
    """Find, tell, serve."""
    path, wanted, to, back = sys.argv[1:]
    requests = os.fdopen(int(to), encoding="ascii", newline="\n")
    answers = os.fdopen(int(back), "w", encoding="utf-8", newline="\n")
    os.set_inheritable(int(to), False)
    os.set_inheritable(int(back), False)
    leave = os._exit
    # A child that the solution forks has nothing to say.
    os.register_at_fork(after_in_child=lambda close=os.close: (close(int(to)), close(int(back))))
    spec = importlib.util.spec_from_file_location("calls", Path(__file__).with_name("calls.py"))
    assert spec is not None
    assert spec.loader is not None
    calls = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(calls)
    sys.argv[1:] = []
    try:
        found = Found(Path(path), wanted)
        told = {"what": found.what, "problem": found.problem, "notes": found.notes}
        answers.write(json.dumps(told) + "\n")
        answers.flush()
        serve(found, calls, requests, answers)
    except UnreadableError as error:
        answers.write(f"fail unreadable {calls.line(str(error))}\n")
    except MemoryError:
        answers.write("fail memory it ran out of memory\n")
    except BaseException as error:
        answers.write(f"fail crashed it stopped with {calls.raised(error)[1:]}\n")
    show()
    answers.flush()
    leave(0)  # whatever threads it has left


if __name__ == "__main__":
    main()
