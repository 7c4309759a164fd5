"""`noughts check`: its exit status, its output and the files it writes."""

from __future__ import annotations

import json
import signal
import sys
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

from commands import NOUGHTS, ROOT, SECONDS, noughts, started
from noughts.checker import Complexity

pytestmark = pytest.mark.usefixtures("plain_terminal", "quick")

SOLUTIONS = ROOT / "examples" / "solutions"
FEW = ("--games", "10")
MEASURED = (
    Complexity("O(1)", ((8, 1e-7),)),
    Complexity("O(n)", ((8, 1e-6),)),
    Complexity("O(n)", ((8, 640.0),)),
)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play on small boards only and measure nothing, except in other processes."""
    module = import_module("noughts.checker.trial")
    monkeypatch.setattr(module, "SIDES", (2, 3, 4))
    monkeypatch.setattr(module, "measure", lambda solution, patience: MEASURED)


def test_check_reports_right_solution() -> None:
    result = noughts("check", SOLUTIONS / "sums.py", *FEW)
    assert result.exit_code == 0
    first, second, costs = result.stdout.splitlines()[:3]
    assert first.startswith("sums.py: class TicTacToe")
    assert second.startswith("  ✓ right in ")
    assert costs == (
        "  time per move  O(1)  100 ns     construction  O(n)  125 ns × n     "
        "memory  O(n)  80 bytes × n"
    )
    assert "\x1b" not in result.stdout


def test_check_writes_table_and_files(tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("junit", "gradescope", "html")}
    options = [f"--{name}={path}" for name, path in files.items()]
    two = (SOLUTIONS / "off_by_one.py", SOLUTIONS / "sums.py")  # docs/check.md covers all of them
    result = noughts("check", *two, *FEW, *options, "--points", "10", "--jobs", "2")
    assert result.exit_code == 1
    *_, off, sums, summary = result.stdout.splitlines()
    assert off.split()[1:3] == ["✗", "wrong"]
    assert off.split()[-2:] == ["O(n)", "anti-diagonal-off-by-one"]
    assert (sums.split()[:3], sums.split()[-1]) == (["sums.py", "✓", "right"], "O(n)")
    assert summary == "1 of 2 right"
    assert len(list(ElementTree.parse(files["junit"]).getroot()[0])) == 2
    assert json.loads(files["gradescope"].read_text("utf-8"))["score"] == 5
    assert "1 of 2 right" in files["html"].read_text("utf-8")


@pytest.mark.parametrize(
    "options",
    [["--points", "nan"], ["--points", "inf"], ["--html", "no/such/folder.html"], ["--junit", "."]],
)
def test_check_rejects_output_file_before_it_starts(options: list[str]) -> None:
    result = noughts("check", SOLUTIONS / "sums.py", *options)
    assert result.exit_code == 2
    assert f"Invalid value for '{options[0]}'" in result.stderr


def test_check_json_prints_only_json() -> None:
    files = (SOLUTIONS / "off_by_one.py", SOLUTIONS / "sums.py")
    result = noughts("check", "--json", "--jobs", "1", *files, *FEW)
    wrong, right = map(json.loads, result.stdout.splitlines())
    assert (wrong["verdict"], right["verdict"], result.exit_code) == ("wrong", "right", 1)
    assert wrong["counterexample"]["moves"] == [[0, 1, 1], [0, 0, 2], [1, 0, 1]]


def test_check_requires_complexity() -> None:
    sums = SOLUTIONS / "sums.py"
    missed = noughts("check", sums, "--require", "time=O(1)", "--require", "memory=O(1)", *FEW)
    assert missed.exit_code == 1
    assert "✗ memory is O(n), but O(1) is required" in missed.stdout
    assert noughts("check", sums, "--require", "memory = O(n²)", *FEW).exit_code == 0


@pytest.mark.parametrize("written", ["time", "speed=O(1)", "time=O(log n)", "memory=1"])
def test_check_rejects_unknown_requirement(written: str) -> None:
    result = noughts("check", SOLUTIONS, "--require", written)
    assert (result.exit_code, result.stdout) == (2, "")


def test_check_needs_solutions(tmp_path: Path) -> None:
    assert noughts("check", tmp_path).exit_code == 2
    assert noughts("check", tmp_path / "missing.py").exit_code == 2


def test_check_reports_unreadable_file(tmp_path: Path) -> None:
    ruby = tmp_path / "solution.rb"
    ruby.write_text("class TicTacToe; end")
    result = noughts("check", ruby)
    assert result.exit_code == 2
    assert result.stdout.startswith("solution.rb\n  ✗ ")


def test_check_finds_solutions_in_folders(tmp_path: Path) -> None:
    source = (SOLUTIONS / "off_by_one.py").read_text("utf-8")
    for name in ("ann/solution.py", "bob/solution.py", ".git/no.py", "ann/_old.py", "notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
    result = noughts("check", "--json", "--jobs", "1", tmp_path, *FEW)
    names = [json.loads(line)["solution"] for line in result.stdout.splitlines()]
    assert names == ["ann/solution.py", "bob/solution.py"]
    *_, ann, bob, summary = noughts("check", "--jobs", "1", tmp_path, *FEW).stdout.splitlines()
    assert ann.split()[:3] == ["ann/solution.py", "✗", "wrong"]
    assert (bob.split()[-1], summary) == ("anti-diagonal-off-by-one", "0 of 2 right")


def test_check_verbose_shows_printed_output(tmp_path: Path) -> None:
    source = (SOLUTIONS / "off_by_one.py").read_text("utf-8")
    loud = tmp_path / "loud.py"
    loud.write_text(source + "\nprint('\\x1b[31mhello', TicTacToe(3).move(0, 0, 1))\n")
    assert "hello" not in noughts("check", loud, *FEW).stdout
    shown = noughts("check", "-v", loud, *FEW).stdout
    assert "  it printed:\n    �[31mhello 0\n" in shown
    assert "All moves are legal" in " ".join(shown.split())


def test_check_command_reads_call_lists(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import json, sys\n"
        + (SOLUTIONS / "off_by_one.py").read_text("utf-8")
        + "\nfor line in sys.stdin:\n"
        "    [n], *moves = json.loads(next(sys.stdin))\n"
        "    judge = TicTacToe(n)\n"
        "    print(json.dumps([None, *(judge.move(*move) for move in moves)]))\n"
    )
    result = noughts("check", "--json", "--command", f"{sys.executable} {program}", *FEW)
    found = json.loads(result.stdout)
    assert (found["verdict"], found["diagnosis"]) == ("wrong", "anti-diagonal-off-by-one")
    assert (found["language"], result.exit_code) == ("command", 1)


@pytest.mark.tier2("process")
def test_ctrl_c_ends_check() -> None:
    command = (NOUGHTS, "check", "--json", SOLUTIONS / "off_by_one.py", SOLUTIONS, "--jobs", "2")
    with started(*command) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith(b'{"solution":"off_by_one.py"')
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=SECONDS)
    assert (running.returncode, said) == (130, b"")
