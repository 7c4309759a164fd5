"""`check` of a file, in a process of its own and in this one; and what happens on the way."""

from pathlib import Path

import pytest

from checker.solutions import RIGHT, WHOLE, WON
from noughts.checker import check
from noughts.checker.catalogue import CATALOGUE, Mistake, known
from noughts.checker.catalogue.right import Sums
from noughts.checker.exporters import json_line
from noughts.checker.in_process import InProcess
from noughts.checker.solution import Failed

OFF = RIGHT.replace("row + col == self.n - 1", "row + col == self.n")


@pytest.mark.parametrize("isolated", [True, False])
def test_a_file_is_judged_in_its_own_process_and_in_this_one(
    tmp_path: Path, isolated: bool
) -> None:
    path = tmp_path / "solution.py"
    path.write_text(OFF)
    report = check(path, games=50, growth=False, isolated=isolated)
    assert (report.solution, report.diagnosis) == ("solution.py", "anti-diagonal-off-by-one")


def test_what_ends_its_process_is_told_with_the_game_in_which_it_does(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_text(
        RIGHT.replace("        value", "        row == 2 and exec('1/0')\n        value")
    )
    assert check(path, growth=False).verdict == "wrong"
    path.write_text(
        f"import os\n{RIGHT}".replace(
            "        value", "        row == 2 and os._exit(3)\n        value", 1
        )
    )
    report = check(path, growth=False)
    assert (report.verdict, report.message) == (
        "crashed",
        "it ended with exit code 3 before it had answered, on 3×3 after 1 move",
    )
    assert report.counterexample is not None
    assert report.counterexample.moves == ((2, 0, 1),)
    assert report.message in json_line(report)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "solution.txt"
    path.write_text(RIGHT)
    with pytest.raises(Failed, match=r"^solution\.txt: only \.py"):
        check(path)


class LateAndHidden(Sums):
    """Has a state that nobody sees, and a mistake that only long games show."""

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


@pytest.mark.usefixtures("unmeasured")
def test_where_no_state_is_seen_the_shortest_game_is_found() -> None:
    report = check(LateAndHidden, games=50, growth=False)
    told = report.counterexample
    assert told is not None
    assert (told.n, told.answered) == (3, "3")


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("name", ["class-attributes", "one-board-in-a-global"])
def test_objects_that_share_their_state_are_told_so(name: str) -> None:
    mistake = known(name)
    assert mistake is not None
    told = check(mistake.solution, games=50, growth=False).counterexample
    assert told is not None
    assert told.before
    assert "objects share their state" in told.message


@pytest.mark.parametrize("mistake", CATALOGUE["tictactoe"], ids=lambda mistake: mistake.name)
def test_the_known_mistakes_of_whole_games_answer(mistake: Mistake) -> None:
    suspect = InProcess(mistake.solution)
    assert [len(played.answers) for played in suspect.play(WHOLE)] == [1, 1]


@pytest.mark.parametrize("name", ["only-a-wins", "none-for-pending"])
def test_a_function_is_told_its_shortest_game(name: str) -> None:
    mistake = known(name)
    assert mistake is not None
    report = check(mistake.solution, growth=False)
    assert report.diagnosis == name
    assert report.counterexample is not None
    assert len(report.counterexample.moves) == {"only-a-wins": 6, "none-for-pending": 1}[name]


@pytest.mark.usefixtures("unmeasured")
def test_what_cannot_be_measured_is_judged_all_the_same() -> None:
    class SmallOnly(Sums):
        def __init__(self, n: int) -> None:
            if n > 100:
                raise ValueError("too large")
            super().__init__(n)

    report = check(SmallOnly, games=20)
    assert report.right
    assert report.games > 30_000


def test_a_solution_may_run_out_of_memory() -> None:
    class Greedy(Sums):
        def move(self, row: int, col: int, player: int) -> int:
            raise MemoryError

    report = check(Greedy, growth=False)
    message = "it takes more memory than there is, on 1×1 after 1 move"
    assert (report.verdict, report.message) == ("memory", message)


@pytest.mark.parametrize("raised", [MemoryError, KeyboardInterrupt])
def test_what_is_no_answer_is_raised(raised: type[BaseException]) -> None:
    class Shown(Exception):
        def __str__(self) -> str:
            raise raised

    def judge(moves: object) -> str:
        raise Shown

    with pytest.raises((Failed, raised)):
        InProcess(judge).play([WON])
