"""The JSON that the page receives about a solution."""

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


def report_on(text: str) -> dict[str, Any]:
    """Judge a solution and parse the report."""
    report: dict[str, Any] = json.loads(judged(text))
    return report


def test_judged_names_known_mistake() -> None:
    report = report_on(WRONG)
    assert (report["verdict"], report["diagnosis"]) == ("wrong", "anti-diagonal-off-by-one")
    assert report["counterexample"]["moves"] == [[0, 1, 1], [0, 0, 2], [1, 0, 1]]
    assert report["mistake"]["does"].startswith("uses row + col == n")
    assert (report["before"], report["line"]) == ([], None)


@pytest.mark.tier2("time")
def test_costs_have_names_and_points() -> None:
    found = json.loads(costs(WRONG))
    assert [cost["name"] for cost in found] == ["time per move", "construction", "memory"]
    assert all(n > 0 < cost for each in found for n, cost in each["points"])


def test_costs_of_unreadable_source_are_empty() -> None:
    assert costs("def") == "[]"


@pytest.mark.parametrize(
    ("text", "verdict", "line"),
    [
        ("class TicTacToe:\n    def move(self\n", "unusable", 2),
        ("player = 1\n", "unusable", None),
        (CLASS.format("return self.rows[row]"), "wrong", 5),
        (CLASS.format("raise MemoryError"), "memory", 5),
    ],
)
def test_judged_reports_line_of_error(text: str, verdict: str, line: int | None) -> None:
    report = report_on(text)
    assert (report["verdict"], report["line"]) == (verdict, line)
