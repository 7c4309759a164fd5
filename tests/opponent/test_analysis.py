"""Analysis: the mistakes in a game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from commands import noughts
from golden import golden
from noughts import Game, Rules, Termination
from noughts.opponent import Finding, advise, analyse, solve

Cells = Sequence[tuple[int, ...]]


def lost(rules: Rules, cells: Cells, nodes: int = 3000) -> list[Finding]:
    """Return the findings for the mistakes."""
    game = Game.replay(rules, cells)
    found = list(analyse(game, seconds=1, nodes=nodes))
    assert [(finding.ply, finding.cell) for finding in found] == [*enumerate(game.history, 1)]
    assert [finding.player for finding in found] == [ply % 2 + 1 for ply in range(game.ply)]
    return [finding for finding in found if finding.lost]


@pytest.mark.parametrize("rules", [Rules(), Rules((3, 4), 3), Rules((4, 4), 3)], ids=repr)
def test_analyse_agrees_with_exact_search(rules: Rules) -> None:
    random = Random(1)
    for _ in range(6):
        game = Game(rules)
        while game.outcome is None:
            game.play(random.choice(list(game.legal_moves)))
        position = Game(rules)
        for finding in analyse(game):
            before = solve(position).value
            position.play(finding.cell)
            after = solve(position).value
            assert before is not None
            assert after is not None
            kept = -after == before
            assert finding.lost == (None if kept else "win" if before == 1 else "draw")
            assert finding.loses == (after == 1)


def test_analyse_finds_a_lost_draw() -> None:
    (found,) = lost(Rules(), [(1, 1), (0, 1), (0, 0), (1, 0), (2, 2)])
    assert (found.ply, found.lost, found.loses, found.best.value) == (2, "draw", True, 0)
    assert (found.chance, found.best_chance) == (0, 50)


def test_analyse_finds_a_missed_win() -> None:
    gomoku = Rules.gomoku()
    cells = [(row, col) for col in range(3, 7) for row in (7, 3)] + [(14, 14), (3, 7)]
    found = {finding.ply: finding for finding in lost(gomoku, cells)}
    assert (found[9].lost, found[9].loses, found[9].best.value) == ("win", True, 1)
    assert found[9].best.cell in {(7, 2), (7, 7)}


def test_analyse_finds_nothing_in_a_perfect_game() -> None:
    assert lost(Rules((2, 2)), [(0, 0), (0, 1), (1, 1)]) == []
    assert list(analyse(Game())) == []


def test_analyse_rejects_invalid_arguments() -> None:
    with pytest.raises(ValueError, match="of two players, got 3"):
        analyse(Game(Rules((3, 3), players=3)))
    with pytest.raises(TypeError, match="game must be a Game, not 'x'"):
        analyse("x")  # type: ignore[arg-type]


# The command


@pytest.fixture
def file(tmp_path: Path) -> Path:
    moves = [[1, 1], [0, 1], [0, 0], [2, 2], [2, 1], [1, 0]]
    path = tmp_path / "games.jsonl"
    games = [{"id": "a", "n": 3, "moves": moves}, {"id": "b", "n": 3, "moves": [[0, 0]]}]
    games.append({"id": "c", "n": 3, "moves": [[0, 0], [0, 0]]})
    games.append({"id": "d", "n": 3, "players": 3, "moves": [[0, 0]]})
    path.write_text("".join(json.dumps(game) + "\n" for game in games))
    return path


def test_analyse_command_prints_mistakes(file: Path) -> None:
    run = noughts("analyse", file)
    assert run.exit_code == 0
    assert run.stdout == golden("analyse.txt", run.stdout)
    run = noughts("analyse", file, "--id", "b")
    assert run.stdout == ("3×3, 3 in a row · ply 1 · O to move\n\nNo mistake found.\n")


def test_analyse_command_rejects_unsuitable_records(file: Path, tmp_path: Path) -> None:
    (tmp_path / "calls").write_text('["TicTacToe"]\n[[3]]\n')
    refused: list[tuple[list[str | Path], str]] = [
        ([file, "--id", "c"], "noughts: cell (0, 0) is already taken"),
        ([file, "--id", "d"], "noughts: analysis needs a game of two players, got 3"),
        ([tmp_path / "calls"], "noughts: analyse needs a game; use noughts trace"),
    ]
    for arguments, message in refused:
        run = noughts("analyse", *arguments)
        assert (run.exit_code, run.stdout) == (2, "")
        assert message in run.stderr


def test_draw_by_forbidden_moves_is_proved() -> None:
    moves = (
        "B4 A5 A1 B2 E2 E1 D7 A6 C4 E6 E7 C2 D4 F2 D6 C3 F7 C7 F4 E3 E5 C1 F6 B7 A4 A2 D1 A3 D2 C6 "
        "D3 F3 B5 B6 A7 F5 B3 C5 B1 F1"
    )
    rules = Rules((7, 6), k=5, variant="renju")
    game = Game.replay(
        rules, [(int(move[1]) - 1, ord(move[0]) - ord("A")) for move in moves.split()]
    )
    assert game.outcome
    assert game.outcome.termination is Termination.FULL_BOARD
    assert game.ply < rules.cells  # the other cells are forbidden
    assert [finding.chance for finding in analyse(game, nodes=1)][-1] == 50
    game.undo()
    advice = advise(game, seconds=0.1)
    assert (advice.value, advice.proof) == (0, "search")
