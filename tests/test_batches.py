"""Judging in bulk says what judging one by one says, in every form that games come in."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import noughts.bulk.arrays
import noughts.cli.judge
import noughts.records.json_lines
from noughts import Game, InvalidRecord, Rules
from noughts.bulk import batches as bulk
from noughts.bulk import json_lines
from noughts.bulk import parquet as parquet_files
from noughts.bulk.arrays import judge, winning_lines
from noughts.bulk.batches import judge_batch, judged_batch
from noughts.bulk.json_lines import judge_json_block, write_json
from noughts.cli.app import application
from noughts.geometry import Geometry
from noughts.records import Record, judge_record
from test_cli import NOUGHTS, SECONDS, process, python, started

ALL_RULES = [
    Rules(),
    Rules.square(1),
    Rules((4, 4), 3),
    Rules((3, 3, 3)),
    Rules((5, 4), 3, players=3),
    Rules((2, 3), 3, early_draw=True),
    Rules((6,), 2),
]

pytestmark = pytest.mark.kernel("judge")


def random_record(random: Random, rules: Rules, id: Any) -> Record:
    """A game cut off anywhere or played on, perhaps with a bad move."""
    cells = [coordinates(number, rules) for number in range(rules.cells)]
    random.shuffle(cells)
    moves = cells[: random.randint(0, len(cells))]
    if moves and random.random() < 0.3:
        far = tuple(random.randint(-2, 7) for _ in rules.shape)
        moves[random.randrange(len(moves))] = random.choice([cells[-1], far])
    return Record(rules, tuple(moves), id)


def coordinates(number: int, rules: Rules) -> tuple[int, ...]:
    return Geometry(rules).cell(number)


@st.composite
def records(draw: st.DrawFn, ids: Any = None) -> list[Record]:
    random = draw(st.randoms(use_true_random=False))
    ids = ids or draw(st.sampled_from([st.none(), st.integers(-(2**63), 2**63 - 1), st.text()]))
    count = draw(st.integers(0, 12))
    rules = [random.choice(ALL_RULES)] * count
    for i in range(count):
        rules[i:] = [random.choice(ALL_RULES)] * (count - i) if random.random() < 0.4 else rules[i:]
    return [random_record(random, each, draw(ids | st.none())) for each in rules]


def numbered(record: Record) -> list[int]:
    """The moves as cell numbers; those off the board as numbers off the board."""
    rules = record.rules
    on_board = [
        all(0 <= at < side for at, side in zip(cell, rules.shape, strict=True))
        for cell in record.moves
    ]
    number = Geometry(rules).number
    return [number(c) if ok else -1 for c, ok in zip(record.moves, on_board, strict=True)]


def columns(games: list[Record], moves: Any, int_type: Any = None) -> dict[str, pa.Array]:
    int_type = int_type or pa.int64()
    ids: list[Any] = [game.id for game in games]
    id_type = pa.int64() if any(isinstance(id, int) for id in ids) else pa.string()
    return {
        "id": pa.array(ids, id_type),
        "shape": pa.array([list(game.rules.shape) for game in games], pa.list_(int_type)),
        "k": pa.array([game.rules.k for game in games], int_type),
        "players": pa.array([game.rules.players for game in games], int_type),
        "early_draw": pa.array([game.rules.early_draw for game in games], pa.bool_()),
        "moves": moves,
    }


def batch(games: list[Record], moves: Any, int_type: Any = None) -> pa.RecordBatch:
    return pa.record_batch(columns(games, moves, int_type))


def by_coordinates(games: list[Record], list_type: Any = pa.list_) -> pa.RecordBatch:
    kind = list_type(list_type(pa.int64()))
    return batch(games, pa.array([list(map(list, game.moves)) for game in games], kind))


def by_numbers(
    games: list[Record], list_type: Any = pa.list_, int_type: Any = None
) -> pa.RecordBatch:
    kind = list_type(int_type or pa.int64())
    return batch(games, pa.array(list(map(numbered, games)), kind), int_type)


def expected(games: list[Record], messages: bool = True) -> list[dict[str, Any]]:
    rows = []
    for game in games:
        verdict, number = judge_record(game), Geometry(game.rules).number
        lines = [[number(cell) for cell in line] for line in verdict.lines]
        row = {name: getattr(verdict, name) for name in ("id", *bulk.VERDICTS)} | {"lines": lines}
        rows.append(row if messages else row | {"message": None})
    return rows


def without_messages(verdicts: pa.RecordBatch) -> list[dict[str, Any]]:
    return [row | {"message": None} for row in verdicts.to_pylist()]


def verdicts_to_json(judged: bulk.Judged) -> str:
    file = BytesIO()
    write_json(judged, file)
    return file.getvalue().decode("ascii")


# --- batches --------------------------------------------------------------------------------------


@given(records(), st.sampled_from([pa.list_, pa.large_list]), st.integers(0, 5))
def test_verdicts_are_those_on_the_records(games: list[Record], list_type: Any, cut: int) -> None:
    verdicts = judge_batch(by_coordinates(games, list_type))
    assert verdicts.to_pylist() == expected(games)
    assert verdicts.schema.names == ["id", *bulk.VERDICTS]
    sliced = by_coordinates(games, list_type)[cut : cut + 5]
    assert judge_batch(sliced).to_pylist() == expected(games)[cut : cut + 5]
    numbers = by_numbers(games, list_type)
    assert without_messages(judge_batch(numbers)) == expected(games, messages=False)
    assert without_messages(judge_batch(numbers[cut:], threads=2)) == expected(games, False)[cut:]


@given(records())
def test_json_is_that_of_the_verdicts(games: list[Record]) -> None:
    judged = judged_batch(by_coordinates(games))
    assert verdicts_to_json(judged) == "".join(
        judge_record(game).to_json() + "\n" for game in games
    )
    assert judged.counts().total() == len(games)
    assert not judged.problems()
    assert len(judged.groups) == len({game.rules for game in games})


@given(records())
def test_lines_of_json_at_once_are_as_one_by_one(games: list[Record]) -> None:
    block = "".join(game.to_json() + "\n" for game in games).encode()
    judged = judge_json_block(block)
    if judged is not None:
        one_by_one = "".join(judge_record(game).to_json() + "\n" for game in games)
        assert verdicts_to_json(judged) == one_by_one
    else:
        ids = [game.id for game in games]
        assert not games or {int, str} <= set(map(type, ids)) or "null" in str(ids)


@pytest.mark.parametrize("kind", [pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.int8()])
def test_other_widths(kind: Any) -> None:
    games = [random_record(Random(i), ALL_RULES[i % 7], i) for i in range(30)]
    games = [game for game in games if -1 not in numbered(game)]
    assert without_messages(judge_batch(by_numbers(games, pa.list_, kind))) == expected(
        games, False
    )


def test_chunks_of_a_table() -> None:
    games = [random_record(Random(i), ALL_RULES[i // 5 % 7], str(i)) for i in range(60)]
    table = pa.Table.from_batches([by_numbers(games[:20]), by_numbers(games[20:])])
    rows = [row for part in table.to_batches(7) for row in without_messages(judge_batch(part))]
    assert rows == expected(games, messages=False)


def test_nothing_to_judge() -> None:
    empty = judge_batch(by_numbers([]))
    assert (len(empty), empty.schema.names) == (0, ["id", *bulk.VERDICTS])
    only_moves = pa.record_batch({"moves": pa.array([], pa.list_(pa.int8()))})
    assert judge_batch(only_moves).schema == empty.schema


def test_rows_that_make_no_sense_spoil_no_other() -> None:
    games = pa.record_batch(
        {
            "id": pa.array(range(7)),
            "n": pa.array([3, 0, None, 3, 3, 2**40, 3]),
            "shape": pa.array([None, None, None, [3, 3], None, None, None], pa.list_(pa.int64())),
            "moves": pa.array([[[0, 0]]] * 4 + [[[0]], [], [[0, 0], [0, 0]]]),
        }
    )
    rows = judge_batch(games).to_pylist()
    assert [row["status"] for row in rows] == ["pending", *[None] * 5, "illegal"]
    assert [row["id"] for row in rows] == list(range(7))
    assert rows[1]["message"] == "every side of the board must be at least 1, not 0"
    assert rows[2]["message"] == 'a game needs either "n" or "shape"'
    assert rows[4]["message"] == "every move must be 2 integers"
    assert "a board has at most 2,147,483,647 cells" in rows[5]["message"]
    judged = judged_batch(games)
    assert [row for row, _ in judged.problems()] == [1, 2, 3, 4, 5]
    assert [json.loads(line)["id"] for line in verdicts_to_json(judged).splitlines()] == [0, 6]


def test_nulls_are_off_the_board_or_left_out() -> None:
    moves: list[Any] = [[0, None], None, [None], [0, 3, 1, 4, 2]]
    for kind in (pa.int8(), pa.uint64()):
        games = pa.record_batch(
            {"n": [3] * 4, "k": pa.nulls(4), "moves": pa.array(moves, pa.list_(kind))}
        )
        rows = judge_batch(games).to_pylist()
        assert [row["code"] for row in rows] == ["off_board"] * 3 + [None]
        assert [row["ply"] for row in rows] == [1, 0, 0, 5]
        assert rows[1]["message"] == "cell (-1, 2) is off the 3×3 board"
        assert judge_batch(games[1:]).to_pylist() == rows[1:]
    cells = pa.array([[[0, 0], None], None, [[0, None]], [[0, 0]]], pa.list_(pa.list_(pa.int8())))
    rows = judge_batch(pa.record_batch({"n": [3] * 4, "moves": cells})).to_pylist()
    assert [row["status"] for row in rows] == [None, "illegal", None, "pending"]


def test_coordinates_of_any_size() -> None:
    for kind, far in [(pa.uint64(), 2**64 - 1), (pa.int64(), -(2**63)), (pa.int8(), 127)]:
        moves = pa.array([[[0, 0], [0, far]]], pa.list_(pa.list_(kind)))
        (row,) = judge_batch(pa.record_batch({"n": [3], "moves": moves})).to_pylist()
        assert row["message"] == f"cell (0, {far}) is off the 3×3 board"
        assert row["ply"] == 1


@pytest.mark.parametrize("n", [3, 127, 128, 255, 256, 300, 32768, 46340])
@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "int64", "uint64"])
def test_the_ends_of_integers_are_off_the_board_or_on_it(kind: str, n: int) -> None:
    ends = np.iinfo(kind)
    for far in {max(-1, ends.min), ends.min, ends.max, min(n - 1, ends.max), min(n, ends.max)}:
        moves = pa.array([[[0, far]], [[far, 0]]], pa.list_(pa.list_(pa.from_numpy_dtype(kind))))
        rows = judge_batch(pa.record_batch({"n": [n] * 2, "moves": moves})).to_pylist()
        for cell, row in zip([(0, far), (far, 0)], rows, strict=True):
            expected = judge_record(Record(Rules.square(n), (cell,)))
            assert (row["status"], row["message"]) == (expected.status, expected.message)


@pytest.mark.parametrize("name", ["id", "n", "shape", "k", "players", "early_draw", "moves"])
def test_a_wrong_type_names_the_column(name: str) -> None:
    right = columns([Record(Rules(), ())], pa.array([[0]])) | {"n": pa.nulls(1, pa.int8())}
    for wrong in (pa.array([1.5]), pa.array([["x"]]), pa.array([b"x"]), pa.array([[[[1]]]])):
        with pytest.raises(InvalidRecord, match=f"expected a column {name} of .*, not "):
            judge_batch(pa.record_batch(right | {name: wrong}))
    twice = pa.record_batch([*right.values(), right[name]], names=[*right, name])
    with pytest.raises(InvalidRecord, match=f"expected one column {name}, not 2"):
        judge_batch(twice)


def test_moves_are_needed() -> None:
    for games in ({"n": [3]}, {"n": [3], "moves": pa.nulls(1)}):
        with pytest.raises(InvalidRecord, match="expected a column moves of lists"):
            judge_batch(pa.record_batch(games))


# --- winning lines --------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*ALL_RULES, Rules((3, 4), 2), Rules((8, 8), 3)], ids=str)
def test_winning_lines_are_the_outcomes(rules: Rules) -> None:
    games = []
    for seed in range(60):
        game = Game(rules)
        for cell in random_record(Random(seed), rules, None).moves:
            if game.is_legal(cell):
                game.play(cell)
        games.append(game)
    lines = Geometry(rules)
    wanted = [
        (i, [lines.number(cell) for cell in line])
        for i, game in enumerate(games)
        for line in (game.outcome.lines if game.outcome else ())
    ]
    cells = [[lines.number(cell) for cell in game.history] for game in games]
    for moves in (pa.array(cells, pa.list_(pa.int16())), pa.chunked_array([cells[:9], cells[9:]],
                  pa.list_(pa.int64()))):  # fmt: skip
        found, offsets = winning_lines(moves, rules, judge(moves, rules))
        assert [
            (i, line)
            for i, (begin, end) in enumerate(pairwise(offsets.tolist()))
            for line in found[begin:end].tolist()
        ] == wanted


def test_winning_lines_of_other_games() -> None:
    moves = pa.array([[0, 3, 1, 4, 2], [0]])
    for others in (moves[:1], pa.concat_arrays([moves, moves])):
        with pytest.raises(ValueError, match="there are verdicts on"):
            winning_lines(others, Rules(), judge(moves))
    for others in (pa.array([[0, 3, 1, 4]]), pa.array([[0, 3, 1, 4, 8]])):
        with pytest.raises(ValueError, match="the verdicts are not on these games"):
            winning_lines(others, Rules(), judge(moves[:1]))
    with pytest.raises(ValueError, match="there are verdicts on 2 games, not on 4"):
        winning_lines(pa.concat_arrays([moves, moves]), Rules(), judge(moves))


@pytest.mark.parametrize("empty", [[0], [1], [2], [0, 1], [0, 0, 1, 2]])
def test_winning_lines_where_chunks_are_empty(empty: list[int]) -> None:
    chunks = [[[0, 3, 1, 4, 2], [4]], [[8, 0, 7, 1, 6]]]
    for place in reversed(empty):
        chunks.insert(place, [])
    moves = pa.chunked_array(chunks, pa.list_(pa.int64()))
    lines, offsets = winning_lines(moves, Rules(), judge(moves))
    assert (lines.tolist(), offsets.tolist()) == ([[0, 1, 2], [6, 7, 8]], [0, 1, 1, 2])


def test_the_most_lines_that_go_through_a_cell_of_a_small_board() -> None:
    rules = Rules((2,) * 6, 2)  # a cell with any other one
    moves = np.array([[0, 63, 1]])
    lines, offsets = winning_lines(moves, rules, judge(moves, rules))
    assert (lines.tolist(), offsets.tolist()) == ([[0, 1]], [0, 1])


def test_judging_parquet_imports_no_more_than_it_needs(tmp_path: Path) -> None:
    pq.write_table(pa.table({"n": [3], "moves": [[0]]}), tmp_path / "games.parquet")
    done = python(
        "import os, sys; from noughts.cli import main\n"
        f"os.chdir({str(tmp_path)!r})\n"
        "sys.argv = ['noughts', 'judge', 'games.parquet', '--out', 'v.parquet']\n"
        "try: main()\n"
        "finally: print({'rich', 'noughts.opponent', 'pyarrow.compute'} & {*sys.modules})"
    )
    assert (done.stdout, done.returncode) == ("set()\n", 0)
    assert pq.read_metadata(tmp_path / "v.parquet").num_rows == 1


def test_the_public_names_import_no_more_than_they_need() -> None:
    done = python(
        "import sys\nfrom noughts import bulk\n"
        "print(bulk.judge, 'pyarrow' in sys.modules, bulk.judge_batch)\n"
        "print(*(name for name in bulk.__all__ if not hasattr(bulk, name)), hasattr(bulk, 'x'))"
    )
    judge, judge_batch = "<function judge at 0x", "> False <function judge_batch at 0x"
    assert done.stdout.startswith(judge)
    assert judge_batch in done.stdout
    assert done.stdout.endswith(">\nFalse\n")


# --- noughts judge: JSON Lines --------------------------------------------------------------------


def run(*arguments: str | Path, typed: bytes = b"") -> Result:
    result = CliRunner().invoke(application(), ["judge", *map(str, arguments)], input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


GOOD = b'{"id":"a","n":3,"moves":[[0,0],[1,0],[0,1],[1,1],[0,2]]}\n'
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


def slowly(data: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, str]:
    with monkeypatch.context() as patch:
        patch.setattr(noughts.cli.judge, "_bulk", lambda _: None)
        result = run(typed=data)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("seed", range(60))
def test_blocks_do_not_show(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    data = b"".join(random.choices(LINES, [30] + [1] * (len(LINES) - 1), k=random.randint(0, 60)))
    data = random.choice([b"", b"", b"\xef\xbb\xbf"]) + random.choice([data, data[:-1]])
    wanted = slowly(data, monkeypatch)
    for block in (1, 7, 100, 1000, 1 << 22):
        monkeypatch.setattr(json_lines, "BLOCK", block)
        result = run(typed=data)
        assert (result.exit_code, result.stdout, result.stderr) == wanted


@pytest.mark.parametrize("start", [b"", GOOD])
@pytest.mark.parametrize("more", [-1, 0, 1, 2, 500])
@pytest.mark.parametrize("end", [b"", b"\n", b"\n" + GOOD])
def test_long_lines(start: bytes, more: int, end: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (noughts.records.json_lines, json_lines):
        monkeypatch.setattr(module, "MAX_LINE", 2000)
    data = start + b'{"n":3,"moves":[]' + b" " * (2000 + more - 18) + b"}" + end
    wanted = slowly(data, monkeypatch)
    for block in (50, 2000, 10_000):
        monkeypatch.setattr(json_lines, "BLOCK", block)
        result = run(typed=data)
        assert (result.exit_code, result.stdout, result.stderr) == wanted


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_the_line_of_an_error(bom: bytes) -> None:
    result = run(typed=bom + GOOD * 100 + b"oops\n" + GOOD * 100 + b"oops")
    places = [line.split(": ")[0] for line in result.stderr.splitlines() if "JSON" in line]
    assert places == ["standard input:101", "standard input:202"]


def test_a_pipe_is_answered_while_it_is_open() -> None:
    with started(NOUGHTS, "judge", "/dev/stdin", stdin=subprocess.PIPE) as running:
        assert running.stdin is not None
        running.stdin.write(b"{}\n")
        running.stdin.flush()
        assert running.stderr is not None
        assert running.stderr.readline().startswith(b"/dev/stdin:1: a game needs")
        running.stdin.close()
        assert running.wait(SECONDS) == 1


# --- noughts judge: Parquet -----------------------------------------------------------------------


def parquet(path: Path, games: pa.RecordBatch, **options: Any) -> Path:
    pq.write_table(pa.Table.from_batches([games]), path, **options)
    return path


@pytest.mark.parametrize("group", [3, 1000])
def test_parquet_is_judged_game_by_game(tmp_path: Path, group: int) -> None:
    games = [random_record(Random(i), ALL_RULES[i // 3 % 7], i) for i in range(100)]
    file = parquet(tmp_path / "games", by_coordinates(games), row_group_size=group)
    result = run(file)
    assert result.stdout == "".join(judge_record(game).to_json() + "\n" for game in games)
    lines = "".join(game.to_json() + "\n" for game in games).encode()
    assert result.stderr == run(typed=lines).stderr
    assert result.exit_code == 1


def test_rows_that_cannot_be_read_count_and_are_reported(tmp_path: Path) -> None:
    games = pa.record_batch({"id": [5, 6, 7], "n": [0, 3, 0], "moves": [[0], [0], [0]]})
    file = parquet(tmp_path / "games.parquet", games)
    out = tmp_path / "out.parquet"
    options: list[list[str | Path]] = [[], ["--out", out]]
    for arguments in options:
        result = run(file, *arguments)
        assert result.exit_code == 1
        reason = "every side of the board must be at least 1, not 0"
        assert result.stderr == (
            f"{file}:1: {reason}\n{file}:3: {reason}\n"
            "1 game: 1 pending\n2 lines could not be read\n"
        )
        assert result.stdout.count("\n") == (0 if arguments else 1)
    rows = pq.read_table(out).to_pylist()
    assert [row["status"] for row in rows] == [None, "pending", None]
    assert [row["id"] for row in rows] == [5, 6, 7]


def test_a_parquet_file_that_cannot_be_read_exits_2(tmp_path: Path) -> None:
    games = by_numbers([Record(Rules(), ((0, 0),))] * 1000)
    whole = parquet(tmp_path / "whole", games, compression="none").read_bytes()
    wrong = parquet(tmp_path / "wrong", pa.record_batch({"n": [3]}))
    bad = tmp_path / "bad"
    for data in (whole[:-100], whole[: len(whole) // 2], b"PAR1", wrong.read_bytes()):
        bad.write_bytes(data)
        result = run(bad, "-", typed=GOOD)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"noughts: {bad}: ")
        assert result.stderr.endswith("1 game: 1 won by 1\n")
    done = process("judge", typed=whole)
    assert done.returncode == 2
    assert done.stderr.startswith(
        b"noughts: standard input: Parquet cannot be read from a pipe: name the file\n"
    )


def test_parquet_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = parquet(tmp_path / "games", by_numbers([Record(Rules(), ())]))
    monkeypatch.setattr(noughts.cli.judge, "_bulk", lambda _: None)
    result = run(file)
    assert result.exit_code == 2
    assert 'Parquet needs PyArrow: pip install "noughts[batch]"' in result.stderr
    assert run(file, "--out", tmp_path / "out.parquet").exit_code == 2


PEAK = """
import sys
from pathlib import Path
from noughts.cli import main
try:
    main()
finally:
    (peak,) = (line for line in Path("/proc/self/status").open() if line.startswith("VmHWM"))
    print(peak.split()[1])
"""


def peak_memory(*arguments: str | Path) -> int:
    """The most memory that the command takes, in bytes."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *arguments], capture_output=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout) * 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is not told here")
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    games = pa.table(
        {"n": pa.array([3] * 10**6, pa.int8()), "moves": pa.array([[0, 4, 8]] * 10**6)}
    )
    few, many = tmp_path / "few", tmp_path / "many"
    pq.write_table(games, few, row_group_size=10**6, use_dictionary=False, compression="none")
    more = pa.concat_tables([games] * 4).combine_chunks()
    pq.write_table(more, many, row_group_size=4 * 10**6, use_dictionary=False, compression="none")
    del games, more
    larger = many.stat().st_size - few.stat().st_size
    assert larger > 50e6
    peaks = [peak_memory("judge", file, "--out", tmp_path / "out.parquet") for file in (few, many)]
    assert peaks[1] - peaks[0] < larger / 4


# --- noughts judge --out x.parquet ----------------------------------------------------------------


def test_verdicts_as_parquet(tmp_path: Path) -> None:
    out = tmp_path / "verdicts.parquet"
    games = [random_record(Random(i), ALL_RULES[i // 3 % 7], i) for i in range(100)]
    file = parquet(tmp_path / "games", by_coordinates(games))
    assert run(file, "--out", out).stdout == ""
    assert pq.read_table(out).to_pylist() == expected(games)
    assert pq.read_metadata(out).num_row_groups == 1
    lines = tmp_path / "games.jsonl"
    lines.write_text("".join(game.to_json() + "\n" for game in games))
    named = [row | {"id": str(row["id"])} for row in expected(games)]
    assert run(lines, "--out", out).exit_code == 1
    assert pq.read_table(out).to_pylist() == named
    assert run(lines, file, "--out", out).exit_code == 1
    assert pq.read_table(out).to_pylist() == named * 2
    lines.write_text("\n\n")
    assert run(lines, "--out", out).exit_code == 1
    assert pq.read_table(out).num_rows == 0


def test_verdicts_given_one_by_one_as_parquet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_files, "ROWS", 2)
    out = tmp_path / "verdicts.parquet"
    huge = b'{"id":"h","n":1' + b"0" * 30 + b',"k":3,"moves":[]}\n'
    done = run("--out", out, typed=b"oops\n" + GOOD * 3 + huge)
    assert done.exit_code == 1
    assert "standard input:5: a board has at most 2,147,483,647 cells" in done.stderr
    rows = pq.read_table(out).to_pylist()
    assert [row["status"] for row in rows] == ["won"] * 3
    assert rows[0]["lines"] == [[0, 1, 2]]


@pytest.mark.parametrize("typed", [b'["TicTacToe"]\n[[2]]\n', GOOD + b'["TicTacToe"]\n[[2]]\n'])
def test_call_lists_have_no_columns(tmp_path: Path, typed: bytes) -> None:
    result = run("--out", tmp_path / "out.parquet", typed=typed)
    assert result.exit_code == 2
    assert result.stderr == "noughts: answers to call lists cannot be written as Parquet\n"
    assert not list(tmp_path.iterdir())


def test_ids_that_do_not_go_together(tmp_path: Path) -> None:
    file = parquet(tmp_path / "games", by_numbers([Record(Rules(), (), 5)]))
    result = run(file, "-", "--out", tmp_path / "out.parquet", typed=GOOD)
    assert result.exit_code == 2
    assert result.stderr == "noughts: ids of string do not go with the ids of int64 before\n"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("name", ["out.parquet", "out.jsonl"])
def test_a_run_that_is_interrupted_leaves_what_was_there(tmp_path: Path, name: str) -> None:
    out = tmp_path / name
    out.write_text("old")
    with started(NOUGHTS, "judge", "-", "--out", out, stdin=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdin.write(GOOD * 1000 + b"oops\n")
        running.stdin.flush()
        assert running.stderr.readline().startswith(b"standard input:1001: ")  # is in the middle
        assert sorted(path.suffix for path in tmp_path.iterdir()) == [out.suffix, ".part"]
        running.send_signal(signal.SIGINT)
        assert running.wait(SECONDS) == 130
    assert list(tmp_path.iterdir()) == [out]
    assert out.read_text() == "old"


def test_a_file_that_is_replaced_keeps_its_permissions_and_its_links(tmp_path: Path) -> None:
    games, out, link = tmp_path / "games", tmp_path / "out.jsonl", tmp_path / "link"
    games.write_bytes(GOOD)
    out.write_text("old")
    out.chmod(0o600)
    link.symlink_to(out)
    assert run(games, "--out", link).exit_code == 0
    assert link.is_symlink()
    assert out.read_text().count("\n") == 1
    assert out.stat().st_mode & 0o777 == 0o600
    assert run(games, "--out", "/dev/null").exit_code == 0
    assert Path("/dev/null").is_char_device()


def test_dash_is_standard_output() -> None:
    assert json.loads(run("--out", "-", typed=GOOD).stdout)["status"] == "won"
