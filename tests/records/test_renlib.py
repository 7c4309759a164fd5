"""Libraries of RenLib, written by this file as RenLib writes them."""

from __future__ import annotations

from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from noughts import Rules
from noughts.records import Record, read_records
from noughts.records.formats import format_of
from noughts.records.renlib import HEADER
from records.reading import Read, problem

HEAD = HEADER + b"\x03\x04" + b"\xff" * 10
ROOT = b"\x00\x00"
SIBLING, LEAF, OLD_COMMENT, COMMENT, NO_MOVE, EXTENDED = 0x80, 0x40, 0x20, 0x08, 0x02, 0x01
RENJU = Rules.gomoku("renju")

# The children of a node, by their cells
Tree = dict[int, "Tree"]


def read(data: bytes, source: str = "openings.lib") -> list[Read]:
    return list(read_records(BytesIO(data), source))


def lines(data: bytes) -> list[tuple[tuple[int, ...], ...]]:
    records = read(data)
    assert all(isinstance(record, Record) for record in records), records
    return [record.moves for record in records if isinstance(record, Record)]


def byte(row: int, col: int) -> int:
    return 16 * row + col + 1


def nodes(tree: Tree) -> bytes:
    """Return the nodes below a node."""
    written = b""
    for i, (cell, below) in enumerate(tree.items()):
        flags = (SIBLING if i < len(tree) - 1 else 0) | (0 if below else LEAF)
        written += bytes([cell, flags]) + nodes(below)
    return written


def leaves(tree: Tree, above: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Return the path to each leaf."""
    return [
        path
        for cell, below in tree.items()
        for path in (leaves(below, (*above, cell)) if below else [(*above, cell)])
    ]


cells = st.builds(byte, st.integers(0, 14), st.integers(0, 14))
leaf: st.SearchStrategy[Tree] = st.just({})
trees = st.recursive(leaf, lambda below: st.dictionaries(cells, below, min_size=1, max_size=3))


@given(trees.filter(bool))
def test_each_line_of_a_tree_is_a_game(tree: Tree) -> None:
    paths = [tuple((cell // 16, cell % 16 - 1) for cell in path) for path in leaves(tree)]
    assert lines(HEAD + ROOT + nodes(tree)) == paths
    assert lines(HEAD + nodes(tree)) == paths


def test_cells_are_named_from_the_bottom_and_lines_are_renju() -> None:
    data = HEAD + ROOT + nodes({byte(7, 7): {byte(6, 7): {byte(0, 0): {}}}})
    (record,) = read(data)
    assert record == Record(RENJU, ((7, 7), (6, 7), (0, 0)))
    assert record.notation == "pos"
    (gomoku,) = read_records(BytesIO(data), "a", "gomoku")
    assert isinstance(gomoku, Record)
    assert gomoku.rules == Rules.gomoku()


def test_comments_and_texts_on_the_board() -> None:
    data = HEAD + bytes([0, COMMENT]) + b"Opening\x08by H\xf6ger\0\0"
    data += bytes([byte(7, 7), COMMENT]) + "début\0\0".encode()
    data += bytes([byte(6, 7), SIBLING | LEAF | EXTENDED, 0, 1]) + b"A\0"
    data += bytes([byte(6, 8), LEAF | EXTENDED | COMMENT, 0, 1]) + b"B!\0\0" + b"C\0"
    first, second = read(data)
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert first.comment == second.comment == "Opening\nby Höger"
    assert [note.comment for note in first.notes] == ["début", ""]
    assert [note.comment for note in second.notes] == ["début", "B!"]
    text = "白胜 by 中村".encode("gb2312") + b"\0\0"
    (chinese,) = read(HEAD + bytes([0, COMMENT]) + text + bytes([byte(7, 7), LEAF]))
    assert isinstance(chinese, Record)
    assert chinese.comment == "白胜 by 中村"


def test_old_files_have_no_header_and_end_comments_with_a_high_bit() -> None:
    data = bytes([0x78, OLD_COMMENT]) + b"centr\xe5" + bytes([byte(6, 7), LEAF])
    assert format_of(data, "old.lib") == "lib"
    (record,) = read(data)
    assert isinstance(record, Record)
    assert (record.moves, record.notes[0].comment) == (((7, 7), (6, 7)), "centre")


def test_nodes_without_a_move_are_not_played() -> None:
    data = HEAD + bytes([byte(7, 7), 0, byte(1, 1), SIBLING | LEAF, byte(2, 2), LEAF | NO_MOVE])
    assert lines(data) == [((7, 7), (1, 1))]


def test_a_pass_costs_only_its_line() -> None:
    data = HEAD + bytes([byte(7, 7), 0, 0, SIBLING | LEAF, byte(2, 2), LEAF])
    bad, good = read(data)
    assert problem(bad)[2] == "line 1 of the tree: move 2 is a pass"
    assert isinstance(good, Record)


def test_broken_files_are_refused() -> None:
    tree = nodes({byte(7, 7): {byte(6, 7): {}, byte(6, 8): {}}})
    for data, expected in {
        HEAD + tree[:-2]: "the file ends before its tree does",
        HEAD + tree[:-1]: "the file ends before its tree does",
        HEAD: "the file ends before its tree does",
        HEAD + bytes([byte(7, 7), LEAF | COMMENT]) + b"ab": "the file ends within a comment",
        HEAD + b"\xf1\x00": "node 1: byte 0xf1 is no cell of a 15×15 board",
        HEAD + b"\x70\x40": "node 1: byte 0x70 is no cell of a 15×15 board",
        HEAD + b"\x78\x00" * 500: "a line has more than 450 nodes",
        HEADER + b"\x04\x00" + HEAD[10:] + tree: (
            "expected a library of RenLib 3.4 or earlier, got 4.0"
        ),
        HEADER + b"\x03": "this is not a library of RenLib",
        b"!<arch>\n": "this is not a library of RenLib",
        b"x": "this is not a library of RenLib",
    }.items():
        assert problem(read(data)[-1])[2] == expected
    (small,) = read_records(BytesIO(HEAD + tree), "a.lib", "3x3")
    assert problem(small)[2] == "a library of RenLib needs a board of 15×15, got 3x3"


def test_cut_files_yield_their_whole_lines_first() -> None:
    data = HEAD + nodes({byte(7, 7): {byte(6, 7): {}, byte(6, 8): {byte(5, 5): {}}}})
    good, bad = read(data[:-2])
    assert isinstance(good, Record)
    assert problem(bad)[2] == "the file ends before its tree does"
