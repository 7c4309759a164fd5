"""The two forms of `noughts.kernels.position`: alike in everything, and no way to break them."""

from __future__ import annotations

import copy
import gc
import os
import subprocess
import sys
import tracemalloc
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, IllegalMove, OffBoard, Outcome, Rules, Termination
from noughts.geometry import Geometry, geometry_of
from noughts.kernels import position
from oracle import NaiveGame, observed

COMPILED = not hasattr(position.Position.play, "__code__")
only_compiled = pytest.mark.skipif(not COMPILED, reason="the kernel is not compiled")
BOARDS = [
    Rules(),
    Rules((15, 15), k=5),
    Rules.square(40),
    Rules((4, 5), k=3, players=3, early_draw=True),
    Rules((3, 3, 3), early_draw=True),
    Rules((5, 4, 3, 3), k=3, players=4),
    Rules((2,) * 5, players=8),
    Rules((30,), k=2, players=5),
    Rules((6, 6), k=1),
]


def new(form: ModuleType, rules: Rules) -> Any:
    """A bare position in one of the forms; its outcome is what it was told at the end."""

    class Bare(form.Position):  # type: ignore[misc, name-defined]
        def _ending(self, lines: tuple[int, ...], player: int) -> tuple[object, ...]:
            return Ending((lines, player))

    lines = Geometry(rules)
    deltas = [direction.delta for direction in lines.directions]
    geometry = form.geometry(rules.shape, rules.k, deltas, lines.count)
    return Bare(geometry, rules.players, rules.early_draw)


class Ending(tuple[object, ...]):
    winner = None


def answer(of: Any, method: str, *args: object) -> object:
    """What a call returns or raises."""
    try:
        return getattr(of, method)(*args)
    except (IllegalMove, IndexError, TypeError) as error:
        return type(error).__name__, str(error)


def seen(of: Any, rules: Rules) -> dict[str, object]:
    players = range(1, rules.players + 1)
    return {
        "state": (of.ply, of.turn, of.outcome, of.winnable, of.history),
        "live": [of.live_lines(player) for player in players],
        "lacking": [sorted(of._lines_lacking_one(p)) for p in players if rules.k > 1],
        "key": of.key(),
    }


# Both forms


@pytest.mark.skipif(
    not COMPILED or os.environ.get("NOUGHTS_TESTS") == "uncompiled", reason="they have just run so"
)
def test_the_tests_of_the_game_pass_uncompiled() -> None:
    here = Path(__file__).parent
    tests = [here / name for name in ("test_game.py", "test_game_machine.py", "test_lines.py")]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, __file__],
        env={**os.environ, "NOUGHTS_TESTS": "uncompiled"},
        capture_output=True,
        text=True,
        cwd=here.parent,
    )
    assert run.returncode == 0, run.stdout + run.stderr


@only_compiled
@pytest.mark.parametrize("rules", BOARDS, ids=str)
@given(seed=st.integers(0, 2**32))
def test_both_forms_answer_alike(rules: Rules, seed: int) -> None:
    random = Random(seed)
    quick, plain = new(position, rules), new(position.uncompiled(), rules)
    assert seen(quick, rules) == seen(plain, rules)
    for _ in range(60):
        cell: tuple[object, ...] = tuple(random.randrange(side) for side in rules.shape)
        if random.random() < 0.1:
            cell = (*cell[1:], random.choice([-1, 99, 2**63, -(2**64), 10**30, 1.5, True, None]))
        if random.random() < 0.02:
            cell = cell[1:]
        player = random.choice([None, None, None, 0, 1, 2, 3, 10**20, "1"])
        method, args = random.choice(
            [("play", (cell,))] * 5
            + [("play", (cell, player)), ("why_illegal", (cell, player)), ("mark", (cell,))]
            + [("undo", ())] * 2
        )
        one, other = answer(quick, method, *args), answer(plain, method, *args)
        if method == "why_illegal":
            one, other = repr(one), repr(other)
        assert one == other, (method, args)
        assert seen(quick, rules) == seen(plain, rules)


@pytest.mark.parametrize("rules", [Rules((60, 60), k=5), Rules((9, 9, 9), k=4, players=3)], ids=str)
def test_a_long_game_taken_back_and_played_again_is_the_same(rules: Rules) -> None:
    cells = list(product(*map(range, rules.shape)))
    Random(3).shuffle(cells)
    game, states = Game(rules), []
    everyone = range(1, rules.players + 1)
    for cell in cells:
        states.append([game.live_lines(player) for player in everyone])
        if game.play(cell):
            break
    played = game.history
    for state in reversed(states):
        game.undo()
        assert [game.live_lines(player) for player in everyone] == state
    assert game == Game(rules)
    for cell in played:
        game.play(cell)
    assert game.outcome == Game.replay(rules, played).outcome is not None


# Boards of every size


@pytest.mark.parametrize(
    "side", [40, 10**6, 10**9, 1518500248, 1518500249, 1518500250, 2**31, 2**32, 2**63, 10**30]
)
def test_a_game_in_a_far_corner_is_the_same_on_a_board_of_any_size(side: int) -> None:
    """Beyond 1518500249 the numbers of the lines do not fit in 64 bits."""
    small, vast = Game(Rules((40, 40), k=5)), Game(Rules((side, side), k=5))
    random = Random(side)
    lost = small.live_lines(1), vast.live_lines(1)

    def moved(cell: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(at + side - 40 for at in cell)

    for _ in range(300):
        cell = (random.randrange(28, 40), random.randrange(28, 40))
        if random.random() < 0.3 and small.ply:
            assert moved(small.undo()) == vast.undo()
        elif small.is_legal(cell):
            one, other = small.play(cell), vast.play(moved(cell))
            assert (one is None) == (other is None)
            if one and other:
                assert other.winner == one.winner
                assert other.lines == tuple(tuple(map(moved, line)) for line in one.lines)
        else:
            assert type(small.why_illegal(cell)) is type(vast.why_illegal(moved(cell)))
        assert vast.copy() == vast
        assert vast.history == tuple(map(moved, small.history))
        for player in (1, 2):
            assert lost[0] - small.live_lines(player) == lost[1] - vast.live_lines(player)
            assert vast.threats(player) == set(map(moved, small.threats(player)))
    assert vast.winnable
    with pytest.raises(OffBoard):
        vast.play((side, 0))


def test_a_k_too_long_for_the_compiled_tallies_is_counted_all_the_same() -> None:
    game = Game(Rules((2**40, 1), k=2**40))
    assert game.live_lines(1) == 1
    game.play((0, 0))
    game.play((1, 0))
    assert (game.live_lines(1), game.live_lines(2)) == (0, 0)
    assert not game.winnable


def test_eight_vast_dimensions() -> None:
    game = Game(Rules((100,) * 8, k=2))
    game.play((5,) * 8)
    game.play((0,) * 8)
    outcome = game.play((6,) * 8)
    assert outcome == Outcome(Termination.LINE, 1, (((5,) * 8, (6,) * 8),))


# Memory


def growth(rules: Rules, cells: int) -> int:
    game = Game(rules)
    tracemalloc.start()
    try:
        for i in range(cells):
            game.play((i, 7 * i % rules.shape[1]))
            game.undo()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


@only_compiled
def test_moves_taken_back_leave_nothing_behind() -> None:
    assert growth(Rules((10**6, 10**6), k=5), 20_000) < 20_000


def test_a_new_game_is_as_small_on_any_board() -> None:
    def size(rules: Rules) -> int:
        geometry_of(rules)
        tracemalloc.start()
        try:
            game = Game(rules)
            return tracemalloc.get_traced_memory()[0] + 0 * game.ply
        finally:
            tracemalloc.stop()

    assert size(Rules.square(10**5)) <= size(Rules()) + 500


# Nothing breaks it


def test_a_coordinate_that_plays_while_it_is_read() -> None:
    game = Game()

    class Playing:
        def __index__(self) -> int:
            game.play((1, 1)) if game.is_legal((1, 1)) else game.undo()
            return 0

    for cell in ((Playing(), 0), (0, Playing()), [Playing(), Playing()]):
        answer(game, "play", cell)
        answer(game, "mark", cell)
        answer(game, "play", (2, 2), Playing())
        answer(game, "live_lines", Playing())
        assert observed(game) == observed(NaiveGame(Rules(), game.history))


def test_a_coordinate_that_begins_the_game_anew() -> None:
    game = Game.replay(Rules(), [(1, 1), (0, 0)])

    class Restarting:
        def __index__(self) -> int:
            game.__init__(Rules((5, 5), k=2))  # type: ignore[misc]
            return 4

    assert game.play((Restarting(), 4)) is None  # type: ignore[arg-type]
    assert observed(game) == observed(NaiveGame(Rules((5, 5), k=2), ((4, 4),)))


def test_an_outcome_that_fails_takes_the_move_back() -> None:
    class Failing(Game):
        def _ending(self, lines: tuple[int, ...], player: int) -> Outcome:
            raise KeyboardInterrupt

    game = Failing(Rules.square(2))
    game.play((0, 0))
    game.play((0, 1))
    with pytest.raises(KeyboardInterrupt):
        game.play((1, 1))
    assert game.history == ((0, 0), (0, 1))
    assert game.outcome is None
    assert game.live_lines(1) == Game.replay(game.rules, game.history).live_lines(1)
    with pytest.raises(KeyboardInterrupt):
        Failing(Rules(players=5, early_draw=True))


def test_an_outcome_that_undoes_its_game() -> None:
    class Undoing(Game):
        def _ending(self, lines: tuple[int, ...], player: int) -> Outcome:
            while self.ply:
                self.undo()
            raise ValueError

    game = Undoing(Rules.square(2))
    for cell in ((0, 0), (0, 1)):
        game.play(cell)
    with pytest.raises(ValueError, match=r"^$"):
        game.play((1, 1))
    assert observed(game) == observed(NaiveGame(Rules.square(2)))


def test_a_subclass_has_its_own_attributes_and_copies_as_itself() -> None:
    class Named(Game):
        name = "mine"

    game = Named()
    game.play((1, 1))
    game.name = "yours"
    for twin in (game.copy(), copy.deepcopy(game)):
        assert type(twin) is Named
        assert twin == game


def test_a_game_that_was_never_begun_fails_and_does_not_crash() -> None:
    game = Game.__new__(Game)
    for method, args in (
        *[("play", ((0, 0),)), ("mark", ((0, 0),)), ("why_illegal", ((0, 0),)), ("undo", ())],
        *[("live_lines", (1,)), ("threats", (1,)), ("key", ()), ("copy", ())],
        *[("__str__", ()), ("__repr__", ()), ("__reduce__", ())],
    ):
        with pytest.raises((AttributeError, TypeError, IllegalMove)):
            getattr(game, method)(*args)
    for name in ("ply", "turn", "history", "winnable"):
        with pytest.raises((AttributeError, TypeError)):
            getattr(game, name)
    game.__init__()  # type: ignore[misc]
    assert game == Game()


@only_compiled
def test_the_parts_of_a_position_cannot_be_made_twice_or_half() -> None:
    lines = geometry_of(Rules())
    form: Any = position
    with pytest.raises(TypeError):
        lines.geometry.__init__((9, 9), 3, [(0, 1)], 63)  # type: ignore[misc]
    with pytest.raises(ValueError, match="a direction leads back"):
        form.Geometry((3, 3), 3, [(0, 0)], 9)
    board = form.Board(lines.geometry, 2)
    with pytest.raises(TypeError):
        board.__init__(lines.geometry, 2)
    for players in (0, 9, -1, 2**40):
        with pytest.raises(ValueError, match="1 to 8"):
            form.Board(lines.geometry, players)
    for wrong in (None, 3, object(), Game()):
        with pytest.raises((TypeError, AttributeError)):
            form.Board(wrong, 2)
        with pytest.raises((TypeError, AttributeError)):
            form.Position(wrong, 2, False)
    assert board.play((3, 3)) == board.play((10**20, 0)) == board.play((0,)) == -1
    assert (board.play((0, 0)), board.play((0, 0))) == (0, -1)
    with pytest.raises(TypeError):
        board.play((1.5, 0))
    for half in (form.Board.__new__(form.Board), form.Geometry.__new__(form.Geometry)):
        for name in dir(type(half)):
            method = getattr(half, name, None)
            if not name.startswith("__") and callable(method):
                for args in ((), ((0, 0),), (1,)):
                    with pytest.raises((AttributeError, TypeError, IndexError)):
                        method(*args)
        with pytest.raises(TypeError):
            copy.copy(half)
    hollow = form.Geometry.__new__(form.Geometry)
    assert form.Board(hollow, 2).play((0, 0)) == -1


def test_games_in_a_cycle_are_collected() -> None:
    class Linked(Game):
        other: Game

    gc.collect()
    for _ in range(3):
        one, two = Linked(), Linked()
        one.other, two.other = two, one
        one.play((1, 1))
    del one, two
    assert gc.collect() >= 6


@given(st.lists(st.one_of(st.integers(), st.text(), st.tuples(st.integers(), st.integers(-1, 3)))))
def test_whatever_is_played_the_game_is_as_its_history_says(cells: list[Any]) -> None:
    game = Game(Rules(early_draw=True))
    for cell in cells:
        with suppress(IllegalMove, TypeError):
            game.play(cell)
    assert observed(game) == observed(NaiveGame(game.rules, game.history))
