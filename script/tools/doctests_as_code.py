"""An extension for the API reference, which shows examples anywhere in a docstring as code."""

from __future__ import annotations

import textwrap
from typing import Any

import griffe


class DoctestsAsCode(griffe.Extension):  # type: ignore[misc]  # not installed by script/test
    """Puts every paragraph that begins with ``>>>`` into a fence before docstrings are parsed."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(docstring: str) -> str:
    """Return the docstring with its doctests in fences."""
    return "\n\n".join(
        textwrap.indent(f"```pycon\n{textwrap.dedent(part)}\n```", indent_of(part))
        if part.lstrip().startswith(">>>")
        else part
        for part in docstring.split("\n\n")
    )


def indent_of(part: str) -> str:
    """Return the spaces before the first line."""
    return part[: len(part) - len(part.lstrip(" "))]
