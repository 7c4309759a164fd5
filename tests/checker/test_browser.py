"""What the page is told of a text that is judged."""

import json
from pathlib import Path
from typing import Any

import pytest

from noughts.checker.browser import costs, judged

EXAMPLES = Path(__file__).parents[2] / "examples/solutions"
WRONG = (EXAMPLES / "off_by_one.py").read_text()
CLASS = """class TicTacToe:
    def __init__(self, n):
        print(n)
    def move(self, row, col, player):
        {}
"""


def told(text: str) -> dict[str, Any]:
    """The report."""
    report: dict[str, Any] = json.loads(judged(text))
    return report


def test_a_wrong_class_is_told_its_mistake() -> None:
    report = told(WRONG)
    assert (report["verdict"], report["diagnosis"]) == ("wrong", "anti-diagonal-off-by-one")
    assert report["counterexample"]["moves"] == [[0, 1, 1], [0, 0, 2], [1, 0, 1]]
    assert report["mistake"]["does"].startswith("uses row + col == n")
    assert (report["before"], report["line"]) == ([], None)


def test_its_costs_are_measured_by_themselves() -> None:
    found = json.loads(costs(WRONG))
    assert [cost["name"] for cost in found] == ["time of a move", "making one", "memory"]
    assert all(n > 0 < cost for each in found for n, cost in each["points"])
    assert costs("def") == "[]"


@pytest.mark.parametrize(
    ("text", "verdict", "line"),
    [
        ("class TicTacToe:\n    def move(self\n", "unreadable", 2),
        ("player = 1\n", "unreadable", None),
        (CLASS.format("return self.rows[row]"), "wrong", 5),
        (CLASS.format("raise MemoryError"), "memory", 5),
    ],
)
def test_an_error_has_its_line(text: str, verdict: str, line: int | None) -> None:
    report = told(text)
    assert (report["verdict"], report["line"]) == (verdict, line)
