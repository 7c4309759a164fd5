"""The commands as people and shells meet them: what they print, where, and how they end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from select import select
from typing import IO, Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from golden import golden
from noughts import Game, Rules
from noughts.cli import main
from noughts.cli.app import application
from noughts.picture import text
from noughts.records import read_records

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "examples" / "games.jsonl"
CALLS = ROOT / "examples" / "calls.json"
NOUGHTS = Path(sys.executable).with_name("noughts")
SECONDS = 30  # after which a process that hangs fails its test

GOOD = '{"id":"good","n":3,"moves":[[1,1]]}\n'
ILLEGAL = '{"id":"illegal","n":3,"moves":[[1,1],[1,1]]}\n'
GOOD_VERDICT = '{"id":"good","status":"pending","winner":null,"ply":1,"lines":[]}\n'
ILLEGAL_VERDICT = (
    '{"id":"illegal","status":"illegal","winner":null,"ply":1,"lines":[],'
    '"code":"cell_taken","message":"cell (1, 1) is already taken"}\n'
)

needs_dev_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing outside the tests changes how wide and how colourful the output is."""
    for name in ("FORCE_COLOR", "NO_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "GITHUB_ACTIONS",
                 "TTY_COMPATIBLE", "TTY_INTERACTIVE", "LINES", "PYTHONIOENCODING",
                 "PYTHONUNBUFFERED"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")


def noughts(*arguments: str | Path, typed: str | bytes = "") -> Result:
    """Run a command in this process."""
    words = list(map(str, arguments))
    result = CliRunner().invoke(application(), words, input=typed, prog_name="noughts")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def process(
    *arguments: str | Path,
    typed: bytes | None = b"",
    stdin: IO[bytes] | None = None,
    stdout: IO[bytes] | int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    cwd: Path | None = None,
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command as a process of its own."""
    if stdin is not None:
        typed = None
    return subprocess.run(
        [NOUGHTS, *arguments],
        input=typed,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        cwd=cwd,
        env=os.environ | environment,
        timeout=SECONDS,
        check=False,
    )


def default_interrupt() -> None:
    """Let Ctrl-C reach the process, even where the tests themselves run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def started(
    *command: str | Path,
    stdin: IO[bytes] | int | None = None,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    environment: Mapping[str, str] | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs meanwhile, and no longer."""
    with subprocess.Popen(
        command,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env=environment,
        preexec_fn=default_interrupt,
    ) as running:
        try:
            yield running
        finally:
            running.kill()


# judge: verdicts


def test_judge_gives_a_verdict_on_every_example() -> None:
    result = noughts("judge", GAMES)
    assert result.stdout == golden("judge-games.stdout.txt", result.stdout)
    assert result.stderr == golden("judge-games.stderr.txt", result.stderr)
    assert result.exit_code == 1


def test_judge_as_a_process_gives_the_same() -> None:
    done = process("judge", "examples/games.jsonl", cwd=ROOT)
    assert done.stdout.decode() == golden("judge-games.stdout.txt", done.stdout.decode())
    assert done.stderr.decode() == golden("judge-games.stderr.txt", done.stderr.decode())
    assert done.returncode == 1


def test_judge_answers_the_call_list_of_the_issue() -> None:
    result = noughts("judge", CALLS)
    assert result.stdout == "[null,0,0,0,0,0,0,1]\n"
    assert result.stderr == "1 game: 1 answered\n"
    assert result.exit_code == 0


@pytest.mark.parametrize("arguments", [[], ["-"]], ids=["none", "-"])
def test_judge_reads_standard_input(arguments: list[str]) -> None:
    result = noughts("judge", *arguments, typed=GOOD)
    assert (result.exit_code, result.stdout) == (0, GOOD_VERDICT)
    assert result.stderr == "1 game: 1 pending\n"


def test_judge_reads_standard_input_where_it_is_named_among_files() -> None:
    result = noughts("judge", CALLS, "-", CALLS, typed=GOOD)
    answers = "[null,0,0,0,0,0,0,1]\n"
    assert result.stdout == answers + GOOD_VERDICT + answers
    assert result.stderr == "3 games: 2 answered, 1 pending\n"


def test_judge_exits_1_after_an_illegal_game_and_judges_the_rest() -> None:
    result = noughts("judge", typed=ILLEGAL + GOOD)
    assert (result.exit_code, result.stdout) == (1, ILLEGAL_VERDICT + GOOD_VERDICT)
    assert result.stderr == "2 games: 1 illegal, 1 pending\n"


def test_judge_exits_1_after_an_unreadable_line_and_judges_the_rest() -> None:
    result = noughts("judge", typed=f"{GOOD}oops\n{GOOD}")
    assert (result.exit_code, result.stdout) == (1, GOOD_VERDICT * 2)
    assert result.stderr == (
        'standard input:2: expected an object such as {"n": 3, "moves": [[0, 0]]}; '
        "this is not JSON: expecting value at column 1\n"
        "2 games: 2 pending\n1 line could not be read\n"
    )


def test_judge_counts_unreadable_lines() -> None:
    result = noughts("judge", typed="oops\n" * 1234)
    assert result.stderr.endswith("\n0 games\n1,234 lines could not be read\n")


def test_judge_exits_1_after_a_refused_call() -> None:
    result = noughts("judge", typed='["TicTacToe","move"]\n[[2],[0,0,7]]\n')
    assert result.exit_code == 1
    assert result.stdout == (
        '[null,{"code":"unknown_player","message":"player 7 is unknown: expected 1 or 2"}]\n'
    )
    assert result.stderr == "1 game: 1 illegal\n"


def test_judge_exits_1_for_an_empty_file() -> None:
    result = noughts("judge", typed="")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("standard input: no record: the file is empty\n0 games\n")


def test_judge_survives_bytes_and_lines_of_every_kind(tmp_path: Path) -> None:
    bad = [b"\xff\xfe", b"x" * 10_000_000, b"[" * 100_000, b'["TicTacToe"]', b"", b"{}"]
    (tmp_path / "mixed").write_bytes(b"\n".join([GOOD.encode() + line for line in bad]))
    result = noughts("judge", tmp_path / "mixed")
    assert (result.exit_code, result.stdout) == (1, GOOD_VERDICT * 6)
    assert result.stderr.endswith("6 games: 6 pending\n5 lines could not be read\n")


def test_judge_is_spoilt_by_no_board_however_large() -> None:
    huge = "9" * 4300
    lines = f'["TicTacToe"]\n[[{huge}]]\n{{"shape":[{huge},{huge}],"k":3,"moves":[]}}\n{GOOD}'
    result = noughts("judge", typed=lines)
    assert result.exit_code == 1
    assert result.stdout.endswith(GOOD_VERDICT)
    assert result.stderr.startswith("standard input:2: n must be 1 to 1,000,000 in a call list")


def test_judge_tells_the_rate_of_many_games() -> None:
    result = noughts("judge", typed=GOOD * 1000)
    assert re.fullmatch(r"1,000 games \([\d,]+ a second\): 1,000 pending\n", result.stderr)


def test_judge_writes_an_unreadable_lines_error_where_it_belongs_among_the_verdicts() -> None:
    done = process("judge", typed=f"{GOOD}oops\n{GOOD}".encode(), stderr=subprocess.STDOUT)
    kinds = [line[:16] for line in done.stdout.decode().splitlines()]
    assert kinds[:3] == ['{"id":"good","st', "standard input:2", '{"id":"good","st']


# judge: files


def test_judge_exits_2_for_a_missing_file_and_judges_the_others(tmp_path: Path) -> None:
    missing = tmp_path / "missing.jsonl"
    result = noughts("judge", CALLS, missing, CALLS)
    assert result.exit_code == 2
    assert result.stdout == "[null,0,0,0,0,0,0,1]\n" * 2
    assert result.stderr == (
        f"noughts: {missing}: No such file or directory\n2 games: 2 answered\n"
    )


def test_judge_exits_2_for_a_directory_and_judges_the_others(tmp_path: Path) -> None:
    result = noughts("judge", tmp_path, CALLS)
    assert (result.exit_code, result.stdout) == (2, "[null,0,0,0,0,0,0,1]\n")
    assert result.stderr == f"noughts: {tmp_path}: Is a directory\n1 game: 1 answered\n"


def test_judge_exits_2_even_if_a_game_was_illegal_too(tmp_path: Path) -> None:
    assert noughts("judge", "-", tmp_path, typed=ILLEGAL).exit_code == 2


@pytest.mark.parametrize("option", ["--out", "-o"])
def test_judge_writes_the_verdicts_to_a_file(tmp_path: Path, option: str) -> None:
    out = tmp_path / "verdicts.jsonl"
    result = noughts("judge", option, out, typed=GOOD + ILLEGAL)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "2 games: 1 illegal, 1 pending\n"
    assert out.read_text() == GOOD_VERDICT + ILLEGAL_VERDICT


def test_judge_replaces_an_older_file(tmp_path: Path) -> None:
    out = tmp_path / "verdicts.jsonl"
    out.write_text("old\n" * 100)
    noughts("judge", CALLS, "--out", out)
    assert out.read_text() == "[null,0,0,0,0,0,0,1]\n"


def test_judge_refuses_to_overwrite_its_input(tmp_path: Path) -> None:
    games, other_name = tmp_path / "games", tmp_path / "link"
    games.write_text(GOOD)
    other_name.symlink_to(games)
    for out in (games, other_name):
        result = noughts("judge", CALLS, games, "--out", out)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "would be overwritten while it is read" in result.stderr
    assert games.read_text() == GOOD


def test_judge_refuses_to_overwrite_its_standard_input(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.write_text(GOOD)
    with games.open("rb") as file:
        done = process("judge", "--out", games, stdin=file)
    assert done.returncode == 2
    assert "would be overwritten while it is read" in done.stderr.decode()
    assert games.read_text() == GOOD


def test_judge_may_overwrite_a_file_that_is_not_its_standard_input(tmp_path: Path) -> None:
    out = tmp_path / "verdicts"
    out.write_text("old")
    assert process("judge", "--out", out, typed=GOOD.encode()).returncode == 0
    assert out.read_text() == GOOD_VERDICT


@pytest.mark.parametrize("command", ["judge", "show"])
def test_an_output_that_cannot_be_written_exits_2(tmp_path: Path, command: str) -> None:
    for out, reason in [(tmp_path, "Is a directory"), (tmp_path / "a/b", "No such file")]:
        done = process(command, GAMES, "--out", out)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.decode().startswith(f"noughts: {out}: {reason}")


# How processes end


def test_judge_ends_quietly_with_141_when_its_reader_goes_away(tmp_path: Path) -> None:
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
def test_every_command_ends_quietly_with_141_on_a_closed_pipe(command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    arguments = {"perft": ["2x2"], "play": []}.get(command, [str(GAMES)])
    try:
        done = process(command, *arguments, typed=b"b2\n", stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@needs_dev_full
@pytest.mark.parametrize(
    "arguments",
    [["judge", GAMES], ["trace", GAMES], ["trace", GAMES, "--id", "taken-cell"], ["show", GAMES],
     ["perft", "2x2"], ["play"], ["judge", GAMES, "--out", "/dev/full"], ["--version"], ["--help"],
     ["judge", "--help"]],
    ids=lambda arguments: " ".join(map(str, arguments)).replace(str(GAMES), "games"),
)  # fmt: skip
def test_a_full_disk_ends_a_command_with_one_line_and_2(arguments: list[str | Path]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = process(*arguments, stdout=full)
    assert done.stderr.decode() == "noughts: No space left on device\n"
    assert done.returncode == 2


def test_ctrl_c_ends_judge_quietly_with_130() -> None:
    with (
        started("yes", GOOD.strip()) as endless,
        started(NOUGHTS, "judge", stdin=endless.stdout) as judge,
    ):
        assert endless.stdout is not None
        endless.stdout.close()  # only judge reads it now
        assert judge.stdout is not None
        assert judge.stdout.readline() == GOOD_VERDICT.encode()
        judge.send_signal(signal.SIGINT)
        _, errors = judge.communicate(timeout=SECONDS)
        assert (judge.returncode, errors) == (130, b"")


@pytest.mark.parametrize(("command", "shows"), [("perft", b"sequences"), ("play", b"X> ")])
def test_ctrl_c_ends_counting_and_playing_quietly_with_130(command: str, shows: bytes) -> None:
    unbuffered = os.environ | {"PYTHONUNBUFFERED": "1"}
    with started(NOUGHTS, command, "5x5", stdin=subprocess.PIPE, environment=unbuffered) as running:
        assert running.stdout is not None
        printed = b""
        while shows not in printed:
            printed += os.read(running.stdout.fileno(), 4096)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=SECONDS)
        assert (running.returncode, errors) == (130, b"")


def python(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        input="",
        text=True,
        timeout=SECONDS,
        check=False,
    )


RUN = "import sys; from noughts.cli import main; sys.argv = ['noughts', '--version']; "


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_a_missing_extra_is_one_sentence_that_says_what_to_install(missing: str) -> None:
    done = python(
        RUN + "\nclass Missing:\n  def find_spec(self, name, *_):\n"
        f"    if name == '{missing}': raise ModuleNotFoundError(name=name)\n"
        "sys.meta_path.insert(0, Missing()); main()"
    )
    assert done.stderr == (
        'noughts: the commands need Click and Rich: pip install "noughts[cli]"\n'
    )
    assert (done.returncode, done.stdout) == (1, "")


def test_another_missing_module_is_not_taken_for_the_extra() -> None:
    done = python(RUN + "sys.modules['noughts.records'] = None; main()")
    assert "ModuleNotFoundError" in done.stderr
    assert "pip install" not in done.stderr


def test_ctrl_c_while_starting_up_is_quiet_too() -> None:
    interrupted = (
        "\nclass CtrlC:\n  def find_spec(self, *_): raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, CtrlC()); main()"
    )
    done = python(RUN + interrupted)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_output_that_cannot_be_encoded_shows_question_marks() -> None:
    done = process("show", GAMES, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"draw ? 3?3, 3 in a row ? ply 9 ? draw: the board is full" in done.stdout


def test_main_writes_to_whatever_stands_for_standard_output(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["noughts", "--version"])
    with redirect_stdout(StringIO()) as printed, pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert printed.getvalue() == f"noughts {version('noughts')}\n"


# Terminals


def on_terminal(
    *arguments: str | Path,
    typed: str = "",
    only_stderr: Path | None = None,
    columns: int = 80,
) -> tuple[int, str]:
    """Run a command on a terminal; its exit code, and all that the terminal shows.

    With `only_stderr`, standard input is closed and standard output goes to this file.
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
    """What comes from the terminal until nobody writes to it any more."""
    while select([terminal], [], [], SECONDS)[0]:
        try:
            yield os.read(terminal, 65536)
        except OSError:  # as Linux tells the end
            return


def test_a_progress_bar_shows_while_verdicts_go_to_a_file(tmp_path: Path) -> None:
    verdicts = tmp_path / "verdicts"
    code, shown = on_terminal("judge", GAMES, only_stderr=verdicts, columns=200)
    assert code == 1
    assert "━" in shown
    assert GAMES.name in shown
    assert " games " in shown
    assert verdicts.read_text() == golden("judge-games.stdout.txt", verdicts.read_text())


def test_a_progress_bar_shows_with_out_and_standard_input_of_unknown_length(tmp_path: Path) -> None:
    out = tmp_path / "verdicts"
    code, shown = on_terminal("judge", "--out", out, typed=f"{GOOD}\x04", columns=200)
    assert (code, out.read_text()) == (0, GOOD_VERDICT)
    assert "━" in shown
    assert "standard input" in shown


def test_an_error_shows_whole_while_the_progress_bar_does(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.write_text(f"{GOOD}[red]\n")
    code, shown = on_terminal("judge", games, only_stderr=tmp_path / "verdicts", columns=200)
    assert code == 1
    assert f"{games}:2: the names have no line of arguments after them" in shown


def test_no_progress_bar_shows_where_the_verdicts_do() -> None:
    code, shown = on_terminal("judge", GAMES)
    assert code == 1
    assert '{"id":"draw","status":"draw"' in shown
    assert "━" not in shown


def test_no_progress_bar_shows_where_standard_error_is_no_terminal() -> None:
    assert "━" not in noughts("judge", GAMES).stderr


def test_boards_on_a_terminal_are_in_colour() -> None:
    code, shown = on_terminal("show", GAMES, "--id", "diagonal")
    assert code == 0
    assert "\x1b[1;36mX\x1b[0m" in shown
    assert "\x1b[1;31mO\x1b[0m" in shown


def test_a_board_too_wide_for_the_terminal_is_refused() -> None:
    code, shown = on_terminal("play", "26x26", columns=80)
    assert code == 2
    assert "a 26×26 board is 81 columns wide, and this terminal has 80" in shown


def test_a_board_as_wide_as_the_terminal_is_played() -> None:
    code, shown = on_terminal("play", "26x26", typed="quit\n", columns=81)
    assert code == 0
    assert "26×26, 26 in a row wins" in shown


def test_a_game_is_played_on_a_terminal() -> None:
    code, shown = on_terminal("play", typed="b2\na1\na2\nc3\nc2\n")
    assert code == 0
    assert "X wins with A2 B2 C2." in shown


def test_the_end_of_the_input_ends_play_on_a_terminal() -> None:
    code, shown = on_terminal("play", typed="\x04")
    assert code == 0
    assert shown.endswith("> \r\n")


# trace


@pytest.mark.parametrize("referee", ["scan", "tallies", "signed"])
def test_trace_shows_the_referee_at_work(referee: str) -> None:
    result = noughts("trace", GAMES, "--id", "diagonal", "--referee", referee)
    assert result.stdout == golden(f"trace-{referee}.txt", result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")


def test_trace_watches_the_signed_sums_of_the_first_game_unless_told_otherwise() -> None:
    plain = noughts("trace", GAMES)
    assert plain.stdout == noughts("trace", GAMES, "--id", "draw", "--referee", "signed").stdout
    assert plain.stdout.startswith("SignedSums on a 3×3 board\n")
    assert plain.stdout.endswith("verdict 0\n")


def test_trace_reads_standard_input() -> None:
    result = noughts("trace", typed=GOOD)
    assert "1. X plays B2: row 1, column 1" in result.stdout
    assert result.exit_code == 0


@pytest.mark.parametrize("referee", ["scan", "tallies", "signed"])
def test_trace_draws_wide_boards_and_long_sums_in_columns(referee: str) -> None:
    row = ",".join(f"[0,{col}],[1,{col}]" for col in range(11))
    result = noughts("trace", "--referee", referee, typed=f'{{"n":12,"moves":[{row}]}}')
    last = result.stdout[result.stdout.index("22. ") :]
    assert last == golden(f"trace-wide-{referee}.txt", last)


def test_trace_ends_with_1_at_a_refused_move() -> None:
    result = noughts("trace", GAMES, "--id", "taken-cell")
    assert result.exit_code == 1
    assert result.stdout.endswith(
        "\n\n3. refused, and nothing changes: cell (0, 0) is already taken\n"
    )


def test_trace_of_a_call_list_goes_on_after_a_refused_call() -> None:
    calls = '["TicTacToe","move","move","move"]\n[[2],[0,0,2],[0,0,1],[1,1,2]]\n'
    result = noughts("trace", typed=calls)
    assert result.stdout == golden("trace-refused-call.txt", result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("game", ["gomoku", "cube", "five-by-six", "three-players"])
def test_trace_declines_what_is_not_the_classic_game(game: str) -> None:
    result = noughts("trace", GAMES, "--id", game)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(
        "noughts: trace follows the classic game, n in a row on an n×n board between two players, "
    )


@pytest.mark.parametrize("rules", ['"n":3,"players":3', '"n":4,"k":3', '"shape":[3]'])
def test_trace_declines_what_is_almost_the_classic_game(rules: str) -> None:
    assert noughts("trace", typed=f'{{{rules},"moves":[]}}').exit_code == 2


def test_trace_names_what_it_declines() -> None:
    assert noughts("trace", GAMES, "--id", "gomoku").stderr.endswith(
        "players, not 15×15 with k = 5 and 2 players\n"
    )


def test_trace_declines_a_board_too_large_to_draw() -> None:
    result = noughts("trace", typed='{"n":40000,"moves":[]}')
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "noughts: a 40000×40000 board is too large to draw\n"


def test_trace_knows_three_referees_only() -> None:
    result = noughts("trace", GAMES, "--referee", "guess")
    assert result.exit_code == 2
    assert "'guess' is not one of 'scan', 'tallies', 'signed'" in result.stderr


# Picking a game


@pytest.mark.parametrize("command", ["trace", "show"])
def test_a_game_that_is_not_there_exits_2(command: str) -> None:
    result = noughts(command, GAMES, "--id", "nobody")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"noughts: no game with the id 'nobody' in {GAMES}\n"


@pytest.mark.parametrize("command", ["trace", "show"])
def test_a_file_without_games_exits_2(command: str) -> None:
    result = noughts(command, typed="oops\n")
    assert (result.exit_code, result.stdout) == (2, "")
    first, second = result.stderr.splitlines()
    assert first.startswith("standard input:1: expected an object")
    assert second == "noughts: no game in standard input"


@pytest.mark.parametrize("command", ["trace", "show"])
def test_a_file_that_is_not_there_exits_2(command: str) -> None:
    done = process(command, "missing.jsonl")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"noughts: missing.jsonl: No such file or directory\n"


@pytest.mark.parametrize("command", ["trace", "show"])
def test_a_bad_line_before_the_game_is_reported_and_passed_over(command: str) -> None:
    result = noughts(command, typed="oops\n" + GOOD)
    assert result.exit_code == 0
    assert result.stderr.startswith("standard input:1: ")
    assert "X" in result.stdout


def test_an_id_that_is_a_number_is_found() -> None:
    games = '{"id":7,"n":3,"moves":[]}\n{"id":8,"n":3,"moves":[[0,0]]}\n'
    assert noughts("show", "--id", "8", typed=games).stdout.startswith("8 · 3×3")


# show


def test_show_draws_the_first_game() -> None:
    result = noughts("show", GAMES)
    assert result.stdout == golden("show.txt", result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("game", ["diagonal", "cube", "three-players", "gomoku"])
def test_show_draws_the_game_of_an_id(game: str) -> None:
    result = noughts("show", GAMES, "--id", game)
    assert result.stdout == golden(f"show-{game}.txt", result.stdout)


def test_show_draws_the_board_after_some_moves() -> None:
    result = noughts("show", GAMES, "--id", "diagonal", "--ply", "2")
    assert "ply 2 · X to move" in result.stdout
    assert " 1  X  O  ·\n" in result.stdout
    assert "ply 0 · X to move" in noughts("show", GAMES, "--ply", "0").stdout


def test_show_draws_the_last_board_for_a_ply_beyond_the_end() -> None:
    assert noughts("show", GAMES, "--ply", "99").stdout == noughts("show", GAMES).stdout


def test_show_refuses_a_negative_ply() -> None:
    assert noughts("show", GAMES, "--ply", "-1").exit_code == 2


def test_show_draws_svg() -> None:
    result = noughts("show", GAMES, "--id", "diagonal", "--svg")
    assert result.stdout == golden("diagonal.svg", result.stdout)


@pytest.mark.parametrize("option", ["--out", "-o"])
def test_show_writes_to_a_file(tmp_path: Path, option: str) -> None:
    picture = tmp_path / "picture"
    game = Game.replay(Rules(), [(0, 0), (0, 1), (1, 1), (0, 2), (2, 2)])
    result = noughts("show", GAMES, "--id", "diagonal", option, picture)
    assert (result.exit_code, result.output) == (0, "")
    assert picture.read_text("utf-8") == text(game) + "\n"
    noughts("show", GAMES, "--id", "diagonal", "--svg", option, picture)
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_show_draws_an_illegal_game_up_to_the_illegal_move_and_exits_1() -> None:
    result = noughts("show", GAMES, "--id", "taken-cell")
    assert result.exit_code == 1
    assert "taken-cell · 3×3, 3 in a row · ply 2 · X to move" in result.stdout
    assert result.stderr == "noughts: move 3 is illegal: cell (0, 0) is already taken\n"


def test_show_does_not_mind_an_illegal_move_after_the_ply_it_shows() -> None:
    result = noughts("show", GAMES, "--id", "taken-cell", "--ply", "2")
    assert (result.exit_code, result.stderr) == (0, "")


def test_show_sends_call_lists_to_trace() -> None:
    result = noughts("show", CALLS)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "noughts: show needs a game in JSON Lines; noughts trace follows a call list\n"
    )


@pytest.mark.parametrize("options", [[], ["--svg"]])
def test_show_declines_a_board_too_large_to_draw(options: list[str]) -> None:
    result = noughts("show", *options, typed='{"n":1001,"moves":[]}')
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "noughts: a 1001×1001 board is too large to draw\n"


def test_show_names_a_game_without_an_id_by_its_source() -> None:
    result = noughts("show", typed='{"n":3,"moves":[]}')
    assert result.stdout.startswith("standard input · 3×3, 3 in a row · ply 0 · X to move\n\n")


def test_show_writes_an_id_as_it_is_on_one_line() -> None:
    name = "a [red]b[/] :cat: " + "c" * 100
    result = noughts("show", typed=f'{{"id":"{name}","n":3,"moves":[]}}')
    assert result.stdout.splitlines()[0].startswith(f"{name} · 3×3")


@pytest.mark.parametrize("character", ["\\u001b", "\\ud800", "\\n", "\\u0000", "\\u202e"])
def test_show_lets_no_id_reach_the_terminals_controls(character: str) -> None:
    done = process("show", typed=f'{{"id":"a{character}","n":3,"moves":[]}}'.encode())
    assert done.returncode == 0
    first = done.stdout.decode().splitlines()[0]
    assert re.match(r"'a\\\w+' · 3×3", first)


# play


@pytest.mark.parametrize(
    ("name", "arguments", "typed"),
    [
        ("win", [], "b2 a1 a2 c3 c2"),
        ("draw", ["3"], "b2 a1 c1 a3 a2 c2 b3 b1 c3"),
        ("two-lines", [], "a1 a2 b1 b2 c2 a3 c3 b3 c1"),
        ("undo", [], "undo 1,1 undo undo quit"),
        ("resign", [], "b2 resign"),
        ("resign-three", ["4x4", "--k", "3", "--players", "3"], "b2 a1 resign c3 q"),
        ("refused", [], "foo d1 0,3 -1,0 b2 B2 [b2] :cat: 2/b2 help ? exit"),
        ("cube", ["2x2x2"], "1/a1 b1 1,0,0 2/b2"),
        ("early-draw", ["2x3", "--k", "3", "--early-draw"], "a1 b1 b2 a2 c1"),
        ("one-row", ["1x5", "--k", "2"], "c1 0,0 d1"),
        ("one-side", ["1"], "a1"),
    ],
)
def test_play(name: str, arguments: list[str], typed: str) -> None:
    result = noughts("play", *arguments, typed=typed.replace(" ", "\n") + "\n")
    assert result.stdout == golden(f"play-{name}.txt", result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")


def test_play_ends_quietly_with_the_input() -> None:
    result = noughts("play", typed="b2\n")
    assert result.exit_code == 0
    assert result.stdout.endswith("\nO> \n")


def test_play_passes_over_blank_lines() -> None:
    result = noughts("play", typed="\n  \nb2\nquit\n")
    assert result.stdout.count("X> ") == 3
    assert result.stdout.endswith("O> quit\n")


@pytest.mark.parametrize("board", ["1001x1001", "1000001x1"])
def test_play_declines_a_board_too_large_to_draw(board: str) -> None:
    result = noughts("play", board, "--k", "3")
    assert result.exit_code == 2
    assert "board is too large to draw" in result.stderr


# perft


def table(result: Result) -> str:
    """What is printed, without the time it took."""
    assert result.exit_code == 0
    return re.sub(r"[\d.]+$(?<=\.\d\d\d)", "0.000", result.stdout, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("3x3", ["--positions"]),
        ("3x3-early", ["3", "--early-draw"]),
        ("15x15", ["15x15", "--k", "5", "--depth", "2"]),
        ("row-of-three", ["1x4", "--k", "2", "--players", "3", "--positions"]),
        ("cube", ["2x2x2"]),
    ],
)
def test_perft_prints_a_line_a_ply(name: str, arguments: list[str]) -> None:
    printed = table(noughts("perft", *arguments))
    assert printed == golden(f"perft-{name}.txt", printed)


def test_perft_counts_the_first_ply_of_any_board() -> None:
    printed = table(noughts("perft", "46340x46340", "--k", "5", "--depth", "1"))
    assert " 2,147,395,600 " in printed


@pytest.mark.parametrize("depth", ["0", "-1", "x"])
def test_perft_needs_a_depth_of_at_least_1(depth: str) -> None:
    assert noughts("perft", "--depth", depth).exit_code == 2


# Options of several commands


@pytest.mark.parametrize("arguments", [["play"], ["match", "easy", "easy"], ["solve"]])
@pytest.mark.parametrize("seconds", ["nan", "-1", "x"])
def test_seconds_are_a_number_of_at_least_0(arguments: list[str], seconds: str) -> None:
    result = noughts(*arguments, "--seconds", seconds)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Invalid value for '--seconds'" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "choices"),
    [
        (["play", "--level"], "'random', 'easy', 'medium', 'perfect'"),
        (["match", "easy"], "'random', 'easy', 'medium', 'perfect'"),
        (["play", "--opponent"], "'human', 'computer'"),
        (["play", "--first"], "'human', 'computer'"),
    ],
)
def test_a_choice_is_made_of_what_the_error_names(arguments: list[str], choices: str) -> None:
    result = noughts(*arguments, "EASY")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"'EASY' is not one of {choices}" in result.stderr


# Boards on the command line


@pytest.mark.parametrize("command", ["play", "perft"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["abc"], "'abc' is no board: write its sides as 3x3 or 15x15"),
        (["3x"], "'3x' is no board: write its sides as 3x3 or 15x15"),
        (["x"], "'x' is no board: write its sides as 3x3 or 15x15"),
        (["3,3"], "'3,3' is no board: write its sides as 3x3 or 15x15"),
        (["3x-3"], "'3x-3' is no board: write its sides as 3x3 or 15x15"),
        ([""], "'' is no board: write its sides as 3x3 or 15x15"),
        (["٣x٣"], "'٣x٣' is no board: write its sides as 3x3 or 15x15"),
        (["0x3"], "every side of the board must be at least 1, not 0"),
        (["3x4"], "the sides of a 3×4 board differ: say how many win (k)"),
        (["1x1x1x1x1x1x1x1x1"], "a board has 1 to 8 sides, not 9"),
        (["3", "--k", "4"], "k must be 1 to 3 on a 3×3 board, not 4"),
        (["3", "--k", "0"], "k must be 1 to 3 on a 3×3 board, not 0"),
        (["3", "--players", "1"], "players must be 2 to 8, not 1"),
        (["3", "--players", "9"], "players must be 2 to 8, not 9"),
    ],
)
def test_a_board_that_makes_no_sense_is_a_usage_error(
    command: str, arguments: list[str], message: str
) -> None:
    result = noughts(command, *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr


@pytest.mark.parametrize("board", ["4", "4x4", "4X4", "4×4"])
def test_a_square_board_may_be_written_in_several_ways(board: str) -> None:
    assert noughts("perft", board, "--depth", "1").stdout.startswith("4×4, 4 in a row, 2 players\n")


# Help


def unwrapped(shown: str) -> str:
    """The text on one line."""
    return " ".join(shown.split())


COMMANDS: dict[str, Any] = dict(application().commands)
PARAMETERS = [
    pytest.param(name, parameter, id=f"{name}-{parameter.name}")
    for name, command in COMMANDS.items()
    for parameter in command.params
]


def test_there_are_these_commands() -> None:
    expected = "serve export judge trace play match show perft solve"
    assert list(COMMANDS) == expected.split()
    assert re.findall(r"^  (\w+)  ", noughts("--help").stdout, re.M) == expected.split()


def test_version_prints_the_version_of_the_package() -> None:
    result = noughts("--version")
    assert (result.exit_code, result.stdout) == (0, f"noughts {version('noughts')}\n")


def test_without_a_command_there_is_help() -> None:
    assert unwrapped(noughts().output) == unwrapped(noughts("--help").output)


def test_the_help_names_every_command_with_a_sentence() -> None:
    shown = unwrapped(noughts("--help").stdout)
    for name, command in COMMANDS.items():
        assert f"{name} {command.help.splitlines()[0]}" in shown


@pytest.mark.parametrize("flag", ["--help", "-h"])
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, flag: str) -> None:
    result = noughts(name, flag)
    assert (result.exit_code, result.stderr) == (0, "")
    shown = unwrapped(result.stdout)
    assert shown.startswith(f"Usage: noughts {name} ")
    assert unwrapped(COMMANDS[name].help.splitlines()[0]) in shown


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_every_option_and_argument_has_a_sentence_of_help(name: str, parameter: Any) -> None:
    assert re.fullmatch(r"[A-Z].*\.", parameter.help, re.DOTALL)
    assert parameter.help.split()[0] in noughts(name, "--help").stdout


def test_an_unknown_command_or_option_exits_2() -> None:
    assert noughts("jugde").exit_code == 2
    assert noughts("judge", "--fast").exit_code == 2


# The page

PAGE = (ROOT / "docs" / "cli.md").read_text("utf-8")
SECTIONS = {
    section.partition("\n")[0].strip(): section for section in re.split(r"^## ", PAGE, flags=re.M)
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_section_on_the_page(name: str) -> None:
    assert f"`noughts {name}" in SECTIONS[name]


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_every_option_and_argument_is_on_the_page(name: str, parameter: Any) -> None:
    is_option = parameter.param_type_name == "option"
    for word in parameter.opts if is_option else [parameter.human_readable_name]:
        name_of_it = word.strip("[.]").partition("|")[0]  # FILE of [FILE|-]...
        assert re.search(rf"`[^`\n]*(?<![\w-]){name_of_it}(?![\w-])[^`\n]*`", SECTIONS[name])


@pytest.mark.parametrize("option", ["--version", "--help", "-h"])
def test_the_options_of_every_command_are_on_the_page(option: str) -> None:
    assert re.search(rf"`[^`]*(?<![\w-]){option}`", PAGE)


def test_verdicts_on_the_examples_stay_in_the_order_of_the_file() -> None:
    with GAMES.open("rb") as file:
        ids = [getattr(record, "id", None) for record in read_records(file, "games")]
    assert re.findall(r'^{"id":"([^"]*)"', noughts("judge", GAMES).stdout, re.M) == ids


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_stream_that_was_closed_from_the_start_is_no_traceback(closed: str) -> None:
    command = f"{NOUGHTS} judge examples/games.jsonl {closed}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)


def test_positions_are_counted_of_whole_games_only() -> None:
    result = noughts("perft", "--positions", "--depth", "3")
    assert result.exit_code == 2
    assert "leave --depth out" in result.output


def test_trace_ends_a_game_where_its_rules_end_it(tmp_path: Path) -> None:
    moves = [[0, 0], [1, 0], [2, 1], [2, 2], [1, 2], [0, 1], [2, 0]]  # nobody can win after six
    record = {"shape": [3, 3], "k": 3, "early_draw": True, "moves": moves}
    path = tmp_path / "early.jsonl"
    path.write_text(json.dumps(record))
    result = noughts("trace", str(path))
    assert result.exit_code == 1
    assert "7. refused, and nothing changes: the game is over: it is a draw" in result.output
