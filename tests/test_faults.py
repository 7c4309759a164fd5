"""script/lab faults: its checker finds every bug, its test bed runs, and a short run passes."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lab.faults.__main__ import faults
from lab.faults.check import RECOVERY, check
from lab.faults.history import Record, read
from lab.faults.hosts import obstacle

ROOT = Path(__file__).parent.parent
SHORT = ["--seconds=6", "--seed=3", "--only=server_killed", "--only=server_cut_from_database"]


@pytest.mark.tier2("process")
@pytest.mark.usefixtures("unmeasured")
def test_faults_passes_a_short_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing := obstacle():
        pytest.skip(missing)  # only root can create the test bed, and only on Linux
    file = tmp_path / "history.jsonl"
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    done = CliRunner().invoke(faults, [*SHORT, f"--history={file}"])
    assert done.output.endswith("no errors\n")
    assert done.exit_code == 0
    assert {"fault", "healed", "log", "shown", "read"} <= {each["what"] for each in read(file)}


# A correct history with one record per second, and changes that make it wrong.


def asked(number: int, what: str, **body: Any) -> Record:
    path = "/api/games" + (f"/G/{what}" if what else "")
    return {
        "what": "asked",
        "request": number,
        "player": "Ada",
        "server": "http://one",
        "path": path,
        "body": {"key": f"key {number}", **body},
    }


def answered(number: int, status: int, **body: Any) -> Record:
    return {
        "what": "answered",
        "request": number,
        "status": status,
        "retry": "1" if status == 503 else None,
        "body": body,
    }


def event(seq: int, kind: str, seat: int, key: str, cell: int | None = None) -> Record:
    return {"seq": seq, "kind": kind, "seat": seat, "key": key, "cell": cell, "ply": None}


def shown(seq: int, kind: str, seat: int, cell: list[int] | None, ply: int, status: str) -> Record:
    data = {"seq": seq, "kind": kind, "seat": seat, "cell": cell, "ply": ply, "status": status}
    return {"what": "shown", "stream": 1, "game": "G", "id": seq, "kind": kind, "data": data}


def seen(seq: int, moves: list[list[int]], since: float) -> Record:
    state = {"seq": seq, "moves": moves, "status": "playing"}
    return {"what": "read", "game": "G", "asked": since, "server": "http://one", "state": state}


MADE = {"rules": "3x3", "opponent": "friend", "seconds": None}
RIGHT: list[Record] = [
    asked(1, "", n=3),
    answered(1, 201, id="G"),
    {"what": "watched", "stream": 1, "game": "G", "after": 0},
    asked(2, "join"),
    answered(2, 200, id="G"),  # 4
    shown(1, "joined", 2, None, 0, "playing"),
    asked(3, "moves", cell=[1, 1], seq=1),
    answered(3, 503),  # 7
    asked(3, "moves", cell=[1, 1], seq=1),
    answered(3, 200, seq=2),  # 9
    shown(2, "move", 1, [1, 1], 1, "playing"),  # 10
    {"what": "fault", "name": "some"},
    {"what": "healed", "name": "some"},
    asked(4, "moves", cell=[1, 1], seq=2),
    answered(4, 409),  # 14
    asked(5, "resign", seq=2),
    answered(5, 201, seq=3),  # 16
    shown(3, "resigned", 2, None, 1, "resigned"),  # 17
    {
        "what": "log",
        "game": "G",
        "made": MADE,
        "events": [
            event(1, "joined", 2, "key 2"),
            event(2, "move", 1, "key 3", cell=4),
            event(3, "resigned", 2, "key 5"),
        ],
    },
]


def history() -> list[Record]:
    """Return a copy of the correct history, with a time for each record."""
    return [{"at": float(at), **record} for at, record in enumerate(deepcopy(RIGHT))]


def test_check_accepts_a_correct_history() -> None:
    assert check(history()) == []


def log(records: list[Record]) -> list[Record]:
    events: list[Record] = records[-1]["events"]
    return events


WRONG: dict[str, Callable[[list[Record]], object]] = {
    "confirmed, but not in the log": lambda records: log(records).pop(),
    "not one game of the log": lambda records: records.pop(),
    "in the log 2 times": lambda records: log(records).append(event(4, "reaction", 2, "key 5")),
    "the log contains": lambda records: log(records)[1].update(cell=5),
    "in the log as 2": lambda records: records[9]["body"].update(seq=3),
    "confirmed, but also rejected": lambda records: records[7].update(status=409),
    "rejected, but in the log": lambda records: log(records)[2].update(key="key 4"),
    "no request explains": lambda records: log(records)[2].update(key="key 6"),
    "its outcome is unknown": lambda records: records[14].update(status=503, retry="1"),
    "answered 500": lambda records: records[7].update(status=500),
    "without Retry-After": lambda records: records[7].update(retry=None),
    "it is player 1's turn": lambda records: log(records)[1].update(seat=2),
    "has the seq 4": lambda records: log(records)[2].update(seq=4),
    "in a game that is resigned": lambda records: log(records).append(event(4, "draw", 1, "key 6")),
    "without a clock": lambda records: log(records)[2].update(kind="timeout"),
    "got event 2, expected 3": lambda records: records.insert(11, records[10]),
    "got event 3, expected 2": lambda records: records.pop(10),
    "wrong event 2": lambda records: records[10]["data"].update(cell=[0, 0]),
    "event 4 is not in the log": lambda records: records.insert(
        18, {"at": 17, **shown(4, "move", 2, [0, 0], 2, "playing")}
    ),
    "wrong state at seq 2": lambda records: records.append({"at": 10.5, **seen(2, [], 10.4)}),
    "seq 4 is not in the log": lambda records: records.append({"at": 20, **seen(4, [], 10)}),
    "sent when 2 was known, but shows 1": lambda records: records.append(
        {"at": 10.5, **seen(1, [], 9.5)}
    ),
    "request 3": lambda records: records[5].update(id=2, at=5.0),  # seen before it was sent
    "did not succeed again": lambda records: records[16].update(
        at=records[12]["at"] + RECOVERY + 1
    ),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_check_finds_every_error(sentence: str) -> None:
    records = history()
    WRONG[sentence](records)
    assert any(sentence in found for found in check(records)), check(records)
