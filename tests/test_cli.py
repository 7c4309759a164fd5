"""The commands as people and shells meet them: what they print, where, and how they end."""

from __future__ import annotations

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
    with GAMES.open("rb") as file:
        ids = [getattr(record, "id", None) for record in read_records(file, "games")]
    assert re.findall(r'^{"id":"([^"]*)"', result.stdout, re.M) == ids


def test_judge_as_a_process_gives_the_same() -> None:
    done = process("judge", "examples/games.jsonl", cwd=ROOT)
    assert done.stdout.decode() == golden("judge-games.stdout.txt", done.stdout.decode())
    assert done.stderr.decode() == golden("judge-games.stderr.txt", done.stderr.decode())
    assert done.returncode == 1


ANSWERS = "[null,0,0,0,0,0,0,1]\n"
REFUSED_CALL = '[null,{"code":"unknown_player","message":"player 7 is unknown: expected 1 or 2"}]\n'
NO_JSON = (
    'standard input:2: expected an object such as {"n": 3, "moves": [[0, 0]]}; '
    "this is not JSON: expecting value at column 1\n"
)


@pytest.mark.parametrize(
    ("files", "typed", "code", "stdout", "stderr"),
    [
        ([CALLS], "", 0, ANSWERS, "1 game: 1 answered\n"),
        ([], GOOD, 0, GOOD_VERDICT, "1 game: 1 pending\n"),
        (["-"], GOOD, 0, GOOD_VERDICT, "1 game: 1 pending\n"),
        ([CALLS, "-", CALLS], GOOD, 0, ANSWERS + GOOD_VERDICT + ANSWERS,
         "3 games: 2 answered, 1 pending\n"),
        ([], ILLEGAL + GOOD, 1, ILLEGAL_VERDICT + GOOD_VERDICT, "2 games: 1 illegal, 1 pending\n"),
        ([], f"{GOOD}oops\n{GOOD}", 1, GOOD_VERDICT * 2,
         f"{NO_JSON}2 games: 2 pending\n1 line could not be read\n"),
        ([], '["TicTacToe","move"]\n[[2],[0,0,7]]\n', 1, REFUSED_CALL, "1 game: 1 illegal\n"),
        ([CALLS, "missing", CALLS], "", 2, ANSWERS * 2,
         "noughts: missing: No such file or directory\n2 games: 2 answered\n"),
        ([ROOT, CALLS], "", 2, ANSWERS, f"noughts: {ROOT}: Is a directory\n1 game: 1 answered\n"),
    ],
    ids=["the issue's", "standard input", "-", "among files", "illegal", "unreadable",
         "refused call", "missing file", "directory"],
)  # fmt: skip
def test_judge_goes_through_its_sources(
    files: list[str | Path], typed: str, code: int, stdout: str, stderr: str
) -> None:
    result = noughts("judge", *files, typed=typed)
    assert (result.exit_code, result.stdout, result.stderr) == (code, stdout, stderr)


def test_judge_counts_unreadable_lines() -> None:
    result = noughts("judge", typed="oops\n" * 1234)
    assert result.stderr.endswith("\n0 games\n1,234 lines could not be read\n")


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


@pytest.mark.parametrize(
    ("arguments", "typed", "columns", "code", "expected"),
    [
        (["show", GAMES, "--id", "diagonal"], "", 80, 0, r"\x1b\[1;36mX\x1b\[0m"),
        (["show", GAMES, "--id", "diagonal"], "", 80, 0, r"\x1b\[1;31mO\x1b\[0m"),
        (["play", "26x26"], "", 80, 2, "26×26 board is 81 columns wide, and this terminal has 80"),
        (["play", "26x26"], "quit\n", 81, 0, "26×26, 26 in a row wins"),
        (["play"], "b2\na1\na2\nc3\nc2\n", 80, 0, r"X wins with A2 B2 C2\."),
        (["play"], "\x04", 80, 0, r"> \r\n\Z"),
    ],
    ids=["X in colour", "O in colour", "too wide", "wide", "a game", "the end of the input"],
)
def test_boards_on_a_terminal(
    arguments: list[str | Path], typed: str, columns: int, code: int, expected: str
) -> None:
    ended, shown = on_terminal(*arguments, typed=typed, columns=columns)
    assert ended == code
    assert re.search(expected, shown)


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


EARLY = (  # nobody can win after six moves
    '{"shape":[3,3],"k":3,"early_draw":true,"moves":[[0,0],[1,0],[2,1],[2,2],[1,2],[0,1],[2,0]]}'
)


@pytest.mark.parametrize(
    ("arguments", "typed", "refused"),
    [
        ([GAMES, "--id", "taken-cell"], "", (3, "cell (0, 0) is already taken")),
        ([], EARLY, (7, "the game is over: it is a draw")),
    ],
)
def test_trace_ends_with_1_at_a_refused_move(
    arguments: list[str | Path], typed: str, refused: tuple[int, str]
) -> None:
    result = noughts("trace", *arguments, typed=typed)
    ply, reason = refused
    assert result.exit_code == 1
    assert result.stdout.endswith(f"\n\n{ply}. refused, and nothing changes: {reason}\n")


def test_trace_of_a_call_list_goes_on_after_a_refused_call() -> None:
    calls = '["TicTacToe","move","move","move"]\n[[2],[0,0,2],[0,0,1],[1,1,2]]\n'
    result = noughts("trace", typed=calls)
    assert result.stdout == golden("trace-refused-call.txt", result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")


# Picking a game


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


# What is refused

CLASSIC = "trace follows the classic game, n in a row on an n×n board between two players, not "


@pytest.mark.parametrize(
    ("arguments", "typed", "message"),
    [
        (["trace", GAMES, "--id", "nobody"], "", f"no game with the id 'nobody' in {GAMES}"),
        (["show", GAMES, "--id", "nobody"], "", f"no game with the id 'nobody' in {GAMES}"),
        (["trace"], '{"n":40000,"moves":[]}', "a 40000×40000 board is too large to draw"),
        (["show"], '{"n":1001,"moves":[]}', "a 1001×1001 board is too large to draw"),
        (["show", "--svg"], '{"n":1001,"moves":[]}', "a 1001×1001 board is too large to draw"),
        (["show", CALLS], "",
         "show needs a game in JSON Lines; noughts trace follows a call list"),
        (["trace", GAMES, "--id", "gomoku"], "", f"{CLASSIC}15×15 with k = 5 and 2 players"),
        (["trace", GAMES, "--id", "cube"], "", f"{CLASSIC}4×4×4 with k = 4 and 2 players"),
        (["trace", GAMES, "--id", "five-by-six"], "", f"{CLASSIC}6×5 with k = 4 and 2 players"),
        (["trace", GAMES, "--id", "three-players"], "", f"{CLASSIC}6×6 with k = 3 and 3 players"),
        (["trace"], '{"n":3,"players":3,"moves":[]}', f"{CLASSIC}3×3 with k = 3 and 3 players"),
        (["trace"], '{"n":4,"k":3,"moves":[]}', f"{CLASSIC}4×4 with k = 3 and 2 players"),
        (["trace"], '{"shape":[3],"moves":[]}', f"{CLASSIC}1×3 with k = 3 and 2 players"),
    ],
)  # fmt: skip
def test_a_game_that_a_command_cannot_take_is_one_line_and_2(
    arguments: list[str | Path], typed: str, message: str
) -> None:
    result = noughts(*arguments, typed=typed)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"noughts: {message}\n"


NO_BOARD = "is no board: write its sides as 3x3 or 15x15"
LEVELS = "is not one of 'random', 'easy', 'medium', 'perfect'"


@pytest.mark.parametrize(
    ("commands", "arguments", "message"),
    [
        *(
            (["play", "perft"], arguments, message)
            for arguments, message in [
                *(([board], f"'{board}' {NO_BOARD}")
                  for board in ("abc", "3x", "x", "3,3", "3x-3", "", "٣x٣")),
                (["0x3"], "every side of the board must be at least 1, not 0"),
                (["3x4"], "the sides of a 3×4 board differ: say how many win (k)"),
                (["1x1x1x1x1x1x1x1x1"], "a board has 1 to 8 sides, not 9"),
                (["3", "--k", "4"], "k must be 1 to 3 on a 3×3 board, not 4"),
                (["3", "--k", "0"], "k must be 1 to 3 on a 3×3 board, not 0"),
                (["3", "--players", "1"], "players must be 2 to 8, not 1"),
                (["3", "--players", "9"], "players must be 2 to 8, not 9"),
            ]
        ),
        *(
            (["play", "match easy easy", "solve"], ["--seconds", seconds],
             "Invalid value for '--seconds'")
            for seconds in ("nan", "-1", "x")
        ),
        (["play"], ["1001x1001", "--k", "3"], "board is too large to draw"),
        (["play"], ["1000001x1", "--k", "3"], "board is too large to draw"),
        (["play"], ["--level", "EASY"], f"'EASY' {LEVELS}"),
        (["match"], ["easy", "EASY"], f"'EASY' {LEVELS}"),
        (["play"], ["--opponent", "EASY"], "'EASY' is not one of 'human', 'computer'"),
        (["play"], ["--first", "EASY"], "'EASY' is not one of 'human', 'computer'"),
        (["trace"], ["--referee", "guess"], "'guess' is not one of 'scan', 'tallies', 'signed'"),
        (["show"], ["--ply", "-1"], "Invalid value for '--ply'"),
        *((["perft"], ["--depth", depth], "Invalid value for '--depth'")
          for depth in ("0", "-1", "x")),
        (["perft"], ["--positions", "--depth", "3"], "leave --depth out"),
        (["jugde"], [], "No such command 'jugde'"),
        (["judge"], ["--fast"], "No such option"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_a_usage_error(
    commands: list[str], arguments: list[str], message: str
) -> None:
    for command in commands:
        result = noughts(*command.split(), *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr


# Boards on the command line


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


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_stream_that_was_closed_from_the_start_is_no_traceback(closed: str) -> None:
    command = f"{NOUGHTS} judge examples/games.jsonl {closed}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
