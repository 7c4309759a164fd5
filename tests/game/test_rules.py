"""Valid and invalid rules, rules as text, and that rules never change."""

from __future__ import annotations

import copy
import pickle
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, InvalidRules, NoughtsError, Rules
from noughts.game.rules import ALIASES, NAMED, UNSUPPORTED, VARIANTS, options_of
from oracle import Indexed, kind

NO_INTEGERS = [1.0, True, False, "3", None, b"3", 1j, (3,), object()]


shapes = st.lists(st.integers(1, 14), min_size=1, max_size=8).map(tuple)


@st.composite
def valid_rules(draw: st.DrawFn) -> Rules:
    shape = draw(shapes)
    k = draw(st.integers(1, max(shape)))
    players = draw(st.integers(2, 8))
    early_draw, gravity = draw(st.booleans()), draw(st.booleans())
    variant = draw(st.sampled_from(["freestyle", "standard", "caro", "misere"]))
    players = 2 if variant == "misere" else players
    with suppress(InvalidRules):  # the board has too many lines for early draws
        return Rules(shape, k, players, early_draw, gravity=gravity, variant=variant)
    return Rules(shape, k, players, gravity=gravity, variant=variant)


def test_defaults_are_the_classic_game() -> None:
    rules = Rules()
    assert (rules.shape, rules.k, rules.players, rules.early_draw) == ((3, 3), 3, 2, False)
    assert Rules() == Rules.square(3) == Rules((3, 3), None) == Rules((3, 3), 3, 2, False)


@pytest.mark.parametrize("n", [1, 2, 3, 19, 1000, 46340])
def test_square_needs_the_whole_side(n: int) -> None:
    assert Rules.square(n) == Rules((n, n), k=n)


@pytest.mark.parametrize("shape", [(4,), (5, 5), (3, 3, 3), (2, 2, 2, 2)])
def test_k_defaults_to_the_whole_side(shape: tuple[int, ...]) -> None:
    assert Rules(shape).k == shape[0]


@pytest.mark.parametrize(
    ("shape", "cells"), [((3, 3), 9), ((1,), 1), ((2, 3, 4), 24), ((46340, 46340), 46340**2)]
)
def test_cells_counts_the_cells(shape: tuple[int, ...], cells: int) -> None:
    assert Rules(shape, k=1).cells == cells


def test_shape_list_becomes_a_tuple() -> None:
    assert Rules([3, 4], k=3) == Rules((3, 4), k=3)  # type: ignore[arg-type]
    assert Rules([3, 4], k=3).shape == (3, 4)  # type: ignore[arg-type]


def test_index_makes_any_object_an_integer() -> None:
    four: Any = Indexed(4)
    rules = Rules((four, 5), four, four)
    assert rules == Rules((4, 5), 4, 4)
    assert {type(value) for value in (*rules.shape, rules.k, rules.players)} == {int}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shape": ()}, "a board has 1 to 8 dimensions, got 0"),
        ({"shape": (2,) * 9}, "a board has 1 to 8 dimensions, got 9"),
        ({"shape": (0, 0)}, "every side of the board must be at least 1, got 0"),
        ({"shape": (3, -1), "k": 1}, "every side of the board must be at least 1, got -1"),
        ({"shape": (3, 4)}, "the sides of a 3×4 board differ: give k"),
        ({"shape": (3, 3, 4)}, "the sides of a 3×3×4 board differ: give k"),
        ({"k": 0}, "k must be 1 to 3 on a 3×3 board, got 0"),
        ({"k": -1}, "k must be 1 to 3 on a 3×3 board, got -1"),
        ({"k": 4}, "k must be 1 to 3 on a 3×3 board, got 4"),
        ({"shape": (3, 5), "k": 6}, "k must be 1 to 5 on a 3×5 board, got 6"),
        ({"shape": (7,), "k": 8}, "k must be 1 to 7 on a 1×7 board, got 8"),
        ({"players": 1}, "players must be 2 to 8, got 1"),
        ({"players": 0}, "players must be 2 to 8, got 0"),
        ({"players": -2}, "players must be 2 to 8, got -2"),
        ({"players": 9}, "players must be 2 to 8, got 9"),
        (
            {"variant": "pente"},
            f"variant must be one of {', '.join(VARIANTS)}, got 'pente'",
        ),
        ({"variant": "misere", "players": 3}, "misere is for 2 players, not 3"),
        ({"variant": "renju"}, "k must be 5 in renju, got 3"),
        (
            {"variant": "renju", "shape": (9, 9, 9), "k": 5},
            "renju is for boards of 2 dimensions, not 3",
        ),
        (
            {"variant": "renju", "shape": (9, 9), "k": 5, "players": 3},
            "renju is for 2 players, not 3",
        ),
        (
            {"variant": "renju", "shape": (9, 9), "k": 5, "gravity": True},
            "renju cannot have gravity",
        ),
    ],
)
def test_rules_reject_impossible_games(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        Rules(**arguments)  # type: ignore[arg-type]
    assert str(caught.value) == message
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, NoughtsError)


def test_rules_reject_huge_numbers() -> None:
    for number in (10**5000, -(10**5000)):
        for arguments in ({"k": number}, {"players": number}):
            with pytest.raises(InvalidRules):
                Rules(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [0, -3, -(10**5000)], ids=["0", "-3", "minus huge"])
def test_square_needs_a_cell(n: int) -> None:
    with pytest.raises(InvalidRules):
        Rules.square(n)


@pytest.mark.parametrize("value", NO_INTEGERS, ids=kind)
def test_number_that_is_not_an_integer_is_a_type_error(value: object) -> None:
    with pytest.raises(TypeError, match=r"^players must be an integer, not "):
        Rules(players=value)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^a side of the board must be an integer, not "):
        Rules((3, value), k=3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^a side of the board must be an integer, not "):
        Rules.square(value)  # type: ignore[arg-type]
    if value is not None:
        with pytest.raises(TypeError, match=r"^k must be an integer, not "):
            Rules(k=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [3, None, "33", b"33", {3}, {3: 3}, range(3)], ids=kind)
def test_shape_that_is_not_a_tuple_is_a_type_error(shape: object) -> None:
    with pytest.raises(TypeError, match=r"^shape must be a tuple of sides such as \(3, 3\), not "):
        Rules(shape)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["early_draw", "gravity"])
@pytest.mark.parametrize("value", [1, 0, None, "yes"])
def test_flag_must_be_a_bool(name: str, value: object) -> None:
    with pytest.raises(TypeError, match=rf"^{name} must be True or False, not {value!r}"):
        Rules(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [None, 1, ["caro"]])
def test_variant_must_be_a_string(value: object) -> None:
    with pytest.raises(TypeError, match=r"^variant must be a string, not "):
        Rules(variant=value)  # type: ignore[arg-type]


def test_known_games_have_constructors() -> None:
    assert Rules.connect_four() == Rules((6, 7), 4, gravity=True)
    assert Rules.gomoku() == Rules((15, 15), 5)
    assert Rules.gomoku("caro") == Rules((15, 15), 5, variant="caro")


@pytest.mark.parametrize("name", Rules.__slots__)
def test_rules_are_frozen(name: str) -> None:
    rules = Rules()
    with pytest.raises(AttributeError):
        setattr(rules, name, getattr(rules, name))
    with pytest.raises(AttributeError):
        delattr(rules, name)
    assert rules == Rules()


def test_rules_equal_only_rules() -> None:
    assert Rules() != ((3, 3), 3, 2, False)
    assert Rules() != "Rules(shape=(3, 3), k=3, players=2, early_draw=False)"
    assert not hasattr(Rules(), "_replace")


def test_rules_cannot_become_invalid() -> None:
    rules = Rules()
    for make in (
        lambda: setattr(rules, "k", 99),
        lambda: setattr(rules, "other", 1),
        lambda: Rules.__new__(Rules, (3, 3), 99),
        lambda: pickle.loads(pickle.dumps(rules).replace(b"K\x03K\x02", b"K\x63K\x02")),
    ):
        with pytest.raises((InvalidRules, AttributeError, TypeError)):
            make()
        assert rules == Rules()
        assert (rules.shape, rules.k, rules.cells) == ((3, 3), 3, 9)


@pytest.mark.parametrize("shape", [(2**31,), (46341, 46341), (2**16, 2**15), (15,) * 8, (10**30,)])
def test_board_has_fewer_than_2_to_the_31_cells(shape: tuple[int, ...]) -> None:
    with pytest.raises(
        InvalidRules, match=r"^a board has at most 2,147,483,647 cells; .* has more$"
    ):
        Rules(shape, k=1)
    assert Rules((2**31 - 1,), k=1).cells == 2**31 - 1


def test_rules_are_equal_and_hashed_by_value() -> None:
    variants = [
        Rules(),
        Rules((4, 4)),
        Rules((3, 3), k=2),
        Rules(players=3),
        Rules(early_draw=True),
        Rules((3, 3, 3)),
        Rules(gravity=True),
        *(Rules(variant=variant) for variant in ("standard", "caro", "misere")),
    ]
    assert len(set(variants)) == len(variants)
    assert hash(Rules()) == hash(Rules((3, 3), 3))


def test_repr_names_every_argument() -> None:
    assert repr(Rules((4, 5), 3, 4, True)) == (
        "Rules(shape=(4, 5), k=3, players=4, early_draw=True)"
    )
    assert repr(Rules((9, 9), 5, gravity=True, variant="caro")) == (
        "Rules(shape=(9, 9), k=5, players=2, early_draw=False, gravity=True, variant='caro')"
    )


@given(valid_rules())
def test_rules_survive_repr_copy_and_pickle(rules: Rules) -> None:
    for twin in (
        eval(repr(rules)),
        copy.copy(rules),
        copy.deepcopy(rules),
        pickle.loads(pickle.dumps(rules)),
    ):
        assert twin == rules
        assert hash(twin) == hash(rules)
        assert repr(twin) == repr(rules)


@given(valid_rules())
def test_parse_reads_what_str_writes(rules: Rules) -> None:
    assert Rules.parse(str(rules)) == rules


@pytest.mark.parametrize("name", NAMED)
def test_named_rules_are_written_by_name(name: str) -> None:
    assert str(NAMED[name]) == name
    assert Rules.parse(name) == NAMED[name]


@pytest.mark.parametrize(
    ("text", "name"), [(text, name) for text, names in ALIASES.items() for name in names]
)
def test_parse_accepts_other_names(text: str, name: str) -> None:
    spellings = name, name.upper(), name.replace("-", ""), name.replace("-", " "), f"{name}_v0"
    for spelling in spellings:
        assert str(Rules.parse(spelling)) == text
    assert Rules.parse(f"{name},20x20").shape == (20, 20)
    assert options_of(Rules.parse(f"{name},20x20")) == options_of(Rules.parse(text))


def test_every_variant_has_a_name_with_gomoku() -> None:
    for variant in VARIANTS:
        for name in (f"gomoku-{variant}", variant):
            assert Rules.parse(name) == Rules.gomoku(variant)


def test_no_name_has_two_meanings() -> None:
    names = [*NAMED, *UNSUPPORTED, *(name for names in ALIASES.values() for name in names)]
    assert len({name.replace("-", "") for name in names}) == len(names)


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_game_that_rules_cannot_describe_is_explained(name: str) -> None:
    for spelling in (name, name.replace("-", " ").title(), f"{name},15x15"):
        with pytest.raises(InvalidRules, match=r"^unknown rules '.*': .+") as caught:
            Rules.parse(spelling)
        assert str(caught.value).endswith(UNSUPPORTED[name])
        assert len(str(caught.value)) < 250


def test_size_after_a_name_keeps_k_unless_the_whole_side_wins() -> None:
    assert Rules.parse("tic-tac-toe,5x5") == Rules.square(5)
    assert Rules.parse("qubic,5x5x5,k=4") == Rules((5, 5, 5), 4)
    assert Rules.parse("gomoku,19x19") == Rules((19, 19), 5)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("15x15x5", "15x15,k=5"),
        ("6x7x4,gravity,players=3", "6x7,k=4,gravity,players=3"),
        ("15,15,5", "15x15,k=5"),
        ("(15, 15, 5)", "15x15,k=5"),
        ("15x15 k=5", "15x15,k=5"),
        ("15x15 5 in a row", "15x15,k=5"),
        ("15×15×5", "15x15,k=5"),
        ("tic-tak-toe", "tic-tac-toe"),
        ("conect four", "connect-four"),
        ("gomoku-standart", "gomoku-standard"),
        ("qubik", "qubic"),
    ],
)
def test_near_miss_proposes_rules(text: str, meant: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        Rules.parse(text)
    assert str(caught.value).endswith(f"; did you mean '{meant}'?")
    Rules.parse(meant)


@pytest.mark.parametrize("text", ["3x3x4", "5x15x15", "2x3x4x2", "3 3 4"])
def test_no_proposal_has_an_impossible_k(text: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        Rules.parse(text)
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize("text", ["mnk(7,6,4)", "mnk(m=7, n=6, k=4)"])
def test_parse_shows_both_readings_of_different_sides(text: str) -> None:
    message = r"mnk\(7,6,4\) .* write 7x6,k=4 for 7 rows or 6x7,k=4 for 6 rows"
    with pytest.raises(InvalidRules, match=message):
        Rules.parse(text)


def test_examples_of_variants_are_positions() -> None:
    for name, variant in VARIANTS.items():
        assert Game.from_text(variant.example).rules.variant == name


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("Renju", Rules.gomoku("renju")),
        ("misère", Rules.gomoku("misere")),
        ("Noughts & Crosses", Rules()),
        ("connect_four_v3", Rules.connect_four()),
        ("mnk(15,15,5)", Rules.gomoku()),
        (" MNK(m=9, n=9, k=4) , gravity", Rules((9, 9), 4, gravity=True)),
        ("5x5x5", Rules((5, 5, 5))),
        ("renju,20x20", Rules((20, 20), 5, variant="renju")),
        ("5", Rules.square(5)),
        ("4×4×4", Rules((4, 4, 4))),
        ("7x,k=3", Rules((7,), 3)),
        ("k=2", Rules(k=2)),
        ("players=3,early-draw", Rules(players=3, early_draw=True)),
        ("6x7, k=4, gravity, variant=misere", Rules((6, 7), 4, gravity=True, variant="misere")),
    ],
)
def test_parse_accepts_short_forms(text: str, rules: Rules) -> None:
    assert Rules.parse(text) == rules
    assert Rules.parse(str(rules)) == rules


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gomuko", "unknown rules 'gomuko'; did you mean 'gomoku'?"),
        ("9x9,gravty", "unknown rules 'gravty'; did you mean 'gravity'?"),
        ("9x9,k=4,variant=cairo", "variant must be one of freestyle, standard, caro, misere"),
        ("9x9,k=4,variant=cairo", "got 'cairo'; did you mean 'caro'?"),
        ("9x9,varient=caro", "unknown rules 'varient=caro'; did you mean 'variant=caro'?"),
        ("chess", "unknown rules 'chess': start with connect-four, gomoku, standard"),
        ("3,renju", "unknown rules 'renju': start with connect-four"),
        ("", "unknown rules ''"),
        ("15x15,,k=5", "unknown rules ''"),
        ("9x9,k=", "unknown rules 'k='"),
        ("9x9,players=two", "unknown rules 'players=two'"),
        ("9x9,variant=", "unknown rules 'variant='"),
        ("15x15,k=5,k=6", "the rules give 'k' twice"),
        ("9x9,gravity,k=4,gravity", "the rules give 'gravity' twice"),
        ("15x15,k=16", "k must be 1 to 15"),
        ("renju,k=4", "k must be 5"),
        ("4x5", "differ: give k"),
        ("9" * 10**5, "unknown rules '99999"),
        ("mnk(15,15)", "unknown rules 'mnk(15'"),
        ("mnk(3,3,4)", "k must be 1 to 3"),
        ("3,c4", "unknown rules 'c4': start with connect-four"),
    ],
)
def test_parse_rejects_text_that_describes_no_rules(text: str, message: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        Rules.parse(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 250


@given(st.text("0123456789xkmn×è(),=- _vgravitycone4", max_size=30))
def test_parse_reads_any_text_or_raises_invalid_rules(text: str) -> None:
    with suppress(InvalidRules):
        rules = Rules.parse(text)
        assert Rules.parse(str(rules)) == rules


@pytest.mark.parametrize("value", [None, 3, b"renju", ["renju"], Rules()], ids=kind)
def test_parse_takes_only_strings(value: object) -> None:
    with pytest.raises(TypeError, match=r"^rules must be text such as 'renju', not "):
        Rules.parse(value)  # type: ignore[arg-type]


@given(shapes, st.integers(-3, 25), st.integers(-3, 12))
def test_rules_are_valid_exactly_within_limits(
    shape: tuple[int, ...], k: int, players: int
) -> None:
    if 1 <= k <= max(shape) and 2 <= players <= 8:
        rules = Rules(shape, k, players)
        assert (rules.shape, rules.k, rules.players) == (shape, k, players)
    else:
        with pytest.raises(InvalidRules):
            Rules(shape, k, players)
