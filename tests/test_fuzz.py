"""The fuzzer: a first round of every target, and its behaviour when it finds an error."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import strategies as st

from fuzz import Check
from fuzz.running import TARGETS, fuzz

TESTS = Path(__file__).parent


@pytest.mark.tier2("long")
@pytest.mark.usefixtures("unmeasured")
@pytest.mark.compiled(
    "noughts.game._board",
    "noughts.opponent.exact._columns",
    "noughts.bulk._judge",
    "noughts.opponent.exact._solver",
    "noughts.referee._tictactoe",
)
@pytest.mark.parametrize("name", sorted(TARGETS))
def test_fuzz_finds_nothing_in_a_first_round(name: str, tmp_path: Path) -> None:
    assert fuzz(name, seed=0, seconds=0, last=tmp_path / "last") == 200


def test_fuzz_shows_the_simplest_example(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextmanager
    def checking() -> Iterator[Check]:
        def check(number: int) -> None:
            assert number < 1000

        yield check

    monkeypatch.setitem(TARGETS, "numbers", (st.integers(), checking))
    with pytest.raises(AssertionError):
        fuzz("numbers", seed=0, seconds=60, last=tmp_path / "last")
    assert (tmp_path / "last").read_text() == "1000"


def test_fuzz_repeats_examples_of_a_seed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[list[int]] = []

    @contextmanager
    def checking() -> Iterator[Check]:
        seen.append([])
        yield seen[-1].append

    monkeypatch.setitem(TARGETS, "numbers", (st.integers(), checking))
    for seed in (7, 7, 8):
        fuzz("numbers", seed=seed, seconds=0)
    assert seen[0] == seen[1] != seen[2]


@pytest.mark.tier2("long")
@pytest.mark.usefixtures("unmeasured")
def test_fuzz_command_prints_the_number_of_examples(tmp_path: Path) -> None:
    path = os.environ.get("PYTHONPATH", "")
    command = [sys.executable, "-m", "fuzz", "compiled", "--seconds=0", "--seed=3"]
    ended = subprocess.run(
        command,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS), path])},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, "compiled: 200 examples, no errors\n"), ended
    assert not list(tmp_path.glob("fuzz-*"))
