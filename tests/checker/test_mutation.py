"""Whether tests catch known mistakes: the names they use, and what becomes of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from noughts.checker import check_tests
from noughts.checker.catalogue import CATALOGUE
from noughts.checker.mutation import Vocabulary, vocabulary
from noughts.checker.solution import Failed
from noughts.cli.app import application

DATA = Path(__file__).parent / "data"
CARDS = Path(__file__).parents[2] / "src/noughts/page/learn/mistakes.json"


def cards(problem: str) -> list[dict[str, Any]]:
    """Return the smallest game for each mistake, as the lesson shows it."""
    names = {each.name for each in CATALOGUE[problem]}
    return [card for card in json.loads(CARDS.read_text()) if card["name"] in names]


def strong(name: str = "game.move({}, {}, {})", start: str = "game = Game({})") -> str:
    """Return tests that notice every mistake: the smallest game of each."""
    lines = ["from my.game import TicTacToe as Game", ""]
    for number, card in enumerate(cards("TicTacToe")):
        game = card["game"]
        lines.append(f"def test_{number}():")
        before = game.get("before", [])
        lines += [f"    other{at} = Game({n})" for at, (n, _) in enumerate(before)]
        lines.append(f"    {start.format(game['n'])}")
        for at, (_, moves) in enumerate(before):
            lines += [f"    other{at}.move({row}, {col}, {who})" for row, col, who in moves]
        calls = ", ".join(name.format(*move) for move in game["moves"])
        answers = [0] * (len(game["moves"]) - 1) + [int(game["expected"])]
        lines += [f"    assert repr([{calls}]) == '{answers}'", ""]
    return "\n".join(lines)


def written(folder: Path, text: str) -> Path:
    path = folder / "test_mine.py"
    path.write_text(text)
    return path


def test_strong_tests_notice_every_mistake(tmp_path: Path) -> None:
    report = check_tests(written(tmp_path, strong()))
    assert report.right, report
    assert set(report.caught) == {each.name for each in CATALOGUE["TicTacToe"]}
    count = len(report.caught)
    assert str(report) == f"test_mine.py\n  ✓ catches {count} of {count} known mistakes"


@pytest.mark.tier2("long")
def test_proposed_tests_make_weak_tests_strong(tmp_path: Path) -> None:
    weak = (DATA / "weak_suite.py").read_text()
    report = check_tests(written(tmp_path, weak))
    assert not report.failing
    names = [name for name, _ in report.missed]
    assert "anti-diagonal-off-by-one" in names
    code = dict(report.missed)["anti-diagonal-off-by-one"]
    assert "game = TicTacToe(2)" in code
    assert len(report.reports) == 1 + len(CATALOGUE["TicTacToe"])
    pasted = "\n\n\n".join([weak, *(code for _, code in report.missed)])
    better = check_tests(written(tmp_path, pasted))
    assert better.right, better


LETTERS = """
from solution import Game
def test_row():
    game = Game(3)
    for col in range(2):
        assert game.play(0, col, "X") is None
        assert game.play(1, col, "O") is None
    assert game.play(0, 2, "X") == "X"
"""
UNITTEST = """
import unittest
import tictactoe
class Rows(unittest.TestCase):
    def test_row(self):
        game = tictactoe.TicTacToe(n=2)
        self.assertEqual(game.move(row=0, column=0, player=1), 0)
        self.assertEqual(game.move(row=1, column=0, player=2), 0)
        self.assertEqual(game.move(row=0, column=1, player=1), 1)
"""
PYTEST = """
import pytest
from tictactoe import TicTacToe
@pytest.fixture
def game(): return TicTacToe(2)
@pytest.mark.parametrize("player", [1, 2])
def test_row(game, player):
    assert [game.move(0, 0, player), game.move(1, 0, 3 - player)] == [0, 0]
    assert game.move(0, 1, player) == player
"""
WHOLE = """
from solution import tictactoe
def test_draw(): assert tictactoe([[0, 0], [1, 1]]) == "Pending"
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            LETTERS,
            Vocabulary("TicTacToe", "solution", "Game", "play", keywords={}, players=("X", "O"),
                       nobody=None),
        ),
        (
            UNITTEST,
            Vocabulary("TicTacToe", "tictactoe", "TicTacToe",
                       keywords={"row": "row", "column": "col", "player": "player"}),
        ),
        (
            PYTEST,
            Vocabulary("TicTacToe", "tictactoe", "TicTacToe", keywords={}, needs_pytest=True),
        ),
        (WHOLE, Vocabulary("tictactoe", "solution", "tictactoe")),
    ],
    ids=["letters", "unittest", "pytest", "function"],
)  # fmt: skip
def test_names_that_tests_use_are_found(text: str, expected: Vocabulary) -> None:
    assert vocabulary(text, "test_mine.py") == expected


@pytest.mark.parametrize("text", [LETTERS, UNITTEST, PYTEST], ids=["letters", "unittest", "pytest"])
def test_right_classes_pass_and_a_mistake_is_noticed(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [each for each in CATALOGUE["TicTacToe"] if each.name == "no-rows"]
    monkeypatch.setitem(CATALOGUE, "TicTacToe", tuple(rows))
    report = check_tests(written(tmp_path, text))
    assert (report.failing, report.caught) == ((), ("no-rows",))


@pytest.mark.parametrize(
    ("test", "name", "why"),
    [
        ("assert Game(3).move(0, 0, 1) == 1", "test_it", "AssertionError"),
        ("while Game(3).move(0, 0, 1) == 0: pass", "test_mine.py", "it does not end in time"),
        ("import os; os._exit(Game(3).move(0, 0, 1))", "test_mine.py", "it ends the process"),
    ],
)
def test_right_class_that_fails_is_reported(tmp_path: Path, test: str, name: str, why: str) -> None:
    text = f"from solution import Game\ndef test_it():\n    {test}\n"
    report = check_tests(written(tmp_path, text))
    assert report.failing == ((name, why),)
    assert not report.right
    assert [each.verdict for each in report.reports] == ["wrong"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def test_it(:", "line 1 of test_mine.py is not valid Python"),
        ("def test_it(): assert 1", "imports no class or function that it calls"),
        (
            "from a import B\ndef test_it(): B(3)",
            "test_mine.py calls no method with a row and a column",
        ),
        ("from a import B\ndef check(): B(3).move(0, 0, 1)", "test_mine.py has no tests"),
    ],
)
def test_what_is_no_test_is_refused(
    tmp_path: Path, text: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(Failed) as caught:
        check_tests(path)
    assert says in str(caught.value)
    with pytest.raises(SystemExit) as left:
        application.main(["check", "--tests", str(path)])
    assert left.value.code == 2
    assert "test_mine.py" in capsys.readouterr().out
