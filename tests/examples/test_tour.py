"""examples/tour.ipynb runs, and its values are displayed."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat
import pytest
from nbclient import NotebookClient

TOUR = Path(__file__).parents[2] / "examples" / "tour.ipynb"


@pytest.mark.tier2("process")
@pytest.mark.compiled("noughts.opponent.search._engine")
def test_tour_runs_and_displays_every_value() -> None:
    notebook = nbformat.read(TOUR, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), "committed without outputs"
    NotebookClient(notebook, timeout=60).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    shown = [dict(output["data"]) for output in outputs if "data" in output]
    pictures = [each["image/svg+xml"] for each in shown if "image/svg+xml" in each]
    pages = [each["text/html"] for each in shown if "text/html" in each]
    titles = [_texts(picture)[0] for picture in pictures]
    assert titles == ["The sums of a 3×3 board, player 1 has won", "6×7 board, X wins"]
    words = [" ".join(_texts(page)) for page in pages]
    starts = [
        "X wins in a row D6–G6",
        "Play ",
        "The player to move can hold a draw",
        "2. O B1 gave",
    ]
    for text, start in zip(words, starts, strict=False):
        assert text.startswith(start)
    assert "It answers like a class that" in words[-1]
    assert len(words) == len(starts) + 1
    printed = [output["text"] for output in outputs if output["output_type"] == "stream"]
    assert printed == ["player 1 completed A1 to C1, but player 2 made the last move\n"]


def _texts(markup: str) -> list[Any]:
    """Return the texts of a picture or a fragment of a page, in order."""
    return [text for text in ElementTree.fromstring(markup).itertext() if text.strip()]
