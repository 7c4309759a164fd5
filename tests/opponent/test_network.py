"""The network: equal scores after updates and symmetries, its facts and levels, and its files."""

from __future__ import annotations

from array import array
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from noughts import Foul, Game, NoughtsError, Rules
from noughts.compiled import load
from noughts.opponent.search.network import FOLDER, file_of, network_for, read

compiled: Any = load("noughts.opponent.search._engine")
pytestmark = pytest.mark.compiled("noughts.opponent.search._engine")

PATTERNS = 7381
LONG = 2 * 64 + 32 + 2 + 1  # numbers of four bytes, which precede all others
FACTS = 13 * 8 * 64 + 8 * 8  # terms by facts, and of the policy by levels
LAYERS = 4 * LONG + 2 * (64 * 32 + 32 * 64 + 32 + 64 + 32 + 2 * 32 + 32 * 64 + FACTS)  # bytes
SIDE = 12
RULES = {
    variant: Rules((SIDE, SIDE), k=5, variant=variant)
    for variant in ("freestyle", "standard", "renju")
}
FILES = [file_of(variant) for variant in RULES]
KEYS = read(FILES[0])[1][: 2 * PATTERNS]


def size(tables: int) -> int:
    """Return the size of a network in bytes."""
    return 2 * PATTERNS * (1 + 16 * tables) + LAYERS


def any_network(seed: int, tables: int) -> Any:
    """Create a network of small random numbers, which evaluates hardly any two positions alike."""
    random = Random(seed)
    numbers = [random.randint(-150, 150) for _ in range(size(tables) // 2)]
    begin = PATTERNS * (1 + 16 * tables)
    numbers[begin : begin + 2 * LONG] = [0] * (2 * LONG)
    return network_with(numbers[PATTERNS:])


def network_with(numbers: list[int]) -> Any:
    """Create a network with the usual patterns and these numbers."""
    return compiled.Network(KEYS + array("h", numbers).tobytes())


NETWORKS = [any_network(1, tables) for tables in (1, 2)] if compiled else []

games = st.tuples(st.sampled_from(list(RULES.values())), st.sampled_from(NETWORKS or [None]))
positions = st.lists(st.integers(0, SIDE**2 - 1), min_size=2, max_size=8, unique=True)


def estimate(moves: list[int], rules: Rules, network: Any) -> int:
    """Return the score of a position from a new engine."""
    score: int = compiled.Engine(rules, 0, network).estimate(moves)[0]
    return score


@given(game=games, moves=positions, depth=st.integers(1, 5))
@example((RULES["freestyle"], NETWORKS[0] if NETWORKS else None), [43, 17, 129], 5)
def test_principal_variation_ends_in_a_position_with_the_score(
    game: tuple[Rules, Any], moves: list[int], depth: int
) -> None:
    """Compare the updated network of a search with a new engine on the last position."""
    assume(is_legal(moves, game[0]))
    thought = compiled.Engine(game[0], 2**20, game[1]).think(moves, 60.0, 0, depth)
    _, score, plies, _, _, _, line = thought
    if not plies:
        assert score == (-1) ** len(line) * estimate([*moves, *line], *game)


def is_legal(moves: list[int], rules: Rules) -> bool:
    """Return whether none of these moves, which complete no line, is a foul in renju."""
    try:
        Game.replay(rules, [divmod(move, SIDE) for move in moves])
    except Foul:
        return False
    return True


@given(game=games, moves=positions)
def test_score_is_the_same_for_symmetries_and_transpositions(
    game: tuple[Rules, Any], moves: list[int]
) -> None:
    again = [*moves[2:], *moves[:2]] if len(moves) % 2 == 0 else moves
    assume(is_legal(moves, game[0]) and is_legal(again, game[0]))
    score = estimate(moves, *game)
    rows = [divmod(move, SIDE) for move in moves]
    for flipped in (False, True):
        for _ in range(4):
            rows = [(x, SIDE - 1 - y) for y, x in rows]  # by 90 degrees
            turned = [(x, y) if flipped else (y, x) for y, x in rows]
            assert estimate([y * SIDE + x for y, x in turned], *game) == score
    assert estimate(again, *game) == score


corners = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=4, unique=True)


def played(rules: Rules, cells: list[tuple[int, int]]) -> Game:
    """Play these moves, except fouls and those that complete a line."""
    game = Game(rules)
    for cell in cells:
        if cell in game.legal_moves and cell not in game.threats(game.turn):
            game.play(cell)
    return game


def numbers_of(game: Game) -> list[int]:
    """Return the moves of a game as numbers."""
    return [y * SIDE + x for y, x in game.history]


@given(cells=corners, variant=st.sampled_from(list(RULES)))
def test_estimate_returns_levels_for_the_player_to_move(
    cells: list[tuple[int, int]], variant: str
) -> None:
    game = played(RULES[variant], cells)
    levels = compiled.Engine(game.rules, 0).estimate(numbers_of(game))[1]
    for place, player in enumerate((game.turn, 3 - game.turn)):
        each = [(both >> 3, both & 7)[place] for both in levels]
        wins = [divmod(i, SIDE) for i, level in enumerate(each) if level == 7]
        assert wins == sorted(game.threats(player))


def test_levels_of_known_shapes() -> None:
    # two in a row and two in a column, which share a cell, and three at the edge
    moves = [(5, 4), (0, 0), (5, 5), (0, 1), (3, 4), (0, 2)]
    levels = compiled.Engine(RULES["freestyle"], 0).estimate([y * SIDE + x for y, x in moves])[1]
    assert levels[5 * SIDE + 6] >> 3 == 2  # a three
    assert levels[5 * SIDE + 6] & 7 == 0
    assert levels[4 * SIDE + 4] >> 3 == 2  # a three, in the column
    assert levels[0 * SIDE + 3] == 4  # a four of the other player
    assert levels[0] == levels[9 * SIDE + 11] == 0


def network_of(facts: dict[tuple[int, int], int], levels: dict[int, int]) -> Any:
    """Create a network with only these scores by fact and value, and policy by level."""
    numbers = [0] * (size(1) // 2 - PATTERNS)
    end = len(numbers) - FACTS
    numbers[end - 32 * 64 - 2 * 32 - 32 - 64] = 1024  # the first hidden number is the value
    for (fact, value), score in facts.items():
        numbers[end + (8 * fact + value) * 64] = 1024 * score // 250
    for level, likely in levels.items():
        numbers[len(numbers) - 64 + level] = likely
    return network_with(numbers)


@given(cells=corners, fact=st.integers(1, 12))
def test_value_depends_on_the_number_of_cells_of_a_level(
    cells: list[tuple[int, int]], fact: int
) -> None:
    game = played(RULES["freestyle"], cells)
    network = network_of({(fact, value): 250 * value for value in range(8)}, {})
    levels = compiled.Engine(game.rules, 0).estimate(numbers_of(game))[1]
    mine, level = fact <= 6, 2 + (fact - 1) % 6
    count = sum((both >> 3 if mine else both & 7) == level for both in levels)
    assert estimate(numbers_of(game), game.rules, network) == 250 * min(count, 7)


@pytest.mark.parametrize(("plies", "phase"), [(2, 0), (11, 0), (12, 1), (20, 2), (80, 7)])
def test_value_depends_on_the_phase_of_the_game(plies: int, phase: int) -> None:
    rules = RULES["freestyle"]
    rows = [(y, x + (y // 2 % 2)) for y in range(SIDE) for x in range(0, SIDE - 1, 2)]
    more = [(y, x + (1 - y // 2 % 2)) for y in range(SIDE) for x in range(0, SIDE - 1, 2)]
    moves = [y * SIDE + x for pair in zip(rows, more, strict=True) for y, x in pair][:plies]
    network = network_of({(0, value): 250 * value for value in range(8)}, {})
    assert estimate(moves, rules, network) == 250 * phase


def test_move_order_depends_on_the_levels_of_cells() -> None:
    rules = RULES["freestyle"]
    moves = [5 * SIDE + 5, 0, 5 * SIDE + 6, 11]
    for likely in (0, 2):
        network = network_of({}, {8 * likely: 640})
        engine = compiled.Engine(rules, 2**20, network)
        cell = engine.think(moves, 60.0, 0, 1)[0]
        assert engine.estimate(moves)[1][cell] == 8 * likely


def test_network_rejects_other_rules() -> None:
    for rules in (
        Rules((15, 15), k=6),
        Rules((15, 15), k=5, gravity=True),
        Rules((15, 15, 2), k=5),
        Rules((6, 6, 6), k=5),
        Rules((9, 15), k=5),
    ):
        assert not compiled.can_learn(rules)
        assert network_for(rules) is None
        with pytest.raises(ValueError, match="was not trained for"):
            compiled.Engine(rules, 0, NETWORKS[0])


def test_network_for_returns_none_without_a_file(tmp_path: Path) -> None:
    rules = RULES["freestyle"]
    assert network_for(rules, tmp_path) is None
    assert network_for(Rules((SIDE, SIDE), k=5, variant="caro")) is None
    moves = [5 * SIDE + 5, 5 * SIDE + 6, 6 * SIDE + 6]
    assert estimate(moves, rules, None) != estimate(moves, rules, network_for(rules))


def test_network_rejects_a_wrong_size() -> None:
    with pytest.raises(ValueError, match="a network cannot have"):
        compiled.Network(bytes(size(1) - 2))


def test_files_include_every_network() -> None:
    assert sorted(FOLDER.glob("*.network")) == sorted(FILES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_file_is_complete_and_contains_its_command(file: Path) -> None:
    about, numbers = read(file)
    assert len(numbers) == size(2 if file.stem == "renju" else 1)
    assert about["command"].startswith(("script/train ", "script/lab train "))
    assert file.stat().st_size < 1_500_000


def test_read_rejects_a_damaged_file(tmp_path: Path) -> None:
    file = tmp_path / "any.network"
    whole = FILES[0].read_bytes()
    for damaged in (
        whole[:-1],
        whole[:-9] + bytes(9),
        whole.replace(b"checksum", b"checkmat"),
        whole[10:],
        b"",
    ):
        file.write_bytes(damaged)
        with pytest.raises(NoughtsError, match="damaged"):
            read(file)
