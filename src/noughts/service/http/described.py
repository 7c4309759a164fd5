"""The descriptions in Python that the page shows: a module of JavaScript, and parts of its HTML."""

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from itertools import product
from pathlib import Path
from typing import Any

from noughts.game.outcome import Termination
from noughts.game.rules import Variant
from noughts.opponent import LEVELS
from noughts.picture import THEMES
from noughts.service.http.models import MAX_NAME, MAX_SIDE, PLAYED, most
from noughts.service.play.events import KINDS, REACTIONS
from noughts.service.play.refusal import FOULS, REASONS

PAGE = Path(__file__).parents[2] / "page"
PROPOSED = "easy"  # the level that the start page proposes
TABLES: dict[str, Mapping[str, Any]] = {
    "VARIANTS": PLAYED,
    "LEVELS": LEVELS,
    "LOOKS": THEMES,
    "EVENTS": KINDS,
    "REASONS": REASONS,
}
VARIANT = "aim", "about", "loses", "fouls", "k", "falls"  # fields that are sent as they are
PART = re.compile(
    rf"<!-- ({'|'.join(TABLES)})(?:\.(\w+))?: (.*?) -->"
)  # all of a table, or one of it


def lists() -> dict[str, Any]:
    """What the page's scripts read, by the name under which they import it."""
    return {
        "VARIANTS": {name: _variant(variant) for name, variant in PLAYED.items()},
        "LEVELS": _fields(LEVELS, "title", "about", "searches"),
        "LOOKS": _fields(THEMES, "title"),
        "EVENTS": _fields(KINDS, "said", "own", "drawn", "fills", "status"),
        "TERMINATIONS": {end.value: {"words": end.words, "own": end.own} for end in Termination},
        "REFUSALS": {code: reason.said for code, reason in REASONS.items() if reason.said},
        "FOULS": FOULS,
        "REACTIONS": REACTIONS,
        "LIMITS": {"side": MAX_SIDE, "name": MAX_NAME},
        "LANGUAGES": ["en", *sorted(path.stem for path in (PAGE / "languages").glob("*.js"))],
    }


def module() -> bytes:
    """These as a module of JavaScript."""
    texts = {name: json.dumps(value, ensure_ascii=False) for name, value in lists().items()}
    return "".join(f"export const {name} = {text};\n" for name, text in texts.items()).encode()


def filled(page: str) -> str:
    """A page of HTML with what its comments ask for: a template for each entry of a table.

    >>> filled("<!-- LEVELS.easy: <b>{title}</b> -->")
    '<b>Easy</b>'
    """
    page = PART.sub(lambda part: "\n".join(_entries(*part.groups())), page)
    return page.replace("{k}", "3")  # the start page begins with tic-tac-toe


def _entries(table: str, wanted: str | None, template: str) -> Iterator[str]:
    for key, entry in TABLES[table].items():
        if wanted in (None, key):
            texts = {field: escape(str(value)) for field, value in entry._asdict().items()}
            checked = " checked" if key == PROPOSED else ""
            yield template.format(key=key, checked=checked, **texts)


def _fields(table: Mapping[str, Any], *names: str) -> dict[str, dict[str, Any]]:
    """These fields of every entry of a table, without those that are None or false."""
    fields = {key: {name: getattr(entry, name) for name in names} for key, entry in table.items()}
    return {
        key: {name: value for name, value in entry.items() if value not in (None, False)}
        for key, entry in fields.items()
    }


def _variant(variant: Variant) -> dict[str, Any]:
    """A variant, with what its lines decide.

    `decides` says for seats 1 and 2 whether a line ends the game whose neighbours, behind it and
    before it, are empty, the same player's or the other's: nine cases in that order.
    """
    about = {name: getattr(variant, name) for name in VARIANT}
    ends = {seat: product((0, seat, 3 - seat), repeat=2) for seat in (1, 2)}
    return about | {
        "counts": variant.counts is not None,
        "most": most(variant.name),
        "decides": [
            "".join(str(int(variant.decides(seat, *pair))) for pair in ends[seat]) for seat in ends
        ],
    }
