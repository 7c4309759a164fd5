"""The commands `noughts play` and `noughts perft`."""

from __future__ import annotations

import re

import pytest
from click.testing import Result

from commands import noughts
from golden import golden

pytestmark = pytest.mark.usefixtures("plain_terminal")


@pytest.mark.parametrize(
    ("name", "arguments", "typed"),
    [
        ("win", [], "b2 a1 a2 c3 c2"),
        ("draw", ["--rules", "3"], "b2 a1 c1 a3 a2 c2 b3 b1 c3"),
        ("two-lines", [], "a1 a2 b1 b2 c2 a3 c3 b3 c1"),
        ("undo", [], "undo 1,1 undo undo quit"),
        ("resign", [], "b2 resign"),
        ("resign-three", ["--rules", "4x4,k=3,players=3"], "b2 a1 resign c3 q"),
        ("refused", [], "foo d1 0,3 -1,0 b2 B2 [b2] :cat: 2/b2 help ? exit"),
        ("cube", ["--rules", "2x2x2"], "1/a1 b1 1,0,0 2/b2"),
        ("early-draw", ["--rules", "2x3,k=3,early-draw"], "a1 b1 b2 a2 c1"),
        ("one-row", ["--rules", "1x5,k=2"], "c1 0,0 d1"),
        ("one-side", ["--rules", "1"], "a1"),
        ("connect-four", ["--rules", "connect-four"], "help d D d5 e d2 h e6 e f f g 5,6 g2 g"),
        ("score-four", ["--rules", "2x2x2,gravity"], "a1 2/a1 b1 1/b2 2/b2 a2"),
        ("renju", ["--rules", "renju,9x9"], "e5 a1 f5 c1 d6 e1 d7 g1 d5 quit"),
    ],
)
def test_play_prints_game(name: str, arguments: list[str], typed: str) -> None:
    result = noughts("play", *arguments, typed=typed.replace(" ", "\n") + "\n")
    assert result.stdout == golden(f"play-{name}.txt", result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")


def test_play_exits_at_the_end_of_input() -> None:
    result = noughts("play", typed="b2\n")
    assert result.exit_code == 0
    assert result.stdout.endswith("\nO> \n")


def test_play_skips_blank_lines() -> None:
    result = noughts("play", typed="\n  \nb2\nquit\n")
    assert result.stdout.count("X> ") == 3
    assert result.stdout.endswith("O> quit\n")


@pytest.mark.parametrize("option", [["--first", "computer"], ["--level", "strong"]])
def test_play_rejects_computer_options_without_computer(option: list[str]) -> None:
    result = noughts("play", *option)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{option[0]} needs --opponent computer" in result.stderr


# perft


def table(result: Result) -> str:
    """Return the output with every time set to 0."""
    assert result.exit_code == 0
    return re.sub(r"[\d.]+$(?<=\.\d\d\d)", "0.000", result.stdout, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("3x3", ["--positions"]),
        ("3x3-early", ["--rules", "3,early-draw"]),
        ("15x15", ["--rules", "15x15,k=5", "--depth", "2"]),
        ("row-of-three", ["--rules", "1x4,k=2,players=3", "--positions"]),
        ("cube", ["--rules", "2x2x2"]),
    ],
)
def test_perft_prints_one_line_per_ply(name: str, arguments: list[str]) -> None:
    printed = table(noughts("perft", *arguments))
    assert printed == golden(f"perft-{name}.txt", printed)


def test_perft_counts_the_first_ply_on_any_board() -> None:
    printed = table(noughts("perft", "--rules", "46340x46340,k=5", "--depth", "1"))
    assert " 2,147,395,600 " in printed


# Boards on the command line


@pytest.mark.parametrize("board", ["4", "4x4", "4X4", "4×4"])
def test_rules_accepts_several_forms_of_a_square_board(board: str) -> None:
    assert noughts("perft", "--rules", board, "--depth", "1").stdout.startswith(
        "4×4, 4 in a row, 2 players\n"
    )
