"""The command `noughts solve`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from click.testing import Result

from commands import NOUGHTS, SECONDS, noughts, started

pytestmark = pytest.mark.compiled("noughts.opponent.exact._solver")


def run(*arguments: str) -> Result:
    return noughts("solve", *arguments)


def test_solve_prints_the_winner() -> None:
    done = run("--rules", "4x4,k=3")
    assert done.exit_code == 0
    assert "value      the first player wins\nbest move  B2\nline       B2 " in done.stdout
    assert done.stderr == ""
    assert "value      draw\nbest move  B2\npositions" in run().stdout
    assert "value      the second player wins" in run("--rules", "4x6,k=4,gravity").stdout


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
