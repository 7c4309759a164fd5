"""The command `noughts solve`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from commands import SECONDS

pytestmark = pytest.mark.compiled("noughts.opponent.exact._solver")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["noughts", "solve", *arguments], capture_output=True, text=True)


def test_solve_prints_the_winner() -> None:
    done = run("--rules", "4x4,k=3")
    assert done.returncode == 0
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
    assert (done.returncode, f"unknown: {reason}" in done.stdout) == (1, True)


@pytest.mark.parametrize(
    "arguments",
    ["--rules 9x9", "--seconds nan", "--seconds -1", "--rules renju", "--rules 4x4x4,gravity"],
)
def test_solve_rejects_invalid_arguments(arguments: str) -> None:
    done = run(*arguments.split())
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.tier2("process")
def test_solve_exits_quietly_when_interrupted() -> None:
    with subprocess.Popen(
        ["noughts", "solve", "--rules", "8x8,k=5"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=SECONDS) == 130
        assert process.stderr.read() == b""


WITHOUT = """
import sys
sys.modules[sys.argv.pop(1)] = None
from noughts.cli import main
main()
"""


def run_without(module: str, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command without this compiled module."""
    command = [sys.executable, "-c", WITHOUT, module, *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True)


def test_solve_reports_a_missing_compiled_module() -> None:
    done = run_without("noughts.opponent.exact._solver", "solve")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "noughts: exact search needs noughts.opponent.exact._solver" in done.stderr


def test_judge_works_without_its_compiled_module() -> None:
    games = '{"n": 3, "moves": [[0, 0], [0, 0]]}\n'
    done, usual = (
        run_without("noughts.bulk._judge", "judge", stdin=games),
        run_without("no", "judge", stdin=games),
    )
    assert (done.returncode, usual.returncode) == (1, 1)
    assert done.stdout == usual.stdout
    assert '"code":"cell_taken"' in done.stdout
