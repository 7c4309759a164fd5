"""What `check` says of right solutions, of wrong ones, and of those that do odd things."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import permutations
from math import inf
from pathlib import Path
from typing import Any, ClassVar

import pytest

from checker import right_solutions
from checker.solutions import RIGHT as SOURCE
from noughts import tictactoe
from noughts.checker import Report, check
from noughts.checker.catalogue import known
from noughts.checker.catalogue.right import Board, Sums
from noughts.checker.exporters import json_line, summary
from noughts.referee import PlayerTallies, SignedSums

RIGHT = [thing for thing in vars(right_solutions).values() if hasattr(thing, "growth")]
# The slowest are left to the tests of their growth.
SLOW = {
    *("Counters", "WritesOfAllMoves", "SetsThatShrink", "WholeBoard", "WholeBoardStopping"),
    *("NumPyBoard", "SetsOfCells", "ScanBackwards", "SumOfRows", "AllOfRows", "BoardBesideSums"),
}
QUICK = [solution for solution in RIGHT if solution.__name__ not in SLOW]


def judged(solution: Any, **options: Any) -> Report:
    return check(solution, **{"growth": False, "games": 200, **options})


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found does not depend on how busy the machine is: no games are cut short."""
    module = import_module("noughts.checker.check")
    for limit in ("PATIENCE", "TOGETHER", "AROUND"):
        monkeypatch.setattr(module, limit, inf)


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("solution", [PlayerTallies, *QUICK])
def test_a_right_solution_of_any_make_is_right(solution: type) -> None:
    report = judged(solution)
    assert report.right, report
    assert report.counterexample is None
    assert report.diagnosis is None
    assert report.games > 30_000


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("isolated", [True, False])
def test_a_file_that_is_not_there_is_not_judged(isolated: bool) -> None:
    with pytest.raises(FileNotFoundError, match="nofile"):
        check("nofile.py", isolated=isolated)


def test_a_right_function_is_right() -> None:
    def judge(moves: Sequence[Sequence[int]]) -> str:
        return tictactoe([(row, col) for row, col in moves])

    report = judged(judge)
    assert report.right, report
    assert (report.problem, report.what) == ("tictactoe", "function judge, 2 lines")


# The smallest counterexample


def shortest(solution: Callable[[int], Any]) -> tuple[int, int] | None:
    """The side and the length of the shortest game up to 3×3 that shows a mistake."""
    for n in (1, 2, 3):
        cells = [(row, col) for row in range(n) for col in range(n)]
        for length in range(1, n * n + 1):
            for begins in (1, 2):
                for game in permutations(cells, length):
                    mine, right = solution(n), SignedSums(n)
                    for ply, cell in enumerate(game):
                        player = begins if ply % 2 == 0 else 3 - begins
                        expected = right.move(*cell, player)
                        given = mine.move(*cell, player)
                        if type(given) is not int or given != expected:
                            return n, ply + 1
                        if expected:
                            break
    return None


class LateInTheCorner(Board):
    """Wrong when the last cell of the board completes the last row."""

    def move(self, row: int, col: int, player: int) -> Any:
        answer = super().move(row, col, player)
        return 0 if row == col == 2 == self.n - 1 and self.board[0][0] == player else answer


@pytest.mark.usefixtures("unmeasured", "patient")
@pytest.mark.parametrize(
    "solution",
    [
        LateInTheCorner,
        *(
            mistake.solution
            for name in (
                *("anti-diagonal-off-by-one", "elif-at-the-centre", "player-numbers-added"),
                *("broken-diagonals", "true-and-false", "one-short", "ignores-the-player"),
                *("diagonal-of-any-cell", "flat-board-wraps", "and-for-or"),
            )
            if (mistake := known(name))
        ),
    ],
)
def test_no_shorter_game_on_small_boards_shows_the_mistake(solution: type) -> None:
    told = judged(solution).counterexample
    assert told is not None
    assert (told.n, len(told.moves)) == shortest(solution)


def first_wrong(solution: Callable[[int], Any], n: int, moves: Sequence[tuple[int, ...]]) -> int:
    """The number of the first wrong answer of a legal game; 0 if there is none."""
    mine, right = solution(n), SignedSums(n)
    for ply, move in enumerate(moves, 1):
        expected = right.move(*move)
        if mine.move(*move) != expected:
            return ply
        if expected:
            break
    return 0


@pytest.mark.usefixtures("unmeasured", "patient")
@pytest.mark.parametrize("name", ["digits-as-key", "ten-times-the-row"])
def test_on_larger_boards_it_is_the_smallest_and_no_move_can_be_left_out(name: str) -> None:
    mistake = known(name)
    assert mistake is not None
    told = judged(mistake.solution).counterexample
    assert told is not None
    assert told.n == {"digits-as-key": 12, "ten-times-the-row": 11}[name]
    assert first_wrong(mistake.solution, told.n, told.moves) == len(told.moves)
    *rest, last = told.moves
    marks = {player: [move for move in rest if move[2] == player] for player in (1, 2)}
    for player in (1, 2):  # without one move, the players still in turn, or without one of each
        for less in marks[player]:
            others = [*marks[3 - player], None] if len(rest) else [None]
            for other in others:
                left = [move for move in rest if move not in (less, other)]
                if moves := in_turn([*left, last]):
                    assert not first_wrong(mistake.solution, told.n, moves)


def in_turn(moves: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The same moves with the players in turn; empty if one of them has too many."""
    mine = [move for move in moves if move[2] == moves[-1][2]]
    theirs = [move for move in moves if move[2] != moves[-1][2]]
    if len(mine) - len(theirs) not in (0, 1):
        return []
    pairs = zip(theirs, mine[-len(theirs) :] if theirs else [], strict=True)
    return [*mine[: len(mine) - len(theirs)], *(move for pair in pairs for move in pair)]


@pytest.mark.usefixtures("unmeasured")
def test_the_counterexample_of_a_rare_mistake_is_as_small_as_it_is() -> None:
    class WrongInTheLastRowOfFive(Sums):
        def answer(self, won: bool, player: int) -> Any:
            lost = self.n >= 5 and abs(self.rows[-1]) == self.n
            return 0 if lost else super().answer(won, player)

    told = judged(WrongInTheLastRowOfFive).counterexample
    assert told is not None
    assert (told.n, len(told.moves), told.answered) == (5, 9, "0")
    assert told.message.endswith("row 5")


# What is told


@pytest.mark.usefixtures("unmeasured")
def test_another_type_is_wrong_and_an_integer_of_any_make_is_right() -> None:
    class Index(int):
        pass

    for given, wanted in ((True, "True"), (1.0, "1.0"), ("1", "'1'"), (None, "None")):

        class Typed(Sums):
            def answer(self, won: bool, player: int, given: object = given) -> Any:
                return given if won and player == 1 else super().answer(won, player)

        report = judged(Typed)
        assert report.counterexample is not None
        assert report.counterexample.answered == wanted
        assert f"your answer {wanted}" in str(report)

    class Integers(Sums):
        def answer(self, won: bool, player: int) -> Any:
            return Index(super().answer(won, player))

    assert judged(Integers).right


def test_an_exception_is_told() -> None:
    class Raises(Sums):
        def move(self, row: int, col: int, player: int) -> Any:
            return super().move(row, col, player) if row + col else [][self.n]

    class NotMade(Sums):
        def __init__(self, n: int) -> None:
            raise SystemExit("no")

    report = judged(Raises)
    assert report.counterexample is not None
    assert report.counterexample.answered == "!IndexError: list index out of range"
    assert "it raises IndexError: list index out of range, right is 1" in str(report)
    assert "it raises SystemExit: no" in str(judged(NotMade))


@pytest.mark.usefixtures("unmeasured")
def test_printing_is_harmless_and_kept(capsys: pytest.CaptureFixture[str]) -> None:
    class Prints(Sums):
        def move(self, row: int, col: int, player: int) -> Any:
            print("move", row, col)
            return super().move(row, col, player)

    told: list[str] = []
    report = judged(Prints, progress=told.append)
    assert report.right
    assert told[0] == "playing every game on small boards"
    assert told[-1] == "playing on 100×100"
    assert report.output.startswith("move 0 0\n")
    assert len(report.output) <= 1 << 16
    assert not capsys.readouterr().out


class SharedLater(Sums):
    """All objects share the rows of boards of 4×4."""

    four: ClassVar[list[int]] = [0] * 4

    def __init__(self, n: int) -> None:
        super().__init__(n)
        if n == 4:
            self.rows = self.four


@pytest.mark.usefixtures("unmeasured")
def test_state_that_objects_share_is_told_with_the_game_before() -> None:
    four = SharedLater.four
    report = judged(SharedLater)
    told = report.counterexample
    assert told is not None
    assert told.n == 4
    assert told.before
    assert "objects share their state" in told.message
    assert "another object: 4×4" in str(report)
    assert SharedLater.four is four  # a check leaves the class as it was
    assert four == [0] * 4


def test_what_is_remembered_between_games_is_told() -> None:
    class Tired(Sums):
        count: ClassVar[int] = 0

        def __init__(self, n: int) -> None:
            super().__init__(n)
            Tired.count += 1

        def answer(self, won: bool, player: int) -> Any:
            return 0 if Tired.count > 20 else super().answer(won, player)

    told = judged(Tired).counterexample
    assert told is not None
    assert len(told.before) == 20
    assert "Alone, the same game is answered rightly" in told.message


@pytest.mark.usefixtures("unmeasured")
def test_answers_at_random_are_told() -> None:
    class Guesses(Sums):
        def answer(self, won: bool, player: int) -> Any:
            return super().answer(won, player) if random.random() < 0.9 else 3

    report = judged(Guesses)
    assert report.verdict == "wrong"
    assert any("differently the second time" in note for note in report.notes)
    assert report.diagnosis is None


@pytest.mark.usefixtures("unmeasured")
def test_a_mistake_that_is_not_known_is_told_by_what_was_right() -> None:
    class NoEvenRows(Sums):
        def answer(self, won: bool, player: int) -> Any:
            return super().answer(won and not (self.n == 6 and self.n in self.rows), player)

    report = judged(NoEvenRows)
    assert report.diagnosis is None
    right, wrong = report.found
    assert right.startswith("right: columns, the diagonal, the anti-diagonal")
    assert "boards of odd size" in right
    assert wrong == "wrong: it misses wins on rows of player 1, only on 6×6"


def test_what_is_wrong_in_many_games_is_told_by_what_they_have_in_common() -> None:
    class Several(Sums):
        def answer(self, won: bool, player: int) -> Any:
            if player == 2 and self.n > 10 and self.n in map(abs, self.cols):
                return 0
            return 1 if self.n == 4 and self.diagonal == 3 else super().answer(won, player)

    _, wrong = judged(Several).found
    assert wrong == (
        "wrong: it misses wins on columns of player 2, only from 11×11 on; "
        "it claims wins that are none, only on 4×4"
    )


@pytest.mark.usefixtures("unmeasured")
def test_what_hangs_later_is_told_where_everybody_looks(tmp_path: Path) -> None:
    path = tmp_path / "late.py"
    mistake = "row + col == self.n - 1 != 5"
    path.write_text(SOURCE.replace("row + col == self.n - 1", mistake))
    report = check(path, games=20, growth=False)
    assert report.diagnosis is None
    path.write_text(
        SOURCE.replace("row + col == self.n - 1", mistake).replace(
            "        value",
            "        while self.n == 7: __import__('time').sleep(9)\n        value",
            1,
        )
    )
    report = check(path, games=20, growth=False)
    later = "; in other games it did not answer within"
    assert report.verdict == "wrong"
    assert later in json.loads(json_line(report))["message"]
    assert later in summary(report)


# Options


@pytest.mark.usefixtures("unmeasured")
def test_a_requirement_that_is_missed_is_wrong() -> None:
    wanted = {"time": "O(n)", "memory": "O(1)"}
    report = check(SignedSums, games=100, require=wanted)
    assert (report.verdict, report.counterexample) == ("wrong", None)
    assert report.message == "memory is O(n), and O(1) is required"


def test_what_is_no_solution_is_refused() -> None:
    for nothing in (int, 3, object()):
        with pytest.raises(TypeError, match="no class with a method move"):
            check(nothing)
