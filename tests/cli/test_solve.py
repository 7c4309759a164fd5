"""The command `noughts solve`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import Result

from commands import NOUGHTS, SECONDS, noughts, started

pytestmark = pytest.mark.compiled("noughts.opponent.exact._solver")


def run(*arguments: str) -> Result:
    return noughts("solve", *arguments)


def test_solve_prints_the_winner() -> None:
    done = run("--rules", "4x4,k=3")
    assert done.exit_code == 0
    assert "value      X wins in 3 moves\nbest move  B2\nline       B2 " in done.stdout
    assert done.stderr == ""
    assert "value      draw\nbest move  B2\npositions" in run().stdout
    assert "value      O wins in 12 moves" in run("--rules", "4x6,k=4,gravity").stdout
    assert "value      X wins\nbest move" in run("--rules", "connect-four", "--seconds", "0").stdout


def test_solve_takes_moves_and_prints_the_score() -> None:
    done = run("--rules", "connect-four", "32164625", "--score")
    assert "value      X wins in 7 moves\nscore      11\nbest move  C5" in done.stdout
    assert "value      O wins in 2 moves" in run("--rules", "4x4,k=3", "A1 B2 D4").stdout
    assert "value      X has won\npositions" in run("a1 a2 b1 b2 c1").stdout
    assert run("nonsense").exit_code == 2


def test_solve_prints_a_line_of_json_for_each_position_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text("6146 18\n1111111\n32164625 11\n52753311433677442422121 8\n")
    done = run("--rules", "connect-four", "--score", str(file))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["score"] for each in found] == [18, 11, 8]
    assert [each["plies"] for each in found] == [3, 13, 5]
    assert (found[0]["value"], found[0]["best"], found[0]["moves"][1]) == (1, [5, 4], [5, 0])
    assert "positions.txt" in done.stderr
    assert done.exit_code == 1


def test_solve_reads_what_its_options_leave_open(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text("a1 b1\n")
    assert "--rules" in run(str(file)).stderr
    done = run("--rules", "3x3", "--origin", "bottom", str(file))
    assert json.loads(done.stdout)["moves"] == [[2, 0], [2, 1]]
    assert run("--format", "sgf", str(file)).exit_code == 1
    done = run("--format", "moves", "a1 b1")
    assert (done.exit_code, done.stdout) == (2, "")
    sgf = tmp_path / "six.sgf"
    sgf.write_text("(;GM[4]SZ[6];B[aa];W[ff];B[ba];W[fa];B[ca];W[fc];B[da];W[fd];B[ea])")
    assert json.loads(run(str(sgf)).stdout)["value"] == -1  # five in a row, as in gomoku
    assert "--format is for files, and there is no file 'a1 b1'" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("--rules 7x7,k=5 --seconds 0", "time limit reached"),
        ("--rules 8x8,k=5 --memory 1", "more --memory is needed"),
    ],
)
def test_solve_prints_the_reason_of_a_cutoff(arguments: str, reason: str) -> None:
    done = run(*arguments.split())
    assert (done.exit_code, f"unknown: {reason}" in done.stdout) == (1, True)


@pytest.mark.parametrize(
    "arguments",
    ["--rules 9x9", "--seconds nan", "--seconds -1", "--rules renju", "--rules 4x4x4,gravity"],
)
def test_solve_rejects_invalid_arguments(arguments: str) -> None:
    done = run(*arguments.split())
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.tier2("process")
def test_solve_exits_quietly_when_interrupted() -> None:
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with started(NOUGHTS, "solve", "--rules", "8x8,k=5", environment=environment) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=SECONDS)[1] == b""
        assert process.returncode == 130


def test_solve_reports_a_missing_compiled_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "noughts.opponent.exact._solver", None)
    done = run()
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)
    assert "noughts: exact search needs noughts.opponent.exact._solver" in done.stderr


WITHOUT = """
import sys
sys.modules["noughts.bulk._judge"] = None
from noughts.cli import main
main()
"""


def test_judge_works_without_its_compiled_module() -> None:
    games = '{"n": 3, "moves": [[0, 0], [0, 0]]}\n'
    command = [sys.executable, "-c", WITHOUT, "judge"]
    done = subprocess.run(command, input=games, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout == noughts("judge", typed=games).stdout
    assert '"code":"cell_taken"' in done.stdout
