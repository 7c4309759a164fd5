"""The commands as processes: exit status, signals, and output on a terminal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import termios
from collections.abc import Iterator
from pathlib import Path
from select import select

import pytest

from commands import (
    GAMES,
    GOOD,
    GOOD_VERDICT,
    NOUGHTS,
    ROOT,
    SECONDS,
    noughts,
    process,
    python,
    started,
)
from golden import golden

pytestmark = [pytest.mark.tier2("process"), pytest.mark.usefixtures("plain_terminal")]
needs_dev_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


# Exit status


def test_judge_exits_with_141_when_its_reader_exits(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text(GOOD * 20_000)
    with started(NOUGHTS, "judge", games) as judge:
        assert judge.stdout is not None
        assert judge.stdout.readline() == GOOD_VERDICT.encode()
        judge.stdout.close()
        assert judge.stderr is not None
        assert judge.stderr.read() == b""
        assert judge.wait(SECONDS) == 141


@pytest.mark.parametrize("command", ["judge", "trace", "show", "perft", "play"])
def test_command_exits_with_141_on_a_closed_pipe(command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    arguments = {"perft": ["--rules", "2x2"], "play": []}.get(command, [str(GAMES)])
    try:
        done = process(command, *arguments, typed=b"b2\n", stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@needs_dev_full
@pytest.mark.parametrize(
    "arguments",
    [["judge", GAMES], ["trace", GAMES], ["trace", GAMES, "--id", "taken-cell"], ["show", GAMES],
     ["perft"], ["play"], ["--version"], ["--help"],
     ["judge", "--help"]],
    ids=lambda arguments: " ".join(map(str, arguments)).replace(str(GAMES), "games"),
)  # fmt: skip
def test_command_reports_a_full_disk(arguments: list[str | Path]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = process(*arguments, stdout=full)
    assert done.stderr.decode() == "noughts: No space left on device\n"
    assert done.returncode == 2


@needs_dev_full
@pytest.mark.parametrize("command", ["judge", "show"])
def test_command_names_the_file_on_a_full_disk(command: str) -> None:
    done = process(command, GAMES, "--out", "/dev/full")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == "noughts: /dev/full: No space left on device\n"


def test_judge_exits_with_130_on_ctrl_c() -> None:
    with (
        started("yes", GOOD.strip()) as endless,
        started(NOUGHTS, "judge", stdin=endless.stdout) as judge,
    ):
        assert endless.stdout is not None
        endless.stdout.close()  # now only judge reads it
        assert judge.stdout is not None
        assert judge.stdout.readline() == GOOD_VERDICT.encode()
        judge.send_signal(signal.SIGINT)
        _, errors = judge.communicate(timeout=SECONDS)
        assert (judge.returncode, errors) == (130, b"")


@pytest.mark.parametrize(("command", "shows"), [("perft", b"sequences"), ("play", b"X> ")])
def test_command_exits_with_130_on_ctrl_c(command: str, shows: bytes) -> None:
    unbuffered = os.environ | {"PYTHONUNBUFFERED": "1"}
    arguments = command, "--rules", "5x5"
    with started(NOUGHTS, *arguments, stdin=subprocess.PIPE, environment=unbuffered) as running:
        assert running.stdout is not None
        printed = b""
        while shows not in printed:
            part = os.read(running.stdout.fileno(), 4096)
            assert part, printed  # the command has exited
            printed += part
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=SECONDS)
        assert (running.returncode, errors) == (130, b"")


RUN = "import sys; from noughts.cli import main; sys.argv = ['noughts', '--help']; "


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_main_reports_a_missing_extra(missing: str) -> None:
    done = python(
        RUN + "\nclass Missing:\n  def find_spec(self, name, *_):\n"
        f"    if name == '{missing}': raise ModuleNotFoundError(name=name)\n"
        "sys.meta_path.insert(0, Missing()); main()"
    )
    assert done.stderr.startswith("noughts: the command line requires Click and Rich: ")
    assert (done.returncode, done.stdout) == (1, "")


def test_main_raises_for_other_missing_modules() -> None:
    done = python(RUN + "sys.modules['noughts.records'] = None; main()")
    assert "ModuleNotFoundError" in done.stderr
    assert "requires" not in done.stderr


def test_main_exits_with_130_on_ctrl_c_during_start_up() -> None:
    interrupted = (
        "\nclass CtrlC:\n  def find_spec(self, *_): raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, CtrlC()); main()"
    )
    done = python(RUN + interrupted)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_command_replaces_unencodable_output_with_question_marks() -> None:
    done = process("show", GAMES, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"draw ? 3?3, 3 in a row ? ply 9 ? draw: no moves left" in done.stdout


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_command_runs_with_a_closed_standard_stream(closed: str) -> None:
    command = f"{NOUGHTS} judge examples/games.jsonl {closed}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)


# Terminals


def on_terminal(
    *arguments: str | Path,
    typed: str = "",
    only_stderr: Path | None = None,
    columns: int = 80,
) -> tuple[int, str]:
    """Run a command on a terminal; return its exit status and the terminal's contents.

    With `only_stderr`, standard input is empty and standard output goes to this file.
    """
    ours, terminal = os.openpty()
    termios.tcsetwinsize(terminal, (24, columns))
    os.write(ours, typed.encode())
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    stdin = subprocess.DEVNULL if only_stderr else terminal
    stdout = os.open(only_stderr, os.O_WRONLY | os.O_CREAT) if only_stderr else os.dup(terminal)
    with started(
        NOUGHTS,
        *arguments,
        stdin=stdin,
        stdout=stdout,
        stderr=terminal,
        environment=environment,
    ) as running:
        os.close(stdout)
        os.close(terminal)
        shown = b"".join(all_of(ours))
        os.close(ours)
        return running.wait(SECONDS), shown.decode()


def all_of(terminal: int) -> Iterator[bytes]:
    """Yield the terminal's output until every writer has closed it."""
    while select([terminal], [], [], SECONDS)[0]:
        try:
            yield os.read(terminal, 65536)
        except OSError:  # the end of the output on Linux
            return


def test_judge_shows_progress_when_verdicts_go_to_a_file(tmp_path: Path) -> None:
    verdicts = tmp_path / "verdicts"
    code, shown = on_terminal("judge", GAMES, only_stderr=verdicts, columns=200)
    assert code == 1
    assert "━" in shown
    assert GAMES.name in shown
    assert " games " in shown
    assert verdicts.read_text() == golden("judge-games.stdout.txt", verdicts.read_text())


def test_judge_shows_progress_for_standard_input(tmp_path: Path) -> None:
    out = tmp_path / "verdicts"
    code, shown = on_terminal("judge", "--out", out, typed=f"{GOOD}\x04", columns=200)
    assert (code, out.read_text()) == (0, GOOD_VERDICT)
    assert "━" in shown
    assert "standard input" in shown


def test_match_shows_standings_in_progress(tmp_path: Path) -> None:
    arguments = ["match", "easy", "random", "--games", "4", "--sprt", "0,10"]
    code, shown = on_terminal(*arguments, only_stderr=tmp_path / "out")
    assert code == 0
    assert "━" in shown
    for part in ("easy begins", "points", "4/4", "Elo 10 rather than 0: undecided"):
        assert part in shown
    assert (tmp_path / "out").read_text().startswith("3×3, 3 in a row, 4 games\n\n")


def test_analyse_shows_progress(tmp_path: Path) -> None:
    code, shown = on_terminal("analyse", GAMES, only_stderr=tmp_path / "out")
    assert (code, "thinking" in shown, "━" in shown) == (0, True, True)


def test_judge_shows_whole_errors_beside_the_progress_bar(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.write_text(f"{GOOD}[red]\n")
    code, shown = on_terminal("judge", games, only_stderr=tmp_path / "verdicts", columns=200)
    assert code == 1
    assert f"{games}:2: expected an object such as {{" in shown


def test_judge_shows_no_progress_beside_verdicts() -> None:
    code, shown = on_terminal("judge", GAMES)
    assert code == 1
    assert '{"id":"draw","status":"draw"' in shown
    assert "━" not in shown


def test_judge_shows_no_progress_without_a_terminal() -> None:
    assert "━" not in noughts("judge", GAMES).stderr


@pytest.mark.parametrize(
    ("arguments", "typed", "columns", "code", "expected"),
    [
        (["show", GAMES, "--id", "diagonal"], "", 80, 0, r"\x1b\[1;36mX\x1b\[0m"),
        (["show", GAMES, "--id", "diagonal"], "", 80, 0, r"\x1b\[1;31mO\x1b\[0m"),
        (
            ["play", "--rules", "26x26"],
            "",
            80,
            2,
            "26×26 board is 81 columns wide, and this terminal has 80",
        ),
        (["play", "--rules", "26x26"], "quit\n", 81, 0, "26×26, 26 in a row."),
        (["play"], "b2\na1\na2\nc3\nc2\n", 80, 0, r"X wins with A2 B2 C2\."),
        (["play"], "\x04", 80, 0, r"> \r\n\Z"),
    ],
    ids=["X in colour", "O in colour", "too wide", "wide", "a game", "the end of the input"],
)
def test_terminal_shows_boards(
    arguments: list[str | Path], typed: str, columns: int, code: int, expected: str
) -> None:
    ended, shown = on_terminal(*arguments, typed=typed, columns=columns)
    assert ended == code
    assert re.search(expected, shown)
