"""The command `noughts rules`, and moves as people type them."""

from __future__ import annotations

import pytest

from commands import noughts
from golden import golden
from noughts import Game, Rules
from noughts.cli.moves import read_move
from noughts.game.names import GAMES, NAMES
from noughts.game.rules import ALIASES, OPTIONS, UNSUPPORTED, VARIANTS, Variant

pytestmark = pytest.mark.usefixtures("plain_terminal")


def test_rules_lists_games_variants_and_options() -> None:
    result = noughts("rules")
    assert result.stdout == golden("rules.txt", result.stdout)
    lines = result.stdout.splitlines()
    forms = [option.form for option in OPTIONS.values()]
    for name in (*GAMES.values(), *VARIANTS, *forms):
        assert any(line.startswith(f"  {name}  ") for line in lines)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("renju", "Renju"),
        ("connect-four", "c4"),
        ("score-four", "score-four"),
        ("three-players", "5,k=3,players=3,gravity"),
        ("one-row", "7x,k=3"),
        ("gravity", "gravity"),
        ("k", "k=3"),
    ],
)
def test_rules_explains_a_game_or_an_option(name: str, text: str) -> None:
    result = noughts("rules", text)
    assert result.stdout == golden(f"rules-{name}.txt", result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("name", NAMES)
def test_rules_explains_every_name(name: str) -> None:
    shown = noughts("rules", name).stdout
    text = str(Rules.parse(name))
    assert f"\nText   {text}\n" in shown
    assert "\nExample: " in shown
    assert set(ALIASES.get(text, ())) <= set(shown.replace(",", "").split())


@pytest.mark.parametrize("text", ["40000x40000,k=1", "40x40,k=5", "3x2,k=3,players=8"])
def test_rules_draws_a_small_board_where_its_own_does_not_fit(text: str) -> None:
    assert "Example: 2×9, 5 in a row; X wins." in noughts("rules", text).stdout


def test_variant_without_an_example_is_shown_on_its_own_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    variant = Variant("plain", "Plain", "{k} plain", "{k} win.")
    monkeypatch.setitem(VARIANTS, variant.name, variant)
    assert (
        "Example: 4×4, 3 in a row, plain; X wins."
        in noughts("rules", "4x4,k=3,variant=plain").stdout
    )
    assert "Example" not in noughts("rules", "40x40,k=3,variant=plain").stdout


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_rules_says_why_a_game_is_not_supported(name: str) -> None:
    result = noughts("rules", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert UNSUPPORTED[name] in result.stderr


def test_rules_proposes_the_nearest_name() -> None:
    assert "did you mean 'renju'?" in noughts("rules", "renyu").stderr


# Moves


@pytest.mark.parametrize(
    ("rules", "text", "cell"),
    [
        ("connect-four", "4", (5, 3)),
        ("connect-four", " d ", (5, 3)),
        ("connect-four", "D6", (5, 3)),
        ("connect-four", "5,3", (5, 3)),
        ("connect-four", "1", (4, 0)),
        ("connect-four", "7", (0, 6)),  # the column is full
        ("connect-four", "8", (0, 7)),
        ("connect-four", "0", (0, -1)),
        ("1x30,k=3,gravity", "27", (0, 26)),
        ("3x3x3,gravity", "b3", (2, 2, 1)),
        ("3x3x3,gravity", "2,1", (2, 2, 1)),
        ("3x,gravity", "1", (1,)),
        ("3x3", "b3", (2, 1)),
    ],
)
def test_move_is_read_as_a_cell_or_a_column(rules: str, text: str, cell: tuple[int, ...]) -> None:
    game = Game(rules)
    if rules == "connect-four":
        game = Game.replay(rules, [(5, 0), *((row, 6) for row in range(5, -1, -1))])
    assert read_move(game, text) == cell


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ("3x3", "4"),
        ("connect-four", "4 5"),
        ("connect-four", "-1"),
        ("connect-four", "٣"),
        ("connect-four", "é"),
        ("connect-four", "1" * 5000),
        ("3x3x3,gravity", "2"),
    ],
)
def test_move_that_is_neither_is_an_error(rules: str, text: str) -> None:
    with pytest.raises(ValueError, match="is not a cell: write "):
        read_move(Game(rules), text)


def test_play_takes_columns_by_number() -> None:
    typed = "4\n3\n4\n3\n4\n3\n4\n"
    result = noughts("play", "--rules", "Connect Four", typed=typed)
    assert result.stdout.endswith("X wins with D3 D4 D5 D6.\n")
    assert (
        noughts("play", "--rules", "c4", typed="9\n").stdout.count("9 is off the 6×7 board.") == 1
    )
