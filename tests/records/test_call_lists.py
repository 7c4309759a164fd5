"""Reading and answering call lists."""

from __future__ import annotations

import pytest

from noughts.errors import CellTaken, GameOver, IllegalMove, OffBoard, UnknownPlayer
from noughts.records import MAX_LINE, CallList, answers_to_json
from records.reading import (
    GOOD,
    GOOD_CALLS,
    GOOD_CALLS_LINES,
    GOOD_LINE,
    LONG,
    Read,
    only,
    problem,
    read,
)

NAMES = 'expected an array of names such as ["TicTacToe", "move"]'
ARGUMENTS = "expected an array of arguments such as [[3], [0, 0, 1]]"


def call_list(names: str, arguments: str) -> Read:
    return only(f"{names}\n{arguments}\n")


def test_example_call_list_is_answered() -> None:
    found = call_list(
        '["TicTacToe","move","move","move","move","move","move","move"]',
        "[[3],[0,0,1],[0,2,2],[2,2,1],[1,1,2],[2,0,1],[1,0,2],[2,1,1]]",
    )
    assert isinstance(found, CallList)
    assert answers_to_json(found.answers()) == "[null,0,0,0,0,0,0,1]"


def test_call_list_without_moves_returns_null() -> None:
    found = call_list('["TicTacToe"]', "[[1]]")
    assert found == CallList(1, ())
    assert CallList(1, ()).answers() == [None]


def test_illegal_calls_return_errors_and_later_calls_count() -> None:
    calls = CallList(
        2, ((0, 0, 3), (0, 2, 1), (0, 0, 1), (0, 0, 2), (1, 0, 2), (1, 1, 1), (0, 1, 2))
    )
    answers = calls.answers()
    assert [type(answer) for answer in answers] == [
        type(None), UnknownPlayer, OffBoard, int, CellTaken, int, int, GameOver,
    ]  # fmt: skip
    assert [answer for answer in answers if not isinstance(answer, IllegalMove)] == [None, 0, 0, 1]
    assert answers_to_json(answers) == (
        '[null,{"code":"unknown_player","message":"player 3 is unknown: expected 1 or 2"},'
        '{"code":"off_board","message":"cell (0, 2) is off the 2\\u00d72 board"},0,'
        '{"code":"cell_taken","message":"cell (0, 0) is already taken"},0,1,'
        '{"code":"game_over","message":"the game is over: player 1 has won"}]'
    )


def test_file_may_hold_several_call_lists_and_blank_lines() -> None:
    pair = GOOD_CALLS_LINES.replace("\n", "\n\n")
    assert read(f"\n{pair}\n\n{pair}") == [GOOD_CALLS, GOOD_CALLS]


NAMES_ERRORS = {
    "not JSON": ('["TicTacToe",', f"{NAMES}; this is not JSON: expecting value at column 14"),
    "empty": ("[]", 'call 0 must be "TicTacToe", got an empty list'),
    "no constructor": ('["move","move"]', "call 0 must be \"TicTacToe\", got 'move'"),
    "another method": ('["TicTacToe","undo"]', "call 1 must be \"move\", got 'undo'"),
    "two constructors": ('["TicTacToe","TicTacToe"]', "call 1 must be \"move\", got 'TicTacToe'"),
    "a number": ('["TicTacToe",1]', 'call 1 must be "move", got 1'),
    "nested": ('[["TicTacToe"],"move"]', "call 0 must be \"TicTacToe\", got ['TicTacToe']"),
    "nested too deep": ('["TicTacToe",' + "[" * 100_000, f"{NAMES}; this is nested too deeply"),
}

ARGUMENTS_ERRORS = {
    "not JSON": ("[[2],[1,0,2]", f"{ARGUMENTS}; this is not JSON: expecting ',' delimiter at "
                 "column 13"),
    "not an array": ("3", f"{ARGUMENTS}, got 3"),
    "too long a number": (f"[[{LONG}],[1,0,2]]", f"{ARGUMENTS}; a number is too long"),
    "too few": ("[[2]]", "expected the arguments of 2 calls, got 1"),
    "too many": ("[[2],[1,0,2],[0,0,1]]", "expected the arguments of 2 calls, got 3"),
    "none": ("[]", "expected the arguments of 2 calls, got 0"),
    "n bare": ("[2,[1,0,2]]", "the arguments of call 0 must be [n], got 2"),
    "n twice": ("[[2,2],[1,0,2]]", "the arguments of call 0 must be [n], got [2, 2]"),
    "n missing": ("[[],[1,0,2]]", "the arguments of call 0 must be [n], got []"),
    "n zero": ("[[0],[1,0,2]]", "n must be 1 to 1,000,000 in a call list, got 0"),
    "n negative": ("[[-1],[1,0,2]]", "n must be 1 to 1,000,000 in a call list, got -1"),
    "n too large": ("[[1000001],[1,0,2]]", "n must be 1 to 1,000,000 in a call list, got 1000001"),
    "n beyond all bounds": (f"[[{'9' * 4300}],[1,0,2]]", "n must be 1 to 1,000,000 in a call list, "
                            "got an integer of 14285 bits"),
    "n a float": ("[[2.0],[1,0,2]]", "an argument of call 0 must be an integer, not 2.0 (float)"),
    "n a bool": ("[[true],[1,0,2]]", "an argument of call 0 must be an integer, not True (bool)"),
    "a move of two": ("[[2],[1,0]]",
                      "the arguments of call 1 must be [row, col, player], got [1, 0]"),
    "a move of four": ("[[2],[1,0,2,3]]",
                       "the arguments of call 1 must be [row, col, player], got [1, 0, 2, 3]"),
    "a move null": ("[[2],null]", "the arguments of call 1 must be [row, col, player], got None"),
    "a row a string": ('[[2],["1",0,2]]',
                       "an argument of call 1 must be an integer, not '1' (str)"),
    "a player null": ("[[2],[1,0,null]]",
                      "an argument of call 1 must be an integer, not None (NoneType)"),
    "a column nested": ("[[2],[1,[0],2]]",
                        "an argument of call 1 must be an integer, not [0] (list)"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "message"), NAMES_ERRORS.values(), ids=NAMES_ERRORS)
def test_bad_names_are_reported_with_their_line(line: str, message: str) -> None:
    before, bad, after = read(
        f"{GOOD_CALLS_LINES}\n{line}\n[[2],[1,0,2]]\n{GOOD_CALLS_LINES}\n", "calls.json"
    )
    assert problem(bad) == ("calls.json", 3, message)
    assert before == after == GOOD_CALLS


@pytest.mark.parametrize(("line", "message"), ARGUMENTS_ERRORS.values(), ids=ARGUMENTS_ERRORS)
def test_bad_arguments_are_reported_with_their_line(line: str, message: str) -> None:
    before, bad, after = read(
        f'{GOOD_CALLS_LINES}\n["TicTacToe","move"]\n{line}\n{GOOD_CALLS_LINES}\n', "calls.json"
    )
    assert problem(bad) == ("calls.json", 4, message)
    assert before == after == GOOD_CALLS


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            b"[[2],[1,0,\xb2]]",
            "the line is not UTF-8: byte 0xb2 at column 11; save the file as UTF-8",
        ),
        (b"[[2]," + b" " * MAX_LINE, "the line is longer than 4 MiB"),
    ],
)
def test_arguments_that_are_not_text_are_reported(line: bytes, message: str) -> None:
    good = GOOD_CALLS_LINES.encode()
    bad, after = read(b'["TicTacToe","move"]\n' + line + b"\n" + good)
    assert problem(bad) == ("games.jsonl", 2, message)
    assert after == GOOD_CALLS


NO_ARGUMENTS = "expected a line of arguments after these names"


def test_call_list_cut_after_its_names_is_reported() -> None:
    good, bad = read(GOOD_CALLS_LINES + '\n["TicTacToe","move"]\n')
    assert good == GOOD_CALLS
    assert problem(bad) == ("games.jsonl", 3, NO_ARGUMENTS)


@pytest.mark.parametrize("after", [GOOD_CALLS_LINES, GOOD_LINE], ids=["a call list", "a game"])
def test_names_without_arguments_do_not_affect_the_next_record(after: str) -> None:
    bad, good = read(f'["TicTacToe"]\n{after}\n')
    assert problem(bad) == ("games.jsonl", 1, NO_ARGUMENTS)
    assert good in (GOOD_CALLS, GOOD)


STRAY = [b"[[0,0],[1,1]]", b"[1]", b"[", b"]", b"{}", b"text", b"\xff", b"[\xff", b'["']


@pytest.mark.parametrize("line", STRAY)
def test_stray_first_line_does_not_affect_the_games(line: bytes) -> None:
    bad, *games = read(line + f"\n{GOOD_LINE}\n{GOOD_LINE}\n".encode())
    assert problem(bad)[:2] == ("games.jsonl", 1)
    assert games == [GOOD, GOOD]
