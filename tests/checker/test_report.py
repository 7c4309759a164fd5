"""Reports as text and in notebooks."""

from __future__ import annotations

import re

import pytest

from noughts.checker import Complexity, Counterexample, Report, check
from noughts.checker.catalogue import known
from noughts.checker.catalogue.right import Sums


def test_report_explains_wrong_solution() -> None:
    mistake = known("elif-at-the-centre")
    assert mistake is not None
    report = check(mistake.solution, games=100, growth=False)
    assert str(report).startswith("""\
ElifAtTheCentre: class ElifAtTheCentre, 16 lines
  ✗ wrong on 3×3 after 5 moves (no shorter game fails):
        A  B  C
     1  O  O  X     5. X plays A3: row 2, column 0
     2  ·  X  ·     your answer 0, expected 1
     3 [X] ·  ·     X has C1 B2 A3, the anti-diagonal
    moves: C1 A1 B2 B1 A3
    It answers like a class that counts the centre towards only one diagonal, because of an elif,
    though it is on both.
""")


@pytest.mark.usefixtures("unmeasured", "small")
def test_report_on_right_solution_has_two_lines_without_costs() -> None:
    report = check(Sums, games=100, growth=False)
    assert re.fullmatch(
        r"Sums: class Sums, \d+ lines\n"
        r"  ✓ right in [\d,]+ games: every game up to 3×3, then larger boards",
        str(report),
    ), report


def test_report_on_large_board_has_no_picture() -> None:
    moves = tuple((0, col, 1 + col % 2) for col in range(26))
    told = Counterexample(26, moves, "0", "2", "no line is complete")
    report = Report("a.py", "class A", "TicTacToe", "Python", "wrong", "wrong", 1, told)
    names = "A1 B1 C1 D1 E1 F1 G1 H1 I1 J1 K1 L1 M1 N1 O1 P1 Q1 R1 S1 T1 U1 V1 W1 X1 Y1 Z1"
    assert str(report).splitlines() == [
        "a.py: class A",
        "  ✗ wrong:",
        "    26. O plays Z1: row 0, column 25",
        "    your answer 2, expected 0",
        "    no line is complete",
        f"    moves: {names}",
    ]
    assert "<svg" not in report._repr_html_()


def test_report_shows_costs_with_factors() -> None:
    report = Report(
        *("a.py", "class A", "TicTacToe", "Python", "right", "right"),
        time=Complexity("O(n)", ((8, 1e-7), (1000, 1.2e-5))),
        make=Complexity(None, ((8, 1e-7),)),
        memory=Complexity("O(n^2)", ((8, 600.0), (100, 80_000.0))),
    )
    assert re.split("   +", str(report).splitlines()[-1]) == [
        "  time per move  O(n)  12 ns × n",
        "construction  not clear",
        "memory  O(n²)  8 bytes × n²",
    ]


@pytest.mark.usefixtures("small")
def test_notebook_shows_board_and_escapes_answers() -> None:
    class Hostile(Sums):
        def answer(self, won: bool, player: int) -> str:
            return "<script>alert(1)</script>"

    page = check(Hostile, games=100, growth=False)._repr_html_()
    assert page.count("<svg") == 1
    assert "<script" not in page
    assert "&lt;script&gt;" in page
