"""The command `noughts prove`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import Result

from commands import noughts, process

pytestmark = pytest.mark.compiled("noughts.opponent.exact._breaker")


def run(*arguments: str | Path) -> Result:
    return noughts("prove", *arguments)


@pytest.mark.parametrize(
    ("arguments", "game", "result"),
    [
        (["--rules", "7x6,k=5"], "7×6, 5 in a row", "draw"),
        (["--rules", "4x3,k=3"], "4×3, 3 in a row", "player 1 wins"),
        (["--moves", "B1 A2 b2"], "3×3, 3 in a row, after B1 A2 B2", "player 1 wins"),
        (["--moves", "A1 2,2 C1 B1 A3 C2"], "3×3, 3 in a row, after A1 C3 C1 B1 A3 C2", "player 1"),
    ],
)
def test_prove_writes_and_checks_a_proof(
    tmp_path: Path, arguments: list[str], game: str, result: str
) -> None:
    file = tmp_path / "proof.jsonl"
    for done in [run(*arguments, "--out", file), run("--check", file)]:
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.startswith(f"{game}\n\nproved   {result}")
        assert f"\nlines    {len(file.read_text().splitlines()):,}\nseconds  " in done.stdout


def test_check_rejects_a_wrong_proof(tmp_path: Path) -> None:
    file = tmp_path / "proof.jsonl"
    assert run("--rules", "5x4,k=4", "--out", file).exit_code == 0
    lines = file.read_text().splitlines()
    at = next(at for at, line in enumerate(lines) if "pairs" in line)
    lines[at] = '{"pairs":"A1 A1"}'
    file.write_text("\n".join(lines))
    done = run("--check", file)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"noughts: {file}:{at + 1}: the pair A1 A1 repeats a cell\n"


def test_prove_without_a_result_writes_no_file(tmp_path: Path) -> None:
    done = run("--rules", "8x8,k=5", "--seconds", "0", "--out", tmp_path / "proof.jsonl")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "noughts: no proof found within the limits of time and memory\n"
    large = run("--rules", "9x9", "--seconds", "0", "--out", tmp_path / "proof.jsonl")
    assert large.stderr == f"{done.stderr.strip()}; on more than 64 cells only wins can be proved\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", ["--rules=3x3", "--moves=", "--seconds=1"])
def test_check_rejects_options_for_a_new_proof(tmp_path: Path, option: str) -> None:
    file = tmp_path / "proof.jsonl"
    file.touch()
    done = run("--check", file, option)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"{option.split('=')[0]} is for a new proof" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "--out proof.jsonl --check proof.jsonl",
        "--rules renju --out proof.jsonl",
        "--moves A1,A2 --out proof.jsonl",
        "--moves Z9 --out proof.jsonl",
        "--rules 1x1 --moves A1 --out proof.jsonl",
    ],
)
def test_prove_rejects_invalid_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert not list(tmp_path.iterdir())


def test_check_reports_a_missing_file(tmp_path: Path) -> None:
    done = process("prove", "--check", "missing.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"missing.jsonl" in done.stderr
