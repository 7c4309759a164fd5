"""The geometry compared with formulas and with a brute-force search of the board."""

from __future__ import annotations

from itertools import pairwise
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Rules
from noughts.game.geometry import Geometry, geometry_of
from oracle import board, winning_lines


@st.composite
def small_rules(draw: st.DrawFn) -> Rules:
    shape = tuple(draw(st.lists(st.integers(1, 5), min_size=1, max_size=3)))
    if prod(shape) <= 40 and draw(st.booleans()):
        shape += (draw(st.integers(1, 3)),)
    return Rules(shape, draw(st.integers(1, max(shape))))


@given(small_rules())
def test_lines_agree_with_a_brute_force_search(rules: Rules) -> None:
    lines = Geometry(rules)
    numbers = list(lines)
    found = [frozenset(lines.cells(number)) for number in numbers]
    assert len(set(numbers)) == len(numbers) == lines.count
    assert len(set(found)) == len(found)
    assert set(found) == winning_lines(rules.shape, rules.k)


@given(small_rules(), st.integers(-(10**20), 10**20) | st.integers(-50, 100))
def test_cell_of_an_unused_number_is_off_the_board(rules: Rules, number: int) -> None:
    geometry = Geometry(rules)
    cell = geometry.cell(number)
    assert geometry.number(cell) == (number if 0 <= number < rules.cells else -1)
    assert (cell in set(board(rules.shape))) is (0 <= number < rules.cells)


@given(small_rules())
def test_through_returns_the_lines_that_contain_the_cell(rules: Rules) -> None:
    lines = Geometry(rules)
    cells_of = {number: set(lines.cells(number)) for number in lines}
    for cell in board(rules.shape):
        through = [number for numbers in lines.through(cell) for number in numbers]
        assert len(set(through)) == len(through)
        assert set(through) == {number for number, cells in cells_of.items() if cell in cells}
        assert lines.through(cell) == lines.through(cell)


@given(small_rules())
def test_line_is_k_distinct_cells_in_a_row(rules: Rules) -> None:
    lines = Geometry(rules)
    on_board = set(board(rules.shape))
    for number in lines:
        cells = lines.cells(number)
        assert len(cells) == len(set(cells)) == rules.k
        assert set(cells) <= on_board
        assert cells[0] == min(cells)
        steps = {
            tuple(b - a for a, b in zip(one, two, strict=True)) for one, two in pairwise(cells)
        }
        assert len(steps) == (rules.k > 1)
        assert all(abs(change) <= 1 for step in steps for change in step)


@given(small_rules())
def test_iteration_is_sorted_by_first_cell_and_direction(rules: Rules) -> None:
    lines = Geometry(rules)
    numbers = list(lines)
    assert numbers == sorted(numbers)
    firsts = [lines.cells(number)[0] for number in numbers]
    assert firsts == sorted(firsts)

    def step(number: int) -> tuple[int, ...]:
        first, second = (*lines.cells(number), *lines.cells(number))[:2]
        return tuple(b - a for a, b in zip(first, second, strict=True))

    ordered = sorted(numbers, key=lambda number: (number % len(lines.directions), number))
    steps = [step(number) for number in ordered]
    changes = sum(one != two for one, two in pairwise(steps))
    assert changes == max(len(set(steps)) - 1, 0)
    for one, two in pairwise(ordered):
        assert step(one) != step(two) or lines.cells(one)[0] < lines.cells(two)[0]


@pytest.mark.parametrize("n", range(1, 5))
@pytest.mark.parametrize("d", range(1, 5))
def test_cube_has_one_line_per_pair_of_shell_cells(n: int, d: int) -> None:
    expected = ((n + 2) ** d - n**d) // 2 if n > 1 else 1  # for n = 1 all lines are the one cell
    lines = Geometry(Rules((n,) * d))
    assert lines.count == len(list(lines)) == expected


@pytest.mark.parametrize(("n", "count"), [(2, 28), (3, 49), (4, 76), (5, 109), (6, 148)])
def test_cube_has_the_known_number_of_lines(n: int, count: int) -> None:
    assert Geometry(Rules((n, n, n))).count == count


@given(st.integers(1, 200), st.integers(1, 200), st.data())
def test_flat_board_has_the_number_of_lines_of_the_formula(
    m: int, n: int, data: st.DataObject
) -> None:
    k = data.draw(st.integers(2, max(m, n, 2)))
    if k <= max(m, n):
        across, down = max(n - k + 1, 0), max(m - k + 1, 0)
        assert Geometry(Rules((m, n), k)).count == m * across + n * down + 2 * across * down


def test_count_does_not_walk_over_the_board() -> None:
    side = 46340
    assert Geometry(Rules.square(side)).count == 2 * side + 2
    assert Geometry(Rules((side, side), k=1)).count == side * side


@pytest.mark.parametrize(
    ("n", "d", "most"),
    [(n, d, (3**d - 1) // 2 if n % 2 else 2**d - 1) for n in (2, 3, 4, 5) for d in (1, 2, 3)],
)
def test_cube_cell_has_the_known_maximum_of_lines(n: int, d: int, most: int) -> None:
    lines = Geometry(Rules((n,) * d))
    through = [sum(map(len, lines.through(cell))) for cell in board((n,) * d)]
    assert max(through) == most


def test_cell_far_from_the_edges_lies_on_k_lines_per_direction() -> None:
    lines = Geometry(Rules((46340, 46340), k=5))
    assert [len(numbers) for numbers in lines.through((20000, 20000))] == [5, 5, 5, 5]
    assert [len(numbers) for numbers in lines.through((0, 0))] == [1, 1, 1]
    assert [len(numbers) for numbers in lines.through((46339, 0))] == [1, 1, 1]


def test_directions_are_row_column_diagonal_anti_diagonal() -> None:
    lines = Geometry(Rules())
    assert [lines.cells(number) for numbers in lines.through((1, 1)) for number in numbers] == [
        ((1, 0), (1, 1), (1, 2)),
        ((0, 1), (1, 1), (2, 1)),
        ((0, 0), (1, 1), (2, 2)),
        ((0, 2), (1, 1), (2, 0)),
    ]


def test_line_number_combines_first_cell_and_direction() -> None:
    lines = Geometry(Rules((3, 4), k=3))
    assert lines.cells(0 * 4 + 0) == ((0, 0), (0, 1), (0, 2))
    assert lines.cells(3 * 4 + 1) == ((0, 3), (1, 3), (2, 3))
    assert lines.cells(1 * 4 + 2) == ((0, 1), (1, 2), (2, 3))
    assert lines.cells(3 * 4 + 3) == ((0, 3), (1, 2), (2, 1))
    assert list(lines) == [0, 1, 2, 4, 5, 6, 9, 11, 13, 15, 16, 20, 32, 36]


def test_lines_start_at_the_top_left_in_each_direction() -> None:
    lines = Geometry(Rules((3, 4), k=3))
    ordered = [
        lines.cells(number)
        for number in sorted(lines, key=lambda number: (number % len(lines.directions), number))
    ]
    rows, columns, diagonals = ordered[:6], ordered[6:10], ordered[10:]
    assert [cells[0] for cells in rows] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert all(cells[0][0] == cells[2][0] for cells in rows)
    assert [cells[0] for cells in columns] == [(0, 0), (0, 1), (0, 2), (0, 3)]
    assert all(cells[0][1] == cells[2][1] for cells in columns)
    assert [(cells[0], cells[2]) for cells in diagonals] == [
        ((0, 0), (2, 2)),
        ((0, 1), (2, 3)),
        ((0, 2), (2, 0)),
        ((0, 3), (2, 1)),
    ]


def test_each_cell_is_one_line_with_k_1() -> None:
    lines = Geometry(Rules((2, 3), k=1))
    assert sorted(lines.cells(number) for number in lines) == [(cell,) for cell in board((2, 3))]
    assert lines.count == 6


def test_direction_too_short_for_k_has_no_lines() -> None:
    lines = Geometry(Rules((2, 5), k=3))
    assert lines.count == 6
    assert all(cells[0][0] == cells[2][0] for cells in map(lines.cells, lines))


def test_geometry_is_shared_by_equal_rules() -> None:
    assert geometry_of(Rules((7, 7), k=4)) is geometry_of(Rules((7, 7), k=4))
