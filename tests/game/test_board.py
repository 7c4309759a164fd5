"""The board and its accelerator behave alike, and neither can be broken."""

from __future__ import annotations

import copy
import gc
import sys
import threading
from contextlib import suppress
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allocations import allocated
from meddling import whenever_memory_is_collected
from noughts import (
    CellTaken,
    Game,
    IllegalMove,
    InvalidRules,
    OffBoard,
    Outcome,
    Rules,
    Termination,
)
from noughts.compiled import load
from noughts.game.board import Board
from oracle import NaiveGame, observed

only_compiled = pytest.mark.compiled("noughts.game._board")
compiled: Any = load("noughts.game._board")
both_boards = pytest.mark.usefixtures("board_of_games")
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
    Rules.connect_four(),
    Rules((9, 4), k=3, players=3, gravity=True, variant="standard", early_draw=True),
    Rules((5, 8), k=3, variant="caro"),
    Rules((3, 3, 3), k=2, variant="misere"),
]


def answer(of: Any, method: str, *args: object) -> object:
    """Return the result of a call or its error."""
    try:
        return getattr(of, method)(*args)
    except (IllegalMove, IndexError, TypeError) as error:
        return type(error).__name__, str(error)


def seen(board: Any, rules: Rules) -> dict[str, object]:
    players = range(1, rules.players + 1)
    return {
        "state": (board.ply, board.turn, board.outcome, board.winnable, board.history),
        "live": [board.live_lines(player) for player in players],
        "tallies": [board.live_tallies(player) for player in players],
        "lacking": [sorted(board.lines_lacking_one(player)) for player in players],
        "key": board.key(),
    }


# Both boards


@pytest.mark.usefixtures("unmeasured")
@only_compiled
@pytest.mark.parametrize("rules", BOARDS, ids=str)
@given(seed=st.integers(0, 2**32))
def test_boards_answer_alike(rules: Rules, seed: int) -> None:
    random = Random(seed)
    quick: Any = compiled.Board(rules)
    plain: Any = Board(rules)
    assert seen(quick, rules) == seen(plain, rules)
    for _ in range(60):
        cell: tuple[object, ...] = tuple(random.randrange(side) for side in rules.shape)
        if random.random() < 0.1:
            cell = (*cell[1:], random.choice([-1, 99, 2**63, -(2**64), 10**30, 1.5, True, None]))
        if random.random() < 0.02:
            cell = cell[1:]
        player = random.choice([None, None, None, 0, 1, 2, 3, 10**20, "1"])
        if random.random() < 0.1:
            quick, plain = quick.copy(), copy.copy(plain)
        method, args = random.choice(
            [("play", (cell,))] * 5
            + [("play", (cell, player)), ("why_illegal", (cell, player))]
            + [("mark", (cell,)), ("stays", (cell,))]
            + [("undo", ())] * 2
        )
        one, other = answer(quick, method, *args), answer(plain, method, *args)
        if method == "why_illegal":
            one, other = repr(one), repr(other)
        assert one == other, (method, args)
        assert seen(quick, rules) == seen(plain, rules)


@both_boards
@pytest.mark.parametrize("rules", [Rules((60, 60), k=5), Rules((9, 9, 9), k=4, players=3)], ids=str)
def test_board_is_the_same_after_undo_and_replay(rules: Rules) -> None:
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


@both_boards
@pytest.mark.parametrize("side", [40, 1000, 46340])
def test_board_of_any_size_plays_alike_in_a_far_corner(side: int) -> None:
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


@both_boards
def test_board_counts_the_longest_line() -> None:
    k = 2**31 - 1
    game = Game(Rules((k, 1), k=k))
    assert game.live_lines(1) == 1
    game.play((0, 0))
    game.play((k - 1, 0))
    assert (game.live_lines(1), game.live_lines(2)) == (0, 0)
    assert not game.winnable


@both_boards
def test_board_supports_eight_dimensions() -> None:
    game = Game(Rules((14,) * 8, k=2))
    game.play((5,) * 8)
    game.play((0,) * 8)
    outcome = game.play((6,) * 8)
    assert outcome == Outcome(Termination.LINE, 1, (((5,) * 8, (6,) * 8),))


def test_board_rejects_too_many_cells() -> None:
    with pytest.raises(InvalidRules, match="at most 2,147,483,647 cells"):
        Game(Rules((46341, 46341), k=5))


# Memory


@only_compiled
def test_undo_frees_memory() -> None:
    game = Game(Rules((40_000, 40_000), k=5))

    def play_and_undo() -> None:
        for i in range(20_000):
            game.play((i, 7 * i % 40_000))
            game.undo()

    assert allocated(play_and_undo) < 20_000


def test_new_game_has_the_same_size_on_any_board() -> None:
    def size(rules: Rules) -> int:
        Game(rules)  # fills the caches of the rules, which earlier tests may have done
        return allocated(lambda: Game(rules))

    assert size(Rules.square(40_000)) <= size(Rules()) + 500


# Attempts to break it


def test_play_survives_a_coordinate_that_plays() -> None:
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


def test_play_survives_a_coordinate_that_restarts_the_game() -> None:
    game = Game.replay(Rules(), [(1, 1), (0, 0)])

    class Restarting:
        def __index__(self) -> int:
            game.__init__(Rules((5, 5), k=2))  # type: ignore[misc]
            return 2

    assert game.play((Restarting(), 2)) is None  # type: ignore[arg-type]  # on the board it asked
    assert observed(game) == observed(NaiveGame(Rules((5, 5), k=2)))


@only_compiled
@pytest.mark.parametrize("step", range(1, 60))
def test_interrupt_between_two_steps_leaves_game_consistent(step: int) -> None:
    game, steps = Game(), iter(range(1, 1000))

    def interrupt(*_: object) -> Any:
        if next(steps) == step:
            raise KeyboardInterrupt
        return interrupt

    old = sys.gettrace()
    with suppress(KeyboardInterrupt):
        sys.settrace(interrupt)
        try:
            for cell in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]:
                game.play(cell)
        finally:
            sys.settrace(old)
    assert observed(game) == observed(NaiveGame(Rules(), game.history))


@both_boards
def test_garbage_collector_callbacks_can_play() -> None:
    game = Game(Rules((30, 30), k=3))
    random = Random(1)

    def meddle() -> None:
        with suppress(IllegalMove, IndexError, RuntimeError):  # the definition rejects re-entry
            game.play((random.randrange(30), random.randrange(30)))
            game.undo()

    with whenever_memory_is_collected(meddle):
        for cell in [(0, 0), (9, 9), (0, 1), (9, 8), (0, 2)]:
            game.play(cell)
        lines = game.outcome.lines if game.outcome else ()
        game.threats(1), game.history, game.copy(), game.key()
    assert lines == (((0, 0), (0, 1), (0, 2)),)


@both_boards
def test_games_of_equal_rules_in_two_threads_are_independent() -> None:
    rules = Rules((15, 15), k=5)
    cells = list(product(range(15), repeat=2))
    wrong: list[object] = []

    def work(seed: int) -> None:
        order = cells.copy()
        Random(seed).shuffle(order)
        for _ in range(5):
            game, naive = Game(rules), set()
            for cell in order[:60]:
                if game.play(cell):
                    break
                naive.add(cell)
            if not naive <= set(game.history) or game != Game.replay(rules, game.history):
                wrong.append(seed)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong


@only_compiled
def test_failed_outcome_undoes_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> Outcome:
        raise KeyboardInterrupt

    game = Game.replay(Rules.square(2), [(0, 0), (0, 1)])
    monkeypatch.setattr("noughts.game._board.won", failing)
    with pytest.raises(KeyboardInterrupt):
        game.play((1, 1))
    assert observed(game) == observed(NaiveGame(game.rules, ((0, 0), (0, 1))))


@only_compiled
def test_play_survives_an_outcome_that_undoes(monkeypatch: pytest.MonkeyPatch) -> None:
    def undoing(*_: object) -> Outcome:
        while game.ply:
            game.undo()
        raise ValueError

    game = Game.replay(Rules.square(2), [(0, 0), (0, 1)])
    monkeypatch.setattr("noughts.game._board.won", undoing)
    with pytest.raises(ValueError, match=r"^$"):
        game.play((1, 1))
    assert observed(game) == observed(NaiveGame(game.rules))


def test_subclass_keeps_its_attributes_and_type_in_copies() -> None:
    class Named(Game):
        name = "mine"

    game = Named()
    game.play((1, 1))
    game.name = "yours"
    for twin in (game.copy(), copy.deepcopy(game)):
        assert type(twin) is Named
        assert twin == game


def test_uninitialised_game_fails_without_crashing() -> None:
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
def test_compiled_board_never_crashes() -> None:
    kind: Any = compiled.Board
    board = kind(Rules((3, 3)))
    for wrong in ((), (None,), (3,), (object(),), (Game(),), (Rules(), 2)):
        with pytest.raises((TypeError, AttributeError)):
            kind(*wrong)
        with pytest.raises((TypeError, AttributeError)):
            kind.__new__(kind, *wrong)
    for cell in ((3, 3), (10**20, 0), (0,), (0, 0, 0), ()):
        with pytest.raises(OffBoard):
            board.play(cell)
    board.play((0, 0))
    with pytest.raises(CellTaken):
        board.play((0, 0))
    for args in ((), (1,), ("ab",), (None,), ((1.5, 0),), (2**31 - 1,), (2**63,), (-1,)):
        for name in dir(kind):
            if not name.startswith("__") and callable(getattr(board, name)):
                with suppress(TypeError, IllegalMove, IndexError):
                    getattr(board, name)(*args)
    assert board.ply <= 1


def test_games_in_a_reference_cycle_are_collected() -> None:
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
def test_game_always_agrees_with_its_history(cells: list[Any]) -> None:
    game = Game(Rules(early_draw=True))
    for cell in cells:
        with suppress(IllegalMove, TypeError):
            game.play(cell)
    assert observed(game) == observed(NaiveGame(game.rules, game.history))
