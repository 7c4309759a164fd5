"""``noughts play`` against the computer, its hints, and ``noughts match``."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from noughts.cli.app import application


def run(*arguments: str, typed: str = "", code: int = 0) -> str:
    result = CliRunner().invoke(application, list(arguments), input=typed, env={"COLUMNS": "200"})
    assert result.exit_code == code, result.output
    return result.output


def test_play_announces_the_moves_of_the_computer() -> None:
    output = run(
        *("play", "--rules", "2x2", "--opponent", "computer", "--first", "computer", "--seed", "1"),
        typed="a1\na2\nb1\nb2\n",
    )
    cells = re.findall("The computer plays X at ([AB][12])", output)
    assert len(cells) == 2
    assert "X wins with" in output


def test_play_lets_the_human_start_by_default() -> None:
    output = run("play", "--opponent", "computer", "--level", "easy", "--seed", "1", typed="b2\n")
    assert output.index("X> b2") < output.index("The computer plays O at")


def test_undo_includes_the_moves_of_the_computer() -> None:
    output = run("play", "--opponent", "computer", "--seed", "1", typed="undo\nb2\nundo\nquit\n")
    assert "There are no moves to undo." in output
    assert re.search(r"Undid B2 and [ABC][123]\.", output)
    assert output.rstrip().endswith("X> quit")


def test_undo_keeps_the_first_move_of_the_computer() -> None:
    output = run(
        *("play", "--opponent", "computer", "--first", "computer", "--seed", "1"),
        typed="undo\nquit\n",
    )
    assert "There are no moves to undo." in output


def test_play_lets_the_human_resign() -> None:
    output = run("play", "--opponent", "computer", "--first", "computer", typed="resign\n")
    assert "O resigns: X wins." in output


def test_computer_plays_all_other_seats() -> None:
    arguments = ("play", "--rules", "4x4,k=3,players=3", "--opponent", "computer")
    output = run(*arguments, "--seed", "1", typed="a1\nresign\nundo\nquit\n")
    assert re.search("The computer plays O at .*The computer plays 3 at", output, re.DOTALL)
    assert "Only games of two players can be resigned" in output
    assert re.search(r"Undid A1 and [A-D][1-4] and [A-D][1-4]\.", output)


@pytest.mark.parametrize(
    ("arguments", "typed", "reason"),
    [
        (["--rules", "4x4"], "", r"cannot lose from here: potential 0\.[0-9]{2} < 1"),
        (["--rules", "50"], "", r"cannot lose from here: potential under 0\.01"),
        (["--rules", "3"], "a1\nb1\n", "wins against every reply(, in 3 moves)?"),
        (["--rules", "3"], "a1\nb2\n", "cannot lose from here: every reply was searched"),
        (["--rules", "3"], "a1\na2\nb1\nb2\n", "completes a line"),
        (["--rules", "2"], "a1\n", "loses against best play, as every move does"),
        (["--rules", "9,k=5"], "e5\n", "looks best, but nothing is proved"),
    ],
)
def test_hint_has_a_reason(arguments: list[str], typed: str, reason: str) -> None:
    output = run("play", *arguments, "--seconds", "0.1", typed=f"{typed}hint\nquit\n")
    assert re.search(rf"> hint\n[A-Z]+[0-9]+ {reason}\.\n", output), output


def test_play_rejects_a_board_too_large_for_the_computer() -> None:
    output = run("play", "--rules", "1x9000,k=4000", "--opponent", "computer", code=2)
    assert "a 1×9000 board is too large for the opponent" in output
    output = run("play", "--rules", "1x9000,k=4000", typed="hint\nquit\n")
    assert "No hint: a 1×9000 board is too large for the opponent." in output


def rows_of(output: str) -> list[list[str]]:
    """Return the cells of the table of results by side."""
    return [re.split("  +", line.strip()) for line in output.splitlines()[2:6]]


def test_match_counts_its_games() -> None:
    output = run("match", "strong", "strong", "--rules", "3x3", "--games", "5", "--seed", "1")
    assert output.startswith("3×3, 3 in a row, 5 games\n\n")
    assert rows_of(output) == [
        ["strong 1 wins", "draws", "strong 2 wins"],
        ["strong 1 begins", "0", "3", "0"],
        ["strong 2 begins", "0", "2", "0"],
        ["together", "0", "5", "0"],
    ]


def test_match_on_2x2_is_won_by_the_first_player() -> None:
    rows = rows_of(run("match", "easy", "strong", "--rules", "2", "--games", "2", "--seed", "1"))
    assert rows[1] == ["easy begins", "1", "0", "0"]
    assert rows[2] == ["strong begins", "0", "0", "1"]


def test_match_rejects_unknown_levels_and_large_boards() -> None:
    assert "'best' is not one of" in run("match", "best", "easy", code=2)
    assert "too large for the opponent" in run("match", "easy", "easy", "--rules", "2000", code=2)
