"""The process of a Python solution: finds what its file defines, plays what it is asked.

It is run as ``python worker.py FILE``, imports the standard library alone, and speaks as
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
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

# What problem sites import before they run a solution.
USUAL = (
    *("collections", "itertools", "functools", "math", "heapq", "bisect", "string"),
    *("copy", "operator", "random", "re", "json", "sys", "os", "typing"),
)
REQUESTS, ANSWERS = 3, 4  # file descriptors
CO_VARARGS = 4  # as `inspect` has it, which takes long to import
OLD = {"xrange", "raw_input", "unicode", "basestring", "unichr"}  # names of Python 2


class UnreadableError(Exception):
    """There is nothing that can be judged."""


class File:
    """What a file defines; it is run.

    Attributes:
        names: all that it defines.
        found: what can be judged, and the problem that it solves.
        notes: sentences on the file.
    """

    def __init__(self, path: Path) -> None:
        self.notes: list[str] = []
        source = path.read_bytes()
        self._tree = _parsed(source, path.name)
        self.names: dict[str, Any] = self._run(source, path.name, self._usual(self._tree))
        self.found: dict[str, str] = _found(self.names)

    def lines(self, name: str) -> str:
        """How long its definition is, and whether there are others: ``, 12 lines``."""
        kinds = ast.ClassDef | ast.FunctionDef
        defined = [node for node in ast.walk(self._tree) if isinstance(node, kinds)]
        own = [node for node in defined if node.name == name]
        if not own:
            return ""
        last = f", {(own[-1].end_lineno or 0) - own[-1].lineno + 1} lines"
        return last + (f", the last of {len(own)} of this name" if own[1:] else "")

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
        raise UnreadableError(f"{where} is not valid Python: {said}") from None


def _moves(thing: object) -> bool:
    """Whether it is a class with a method of the problem: one that takes three arguments."""
    move = getattr(thing, "move", None)
    if not isinstance(thing, type) or not isinstance(move, FunctionType):
        return isinstance(thing, type) and callable(move)
    code, given = move.__code__, len(move.__defaults__ or ())
    some = bool(code.co_flags & CO_VARARGS)
    return code.co_argcount - given <= 4 and (some or code.co_argcount >= 4)


def _found(names: dict[str, Any]) -> dict[str, str]:
    """What can be judged of all that is defined."""
    own = {n: of for n, of in names.items() if getattr(of, "__module__", None) == "solution"}
    found = {name: "TicTacToe" for name, of in own.items() if _moves(of)}
    games = [name for name, of in own.items() if name == "tictactoe" or hasattr(of, "tictactoe")]
    found |= dict.fromkeys(games, "tictactoe")
    if not found and isinstance(own.get("TicTacToe"), type):  # its objects may be given their move
        return {"TicTacToe": "TicTacToe"}
    bases = [base for name in found for base in getattr(own[name], "__mro__", ())[1:]]
    return {name: problem for name, problem in found.items() if own[name] not in bases}


def serve(file: File, calls: ModuleType, requests: Any, answers: Any) -> None:
    """Tell what there is, hear what is judged, and answer what is asked until nothing is."""
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
                texts = [calls.ask(_judge(make), moves) for _, moves in games]
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
    """The answers of a new object; after its state, if that is asked for."""
    (texts,), thing = calls.play(make, [game])
    return [(calls.state(thing) or b"").hex(), *texts] if state else texts


def _judge(thing: Any) -> Callable[[Any], Any]:
    """The function that judges a whole game: with a class, of a new object each time."""
    return (lambda moves: thing().tictactoe(moves)) if isinstance(thing, type) else thing


def _game(line: str) -> tuple[int, list[tuple[int, int, int]]]:
    """The side, and the moves."""
    n, *numbers = map(int, line.split())
    each = iter(numbers)
    return n, [*zip(each, each, each, strict=True)]


def show() -> None:
    """Pass on what the solution printed, if it has left a way to."""
    with suppress(Exception):
        sys.stdout.flush()


def main() -> None:
    """Find, tell, serve."""
    requests = os.fdopen(REQUESTS, encoding="ascii", newline="\n")
    answers = os.fdopen(ANSWERS, "w", encoding="utf-8", newline="\n")
    os.set_inheritable(REQUESTS, False)
    os.set_inheritable(ANSWERS, False)
    leave = os._exit
    # A child that the solution forks has nothing to say.
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
    leave(0)  # whatever threads it has left


if __name__ == "__main__":
    main()
