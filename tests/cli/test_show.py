"""The commands `noughts trace` and `noughts show`."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from commands import GAMES, GOOD, noughts, process
from golden import golden
from noughts import Game, Rules
from noughts.picture import text

pytestmark = pytest.mark.usefixtures("plain_terminal")


# trace


@pytest.mark.parametrize("referee", ["scan", "tallies", "signed"])
def test_trace_prints_the_numbers_of_the_referee(referee: str) -> None:
    result = noughts("trace", GAMES, "--id", "diagonal", "--referee", referee)
    assert result.stdout == golden(f"trace-{referee}.txt", result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")


def test_trace_defaults_to_signed_sums_and_the_first_game() -> None:
    plain = noughts("trace", GAMES)
    assert plain.stdout == noughts("trace", GAMES, "--id", "draw", "--referee", "signed").stdout
    assert plain.stdout.startswith("SignedSums on a 3×3 board\n")
    assert plain.stdout.endswith("verdict 0\n")


def test_trace_reads_standard_input() -> None:
    result = noughts("trace", typed=GOOD)
    assert "1. X plays B2: row 1, column 1" in result.stdout
    assert result.exit_code == 0


@pytest.mark.parametrize("referee", ["scan", "tallies", "signed"])
def test_trace_aligns_wide_boards_and_long_sums(referee: str) -> None:
    row = ",".join(f"[0,{col}],[1,{col}]" for col in range(11))
    result = noughts("trace", "--referee", referee, typed=f'{{"n":12,"moves":[{row}]}}')
    last = result.stdout[result.stdout.index("22. ") :]
    assert last == golden(f"trace-wide-{referee}.txt", last)


EARLY = (  # after six moves no player can win
    '{"shape":[3,3],"k":3,"early_draw":true,"moves":[[0,0],[1,0],[2,1],[2,2],[1,2],[0,1],[2,0]]}'
)


@pytest.mark.parametrize(
    ("arguments", "typed", "illegal"),
    [
        ([GAMES, "--id", "taken-cell"], "", (3, "cell (0, 0) is already taken")),
        ([], EARLY, (7, "the game is over: it is a draw")),
    ],
)
def test_trace_exits_1_at_an_illegal_move(
    arguments: list[str | Path], typed: str, illegal: tuple[int, str]
) -> None:
    result = noughts("trace", *arguments, typed=typed)
    ply, reason = illegal
    assert result.exit_code == 1
    assert result.stdout.endswith(f"\n\n{ply}. illegal, so nothing changes: {reason}\n")


def test_trace_of_a_call_list_continues_after_an_illegal_call() -> None:
    calls = '["TicTacToe","move","move","move"]\n[[2],[0,0,2],[0,0,1],[1,1,2]]\n'
    result = noughts("trace", typed=calls)
    assert result.stdout == golden("trace-refused-call.txt", result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")


# Picking a game


@pytest.mark.parametrize("command", ["trace", "show"])
def test_file_without_games_exits_2(command: str) -> None:
    result = noughts(command, typed="oops\n")
    assert (result.exit_code, result.stdout) == (2, "")
    first, second = result.stderr.splitlines()
    assert first.startswith("standard input: noughts knows no format")
    assert second == "noughts: no game in standard input"


def test_missing_file_exits_2() -> None:
    done = process("show", "missing.jsonl")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"noughts: missing.jsonl: No such file or directory\n"


@pytest.mark.parametrize("command", ["show", "judge"])
def test_name_that_is_not_utf_8_is_printed_with_question_marks(command: str) -> None:
    done = process(command, "n\udcff.jsonl")
    assert done.returncode == 2
    assert done.stderr.startswith(b"noughts: n?.jsonl: No such file or directory\n")


@pytest.mark.parametrize("command", ["trace", "show"])
def test_bad_line_before_the_game_is_reported_and_skipped(command: str) -> None:
    result = noughts(command, typed="oops\n" + GOOD)
    assert result.exit_code == 0
    assert result.stderr.startswith("standard input:1: ")
    assert "X" in result.stdout


def test_numeric_id_is_found() -> None:
    games = '{"id":7,"n":3,"moves":[]}\n{"id":8,"n":3,"moves":[[0,0]]}\n'
    assert noughts("show", "--id", "8", typed=games).stdout.startswith("8 · 3×3")


# show


def test_show_draws_the_first_game() -> None:
    result = noughts("show", GAMES)
    assert result.stdout == golden("show.txt", result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("game", ["diagonal", "cube", "three-players", "gomoku"])
def test_show_draws_the_game_of_an_id(game: str) -> None:
    result = noughts("show", GAMES, "--id", game)
    assert result.stdout == golden(f"show-{game}.txt", result.stdout)


def test_show_draws_the_board_after_some_moves() -> None:
    result = noughts("show", GAMES, "--id", "diagonal", "--ply", "2")
    assert "ply 2 · X to move" in result.stdout
    assert " 1  X  O  ·\n" in result.stdout
    assert "ply 0 · X to move" in noughts("show", GAMES, "--ply", "0").stdout


def test_show_draws_the_last_board_if_ply_exceeds_the_game() -> None:
    result = noughts("show", GAMES, "--ply", "99")
    assert result.stdout == noughts("show", GAMES).stdout
    assert (result.exit_code, result.stderr) == (0, "noughts: the game has only 9 moves\n")
    assert noughts("show", GAMES, "--ply", "9").stderr == ""


def test_show_draws_svg() -> None:
    result = noughts("show", GAMES, "--id", "diagonal", "--svg")
    assert result.stdout == golden("diagonal.svg", result.stdout)


@pytest.mark.parametrize("option", ["--out", "-o"])
def test_show_writes_to_a_file(tmp_path: Path, option: str) -> None:
    picture = tmp_path / "picture"
    game = Game.replay(Rules(), [(0, 0), (0, 1), (1, 1), (0, 2), (2, 2)])
    result = noughts("show", GAMES, "--id", "diagonal", option, picture)
    assert (result.exit_code, result.output) == (0, "")
    assert picture.read_text("utf-8") == text(game) + "\n"
    noughts("show", GAMES, "--id", "diagonal", "--svg", option, picture)
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_show_draws_up_to_an_illegal_move_and_exits_1() -> None:
    result = noughts("show", GAMES, "--id", "taken-cell")
    assert result.exit_code == 1
    assert "taken-cell · 3×3, 3 in a row · ply 2 · X to move" in result.stdout
    assert result.stderr == "noughts: move 3 is illegal: cell (0, 0) is already taken\n"


def test_show_ignores_an_illegal_move_after_the_given_ply() -> None:
    result = noughts("show", GAMES, "--id", "taken-cell", "--ply", "2")
    assert (result.exit_code, result.stderr) == (0, "")


def test_show_labels_a_game_without_id_by_its_source() -> None:
    result = noughts("show", typed='{"n":3,"moves":[]}')
    assert result.stdout.startswith("standard input · 3×3, 3 in a row · ply 0 · X to move\n\n")


def test_show_prints_an_id_unchanged_on_one_line() -> None:
    name = "a [red]b[/] :cat: " + "c" * 100
    result = noughts("show", typed=f'{{"id":"{name}","n":3,"moves":[]}}')
    assert result.stdout.splitlines()[0].startswith(f"{name} · 3×3")


@pytest.mark.parametrize("character", ["\\u001b", "\\ud800", "\\n", "\\u0000", "\\u202e"])
def test_show_escapes_control_characters_in_ids(character: str) -> None:
    result = noughts("show", typed=f'{{"id":"a{character}","n":3,"moves":[]}}')
    assert result.exit_code == 0
    first = result.stdout.splitlines()[0]
    assert re.match(r"'a\\\w+' · 3×3", first)


# play
