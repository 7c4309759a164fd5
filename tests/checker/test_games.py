"""What is played: every game on small boards, and games of all kinds on larger ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from noughts.checker.explore import every_game
from noughts.checker.games import SIDES, Case, Wrong, larger
from noughts.checker.solution import Played, Problem, Script
from noughts.checker.wording import through
from noughts.game.game import Game
from noughts.game.rules import Rules


def is_legal(n: int, calls: Sequence[tuple[int, int, int]], right: Sequence[str]) -> bool:
    """Whether `Game` plays these moves and says the same, whoever begins."""
    game = Game(Rules.square(n))
    first = calls[0][2]
    for ply, ((row, col, player), answer) in enumerate(zip(calls, right, strict=True)):
        outcome = game.play((row, col))
        winner = outcome.winner if outcome else None
        expected = 0 if winner is None else first if winner == 1 else 3 - first
        if player != (first if ply % 2 == 0 else 3 - first) or answer != str(expected):
            return False
    return True


def all_scripts(problem: Problem, states: bool) -> list[Case]:
    """What is asked of a solution that is right, and keeps nothing but the board."""
    asked: list[Case] = []

    def ask(cases: Sequence[Case], wanted: bool) -> list[Played]:
        asked.extend(cases)
        return [Played(case.right, board(case.script) if states and wanted else None)
                for case in cases]  # fmt: skip

    assert every_game(problem, ask, lambda: True)
    return asked


def board(script: Script) -> bytes:
    return repr(sorted(move for _, move in script.calls)).encode()


@pytest.mark.usefixtures("unmeasured")
def test_every_game_is_played_where_no_state_is_seen() -> None:
    cases = all_scripts("TicTacToe", states=False)
    ends = {
        case.script
        for case in cases
        if case.script.sides == (3,) and (case.right[-1] != "0" or len(case.right) == 9)
    }
    assert len(ends) == 2 * 255_168
    first = Counter(script.calls[0][1][2] for script in ends)
    assert first == {1: 255_168, 2: 255_168}
    for case in cases[:: len(cases) // 2_000]:
        moves = [move for _, move in case.script.calls]
        assert is_legal(case.script.sides[0], moves, case.right)


def test_every_position_is_played_where_states_are_seen() -> None:
    cases = all_scripts("TicTacToe", states=True)
    assert len(cases) < 40_000
    threes = [case.script for case in cases if case.script.sides == (3,)]
    boards = {(len(script.calls) % 2, script.calls[-1][1][2], board(script)) for script in threes}
    assert len(boards) == 2 * (5478 - 1)  # all that are reached, but for the empty one


@pytest.mark.usefixtures("unmeasured")
def test_every_game_so_far_is_asked_of_the_function() -> None:
    cases = all_scripts("tictactoe", states=False)
    assert len(cases) == 549_945
    results = Counter(case.right[0] for case in cases)
    assert (results["'A'"], results["'B'"], results["'Draw'"]) == (131_184, 77_904, 46_080)


@pytest.mark.usefixtures("unmeasured")
def test_without_patience_a_part_is_played_and_the_shortest_game_is_still_found() -> None:
    asked = 0

    def ask(cases: Sequence[Case], states: bool) -> list[Played]:
        nonlocal asked
        asked += len(cases)
        for case in cases:
            if len(case.right) >= 8 and case.script.calls[7][1] == (2, 2, 2):
                raise Wrong(case, 7, "?")
        return [Played(case.right) for case in cases]

    with pytest.raises(Wrong) as wrong:
        every_game("TicTacToe", ask, lambda: True)
    assert wrong.value.length == 8
    assert not every_game("TicTacToe", lambda cases, _: [Played(c.right) for c in cases],
                          lambda: False)  # fmt: skip


@pytest.mark.parametrize("n", [3, 4, 7, 8, 16, 50])
def test_games_on_larger_boards_are_legal_and_of_all_kinds(n: int) -> None:
    cases = list(larger(n, seed=1, games=100))
    lines: set[tuple[str, int]] = set()
    most = several = full = 0
    for case in cases:
        script = case.script
        for number, side in enumerate(script.sides):
            pairs = zip(script.calls, case.right, strict=True)
            own = [(move, answer) for (at, move), answer in pairs if at == number]
            assert is_legal(side, [move for move, _ in own], [answer for _, answer in own])
        several += len(script.sides) > 1
        if len(script.sides) == 1:
            moves = tuple(move for _, move in script.calls)
            names = [name for name, _, marks in through(n, moves) if marks == n]
            most = max(most, len(names))
            lines |= {(name, moves[-1][2]) for name in names}
            full += len(moves) == n * n and case.right[-1] == "0"
    assert several
    assert full
    if n > 3:
        assert len(lines) == 2 * (2 * n + 2)  # every line by each player
        assert most >= {4: 2, 7: 4}.get(n, 3)


def test_the_same_seed_gives_the_same_games_and_another_seed_others() -> None:
    assert list(larger(6, 1, 100)) == list(larger(6, 1, 100)) != list(larger(6, 2, 100))


def test_the_sizes_are_those_that_are_promised() -> None:
    assert {*range(4, 11), 16, 25, 50, 64, 99, 100} <= {*SIDES}
