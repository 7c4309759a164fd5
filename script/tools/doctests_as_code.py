"""For the reference: shows the examples of docstrings as code, wherever in the text they stand."""

from __future__ import annotations

import textwrap
from typing import Any

import griffe


class DoctestsAsCode(griffe.Extension):  # type: ignore[misc]  # script/test does not have it
    """Fences every paragraph that begins with ``>>>``, before docstrings are parsed."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(docstring: str) -> str:
    """The text with its doctests in fences."""
    return "\n\n".join(
        textwrap.indent(f"```pycon\n{textwrap.dedent(part)}\n```", indent_of(part))
        if part.lstrip().startswith(">>>")
        else part
        for part in docstring.split("\n\n")
    )


def indent_of(part: str) -> str:
    """The spaces before its first line."""
    return part[: len(part) - len(part.lstrip(" "))]
