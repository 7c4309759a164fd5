"""Parts of examples/alphazero.py, and a few rounds of it, also with the kernels of a GPU.

It needs PyTorch, which is large, so most tests run only where it is installed:
script/tools/over torch -- pytest tests/examples/test_alphazero.py
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from learning.host import Host, needs_compiler
from noughts import Game, Rules
from noughts.learning import VectorGame
from noughts.learning.devices import DEVICES

pytestmark = pytest.mark.compiled("noughts.learning._vector")

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def torch() -> Any:
    return pytest.importorskip("torch", reason="torch is not installed")


@pytest.fixture
def alphazero(torch: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(EXAMPLES)
    torch.manual_seed(1)
    torch.set_num_threads(1)
    return importlib.import_module("alphazero")


def losses(game: Game, seat: int) -> int:
    """Count the losses of a player who always takes the first empty cell."""
    if game.outcome is not None:
        return int(game.outcome.winner == 3 - seat)
    moves = list(game.legal_moves)
    found = 0
    for cell in moves[:1] if game.turn == seat else moves:
        game.play(cell)
        found += losses(game, seat)
        game.undo()
    return found


def test_losses_counts_every_way_to_lose(alphazero: Any) -> None:
    for seat in (1, 2):
        found = alphazero.losses(Rules(), lambda games: games.legal.argmax(axis=1), seat)
        assert found == losses(Game(), seat) > 0


def test_search_finds_wins_and_defences_untrained(alphazero: Any) -> None:
    games = VectorGame(Rules(), 3, autoreset="Disabled")
    games.play_from([[0, 3, 1, 4], [0, 8, 1], [0, 3, 1, 4, 2]])  # a win, a defence, a finished game
    state = games.observe().tolist()
    visits = alphazero.search(games, alphazero.Network(Rules(), alphazero.Size()))
    assert visits[:2].argmax(1).tolist() == [2, 2]
    assert visits.sum(1).tolist() == [alphazero.TRIES, alphazero.TRIES, 0]
    assert games.observe().tolist() == state


def test_search_tries_only_legal_actions(torch: Any, alphazero: Any) -> None:
    games = VectorGame(Rules(), 1, autoreset="Disabled")
    games.play_from([[0, 4, 8]])
    visits = alphazero.search(games, alphazero.Network(Rules(), alphazero.Size()), noisy=True)
    assert visits.sum() == alphazero.TRIES
    assert not visits[~torch.from_dlpack(games.legal.copy())].any()


def test_network_learns_an_example(torch: Any, alphazero: Any) -> None:
    network, games = alphazero.Network(Rules(), alphazero.Size()), VectorGame(Rules(), 1)
    example = *map(alphazero.shared, (games.observe(), games.legal)), torch.eye(9)[[4]]
    far = network.learn(*example, torch.tensor([0.5]))
    for _ in range(100):
        near = network.learn(*example, torch.tensor([0.5]))
    assert near < 0.1 * far
    policy, value = network.judge(games)
    assert policy[0].argmax() == 4
    assert abs(value[0] - 0.5) < 0.1


def test_play_records_every_position_under_every_symmetry(torch: Any, alphazero: Any) -> None:
    network = alphazero.Network(Rules(), alphazero.Size(games=10))
    planes, legal, policies, worth = alphazero.play(network)
    assert len(planes) == len(legal) == len(policies) == len(worth)
    assert len(planes) % 8 == 0
    assert torch.equal(legal, planes.sum(1).flatten(1) == 0)
    assert not policies[~legal].any()
    assert torch.allclose(policies.sum(1), torch.ones(len(planes)))
    assert {-1, 1} <= {*worth.tolist()} <= {-1, 0, 1}


def test_points_plays_both_seats(alphazero: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alphazero, "TRIALS", 20)
    seen: set[int] = set()

    def first_column(games: VectorGame) -> Any:
        seen.update(games.turn[~games.done].tolist())
        return games.legal.argmax(axis=1)

    rules = Rules.connect_four()
    share = alphazero.points(rules, first_column)
    assert 0 <= share < 0.5
    assert share == alphazero.points(rules, first_column)
    assert seen == {1, 2}


@pytest.mark.parametrize("falls", [False, True])
@needs_compiler
def test_the_kernels_of_a_gpu_learn_the_same(
    falls: bool,
    alphazero: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    size = alphazero.Size(games=64, width=64, batch=256, batches=20)
    monkeypatch.setitem(alphazero.SIZES, "cpu", size)
    for name, value in {"TRIES": 8, "ROUNDS": 3, "TRIALS": 6}.items():
        monkeypatch.setattr(alphazero, name, value)
    printed = []
    for device in (DEVICES["cpu"], Host):
        monkeypatch.setitem(DEVICES, "cpu", device)
        curve = tmp_path / "curve.svg"
        with pytest.raises(SystemExit, match="not good enough after 3 rounds"):
            alphazero.main([*["--connect-four"] * falls, str(curve)])
        printed.append((capsys.readouterr().out, curve.read_text()))
    assert printed[0] == printed[1]
    *_, first, second, last = printed[0][0].splitlines()
    assert [line.split()[1] for line in (first, second, last)] == ["0", "64", "128"]
    assert falls or int(last.split()[3]) < int(first.split()[3])  # ways to beat the network


@pytest.mark.tier2("long")
def test_alphazero_ends_unbeaten(torch: Any) -> None:
    run = subprocess.run(
        [sys.executable, EXAMPLES / "alphazero.py"], capture_output=True, timeout=300, check=True
    )
    lines = run.stdout.decode().splitlines()
    assert lines[-3].split()[3:] == ["0", "0"]
    assert lines[-1].startswith("It never loses")


def test_missing_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.delitem(sys.modules, "alphazero", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit, match="requires PyTorch: pip install torch"):
        importlib.import_module("alphazero")


def test_a_missing_gpu_is_named(
    torch: Any,
    alphazero: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(SystemExit):
        alphazero.main(["--device", "cuda"])
    assert capsys.readouterr().err.endswith("error: --device cuda: PyTorch finds no GPU\n")
