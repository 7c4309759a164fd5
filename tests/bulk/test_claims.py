"""Results that records claim, compared with the board."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from commands import noughts
from noughts import Rules
from noughts.bulk import judge_batch, judge_record
from noughts.game.geometry import geometry_of
from noughts.records import Record
from records.reading import only, problem

WON = ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
DRAWN = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0), (2, 2))
# Black makes a double-three at (7, 7).
FOUL = ((7, 8), (0, 0), (7, 9), (0, 2), (8, 7), (0, 4), (9, 7), (0, 6), (7, 7))
CLASSIC, RENJU = Rules(), Rules.gomoku("renju")
GAMES = [
    (CLASSIC, WON, (2, 1, 2)),
    (CLASSIC, DRAWN, (1, 2, 2)),
    (CLASSIC, WON[:4], (3, 3, 3)),
    (CLASSIC, (), (3, 3, 3)),
    (CLASSIC, ((0, 0), (0, 0)), (3, 3, 3)),
    (CLASSIC, (*WON, (2, 2)), (2, 1, 2)),
    (CLASSIC, (*DRAWN, (2, 2)), (1, 2, 2)),
    (Rules(variant="misere"), WON, (2, 2, 1)),
    (RENJU, FOUL, (2, 2, 1)),
    (RENJU, (*FOUL, (9, 9)), (3, 3, 3)),
]  # indices into `CLAIMS` if the record claims a draw, a win of player 1 and a win of player 2
WORDS = (None, "confirmed", "contradicted", "undecided")
RECORDS = [
    (Record(rules, moves, result=result), WORDS[claim])
    for rules, moves, claims in GAMES
    for result, claim in enumerate(claims)
] + [(Record(rules, moves), None) for rules, moves, _ in GAMES]


@pytest.mark.parametrize("compiled", [True, False])
def test_judge_record_checks_claims(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not compiled:
        monkeypatch.setattr("noughts.bulk.verdict.load", lambda _: None)
    assert [judge_record(record).claim for record, _ in RECORDS] == [claim for _, claim in RECORDS]


def batch() -> pa.RecordBatch:
    rows = [
        {
            "shape": record.rules.shape,
            "k": record.rules.k,
            "variant": record.rules.variant,
            "moves": list(map(geometry_of(record.rules).number, record.moves)),
            "result": record.result,
        }
        for record, _ in RECORDS
    ]
    return pa.RecordBatch.from_pylist(rows)


def test_judge_batch_checks_claims() -> None:
    assert judge_batch(batch())["claim"].to_pylist() == [claim for _, claim in RECORDS]


def test_result_survives_a_round_trip() -> None:
    for record, _ in RECORDS:
        assert only(record.to_json()) == record
    message = "games.jsonl:1: result must be 1 to 2, or 0 for a draw, got 3"
    assert str(only('{"n":3,"moves":[],"result":3}')) == message
    assert problem(only('{"n":3,"moves":[],"result":[1]}'))[2].startswith("result must be an int")


@pytest.mark.parametrize("result", [3, -1, 2**40])
def test_result_of_no_player_makes_row_unreadable(result: int) -> None:
    games = pa.record_batch({"n": [3, 3], "moves": [[0], [1]], "result": [result, None]})
    bad, good = judge_batch(games).to_pylist()
    assert bad["message"] == "result must be 1 to 2, or 0 for a draw"
    assert (bad["status"], good["status"], good["claim"]) == (None, "pending", None)


@pytest.mark.parametrize("kind", ["jsonl", "odd.jsonl", "parquet"])
def test_judge_command_reports_claims(kind: str, tmp_path: Path) -> None:
    games, verdicts = tmp_path / f"games.{kind}", tmp_path / f"verdicts.{kind}"
    odd = '"key":null,' if "odd" in kind else ""
    if kind == "parquet":
        pq.write_table(pa.Table.from_batches([batch()]), games)
    else:
        lines = ["{" + odd + record.to_json()[1:] + "\n" for record, _ in RECORDS]
        games.write_text("".join(lines))
    result = noughts("judge", games, "--out", verdicts)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[1] == "claims: 6 confirmed, 12 contradicted, 12 undecided"
    if kind == "parquet":
        found = pq.read_table(verdicts)["claim"].to_pylist()
    else:
        found = [json.loads(line).get("claim") for line in verdicts.read_text().splitlines()]
    assert found == [claim for _, claim in RECORDS]


def test_contradicted_claim_exits_1() -> None:
    won = Record(CLASSIC, WON, result=1)
    assert noughts("judge", typed=won.to_json()).exit_code == 0
    lost = Record(CLASSIC, WON, result=2)
    assert noughts("judge", typed=lost.to_json()).exit_code == 1
