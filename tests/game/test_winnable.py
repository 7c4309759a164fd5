"""Live lines, threats and early draws."""

from __future__ import annotations

import pytest

from game.playing import DRAW, WIN_OF_1, game_of, refused
from noughts import Game, GameOver, Outcome, Rules, Termination
from oracle import Cell, NaiveGame

pytestmark = pytest.mark.usefixtures("board_of_games")


def test_live_lines_have_no_marks_of_opponents() -> None:
    game = game_of((1, 1))
    assert (game.live_lines(1), game.live_lines(2)) == (8, 4)
    game.play((0, 0))
    assert (game.live_lines(1), game.live_lines(2)) == (5, 4)
    game.undo()
    assert (game.live_lines(1), game.live_lines(2)) == (8, 4)


def test_line_with_marks_of_three_players_is_dead_until_undo() -> None:
    game = Game(Rules((1, 4), k=4, players=3))
    for cell in ((0, 0), (0, 1), (0, 2)):
        game.play(cell)
    assert [game.live_lines(player) for player in (1, 2, 3)] == [0, 0, 0]
    game.undo()
    game.undo()
    assert [game.live_lines(player) for player in (1, 2, 3)] == [1, 0, 0]


def test_threats_complete_a_line_and_two_are_a_fork() -> None:
    game = game_of((0, 0), (0, 1), (2, 2), (1, 1), (2, 0))
    assert game.threats(1) == {(1, 0), (2, 1)}
    assert game.threats(2) == {(2, 1)}
    assert isinstance(game.threats(1), frozenset)


def test_threats_fill_gaps() -> None:
    game = game_of((0, 0), (1, 0), (0, 1), (1, 1), (0, 4), rules=Rules((2, 6), k=4))
    assert game.threats(1) == set()
    game = game_of((0, 0), (1, 0), (0, 1), (1, 1), (0, 3), rules=Rules((2, 6), k=4))
    assert game.threats(1) == {(0, 2)}


# the rules of a game, and whether it has positions that no player can win
SMALL_GAMES = [
    (Rules(), True),
    (Rules(k=2), False),
    (Rules(players=3), True),
    (Rules((2, 2), players=3), False),
    (Rules((2, 3), k=3), True),
    (Rules((2, 4), k=3), True),
    (Rules((2, 3), k=2, players=4), True),
    (Rules((7,), k=3), True),
    (Rules((7,), k=3, players=3), True),
    (Rules((7,), k=2, players=4), True),
    (Rules((2, 2, 2)), False),
    (Rules((1, 1), players=5), False),
]


def positions(rules: Rules) -> dict[bytes, tuple[Cell, ...]]:
    """Return each position of a game by its key, with the first moves that lead there."""
    found: dict[bytes, tuple[Cell, ...]] = {Game(rules).key(): ()}
    game = Game(rules)

    def go_on() -> None:
        for cell in game.legal_moves:
            game.play(cell)
            if game.key() not in found:
                found[game.key()] = game.history
                go_on()
            game.undo()

    go_on()
    return found


def test_equal_positions_have_equal_keys_in_any_order() -> None:
    one, other = game_of((0, 0), (1, 1), (2, 2)), game_of((2, 2), (1, 1), (0, 0))
    assert one.key() == other.key() == bytes([1, 0, 0, 0, 2, 0, 0, 0, 1])
    assert game_of((1, 0), rules=Rules((2, 3), k=2)).key() == bytes([0, 0, 0, 1, 0, 0])


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(("rules", "may_die"), SMALL_GAMES, ids=str)
def test_winnable_agrees_with_full_search(rules: Rules, may_die: bool) -> None:
    known: dict[bytes, bool] = {}

    def line_in_reach(game: NaiveGame) -> bool:
        """Return whether any continuation completes a line."""
        key = game.key()
        if key not in known:
            done = any(map(game.decisive_lines, game.players))
            known[key] = done or any(line_in_reach(game.played(cell)) for cell in game.empty)
        return known[key]

    answers = set()
    for key, history in positions(rules).items():
        answers.add(winnable := Game.replay(rules, history).winnable)
        assert winnable == line_in_reach(NaiveGame(rules, history)), key
    assert answers == ({True, False} if may_die else {True})


# Early draws


def test_game_without_early_draw_continues_when_no_player_can_win() -> None:
    game = game_of(*DRAW[:8])
    assert not game.winnable
    assert game.outcome is None
    assert game.legal_moves
    early = game_of(*DRAW[:8], rules=Rules(early_draw=True))
    assert early.outcome == Outcome(Termination.NO_WIN_LEFT, None, ())
    assert not early.legal_moves
    assert str(refused(early, DRAW[8])) == "the game is over: it is a draw"


def test_undo_reopens_an_early_draw() -> None:
    game = game_of(*DRAW[:8], rules=Rules(early_draw=True))
    assert game.undo() == DRAW[7]
    assert game.outcome is None
    assert DRAW[7] in game.legal_moves
    assert game.play(DRAW[7]) == Outcome(Termination.NO_WIN_LEFT)


def test_unwinnable_game_ends_before_the_first_move() -> None:
    rules = Rules(players=5, early_draw=True)  # no player has three moves
    game = Game(rules)
    assert game.outcome == Outcome(Termination.NO_WIN_LEFT)
    assert list(game.legal_moves) == []
    assert type(refused(game, (0, 0))) is GameOver
    with pytest.raises(IndexError):
        game.undo()
    assert Game(Rules(players=5)).outcome is None
    assert not Game(Rules(players=5)).winnable
    assert Game(Rules(players=4, early_draw=True)).outcome is None  # player 1 has three


def test_game_with_every_line_spoilt_is_not_winnable() -> None:
    moves = [(2, 2), (2, 3), (3, 1), (1, 1), (0, 3), (0, 2), (0, 1), (3, 0), (1, 0)]
    game = game_of(*moves, rules=Rules.square(4))
    assert len(game.legal_moves) == 7  # four of them for player 2
    assert game.live_lines(1) == game.live_lines(2) == 0
    assert not game.winnable
    early = game_of(*moves, rules=Rules((4, 4), early_draw=True))
    assert early.outcome == Outcome(Termination.NO_WIN_LEFT)


def test_complete_line_counts_as_winnable() -> None:
    assert game_of(*WIN_OF_1).winnable
    moves = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1), (2, 2)]
    assert game_of(*moves).winnable
