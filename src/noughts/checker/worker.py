"""The process of a Python solution: loads its file and plays the requested games.

Usage: ``python worker.py CALLS FILE``, where CALLS is a JSON list: the name of the class or
function, and the fields of `noughts.checker.reading.expressions.Calls`. It imports only the
standard library and implements the protocol described in `noughts.checker.isolated`.
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
from types import ModuleType
from typing import Any, NoReturn

# Modules that problem sites import before they run a solution.
USUAL = (
    *("collections", "itertools", "functools", "math", "heapq", "bisect", "string"),
    *("copy", "operator", "random", "re", "json", "sys", "os", "typing"),
)
REQUESTS, ANSWERS = 3, 4  # file descriptors
OLD = {"xrange", "raw_input", "unicode", "basestring", "unichr"}  # names that only Python 2 has

SPACES = {"\u200b": "", "\u2060": "", "\ufeff": "", "\u00a0": " "}  # in text from a web page


class UnreadableError(Exception):
    """The file contains nothing that can be judged."""


class File:
    """The definitions of a file, which is executed.

    Attributes:
        names: all names it defines.
        notes: sentences about the file.
        complete: whether its top-level code ran to the end.
    """

    def __init__(self, path: Path) -> None:
        self.notes: list[str] = []
        self.complete = True
        source = cleaned(path.read_bytes())
        tree = parsed(source, path.name)
        self.names: dict[str, Any] = self._run(source, path.name, self._usual(tree))

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
            self.complete = False
        return vars(module)


def cleaned(source: bytes) -> bytes:
    """Replace the no-break spaces, and leave out the invisible ones, of text from a web page."""
    for mark, instead in SPACES.items():
        source = source.replace(mark.encode(), instead.encode())
    return source


def cleaned_text(text: str) -> str:
    """Return the text of a file from a web page with usual spaces and ends of lines."""
    for mark, instead in (*SPACES.items(), ("\r\n", "\n"), ("\r", "\n")):
        text = text.replace(mark, instead)
    return text


def parsed(source: bytes, name: str) -> ast.Module:
    """Parse the file, or raise `UnreadableError` if it is not valid Python 3."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        said = getattr(error, "msg", None) or str(error) or type(error).__name__
        where = f"line {line} of {name}" if line else name
        if any(word in said for word in ("'print'", "'exec'", "multiple exception")):
            reason = f"this looks like Python 2 ({where}: {said}); Python 3 is needed"
            raise UnreadableError(reason) from None
        raise UnreadableError(f"{where} is not valid Python: {said}") from None


def serve(file: File, words: list[Any], calls: ModuleType, requests: Any, answers: Any) -> None:
    """Describe the file, and answer requests until the input ends."""
    name, *expressions, whole = words
    try:
        make, call = calls.evaluated(name, file.names, *expressions)
    except NameError:
        raise UnreadableError("; ".join(file.notes) or f"it does not define {name}") from None
    answers.write(json.dumps(file.notes) + "\n")
    answers.flush()
    objects: dict[int, Any] = {}
    for request in requests:
        verb, numbers = request[:1], [*map(int, request[1:].split())]
        texts: list[str] = []
        if verb == "p" and whole:
            texts = calls.call_function(lambda n, marks: call(n, marks), *_game(numbers))
        elif verb in ("p", "s"):
            texts, thing = calls.play(make, call, *_game(numbers))
            if verb == "s":
                texts.insert(0, (calls.state(thing) or b"").hex())
        elif verb == "o":
            objects[numbers[0]] = calls.created(make, numbers[1])
            continue
        elif verb == "m":
            slot, n, *move = numbers
            texts = calls.answers(call, objects[slot], n, [move])
        elif verb == "t":
            texts = [" ".join(map(repr, calls.timed(make, call, *_game(numbers), 1)))]
        elif verb == "b":
            texts = [str(calls.grown(make, call, *_game(numbers)))]
        else:
            show()
            answers.flush()
            continue
        answers.write("\t".join(texts) + "\n")


def _game(numbers: list[int]) -> tuple[int, list[tuple[int, int, int]]]:
    """Return the size and the moves of a game."""
    each = iter(numbers[1:])
    return numbers[0], [*zip(each, each, each, strict=True)]


def show() -> None:
    """Flush what the solution printed, unless it broke its standard output."""
    with suppress(Exception):
        sys.stdout.flush()


def answer(work: Callable[[Any, Any], None], calls: ModuleType) -> NoReturn:
    """Call `work` with the requests and the answers, report how it fails, and exit.

    `calls` is the module `noughts.checker.calls`.
    """
    requests = os.fdopen(REQUESTS, encoding="ascii", newline="\n")
    answers = os.fdopen(ANSWERS, "w", encoding="utf-8", newline="\n")
    os.set_inheritable(REQUESTS, False)
    os.set_inheritable(ANSWERS, False)
    leave = os._exit
    # Child processes forked by the solution must not write answers.
    os.register_at_fork(after_in_child=lambda close=os.close: (close(REQUESTS), close(ANSWERS)))
    try:
        work(requests, answers)
    except UnreadableError as error:
        answers.write(f"fail unusable {calls.line(str(error))}\n")
    except MemoryError:
        answers.write("fail memory it ran out of memory\n")
    except BaseException as error:
        answers.write(f"fail crashed it stopped with {calls.raised(error)[1:]}\n")
    show()
    answers.flush()
    leave(0)  # without waiting for threads


def main() -> None:
    """Run the worker: load the file, describe it and answer requests."""
    if not getattr(sys.flags, "safe_path", False):  # before Python 3.11: the checker's own folder
        del sys.path[0]
    spec = importlib.util.spec_from_file_location("calls", Path(__file__).with_name("calls.py"))
    assert spec is not None
    assert spec.loader is not None
    calls = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(calls)
    path, words = Path(sys.argv.pop()), json.loads(sys.argv.pop())
    answer(lambda requests, answers: serve(File(path), words, calls, requests, answers), calls)


if __name__ == "__main__":
    main()
