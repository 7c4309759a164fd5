"""The process of a Python solution: loads its file and plays the requested games.

Usage: ``python worker.py FILE``. It imports only the standard library and implements the protocol
described in `noughts.checker.isolated`.
"""

import __future__

import ast
import builtins
import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

# Modules that problem sites import before they run a solution.
USUAL = (
    *("collections", "itertools", "functools", "math", "heapq", "bisect", "string"),
    *("copy", "operator", "random", "re", "json", "sys", "os", "typing"),
)
REQUESTS, ANSWERS = 3, 4  # file descriptors
CO_VARARGS = 4  # inspect.CO_VARARGS, without the slow import
OLD = {"xrange", "raw_input", "unicode", "basestring", "unichr"}  # names that only Python 2 has


class UnreadableError(Exception):
    """The file contains nothing that can be judged."""


class File:
    """The definitions of a file, which is executed.

    Attributes:
        names: all names it defines.
        found: the problem solved by each class or function that can be judged.
        notes: sentences about the file.
    """

    def __init__(self, path: Path) -> None:
        self.notes: list[str] = []
        source = path.read_bytes()
        self._tree = _parsed(source, path.name)
        self.names: dict[str, Any] = self._run(source, path.name, self._usual(self._tree))
        self.found: dict[str, str] = _found(self.names)

    def lines(self, name: str) -> str:
        """Return the length of a definition, and how often it is repeated: ``, 12 lines``."""
        kinds = ast.ClassDef | ast.FunctionDef
        defined = [node for node in ast.walk(self._tree) if isinstance(node, kinds)]
        own = [node for node in defined if node.name == name]
        if not own:
            return ""
        last = f", {(own[-1].end_lineno or 0) - own[-1].lineno + 1} lines"
        return last + (f", the last of {len(own)} with this name" if own[1:] else "")

    def _usual(self, tree: ast.Module) -> dict[str, Any]:
        """Return names that the file uses but does not define, as problem sites provide them."""
        nodes = [*ast.walk(tree)]
        used = [node for node in nodes if isinstance(node, ast.Name)]
        bound = {n for node in nodes for n in (getattr(node, "name", 0), getattr(node, "arg", 0))}
        bound |= {node.id for node in used if not isinstance(node.ctx, ast.Load)}
        imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
        bound |= {(a.asname or a.name).partition(".")[0] for node in imports for a in node.names}
        missing = sorted({node.id for node in used} - bound - vars(builtins).keys())
        if OLD.intersection(missing):
            old = " and ".join(sorted(OLD.intersection(missing)))
            raise UnreadableError(f"this looks like Python 2 ({old}); Python 3 is needed")
        given, missed = {}, []
        for name in missing:
            for module in USUAL:
                value = importlib.import_module(module)
                if name == module or name in getattr(value, "__all__", dir(value)):
                    given[name] = value if name == module else getattr(value, name)
                    missed += [name] * (module != "typing")
                    break
        if missed:
            names = " and ".join(missed)
            self.notes.append(f"it uses {names} without importing them, as problem sites allow")
        return given

    def _run(self, source: bytes, name: str, given: dict[str, Any]) -> dict[str, Any]:
        """Execute the file with these names defined, and return everything it defines."""
        module = ModuleType("solution")
        sys.modules["solution"] = module
        vars(module).update(given, __file__=name)
        # Annotations are not evaluated: problem sites allow `List[int]` without an import.
        flags = __future__.annotations.compiler_flag
        try:
            exec(compile(source, name, "exec", flags, dont_inherit=True), vars(module))
        except MemoryError:
            raise
        except BaseException as error:
            said = f"{type(error).__name__}: {error}".removesuffix(": ")
            self.notes.append(f"its top-level code raises {said}")
        return vars(module)


def _parsed(source: bytes, name: str) -> ast.Module:
    """Parse the file, or raise `UnreadableError` if it is not valid Python 3."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        said = getattr(error, "msg", None) or str(error) or type(error).__name__
        where = f"line {line} of {name}" if line else name
        if any(word in said for word in ("'print'", "'exec'", "multiple exception", "tabs")):
            reason = f"this looks like Python 2 ({where}: {said}); Python 3 is needed"
            raise UnreadableError(reason) from None
        raise UnreadableError(f"{where} is not valid Python: {said}") from None


def _moves(thing: object) -> bool:
    """Return whether it is a class with a method ``move`` that takes three arguments."""
    move = getattr(thing, "move", None)
    if not isinstance(thing, type) or not isinstance(move, FunctionType):
        return isinstance(thing, type) and callable(move)
    code, given = move.__code__, len(move.__defaults__ or ())
    some = bool(code.co_flags & CO_VARARGS)
    return code.co_argcount - given <= 4 and (some or code.co_argcount >= 4)


def _found(names: dict[str, Any]) -> dict[str, str]:
    """Return the problem solved by each definition that can be judged."""
    own = {n: of for n, of in names.items() if getattr(of, "__module__", None) == "solution"}
    found = {name: "TicTacToe" for name, of in own.items() if _moves(of)}
    games = [name for name, of in own.items() if name == "tictactoe" or hasattr(of, "tictactoe")]
    found |= dict.fromkeys(games, "tictactoe")
    if not found and isinstance(own.get("TicTacToe"), type):  # `move` may be set on its objects
        return {"TicTacToe": "TicTacToe"}
    bases = [base for name in found for base in getattr(own[name], "__mro__", ())[1:]]
    return {name: problem for name, problem in found.items() if own[name] not in bases}


def serve(file: File, calls: ModuleType, requests: Any, answers: Any) -> None:
    """Describe the file, read the name to judge, and answer requests until the input ends."""
    lines = {name: file.lines(name) for name in file.found}
    answers.write(json.dumps({"found": file.found, "lines": lines, "notes": file.notes}) + "\n")
    answers.flush()
    name = requests.readline().strip()
    make = file.names.get(name)
    for request in requests:
        verb, count = request.split()
        if verb in ("play", "states", "together"):
            games = [_game(requests.readline()) for _ in range(int(count))]
            if file.found[name] == "tictactoe":
                texts = [calls.call_function(_judge(make), moves) for _, moves in games]
            elif verb == "together":
                texts, _ = calls.play(make, games)
            else:
                texts = [_alone(calls, make, game, verb == "states") for game in games]
            answers.write("".join("\t".join(each) + "\n" for each in texts))
        elif verb == "time":
            made, moved = calls.timed(make, *_game(requests.readline()), int(count))
            answers.write(f"{made!r} {moved!r}\n")
        else:
            answers.write(f"{calls.grown(make, *_game(requests.readline()))}\n")
        show()
        answers.flush()


def _alone(calls: ModuleType, make: Any, game: Any, state: bool) -> list[str]:
    """Return the answers of a new object, preceded by its state if requested."""
    (texts,), thing = calls.play(make, [game])
    return [(calls.state(thing) or b"").hex(), *texts] if state else texts


def _judge(thing: Any) -> Callable[[Any], Any]:
    """Return the function that judges a whole game, calling methods on new objects."""
    return (lambda moves: thing().tictactoe(moves)) if isinstance(thing, type) else thing


def _game(line: str) -> tuple[int, list[tuple[int, int, int]]]:
    """Parse the size and the moves of a game."""
    n, *numbers = map(int, line.split())
    each = iter(numbers)
    return n, [*zip(each, each, each, strict=True)]


def show() -> None:
    """Flush what the solution printed, unless it broke its standard output."""
    with suppress(Exception):
        sys.stdout.flush()


def main() -> None:
    """Run the worker: load the file, describe it and answer requests."""
    requests = os.fdopen(REQUESTS, encoding="ascii", newline="\n")
    answers = os.fdopen(ANSWERS, "w", encoding="utf-8", newline="\n")
    os.set_inheritable(REQUESTS, False)
    os.set_inheritable(ANSWERS, False)
    leave = os._exit
    # Child processes forked by the solution must not write answers.
    os.register_at_fork(after_in_child=lambda close=os.close: (close(REQUESTS), close(ANSWERS)))
    spec = importlib.util.spec_from_file_location("calls", Path(__file__).with_name("calls.py"))
    assert spec is not None
    assert spec.loader is not None
    calls = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(calls)
    path = Path(sys.argv.pop())
    try:
        serve(File(path), calls, requests, answers)
    except UnreadableError as error:
        answers.write(f"fail unreadable {calls.line(str(error))}\n")
    except MemoryError:
        answers.write("fail memory it ran out of memory\n")
    except BaseException as error:
        answers.write(f"fail crashed it stopped with {calls.raised(error)[1:]}\n")
    show()
    answers.flush()
    leave(0)  # without waiting for threads


if __name__ == "__main__":
    main()
