"""Exact search: compared with minimax and theory, and its limits."""

from __future__ import annotations

import signal
import sys
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, InvalidRules, Rules
from noughts.compiled import load
from noughts.game.geometry import symmetries
from noughts.opponent import advise
from noughts.opponent.exact.solver import MAX_CELLS, Solution, Solver, solve

SMALL = [
    *[Rules((3, 3), k=1), Rules((3, 3), k=2), Rules(), Rules(early_draw=True)],
    *[Rules((4, 3), k=3), Rules((2, 5), k=2), Rules((2, 5), k=3), Rules((2, 5), k=5)],
    *[Rules((2, 2, 2)), Rules((2, 2, 3), k=3), Rules((9,), k=3), Rules.square(1), Rules.square(2)],
]
REFERENCE = [
    *[(Rules.square(n), 1 if n <= 2 else 0) for n in range(1, 9)],
    *[(Rules((4, 3), k=3), 1), (Rules((4, 4), k=3), 1), (Rules((3, 3, 3)), 1)],
    *[(Rules((5, 5), k=4), 0), (Rules((6, 5), k=4), 1), (Rules((6, 6), k=4), 1)],
    *[(Rules((7, 4), k=4), 0), (Rules((6, 6), k=5), 0)],
    *[(Rules((7, 6), k=5), 0), (Rules((7, 7), k=5), 0), (Rules((9, 5), k=5), 0)],
    *[(Rules((64,), k=64), 0), (Rules((64,), k=1), 1), (Rules((2,) * 6, k=2), 1)],
]
# J. Tromp, John's Connect Four Playground: + the first player wins, = draw, - the second wins
TROMP = {4: "==-=", 5: "====", 6: "==-"}  # by the number of rows, for 4 columns and more
FALLING = [
    *[Rules(shape, k, gravity=True) for shape, k in [((3, 3), 1), ((3, 3), 2), ((3, 3), 3)]],
    *[Rules(shape, k, gravity=True) for shape, k in [((4, 4), 3), ((4, 4), 4), ((3, 5), 3)]],
    *[Rules(shape, k, gravity=True) for shape, k in [((5, 3), 3), ((5, 3), 4), ((2, 7), 4)]],
    *[Rules(shape, k, gravity=True) for shape, k in [((2, 2, 3), 3), ((4, 2, 2), 4), ((1, 9), 4)]],
    *[Rules(shape, k, gravity=True) for shape, k in [((9,), 3), ((2, 1, 4), 2), ((3, 5), 5)]],
]
HARD = Rules((8, 8), k=5)  # would take hours

compiled: Any = load("noughts.opponent.exact._solver")
pytestmark = pytest.mark.compiled("noughts.opponent.exact._solver")


KNOWN: dict[tuple[Rules, bytes], int] = {}


def minimax(game: Game) -> int:
    """Return the value by its definition."""
    position = game.rules, game.key()
    if position not in KNOWN:
        if game.outcome:
            KNOWN[position] = {None: 0, game.turn: 1}.get(game.outcome.winner, -1)
        else:
            KNOWN[position] = max(minimax_values(game).values())
    return KNOWN[position]


def minimax_values(game: Game) -> dict[tuple[int, ...], int]:
    found = {}
    for cell in game.legal_moves:
        game.play(cell)
        found[cell] = -minimax(game)
        game.undo()
    return found


def after(game: Game, cell: tuple[int, ...]) -> Game:
    twin = game.copy()
    twin.play(cell)
    return twin


@st.composite
def small_games(draw: st.DrawFn) -> Game:
    game = Game(draw(st.sampled_from(SMALL)))
    few_enough = max(0, game.rules.cells - 9)  # empty cells, for minimax to be quick
    for _ in range(draw(st.integers(few_enough, few_enough + 5))):
        if game.legal_moves:
            game.play(draw(st.sampled_from(list(game.legal_moves))))
    return game


def assert_right(solution: Solution, game: Game) -> None:
    assert (solution.value, solution.reason) == (minimax(game), None)
    if game.outcome:
        assert solution.best is None
    else:
        assert solution.best is not None
        assert minimax_values(game)[solution.best] == solution.value


@cache
def solver_of(rules: Rules) -> Solver:
    """Return one solver for all tests, which shares its solved positions."""
    return Solver(rules)


@pytest.mark.usefixtures("unmeasured")
@given(small_games())
def test_solve_agrees_with_minimax_on_small_boards(game: Game) -> None:
    before = game.copy()
    assert_right(solve(game), game)
    assert_right(solver_of(game.rules).solve(game), game)
    assert Solver(game.rules).values(game) == solver_of(game.rules).values(game)
    assert solver_of(game.rules).values(game) == minimax_values(game)
    assert game == before


@pytest.mark.usefixtures("unmeasured")
def test_solve_agrees_with_minimax_on_every_position_of_3x3() -> None:
    seen = set()

    def visit(game: Game) -> None:
        if game.key() in seen:
            return
        seen.add(game.key())
        assert_right(solver_of(game.rules).solve(game), game)
        assert solver_of(game.rules).values(game) == minimax_values(game)
        for cell in game.legal_moves:
            visit(after(game, cell))

    visit(Game())
    assert len(seen) == 5478


@pytest.mark.parametrize(("rules", "value"), REFERENCE, ids=repr)
def test_solve_agrees_with_theory(rules: Rules, value: int) -> None:
    solution = solve(rules)
    assert (solution.value, solution.reason) == (value, None)
    assert solution.best in Game(rules).legal_moves
    assert solution.seconds >= 0


@pytest.mark.parametrize("rows", TROMP)
def test_solve_agrees_with_tromp_with_gravity(rows: int) -> None:
    found = [
        solve(Rules((rows, columns), k=4, gravity=True)).value
        for columns, _ in enumerate(TROMP[rows], 4)
        if rows * columns <= 30  # larger boards take seconds
    ]
    assert found == ["-=+".index(value) - 1 for value in TROMP[rows][: len(found)]]


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("rules", FALLING, ids=repr)
def test_solve_agrees_with_minimax_with_gravity(rules: Rules) -> None:
    random, few_enough = Random(rules.k), max(0, rules.cells - 9)
    for _ in range(30):
        game = Game(rules)
        for _ in range(few_enough + random.randrange(5)):
            if game.legal_moves:
                game.play(random.choice(list(game.legal_moves)))
        assert_right(solver_of(rules).solve(game), game)
        assert solver_of(rules).values(game) == minimax_values(game)
        assert_right(Solver(rules, memory=1).solve(game), game)


@pytest.mark.usefixtures("unmeasured")
def test_solve_agrees_with_minimax_on_late_connect_four() -> None:
    random, rules = Random(4), Rules.connect_four()
    for ply in range(30, 41):
        for _ in range(10):
            game = Game(rules)
            while game.ply < ply and not game.outcome:
                game.play(random.choice(list(game.legal_moves)))
            assert_right(solver_of(rules).solve(game), game)


def test_solve_connect_four_after_eight_plies() -> None:
    random, rules = Random(8), Rules.connect_four()
    for _ in range(4):
        game = Game(rules)
        while game.ply < 8 and not game.outcome:
            game.play(random.choice(list(game.legal_moves)))
        solution = solve(game)
        assert solution.value is not None
        if solution.best:
            assert solve(after(game, solution.best)).value == -solution.value


def test_best_move_keeps_the_value() -> None:
    for shape, k in [((4, 4), 3), ((4, 4), 4), ((3, 3, 3), 3), ((6, 5), 4)]:
        solver = Solver(Rules(shape, k))
        game = Game(solver.rules)
        value = solver.solve(game).value
        while not game.outcome:
            solution = solver.solve(game)
            assert value is not None
            assert solution.value == (value if game.turn == 1 else -value)
            assert solution.best is not None
            game.play(solution.best)
        assert game.outcome.winner == {1: 1, 0: None}[value or 0]


@pytest.mark.parametrize(
    "rules", [Rules((4, 4), k=3), Rules((5, 4), k=4), Rules((3, 3, 3))], ids=repr
)
def test_symmetric_positions_have_the_same_value(rules: Rules) -> None:
    cells = list(product(*map(range, rules.shape)))
    solver = Solver(rules)
    history = [0, 1, len(cells) - 1]
    found = set()
    for image in symmetries(rules):
        turned = [cells[image.index(number)] for number in history]
        found.add(solver.solve(Game.replay(rules, turned)).value)
    assert len(found) == 1


@pytest.mark.parametrize("rules", [Rules((5, 5), 4), Rules((5, 5), 4, gravity=True)], ids=str)
def test_best_move_completes_or_blocks_a_line_even_if_it_loses(rules: Rules) -> None:
    solver, random, lost = Solver(rules), Random(2), 0
    for _ in range(200):
        game = Game(rules)
        while not game.outcome:
            ends, blocks = game.threats(game.turn), game.threats(3 - game.turn)
            if ends or blocks:
                solution = solver.solve(game)
                assert solution.best in (ends or blocks)
                lost += solution.value == -1
                break
            game.play(random.choice(list(game.legal_moves)))
    assert lost


def test_solve_of_a_finished_game_has_no_best_move() -> None:
    won = Game.replay(Rules(), [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)])
    drawn = Game.replay(
        Rules(early_draw=True), [(0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0)]
    )
    assert drawn.outcome
    assert (solve(won).value, solve(won).best, Solver(won.rules).values(won)) == (-1, None, {})
    assert (solve(drawn).value, solve(drawn).best, Solver(drawn.rules).values(drawn)) == (
        0,
        None,
        {},
    )


@pytest.mark.parametrize(
    ("reason", "options", "limits"),
    [
        ("time", {}, {"seconds": 0}),
        ("memory", {"memory": 1}, {}),
        ("stopped", {}, {"progress": lambda nodes, seconds: True}),
    ],
)
def test_solution_has_the_reason_of_a_cutoff(
    reason: str, options: dict[str, Any], limits: dict[str, Any]
) -> None:
    solver = Solver(HARD, **options)
    solution = solver.solve(Game(HARD), **limits)
    assert (solution.value, solution.best, solution.reason) == (None, None, reason)
    assert solution.nodes > 0
    found = solver.values(Game(HARD), **limits)
    assert set(found) == set(Game(HARD).legal_moves)
    assert None in found.values()


def test_progress_stops_values_at_once() -> None:
    reported: list[int] = []

    def stop(nodes: int, seconds: float) -> bool:
        reported.append(nodes)
        return True

    assert set(Solver(HARD).values(Game(HARD), progress=stop).values()) == {None}
    assert len(reported) == 1


def test_progress_reports_nodes_and_seconds() -> None:
    reported: list[tuple[int, float]] = []

    def progress(nodes: int, seconds: float) -> None:
        reported.append((nodes, seconds))

    solution = solve(Rules((5, 5), k=4), progress=progress)
    assert reported == sorted(reported)
    assert 0 < reported[0][0] < reported[-1][0] <= solution.nodes


def test_solver_continues_after_an_interruption() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where run in the background
    solver = Solver(Rules((5, 5), k=4))

    def interrupt(nodes: int, seconds: float) -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        solver.solve(Game(solver.rules), progress=interrupt)
    game = Game.replay(solver.rules, [(2, 2), (0, 0), (1, 1), (4, 4), (2, 1)])
    assert solver.solve(game).value == solve(game).value


def test_solver_rejects_a_nested_question() -> None:
    solver = Solver(HARD)
    with pytest.raises(RuntimeError, match="one question at a time"):
        solver.solve(Game(HARD), progress=lambda nodes, seconds: solver.solve(Game(HARD)))


@pytest.mark.parametrize("memory", [1, 100, 10_000, 10**6])
def test_table_keeps_to_its_memory(memory: int) -> None:
    entry = 24
    table = compiled.Prover(Rules(), memory)
    assert 2 <= table.entries <= max(2, memory // entry)
    rules = Rules((4, 4), k=4)
    game = Game.replay(rules, [(0, 0)])
    assert Solver(rules, memory=memory).solve(game).value in (0, None)


def test_solve_reports_a_missing_compiled_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "noughts.opponent.exact._solver", None)
    with pytest.raises(ModuleNotFoundError, match=r"exact search needs .* without a C compiler"):
        solve(Rules())
    assert advise(Game(), seconds=0.1).proof != "search"


def test_solve_rejects_invalid_arguments() -> None:
    with pytest.raises(InvalidRules, match="2 players, not 3"):
        solve(Rules(players=3))
    with pytest.raises(InvalidRules, match="at most 64 cells, not 81"):
        Solver(Rules.square(9)).values(Game(Rules.square(9)))
    with pytest.raises(InvalidRules, match="is for freestyle, not misere"):
        solve(Rules((4, 4), k=3, variant="misere"))
    with pytest.raises(InvalidRules, match=r"64 bits with gravity, .* not 72"):
        solve(Rules((8, 8), k=4, gravity=True))
    with pytest.raises(MemoryError):
        solve(Rules.square(8), memory=2**62)
    with pytest.raises(MemoryError):
        solve(Rules.square(8), memory=2**70)
    with pytest.raises(ValueError, match="memory must be at least 1 byte"):
        solve(Rules(), memory=0)
    with pytest.raises(ValueError, match="seconds must be 0 or more"):
        solve(Rules(), seconds=-1)
    with pytest.raises(TypeError, match="memory"):
        solve(Rules(), memory=1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="position"):
        solve(9)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="this solver is for"):
        Solver(Rules()).solve(Game(Rules.square(4)))
    assert Rules.square(8).cells == MAX_CELLS


def test_provers_reject_invalid_arguments() -> None:
    columns: Any = load("noughts.opponent.exact._columns")
    for wrong in (None, (3, 3), 9):
        for refusing in (compiled, columns):
            with pytest.raises(TypeError, match="rules must be Rules"):
                refusing.Prover(wrong, 0)
    for rules in (Rules(players=3), Rules.square(9)):
        with pytest.raises(ValueError, match="2 players and at most 64 cells"):
            compiled.Prover(rules, 0)
    for rules in (Rules(), Rules((8, 8), k=4, gravity=True)):
        with pytest.raises(ValueError, match="2 players, freestyle with gravity"):
            columns.Prover(rules, 0)
    for prover in (compiled.Prover(Rules((3,), k=2), 0), columns.Prover(FALLING[0], 0)):
        with pytest.raises(ValueError, match="player must be 0 or 1, not 2"):
            prover.wins(2, 0, 0, None)
        assert prover.wins(0, 0, 0, None)
    assert compiled.Prover(Rules((3,), k=2), 0).moves(2, 1) == [2]
    prover = columns.Prover(Rules((3, 3), gravity=True), 0)
    for first, second in [(1 << 8, 1 << 8), (1 << 8, 1 << 2), (0, 1 << 8), (1 << 8 | 1 << 7, 0)]:
        with pytest.raises(ValueError, match="must be stacked without gaps"):
            prover.wins(0, first, second, None)
    assert set(prover.moves(1 << 8, 1 << 5)) == {2, 6, 7}
    with pytest.raises(ValueError, match="the board must not be full"):
        columns.Prover(Rules((1, 2), k=2, gravity=True), 0).score(1, 2, None, -1, 1)
