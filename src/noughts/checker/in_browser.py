"""JavaScript in a browser: web-tree-sitter reads it and QuickJS runs it, both as WebAssembly.

Both are behind an object of the page, which page/learn/javascript/judging.js describes.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

from noughts.checker.calls import line
from noughts.checker.isolated import Program
from noughts.checker.languages import open_text
from noughts.checker.languages.javascript import JavaScript
from noughts.checker.problems.problem import Candidate
from noughts.checker.reading import Source
from noughts.checker.reading.grammars import joined, query_text
from noughts.checker.sandbox import Limits
from noughts.checker.solution import Failed, Verdict

__all__ = ["BrowserJavaScript", "open_text"]


FAILURES: dict[str, tuple[Verdict, str]] = {
    "memory": ("memory", "it ran out of memory"),
    "stack": ("crashed", "its calls within calls are too many for a browser"),
    "error": ("crashed", "it exited with code 1 before answering"),  # as Node.js does
    "": ("crashed", "it wrote less than its answers"),
}


class Node:
    """A node of a tree, with the attributes of a node of `tree_sitter` that are used here.

    Args:
        tree: the tree.
        id: its number, which is its place in the tree.
        fields: the fields of this node from the page.
    """

    def __init__(self, tree: "Tree", id: int, fields: Sequence[int]) -> None:
        parent, start, end, first, last, error, missing, has_error = fields
        self.id = id
        self.start_byte, self.end_byte = tree.places[start], tree.places[end]
        self.start_point, self.end_point = (first, 0), (last, 0)
        self.is_error, self.is_missing, self.has_error = bool(error), bool(missing), bool(has_error)
        self.text = tree.text[self.start_byte : self.end_byte]
        self.children: list[Node] = []
        self.parent = tree.nodes[parent] if parent >= 0 else None
        if self.parent is not None:
            self.parent.children.append(self)


class Tree:
    """The tree of a text, whose places the page counts in UTF-16 and `tree_sitter` in UTF-8.

    Args:
        text: the text.
        rows: the fields of each node.
    """

    def __init__(self, text: str, rows: Sequence[Sequence[int]]) -> None:
        self.text = text.encode(errors="surrogatepass")
        units = [size for each in text for size in _units(each)]
        self.places = [*accumulate(units, initial=0)]
        self.nodes: list[Node] = []
        for id, fields in enumerate(rows):
            self.nodes.append(Node(self, id, fields))


def _units(letter: str) -> tuple[int, ...]:
    """Return the bytes in UTF-8 of each unit of a letter in UTF-16."""
    size = len(letter.encode(errors="surrogatepass"))
    return (size,) if letter < "\U00010000" else (0, size)


class BrowserJavaScript(JavaScript):
    """JavaScript in a browser.

    Args:
        page: the object that page/learn/javascript/judging.js provides.
    """

    def __init__(self, page: Any) -> None:
        self._page = page

    def read(self, text: str) -> Source:
        """Return what a file with this text defines; see `Language.read`."""
        rows, named = json.loads(self._page.parse(text, query_text(self.key)))
        tree, captures = Tree(text, rows), defaultdict(list)
        for name, id in named:
            captures[name].append(tree.nodes[id])
        return joined(tree.nodes[0], captures)

    def program(self, path: Path, text: str, candidate: Candidate, limits: Limits) -> Program:
        """Return how to run the file; see `Language.program`."""
        script = self.script(text, candidate)
        return _Script(
            path, candidate, self.name, (), (), limits, True, page=self._page, script=script
        )


@dataclass(frozen=True, slots=True)
class _Script(Program):
    """A script with its driver, and the object of the page that runs it."""

    page: Any = field(kw_only=True)
    script: str = field(kw_only=True)

    def start(self) -> "Interpreter":
        """Start an interpreter; see `Program.start`."""
        return Interpreter(self.page.start(self.script), self.limits)


class Interpreter:
    """An interpreter with a solution: a `noughts.checker.isolated.Process`.

    Args:
        inner: the interpreter in the page.
        limits: its limits, of which time and output count.
    """

    def __init__(self, inner: Any, limits: Limits) -> None:
        self._inner: Any = inner
        self._limits = limits
        self._lines: list[str] = []
        self._output = ""

    @property
    def output(self) -> str:
        """The beginning of its printed output."""
        return self._inner.printed if self._inner else self._output

    def request(self, text: str, count: int, seconds: float) -> list[str]:
        """Send a text and return the next `count` lines of the answer; see `Sandbox.request`."""
        if not self._inner:
            raise Failed("crashed", "it has exited", self._output)
        said, how = self._inner.request(text, seconds)
        self._lines += said.split("\n")[:-1]
        lines, self._lines = self._lines[:count], self._lines[count:]
        last = lines[-1] if lines else ""
        if last.startswith("fail unusable "):
            self.close()
            raise Failed("unusable", line(last.removeprefix("fail unusable ")), self._output)
        if how or len(lines) < count:
            self.close()
            late = f"it did not answer within {seconds:.0f} s"
            verdict, message = FAILURES.get(how, ("timeout", late))
            raise Failed(verdict, message, self._output)
        return lines

    def close(self) -> None:
        """End it."""
        if self._inner:
            self._output = self._inner.printed
            self._inner.close()
            self._inner = None
