"""Python solutions: how their files are read, and how they run in their own process."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from checker.conftest import Open
from checker.solutions import ANSWERS, RIGHT, TOGETHER, WHOLE, WON, game
from noughts.checker.in_process import InProcess, load_file
from noughts.checker.solution import Failed

Loaded = Callable[..., InProcess]

GAME = """
def tictactoe(moves):
    return "A" if len(moves) == 5 else "Pending"
"""


@pytest.fixture
def loaded(tmp_path: Path) -> Iterator[Loaded]:
    """Provide a function that writes a source to a file and loads it in this process."""
    solutions = []

    def load(source: str, name: str | None = None) -> InProcess:
        path = tmp_path / "solution.py"
        path.write_text(source)
        solutions.append(load_file(path, name))
        return solutions[-1]

    yield load
    for solution in solutions:
        solution.close()


# In a process of its own


def test_process_plays_games_and_measures(opened: Open) -> None:
    solution = opened(RIGHT)
    assert solution.what == "class TicTacToe, 12 lines"
    assert (solution.problem, solution.language, solution.notes) == ("TicTacToe", "Python", ())
    assert solution.play([WON])[0].answers == ANSWERS
    assert [each.answers for each in solution.play(TOGETHER, "together")] == [("0", "0"), ("2",)]
    one, other = (solution.play([WON], "states")[0].state for _ in range(2))
    assert one == other is not None
    assert (solution.size(1000, ()) or 0) > 16_000
    assert min(solution.seconds(100, [(0, 0, 1), (1, 1, 2)], 10)) > 0
    games = [game(*((0, col, 1) for col in range(n)), n=n) for n in (1, 2, 3, 50) * 999]
    for each, played in zip(games, solution.play(games), strict=True):
        assert played.answers == ("0",) * (each.n - 1) + ("1",)


def test_fresh_process_has_no_old_state(opened: Open) -> None:
    solution = opened(
        "class TicTacToe:\n seen = []\n def __init__(self, n): self.seen.append(n)\n"
        " def move(self, r, c, p): return len(self.seen)"
    )
    assert [solution.play([WON])[0].answers[0] for _ in range(2)] == ["1", "2"]
    fresh = solution.fresh()
    assert fresh.play([WON])[0].answers[0] == "1"
    fresh.close()


def test_process_judges_whole_games(opened: Open) -> None:
    solution = opened(GAME)
    assert [played.answers for played in solution.play(WHOLE)] == [("'A'",), ("'Pending'",)]


def test_process_separates_output_from_answers(opened: Open) -> None:
    source = RIGHT.replace("        value", "        print('1\\t1')\n        value", 1)
    solution = opened(source + "input('row? ')\n")
    assert solution.play([WON])[0].answers == ANSWERS
    assert solution.output == "row? " + "1\t1\n" * 5
    assert solution.notes == ("its top-level code raises EOFError: EOF when reading a line",)


def test_process_reports_unreadable_file(opened: Open) -> None:
    with pytest.raises(Failed, match=r"^line 1 of solution\.py is not valid Python: expected ':'"):
        opened("class TicTacToe\n")


# How files are read


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
def test_file_may_define_function_for_whole_games(loaded: Loaded, source: str, what: str) -> None:
    solution = loaded(source)
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
def test_published_files_can_be_judged(loaded: Loaded, source: str) -> None:
    assert loaded(source).play([WON])[0].answers == ANSWERS


@pytest.mark.parametrize(
    ("source", "note"),
    [
        (
            RIGHT + "print('hello')\nassert TicTacToe(3).move(0, 0, 1) == 1\n",
            "its top-level code raises AssertionError",
        ),
        (RIGHT + "import sys\nsys.exit(main())\n", "its top-level code raises NameError"),
        (
            RIGHT.replace("[0] * n, [0] * n", "Counter(), defaultdict(int)"),
            "it uses Counter and defaultdict without importing them, as problem sites allow",
        ),
        (RIGHT + RIGHT.replace("TicTacToe", "Other"), "to check Other instead, use --name"),
    ],
)
def test_notes_explain_choices(loaded: Loaded, source: str, note: str) -> None:
    solution = loaded(source)
    assert solution.play([WON])[0].answers == ANSWERS
    assert len(solution.notes) == 1
    assert solution.notes[0].startswith(note)


def test_last_definition_of_a_name_is_judged(loaded: Loaded) -> None:
    solution = loaded(RIGHT.replace("move", "play") + RIGHT)
    assert solution.what == "class TicTacToe, 12 lines, the last of 2 with this name"
    assert solution.play([WON])[0].answers == ANSWERS


def test_move_may_be_set_in_constructor(loaded: Loaded) -> None:
    solution = loaded(
        "class TicTacToe:\n def __init__(self, n):\n  self.move = lambda row, col, player: 0"
    )
    assert (solution.problem, solution.what) == ("TicTacToe", "class TicTacToe, 3 lines")
    assert solution.play([WON])[0].answers == ("0",) * len(ANSWERS)


def test_name_chooses_definition(loaded: Loaded) -> None:
    source = RIGHT.replace("return player if", "return 0 if") + RIGHT.replace("TicTacToe", "Second")
    assert loaded(source, "Second").play([WON])[0].answers == ANSWERS
    assert loaded(source + GAME, "tictactoe").problem == "tictactoe"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("print 'hello'\n", "this looks like Python 2 (line 1"),
        (
            RIGHT.replace("range", "xrange").replace("[0] * n, [", "[0 for _ in xrange(n)], ["),
            "this looks like Python 2 (xrange); Python 3 is needed",
        ),
        ("try:\n  pass\nexcept A, e:\n  pass\n", "this looks like Python 2 (line 3"),
        ("class TicTacToe\n", "line 1 of solution.py is not valid Python: expected ':'"),
        ("x = 1\n", "no class was found; looked for a method such as move, make_move"),
        (
            "import nowhere\n" + RIGHT,
            "its top-level code raises ModuleNotFoundError: No module named",
        ),
        (
            RIGHT.replace("TicTacToe", "A") + RIGHT.replace("TicTacToe", "B"),
            "several classes have a method move: A, B; choose one with --name",
        ),
        ("a\0b", "solution.py is not valid Python"),
        ("(" * 10_000, "line 1 of solution.py is not valid Python: too many nested parentheses"),
        ("", "no class was found; looked for a method such as move, make_move"),
    ],
)
def test_unreadable_files_are_explained(loaded: Loaded, source: str, message: str) -> None:
    with pytest.raises(Failed) as caught:
        loaded(source)
    assert caught.value.verdict == "unusable"
    assert str(caught.value).startswith(message)


def test_unknown_name_is_an_error(loaded: Loaded) -> None:
    with pytest.raises(Failed, match=r"^there is no class Other; looked for a method"):
        loaded(RIGHT, "Other")
