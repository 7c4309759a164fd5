"""The benchmarks run, all sides agree, and the page shows the measured figures.

No test asserts how long anything takes.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from shutil import copy, which
from subprocess import PIPE, run
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from lab.bench import __main__ as bench
from lab.bench import (
    device,
    files,
    judge,
    learning,
    limit,
    opponent,
    peers,
    positions,
    referee,
    scores,
)
from lab.bench.alone import run_alone
from lab.bench.page import TEMPLATE, page, refreshed
from lab.bench.plots import apart, plots
from lab.bench.random_games import random_games, write
from lab.bench.requirements import REQUIREMENTS
from lab.bench.tables import formatted, number
from lab.bench.timing import Figures, Run
from noughts import Game, Rules, TicTacToe
from noughts.bulk import judge_record
from noughts.opponent.exact.solver import Solver
from noughts.records import Record, read_records
from noughts.referee.tictactoe import TicTacToe as PureTicTacToe
from service.serving import missing

TINY = Run(rounds=2, share=0.0005)
DOCS = Path(__file__).parents[1] / "docs"
PLACES = [
    *re.findall(r"\{(\w+): ([^|{}]+) \| [^{}]+\}", TEMPLATE.read_text("utf-8")),
    *re.findall(r"<!-- (\w+): ([^|\n]+) \| .* -->", (DOCS / "opponent.md").read_text("utf-8")),
]

compiled = pytest.mark.skipif(TicTacToe is PureTicTacToe, reason="nothing was compiled")

ROOT = Path(__file__).parents[1]


def tables_of(part: str) -> set[str]:
    """Return the names of a part's tables on the pages."""
    return {name for whose, name in PLACES if whose == part}


class Empty:
    """A stand-in for the compiled empty method."""

    def move(self, row: int, col: int, player: int) -> int:
        return 0


def test_empty_method_is_compiled_like_ours() -> None:
    setup = (ROOT / "setup.py").read_text("utf-8")
    assert all(f'"{argument}"' in setup for argument in referee.ARGUMENTS)


@compiled
def test_referee_measures_every_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "empty_class", lambda: Empty)
    monkeypatch.setattr(referee, "SIZES", (3, 10))
    monkeypatch.setattr(referee, "WHOLE_GAMES", ((3, 3000), (10, 2000)))
    tables = referee.measure(TINY)
    assert set(tables) == tables_of("referee")
    assert set(tables["sizes"]["10×10"]) == {*referee.REFEREES, referee.EMPTY_METHOD}


@pytest.mark.tier2("long")
@pytest.mark.compiled("noughts.learning._vector")
@pytest.mark.filterwarnings(
    "ignore::DeprecationWarning"
)  # PettingZoo creates its games in a deprecated way
def test_learning_measures_every_side(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(learning, "PGX", (None, None, None))  # jax is not installed
    tables = learning.measure(TINY)
    assert set(tables) == tables_of("learning")
    assert len(tables["steps"]) == 11


@pytest.mark.compiled("noughts.learning._vector")
def test_device_measures_every_side_or_reports_that_there_is_no_gpu() -> None:
    reports: list[str] = []
    tables = device.measure(Run(rounds=1, share=0.001, report=reports.append))
    skipped = reports[0].startswith("device: skipped, since device='cuda' requires")
    assert set(tables) == (set() if skipped else tables_of("device"))


def test_referee_check_finds_a_wrong_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(referee.REFEREES, "Empty", lambda n: Empty())
    with pytest.raises(AssertionError, match="Empty disagrees"):
        referee.check(2, [[(0, 0, 1), (0, 1, 2), (1, 1, 1)]])


@pytest.mark.parametrize("n", [3, 10, 300])
def test_warm_moves_are_legal_and_never_win(n: int) -> None:
    warming, moves, count = referee.warm_moves(n, seed=1)
    board = PureTicTacToe(n)
    answers = [board.move(*move) for move in warming + moves]
    assert count >= 1
    assert not any(answers)


def test_judge_measures_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("3×3", "100×100", "Connect Four", "15×15, 5 in a row, renju")
    monkeypatch.setattr(judge, "BOARDS", {name: judge.BOARDS[name] for name in names})
    tables = judge.measure(Run(rounds=1, share=0.0005))
    assert set(tables) == tables_of("judge")


@pytest.mark.compiled("noughts.learning._vector")
def test_limit_measures_every_row_that_is_required() -> None:
    if not which("cc"):
        missing("a C compiler")
    pytest.importorskip("pyspiel")
    tables = limit.measure(Run(rounds=1, share=0.005))
    assert set(tables) == tables_of("limit")
    for wanted in REQUIREMENTS:
        if wanted.what in tables["ratios"]:
            assert wanted.measured({"limit": tables}) > 0
    assert len(tables["ratios"]) == sum(wanted.what in tables["ratios"] for wanted in REQUIREMENTS)


def test_opponent_measures_moves_and_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponent, "SIDES", (3, 5))
    monkeypatch.setattr(opponent, "SOLVED", [((3, 3), 3), ((4, 4), 3), ((7, 5), 4), ((7, 5), 4)])
    tables = opponent.measure(TINY)
    assert set(tables) == tables_of("opponent")
    assert list(tables["solved"]) == ["3×3, 3 in a row", "4×4, 3 in a row"]


@pytest.mark.compiled("noughts.opponent.exact._columns")
@pytest.mark.parametrize("kind", scores.KINDS)
def test_scores_are_right_and_of_their_kind(kind: str) -> None:
    plies, left, count = scores.KINDS[kind]
    games, expected = scores.positions(kind, count)
    assert len({game.history for game in games}) == count
    assert all(game.ply in plies and game.outcome is None for game in games)
    few = slice(3, 6)  # of L1_R3, these take least time
    solutions = Solver(scores.RULES).solve_many(games[few], distance=True)
    assert list(map(scores.score, games[few], solutions)) == expected[few]
    for game, solution in zip(games[few], solutions, strict=True):
        assert (solution.plies or scores.RULES.cells - game.ply) in left


@compiled
def test_scores_finds_a_wrong_score() -> None:
    games, expected = scores.positions("L3_R1", 3)
    with pytest.raises(AssertionError, match="a score is wrong"):
        scores.solving(scores.ours, games, [*expected[:2], 21])(0)


def test_scores_measures_every_kind() -> None:
    pytest.importorskip("bitbully")
    tables = scores.measure(TINY)
    assert set(tables) == tables_of("scores")
    assert list(tables["scores"]) == list(scores.KINDS)


def test_positions_measures_hard_positions() -> None:
    tables = positions.measure(Run(rounds=1, share=0.02))
    assert set(tables) == tables_of("positions")
    assert [row["positions"] for row in tables["found"].values()] == [4, 4]
    assert all(row["0.1 s"] <= 4 for row in tables["found"].values())
    assert all(row["positions per second"] > 0 for row in tables["speed"].values())


@pytest.mark.parametrize("kind", positions.KINDS)
def test_positions_end_with_a_legal_answer(kind: str) -> None:
    records = positions.positions(kind)
    assert len(records) == len({record.moves for record in records}) == 200
    for record in records:
        game = Game.replay(record.rules, record.moves[:-1])
        assert not game.threats(game.turn)
        assert game.is_legal(record.moves[-1])


def test_refreshed_updates_tables_of_other_pages() -> None:
    text = "# A page\n\n<!-- a: b | what -->\n| what | old |\n| --- | --- |\n| x | 1 |\n\nText.\n"
    new = refreshed(text, {"a": {"b": {"y": {"new": 2.0}}}})
    assert new == text.replace("old", "new").replace("| x | 1 |", "| y | 2.00 |")
    assert refreshed(text, {"a": {}}) == text


def test_peers_agree_on_winners() -> None:
    sides: dict[str, peers.Side] = {
        "Game": peers.PlayedGame(),
        "class": peers.PlainClass(),
        "judge": peers.Judge(),
    }
    games = random_games(Rules(), 50)
    for name, played in peers.agreed(sides, games).items():
        sides[name].replay(played)


@pytest.mark.parametrize("name", peers.SIDES)
def test_installed_peer_agrees_on_winners(name: str) -> None:
    try:
        side = peers.SIDES[name]()
    except ModuleNotFoundError as error:
        pytest.skip(f"{error.name} is not installed")
    peers.agreed({name: side}, random_games(Rules(), 100))


def test_peers_agreed_finds_a_wrong_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers.PlainClass, "winners", lambda self, games: [0] * len(games))
    with pytest.raises(AssertionError, match="class disagrees"):
        peers.agreed({"class": peers.PlainClass()}, random_games(Rules(), 50))


@pytest.mark.parametrize("rules", [Rules(), Rules((5, 5), 4), Rules.connect_four()], ids=str)
def test_random_games_returns_complete_games(rules: Rules) -> None:
    games = random_games(rules, 100)
    assert (games == random_games(rules, 100)).all()
    for game in games.tolist():
        moves = [divmod(cell, rules.shape[1]) for cell in game if cell >= 0]
        verdict = judge_record(Record(rules, tuple(moves)))
        assert verdict.status in {"won", "draw"}
        assert verdict.ply == len(moves)


def test_random_games_writes_in_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.bench.random_games.CHUNK", 90)
    write(tmp_path / "games.jsonl", Rules(), 25)
    with (tmp_path / "games.jsonl").open("rb") as file:
        games = list(read_records(file, "games.jsonl"))
    assert [game.id for game in games if isinstance(game, Record)] == list(range(1, 26))
    assert len(set(map(str, games))) == 25


def test_files_check_compares_with_single_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SAMPLE", 100)
    files.check(tmp_path)


def test_run_alone_measures_only_the_command() -> None:
    ballast = np.ones(50_000_000 // 8)  # memory of this process, not of the command
    took = run_alone(sys.executable, "-c", "b'0' * 20_000_000")
    assert took.seconds > 0
    assert 20 < took.megabytes < ballast.nbytes / 1e6


# --- the page -------------------------------------------------------------------------------------


def figures() -> Figures:
    """Return figures that meet all requirements, except those on files, which are missing."""
    boards = ("3×3", "10×10", "100×100")
    move = {"a move, ns": 36.0, "an empty method, ns": 33.0, "times an empty method": 1.1}
    threads = {"3×3, games per second": 8e7, "3×3, times one thread": 1.0}
    ratio = f"times as long as {peers.OURS}"
    costs = {peers.OURS: 1.0, "pgx, compiled batches": 40.0, "OpenSpiel": 200.0}
    return {
        "referee": {
            "whole games": {board: {"times faster": 5.0} for board in boards},
            "moves": dict.fromkeys(boards, move),
            "sizes": {board: {"TicTacToe": 36.0, "an empty method": 33.0} for board in boards},
        },
        "judge": {
            "boards": {
                name: {"ns per move": 1.6}
                for name in (
                    *("3×3, int8", "4×4, int8", "Connect Four, int8", "100×100, int16"),
                    "15×15, 5 in a row, freestyle, int16",
                )
            },
            "threads": {"1": threads, "2": {name: 2 * value for name, value in threads.items()}},
        },
        "limit": {"ratios": {wanted.what: {"times as long": 0.1} for wanted in REQUIREMENTS}},
        "peers": {"3×3": {name: {"ns per game": 12 * x, ratio: x} for name, x in costs.items()}},
        "game": {
            "moves": {board: {"OpenSpiel / `Game`": 50.0} for board in ("3×3", "15×15, 5 in a row")}
        },
        "scores": {
            "scores": {
                kind: {"noughts, ms": 0.06, "`mtdf`, ms": 0.8, "noughts / `mtdf`": 0.075}
                for kind in scores.KINDS
            }
        },
    }


def results() -> dict[str, Any]:
    return {"computer": {"Python": "3.11"}, "rounds": 9, "figures": figures()}


def test_page_shows_which_requirements_are_met() -> None:
    text = page(results())
    assert text.count("| met |") == len(REQUIREMENTS) - 3
    assert text.count("not measured in this run | – |") == 3
    assert "{" not in text
    assert "| 3×3, int8 | 1.60 |" in text
    missed = results()
    missed["figures"]["judge"]["boards"]["3×3, int8"]["ns per move"] = 2.01
    assert "| ≤ 2.00 ns | 2.01 ns | **not met** |" in page(missed)


def test_page_has_a_part_about_a_gpu_if_one_was_measured() -> None:
    measured = results()
    measured["figures"]["device"] = {"copy": {"a copy": {"GB/s": 2000.0}}}
    text = page(measured)
    assert "| a copy | 2,000 |" in text
    start, end = (text.index(heading) for heading in ("### On a GPU", "## A game"))
    assert page(results()) == text[:start] + text[end:]


def test_requirements_read_figures_of_the_page() -> None:
    for part in bench.PARTS:
        assert tables_of(part), part
    measured = [wanted.measured(figures()) for wanted in REQUIREMENTS[:-3]]
    assert all(measured)
    for wanted in REQUIREMENTS[-3:]:
        with pytest.raises(KeyError):
            wanted.measured(figures())


def test_plots_show_every_measured_series() -> None:
    drawn = plots(figures())
    assert set(drawn) == {"moves-by-size", "threads", "peers"}
    for svg in drawn.values():
        ElementTree.fromstring(svg)
    for name in ("TicTacToe", "an empty method"):
        assert f">{name}<" in drawn["moves-by-size"]
    assert plots({"peers": figures()["peers"]}).keys() == {"peers"}


def test_apart_keeps_order_and_distance() -> None:
    assert apart([10, 11, 50], 5, 0, 100) == [10, 15, 50]
    assert apart([99, 98], 5, 0, 100) == [100, 95]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *[(0.01234, "0.0123"), (1.066, "1.07"), (35.24, "35.2"), (176, "176")],
        *[(302_417, "302,000"), (83_640_000, "83.6 million"), (99.97, "100"), (None, "–")],
    ],
)
def test_number_has_three_digits(value: float | None, text: str) -> None:
    assert number(value) == text


def test_formatted_keeps_small_counts() -> None:
    assert [formatted(18), formatted(18.0), formatted(302_417), formatted(None)] == [
        "18",
        "18.0",
        "302,000",
        "–",
    ]


# --- the command ----------------------------------------------------------------------------------


def part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace every part by a stand-in."""
    monkeypatch.setattr(bench, "import_module", lambda name: sys.modules[__name__])


def measure(run: Run) -> Figures:
    """Return the figures of the stand-in for a part."""
    return {"times": {"`noughts --help`": {"ms": 1.0 / run.rounds}}}  # type: ignore[dict-item]


def test_bench_prints_or_writes_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    part(monkeypatch)
    bench.main(["--only", "startup", "--rounds", "2"])
    assert "| `noughts --help` | 0.500 |" in capsys.readouterr().out
    bench.main(["--only", "startup", "--docs", str(tmp_path)])
    assert "| `noughts --help` | 0.111 |" in (tmp_path / "performance.md").read_text("utf-8")
    assert json.loads((tmp_path / "performance.json").read_text("utf-8"))["rounds"] == 9


def test_bench_redraws_the_page_from_its_figures(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "performance.json").write_text(json.dumps(results()), "utf-8")
    bench.main(["--draw", "--docs", str(tmp_path)])
    assert (tmp_path / "performance.md").read_text("utf-8") == page(results())
    assert (tmp_path / "images" / "peers.svg").exists()


@pytest.mark.parametrize("wrong", [["--rounds", "0"], ["--only", "nothing"]])
def test_bench_rejects_wrong_options(wrong: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        bench.main(wrong)


@pytest.mark.parametrize(
    ("command", "module", "options"),
    [
        ("bench", "bench/__main__.py", ["--quick", "--only", "judge", "--rounds=3", "--draw"]),
        ("lab elsewhere", "bench/elsewhere.py", ["--games", "5"]),
    ],
)
def test_script_rejects_unknown_option_before_set_up(
    tmp_path: Path, command: str, module: str, options: list[str]
) -> None:
    name, *words = command.split()
    for path in (f"script/{name}", f"lab/{module}"):
        (tmp_path / path).parent.mkdir(parents=True)
        copy(ROOT / path, tmp_path / path)
    set_up = tmp_path / "script/setup"
    set_up.write_text("#!/bin/sh\nexit 3\n", "utf-8")
    set_up.chmod(0o755)
    script = [str(tmp_path / f"script/{name}"), *words]
    assert run([*script, *options], check=False).returncode == 3
    rejected = run([*script, "--quik"], check=False, stderr=PIPE, text=True)
    assert rejected.returncode == 2
    assert rejected.stderr == f"noughts: unknown option --quik: see script/{command} --help\n"
