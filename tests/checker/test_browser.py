"""The JSON that the page receives about a solution."""

import builtins
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from checker.conftest import sampled
from noughts.checker import check_tests, suite
from noughts.checker.browser import costs, judged, tried
from noughts.checker.catalogue import CATALOGUE
from noughts.checker.exporters import json_line
from noughts.checker.submissions import Submission, judge

EXAMPLES = Path(__file__).parents[2] / "examples/solutions"
DATA = Path(__file__).parent / "data"
CARDS = Path(__file__).parents[2] / "src/noughts/page/learn/mistakes.json"
GAMES = json.dumps({card["name"]: card["game"] for card in json.loads(CARDS.read_text())})
FILES = (*DATA.glob("*.py"), *EXAMPLES.glob("*.py"))
SAMPLE = ("make_move.py", "symbols.py", "full_before_win.py", "weak_suite.py", "off_by_one.py")
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


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("path", sampled(SAMPLE, FILES, lambda path: str(path.name)))
def test_browser_and_command_say_the_same(path: Path) -> None:
    seen = report_on(path.read_text())
    told = judge(Submission("solution.py", path), None, growth=False)
    assert seen["verdict"] == told.verdict
    assert (seen["message"], seen["what"]) == (told.message, told.what)
    assert (tuple(seen["found"]), tuple(seen["notes"])) == (told.found, told.notes)
    assert seen["counterexample"] == json.loads(json_line(told))["counterexample"]


def test_letters_are_players_if_chosen() -> None:
    text = (DATA / "symbols.py").read_text()
    assert report_on(text)["verdict"] == "wrong"
    assert json.loads(judged(text, ["X", "O"]))["verdict"] == "right"


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


# The reader's own tests

LOOP = "from a import Game\ndef test_it():\n    while Game(3).move(0, 0, 1) == 0: pass\n"


def report_on_tests(text: str, games: str = GAMES) -> dict[str, Any]:
    """Run tests and parse the report."""
    report: dict[str, Any] = json.loads(tried(text, games))
    return report


@pytest.mark.tier2("long")
def test_tried_and_command_say_the_same() -> None:
    told = check_tests(DATA / "weak_suite.py")
    seen = report_on_tests((DATA / "weak_suite.py").read_text())
    assert (seen["failing"], tuple(seen["caught"])) == ([], told.caught)
    assert [(row["name"], row["code"]) for row in seen["missed"]] == [*told.missed]


@pytest.mark.tier2("long")
def test_tried_finds_shortest_whole_game() -> None:
    """Search for the games of functions, of which the lesson has none."""
    text = "from a import tictactoe\ndef test_it(): assert tictactoe([[0, 0]]) == 'Pending'\n"
    missed = report_on_tests(text)["missed"]
    assert {row["name"] for row in missed} < {each.name for each in CATALOGUE["tictactoe"]}
    assert missed
    assert all("assert tictactoe(" in row["code"] for row in missed)


def test_tried_leaves_no_state_behind() -> None:
    """Run the same tests twice with mistakes that share state between objects."""
    text = "from a import B\ndef test_it(): assert B(2).move(0, 0, 1) == 0\n"
    assert report_on_tests(text) == report_on_tests(text)


def test_tried_undoes_what_tests_change() -> None:
    """Run tests that replace a function of Python, and that import from a module like theirs."""
    modules, names = {*sys.modules}, {**vars(builtins)}
    text = (
        "import builtins\nfrom tests.game import B\n"
        "def test_it():\n"
        "    assert not hasattr(builtins, 'left')\n"
        "    builtins.left = builtins.print = None\n"
        "    assert B(2).move(0, 0, 1) == 0\n"
    )
    assert report_on_tests(text)["failing"] == []
    assert vars(builtins) == names
    assert not {"__tests__", "tests", "tests.game"} & ({*sys.modules} - modules)


def test_tried_tells_progress_of_each_right_class() -> None:
    told: list[str] = []
    tried("from a import B\ndef test_it(): assert B(3).move(0, 0, 1) == 1\n", progress=told.append)
    assert "right class 1 of " in told[1]


def test_tried_ends_endless_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "SECONDS", 0.1)
    message = "with a correct class they did not end within 0.1 s"
    assert report_on_tests(LOOP) == {"verdict": "timeout", "message": message}


@pytest.mark.parametrize(
    ("text", "says", "line"),
    [
        ("def test_it(:\n", "line 1 of tests.py is not valid Python", 1),
        ("def test_it(): assert 1\n", "tests.py imports no class or function that it calls", None),
        ("from a import B\ndef check(): B(3).move(0, 0, 1)\n", "tests.py has no tests", None),
        (
            "import unittest\nfrom a import B\n"
            "def test_it(): B(3).move(0, 0, 1)\n"
            "unittest.main()\n",
            "tests.py exits; put unittest.main() under if",
            None,
        ),
        (
            "from a import B\nasync def test_it(): B(3).move(0, 0, 1)\n",
            "line 2 of tests.py is an async test",
            2,
        ),
        (
            "import unittest\nfrom a import B\nclass T(unittest.TestCase):\n"
            "    async def test_it(self): B(3).move(0, 0, 1)\n",
            "line 4 of tests.py is an async test",
            4,
        ),
    ],
)
def test_tried_explains_unusable_tests(text: str, says: str, line: int | None) -> None:
    report = report_on_tests(text)
    assert report["message"].startswith(says)
    assert report["line"] == line
