"""Records survive a round trip, and malformed lines are reported."""

from __future__ import annotations

from contextlib import suppress
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, InvalidRules, Rules
from noughts.errors import CellTaken
from noughts.records import CallList, Record
from records.reading import GOOD, GOOD_CALLS, GOOD_CALLS_LINES, GOOD_LINE, LONG, only, problem, read

OBJECT = 'expected an object such as {"n": 3, "moves": [[0, 0]]}'


# Round trips


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    sides = st.lists(st.integers(1, 14) | st.integers(1, 2**31 - 1), min_size=1, max_size=8)
    shape = tuple(draw(sides.filter(lambda sides: prod(sides) < 2**31)))
    k = draw(st.integers(1, max(shape)))
    players = draw(st.integers(2, 8))
    with suppress(InvalidRules):  # the board has too many lines for early draws
        return Rules(shape, k, players, draw(st.booleans()))
    return Rules(shape, k, players)


square_rules = st.builds(Rules.square, st.integers(1, 100))


@st.composite
def any_record(draw: st.DrawFn) -> Record:
    rules = draw(square_rules | any_rules())
    cell = st.tuples(*[st.integers()] * len(rules.shape))
    moves = draw(st.lists(cell, max_size=5))
    return Record(rules, tuple(moves), draw(st.none() | st.integers() | st.text()))


any_call = st.tuples(st.integers(), st.integers(), st.integers())
any_call_list = st.builds(
    CallList, st.integers(1, 1_000_000), st.lists(any_call, max_size=5).map(tuple)
)


@given(st.lists(any_record() | any_call_list, min_size=1, max_size=5))
def test_records_survive_a_round_trip(records: list[Record | CallList]) -> None:
    assert read("".join(f"{record.to_json()}\n" for record in records)) == records


def test_record_to_json_has_the_documented_form() -> None:
    assert Record(Rules(), ((0, 0), (1, 1)), "a1").to_json() == (
        '{"id":"a1","n":3,"moves":[[0,0],[1,1]]}'
    )
    assert Record(Rules((15, 15), k=5), (), 7).to_json() == (
        '{"id":7,"shape":[15,15],"k":5,"players":2,"moves":[]}'
    )
    assert Record(Rules((4,), players=3, early_draw=True), ((2,),)).to_json() == (
        '{"shape":[4],"k":4,"players":3,"early_draw":true,"moves":[[2]]}'
    )


def test_call_list_to_json_has_the_documented_form() -> None:
    assert GOOD_CALLS.to_json() == GOOD_CALLS_LINES


def test_game_survives_a_round_trip_by_record() -> None:
    game = Game.replay(Rules((4, 4), k=3), [(0, 0), (3, 3), (1, 1)])
    record = Record.of(game, id=5)
    assert record == Record(game.rules, ((0, 0), (3, 3), (1, 1)), 5)
    assert Record.of(game).id is None
    assert record.game() == game


def test_record_with_an_illegal_move_cannot_be_replayed() -> None:
    with pytest.raises(CellTaken, match=r"cell \(0, 0\) is already taken"):
        Record(Rules(), ((0, 0), (0, 0))).game()


# JSON Lines


@pytest.mark.parametrize(
    ("line", "record"),
    [
        ('{"n": 3, "moves": []}', Record(Rules(), ())),
        ('{"n": 3, "moves": [], "id": null}', Record(Rules(), ())),
        ('{"n": 3, "moves": [], "id": ""}', Record(Rules(), (), "")),
        ('{"n": 3, "moves": [], "id": "\\ud800"}', Record(Rules(), (), "\ud800")),
        ('{"n": 3, "moves": [[-1, 99]]}', Record(Rules(), ((-1, 99),))),
        ('{"n": 4, "k": 3, "moves": []}', Record(Rules((4, 4), 3), ())),
        ('{"n": 3, "k": null, "moves": []}', Record(Rules(), ())),
        ('{"n": 3, "players": 3, "moves": []}', Record(Rules(players=3), ())),
        ('{"n": 3, "early_draw": true, "moves": []}', Record(Rules(early_draw=True), ())),
        ('{"shape": [3, 3], "moves": []}', Record(Rules(), ())),
        ('{"shape": [7], "k": 3, "moves": [[6]]}', Record(Rules((7,), 3), ((6,),))),
        ('{"shape": [2, 2, 2], "moves": [[0, 1, 1]]}', Record(Rules((2, 2, 2)), ((0, 1, 1),))),
        ('{"n": 3, "moves": [], "date": "2024-05-01", "by": [1]}', Record(Rules(), ())),
        ('{"n": 4, "n": 3, "moves": [[0, 0]], "moves": []}', Record(Rules(), ())),
    ],
    ids=[
        "plain", "id null", "empty id", "lone surrogate", "off the board", "k", "k null",
        "players", "early draw", "shape", "one side", "three sides", "unknown keys ignored",
        "the last of duplicate keys counts",
    ],
)  # fmt: skip
def test_line_is_read_as_a_game(line: str, record: Record) -> None:
    assert only(line) == record


MALFORMED = {
    "plain text": ("hello", f"{OBJECT}; this is not JSON: expecting value at column 1"),
    "truncated": ('{"n": 3, "moves": [[0,', f"{OBJECT}; this is not JSON: expecting value "
                  "at column 23"),
    "truncated string": ('{"id": "a', f"{OBJECT}; this is not JSON: unterminated string "
                         "starting at at column 8"),
    "two objects": ('{"n":3,"moves":[]} {}', f"{OBJECT}; this is not JSON: extra data "
                    "at column 20"),
    "single quotes": ("{'n': 3}", f"{OBJECT}; this is not JSON: expecting property name "
                      "enclosed in double quotes at column 2"),
    "a number": ("3", f"{OBJECT}, got 3"),
    "null": ("null", f"{OBJECT}, got None"),
    "a string": ('"game"', f"{OBJECT}, got 'game'"),
    "5000 digits": (f'{{"n": {LONG}, "moves": []}}', f"{OBJECT}; a number is too long"),
    "nested too deep": ('{"n":' + "[" * 100_000, f"{OBJECT}; this is nested too deeply"),
    "neither n nor shape": ('{"moves": []}',
                            "the file does not name the rules: pass --rules (in Python, rules=), "
                            "for example gomoku"),
    "both n and shape": ('{"n":3,"shape":[3,3],"moves":[]}',
                         'a game needs exactly one of "n", "shape" and "rules"'),
    "n a float": ('{"n":3.0,"moves":[]}', "n must be an integer, not 3.0 (float)"),
    "n a bool": ('{"n":true,"moves":[]}', "n must be an integer, not True (bool)"),
    "n a string": ('{"n":"3","moves":[]}', "n must be an integer, not '3' (str)"),
    "n null": ('{"n":null,"moves":[]}', "n must be an integer, not None (NoneType)"),
    "n a list": ('{"n":[3],"moves":[]}', "n must be an integer, not [3] (list)"),
    "n not a number": ('{"n":NaN,"moves":[]}', "n must be an integer, not nan (float)"),
    "n infinite": ('{"n":1e999,"moves":[]}', "n must be an integer, not inf (float)"),
    "n zero": ('{"n":0,"moves":[]}', "every side of the board must be at least 1, got 0"),
    "n negative": ('{"n":-3,"moves":[]}', "every side of the board must be at least 1, got -3"),
    "shape a number": ('{"shape":3,"moves":[]}', "shape must be a list of sides, got 3"),
    "shape null": ('{"shape":null,"moves":[]}', "shape must be a list of sides, got None"),
    "shape a string": ('{"shape":"3x3","moves":[]}', "shape must be a list of sides, got '3x3'"),
    "shape an object": ('{"shape":{},"moves":[]}', "shape must be a list of sides, got {}"),
    "shape empty": ('{"shape":[],"moves":[]}', "a board has 1 to 8 dimensions, got 0"),
    "shape of nine sides": ('{"shape":[1,1,1,1,1,1,1,1,1],"moves":[]}',
                            "a board has 1 to 8 dimensions, got 9"),
    "a side a float": ('{"shape":[3,3.0],"moves":[]}',
                       "a side of the board must be an integer, not 3.0 (float)"),
    "a side a bool": ('{"shape":[true,3],"moves":[]}',
                      "a side of the board must be an integer, not True (bool)"),
    "a side a list": ('{"shape":[[3],3],"moves":[]}',
                      "a side of the board must be an integer, not [3] (list)"),
    "unequal sides without k": ('{"shape":[3,4],"moves":[]}',
                                "the sides of a 3×4 board differ: give k"),
    "k too large": ('{"n":3,"k":4,"moves":[]}', "k must be 1 to 3 on a 3×3 board, got 4"),
    "k zero": ('{"n":3,"k":0,"moves":[]}', "k must be 1 to 3 on a 3×3 board, got 0"),
    "k a float": ('{"n":3,"k":3.0,"moves":[]}', "k must be an integer, not 3.0 (float)"),
    "k a bool": ('{"n":3,"k":true,"moves":[]}', "k must be an integer, not True (bool)"),
    "k a string": ('{"n":3,"k":"3","moves":[]}', "k must be an integer, not '3' (str)"),
    "k a list": ('{"n":3,"k":[3],"moves":[]}', "k must be an integer, not [3] (list)"),
    "one player": ('{"n":3,"players":1,"moves":[]}', "players must be 2 to 8, got 1"),
    "nine players": ('{"n":3,"players":9,"moves":[]}', "players must be 2 to 8, got 9"),
    "players a float": ('{"n":3,"players":2.0,"moves":[]}',
                        "players must be an integer, not 2.0 (float)"),
    "players null": ('{"n":3,"players":null,"moves":[]}',
                     "players must be an integer, not None (NoneType)"),
    "players an object": ('{"n":3,"players":{},"moves":[]}',
                          "players must be an integer, not {} (dict)"),
    "early_draw a number": ('{"n":3,"early_draw":1,"moves":[]}',
                            "early_draw must be true or false, got 1"),
    "early_draw null": ('{"n":3,"early_draw":null,"moves":[]}',
                        "early_draw must be true or false, got None"),
    "early_draw a long list": ('{"n":3,"early_draw":[1,2,3,4,5,6,7,8,9],"moves":[]}',
                               "early_draw must be true or false, "
                               "got [1, 2, 3, 4, 5, 6, 7, 8, ...]"),
    "id a float": ('{"n":3,"id":1.5,"moves":[]}', "id must be a string or an integer, got 1.5"),
    "id a bool": ('{"n":3,"id":false,"moves":[]}', "id must be a string or an integer, got False"),
    "id a list": ('{"n":3,"id":["a"],"moves":[]}', "id must be a string or an integer, got ['a']"),
    "no moves": ('{"n":3}', "moves must be a list of cells such as [[0, 0], [1, 1]], "
                 "got no moves"),
    "moves null": ('{"n":3,"moves":null}', "moves must be a list of cells such as "
                   "[[0, 0], [1, 1]], got None"),
    "moves an object": ('{"n":3,"moves":{"0":[0,0]}}', "moves must be a list of cells such as "
                        "[[0, 0], [1, 1]], got {'0': [0, 0]}"),
    "moves other text": ('{"n":3,"moves":"b2 ?"}',
                         "expected a move such as h8 at column 4, got '?'"),
    "a cell a number": ('{"n":3,"moves":[[0,0],4]}',
                        "moves[1] must be a list of 2 integers, got 4"),
    "a cell a string": ('{"n":3,"moves":[[0,0],"b2"]}',
                        "moves[1] must be a list of 2 integers, got 'b2'"),
    "a name and a number": ('{"n":3,"moves":["b2",4]}',
                            "moves[1] must be one of the names of cells, as moves[0] is, got 4"),
    "a cell null": ('{"n":3,"moves":[null]}', "moves[0] must be a list of 2 integers, got None"),
    "a cell of one": ('{"n":3,"moves":[[0]]}', "moves[0] must be a list of 2 integers, got [0]"),
    "a cell of four": ('{"n":3,"moves":[[0,0,1,1]]}',
                       "moves[0] must be a list of 2 integers, got [0, 0, 1, 1]"),
    "another player's turn": ('{"n":3,"moves":[[0,0,1],[1,1,1]]}',
                              "move 2 must be 2 coordinates, or these and the player to move, 2, "
                              "got [1, 1, 1]"),
    "a flat cell in a cube": ('{"shape":[3,3,3],"moves":[[0,0]]}',
                              "moves[0] must be a list of 3 integers, got [0, 0]"),
    "a coordinate a float": ('{"n":3,"moves":[[0,0],[0,1.0]]}',
                             "moves[1]'s coordinate must be an integer, not 1.0 (float)"),
    "a coordinate a bool": ('{"n":3,"moves":[[true,0]]}',
                            "moves[0]'s coordinate must be an integer, not True (bool)"),
    "a coordinate a string": ('{"n":3,"moves":[["1",0]]}',
                              "moves[0]'s coordinate must be an integer, not '1' (str)"),
    "a coordinate null": ('{"n":3,"moves":[[0,null]]}',
                          "moves[0]'s coordinate must be an integer, not None (NoneType)"),
    "a coordinate nested": ('{"n":3,"moves":[[0,[1]]]}',
                            "moves[0]'s coordinate must be an integer, not [1] (list)"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "message"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_game_is_reported_and_does_not_affect_others(line: str, message: str) -> None:
    before, bad, after = read(f"{GOOD_LINE}\n{line}\n{GOOD_LINE}\n")
    assert problem(bad) == ("games.jsonl", 2, message)
    assert str(bad) == f"games.jsonl:2: {message}"
    assert before == after == GOOD


@pytest.mark.parametrize("value", ['"' + "x" * 100_000 + '"', "[" + "1," * 50_000 + "1]"])
@pytest.mark.parametrize("key", ["n", "shape", "k", "players", "early_draw", "id", "moves"])
def test_messages_stay_short_for_huge_values(key: str, value: str) -> None:
    fields = {"n": "3", "moves": "[]", key: value}
    if key == "shape":
        del fields["n"]
    record = only("{" + ",".join(f'"{name}":{json}' for name, json in fields.items()) + "}")
    if (key == "id" and value[0] == '"') or (key == "moves" and value[0] == "["):
        assert isinstance(record, Record)
    else:
        assert len(problem(record)[2]) < 200
