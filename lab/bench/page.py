"""The page docs/performance.md, created from its template and the figures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.bench.requirements import REQUIREMENTS
from lab.bench.tables import markdown, number, table
from lab.bench.timing import BRIEF, Figures

TEMPLATE = Path(__file__).with_name("performance.md.in")
NOT_MEASURED = "not measured in this run"


def page(results: Mapping[str, Any]) -> str:
    """Return the page.

    A line ``{part: table | heading}`` of the template is replaced by a table of figures.
    The part about a GPU is left out unless it was measured.
    ``{computer}``, ``{requirements}``, ``{rounds}`` and ``{brief}`` are replaced by their values.
    """
    figures: Figures = results["figures"]

    def filled(place: re.Match[str]) -> str:
        part, name, heading = place.groups()
        measured = figures.get(part, {}).get(name)
        return f"({NOT_MEASURED})" if measured is None else table(heading, measured)

    text = TEMPLATE.read_text("utf-8")
    if "device" not in figures:  # few computers have a GPU
        text = re.sub(r"^### On a GPU\n.*?(?=^## )", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\{(\w+): ([^|{}]+) \| ([^{}]+)\}", filled, text)
    text = text.replace("{computer}", ", ".join(f"{k} {v}" for k, v in results["computer"].items()))
    text = text.replace("{requirements}", requirements(figures))
    text = text.replace("{brief}", str(BRIEF * results["rounds"]))
    return text.replace("{rounds}", str(results["rounds"]))


def refreshed(text: str, figures: Figures) -> str:
    """Return another page with its tables updated.

    A table follows a comment ``<!-- part: table | heading -->`` and ends at an empty line. It stays
    if it was not measured.
    """

    def new(place: re.Match[str]) -> str:
        comment, part, name, heading = place.groups()
        measured = figures.get(part, {}).get(name)
        return place[0] if measured is None else f"{comment}\n{table(heading, measured)}\n"

    return re.sub(r"(<!-- (\w+): ([^|\n]+) \| ([^\n]+) -->)\n(?:\|.*\n)*", new, text)


def requirements(figures: Figures) -> str:
    """Return a table of the requirements and the measured figures."""
    rows = []
    for wanted in REQUIREMENTS:
        bound = f"{'≥' if wanted.at_least else '≤'} {number(wanted.bound)} {wanted.unit}"
        try:
            value = wanted.measured(figures)
        except KeyError:
            rows.append([wanted.what, bound, NOT_MEASURED, "–"])
            continue
        verdict = "met" if wanted.is_met(value) else "**not met**"
        rows.append([wanted.what, bound, f"{number(value)} {wanted.unit}", verdict])
    return markdown(["requirement", "limit", "measured", ""], rows)
