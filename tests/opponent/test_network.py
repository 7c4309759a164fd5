"""The network: updated or not, turned or not, it says the same; a damaged file is noticed."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import NoughtsError, Rules
from noughts.compiled import load
from noughts.opponent.search.network import FILE, network_for, read

compiled: Any = load("noughts.opponent.search._engine")
pytestmark = pytest.mark.compiled("noughts.opponent.search._engine")

PATTERNS = 7381
SIZE = 2 * PATTERNS * 17 + 4 * (32 + 2) + 2 * (32 * 32 + 32 + 32 + 64)  # bytes of its numbers
SIDE = 12
RULES = Rules((SIDE, SIDE), k=5)


def any_network(seed: int) -> Any:
    """A network of small random numbers, which evaluates almost no two positions alike."""
    random = Random(seed)
    numbers = [random.randint(-150, 150) for _ in range(SIZE // 2)]
    numbers[17 * PATTERNS : 17 * PATTERNS + 68] = [0] * 68  # no bias: these have four bytes
    return compiled.Network(
        read(FILE)[1][: 2 * PATTERNS]  # the keys
        + b"".join(number.to_bytes(2, "little", signed=True) for number in numbers[PATTERNS:])
    )


NETWORK = any_network(1) if compiled else None

positions = st.lists(st.integers(0, SIDE**2 - 1), min_size=2, max_size=8, unique=True)


def estimate(moves: list[int], network: Any = NETWORK) -> int:
    """The score of a position by a fresh engine."""
    score: int = compiled.Engine(RULES, 0, network).estimate(moves)
    return score


@given(moves=positions, depth=st.integers(1, 5))
def test_updated_move_by_move_it_says_the_same(moves: list[int], depth: int) -> None:
    thought = compiled.Engine(RULES, 2**20, NETWORK).think(moves, 60.0, 0, depth)
    _, score, plies, _, _, _, line = thought
    if not plies and len(line) == depth:  # no reply was forced, so that the line ends at the leaf
        assert score == (-1) ** depth * estimate([*moves, *line])


@given(moves=positions)
def test_it_does_not_matter_how_a_position_is_turned_or_reached(moves: list[int]) -> None:
    score = estimate(moves)
    rows = [divmod(move, SIDE) for move in moves]
    for flipped in (False, True):
        for _ in range(4):
            rows = [(x, SIDE - 1 - y) for y, x in rows]  # a quarter
            turned = [(x, y) if flipped else (y, x) for y, x in rows]
            assert estimate([y * SIDE + x for y, x in turned]) == score
    assert estimate([*moves[2:], *moves[:2]] if len(moves) % 2 == 0 else moves) == score


def test_of_other_rules_it_has_learned_nothing() -> None:
    for rules in (
        Rules((15, 15), k=6),
        Rules((15, 15), k=5, gravity=True),
        Rules((15, 15), k=5, variant="standard"),
        Rules((6, 6, 6), k=5),
        Rules((9, 15), k=5),
    ):
        assert not compiled.can_learn(rules)
        assert network_for(rules) is None
        with pytest.raises(ValueError, match="has not learned"):
            compiled.Engine(rules, 0, NETWORK)


def test_without_the_file_there_is_none(tmp_path: Path) -> None:
    assert network_for(RULES, tmp_path / "none.network") is None
    moves = [5 * SIDE + 5, 5 * SIDE + 6, 6 * SIDE + 6]
    assert estimate(moves, None) != estimate(moves, network_for(RULES))


def test_a_network_has_all_its_numbers() -> None:
    with pytest.raises(ValueError, match="not those of a network"):
        compiled.Network(bytes(SIZE - 2))


def test_the_file_is_whole_and_says_how_it_was_made() -> None:
    about, numbers = read(FILE)
    assert len(numbers) == SIZE
    assert about["command"].startswith("script/train ")
    assert FILE.stat().st_size < 1_500_000


def test_a_damaged_file_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "any.network"
    whole = FILE.read_bytes()
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
