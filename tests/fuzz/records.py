"""Files of records: the commands process them or report what is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from click.testing import CliRunner, Result
from hypothesis import strategies as st

from fuzz import Check, damaged
from noughts.bulk import judge_record
from noughts.cli.app import application
from noughts.errors import InvalidRecord
from noughts.game.rules import VARIANTS
from noughts.records import Record, read_records
from noughts.records.formats import KNOWN

EXAMPLES = Path(__file__).parents[2] / "examples"
SOUND = [
    line
    for path in sorted(EXAMPLES.glob("*.json*"))
    for line in path.read_bytes().splitlines(keepends=True)
]


def judged(source: Path, *options: str) -> Result:
    """Run `noughts judge` on a file, and check that it prints no traceback."""
    result = CliRunner().invoke(application, ["judge", str(source), *options])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in {0, 1, 2}, result.output
    assert "Traceback" not in result.output
    return result


numbers = st.integers(-2, 5) | st.sampled_from([2**31, 2**31 - 1, 2**63, 10**30])
values = st.recursive(
    st.none() | st.booleans() | numbers | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)
names = "id n shape k players early_draw gravity variant moves result x"
keys = st.sampled_from(names.split())
variants = st.sampled_from([*VARIANTS, "", "Renju"])
moves = st.lists(st.lists(numbers, min_size=2, max_size=2), max_size=9)
games = st.builds(
    lambda base, odd: json.dumps(base | odd).encode() + b"\n",
    st.fixed_dictionaries({"n": st.integers(1, 4), "moves": moves}),
    st.dictionaries(keys, values | variants, max_size=2),
)
json_lines = damaged(st.lists(st.sampled_from(SOUND) | games, max_size=6).map(b"".join))


@contextmanager
def judging_json_lines() -> Iterator[Check]:
    """Yield a check that reading many lines at once gives the same verdicts as one by one."""
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "games.jsonl"), Path(folder, "verdicts.jsonl")

        def check(data: bytes) -> None:
            source.write_bytes(data)
            target.unlink(missing_ok=True)
            result = judged(source, "--out", str(target))
            read = list(read_records(BytesIO(data), str(source)))
            games = [one for one in read if isinstance(one, Record)]
            if result.exit_code != 2 and len(games) == len(read):
                expected = "".join(judge_record(game).to_json() + "\n" for game in games)
                assert target.read_text() == expected
            judged(source, "--out", f"{folder}/verdicts.parquet")

        yield check


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """Return columns of games, with matching and other types."""
    rows = draw(st.integers(0, 6))

    def column(kinds: list[pa.DataType], cells: st.SearchStrategy[Any]) -> pa.Array:
        kind = draw(st.sampled_from(kinds))
        given = draw(st.lists(st.none() | cells, min_size=rows, max_size=rows))
        try:
            return pa.array(given, kind)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            return pa.nulls(rows, kind)

    integers = [pa.int8(), pa.int64(), pa.uint8(), pa.uint64(), pa.float64(), pa.string()]
    lists = [pa.list_(kind) for kind in integers] + [pa.large_list(pa.int32())]
    nested = [pa.list_(kind) for kind in lists] + [pa.list_(pa.list_(pa.int16(), 2))]
    columns = {
        "moves": column(lists + nested, st.lists(numbers, max_size=9) | moves),
        "n": column(integers, numbers),
        "shape": column(lists, st.lists(numbers, max_size=3)),
        "k": column(integers, numbers),
        "players": column(integers, numbers),
        "early_draw": column([pa.bool_(), pa.int8()], st.booleans()),
        "gravity": column([pa.bool_(), pa.int8()], st.booleans()),
        "variant": column([pa.string(), pa.binary()], variants),
        "result": column(integers, numbers),
        "id": column([*integers, pa.binary(), pa.list_(pa.int8())], numbers | st.text(max_size=4)),
    }
    chosen = draw(st.sets(st.sampled_from(sorted(columns)), min_size=1))
    return pa.table({name: columns[name] for name in chosen | {"moves"}})


def written(table: pa.Table) -> bytes:
    """Return the table as a Parquet file."""
    sink = BytesIO()
    pq.write_table(table, sink, compression="none")
    return sink.getvalue()


parquet = damaged(tables().map(written)) | tables().map(written)


@contextmanager
def judging_parquet() -> Iterator[Check]:
    """Yield a check of Parquet files, valid and damaged, with both formats of verdicts."""
    with TemporaryDirectory() as folder:
        source = Path(folder, "games.parquet")

        def check(data: bytes) -> None:
            source.write_bytes(data)
            codes = [
                judged(source, "--out", f"{folder}/verdicts.{kind}").exit_code
                for kind in ("jsonl", "parquet")
            ]
            assert len(set(codes)) == 1, codes

        yield check


WRITTEN = ("sgf", "psq", "pos", "csv", "moves")
TEXTS = [
    b"(;GM[4]SZ[15]RU[renju]RE[B+R]C[a \\] b];B[hh]TM[1];W[hi](;B[ii])(;B[jj];W[]))",
    b"(;GM[4]SZ[20]CA[gb2312]RE[\xba\xda\xca\xa4];B[aa];W[tt])\n(;SZ[6:7]RU[connect-four];B[bg])",
    b"Piskvorky 20x20, 11:11, 0\r\n10,10,456\r\n11,12,4500\r\na.exe\r\nb.zip\r\n-1\r\n",
    b"Piskvorky 15x15, 0:0, 1\n1,1,0\n-1,2,3\n0\nRules: renju\nResult: 1-0\n",
    b"Piskvorky 15x15, 0:0, 1\n1?1,0\n-1,2,3\n0\n",
    b"h8h9i7 j10\na1\n\nz26a1a1\n",
    b"1. h8 i9\n2. j10 1-0\n0,0 1,1 (2,2)\n",
    b'[Rules "connect-four"]\n\n4453 -2\n',
    b"id,rules,moves,result\na,3x3,A1 B2,1-0\nb,connect-four,4453,\n",
    b"XOX\n.O.\n..X\n\n|X| |\n|-|-|\n| |O|\n\nXO./1X1/2O\n",
    b"x,o,b,b,x,b,b,o,b,positive\n",
    b'[{"n": 3,\n "moves": ["a1", "b2"]},\n {"board": ["XO.", "...", "..."]}]',
    b'{"steps": [[{"status": "ACTIVE"}], [{"action": 3}]], "configuration": {}}',
    b'<?xml version="1.0"?><games><game id="1" bresult="1"><move>h8 h9</move></game></games>',
    b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + b"\0\0x\x08Hi\0\0h\xc0\x69\x41\0\1A\0",
    b"\x1f\x8b\x08\x00",
]
texts = damaged(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3).map(b"".join))


@contextmanager
def reading_texts() -> Iterator[Check]:
    """Yield a check that records of other programs survive being written and read back."""
    writers = [(KNOWN[name].header, KNOWN[name].write, name) for name in WRITTEN]

    def check(data: bytes) -> None:
        for record in read_records(BytesIO(data), "here"):
            if not isinstance(record, Record):
                assert isinstance(record, InvalidRecord)
                assert str(record).startswith(("here:", "here/"))
                continue
            for header, write, name in writers:
                assert write
                try:
                    text = header + write(record)
                except InvalidRecord:  # the format cannot represent this game
                    continue
                if record.impossible:
                    continue
                file = BytesIO(text.encode())
                (back,) = read_records(file, "there", record.rules, format=name)
                assert isinstance(back, Record), text
                assert (back.rules, back.moves) == (record.rules, record.moves), text

    yield check
