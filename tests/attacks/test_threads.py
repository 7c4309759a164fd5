"""12 and 13: threads that share a game, and arguments that ask for the impossible."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from noughts import Game, Rules
from noughts.bulk import judge, winning_lines
from noughts.errors import IllegalMove

pytestmark = pytest.mark.usefixtures("board_of_games")


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("restless")
@pytest.mark.parametrize("rules", [Rules(), Rules((4, 4), k=3), Rules((3, 3), early_draw=True)])
def test_threads_that_share_a_game_play_one_game(rules: Rules) -> None:
    cells = list(product(*map(range, rules.shape)))

    def play(game: Game, start: threading.Barrier, mine: list[tuple[int, ...]]) -> None:
        start.wait(30)
        for cell in mine:
            try:
                game.play(cell)
            except IllegalMove:
                continue

    for _ in range(100):
        game, start = Game(rules), threading.Barrier(3)
        works = [(cells, 0), (cells[::-1], 0), (cells[1::2] + cells[::2], 0)]
        threads = [threading.Thread(target=play, args=(game, start, mine)) for mine, _ in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        again = Game.replay(rules, game.history)
        assert again == game
        assert again.outcome == game.outcome
        assert again.key() == game.key()
        for player in (1, 2):
            assert again.live_lines(player) == game.live_lines(player)
            assert again.threats(player) == game.threats(player)


@pytest.mark.usefixtures("restless")
def test_threads_that_take_back_what_others_play_leave_a_game() -> None:
    rules = Rules((5, 5), k=4)
    cells = list(product(range(5), repeat=2))

    def work(game: Game, start: threading.Barrier, step: int) -> None:
        start.wait(30)
        for number in range(60):
            try:
                if number % 3 == 2:
                    game.undo()
                else:
                    game.play(cells[number * step % 25])
            except (IllegalMove, IndexError):
                continue
            game.copy()

    for _ in range(60):
        game, start = Game(rules), threading.Barrier(3)
        threads = [threading.Thread(target=work, args=(game, start, step)) for step in (1, 7, 12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        again = Game.replay(rules, game.history)
        assert (again.key(), again.outcome) == (game.key(), game.outcome)
        assert [again.live_lines(1), again.live_lines(2)] == [
            game.live_lines(1),
            game.live_lines(2),
        ]


@pytest.mark.kernel("judge")
@pytest.mark.parametrize("threads", [0, -1, 10**8, 10**30])
def test_a_number_of_threads_that_makes_no_sense_is_refused(threads: int) -> None:
    with pytest.raises(ValueError, match="threads"):
        judge(np.zeros((2, 1), np.int8), threads=threads)


@pytest.mark.kernel("judge")
def test_the_games_of_another_board_have_no_winning_lines() -> None:
    rules = Rules.square(10)
    row = [[cell for pair in zip(range(10), range(10, 20), strict=True) for cell in pair][:19]]
    games = np.array(row, np.int16)
    verdicts = judge(games, rules)
    assert verdicts.winner.tolist() == [1]
    for other, board in (
        (games, Rules((10, 12), k=10)),
        (games, Rules((12, 10), k=11)),
        (games[:, ::-1].copy(), rules),
        (games + np.int16(50), rules),
    ):
        with pytest.raises(ValueError, match="verdicts"):
            winning_lines(other, board, verdicts)
