"""The command `noughts judge`: JSON Lines judged in blocks and line by line."""

from __future__ import annotations

import gc
import json
import subprocess
from collections.abc import Iterator
from random import Random

import pytest

from bulk.batching import GOOD, run
from commands import NOUGHTS, SECONDS, started
from noughts.bulk import chunks, json_blocks
from noughts.records import lines

pytestmark = pytest.mark.compiled("noughts.bulk._judge")


LINES = [
    GOOD,
    GOOD[:-1] + b"\r\n",
    b'{"n":3,"moves":[[0,0],[0,0]]}\n',
    b'{"id":7,"shape":[3,4],"k":3,"moves":[[9,9]]}\n',
    b'{"id":null,"n":2,"moves":[]}\n',
    b'{"n":null,"shape":[3,3],"moves":[]}\n',
    b'{"n":3,"players":null,"moves":[]}\n',
    b'{"n":3,"moves":null}\n',
    b'{"n":3}\n',
    b'{"n":3,"moves":[[0]]}\n',
    b'{"n":3.0,"moves":[]}\n',
    b'{"n":0,"moves":[]}\n',
    b'{"n":3,"moves":[],"x":' + b"[" * 5000 + b"]" * 5000 + b"}\n",
    b'{"n":3,"moves":[],"x":' + b"1" * 5000 + b"}\n",
    b'{"n":3,"moves":[],"x":"' + b"1" * 5000 + b'"}\n',
    b'{"n":3,"moves":[],"n":4}\n',
    b'{"n":3,"moves":[]} {"n":3,"moves":[]}\n',
    '{"id":"é","n":3,"moves":[]}\n'.encode(),
    b"\xff\n",
    b"oops\n",
    b"\n",
    b" \r\n",
    b"[]\n",
    b'["TicTacToe","move"]\n',
    b' ["TicTacToe","move"]\n',
    b"[[2],[0,0,1]]\n",
    b'["TicTacToe"]\n\n[[2]]\n',
]


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Collect garbage first: finalisers would fail while a deeply nested line is read."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def slowly(data: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, str]:
    with monkeypatch.context() as patch:
        patch.setattr(chunks, "bulk_module", lambda _: None)
        result = run(typed=data)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("seed", range(40))
def test_output_does_not_depend_on_blocks(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    data = b"".join(random.choices(LINES, [30] + [1] * (len(LINES) - 1), k=random.randint(0, 60)))
    data = random.choice([b"", b"", b"\xef\xbb\xbf"]) + random.choice([data, data[:-1]])
    wanted = slowly(data, monkeypatch)
    if seed:  # starting processes takes twenty times as long as judging
        monkeypatch.setattr(chunks, "FEW", len(data) + 1)
    for block in (1, 7, 100, 1000, 1 << 22) if seed else (7,):
        monkeypatch.setattr(chunks, "BLOCK", block)
        result = run(typed=data)
        assert (result.exit_code, result.stdout, result.stderr) == wanted


@pytest.mark.parametrize("start", [b"", GOOD])
@pytest.mark.parametrize("more", [-1, 0, 1, 2, 500])
@pytest.mark.parametrize("end", [b"", b"\n", b"\n" + GOOD])
def test_long_lines_are_judged_alike_in_all_blocks(
    start: bytes, more: int, end: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (lines, json_blocks, chunks):
        monkeypatch.setattr(module, "MAX_LINE", 2000)
    data = start + b'{"n":3,"moves":[]' + b" " * (2000 + more - 18) + b"}" + end
    wanted = slowly(data, monkeypatch)
    for block in (50, 2000, 10_000):
        monkeypatch.setattr(chunks, "BLOCK", block)
        result = run(typed=data)
        assert (result.exit_code, result.stdout, result.stderr) == wanted


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_errors_name_their_line(bom: bytes) -> None:
    result = run(typed=bom + GOOD * 100 + b"oops\n" + GOOD * 100 + b"oops")
    places = [line.split(": ")[0] for line in result.stderr.splitlines() if "JSON" in line]
    assert places == ["standard input:101", "standard input:202"]


def test_open_pipe_is_answered_at_once() -> None:
    with started(NOUGHTS, "judge", "/dev/stdin", stdin=subprocess.PIPE) as running:
        assert running.stdin is not None
        running.stdin.write(b"{}\n")
        running.stdin.flush()
        assert running.stderr is not None
        assert running.stderr.readline().startswith(b"/dev/stdin:1: moves must be a list")
        running.stdin.close()
        assert running.wait(SECONDS) == 1


def test_dash_as_out_is_standard_output() -> None:
    assert json.loads(run("--out", "-", typed=GOOD).stdout)["status"] == "won"
