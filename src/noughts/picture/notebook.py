"""HTML for values that a notebook displays."""

from collections.abc import Iterable
from html import escape


def facts_html(title: str, facts: Iterable[tuple[str, str]] = ()) -> str:
    """Render a title and, below it, one line per fact.

    The HTML inherits the notebook's colours, so that it is readable in any theme.

    Args:
        title: the first line.
        facts: (name, value) pairs; those with an empty value are left out.
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
