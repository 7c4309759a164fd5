"""Verdicts of `check` on right, wrong and unusual solutions."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import permutations
from pathlib import Path
from typing import Any, ClassVar

import pytest

from checker import right_solutions
from checker.conftest import sampled
from checker.solutions import RIGHT as SOURCE
from noughts import tictactoe
from noughts.checker import Report, check
from noughts.checker.catalogue import known
from noughts.checker.catalogue.right import Board, Sums
from noughts.checker.exporters import json_line, summary
from noughts.checker.messages import NOT_ALL
from noughts.checker.solution import Failed
from noughts.referee import PlayerTallies, SignedSums

RIGHT = [thing for thing in vars(right_solutions).values() if hasattr(thing, "complexity")]
# The slowest are covered by the tests of their complexity.
SLOW = {
    *("Counters", "WritesOfAllMoves", "SetsThatShrink", "WholeBoard", "WholeBoardStopping"),
    *("NumPyBoard", "SetsOfCells", "ScanBackwards", "SumOfRows", "AllOfRows", "BoardBesideSums"),
}
QUICK = [solution for solution in RIGHT if solution.__name__ not in SLOW]


def judged(solution: Any, **options: Any) -> Report:
    return check(solution, **{"growth": False, "games": 200, **options})


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(
    "solution",
    sampled(
        {"PlayerTallies", "BitMasks"}, [PlayerTallies, *QUICK], lambda each: str(each.__name__)
    ),
)
def test_check_accepts_right_solution(solution: type) -> None:
    report = judged(solution)
    assert report.right, report
    assert report.counterexample is None
    assert report.diagnosis is None
    assert report.games > 30_000


@pytest.mark.parametrize("isolated", [True, False])
def test_check_rejects_missing_file(isolated: bool) -> None:
    with pytest.raises(FileNotFoundError, match="nofile"):
        check("nofile.py", isolated=isolated)


def right_function(moves: Sequence[Sequence[int]]) -> str:
    return tictactoe([(row, col) for row, col in moves])


@pytest.mark.tier2("long")
def test_check_accepts_right_function() -> None:
    report = judged(right_function)
    assert report.right, report
    assert (report.problem, report.what) == ("tictactoe", "function right_function, 2 lines")


def test_report_mentions_games_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("noughts.checker.trial"), "TOGETHER", 0.0)
    report = judged(right_function)
    assert report.right
    assert "time ran out before every game on 3×3 was played" in report.message
    assert NOT_ALL in report.assumed


# The smallest counterexample


def shortest(solution: Callable[[int], Any]) -> tuple[int, int] | None:
    """Return the size and length of the shortest failing game up to 3×3."""
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
    """Misses some wins that the last cell completes."""

    def move(self, row: int, col: int, player: int) -> Any:
        answer = super().move(row, col, player)
        return 0 if row == col == 2 == self.n - 1 and self.board[0][0] == player else answer


@pytest.mark.usefixtures("unmeasured", "small")
@pytest.mark.parametrize(
    "solution",
    sampled(
        {"LateInTheCorner", "ElifAtTheCentre", "OneShort"},
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
        lambda each: str(each.__name__),
    ),
)
def test_counterexample_on_small_board_is_shortest(solution: type) -> None:
    example = judged(solution).counterexample
    assert example is not None
    assert (example.n, len(example.moves)) == shortest(solution)


def first_wrong(solution: Callable[[int], Any], n: int, moves: Sequence[tuple[int, ...]]) -> int:
    """Return the 1-based number of the first wrong answer in a legal game, or 0."""
    mine, right = solution(n), SignedSums(n)
    for ply, move in enumerate(moves, 1):
        expected = right.move(*move)
        if mine.move(*move) != expected:
            return ply
        if expected:
            break
    return 0


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(
    "name", sampled({"ten-times-the-row"}, ["digits-as-key", "ten-times-the-row"], str)
)
def test_counterexample_on_large_board_is_minimal(name: str) -> None:
    mistake = known(name)
    assert mistake is not None
    example = judged(mistake.solution).counterexample
    assert example is not None
    assert example.n == {"digits-as-key": 12, "ten-times-the-row": 11}[name]
    assert first_wrong(mistake.solution, example.n, example.moves) == len(example.moves)
    *rest, last = example.moves
    marks = {player: [move for move in rest if move[2] == player] for player in (1, 2)}
    for player in (1, 2):  # without one move, players still alternating, or without one of each
        for less in marks[player]:
            others = [*marks[3 - player], None] if len(rest) else [None]
            for other in others:
                left = [move for move in rest if move not in (less, other)]
                if moves := in_turn([*left, last]):
                    assert not first_wrong(mistake.solution, example.n, moves)


def in_turn(moves: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Return the moves with alternating players, or an empty list if one player has too many."""
    mine = [move for move in moves if move[2] == moves[-1][2]]
    theirs = [move for move in moves if move[2] != moves[-1][2]]
    if len(mine) - len(theirs) not in (0, 1):
        return []
    pairs = zip(theirs, mine[-len(theirs) :] if theirs else [], strict=True)
    return [*mine[: len(mine) - len(theirs)], *(move for pair in pairs for move in pair)]


@pytest.mark.usefixtures("unmeasured")
def test_counterexample_of_rare_mistake_is_small() -> None:
    class WrongInTheLastRowOfFive(Sums):
        def answer(self, won: bool, player: int) -> Any:
            lost = self.n >= 5 and abs(self.rows[-1]) == self.n
            return 0 if lost else super().answer(won, player)

    example = judged(WrongInTheLastRowOfFive).counterexample
    assert example is not None
    assert (example.n, len(example.moves), example.answered) == (5, 9, "0")
    assert example.message.endswith("row 5")


# Reports


@pytest.mark.usefixtures("unmeasured", "small")
def test_check_accepts_only_integers() -> None:
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


@pytest.mark.usefixtures("small")
def test_report_shows_exception() -> None:
    class Raises(Sums):
        def move(self, row: int, col: int, player: int) -> Any:
            return super().move(row, col, player) if row + col else [][self.n]

    class NotMade(Sums):
        def __init__(self, n: int) -> None:
            raise SystemExit("no")

    report = judged(Raises)
    assert report.counterexample is not None
    assert report.counterexample.answered == "!IndexError: list index out of range"
    assert "it raises IndexError: list index out of range, expected 1" in str(report)
    assert "it raises SystemExit: no" in str(judged(NotMade))


@pytest.mark.usefixtures("unmeasured", "small")
def test_report_explains_rows_counted_from_one() -> None:
    class TicTacToe:
        def __init__(self, n: int) -> None:
            self.left = {(row, col) for row in range(1, n + 1) for col in range(1, n + 1)}

        def move(self, row: int, col: int, player: int) -> int:
            self.left.remove((row, col))
            return 0

    report = judged(TicTacToe)
    assert report.notes == (
        "it fails on row 0 and column 0: rows and columns are counted from 0, not from 1",
    )


@pytest.mark.usefixtures("unmeasured", "small")
def test_other_errors_on_the_first_cell_get_no_hint() -> None:
    class TicTacToe:
        def __init__(self, n: int) -> None:
            self.n = n
            self.board = [[0] * n for _ in range(n)]

        def move(self, row: int, col: int, player: int) -> int:
            return self.board[row][self.n - col]

    assert judged(TicTacToe).notes == ()


@pytest.mark.usefixtures("unmeasured", "small")
def test_printing_is_harmless_and_captured(capsys: pytest.CaptureFixture[str]) -> None:
    class Prints(Sums):
        def move(self, row: int, col: int, player: int) -> Any:
            print("move", row, col)
            return super().move(row, col, player)

    steps: list[str] = []
    report = judged(Prints, progress=steps.append)
    assert report.right
    assert steps[0] == "playing every game on small boards"
    assert steps[-1] == "playing on 4×4"
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


@pytest.mark.tier2("long")
@pytest.mark.usefixtures("unmeasured", "small")
def test_counterexample_includes_earlier_game_if_objects_share_state() -> None:
    four = SharedLater.four
    report = judged(SharedLater)
    example = report.counterexample
    assert example is not None
    assert example.n == 4
    assert example.before
    assert "objects share state" in example.message
    assert "another object: 4×4" in str(report)
    assert SharedLater.four is four  # `check` restores the class
    assert four == [0] * 4


@pytest.mark.usefixtures("small")
def test_counterexample_includes_all_games_a_mistake_depends_on() -> None:
    class Tired(Sums):
        count: ClassVar[int] = 0

        def __init__(self, n: int) -> None:
            super().__init__(n)
            Tired.count += 1

        def answer(self, won: bool, player: int) -> Any:
            return 0 if Tired.count > 20 else super().answer(won, player)

    example = judged(Tired).counterexample
    assert example is not None
    assert len(example.before) == 20
    assert "Played on its own, the same game gets the right answer" in example.message
    assert Tired.count == 0  # `check` restores the class


@pytest.mark.usefixtures("unmeasured", "small")
def test_report_notes_random_answers() -> None:
    class Guesses(Sums):
        def answer(self, won: bool, player: int) -> Any:
            return super().answer(won, player) if random.random() < 0.9 else 3

    random.seed(1)
    report = judged(Guesses)
    assert report.verdict == "wrong"
    assert any("answers are not reproducible" in note for note in report.notes)
    assert report.diagnosis is None


@pytest.mark.usefixtures("unmeasured")
def test_report_describes_unknown_mistake() -> None:
    class NoEvenRows(Sums):
        def answer(self, won: bool, player: int) -> Any:
            return super().answer(won and not (self.n == 6 and self.n in self.rows), player)

    report = judged(NoEvenRows)
    assert report.diagnosis is None
    right, wrong = report.found
    assert right.startswith("right: columns, the diagonal, the anti-diagonal")
    assert "boards of odd size" in right
    assert wrong == "wrong: it misses wins for player 1 on rows, only on 6×6"


def test_report_groups_wrong_answers() -> None:
    class Several(Sums):
        def answer(self, won: bool, player: int) -> Any:
            if player == 2 and self.n > 10 and self.n in map(abs, self.cols):
                return 0
            return 1 if self.n == 4 and self.diagonal == 3 else super().answer(won, player)

    _, wrong = judged(Several).found
    assert wrong == (
        "wrong: it misses wins for player 2 on columns, only on 11×11 and larger; "
        "it claims false wins, only on 4×4"
    )


@pytest.mark.usefixtures("unmeasured")
def test_report_claims_only_what_is_seen() -> None:
    class Phrases(Sums):
        def answer(self, won: bool, player: int) -> Any:
            return "yes" if won else "no"

    # On larger boards, every game fails before anybody wins.
    (wrong,) = judged(Phrases).found
    assert wrong.startswith("wrong: it answers 'no' instead of 0; it answers 'yes' instead of 1")
    assert "only" not in wrong


@pytest.mark.tier2("time")
@pytest.mark.usefixtures("unmeasured")
def test_message_reports_hang_in_later_games(tmp_path: Path) -> None:
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


@pytest.mark.usefixtures("unmeasured", "small")
def test_missed_requirement_is_wrong() -> None:
    wanted = {"time": "O(n)", "memory": "O(1)"}
    report = check(SignedSums, games=100, require=wanted)
    assert (report.verdict, report.counterexample) == ("wrong", None)
    assert report.message == "memory is O(n), but O(1) is required"


def test_check_rejects_other_objects() -> None:
    for other in (3, object()):
        with pytest.raises(TypeError, match=r"^cannot check .*: expected a class or a function"):
            check(other)
    with pytest.raises(Failed, match=r"^class int has .*; looked for a method"):
        check(int)
