"""Boards as people see them: text, SVG, and the names of cells."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from pathlib import Path
from runpy import run_path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden import golden
from noughts import Game, Rules, TicTacToe
from noughts.picture import THEMES, cell_name, column_name, read_cell, standing, svg, symbol, text
from noughts.records import Record, read_records
from noughts.referee.tictactoe import TicTacToe as Definition
from oracle import board

with (Path(__file__).parents[2] / "examples" / "games.jsonl").open("rb") as file:
    EXAMPLES = {
        str(record.id): Game.replay(record.rules, record.moves)
        for record in read_records(file, "games.jsonl")
        if isinstance(record, Record) and record.id != "taken-cell"
    }


def players_in_a_row(players: int) -> Game:
    """Return a game on one row in which every player has made one move."""
    rules = Rules((1, players + 1), k=players + 1, players=players)
    return Game.replay(rules, [(0, col) for col in range(players)])


RENJU = Game.replay(
    Rules((9, 9), 5, variant="renju"),
    [(4, 4), (0, 0), (4, 5), (0, 2), (5, 3), (0, 4), (6, 3), (0, 6)],
)

BOARDS = {
    "diagonal": EXAMPLES["diagonal"],
    "two-lines": EXAMPLES["last-cell-two-lines"],
    "unfinished": EXAMPLES["unfinished"],
    "gomoku": EXAMPLES["gomoku"],
    "cube": EXAMPLES["cube"],
    "three-players": EXAMPLES["three-players"],
    "empty": Game(),
    "one-cell": Game.replay(Rules.square(1), [(0, 0)]),
    "one-row": Game.replay(Rules((12,), k=3), [(3,), (0,), (4,), (11,), (5,)]),
    "across-planes": Game.replay(Rules((2, 2, 2)), [(0, 0, 0), (0, 1, 0), (1, 1, 1)]),
    "four-dimensions": Game.replay(Rules((2, 2, 2, 3), k=2), [(0, 1, 0, 2), (1, 0, 1, 0)]),
    "many-columns": Game.replay(Rules((2, 30), k=3), [(0, 0), (1, 25), (0, 26), (1, 29)]),
    "many-rows": Game.replay(Rules((101, 2), k=2), [(0, 0), (99, 1), (100, 1)]),
    "very-wide": Game.replay(Rules((1, 704), k=2), [(0, 701), (0, 703), (0, 702)]),
    "eight-players": players_in_a_row(8),
    "renju": RENJU,
}


# Text


@pytest.mark.parametrize("name", BOARDS)
def test_text_matches_golden_file(name: str) -> None:
    board = text(BOARDS[name])
    assert board == golden(f"{name}.txt", board)


@pytest.mark.parametrize("name", BOARDS)
def test_text_has_no_trailing_blanks_or_newline(name: str) -> None:
    lines = text(BOARDS[name]).split("\n")
    assert lines[-1]
    assert [line for line in lines if line != line.rstrip()] == []


def test_game_prints_as_its_board() -> None:
    game = EXAMPLES["diagonal"]
    assert str(game) == text(game)


def test_columns_are_aligned_with_their_names() -> None:
    header, row, _ = text(BOARDS["many-columns"]).split("\n")
    for name in ("A", "AA"):
        below = row[header.index(f" {name} ") + 1 :][: len(name)]
        assert below.strip(" ") == "X"


def test_players_have_distinct_symbols() -> None:
    symbols = [symbol(player) for player in range(9)]
    assert symbols == ["·", "X", "O", "3", "4", "5", "6", "7", "8"]


def test_standing_names_the_turn_or_the_result() -> None:
    assert standing(Game()) == "X to move"
    assert standing(Game.replay(Rules(), [(0, 0)])) == "O to move"
    assert standing(Game.replay(Rules(players=3), [(0, 0), (0, 1)])) == "3 to move"
    assert standing(EXAMPLES["diagonal"]) == "X wins"
    assert standing(EXAMPLES["gomoku"]) == "O wins"
    assert standing(EXAMPLES["draw"]) == "draw: no moves left"
    assert standing(EXAMPLES["nobody-can-win"]) == "draw: no player can win"


@pytest.mark.parametrize(
    ("name", "theme"),
    [
        ("gomoku", "stones"),
        ("three-players", "stones"),
        ("cube", "stones"),
        ("diagonal", "discs"),
        ("two-lines", "discs"),
    ],
)
def test_svg_in_another_theme_matches_golden_file(name: str, theme: str) -> None:
    drawn = svg(BOARDS[name], theme)
    assert drawn == golden(f"{name}-{theme}.svg", drawn)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", BOARDS)
def test_theme_changes_only_the_marks(name: str, theme: str) -> None:
    game = BOARDS[name]
    root, plain = (ElementTree.fromstring(svg(game, its)) for its in (theme, "marks"))
    tag = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(".//*[@class='mark']")) == len(game.history)
    texts = [[text.text for text in its.iter(f"{tag}text")] for its in (root, plain)]
    assert texts[0] == texts[1]
    assert root.attrib == plain.attrib


def test_unknown_theme_is_rejected() -> None:
    with pytest.raises(ValueError, match="theme must be one of marks, stones, discs, not 'wood'"):
        svg(Game(), "wood")


def test_fouls_are_marked_only_on_blacks_turn() -> None:
    board = RENJU.copy()
    assert (text(board).count("×"), svg(board).count("l8 8m0 -8l-8 8")) == (1, 1)
    board.play((8, 8))
    assert "×" not in text(board)
    assert "l8 8m0 -8l-8 8" not in svg(board)


# Cells


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ((0, 0), "A1"),
        ((2, 1), "B3"),
        ((9, 25), "Z10"),
        ((9, 26), "AA10"),
        ((0, 701), "ZZ1"),
        ((0, 702), "AAA1"),
        ((4,), "E1"),
        ((1, 2, 1), "2/B3"),
        ((0, 10, 0, 0), "1/11/A1"),
    ],
)
def test_cell_is_named_as_in_a_spreadsheet(cell: tuple[int, ...], name: str) -> None:
    assert cell_name(cell) == name
    assert read_cell(name, len(cell)) == cell
    assert read_cell(name.lower(), len(cell)) == cell


cells = st.lists(st.integers(0, 10**8), min_size=1, max_size=8).map(tuple)


@given(cells)
def test_cell_name_survives_the_round_trip(cell: tuple[int, ...]) -> None:
    assert read_cell(cell_name(cell), len(cell)) == cell


@given(st.lists(st.integers(-(10**8), 10**8), min_size=1, max_size=8).map(tuple))
def test_coordinates_survive_the_round_trip(cell: tuple[int, ...]) -> None:
    assert read_cell(",".join(map(str, cell)), len(cell)) == cell
    assert read_cell(repr(cell), len(cell)) == cell


def test_column_names_are_distinct_and_in_spreadsheet_order() -> None:
    names = [column_name(col) for col in range(20_000)]
    assert names == sorted(set(names), key=lambda name: (len(name), name))
    assert names[:2] + names[25:28] == ["A", "B", "Z", "AA", "AB"]


@pytest.mark.parametrize("written", [" b3 ", "2,1", " 2 , 1 ", "(2, 1)", "( 2,1 )", "2,1,", "B3"])
def test_read_cell_accepts_several_forms(written: str) -> None:
    assert read_cell(written) == (2, 1)


def test_read_cell_accepts_cells_off_the_board() -> None:
    assert read_cell("zz99") == (98, 701)
    assert read_cell("-1,0") == (-1, 0)
    assert read_cell("a0") == (-1, 0)


NO_CELLS = ["", " ", "b", "3", "3b", "b3c", "b 3", "b-1", "é1", "b٣", "٣,1", "1.0,2", "2;1",
            "1,2,3", "1/b3", "b3\nb4", "b3\0", "quit", "[b3]", "1,", ",1", "a1234567890",
            "abcdefg1", "1,1234567890"]  # fmt: skip


@pytest.mark.parametrize("written", NO_CELLS)
def test_read_cell_rejects_other_text(written: str) -> None:
    with pytest.raises(ValueError, match="is not a cell") as refusal:
        read_cell(written)
    assert str(refusal.value) == f"{written.strip()!r} is not a cell: write b3 or 2,1"


@pytest.mark.parametrize(
    ("dimensions", "written", "examples"),
    [
        (1, "b2", "b1 or 1"),
        (1, "0,1", "b1 or 1"),
        (3, "b3", "1/b3 or 0,2,1"),
        (3, "1/1/b3", "1/b3 or 0,2,1"),
        (4, "1/b3", "1/1/b3 or 0,0,2,1"),
    ],
)
def test_read_cell_error_has_examples_of_the_same_dimension(
    dimensions: int, written: str, examples: str
) -> None:
    with pytest.raises(ValueError, match="is not a cell") as refusal:
        read_cell(written, dimensions)
    assert str(refusal.value) == f"{written!r} is not a cell: write {examples}"
    for example in examples.split(" or "):
        assert len(read_cell(example, dimensions)) == dimensions


@given(st.text(max_size=12), st.integers(1, 8))
def test_read_cell_accepts_or_rejects_any_text(written: str, dimensions: int) -> None:
    try:
        cell = read_cell(written, dimensions)
    except ValueError:
        return
    assert len(cell) == dimensions


# SVG

SVG = "{http://www.w3.org/2000/svg}"


def elements(game: Game) -> list[ElementTree.Element]:
    """Return the elements of the game's SVG, which must be well-formed XML."""
    return list(ElementTree.fromstring(svg(game)).iter())


def marks(game: Game) -> list[tuple[str, str | None]]:
    """Return the shape and colour of each mark."""
    return [
        (element.tag.removeprefix(SVG), element.get("stroke"))
        for element in elements(game)
        if element.get("class") == "mark"
    ]


def drawn_lines(game: Game) -> list[str | None]:
    return [
        element.get("d") for element in elements(game) if element.get("stroke") == "var(--line)"
    ]


@pytest.mark.parametrize("name", ["diagonal", "cube", "three-players", "across-planes"])
def test_svg_matches_golden_file(name: str) -> None:
    picture = svg(BOARDS[name])
    assert picture == golden(f"{name}.svg", picture)


def test_notebook_shows_the_svg() -> None:
    game = EXAMPLES["diagonal"]
    assert game._repr_svg_() == svg(game)


@pytest.mark.parametrize("kind", [TicTacToe, Definition], ids=["used", "definition"])
def test_referee_shows_its_sums_and_taken_cells(kind: type[TicTacToe]) -> None:
    def shown(checked: bool) -> ElementTree.Element:
        game = kind(2, checked=checked)
        for move in [(0, 0, 2), (1, 0, 1), (1, 1, 2)]:
            game.move(*move)
        return ElementTree.fromstring(game._repr_svg_() or "")

    texts = [each.text for each in shown(True) if each.tag.endswith("text")]
    assert texts == ["A", "1", "B", "2", "−1", "0", "0", "−1", "−2", "+1"]
    dots = [
        [each.tag for each in shown(checked)].count(f"{SVG}circle") for checked in (True, False)
    ]
    assert dots == [3, 0]
    assert kind(26)._repr_svg_() is None


@pytest.mark.parametrize("name", BOARDS)
def test_svg_has_one_shape_per_mark_in_its_players_colour(name: str) -> None:
    game = BOARDS[name]
    shapes = {1: "path", 2: "circle"}
    assert marks(game) == [
        (shapes.get(player, "polygon"), f"var(--p{player})")
        for player in (game.mark(cell) for cell in game.history)
    ]


def test_cells_have_distinct_places() -> None:
    rules = Rules((2, 3, 2, 4), k=4)
    rings = set()
    for cell in board(rules.shape):
        other = (0, 0, 0, 0) if any(cell) else (1, 2, 1, 3)
        game = Game.replay(rules, [other, cell])
        (ring,) = [element for element in elements(game) if element.tag == f"{SVG}circle"]
        rings.add((ring.get("cx"), ring.get("cy")))
    assert len(rings) == rules.cells
    assert ("50", "50") in rings


def test_polygon_has_one_corner_per_player_number() -> None:
    polygons = [
        element for element in elements(players_in_a_row(8)) if element.tag == f"{SVG}polygon"
    ]
    corners = [len((polygon.get("points") or "").split()) for polygon in polygons]
    assert corners == [3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("diagonal", ["M50 50L130 130"]),
        ("two-lines", ["M50 50L130 50", "M130 50L130 130"]),
        ("one-row", ["M170 50L250 50"]),
        ("cube", ["M602 90L722 90"]),
        ("unfinished", []),
        ("across-planes", []),
    ],
)
def test_winning_line_in_one_plane_is_drawn_from_end_to_end(name: str, lines: list[str]) -> None:
    assert drawn_lines(BOARDS[name]) == lines


def tints(game: Game, kind: str) -> list[tuple[str | None, str | None]]:
    return [
        (element.get("x"), element.get("y"))
        for element in elements(game)
        if element.get("fill") == f"var(--{kind})"
    ]


def test_winning_cells_are_tinted_otherwise_the_last_move() -> None:
    won = EXAMPLES["diagonal"]
    assert tints(won, "win") == [("30", "30"), ("70", "70"), ("110", "110")]
    assert tints(won, "last") == []
    pending = EXAMPLES["unfinished"]
    assert tints(pending, "win") == []
    assert tints(pending, "last") == [("30", "30")]
    assert tints(Game(), "last") == []


@pytest.mark.parametrize("name", BOARDS)
def test_svg_elements_lie_within_it(name: str) -> None:
    root = ElementTree.fromstring(svg(BOARDS[name]))
    width, height = float(root.get("width") or 0), float(root.get("height") or 0)
    assert root.get("viewBox") == f"0 0 {width:.0f} {height:.0f}"
    for element in root.iter():
        x, y = element.get("x") or element.get("cx"), element.get("y") or element.get("cy")
        assert 0 <= float(x or 0) <= width
        assert 0 <= float(y or 0) <= height


@pytest.mark.parametrize("name", BOARDS)
def test_svg_names_each_column_of_a_plane_and_each_row_once(name: str) -> None:
    game = BOARDS[name]
    *layers, rows, cols = game.rules.shape if len(game.rules.shape) > 1 else (1, 12)
    texts = [element.text or "" for element in elements(game) if element.tag == f"{SVG}text"]
    assert [label for label in texts if label.isdecimal()] == [str(i + 1) for i in range(rows)]
    columns = [column_name(col) for col in range(cols)]
    assert [label for label in texts if label.isalpha()] == columns * prod(layers)


def test_svg_has_a_title_for_screen_readers() -> None:
    (title,) = [element for element in elements(Game()) if element.tag == f"{SVG}title"]
    assert title.text == "3×3 board, X to move"


# Too large to draw


@pytest.mark.parametrize("draw", [text, svg])
@pytest.mark.parametrize("shape", [(1001, 1000), (46340, 46340), (1_000_001,), (101, 100, 100)])
def test_board_of_more_than_a_million_cells_is_not_drawn(
    draw: Callable[[Game], str], shape: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match=f"a .*{shape[-1]} board is too large to draw"):
        draw(Game(Rules(shape, k=3)))


def test_large_board_can_still_be_printed() -> None:
    lines = text(Game(Rules((300, 300), k=5))).split("\n")
    assert len(lines) == 301
    assert {line.count("·") for line in lines[1:]} == {300}


def test_board_too_large_to_draw_still_has_a_string() -> None:
    game = Game(Rules.square(2000))
    assert str(game) == repr(game)
    assert game._repr_svg_() is None


def test_variant_pictures_are_up_to_date() -> None:
    images = Path(__file__).parents[2] / "docs" / "images"
    games: dict[str, Game] = run_path(str(images / "variants.py"))["GAMES"]
    drawn = {f"variant-{name}.svg": svg(game) for name, game in games.items()}
    assert {file.name: file.read_text("utf-8") for file in images.glob("variant-*.svg")} == drawn
