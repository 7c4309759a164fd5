"""Matches: openings, fixtures, Elo, standings, files and the command."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections import Counter
from dataclasses import replace
from math import inf
from pathlib import Path
from time import monotonic, sleep

import pytest

from commands import NOUGHTS, SECONDS, noughts, started
from noughts import InvalidRecord, Rules
from noughts.engines import Match, MatchGame, PlayedGame, elo
from noughts.engines import engine as engines
from noughts.engines.match import pair_counts, read_openings, standings
from noughts.records import Record, read_records

FIVE = Rules((5, 5), 5)
GOMOKU = Rules.gomoku()
OPENINGS = (((0, 0), (0, 1)), ((2, 2), (3, 3), (4, 4)))

# An engine that plays the first free cell after a delay, and creates a file named by its process.
FIRST = """
import os, sys, time
open(f"{sys.argv[1]}/{os.getpid()}", "w").close()
taken = set()
for line in sys.stdin:
    word, *rest = line.split()
    if word == "START":
        taken = set()
        print("OK", flush=True)
    if "," in line:
        taken.add(tuple(map(int, line.split()[-1].split(",")[:2])))
    if word in ("BEGIN", "TURN", "DONE"):
        x, y = next((x, y) for y in range(5) for x in range(5) if (x, y) not in taken)
        taken.add((x, y))
        time.sleep(float(sys.argv[2]))
        print(f"{x},{y}", flush=True)
"""


@pytest.fixture
def engine(tmp_path: Path) -> str:
    """Return the command of an engine that creates a file named by its process in `pids`."""
    program = tmp_path / "pbrain-first"
    program.write_text(f"#!{sys.executable}\n{FIRST}")
    program.chmod(0o755)
    (tmp_path / "pids").mkdir()
    return f"{program} {tmp_path}/pids"


def ended(folder: Path) -> bool:
    """Return whether every process with a file in `pids` has exited."""
    return not any(Path(f"/proc/{path.name}").exists() for path in (folder / "pids").iterdir())


# Elo


@pytest.mark.parametrize(
    ("counts", "difference", "error"),
    [  # from the tests of fastchess (Disservin/fastchess, elo_test.cpp)
        ([96, 111, 136], 40.70, 30.43),
        ([34, 54, 31 + 32, 64, 75], 55.58, 27.65),
        ([332, 433, 457 + 41, 333, 334], -8.64, 10.33),
    ],
)
def test_estimate_returns_elo_and_its_error(
    counts: list[int], difference: float, error: float
) -> None:
    games = len(counts) // 2
    results = [(halves / 2, games) for halves, n in enumerate(counts) for _ in range(n)]
    found = elo.estimate(results)
    assert found is not None
    assert found.elo == pytest.approx(difference, abs=0.01)
    assert (found.high - found.low) / 2 == pytest.approx(error, abs=0.01)


def test_estimate_of_equal_results() -> None:
    assert elo.estimate([]) is None
    won = elo.estimate([(2.0, 2)] * 10)
    assert won is not None
    assert (won.elo, won.high) == (inf, inf)
    assert elo.score_of(won.low) == pytest.approx(0.05 ** (1 / 10))
    drawn = elo.estimate([(1.0, 2)] * 10)
    assert drawn is not None
    assert drawn.elo == 0
    assert drawn.high == pytest.approx(-drawn.low)
    assert drawn.high > 50
    assert elo.elo_of(0) == -inf


@pytest.mark.parametrize(
    ("counts", "elos", "expected"),
    [  # from the tests of fastchess (sprt_test.cpp), logistic
        ([21184, 40708, 21404], (0.5, 2.5), -1.57),
        ([57030, 106593, 57433], (0, 2), -2.59),
        ([223, 9863, 20279 + 1000, 10037, 246], (0.5, 2.5), -3.07),
        ([871, 26175, 55003 + 980, 26678, 821], (0, 2), -4.98),
    ],
)
def test_log_likelihood_ratio(
    counts: list[int], elos: tuple[float, float], expected: float
) -> None:
    assert elo.log_likelihood_ratio(counts, *elos) == pytest.approx(expected, abs=0.01)
    mirrored = elo.log_likelihood_ratio(counts[::-1], -elos[1], -elos[0])
    assert mirrored == pytest.approx(-elo.log_likelihood_ratio(counts, *elos))


def test_log_likelihood_ratio_without_results() -> None:
    assert round(elo.BOUND, 3) == 2.944
    assert elo.log_likelihood_ratio([0] * 5, 0, 10) == pytest.approx(0, abs=0.01)


# Openings


def test_read_openings_accepts_both_notations() -> None:
    lines = ["8,-3, 6,-4, 5,-4", "", " a1t20b2 ", "-10 , -10,9,9"]
    assert read_openings(lines, "x", Rules((20, 20), 5)) == (
        ((7, 18), (6, 16), (6, 15)),
        ((0, 0), (19, 19), (1, 1)),
        ((0, 0), (19, 19)),
    )
    assert read_openings(["0,0"], "x", Rules((5, 9), 5)) == (((2, 4),),)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["0,0", "1"], "x:2: expected an opening such as 8,-3, 6,-4 or h8h9, got '1'"),
        (["h8 h9"], "x:1: expected an opening such as 8,-3, 6,-4 or h8h9, got 'h8 h9'"),
        (["0,0, 0,0"], r"x:1: cell \(7, 7\) is already taken"),
        (["8,0"], r"x:1: cell \(7, 15\) is off the 15×15 board"),
        (["a1b1a2b2a3b3a4b4a5"], "x:1: the opening ends the game"),
        ([" "], "x: the file has no openings"),
    ],
)
def test_read_openings_rejects_invalid_lines(lines: list[str], message: str) -> None:
    with pytest.raises(InvalidRecord, match=message):
        read_openings(lines, "x", GOMOKU)


def test_read_openings_rejects_three_dimensions() -> None:
    with pytest.raises(InvalidRecord, match=r"x:1: openings need a board of two dimensions, got 3"):
        read_openings(["0,0"], "x", Rules((3, 3, 3)))


# Fixtures


def test_fixtures_play_each_opening_from_both_sides() -> None:
    match = Match(FIVE, ("easy", "random"), 5, openings=OPENINGS)
    one, other = OPENINGS
    assert [fixture[2:] for fixture in match.fixtures()] == [
        ((0, 1), one), ((1, 0), one), ((0, 1), other), ((1, 0), other), ((0, 1), one),
    ]  # fmt: skip


def test_fixtures_include_every_pair_of_players() -> None:
    match = Match(FIVE, ("easy", "easy", "random"), 4)
    assert match.names == ("easy 1", "easy 2", "random")
    fixtures = list(match.fixtures())
    assert [fixture.number for fixture in fixtures] == list(range(1, 13))
    assert Counter(fixture.players for fixture in fixtures) == dict.fromkeys(
        [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)], 2
    )
    assert fixtures[:6] == list(replace(match, games=2).fixtures())


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (("easy",), {}, "needs two players or more"),
        (("easy", "easy"), {"openings": ()}, "needs at least one opening"),
        (("easy", "random"), {"rules": Rules((2000, 2000), 5)}, "too large for the opponent"),
        (("easy", "x"), {"rules": Rules()}, "the Gomocup protocol does not support"),
    ],
)
def test_match_rejects_invalid_arguments(
    players: tuple[str, ...], options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        replace(Match(FIVE, ("easy", "easy"), 2), players=players, **options)  # type: ignore[arg-type]


def test_match_with_a_seed_repeats_with_any_number_of_jobs() -> None:
    match = Match(FIVE, ("easy", "medium"), 6, openings=OPENINGS, seed=1)
    games = list(match.play())
    assert [game.fixture.number for game in games] == [1, 2, 3, 4, 5, 6]
    both = {game.fixture.number: game.game.record.moves for game in match.play(jobs=3)}
    assert both == {game.fixture.number: game.game.record.moves for game in games}
    assert [game.fixture.number for game in match.play({1, 2, 4})] == [3, 5, 6]
    for game in games:
        assert game.game.record.moves[: len(game.fixture.opening)] == game.fixture.opening


@pytest.mark.tier2("time")
def test_match_runs_engines_and_counts_faults(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "PATIENCE", SECONDS)
    players = f"{engine} 0", f"late={engine} 1.3", "random"
    match = Match(FIVE, players, 2, 0.1, tolerance=1.0)
    assert match.names == ("first", "late", "random")
    played = list(match.play(jobs=2))
    assert len(list((tmp_path / "pids").iterdir())) == 8  # one per game and seat
    assert ended(tmp_path)
    late = next(found for found in standings(match.names, played) if found.name == "late")
    assert (late.losses, late.faults) == (4, Counter(late=4))
    for game in played:
        again = match.recorded(match.record(game))
        assert (again.winner, again.game.reason) == (game.winner, game.game.reason)
        assert again.game.record.comment == game.game.record.comment


# Standings


def result(match: Match, number: int, winner: int | None, fault: str = "") -> MatchGame:
    """Create a finished game with this result."""
    fixture = [*match.fixtures()][number - 1]
    claim = 0 if winner is None else fixture.players.index(winner) + 1
    game = PlayedGame(Record(match.rules, (), result=claim), fault or "line")
    return MatchGame(fixture, replace(game, at_fault=3 - claim if fault else None))


def test_standings_order_players_by_points() -> None:
    match = Match(FIVE, ("easy", "medium", "random"), 2)
    games = [(1, 1), (2, 1), (3, None), (4, 0), (5, 1), (6, None)]
    played = [result(match, *game) for game in games] + [result(match, 6, 1, "late")]
    first, second, third = standings(match.names, played)
    assert (first.name, first.wins, first.draws, first.losses) == ("medium", 4, 1, 0)
    assert (second.name, second.points, second.games) == ("easy", 1.5, 4)
    assert (third.name, third.faults) == ("random", Counter(late=1))
    assert first.elo == elo.estimate([(2.0, 2), (2.5, 3)])
    assert standings(("a",), [])[0].elo is None


def test_pair_counts_ignores_unfinished_pairs() -> None:
    match = Match(FIVE, ("easy", "medium"), 12)
    winners = [0, 0, 0, None, None, None, 0, 1, 1, None, 1]
    played = [result(match, number, winner) for number, winner in enumerate(winners, start=1)]
    assert pair_counts(played) == [0, 1, 2, 1, 1]


# Records


@pytest.mark.parametrize("suffix", [".jsonl", ".sgf"])
def test_match_command_continues_a_file(suffix: str, tmp_path: Path) -> None:
    out, again = tmp_path / f"games{suffix}", tmp_path / f"again{suffix}"
    openings = tmp_path / "openings.txt"
    openings.write_text("0,0, 1,1\n-2,-2, 2,2\n")
    command = ["match", "easy", "random", "--rules", "5x5,k=4", "--seed", "2", "--jobs", "2"]
    command += ["--openings", str(openings)]
    assert noughts(*command, "--games", "3", "--out", out).exit_code == 0
    first = out.read_bytes()
    whole = noughts(*command, "--games", "6", "--out", out)
    assert out.read_bytes().startswith(first)
    assert whole.stdout == noughts(*command, "--games", "6", "--out", again).stdout
    assert whole.stdout == noughts(*command, "--games", "6", "--out", out).stdout
    with out.open("rb") as file:
        records = list(read_records(file, "out"))
    assert sorted(int(str(record.id)) for record in records if isinstance(record, Record)) == [
        *range(1, 7)
    ]
    for record in records:
        assert isinstance(record, Record)
        assert set(record.names) == {"easy", "random"}
        assert record.comment == "1 s a move"
    assert noughts("judge", out).exit_code == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": 9}, "game 9 is not from this match"),
        ({"result": None}, "game 1 is not from this match"),
        ({"n": 4}, "expected rules Rules"),
        ({"names": ["random", "easy"]}, "expected players ('easy', 'random'), got ('random', "),
        ({"moves": [[1, 1]]}, "expected opening ((0, 0),), got ((1, 1),)"),
        ({"comment": "2 s a move"}, "expected time '1 s a move', got '2 s a move'"),
        ({"moves": [[0, 0]]}, "game 1: the result does not match the moves"),
        ({"moves": [[0, 0], [0, 0]]}, "cell (0, 0) is already taken"),
        ({"names": ["easy", 1]}, "names must be a list of strings"),
        ({"comment": 1}, "comment must be a string, got 1"),
    ],
)
def test_match_command_rejects_a_file_of_another_match(
    change: dict[str, object], message: str, tmp_path: Path
) -> None:
    out, openings = tmp_path / "games.jsonl", tmp_path / "openings"
    openings.write_text("a1\n")
    fields = {"id": 1, "n": 3, "moves": [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2]], "result": 1}
    fields |= {"names": ["easy", "random"], "comment": "1 s a move"} | change
    out.write_text(line := json.dumps(fields) + "\n")
    run = noughts("match", "easy", "random", "--games", "2", "--openings", openings, "--out", out)
    assert (run.exit_code, run.stdout) == (2, "")
    assert message in run.stderr
    assert out.read_text() == line


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.psq", "", "x.psq must end in .jsonl or .sgf"),
        ("x", "", "x must end in .jsonl or .sgf"),
        ("x.jsonl", "\0", "x.jsonl: this is not a text file"),
        (
            "x.jsonl",
            '["TicTacToe"]\n[[3]]\n',
            "x.jsonl: expected a game of a match, got a call list",
        ),
        ("x.sgf", "", "SGF supports only two players and boards of up to 52×52"),
    ],
)
def test_match_command_rejects_an_unsuitable_file(
    name: str, content: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content)
    run = noughts("match", "easy", "easy", "--rules", "3x3x3", "--out", tmp_path / name)
    assert (run.exit_code, run.stdout) == (2, "")
    assert message in run.stderr
    assert (tmp_path / name).read_text() == content


# The command


@pytest.mark.tier2("process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_match_command_continues_after_a_signal(
    number: signal.Signals, engine: str, tmp_path: Path
) -> None:
    out = tmp_path / "games.jsonl"
    command = [str(NOUGHTS), "match", f"slow={engine} 0.1", f"x={engine} 0", "--rules", "5x5,k=5"]
    command += ["--games", "4", "--time", "20", "--jobs", "2", "--out", str(out)]
    with started(*command) as running:
        end = monotonic() + SECONDS
        while not (out.exists() and out.read_text().count("\n") > 1) and monotonic() < end:
            sleep(0.01)
        busy = noughts(*command[1:])
        assert (busy.exit_code, "another match is writing to this file" in busy.stderr) == (2, True)
        running.send_signal(number)
        said, complaints = running.communicate(timeout=SECONDS)
    assert (running.returncode, complaints) == (128 + number, b"")
    assert re.match("5×5, 5 in a row, [23] of 4 games\n", said.decode())
    assert ended(tmp_path)
    before = out.read_text()
    over = noughts(*command[1:])
    assert (over.exit_code, over.stderr) == (0, "")
    assert over.stdout.startswith("5×5, 5 in a row, 4 games\n")
    assert out.read_text().startswith(before)
    assert out.read_text().count("\n") == 4
    assert ended(tmp_path)


def test_sprt_ends_a_match(tmp_path: Path) -> None:
    command = ["match", "strong", "random", "--games", "1000", "--seed", "1", "--sprt"]
    command += ["0,400", "--out", str(tmp_path / "games.jsonl")]
    run = noughts(*command)
    assert run.exit_code == 0
    of = re.match(r"3×3, 3 in a row, (\d+) of 1,000 games\n", run.stdout)
    assert of
    assert int(of[1]) < 200
    assert "Elo 400 rather than 0: accepted, log likelihood ratio" in run.stdout
    assert noughts(*command).stdout == run.stdout
    command[command.index("0,400")] = "-900,-800"
    assert "Elo −800 rather than −900: accepted" in noughts(*command).stdout
    run = noughts("match", "random", "strong", *command[3:-3], "0,400")
    assert "Elo 400 rather than 0: rejected, log likelihood ratio −" in run.stdout


def test_match_command_reports_faults(engine: str) -> None:
    taken = engine.replace("pbrain-first", "pbrain-taken")
    program = Path(taken.split()[0])
    program.write_text(Path(engine.split()[0]).read_text().replace("not in taken", "in taken"))
    program.chmod(0o755)
    run = noughts(
        "match", f"{taken} 0", "random", "--rules", "5x5,k=5", "--games", "2", "--time", "5"
    )
    assert re.search(r"^taken +0 +2 +0 +0 +2 +2 +−∞", run.stdout, re.M)
    assert "how games ended: 1 crashed, 1 illegal\n" in run.stdout
    assert "taken lost game 1 (crashed): taken exited with status 1\n" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["easy"], "a match needs two players or more"),
        (["easy", "best"], "'best' is not one of 'random'"),
        (["easy", "/nowhere/x"], "/nowhere/x: No such file or directory"),
        (["easy", "a=/nowhere/x 1"], "/nowhere/x: No such file or directory"),
        (["easy", "/dev/null"], "/dev/null: Permission denied"),
        (["easy", "a='x"], "is not a valid command: No closing quotation"),
        (["easy", "a="], "'a=' is not one of"),
        (["easy", "sh"], "the Gomocup protocol does not support 3x3"),
        (["easy", "easy", "easy", "--sprt", "0,1"], "--sprt compares two players, got 3"),
        *((["easy", "easy", "--sprt", test], f"'{test}' must be two Elo differences such as 0,10")
          for test in ("1", "1,0", "0,0", "a,b", "nan,1", "0,1,2", "-9999,0")),
    ],
)  # fmt: skip
def test_match_command_rejects_invalid_arguments(arguments: list[str], message: str) -> None:
    run = noughts("match", *arguments)
    assert (run.exit_code, run.stdout) == (2, "")
    assert message in run.stderr
