"""Python solutions: what their files define, as people publish them."""

import pytest

from checker.conftest import Open
from checker.solutions import ANSWERS, RIGHT, TOGETHER, WHOLE, WON, game
from noughts.checker.solution import Failed

GAME = """
def tictactoe(moves):
    return "A" if len(moves) == 5 else "Pending"
"""


def test_a_file_is_played_in_a_process_of_its_own(opened: Open) -> None:
    solution = opened(RIGHT)
    assert solution.what == "class TicTacToe, 12 lines"
    assert (solution.problem, solution.language, solution.notes) == ("TicTacToe", "Python", ())
    assert solution.play([WON])[0].answers == ANSWERS
    assert [each.answers for each in solution.play(TOGETHER, "together")] == [("0", "0"), ("2",)]


def test_states_sizes_and_times_are_told(opened: Open) -> None:
    solution = opened(RIGHT)
    one, other = (solution.play([WON], "states")[0].state for _ in range(2))
    assert one == other is not None
    assert (solution.size(1000, ()) or 0) > 16_000
    made, moved = solution.seconds(100, [(0, 0, 1), (1, 1, 2)], 10)
    assert 0 < made < 1
    assert 0 < moved < 1


def test_a_fresh_one_has_nothing_of_the_old(opened: Open) -> None:
    solution = opened(
        "class TicTacToe:\n seen = []\n def __init__(self, n): self.seen.append(n)\n"
        " def move(self, r, c, p): return len(self.seen)"
    )
    assert [solution.play([WON])[0].answers[0] for _ in range(2)] == ["1", "2"]
    fresh = solution.fresh()
    assert fresh.play([WON])[0].answers[0] == "1"
    fresh.close()


def test_several_thousand_games_come_in_order(opened: Open) -> None:
    solution = opened(RIGHT)
    games = [game(*((0, col, 1) for col in range(n)), n=n) for n in (1, 2, 3, 50) * 999]
    for each, played in zip(games, solution.play(games), strict=True):
        assert played.answers == ("0",) * (each.n - 1) + ("1",)


@pytest.mark.parametrize(
    ("source", "what"),
    [
        (GAME, "function tictactoe, 2 lines"),
        (
            "class Solution:\n  def tictactoe(self, moves: List[List[int]]) -> str:\n"
            "    return 'A' if len(moves) == 5 else 'Pending'",
            "class Solution.tictactoe, 3 lines",
        ),
        (
            "class Solution:\n  @staticmethod\n  def tictactoe(moves):\n"
            "    return 'A' if len(moves) == 5 else 'Pending'",
            "class Solution.tictactoe, 4 lines",
        ),
    ],
)
def test_a_function_judges_whole_games(opened: Open, source: str, what: str) -> None:
    solution = opened(source)
    assert (solution.what, solution.problem) == (what, "tictactoe")
    assert [played.answers for played in solution.play(WHOLE)] == [("'A'",), ("'Pending'",)]


@pytest.mark.parametrize(
    "source",
    [
        RIGHT.replace("int)", "List[Optional[int]])"),
        RIGHT.replace("n: int", "n: int, board: Optional['Board'] = None"),
        RIGHT + "if __name__ == '__main__':\n    raise SystemExit\n",
        RIGHT.replace("TicTacToe", "DesignTicTacToe"),
        RIGHT + "class Player:\n    pass\n",
        RIGHT + GAME,
        RIGHT.replace("TicTacToe", "Other") + "class TicTacToe:\n  def move(self, row, col): ...\n",
        "from dataclasses import dataclass\n" + RIGHT + "@dataclass\nclass A:\n    b: List[int]\n",
        "from abc import ABC, abstractmethod\nclass Base(ABC):\n  @abstractmethod\n"
        "  def move(self, row, col, player): ...\n"
        + RIGHT.replace("TicTacToe:", "TicTacToe(Base):"),
        "\ufeff" + RIGHT,
        RIGHT.replace("\n", "\r\n"),
    ],
)
def test_files_as_people_publish_them_are_judged(opened: Open, source: str) -> None:
    assert opened(source).play([WON])[0].answers == ANSWERS


@pytest.mark.parametrize(
    ("source", "note"),
    [
        (
            RIGHT + "print('hello')\nassert TicTacToe(3).move(0, 0, 1) == 1\n",
            "its own code stops with AssertionError",
        ),
        (RIGHT + "input('row? ')\n", "its own code stops with EOFError: EOF when reading a line"),
        (RIGHT + "import sys\nsys.exit(main())\n", "its own code stops with NameError"),
        (
            RIGHT.replace("[0] * n, [0] * n", "Counter(), defaultdict(int)"),
            "it uses Counter and defaultdict without an import, as problem sites allow",
        ),
        (RIGHT + RIGHT.replace("TicTacToe", "Other"), "Other could be judged too, with --name"),
    ],
)
def test_what_was_chosen_is_said(opened: Open, source: str, note: str) -> None:
    solution = opened(source)
    assert solution.play([WON])[0].answers == ANSWERS
    assert len(solution.notes) == 1
    assert solution.notes[0].startswith(note)


def test_of_two_with_one_name_the_last_is_judged(opened: Open) -> None:
    solution = opened(RIGHT.replace("move", "play") + RIGHT)
    assert solution.what == "class TicTacToe, 12 lines, the last of 2 of this name"
    assert solution.play([WON])[0].answers == ANSWERS


def test_what_it_prints_is_kept_from_its_answers(opened: Open) -> None:
    solution = opened(RIGHT.replace("        value", "        print('1\\t1')\n        value", 1))
    assert solution.play([WON])[0].answers == ANSWERS
    assert solution.output == "1\t1\n" * 5


def test_objects_may_get_their_move_when_they_are_made(opened: Open) -> None:
    solution = opened(
        "class TicTacToe:\n def __init__(self, n):\n  self.move = lambda row, col, player: 0"
    )
    assert (solution.problem, solution.what) == ("TicTacToe", "class TicTacToe, 3 lines")
    assert solution.play([WON])[0].answers == ("0",) * len(ANSWERS)


def test_the_name_chooses(opened: Open) -> None:
    source = RIGHT.replace("return player if", "return 0 if") + RIGHT.replace("TicTacToe", "Second")
    assert opened(source, "Second").play([WON])[0].answers == ANSWERS
    assert opened(source + GAME, "tictactoe").problem == "tictactoe"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("print 'hello'\n", "it is Python 2 (line 1"),
        (
            RIGHT.replace("range", "xrange").replace("[0] * n, [", "[0 for _ in xrange(n)], ["),
            "it is Python 2: it uses xrange, which Python 3 has not",
        ),
        ("try:\n  pass\nexcept A, e:\n  pass\n", "it is Python 2 (line 3"),
        ("class TicTacToe\n", "line 1 of solution.py is not valid Python: expected ':'"),
        ("x = 1\n", "no class has a method move(row, col, player), and no function is"),
        (
            "import nowhere\n" + RIGHT,
            "its own code stops with ModuleNotFoundError: No module named",
        ),
        (
            RIGHT.replace("TicTacToe", "A") + RIGHT.replace("TicTacToe", "B"),
            "several classes have a method move: A, B; choose with --name",
        ),
        ("a\0b", "solution.py is not valid Python"),
        ("(" * 10_000, "line 1 of solution.py is not valid Python: too many nested parentheses"),
        ("", "no class has a method move(row, col, player), and no function is"),
    ],
)
def test_what_cannot_be_judged_is_said(opened: Open, source: str, message: str) -> None:
    with pytest.raises(Failed) as caught:
        opened(source)
    assert caught.value.verdict == "unreadable"
    assert str(caught.value).startswith(message)


def test_another_name_must_be_there(opened: Open) -> None:
    with pytest.raises(Failed, match=r"^no class Other has a method move"):
        opened(RIGHT, "Other")
