"""Every game on small boards, and games of all kinds on larger ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from noughts.checker.explore import every_game
from noughts.checker.games import SIDES, Wrong, larger, together
from noughts.checker.messages import through
from noughts.checker.problems import PROBLEMS
from noughts.checker.solution import Game, How, Played, Problem
from noughts.game.game import Game as Refereed
from noughts.game.rules import Rules


def is_legal(n: int, calls: Sequence[tuple[int, int, int]], right: Sequence[str]) -> bool:
    """Return whether `Game` accepts these moves and agrees on the answers."""
    game = Refereed(Rules.square(n))
    first = calls[0][2]
    for ply, ((row, col, player), answer) in enumerate(zip(calls, right, strict=True)):
        outcome = game.play((row, col))
        winner = outcome.winner if outcome else None
        expected = 0 if winner is None else first if winner == 1 else 3 - first
        if player != (first if ply % 2 == 0 else 3 - first) or answer != str(expected):
            return False
    return True


def all_games(problem: Problem, states: bool) -> list[Game]:
    """Return all games that a right solution plays whose state is the board."""
    asked: list[Game] = []

    def ask(games: Sequence[Game], how: How) -> list[Played]:
        asked.extend(games)
        seen = states and how == "states"
        return [Played(game.right, board(game) if seen else None) for game in games]

    assert PROBLEMS[problem].play_all(ask, lambda: True, None)
    return asked


def board(game: Game) -> bytes:
    return repr(sorted(game.moves)).encode()


@pytest.mark.tier2("long")
@pytest.mark.usefixtures("unmeasured")
def test_every_game_plays_all_without_states() -> None:
    games = all_games("TicTacToe", states=False)
    ends = {
        game.moves
        for game in games
        if game.n == 3 and (game.right[-1] != "0" or len(game.right) == 9)
    }
    assert len(ends) == 2 * 255_168
    first = Counter(moves[0][2] for moves in ends)
    assert first == {1: 255_168, 2: 255_168}
    for game in games[:: len(games) // 2_000]:
        assert is_legal(*game)


def test_every_game_plays_each_position_once_with_states() -> None:
    games = all_games("TicTacToe", states=True)
    assert len(games) < 40_000
    threes = [game for game in games if game.n == 3]
    boards = {(len(game.moves) % 2, game.moves[-1][2], board(game)) for game in threes}
    assert len(boards) == 2 * (5478 - 1)  # all reachable positions except the empty one


@pytest.mark.tier2("long")
@pytest.mark.usefixtures("unmeasured")
def test_every_game_asks_function_for_each_prefix() -> None:
    games = all_games("tictactoe", states=False)
    assert len(games) == 549_945
    results = Counter(game.right[0] for game in games)
    assert (results["'A'"], results["'B'"], results["'Draw'"]) == (131_184, 77_904, 46_080)


def shortest_wrong(plies: int) -> int:
    """Return the length of the game found for a mistake after `plies` moves, without states."""

    def ask(games: Sequence[Game], how: How) -> list[Played]:
        for game in games:
            if len(game.right) >= plies and game.moves[plies - 1] == (2, 2, 2):
                raise Wrong(game, (*game.right[: plies - 1], "?", *game.right[plies:]))
        return [Played(game.right) for game in games]

    with pytest.raises(Wrong) as wrong:
        every_game("TicTacToe", ask, lambda: True)
    return len(wrong.value.game.moves)


@pytest.mark.usefixtures("unmeasured")
def test_every_game_finds_shortest_failure_without_states() -> None:
    assert shortest_wrong(8) == 8


def test_every_game_plays_part_without_patience() -> None:
    assert shortest_wrong(6) == 6
    assert not every_game("TicTacToe", lambda games, _: [Played(g.right) for g in games],
                          lambda: False)  # fmt: skip


@pytest.mark.parametrize("n", [3, 4, 7, 8, 16, 50])
def test_larger_boards_have_legal_games_of_all_kinds(n: int) -> None:
    games = list(larger(n, seed=1, games=100))
    lines: set[tuple[str, int]] = set()
    most = full = 0
    for game in games:
        assert is_legal(*game)
        names = [name for name, _, marks in through(n, game.moves) if marks == n]
        most = max(most, len(names))
        lines |= {(name, game.moves[-1][2]) for name in names}
        full += len(game.moves) == n * n and game.right[-1] == "0"
    assert full
    if n > 3:
        assert len(lines) == 2 * (2 * n + 2)  # every line by each player
        assert most >= {4: 2, 7: 4}.get(n, 3)
    for several in together(n, seed=1):
        assert 2 <= len(several) <= 4
        assert max(game.n for game in several) == n
        assert all(is_legal(*game) for game in several)


def test_larger_depends_on_seed_only() -> None:
    assert list(larger(6, 1, 100)) == list(larger(6, 1, 100)) != list(larger(6, 2, 100))


def test_sides_include_documented_sizes() -> None:
    assert {*range(4, 11), 16, 25, 50, 64, 99, 100} <= {*SIDES}
