"""What a value says, in a notebook."""

from collections.abc import Iterable
from html import escape


def facts_html(title: str, facts: Iterable[tuple[str, str]] = ()) -> str:
    """A title, and below it a line for each fact that is not empty: its name and what it is.

    It has the notebook's own colours, so that it is readable in any of its themes.
    """
    rows = "".join(
        f'<div style="opacity:.65">{escape(name)}</div><div>{escape(fact)}</div>'
        for name, fact in facts
        if fact
    )
    return (
        '<div style="padding:.4em 0;line-height:1.5">'
        f'<div style="font-weight:600">{escape(title)}</div>'
        '<div style="display:grid;grid-template-columns:max-content 1fr;column-gap:1.2em">'
        f"{rows}</div></div>"
    )
