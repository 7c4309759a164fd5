"""Python solutions in another interpreter."""

import sys
from pathlib import Path

import pytest

from checker.solutions import ANSWERS, RIGHT, WON
from noughts.checker.languages import open_solution
from noughts.checker.solution import Failed


def test_another_python_runs_the_solution(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_text(RIGHT + "import sys\nprint(sys.prefix)\n")
    solution = open_solution(path, python=sys.executable)
    assert solution.play([WON])[0].answers == ANSWERS
    assert solution.output.strip() == sys.prefix
    solution.close()


@pytest.mark.parametrize("command", ["no-such-python", "false"])
def test_what_is_no_python_is_refused(tmp_path: Path, command: str) -> None:
    path = tmp_path / "solution.py"
    path.write_text(RIGHT)
    with pytest.raises(Failed, match=f"^{command} is not a Python that can be run$"):
        open_solution(path, python=command)
