"""Python solutions in a process of their own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from noughts.checker.languages import open_solution
from noughts.checker.solution import Script, Solution

WON = Script(
    (3,), tuple((0, move) for move in ((0, 0, 1), (1, 1, 2), (0, 1, 1), (2, 2, 2), (0, 2, 1)))
)
RIGHT = """
class TicTacToe:
    def __init__(self, n: int):
        self.n, self.rows, self.cols, self.diagonals = n, [0] * n, [0] * n, [0, 0]

    def move(self, row: int, col: int, player: int) -> int:
        value = 1 if player == 1 else -1
        self.rows[row] += value
        self.cols[col] += value
        self.diagonals[0] += value * (row == col)
        self.diagonals[1] += value * (row + col == self.n - 1)
        lines = (self.rows[row], self.cols[col], *self.diagonals)
        return player if self.n * value in lines else 0
"""

Open = Callable[[str], Solution]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    solutions = []

    def run(source: str, name: str | None = None) -> Solution:
        path = tmp_path / "solution.py"
        path.write_text(source)
        solutions.append(open_solution(path, name))
        return solutions[-1]

    yield run
    for solution in solutions:
        solution.close()


def test_a_file_is_played_in_a_process_of_its_own(opened: Open) -> None:
    solution = opened(RIGHT)
    assert (solution.what, solution.problem, solution.notes) == (
        "class TicTacToe, 12 lines",
        "TicTacToe",
        (),
    )
    assert solution.play([WON])[0].answers == ("0", "0", "0", "0", "1")
    several = Script((3, 1), ((0, (0, 0, 1)), (1, (0, 0, 2)), (0, (1, 1, 2))))
    assert solution.play([several])[0].answers == ("0", "2", "0")
    assert solution.fresh().play([WON], states=True)[0].state is not None
