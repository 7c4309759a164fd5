"""Verdicts on records."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, Outcome, Rules, Termination
from noughts.bulk import Verdict, judge_record
from noughts.records import Record, read_records
from records.reading import EXAMPLES


def verdict(moves: list[tuple[int, ...]], *, early_draw: bool = False) -> str:
    return judge_record(Record(Rules(early_draw=early_draw), tuple(moves), "a1")).to_json()


def test_to_json_has_the_documented_form() -> None:
    moves: list[tuple[int, ...]] = [(2, 0), (0, 0), (2, 1), (0, 1), (1, 1), (1, 0), (2, 2)]
    assert verdict(moves) == (
        '{"id":"a1","status":"won","winner":1,"ply":7,"lines":[[[2,0],[2,1],[2,2]]]}'
    )
    assert verdict(moves[:6]) == ('{"id":"a1","status":"pending","winner":null,"ply":6,"lines":[]}')
    assert verdict([*moves[:6], (0, 0)]) == (
        '{"id":"a1","status":"illegal","winner":null,"ply":6,"lines":[],'
        '"code":"cell_taken","message":"cell (0, 0) is already taken"}'
    )


def test_win_of_two_lines_lists_both() -> None:
    moves: list[tuple[int, ...]] = [
        (0, 0), (1, 0), (0, 1), (1, 1), (1, 2), (2, 0), (2, 2), (2, 1), (0, 2),
    ]  # fmt: skip
    assert verdict(moves) == (
        '{"id":"a1","status":"won","winner":1,"ply":9,'
        '"lines":[[[0,0],[0,1],[0,2]],[[0,2],[1,2],[2,2]]]}'
    )


def test_third_player_can_win() -> None:
    moves = ((0,), (2,), (5,), (3,), (6,), (4,))
    assert judge_record(Record(Rules((7,), k=2, players=3), moves)).to_json() == (
        '{"id":null,"status":"won","winner":3,"ply":6,"lines":[[[4],[5]]]}'
    )


def test_draw_has_no_winner_and_no_lines() -> None:
    full: list[tuple[int, ...]] = [
        (1, 1), (0, 0), (0, 2), (2, 0), (1, 0), (1, 2), (2, 1), (0, 1), (2, 2),
    ]  # fmt: skip
    assert verdict(full) == '{"id":"a1","status":"draw","winner":null,"ply":9,"lines":[]}'


def test_early_draw_depends_on_the_rules() -> None:
    moves: list[tuple[int, ...]] = [(0, 0), (1, 0), (2, 1), (2, 2), (1, 2), (0, 1)]
    assert '"status":"pending"' in verdict(moves)
    assert '"status":"draw"' in verdict(moves, early_draw=True)


WON = ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2))


@pytest.mark.parametrize(
    ("moves", "ply", "code", "message"),
    [
        (((3, 0),), 0, "off_board", "cell (3, 0) is off the 3×3 board"),
        (((0, 0), (0, -1)), 1, "off_board", "cell (0, -1) is off the 3×3 board"),
        (((0, 0), (1, 1), (1, 1)), 2, "cell_taken", "cell (1, 1) is already taken"),
        ((*WON, (2, 2)), 5, "game_over", "the game is over: player 1 has won"),
    ],
)
def test_illegal_game_has_ply_code_and_message(
    moves: tuple[tuple[int, int], ...], ply: int, code: str, message: str
) -> None:
    record = Record(Rules(), (*moves, (2, 1)), "bad")  # later moves have no effect
    assert judge_record(record) == Verdict("bad", "illegal", None, ply, (), code, message)


def test_move_after_an_early_draw_is_illegal() -> None:
    moves = ((0, 0), (1, 0), (2, 1), (2, 2), (1, 2), (0, 1), (0, 2))
    found = judge_record(Record(Rules(early_draw=True), moves))
    assert (found.code, found.ply, found.message) == (
        "game_over", 6, "the game is over: it is a draw",
    )  # fmt: skip


def test_huge_coordinate_is_off_the_board() -> None:
    found = judge_record(Record(Rules(), ((10**4000, 0),)))
    assert found.code == "off_board"
    assert found.message is not None
    assert len(found.message) < 100


@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), max_size=12))
def test_judge_record_agrees_with_game(moves: list[tuple[int, int]]) -> None:
    found = judge_record(Record(Rules(), tuple(moves)))
    game = Game()
    for cell in moves:
        if error := game.why_illegal(cell):
            assert (found.status, found.code, found.message) == ("illegal", error.code, str(error))
            break
        game.play(cell)
    else:
        if game.outcome:
            assert (found.winner, found.lines) == (game.outcome.winner, game.outcome.lines)
            assert found.status == ("won" if found.winner else "draw")
        else:
            assert found == Verdict(None, "pending", None, len(moves))
    assert found.ply == game.ply


def test_examples_are_judged_correctly() -> None:
    with (EXAMPLES / "games.jsonl").open("rb") as file:
        records = list(read_records(file, "games.jsonl"))
    assert {record.id: judge_record(record).status for record in records
            if isinstance(record, Record)} == {
        "draw": "draw", "diagonal": "won", "last-cell-two-lines": "won", "unfinished": "pending",
        "taken-cell": "illegal", "nobody-can-win": "draw", "four-square": "draw", "gomoku": "won",
        "five-by-six": "won", "cube": "won", "three-players": "won",
    }  # fmt: skip
    by_id = {record.id: record for record in records if isinstance(record, Record)}
    assert by_id["nobody-can-win"].game().outcome == Outcome(Termination.NO_WIN_LEFT)
