"""The command `noughts judge`: verdicts, inputs and outputs."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import Any

import pytest

from commands import (
    CALLS,
    GAMES,
    GOOD,
    GOOD_VERDICT,
    ILLEGAL,
    ILLEGAL_VERDICT,
    ROOT,
    noughts,
    process,
)
from golden import golden
from noughts.bulk.chunks import split
from noughts.records import read_records
from noughts.records.formats import Reading

pytestmark = pytest.mark.usefixtures("plain_terminal")


# Verdicts


def test_judge_prints_a_verdict_per_example() -> None:
    result = noughts("judge", GAMES)
    assert result.stdout == golden("judge-games.stdout.txt", result.stdout)
    assert result.stderr == golden("judge-games.stderr.txt", result.stderr)
    assert result.exit_code == 1
    with GAMES.open("rb") as file:
        ids = [getattr(record, "id", None) for record in read_records(file, "games")]
    assert re.findall(r'^{"id":"([^"]*)"', result.stdout, re.M) == ids


def test_judge_as_a_process_prints_the_same() -> None:
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
    ids=["call list", "standard input", "-", "among files", "illegal", "unreadable",
         "refused call", "missing file", "directory"],
)  # fmt: skip
def test_judge_reads_all_its_sources(
    files: list[str | Path], typed: str, code: int, stdout: str, stderr: str
) -> None:
    result = noughts("judge", *files, typed=typed)
    assert (result.exit_code, result.stdout, result.stderr) == (code, stdout, stderr)


def test_judge_counts_unreadable_lines() -> None:
    result = noughts("judge", typed="{oops}\n" * 1234)
    assert result.stderr.endswith("\n0 games\n1,234 lines could not be read\n")


def test_judge_exits_1_for_an_empty_file() -> None:
    result = noughts("judge", typed="")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("standard input: no record: the file is empty\n0 games\n")


@pytest.mark.parametrize("name", ["games.psq", "games.sgf", "games.pos", "games.parquet", "games"])
@pytest.mark.parametrize("command", ["judge", "trace"])
def test_empty_file_is_reported_whatever_its_name(command: str, name: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    result = noughts(command, tmp_path / name)
    assert result.exit_code == {"judge": 1, "trace": 2}[command]
    assert f"{tmp_path / name}: no record: the file is empty\n" in result.stderr


def test_judge_ends_at_the_first_ctrl_d() -> None:
    """Check that `split` does not read again, which would wait for another Ctrl-D."""
    ends = iter([b"", b"more"])
    chunk = next(split(BufferedReader(Typed(ends)), "standard input", Reading()))
    assert chunk.data is None


class Typed(RawIOBase):
    """Terminal input: each read returns the next part; an empty part stands for Ctrl-D."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = next(self._parts)
        buffer[: len(part)] = part
        return len(part)


def test_judge_survives_malformed_lines(tmp_path: Path) -> None:
    bad = [b"\xff\xfe", b"x" * 10_000_000, b"[" * 100_000, b'["TicTacToe"]', b"", b"{}"]
    (tmp_path / "mixed").write_bytes(b"\n".join([GOOD.encode() + line for line in bad]))
    result = noughts("judge", tmp_path / "mixed")
    assert (result.exit_code, result.stdout) == (1, GOOD_VERDICT * 6)
    assert result.stderr.endswith("6 games: 6 pending\n5 lines could not be read\n")


def test_judge_survives_huge_boards() -> None:
    huge = "9" * 4300
    lines = f'["TicTacToe"]\n[[{huge}]]\n{{"shape":[{huge},{huge}],"k":3,"moves":[]}}\n{GOOD}'
    result = noughts("judge", typed=lines)
    assert result.exit_code == 1
    assert result.stdout.endswith(GOOD_VERDICT)
    assert result.stderr.startswith("standard input:2: n must be 1 to 1,000,000 in a call list")


def test_judge_prints_the_rate_of_many_games() -> None:
    result = noughts("judge", typed=GOOD * 1000)
    assert re.fullmatch(r"1,000 games \([\d,]+ per second\): 1,000 pending\n", result.stderr)


def test_judge_prints_errors_in_order_with_verdicts() -> None:
    done = process("judge", typed=f"{GOOD}oops\n{GOOD}".encode(), stderr=subprocess.STDOUT)
    kinds = [line[:16] for line in done.stdout.decode().splitlines()]
    assert kinds[:3] == ['{"id":"good","st', "standard input:2", '{"id":"good","st']


# Files


def test_judge_exits_2_even_if_a_game_is_illegal(tmp_path: Path) -> None:
    assert noughts("judge", "-", tmp_path, typed=ILLEGAL).exit_code == 2


@pytest.mark.parametrize("option", ["--out", "-o"])
def test_judge_writes_verdicts_to_a_file(tmp_path: Path, option: str) -> None:
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
def test_unwritable_output_exits_2(tmp_path: Path, command: str) -> None:
    for out, reason in [(tmp_path, "Is a directory"), (tmp_path / "a/b", "No such file")]:
        done = process(command, GAMES, "--out", out)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.decode().startswith(f"noughts: {out}: {reason}")
