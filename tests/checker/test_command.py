"""Programs that read call lists."""

import sys
from pathlib import Path

import pytest

from checker.solutions import ANSWERS, RIGHT, TOGETHER, WON
from noughts.checker.languages.command import Command
from noughts.checker.solution import Failed

PROGRAM = (
    RIGHT
    + """
import json, sys
for line in sys.stdin:
    (n,), *moves = json.loads(next(sys.stdin))
    game = TicTacToe(n)
    print(json.dumps([None, *[game.move(*move) for move in moves]]), flush=FLUSH)
"""
)

pytestmark = pytest.mark.tier2("process")


@pytest.mark.parametrize("flush", ["True", "False"])
def test_command_reads_call_lists(tmp_path: Path, flush: str) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.replace("FLUSH", flush))
    solution = Command(f"{sys.executable} {path}")
    played = solution.play([WON, *TOGETHER, *[WON] * 3000])
    assert [one.answers for one in played] == [ANSWERS, ("0", "0"), ("2",), *[ANSWERS] * 3000]


def test_command_finds_program_in_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "program"
    path.write_text(
        "#!/bin/sh\nwhile read names; do read moves; echo '[null,true,\"1\",null,1.0,1]'; done"
    )
    path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert Command("./program").play([WON])[0].answers == ("true", "'1'", "null", "1.0", "1")


@pytest.mark.parametrize(
    ("script", "verdict", "message"),
    [
        (
            "echo hello",
            "unusable",
            "it answered 'hello', expected a line such as [null, 0, 0, 0, 0, 0]",
        ),
        ("echo '[null, 0]'", "unusable", "it answered '[null, 0]', expected a line such as"),
        ("true", "crashed", "it exited with code 0 before answering"),
        ("kill -9 $$", "crashed", "it was killed by signal 9 before answering"),
    ],
)
def test_command_reports_other_behaviour(script: str, verdict: str, message: str) -> None:
    with pytest.raises(Failed) as caught:
        Command(f'sh -c "{script}"').play([WON])
    assert caught.value.verdict == verdict
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("line", ["", "./nowhere", "nowhere --now", "sh '"])
def test_command_must_exist(line: str) -> None:
    with pytest.raises(Failed):
        Command(line)
