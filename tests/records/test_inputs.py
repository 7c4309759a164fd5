"""What people bring along: boards, lists of moves, tables, replays, compressed files."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import re
import tracemalloc
import zipfile
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import noughts
from noughts import InvalidRecord, Rules
from noughts.bulk import judge_record
from noughts.records import Read, Record, read_records
from noughts.records.formats import FORMATS, KNOWN, format_of, lost_parts
from noughts.records.psq import to_psq
from noughts.records.record import read_result
from records.reading import problem
from records.test_files import stream

DATA = Path(__file__).parent / "data"
CONNECT_FOUR, GOMOKU = Rules.connect_four(), Rules.gomoku()


def read(data: str | bytes, rules: object = None, **how: Any) -> list[Read]:
    text = data.encode() if isinstance(data, str) else data
    return list(read_records(BytesIO(text), how.pop("source", "games"), rules, **how))  # type: ignore[arg-type]


def moves(data: str, rules: object = None, **how: Any) -> list[tuple[Any, ...]]:
    """Return the moves of all games; raise the first error."""
    found = []
    for record in read(data, rules, **how):
        assert isinstance(record, Record), record
        found.append(record.moves)
    return found


def verdict(record: Read) -> tuple[Any, ...]:
    assert isinstance(record, Record), record
    judged = judge_record(record)
    return judged.status, judged.winner, judged.ply, judged.claim


# The small inputs, and what is right

INPUTS = {
    "standard-tail.psq": ("", [("pending", None, 12, "undecided")]),
    "freestyle-tail.psq": ("", [("won", 1, 9, "contradicted")]),
    "spaces.psq": ("", [("won", 1, 9, None)]),
    "no-rules.jsonl": (
        "gomoku",
        [("won", 1, 9, None), ("pending", None, 3, None), ("pending", None, 3, None)],
    ),
    "columns.txt": (
        "connect-four",
        [("pending", None, 4, None), ("pending", None, 8, None), ("won", 1, 7, None)],
    ),
    "boards.txt": (
        "",
        [("pending", None, 5, None), ("won", 1, 5, None), ("illegal", None, 0, None)],
    ),
    "games.csv": (
        "",
        [("won", 1, 5, "confirmed"), ("won", 1, 5, "confirmed"), ("pending", None, 3, None)],
    ),
    "rows.pos": ("", [("won", 1, 9, None), ("pending", None, 2, None)]),
}


@pytest.mark.parametrize("name", INPUTS)
def test_input_is_judged_alike_in_python_and_in_the_command(name: str) -> None:
    rules, wanted = INPUTS[name]
    with (DATA / name).open("rb") as file:
        assert [*map(verdict, read_records(file, name, rules or None))] == wanted
    words = ["--rules", rules] if rules else []
    lines = noughts("judge", *words, DATA / name).stdout.splitlines()
    told = [json.loads(line) for line in lines]
    keys = ("status", "winner", "ply", "claim")
    assert [tuple(each.get(key) for key in keys) for each in told] == wanted


def test_inputs_have_the_turn_and_rules_that_they_name() -> None:
    boards, standard = (
        [*read((DATA / name).read_bytes(), source=name)]
        for name in ("boards.txt", "standard-tail.psq")
    )
    assert isinstance(boards[0], Record)
    assert boards[0].game().turn == 2
    assert isinstance(standard[0], Record)
    assert standard[0].rules.variant == "standard"


def test_missing_rules_are_one_sentence_that_names_the_option() -> None:
    for name in ("no-rules.jsonl", "columns.txt"):
        result = noughts("judge", DATA / name)
        assert result.exit_code == 1
        assert result.stderr.count("pass --rules") == 1, result.stderr


def test_board_with_two_lines_says_so() -> None:
    *_, last = noughts("judge", DATA / "boards.txt").stdout.splitlines()
    told = json.loads(last)
    assert (told["code"], told["message"]) == (
        "impossible",
        "players 1 and 2 both have a line, but a game ends with the first",
    )


def test_show_names_cells_as_the_file_does() -> None:
    shown = noughts("show", DATA / "rows.pos").stdout
    assert re.search(r"^ +a  b  c", shown, re.MULTILINE)
    assert re.search(r"^ +8 .*\[X\]\[X\]\[X\]\[X\]\[X\]", shown, re.MULTILINE)
    assert shown.rstrip().splitlines()[-1].split()[0] == "1"
    top = noughts("show", "--origin", "top", DATA / "rows.pos").stdout
    assert top.rstrip().splitlines()[-1].split()[0] == "15"


# Moves

FORMS = {
    "h8 i9 j10": GOMOKU,
    "H8 I9 J10": GOMOKU,
    "h8, i9, j10": GOMOKU,
    "h8-i9-j10": GOMOKU,
    "1. h8 i9 2. j10": GOMOKU,
    "1.h8 1...i9 2.j10": GOMOKU,
    "7,7 8,8 9,9": GOMOKU,
    "(7, 7) (8, 8) (9, 9)": GOMOKU,
    "(7,7),(8,8),(9,9)": GOMOKU,
    "112 128 144": GOMOKU,
    "112,128,144": GOMOKU,
    "[[7,7],[8,8],[9,9]]": GOMOKU,
    "[[7,7,1],[8,8,2],[9,9,1]]": GOMOKU,
    "(7,7,1) (8,8,2) (9,9,1)": GOMOKU,
    '["h8", "i9", "j10"]': GOMOKU,
    "[112, 128, 144]": GOMOKU,
    '{"moves": "h8 i9 j10"}': GOMOKU,
    '{"moves": ["h8", "i9", "j10"]}': GOMOKU,
    '{"rules": "gomoku", "moves": [112, 128, 144]}': None,
    '[Rules "gomoku"]\n\n1. h8 i9\n2. j10 *\n': None,
}


@pytest.mark.parametrize("text", FORMS)
def test_moves_are_read_in_every_form(text: str) -> None:
    assert moves(text, FORMS[text]) == [((7, 7), (8, 8), (9, 9))]


COLUMNS = ["4453", "4 4 5 3", "4,4,5,3", "ddec", "d d e c", "d1 d2 e1 c1", "d6 d5 e6 c6",
           "38 31 39 37", "(5,3) (4,3) (5,4) (5,2)"]  # fmt: skip


@pytest.mark.parametrize("text", COLUMNS)
def test_columns_are_read_in_every_form(text: str) -> None:
    assert moves(text, "connect-four", format="moves") == [((5, 3), (4, 3), (5, 4), (5, 2))]


def test_position_files_have_their_own_orientation() -> None:
    assert moves("h8h9") == moves("h8h9", origin="bottom") == [((7, 7), (6, 7))]
    assert moves("h8h9", origin="top") == moves("h8 h9", GOMOKU) == [((7, 7), (8, 7))]
    assert moves("h8 h9", GOMOKU, origin="bottom") == [((7, 7), (6, 7))]


@pytest.mark.parametrize("name", ["games", "games.txt", "games.pos"])
def test_the_content_and_not_the_name_sets_the_orientation(name: str) -> None:
    for text in ("h8h9", "H8H9", "h8h9 i10\n"):
        assert moves(text, GOMOKU, source=name)[0][:2] == ((7, 7), (6, 7))
    (refused,) = read("h8h9 1-0", GOMOKU, source=name)
    assert "got '1-0'; --format moves reads numbers and results" in problem(refused)[2]


UNCLEAR = {
    ("0,1", "3x3"): "0,1 can be one cell, (0, 1), or 2 numbers of cells: write (0,1) or 0 1",
    ("0 3 3", "connect-four"): "column 0 does not exist: columns are counted from 1 to 7",
    ("48", "connect-four"): "column 8 does not exist: columns are counted from 1 to 7",
    ("2. h8 i9", "gomoku"): "the game begins with move 2: number its moves from 1, or leave",
    ("1. h8 3. i9", "gomoku"): "the numbers of the moves must be 1, 2 and so on, with up to 2",
    ("[[0,0,1],[1,1,2],[2,2,1]]", ""): "[[0, 0, 1], [1, 1, 2], [2, 2, 1]] can be the board "
    "..X/XXO/OOX or the moves A1 B2 C3: pass --format boards or --format moves",
    ("[[0,0,2],[1,1,1]]", "4x4"): "the rules have a 4×4 board, got 2×3",
    ('{"moves":[[0,0,2],[1,1,1]]}', "3x3"): "move 1 must be 2 coordinates, or these and the player",
    (
        "first|3x3|a1 b2",
        "",
    ): "noughts knows no format that begins with 'first|3x3|a1 b2': pass --format, "
    "one of jsonl, json, parquet, csv, moves, boards, sgf, psq, rif, lib, pos; a table needs a "
    "header such as id,rules,moves",
    ("[['X','O'],['','','',''],['','','']]", ""): "row 2 has 4 cells, but row 1 has 2",
    ("[[1,0],[0,2,0,0],[0,0,0]]", ""): "row 2 has 4 cells, but row 1 has 2",
    ("[[0 0 1]\n [0 1", ""): "the board is cut off: the bracket after its last row is missing",
    ("h8 ?", "gomoku"): "expected a move such as h8 at column 4, got '?'",
    ("h8 i", "gomoku"): "'i' is not a cell: write b3 or 2,1",
    ("a b c d e f g", "connect-four"): "'a b c d e f g' names all columns, as above a board",
    ("0 1 2 3 4 5 6 7", "8x8,k=5"): "'0 1 2 3 4 5 6 7' names all columns, as above a board",
    ("[3,3,2]", "connect-four"): "[3, 3, 2] cannot be numbers of cells, since the first mark",
    ("4453", ""): "the file does not name the rules: pass --rules",
    ('[Rules "go"]\n\na1', ""): "unknown rules 'go': pass --rules",
}


@pytest.mark.parametrize(("text", "rules"), UNCLEAR)
def test_unclear_moves_are_refused_with_a_sentence(text: str, rules: str) -> None:
    (found,) = read(text, rules or None)
    assert problem(found)[2].startswith(UNCLEAR[text, rules])


def test_results_and_scores_after_moves_are_read() -> None:
    first, second, third = read("a1 b2 1-0\na1 b2 1/2-1/2\na1 b2 *\n", "3x3")
    assert [record.result for record in (first, second, third)] == [1, 0, None]  # type: ignore[union-attr]
    (scored,) = read("4453 -2", "connect-four")
    assert isinstance(scored, Record)
    assert (len(scored.moves), scored.comment, scored.result) == (4, "score -2", None)


def test_numbered_games_go_on_in_the_next_line() -> None:
    text = "1. a1 b1 2. a2\n2... b2\n3. a3\n1. c1\n"
    assert [len(each) for each in moves(text, "3x3")] == [5, 1]
    assert moves("1)\tC1 d1\n2)\td2\n", "connect-four") == [((5, 2), (5, 3), (4, 3))]
    (only,) = read("2. a1\n", "3x3")
    assert problem(only)[2].startswith("the game begins with move 2: number its moves from 1")


def test_headers_name_players_rules_and_result() -> None:
    text = '[Black "Ada"]\n[White "Bo"]\n[Rules "renju"]\n[Result "0-1"]\n\n1. h8 h9\n\n'
    first, second = read(text + '[Rules "3x3"]\n\n1. a1 *\n')
    renju = Rules.gomoku("renju")
    assert first == Record(renju, ((7, 7), (8, 7)), None, 2, ("Ada", "Bo"))
    assert second == Record(Rules(), ((0, 0),))


# Boards


def test_boards_in_json_are_read() -> None:
    wanted = ((0, 0), (1, 1), (0, 1), (2, 2))
    for text in (
        '[["X","X",""],["","O",""],["","","O"]]',
        '["XX.",".O.","..O"]',
        '["XX "," O ","  O"]',
        '["X","X","","","O","","","","O"]',
        "[[1,1,0],[0,2,0],[0,0,2]]",
        '{"board": ["XX.", ".O.", "..O"]}',
        '{"board": "XX./.O./..O", "n": 3}',
        '{"board": [1,1,0,0,2,0,0,0,2], "rules": "3x3"}',
    ):
        (found,) = moves(text)
        assert sorted(found[::2]) == sorted(wanted[::2]), text
        assert sorted(found[1::2]) == sorted(wanted[1::2]), text


def test_rows_of_the_uci_data_sets_are_read() -> None:
    first, second = read(
        "x,x,x,x,o,o,x,o,o,positive\nx,o,x,o,o,x,x,x,o,negative\n", source="t.data"
    )
    assert verdict(first) == ("won", 1, 9, "confirmed")
    assert verdict(second) == ("draw", None, 9, None)
    (four,) = read("x,o" + ",b" * 10 + ",x,o,x,o,x,o" + ",b" * 18 + ",o,x" + ",b" * 4 + ",win\n")
    assert isinstance(four, Record)
    assert (four.rules, four.comment, len(four.moves)) == (CONNECT_FOUR, "class win", 10)
    assert {(5, 0), (4, 0), (0, 2), (5, 6)} <= {*four.moves}
    (misere,) = read("x,x,x,o,o,b,b,b,b,negative\n", "3x3,variant=misere")
    assert verdict(misere)[:2] == ("won", 2)


def final_boards() -> dict[str, bool]:
    """Return the final boards of 3×3 as rows of *tic-tac-toe*, and whether X has won."""
    lines = ["012", "345", "678", "036", "147", "258", "048", "246"]
    found, boards = dict[str, bool](), {"b" * 9}
    for player in "xoxoxoxox":
        reached = {
            board[:at] + player + board[at + 1 :]
            for board in boards
            for at, mark in enumerate(board)
            if mark == "b"
        }
        boards = set()
        for board in sorted(reached):
            won = any(all(board[int(cell)] == player for cell in line) for line in lines)
            if won or "b" not in board:
                found[",".join(board)] = won and player == "x"
            else:
                boards.add(board)
    return found


def test_all_final_boards_of_tic_tac_toe_have_their_class(tmp_path: Path) -> None:
    boards = final_boards()
    assert (len(boards), sum(boards.values())) == (958, 626)
    classes = ["positive" if won else "negative" for won in boards.values()]
    text = "".join(f"{row},{label}\n" for row, label in zip(boards, classes, strict=True))
    (path := tmp_path / "tic-tac-toe.data").write_text(text)
    wanted = [(won, "confirmed" if won else None) for won in boards.values()]
    found = [verdict(board) for board in read(text)]
    assert [(winner == 1, claim) for _, winner, _, claim in found] == wanted
    assert not {"illegal", "pending"} & {status for status, *_ in found}
    told = [json.loads(line) for line in noughts("judge", path).stdout.splitlines()]
    assert [(each["winner"] == 1, each.get("claim")) for each in told] == wanted


# Columns from the bottom, and the class for x, who is to move
FOURS = {
    "o,x,o,o,o,x,x,o,x,o,b,b,x,o,x,o,x,x,o,b,b,b,b,b,x,o,b,b,b,b,o,o,x,b,b,b,x,x,b,b,b,b,loss": -1,
    "x,x,b,b,b,b,x,o,o,x,b,b,o,x,o,o,x,b,o,b,b,b,b,b,x,o,o,o,b,b,o,x,x,x,o,x,x,o,b,b,b,b,draw": 0,
    "x,o,o,b,b,b,o,x,b,b,b,b,o,o,o,x,x,o,x,o,b,b,b,b,x,o,x,o,x,b,x,x,x,o,x,b,o,b,b,b,b,b,win": 1,
}


@pytest.mark.compiled("noughts.opponent.exact._solver")
def test_classes_of_connect_4_are_those_of_the_solver(tmp_path: Path) -> None:
    (path := tmp_path / "connect-4.data").write_text("\n".join(FOURS))
    solved = [json.loads(line) for line in noughts("solve", path).stdout.splitlines()]
    assert [each["value"] for each in solved] == [*FOURS.values()]
    read_back = read(path.read_bytes())
    comments = [getattr(record, "comment", "") for record in read_back]
    assert [comment.split()[1] for comment in comments] == ["loss", "draw", "win"]
    assert {verdict(record)[:3] for record in read_back} == {("pending", None, 24)}


@pytest.mark.parametrize(
    ("text", "marks"), [("XOX\nO O\nXOX", 8), ("X X\nO O\nX O", 6), ("  o\nxx \n   ", 3)]
)
def test_spaces_between_marks_are_empty_cells_if_the_board_has_that_size(
    text: str, marks: int
) -> None:
    for board in (f"{text}\n\n", json.dumps(text.split("\n"))):
        (found,) = moves(f"{board}\n" * 2, "3x3", format=None)[:1]
        assert len(found) == marks


def test_rules_decide_between_a_board_and_moves_with_players() -> None:
    # As boards, these have too many marks, or other sides.
    assert moves("[[0,0,1],[0,2,2],[2,2,1]]", "3x3") == [((0, 0), (0, 2), (2, 2))]
    assert moves("[[0,0,1],[0,1,2]]", "3x3") == [((0, 0), (0, 1))]
    # As moves, one cell would be taken twice, or another player's turn.
    assert len(moves("[[0,2,1],[0,2,2],[0,1,1]]", "3x3")[0]) == 6
    assert len(moves("[[1,1,0],[0,2,0],[0,0,2]]", "3x3")[0]) == 4
    text = "[[0,0,1],[1,1,2],[2,2,1]]"
    assert moves(text, "3x3", format="moves") == [((0, 0), (1, 1), (2, 2))]
    assert len(moves(text, "3x3", format="boards")[0]) == 7


def test_boards_beyond_3x3_need_rules() -> None:
    (found,) = read("XO..\n....\n....\n....\n")
    assert "a 4×4 board can belong to several games: give the rules" in problem(found)[2]
    (board,) = read("XO..\n....\n....\n....\n", "4x4,k=3")
    assert verdict(board)[0] == "pending"
    text = "." * 19 + "\n" + ("." * 18 + "X\n") + ("." * 19 + "\n") * 17
    (refused,) = read(text, "gomoku")
    assert problem(refused)[2].endswith("got 19×19: pass 19x19,k=5 for this one")
    (large,) = read(text, "19x19,k=5")
    assert isinstance(large, Record)
    assert large.moves == ((1, 18),)


def test_boards_of_other_programs_are_read() -> None:
    joined = "XO./.X./..O\nX.O|.X.|..O\nx1o/1x1/2o x\n"
    assert [verdict(each)[2] for each in read(joined)] == [4, 4, 4]
    markdown = "| | | |\n|---|---|---|\n|X|O| |\n| |X| |\n| | |O|\n"
    printed = "[[ 0  0  1]\n [ 0  1  0]\n [ 2  2  0]]\n"
    tuples = "((None, 'X', None),\n (None, None, None),\n (None, 'O', None),)\n"
    named = "a b c\n. X .\n. O .\n. . .\n"
    for text, marks in ((markdown, 4), (printed, 4), (tuples, 2), (named, 2)):
        (board,) = read(text)
        assert verdict(board)[:3] == ("pending", None, marks), text
    header = "1,2,3,4,5,6,7,8,9,result\n"
    (row,) = read(f"{header}x,x,x,o,o,b,b,b,b,true\n", source="t.csv")
    assert verdict(row) == ("won", 1, 5, "confirmed")


HOSTILE: dict[str, tuple[str | None, str]] = {
    "spaces in a result": ("csv", "moves,result,n\na1,a" + " " * 10**6 + "b,3\n"),
    "open braces": ("moves", "a1 " + "{" * 10**6),
    "a broken rule": ("boards", "|\n" + "-" * 10**6 + "x\n"),
    "numbers in one line": ("boards", "9x" * 10**6 + "/x\n"),
    "a long board": ("boards", ("X" * 10**6 + "\n") * 9),
    "many headers": ("moves", "".join(f'[A{at} "x"]\n' for at in range(3000))),
    "brackets": ("moves", "(" * 10**6),
    "an open value": ("sgf", "(;C[" + "a(" * 10**5),
    "nested games": ("sgf", "(;" * 10**5),
    "commas": ("csv", "moves,n\n" + "," * 10**6),
    "digits": ("moves", "1" * 10**6),
    "names": ("moves", "a" * 10**6),
    "an open bracket": ("moves", "(0" + " " * 10**6 + "("),
    "one long row": ("boards", "X" * 3000 + "\n" + "O\n" * 3000),
    "blank lines before anything": (None, "q" + "\n" * 500_000),
    "many columns": ("csv", "moves," + ",".join(f"c{at}" for at in range(20_000)) + "\nx\n"),
    "spaces in a shape": ("csv", "moves,shape,k\na1,3" + " " * 100_000 + "a,3\n"),
    "spaces before a game": ("sgf", " " * 20_000_000 + "x"),
    "spaces in a game": ("sgf", "(" + " " * 20_000_000 + "x"),
    "a comment": (None, "#" * 10**6 + "x"),
    "frames": ("boards", "┌" * 10**6 + "\nx"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_reported_in_linear_time(name: str) -> None:
    kind, text = HOSTILE[name]
    found = read(text, "3x3", format=kind)
    assert any(isinstance(each, InvalidRecord) for each in found)


def test_row_of_empty_cells_is_no_rule() -> None:
    (board,) = read("|X|O|X|\n|-|-|-|\n|-|O|-|\n")
    assert verdict(board)[:3] == ("pending", None, 4)


def test_size_that_was_asked_for_is_kept() -> None:
    (board,) = read("XO..\n....\n....\n....\n", "5x5,k=4")
    assert problem(board)[2].startswith("the rules have a 5×5 board, got 4×4: pass 4x4,k=4")


def test_unknown_marks_and_unknown_formats_are_named() -> None:
    (board,) = read("0000\n0Y00\n0XX0\nYXYX\n", "4x4,k=3,gravity")
    assert problem(board)[2].startswith("'Y' is not a mark")
    (only,) = read("% a comment\nx\n")
    assert problem(only)[2].startswith("noughts knows no format that begins with '% a comment")


# Tables


def test_tables_name_their_columns_in_any_order() -> None:
    text = "result;moves;rules;id\nX wins;1. a1 b1;4x4;g\n"
    for delimiter in ";|":
        record = Record(Rules((4, 4)), ((0, 0), (0, 1)), "g", 1)
        assert read(text.replace(";", delimiter)) == [record]
    assert read("moves\tn\nA1 B1\t3\n", source="games.tsv") == [Record(Rules(), ((0, 0), (0, 1)))]
    by_ply = 'id,move1,move2,move3\ng,0,4,?\nh,"0,1","1,1","2,2"\n'
    first, second = moves(by_ply, Rules())
    assert (first, second) == (((0, 0), (1, 1)), ((0, 1), (1, 1), (2, 2)))


def test_moves_in_columns_are_read_as_people_write_them() -> None:
    text = "Winner,Move 1-X (Row-Col),Move 2-O (Row-Col),Move 3-X\nX,0-0,1-1,---\n"
    (game,) = read(text, Rules())
    assert game == Record(Rules(), ((0, 0), (1, 1)), result=1)
    (claimed,) = read('{"n":3,"moves":[0,4],"winner":"O"}')
    assert claimed == Record(Rules(), ((0, 0), (1, 1)), result=2)


def test_row_that_cannot_be_read_costs_only_itself() -> None:
    text = "id,n,moves\na,3,a1\nb,3,a1,b2\nc,x,a1\nd,3,?\ne,3,b2\n"
    first, *bad, last = read(text)
    assert isinstance(first, Record)
    assert isinstance(last, Record)
    assert [problem(each)[1:] for each in bad] == [
        (3, "the row has 4 fields, but the header 3: quote moves that contain commas"),
        (4, "n must be a number, got 'x'"),
        (5, "expected moves such as h8 i9, 0,0 1,1 or 4453, got '?'"),
    ]


READINGS: dict[str, tuple[str, str, object, str]] = {
    "fields of a board": (
        "json",
        '{"board":["XXX","OO.","..."],"variant":"misere"}',
        None,
        "won 2",
    ),
    "k of a board": ("json", '{"board":["XX.","O..","..."],"k":2}', None, "won 1"),
    "columns of options": ("csv", "n,variant,moves\n3,misere,0 3 1 4 2\n", None, "won 2"),
    "plies out of order": ("csv", "move1,move3,move2\n0,2,1\n", Rules(), "pending 3"),
    "a score of two cells": ("moves", "12 5\n", Rules((10, 12), 4, gravity=True), "pending 2"),
    "a gap between plies": ("csv", "move1,move2,move3\n0,,2\n", Rules(), "refused"),
    "a column twice": ("csv", "id,moves,moves\na,0,1\n", Rules(), "refused"),
    "two columns for a ply": ("csv", "move1,move1.time,move2\n0,5,1\n", Rules(), "refused"),
    "too few fields": ("csv", "id,moves\na\n", Rules(), "refused"),
    "a line break in a field": ("csv", 'id,moves,result\na,"0 4\n8",1-0\n', Rules(), "refused"),
    "two games in one": ("moves", "1. A1 B1 C1\n2. B2 C2 A2\n", Rules(), "refused"),
    "missing numbers": ("moves", "1. h8 7. i9\n", GOMOKU, "refused"),
    "white first": ("moves", "1... i9 2. j10\n", GOMOKU, "refused"),
    "two results": ("moves", '[Result "1-0"]\n\na1 0-1\n', Rules(), "refused"),
    "pairs or numbers": ("moves", "7, 8, 6, 9\n", GOMOKU, "refused"),
    "moves and a board": (
        "json",
        '{"n":3,"moves":[],"board":["...","...","..."]}',
        None,
        "refused",
    ),
    "rows of plus signs": ("boards", "+++\n+X+\n+++\n", Rules(), "pending 1"),
    "too many marks": ("boards", ("XO" * 40 + "\n") * 40, Rules((40, 80), 41), "refused"),
    "a cut row": ("boards", "x,o,b,b,b,b,b,b,b,negative\nx,o\n", None, "refused"),
    "another encoding": ("rif", '<?xml version="1.0" encoding="foo"?><games />', None, "refused"),
}


@pytest.mark.parametrize("name", READINGS)
def test_text_is_not_read_wrongly(name: str) -> None:
    kind, text, rules, wanted = READINGS[name]
    *_, last = read(text, rules, format=kind)
    if isinstance(last, InvalidRecord):
        assert wanted == "refused", last
        return
    status, winner, ply, _ = verdict(last)
    assert wanted == f"{status} {winner or ply}"


def test_nested_archives_end_with_an_error() -> None:
    data = b"4453\n"
    for _ in range(430):
        data = gzip.compress(data)
    (only,) = read(data, "connect-four")
    assert problem(only)[2] == "the file is compressed more than 3 times"


# Replays


def replay(*columns: int | None, rewards: object = None, **more: object) -> dict[str, object]:
    """Return a replay of ConnectX in which these columns were played."""
    steps = [[{"action": 0, "status": "ACTIVE"}, {"action": 0, "status": "INACTIVE"}]]
    for ply, column in enumerate(columns):
        agents = [{"action": 0, "status": "ACTIVE" if ply % 2 else "INACTIVE"},
                  {"action": 0, "status": "INACTIVE" if ply % 2 else "ACTIVE"}]  # fmt: skip
        agents[ply % 2]["action"] = column  # type: ignore[assignment]
        steps.append(agents)  # type: ignore[arg-type]
    size = {"rows": 6, "columns": 7, "inarow": 4}
    fields = {"id": "r", "name": "connectx", "configuration": size, "steps": steps}
    return fields | {"rewards": rewards} | more


def test_replays_of_connectx_are_read() -> None:
    won = replay(3, 0, 3, 0, 3, 0, 3, rewards=[1, -1], info={"TeamNames": ["a", "b"]})
    for text in (json.dumps(won), json.dumps(won, indent=1), json.dumps([won, won], indent=1)):
        for record in read(text):
            assert isinstance(record, Record)
            assert verdict(record) == ("won", 1, 7, "confirmed")
            assert (record.id, record.names, record.moves[0]) == ("r", ("a", "b"), (5, 3))
    (failed,) = read(json.dumps(replay(3, None, rewards=[0, None])))
    assert verdict(failed) == ("pending", None, 1, None)
    (other,) = read(json.dumps(replay(3, name="chess")))
    assert "expected a replay of connectx or tictactoe, got 'chess'" in problem(other)[2]


@pytest.mark.parametrize(
    "text",
    [
        '{"n": 3, "moves": [\n[0, 0],\n[1, 1]]}\n',
        '{"n": 3, "moves": [[0, 0],\n[1, 1]]}\n',
        '{"n": 3, "moves":\n[[0, 0], [1, 1]]}\n',
        '{"n": 3, "board": [\n"X..",\n".O.",\n"..."]}\n',
    ],
)
def test_json_may_be_broken_anywhere(text: str) -> None:
    assert moves(text) == [((0, 0), (1, 1))]


def test_documents_of_json_are_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    from noughts.records import json_lines

    games = [{"n": 3, "moves": [[0, 0]]}, {"n": 3}, {"n": 4, "moves": []}]
    text = json.dumps(games, indent=2)
    for piece in (1, 7, 1 << 20):
        monkeypatch.setattr(json_lines, "PIECE", piece)
        first, bad, last = read(text)
        assert first == Record(Rules(), ((0, 0),))
        assert problem(bad)[1] == 11
        assert last == Record(Rules((4, 4)), ())
    *_, cut = read(text[:-1])
    assert problem(cut)[2] == "the file is cut off: a ] is missing"
    *_, broken = read(text.replace('"n": 4', '"n" 4'))
    assert "this is not JSON" in problem(broken)[2]


# RenjuNet

RIF = """<?xml version="1.0"?>
<database><players><player id="1" name="Ada" surname="Low" /></players><games>
<game id="7" black="1" white="2" bresult="1"><move>h8 h9 i8</move></game>
<game id="8" black="2" white="1" bresult="0.5"><move>h8 ?</move></game>
<game id="9" black="2" white="1" bresult="0"><move>a1 a2</move></game>
</games></database>
"""


def test_database_of_renjunet_is_read() -> None:
    renju = Rules.gomoku("renju")
    first, bad, last = read(RIF)
    assert first == Record(renju, ((7, 7), (6, 7), (7, 8)), "7", 1, ("Ada Low", ""))
    assert problem(bad)[2] == "game 8: expected a move such as h8 at column 4, got '?'"
    assert last == Record(renju, ((14, 0), (13, 0)), "9", 2, ("", "Ada Low"))
    *_, cut = read(RIF[:-30])
    assert problem(cut)[2].startswith("this is not XML: ")


# Formats

HEADS = {
    b"4453": "moves",
    b"h8 i9": "moves",
    b"1. h8": "moves",
    b"(0,0) (1,1)": "moves",
    b'[Rules "renju"]': "moves",
    b"h8h9": "pos",
    b"h8\nh8h9": "pos",
    b"h8\nh8 i9": "moves",
    b"ddec": "moves",
    b"d,d,e": "moves",
    b"XOX": "boards",
    b" X | O | X": "boards",
    b"0 1 0\n2 1 0\n0 0 0": "boards",
    b"x,o,b,b,b,b,b,b,b,negative": "boards",
    b"id,moves": "csv",
    b"moves\n": "csv",
    b"{": "json",
    b"[\n  {": "json",
    b'{"n": 3}': "jsonl",
    b"[[0,0]]": "jsonl",
    b"(;GM[4]": "sgf",
    b"Piskvorky 3x3": "psq",
    b"<?xml": "rif",
    b"\xffRenLib\xff\x03\x04": "lib",
    b"PAR1": "parquet",
}


@pytest.mark.parametrize("head", HEADS)
def test_content_decides_the_format(head: bytes) -> None:
    assert format_of(head) == HEADS[head]


def test_format_option_overrides_the_content() -> None:
    assert moves("h8h9", GOMOKU, format="moves") == [((7, 7), (8, 7))]
    with pytest.raises(ValueError, match=r"unknown format 'cvs': expected one of .*did you mean"):
        read_records(BytesIO(b""), "games", format="cvs")
    result = noughts("judge", "--format", "cvs", DATA / "games.csv")
    assert result.exit_code == 2
    assert "'csv'" in result.stderr


@st.composite
def records(draw: st.DrawFn) -> Record:
    rules = draw(
        st.sampled_from(
            [Rules(), CONNECT_FOUR, GOMOKU, Rules((3, 3, 3)), Rules((5,), 3), Rules((4, 5), 3, 3)]
        )
    )
    cell = st.tuples(*(st.integers(-1, side) for side in rules.shape))
    name = st.text("ab \"\\[]{}|,'", min_size=1, max_size=5)
    return Record(
        rules,
        tuple(draw(st.lists(cell, max_size=6))),
        draw(st.none() | name),
        draw(st.none() | st.integers(0, rules.players)),
        draw(st.just(()) | st.tuples(name, name)),
        draw(st.just("") | name),
    )


@pytest.mark.parametrize("name", ["jsonl", "json", "csv", "moves"])
@given(st.lists(records(), min_size=1, max_size=3))
def test_format_round_trips_what_it_holds(name: str, games: list[Record]) -> None:
    known = KNOWN[name]
    assert known.write
    text = known.header + known.between.join(map(known.write, games)) + known.footer
    back = read(text, format=name)
    assert len(back) == len(games)
    for before, after in zip(games, back, strict=True):
        assert isinstance(after, Record)
        assert (after.rules, after.moves, after.result) == (
            before.rules,
            before.moves,
            before.result,
        )
        if "comments" in known.holds:
            assert (after.names, after.comment) == (before.names, before.comment)
    assert format_of(text.encode()) == name


@given(st.lists(st.integers(0, 8), unique=True))
def test_boards_round_trip(cells: list[int]) -> None:
    from noughts import Game, IllegalMove

    game = Game()
    for cell in cells:
        try:
            game.play(divmod(cell, 3))
        except IllegalMove:
            break
    text = KNOWN["boards"].write(Record.of(game))  # type: ignore[misc]
    (back,) = read(text, format="boards")
    assert isinstance(back, Record)
    assert back.game().key() == game.key()


def test_convert_says_what_is_left_out(tmp_path: Path) -> None:
    source = tmp_path / "games.jsonl"
    source.write_text('{"id":"a","n":3,"moves":[[0,0]],"names":["x","y"],"comment":"c"}\n' * 2)
    for name in FORMATS:
        out = tmp_path / f"out{KNOWN[name].suffix}"
        if name == "psq":
            continue
        result = noughts("convert", source, out)
        assert result.exit_code == 0, result.stderr
        record = Record(Rules(), ((0, 0),), "a", None, ("x", "y"), "c")
        lost = [f"{part} (2 games)" for part in lost_parts(record, name)]
        wanted = f"left out: {', '.join(lost)}\n" if lost else ""
        assert result.stderr == f"2 games converted\n{wanted}"


# Compressed files


def test_compressed_files_are_read() -> None:
    text = (DATA / "columns.txt").read_bytes()
    wanted = moves(text.decode(), "connect-four")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("__MACOSX/x", "junk")
        written.writestr("a/columns.txt", text)
        written.writestr("columns.txt.gz", gzip.compress(text))
    import pyarrow as pa

    zstandard = pa.compress(text, "zstd", asbytes=True)
    for data, times in ((gzip.compress(text), 1), (zstandard, 1), (archive.getvalue(), 2)):
        found = [each.moves for each in read(data, "connect-four") if isinstance(each, Record)]
        assert found == wanted * times


@pytest.mark.parametrize("suffix", ["gz", "zst", "zip"])
def test_compressed_files_are_judged(suffix: str, tmp_path: Path) -> None:
    import pyarrow as pa

    text = (DATA / "games.csv").read_bytes()
    path = tmp_path / f"games.csv.{suffix}"
    if suffix == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("games.csv", text)
    else:
        zstandard = pa.compress(text, "zstd", asbytes=True)
        path.write_bytes(gzip.compress(text) if suffix == "gz" else zstandard)
    plain = noughts("judge", DATA / "games.csv").stdout
    assert noughts("judge", path).stdout == plain
    assert noughts("judge", "-", typed=path.read_bytes()).stdout == plain


def test_broken_archives_are_reported() -> None:
    text = b"4453\n" * 10_000
    *_, last = read(gzip.compress(text)[:-20], "connect-four")
    assert problem(last)[2].startswith("the compressed data is cut off or broken")
    (only,) = read(b"PK\x03\x04 no archive", "connect-four")
    assert problem(only)[2].startswith("cannot read this ZIP archive")


# Streams


@pytest.mark.parametrize("piece", [1, 2, 5, 64])
def test_sgf_is_read_alike_in_pieces(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from noughts.records import sgf

    text = "(;PB[[x]é]C[a\\]é\\\\];B[hh])\n\n(;\n;B[ii](;W[a(])(;W[jj]))\n(;B[zz];W[aa]) x"
    whole = read(text)
    monkeypatch.setattr(sgf, "PIECE", piece)
    assert [*map(repr, read(text))] == [*map(repr, whole)]
    assert problem(whole[-1])[1:] == (5, "expected ( before a game, got 'x'")


ENDLESS = {
    "moves": "4453\n",
    "csv": "a,4x4,a1 b1,1\n",
    "boards": "XO.\n...\n...\n\n",
    "psq": "Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n",
    "json": '{"n": 3,\n "moves": []},\n',
    "sgf": "(;GM[4]C[a\\]];B[hh](;W[hi])(;W[hg]))\n",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_memory_does_not_grow_with_the_file(name: str) -> None:
    games = read_records(stream(ENDLESS[name]), "endless", CONNECT_FOUR, format=name)
    if name == "csv":
        file = io.BufferedReader(
            io.BytesIO(b"id,rules,moves,result\n" + ENDLESS[name].encode() * 2_000)
        )
        games = read_records(file, "long", format=name)
    if name == "boards":
        games = read_records(stream(ENDLESS[name]), "endless", format=name)
    if name == "json":
        file = io.BufferedReader(io.BytesIO(b"[" + ENDLESS[name].encode() * 2_000))
        games = read_records(file, "long", format=name)
    assert all(isinstance(game, Record) for game in islice(games, 100))
    tracemalloc.start()
    try:
        for _ in islice(games, 500):
            pass
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


# What a reader of docs/records.md tried


def test_spaces_are_added_only_where_they_are_empty_cells() -> None:
    (uneven,) = read("XOX\n.O\n..X\n", format="boards")
    assert problem(uneven)[2] == "row 2 has 2 cells, but row 1 has 3"
    (padded,) = read("XOX\n O\n  X\n", format="boards")
    assert isinstance(padded, Record)
    assert len(padded.moves) == 5


BOARD = ((0, 0), (0, 1), (0, 2), (1, 1), (2, 2))


@pytest.mark.parametrize(
    "text",
    [
        "X\tO\tX\n\tO\t\n\t\tX\n",
        "X;O;X\n;O;\n;;X\n",
        "[[1, 2, 1],\n [0, 2, 0],\n [0, 0, 1]]\n",
        "[[ 1. -1.  1.]\n [ 0. -1.  0.]\n [ 0.  0.  1.]]\n",
        "array([[1, 2, 1],\n       [0, 2, 0],\n       [0, 0, 1]])\n",
        "  1 2 3\nA X O X\nB . O .\nC . . X\n",
        "3 X O X\n2 . O .\n1 . . X\n  a b c\n",
        "|X|O|X|\n|.|O|.|\n|.|.|X|\n a b c\n",
        "┌─┬─┬─┐\n│X│O│X│\n├─┼─┼─┤\n│ │O│ │\n├─┼─┼─┤\n│ │ │X│\n└─┴─┴─┘\n",
    ],
)
def test_boards_of_many_styles_are_the_same(text: str) -> None:
    (board,) = read(text, Rules())
    assert isinstance(board, Record), board
    assert sorted(board.moves) == [*BOARD]


def test_misspelt_rules_are_an_error_in_every_format() -> None:
    for text in ('[Rules "rnju"]\n\nh8 i9\n', "(;GM[4]RU[rnju];B[hh])"):
        (misspelt,) = read(text, GOMOKU)
        assert "did you mean 'renju'?" in problem(misspelt)[2]
    for text in ('[Rules "swap2"]\n\nh8 i9\n', "(;GM[4]RU[swap2];B[hh])"):
        (unknown,) = read(text, GOMOKU)
        assert isinstance(unknown, Record)
        assert unknown.rules == GOMOKU


def test_go_is_not_taken_for_gomoku() -> None:
    (game,) = read("(;FF[4]SZ[19];B[pd];W[dp])")
    assert problem(game)[2] == "without GM and RU this is a game of Go: pass --rules if not"
    (given,) = read("(;FF[4]SZ[19];B[pd];W[dp])", GOMOKU)
    assert isinstance(given, Record)


def test_comment_before_the_games_does_not_hide_them() -> None:
    assert moves("# Thursday\n\n# again\nh8 i9\n", GOMOKU) == [((7, 7), (8, 8))]


@pytest.mark.parametrize(
    ("text", "result"),
    [("1:0", 1), ("0–1", 2), ("½-½", 0), ("tie", 0), ("O won", 2), ("White resigns", 1)],
)
def test_result_after_the_moves_is_read(text: str, result: int) -> None:
    (game,) = read(f"1. a1 b2 2. c3 {{a remark}} {text}\n", Rules())
    assert isinstance(game, Record)
    assert (game.result, game.comment) == (result, "a remark")


def test_full_columns_and_unknown_cells_are_named() -> None:
    (full,) = read("4444444\n", CONNECT_FOUR)
    assert isinstance(full, Record)
    assert full.moves[-2:] == ((0, 3), (0, 3))
    (unknown,) = read("4444443\n", GOMOKU)
    assert problem(unknown)[2] == "cell 4444443 does not exist: cells are counted from 0 to 224"


# What forty more inputs of other people showed

SMALL = [(0, 2), (1, 1), (2, 0)]  # X in a corner, O in the centre, X opposite


@pytest.mark.parametrize(
    "text",
    [
        "  0 1 2\n0| | |X|0\n +-+-+-+\n1| |O| |1\n +-+-+-+\n2|X| | |2\n",
        "    0 1 2\n  -------\n 0| . . X\n 1| . O .\n 2| X . .\n",
        "=====\n| | |X|\n| |O| |\n|X| | |\n=====\n",
        "0,0,1 ,\n0,2,0 ,\n1,0,0\n",
        "{{0, 0, 1},\n {0, 2, 0},\n {1, 0, 0}};\n",
        "0 0 1 0 -1 0 1 0 0\n",
        "b,b,x,b,o,b,x,b,b,negative\n",
        "0, 0, 1, 0, -1, 0, 1, 0, 0, -1\n",
        '{"board": ["E","E","X","E","O","E","X","E","E"]}\n',
        "id,board\na,..X/.O./X..\nb,b b x b o b x b b\n",
    ],
)
def test_boards_of_yet_other_styles_are_the_same(text: str) -> None:
    for board in read(text):
        assert isinstance(board, Record), board
        assert sorted(board.moves) == SMALL


def test_letters_for_empty_cells_are_no_marks() -> None:
    for text in ('["E","E","E","E","E","E","E","E","E"]', "EEE/EEE/EEE", "[1,0,0,0,0,0,0,0,0]"):
        (board,) = read(f'{{"board": {text if text[0] == "[" else json.dumps(text)}}}')
        assert verdict(board)[:3] == ("pending", None, int("1" in text))
    (black,) = read("B . W\n. B .\n. . .\n")
    assert verdict(black)[2] == 3


def test_table_of_boards_has_the_columns_of_other_tables() -> None:
    text = "board;id;winner;x;o\nXXX/OO./...;a;X;Ada;Bo\nXXX/OO./...;b;O;;\nXQX/.../...;c;;;\n"
    first, second, bad = read(text)
    assert isinstance(first, Record)
    assert (first.id, first.names) == ("a", ("Ada", "Bo"))
    assert [verdict(each)[3] for each in (first, second)] == ["confirmed", "contradicted"]
    assert problem(bad)[1:] == (4, "'Q' is not a mark: write X and O or the player's number, "
                                   "and . for an empty cell")  # fmt: skip
    (flat,) = read(f"board,label\n{'0' * 39}120,D\n")
    assert "give the rules, for example connect-four" in problem(flat)[2]
    (given,) = read(f"board,label\n{'0' * 39}120,D\n", CONNECT_FOUR)
    assert isinstance(given, Record)
    assert given.moves == ((5, 4), (5, 5))


OBJECTS = [
    '{"row": 0, "col": 2}, {"row": 1, "column": 1}',
    '{"Row": 0, "Col": 2, "player": "X"}, {"Row": 1, "Col": 1, "player": "O"}',
    '{"player": 1, "position": [0, 2]}, {"player": 2, "position": [1, 1]}',
    '{"color": "black", "cell": "C1"}, {"color": "white", "cell": "B2"}',
    '{"move": 2, "by": "Ada"}, {"move": 4, "by": "Bo"}',
]


@pytest.mark.parametrize("moves_text", OBJECTS)
def test_moves_that_are_objects_are_read(moves_text: str) -> None:
    assert moves(f'{{"n": 3, "moves": [{moves_text}]}}') == [((0, 2), (1, 1))]


@pytest.mark.parametrize(
    ("moves_text", "message"),
    [
        ('{"row": 0, "col": 2, "player": "O"}', "moves[0] is by 'O', but player 1 is to move"),
        ('{"x": 0, "y": 2}', """moves[0] must have "row" and "col", or "cell", got {'x'"""),
        ('{"row": 0, "col": "b"}', "moves[0]'s coordinate must be an integer, not 'b'"),
        ('{"cell": {}}', "moves[0] must be a list of 2 integers, got {}"),
        ('{"row": 0, "col": 2}, [1, 1]', "moves[0] must be a list of 2 integers, got {'col'"),
    ],
)
def test_moves_that_are_other_objects_are_refused(moves_text: str, message: str) -> None:
    (refused,) = read(f'{{"n": 3, "moves": [{moves_text}]}}')
    assert problem(refused)[2].startswith(message)


def test_cells_as_python_prints_them_are_read() -> None:
    assert moves("[(7, 7), (8, 8)]\n[(7, 7)]\n", GOMOKU) == [((7, 7), (8, 8)), ((7, 7),)]


ROWS = "moves,n\na1,3\n"
MISTAKEN = {
    "a web page": (b"\n<!DOCTYPE html>\n<html>\n", "this is a web page: download the file that"),
    "UTF-16": (ROWS.encode("utf-16"), "the text is UTF-16: save the file as UTF-8"),
    "xz": (lzma.compress(ROWS.encode()), "this is compressed with xz: decompress it first"),
    "bzip2": (bz2.compress(ROWS.encode()), "this is compressed with bzip2: decompress it first"),
    "tar": (b"a.csv" + b"\0" * 252 + b"ustar", "this is a tar archive: unpack it first"),
    "bytes": (b"\5pq`_\x82", "this is not a text file"),
    "an empty archive": (b"PK\5\6" + b"\0" * 18, "no record: the file is empty"),
    "other XML": (b"<?xml version='1.0'?><svg/>", "expected <database>, got <svg>"),
    "Latin-1": (
        "moves,n,id\na1,3,é\n".encode("latin-1"),
        "the line is not UTF-8: byte 0xe9 at column 6; save the file as UTF-8",
    ),
    "old line ends": (b"a1 b2\rb1 b3\r", "a carriage return without a line feed: save the file"),
    "old line ends in a table": (b"moves,n\ra1,3\r", "a carriage return without a line feed"),
    "blank lines": (b"\n \n", "no record: the file is empty"),
    "columns from 0": (
        b"3304 -2\n",
        "column 0 does not exist: columns are counted from 1 to 7; add 1 to columns that are "
        "counted from 0",
    ),
    "offsets": (
        b"-7,-8, -6,-9, -3,-9\n",
        "cell -7 does not exist: cells are counted from 0 to 224; offsets from the centre are "
        "openings of noughts match",
    ),
    "no game": (b'{"turn": 6, "winner": null}', "moves must be a list of cells such as"),
}


@pytest.mark.parametrize("name", MISTAKEN)
def test_file_of_another_kind_gets_a_sentence(name: str) -> None:
    data, message = MISTAKEN[name]
    rules = "gomoku" if name == "offsets" else "connect-four"
    (only,) = read(data, rules, source="games.csv" if name == "blank lines" else "games")
    assert problem(only)[2].startswith(message)


def test_document_of_an_office_program_is_no_archive_of_games() -> None:
    sheet = BytesIO()
    with zipfile.ZipFile(sheet, "w") as written:
        written.writestr("[Content_Types].xml", "<Types/>")
        written.writestr("xl/workbook.xml", "<workbook/>")
    (only,) = read(sheet.getvalue(), source="games.xlsx")
    assert problem(only)[2] == "this is a document of an office program: save the table as CSV"


# What an attack found


def test_labels_do_not_become_marks() -> None:
    (spaced,) = read("  A B C\n0 X   O\n1   X O\n2 O X  \n", Rules(), format="boards")
    assert isinstance(spaced, Record)
    assert sorted(spaced.moves) == [(0, 0), (0, 2), (1, 1), (1, 2), (2, 0), (2, 1)]
    (unlabelled,) = read("A B C\nX . . .\nO . . .\n. . . .\n", Rules(), format="boards")
    assert "has 4 cells, but row 1 has 3" in problem(unlabelled)[2]
    (right,) = read("A B C\nX O . 1\nO X . 2\n", "2x3,k=3", format="boards")
    assert isinstance(right, Record)
    assert len(right.moves) == 4
    (outer,) = read(
        "   |   | X |   |   \n" * 2 + "   |   | O |   |   \n", "3x5,k=3", format="boards"
    )
    assert isinstance(outer, Record), outer
    assert sorted(outer.moves) == [(0, 2), (1, 2), (2, 2)]


def test_numbers_beside_marks_are_those_of_empty_cells() -> None:
    (numbered,) = read("1 | X | O\nO | O | X\nX | X | O\n", Rules(), format="boards")
    assert isinstance(numbered, Record)
    assert len(numbered.moves) == 8
    (other,) = read("3 | X | O\nO | O | X\nX | X | O\n", Rules(), format="boards")
    assert problem(other)[2] == "3 stands beside X and O, and is not the number of its cell, 1"
    (fen,) = read("XO1/OOX/XXO\n", Rules(), format="boards")
    assert isinstance(fen, Record)
    assert len(fen.moves) == 8
    (zeros,) = read("X0X\n0X0\nX0X\n", Rules(), format="boards")
    assert isinstance(zeros, Record)
    assert len(zeros.moves) == 9


def test_origin_counts_in_json_too() -> None:
    for text in (
        '{"n":3,"moves":"a1 b2"}',
        '{"n":3,"moves":["a1","b2"]}',
        '[{"n":3,"moves":"a1 b2"}]',
    ):
        assert moves(text, origin="bottom") == [((2, 0), (1, 1))]


def test_numbered_game_ends_with_its_result_or_a_blank_line() -> None:
    for text in ("1. a1 b1 2. a2 b2 3. a3\n1-0\n", "1. a1 b1 2. a2\nb2\n3. a3 1-0\n"):
        (game,) = read(text, Rules())
        assert isinstance(game, Record), game
        assert (len(game.moves), game.result) == (5, 1)


def test_numbers_are_no_names_of_rules() -> None:
    (sgf,) = read("(;GM[4]SZ[15]RU[9];B[hh])")
    assert problem(sgf)[2] == "unknown rules RU[9]: pass --rules"
    (game,) = read('[Game "3"]\n\nh8 h9\n', GOMOKU)
    assert isinstance(game, Record)
    assert game.rules == GOMOKU


@pytest.mark.parametrize("text", ["Player 0 wins", "0 won", "win"])
def test_result_without_a_winner_is_refused(text: str) -> None:
    with pytest.raises(InvalidRecord, match="a result must be"):
        read_result(text)


@pytest.mark.parametrize(
    "text",
    [
        "moves,result,winner\na1 b2,1,O\n",
        '{"n":3,"moves":[[0,0]],"result":1,"winner":"O"}',
        '[Result "1-0"]\n[Result "0-1"]\n\na1 b2\n',
    ],
)
def test_contradictory_results_are_refused(text: str) -> None:
    first = read(text, Rules())[0]
    assert re.search("result claims '?1'?, but winner 'O'|Result appears twice", problem(first)[2])


def test_winner_alone_is_a_claim() -> None:
    (game,) = read("moves,result,winner\na1 b2,,X\n", Rules())
    assert isinstance(game, Record)
    assert game.result == 1


def test_rules_stand_in_for_unknown_ones_in_every_format() -> None:
    for text in (
        "moves,rules\na1 b2,swap2\n",
        '{"rules":"swap2 thing","moves":[[0,0]]}',
        "Piskvorky 3x3, 0:0, 0\n1,1,0\n-1\nRules: swap2 thing\n",
    ):
        (game,) = read(text, Rules())
        assert isinstance(game, Record), game
        assert game.rules == Rules()


def test_archive_without_files_is_an_error() -> None:
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr(".hidden.txt", "4453")
    (empty,) = read(archive.getvalue(), source="games.zip")
    assert problem(empty) == ("games.zip", None, "no record: the file is empty")


def test_names_of_piskvork_are_readable_again() -> None:
    one = to_psq(Record(Rules(), ((0, 0),), names=("Ada",)))
    (back,) = read(one, Rules())
    assert isinstance(back, Record)
    assert back.names == ("Ada", "?")
    with pytest.raises(InvalidRecord, match="would not read 'Piskvorky bot' as a name"):
        to_psq(Record(Rules(), ((0, 0),), names=("Bob", "Piskvorky bot")))


def test_comments_on_moves_that_are_lost_are_reported() -> None:
    (game,) = read("(;GM[4]SZ[15]RU[renju];B[hh]C[good]BL[12]OB[3])")
    assert isinstance(game, Record)
    assert lost_parts(game, "jsonl") == ["comments on moves", "clocks"]
    assert lost_parts(game, "psq") == ["comments on moves", "clocks"]
