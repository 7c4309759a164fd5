"""Threads, callbacks and interrupts in one game, and verdicts on other games."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import numpy as np
import pytest

from meddling import whenever_memory_is_collected
from noughts import Game, Rules
from noughts.bulk import judge, winning_lines
from noughts.errors import IllegalMove
from noughts.game.board import Board
from oracle import NaiveGame, observed

both_boards = pytest.mark.usefixtures("board_of_games")

# A callback during the measuring of coverage would find its lock held.
pytestmark = pytest.mark.usefixtures("unmeasured")
FIVES = Rules((5, 5), k=4)


@pytest.fixture
def restless() -> Iterator[None]:
    """Switch threads as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(work: Callable[[int], None], threads: int = 3) -> None:
    """Run the work in several threads, each with its number."""
    start, errors = threading.Barrier(threads), []

    def run(number: int) -> None:
        start.wait(30)
        try:
            work(number)
        except BaseException as error:  # raised below
            errors.append(error)

    started = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    for error in errors:
        raise error


def assert_replays(game: Game) -> None:
    """Check that the game equals a replay of its history."""
    again = Game.replay(game.rules, game.history)
    assert again == game
    assert (again.outcome, again.key(), again.winnable) == (game.outcome, game.key(), game.winnable)
    for player in range(1, game.rules.players + 1):
        assert again.live_lines(player) == game.live_lines(player)
        assert again.threats(player) == game.threats(player)


# --- threads --------------------------------------------------------------------------------------


@both_boards
@pytest.mark.usefixtures("restless")
@pytest.mark.parametrize("rules", [Rules(), Rules((4, 4), k=3), Rules((3, 3), early_draw=True)])
def test_threads_that_share_a_game_play_one_game(rules: Rules) -> None:
    cells = list(product(*map(range, rules.shape)))
    orders = [cells, cells[::-1], cells[1::2] + cells[::2]]
    for _ in range(60):
        game = Game(rules)

        def work(number: int, game: Game = game) -> None:
            for cell in orders[number]:
                with suppress(IllegalMove):
                    game.play(cell)

        at_once(work)
        assert_replays(game)
        assert game.outcome


@both_boards
@pytest.mark.usefixtures("restless")
def test_threads_that_undo_each_other_leave_a_valid_game() -> None:
    cells = list(product(range(5), repeat=2))
    for _ in range(30):
        game = Game(FIVES)

        def work(thread: int, game: Game = game) -> None:
            for number in range(60):
                with suppress(IllegalMove, IndexError):
                    if number % 3 == 2:
                        game.undo()
                    else:
                        game.play(cells[number * (1, 7, 12)[thread] % 25])
                if number % 7 == thread:
                    assert_replays(game.copy())

        at_once(work)
        assert_replays(game)


@both_boards
@pytest.mark.usefixtures("restless")
def test_thread_reads_a_valid_game_while_another_plays() -> None:
    game, done = Game(FIVES), threading.Event()
    cells = list(product(range(5), repeat=2))

    def work(number: int) -> None:
        if number == 0:
            for _ in range(30):
                for cell in cells:
                    if game.play(cell):
                        break
                while game.ply:
                    game.undo()
            done.set()
        while not done.is_set():
            Game.replay(FIVES, game.history)
            assert 0 <= game.live_lines(1) <= 28
            assert game.threats(2) <= set(cells)
            assert len(game.key()) == 25
            assert all(not game.winnable or cell in cells for cell in game.legal_moves)

    at_once(work)
    assert game == Game(FIVES)


# --- callbacks and interrupts in the same thread --------------------------------------------------


@both_boards
def test_callback_that_plays_on_leaves_a_valid_game() -> None:
    game = Game(FIVES)
    cells = list(product(range(5), repeat=2))
    steps = iter(range(10**9))
    entered = 0

    def meddle() -> None:
        nonlocal entered
        step = next(steps)
        with suppress(IllegalMove, IndexError, RuntimeError):
            entered += 1
            if step % 5 == 4:
                game.undo()
            else:
                game.play(cells[step * 7 % 25])

    with whenever_memory_is_collected(meddle):
        for number in range(50):
            with suppress(IllegalMove, IndexError, RuntimeError):
                if number % 3 == 2:
                    game.undo()
                else:
                    game.play(cells[number % 25])
            with suppress(RuntimeError):
                assert_replays(game.copy())
    assert entered > 30
    assert_replays(game)


def test_reentrant_call_during_a_move_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = Board(Rules())
    board.play((0, 0))
    again: list[Callable[[], object]] = [
        *(board.undo, board.copy, board.key, lambda: board.play((1, 1))),
        *(lambda: board.live_lines(1), lambda: board.winnable, lambda: board.why_illegal((1, 1))),
    ]
    through = board.geometry.through
    for method in again:
        calls = [method]

        def meddling(cell: Any, calls: list[Callable[[], object]] = calls) -> Any:
            if calls:
                calls.pop()()
            return through(cell)

        with monkeypatch.context() as patch:
            patch.setattr(board.geometry, "through", meddling)
            with pytest.raises(RuntimeError, match="in the middle of another call"):
                board.play((2, 2))
        assert (board.history, board.turn) == (((0, 0),), 2)
        assert board.live_lines(2) == 5


@pytest.mark.parametrize("step", range(1, 130, 3))
def test_interrupt_at_any_line_leaves_a_valid_board(
    step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.game.game.Board", Board)
    game, steps = Game(Rules(early_draw=True)), iter(range(1, 10**6))

    def interrupt(frame: Any, *_: object) -> Any:
        ours = frame.f_globals.get("__name__", "").startswith("noughts.")
        # Signals do not arrive between the lines of this private method's `with` statement.
        if not ours or frame.f_code.co_name == "_exclusively":
            return None
        if next(steps) == step:
            raise KeyboardInterrupt
        return interrupt

    old = sys.gettrace()
    with suppress(KeyboardInterrupt):
        sys.settrace(interrupt)
        try:
            for cell in [(0, 0), (1, 0), (0, 1), (1, 1)]:
                game.play(cell)
                game.undo()
                game.play(cell)
            game.play((0, 2))
        finally:
            sys.settrace(old)
    assert_replays(game)
    assert observed(game) == observed(NaiveGame(game.rules, game.history))


@pytest.mark.tier2("time")
@both_boards
def test_interrupting_signals_leave_a_valid_game() -> None:
    game = Game(FIVES)
    cells = list(product(range(5), repeat=2))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before, interrupted, number = signal.signal(signal.SIGALRM, interrupt), 0, 0
    gc.disable()  # interrupting callbacks of the collector would fail the test
    try:
        while interrupted < 200 and number < 10**6:
            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-5 * (1 + number % 7))
                for _ in range(50):
                    number += 1
                    with suppress(IllegalMove, IndexError):
                        if number % 3 == 2:
                            game.undo()
                        else:
                            game.play(cells[number * 7 % 25])
                signal.setitimer(signal.ITIMER_REAL, 0)  # later ones would arrive outside the try
            except KeyboardInterrupt:
                interrupted += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()
    assert interrupted == 200
    assert_replays(game)
    at_once(lambda _: assert_replays(game.copy()))  # its lock is free again


# --- verdicts on other games ---------------------------------------------------------------------


ROW = [cell for pair in zip(range(10), range(10, 20), strict=True) for cell in pair][:19]


@pytest.mark.compiled("noughts.bulk._judge")
@pytest.mark.parametrize(
    ("moves", "rules"),
    [
        (ROW, Rules((12, 10), k=11)),
        (ROW, Rules.square(9)),
        (ROW, Rules((10, 10), k=10, players=3)),
        (ROW[::-1], Rules((10, 10), k=10, players=5)),
        ([*ROW[:18], 99], Rules.square(10)),
        ([*ROW[:18], 100], Rules.square(10)),
        ([*ROW[1:], 99], Rules.square(10)),
        (ROW[:18], Rules.square(10)),
        ([], Rules.square(10)),
    ],
)
def test_winning_lines_refuse_games_of_another_board(moves: list[int], rules: Rules) -> None:
    verdicts = judge(np.array([ROW], np.int16), Rules.square(10))
    assert verdicts.winner.tolist() == [1]
    assert winning_lines(np.array([ROW]), Rules.square(10), verdicts)[0].tolist() == [[*range(10)]]
    for width in (np.int16, np.int64):
        with pytest.raises(ValueError, match="verdicts"):
            winning_lines(np.array([moves], width), rules, verdicts)


@pytest.mark.compiled("noughts.bulk._judge")
@pytest.mark.parametrize("rules", [Rules(), Rules.square(10), Rules((15, 15), k=5)])
def test_winning_lines_refuse_verdicts_of_other_games(rules: Rules) -> None:
    n = rules.shape[1]
    game = [cell for at in range(rules.k) for cell in (at, n + at)][:-1]
    games = np.array([game, [*game[:-1], -1]], np.int16)  # won, pending
    verdicts = judge(games, rules)
    assert verdicts.winner.tolist() == [1, 0]
    with pytest.raises(ValueError, match="verdicts"):
        winning_lines(games[::-1], rules, verdicts)
    with pytest.raises(ValueError, match="verdicts"):
        winning_lines(games[:1], rules, verdicts)
    with pytest.raises(ValueError, match="verdicts"):
        winning_lines(games[:, : len(game) - 2], rules, verdicts)
