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
from pathlib import Path
from types import ModuleType
from typing import Any

# What problem sites import before they run a solution; `typing` comes first, as it is not told of.
USUAL = (
    *("typing", "collections", "itertools", "functools", "math", "heapq", "bisect", "string"),
    *("copy", "operator", "random", "re", "json", "sys", "os"),
)
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
        tree = self._tree(source, path.name)
        self._provide(tree)
        names = self._run(source, path.name)
        name = self._choose(names, wanted)
        self._describe(tree, name)

    def _tree(self, source: bytes, name: str) -> ast.Module:
        """The syntax of the file."""
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None)
            said = getattr(error, "msg", None) or str(error) or type(error).__name__
            where = f"line {line} of {name}" if line else name
            if any(word in said for word in ("print", "exec", "multiple exception", "tabs")):
                raise UnreadableError(f"it is Python 2 ({where}: {said})") from None
            raise UnreadableError(f"{where} is no Python: {said}") from None

    def _provide(self, tree: ast.Module) -> None:
        """Define the names that problem sites define."""
        used = {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        bound = {getattr(node, "id", None) for node in ast.walk(tree) if not _loads(node)}
        for node in ast.walk(tree):
            bound |= {getattr(node, "name", None), getattr(node, "arg", None)}
            if isinstance(node, ast.Import | ast.ImportFrom):
                bound |= {(a.asname or a.name).partition(".")[0] for a in node.names}
        missing = used - bound - vars(builtins).keys()
        if missing & OLD:
            old = " and ".join(sorted(missing & OLD))
            raise UnreadableError(f"it is Python 2: it uses {old}, which Python 3 has not")
        for module in USUAL:
            for name in sorted(missing):
                if name == module or hasattr(sys.modules.get(module) or _import(module), name):
                    value = _import(module)
                    setattr(builtins, name, value if name == module else getattr(value, name))
                    missing -= {name}
                    if module != "typing":
                        self.notes.append(
                            f"it uses {name} without an import, as problem sites allow"
                        )

    def _run(self, source: bytes, name: str) -> dict[str, Any]:
        """Run the file; return what it defines."""
        module = ModuleType("solution")
        sys.modules["solution"] = module
        module.__file__ = name
        # Annotations are not evaluated: problem sites allow `List[int]` without its import.
        flags = __future__.annotations.compiler_flag
        try:
            exec(compile(source, name, "exec", flags, dont_inherit=True), vars(module))
        except MemoryError:
            raise
        except BaseException as error:
            said = f"{type(error).__name__}: {error}".removesuffix(": ")
            try:
                self._choose(dict(vars(module)), "")
            except UnreadableError:
                raise UnreadableError(f"it cannot be imported: {said}") from None
            self.notes.append(f"its own code at the end stops with {said}")
        return vars(module)

    def _choose(self, names: dict[str, Any], wanted: str) -> str:
        """Choose what is judged; return its name."""
        kinds: dict[str, Callable[[Any], bool]] = {
            "TicTacToe": lambda of: isinstance(of, type) and callable(getattr(of, "move", None)),
            "tictactoe": lambda of: callable(getattr(of, "tictactoe", of)),
        }
        own = {
            name: of
            for name, of in names.items()
            if getattr(of, "__module__", None) == "solution" or name in ("TicTacToe", wanted)
        }
        movers = [name for name, of in own.items() if kinds["TicTacToe"](of)]
        games = [n for n, of in own.items() if n == "tictactoe" or hasattr(of, "tictactoe")]
        likely = [n for n in movers if "tictactoe" in n.lower().replace("_", "")]
        for name in (wanted,) if wanted else ("TicTacToe", *games, *likely[-1:], *movers):
            if name in own and any(kind(own[name]) for kind in kinds.values()):
                break
        else:
            what = f"{wanted} is not defined" if wanted else "no class has a method move"
            raise UnreadableError(
                f"{what}, and no function is called tictactoe" * (not wanted) or what
            )
        if not wanted and name not in ("TicTacToe", *games, *likely) and len(movers) > 1:
            several = ", ".join(movers)
            raise UnreadableError(
                f"several classes have a method move: {several}; choose with --name"
            )
        thing = own[name]
        self.problem = "TicTacToe" if kinds["TicTacToe"](thing) else "tictactoe"
        self.make = thing
        if self.problem == "tictactoe" and hasattr(thing, "tictactoe"):
            self.make = lambda moves: (thing() if isinstance(thing, type) else thing).tictactoe(
                moves
            )
        others = [o for o in dict.fromkeys((*movers, *games)) if own[o] is not thing]
        self.others = others
        return name

    def _describe(self, tree: ast.Module, name: str) -> None:
        """Say what is judged."""
        self.what = name
        nodes = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name
        ]
        if nodes:
            node = nodes[-1]
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            kind = "class" if isinstance(node, ast.ClassDef) else "function"
            method = "" if kind == "function" or self.problem == "TicTacToe" else ".tictactoe"
            self.what = f"{kind} {name}{method}, {lines} lines"
            if len(nodes) > 1:
                times = f"{name} is defined {len(nodes)} times"
                self.notes.append(f"{times}: the last, in line {node.lineno}, is judged")
        if self.others:
            self.notes.append(f"{', '.join(self.others)} could be judged too, with --name")


def _loads(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def _import(name: str) -> ModuleType:
    return importlib.import_module(name)


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
        answers.flush()


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
    answers.flush()
    leave(0)  # whatever threads it has left


if __name__ == "__main__":
    main()
