"""`check` on files and in this process, and errors on the way."""

from pathlib import Path

import pytest

from checker.solutions import RIGHT, WHOLE, WON
from noughts.checker import check
from noughts.checker.catalogue import CATALOGUE, Mistake, known
from noughts.checker.catalogue.right import Sums
from noughts.checker.exporters import json_line
from noughts.checker.in_process import InProcess
from noughts.checker.languages import language
from noughts.checker.solution import Failed

OFF = RIGHT.replace("row + col == self.n - 1", "row + col == self.n")


@pytest.mark.parametrize("isolated", [True, False])
def test_check_judges_file(tmp_path: Path, isolated: bool) -> None:
    path = tmp_path / "solution.py"
    path.write_text(OFF)
    report = check(path, games=50, growth=False, isolated=isolated)
    assert (report.solution, report.diagnosis) == ("solution.py", "anti-diagonal-off-by-one")


def test_check_reports_game_that_ends_process(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_text(
        f"import os\n{RIGHT}".replace(
            "        value", "        row == 2 and os._exit(3)\n        value", 1
        )
    )
    report = check(path, growth=False)
    assert (report.verdict, report.message) == (
        "crashed",
        "it exited with code 3 before answering, on 3×3 after 1 move",
    )
    assert report.counterexample is not None
    assert report.counterexample.moves == ((2, 0, 1),)
    assert report.message in json_line(report)


def test_check_rejects_unknown_suffix(tmp_path: Path) -> None:
    path = tmp_path / "solution.txt"
    path.write_text(RIGHT)
    with pytest.raises(Failed, match=r"^cannot check solution\.txt: expected \.py, \.java, "):
        check(path)


def test_check_names_missing_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "solution.java"
    path.write_text("class TicTacToe { int move(int row, int col, int player) { return 0; } }")
    monkeypatch.setattr(language, "which", lambda command, path: None)
    with pytest.raises(
        Failed,
        match=r"^Java solutions need javac, which is not installed; "
        r"on Debian it is in the package default-jdk$",
    ):
        check(path)


class LateAndHidden(Sums):
    """A class with an unreadable state and a mistake that only long games reveal."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.moves = (at for at in range(n * n))

    def move(self, row: int, col: int, player: int) -> int:
        answer = super().move(row, col, player)
        return (
            3
            if answer and self.n == 3 and next(self.moves) == 6
            else (next(self.moves, 0), answer)[1]
        )


@pytest.mark.tier2("long")
@pytest.mark.usefixtures("unmeasured")
def test_check_finds_shortest_game_without_states() -> None:
    example = check(LateAndHidden, games=50, growth=False).counterexample
    assert example is not None
    assert (example.n, example.answered) == (3, "3")


@pytest.mark.parametrize("mistake", CATALOGUE["tictactoe"], ids=lambda mistake: mistake.name)
def test_known_mistakes_in_whole_games_answer(mistake: Mistake) -> None:
    suspect = InProcess(mistake.solution)
    assert [len(played.answers) for played in suspect.play(WHOLE)] == [1, 1]


@pytest.mark.parametrize("name", ["only-a-wins", "none-for-pending"])
def test_check_finds_shortest_game_of_function(name: str) -> None:
    mistake = known(name)
    assert mistake is not None
    report = check(mistake.solution, growth=False)
    assert report.diagnosis == name
    assert report.counterexample is not None
    assert len(report.counterexample.moves) == {"only-a-wins": 6, "none-for-pending": 1}[name]


@pytest.mark.usefixtures("unmeasured", "small")
def test_check_judges_solution_that_cannot_be_measured() -> None:
    class SmallOnly(Sums):
        def __init__(self, n: int) -> None:
            if n > 100:
                raise ValueError("too large")
            super().__init__(n)

    report = check(SmallOnly, games=20)
    assert report.right
    assert report.games > 30_000


def test_check_reports_memory_error() -> None:
    class Greedy(Sums):
        def move(self, row: int, col: int, player: int) -> int:
            raise MemoryError

    report = check(Greedy, growth=False)
    message = "it ran out of memory, on 1×1 after 1 move"
    assert (report.verdict, report.message) == ("memory", message)


@pytest.mark.parametrize("raised", [MemoryError, KeyboardInterrupt])
def test_play_raises_errors_that_are_not_answers(raised: type[BaseException]) -> None:
    class Shown(Exception):
        def __str__(self) -> str:
            raise raised

    def judge(moves: object) -> str:
        raise Shown

    with pytest.raises((Failed, raised)):
        InProcess(judge).play([WON])
