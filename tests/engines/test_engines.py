"""Engines as players: the commands sent to them, and their failures."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, product
from pathlib import Path
from time import perf_counter, sleep

import pytest

from commands import NOUGHTS
from noughts import Game, NoughtsError, Rules
from noughts.engines import Engine, EngineError, play_game
from noughts.engines import engine as engines

FIVE = Rules((5, 5), 5)
GOMOKU = Rules.gomoku()
LATE = 30.0  # seconds that a move may be late, so that a busy machine does not matter

# An engine that logs its commands and plays the first free cell, by rows. It executes `first`
# before it answers with a move.
GOOD = """
import os, sys, time
print("MESSAGE hello", flush=True)
taken = set()
for line in sys.stdin:
    print(line.strip(), file=open({log!r}, "a"))
    word, *rest = line.split()
    if word == "ABOUT":
        print('name="Good one", version="1"', flush=True)
    if word in ("START", "RECTSTART"):
        taken = set()
        print("OK", flush=True)
    if "," in line and not word.endswith("START"):
        taken.add(tuple(map(int, line.split()[-1].split(",")[:2])))
    if word in ("BEGIN", "TURN", "DONE"):
        x, y = next((x, y) for y in range(5) for x in range(5) if (x, y) not in taken)
        {first}
        taken.add((x, y))
        print("DEBUG thinking\\n", flush=True)
        print(f"{{x}},{{y}}", end="\\r", flush=True)
    if word == "END" and {obeys}:
        break
"""


def script(first: str = "pass", log: Path | str = os.devnull, *, obeys: bool = True) -> list[str]:
    """Return the command of such an engine."""
    return [sys.executable, "-c", GOOD.format(log=str(log), first=first, obeys=obeys)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


# Commands


def test_engine_receives_the_commands_of_the_protocol(log: Path) -> None:
    with Engine(script(log=log), tolerance=LATE) as engine:
        assert (engine.name, repr(engine)[:8]) == (Path(sys.executable).stem, "Engine('")
        engine.start(FIVE)
        assert engine.name == "Good one"
        game = Game(FIVE)
        for reply in [(3, 1), (3, 2)]:
            game.play(engine.move(game, 0.5))
            game.play(reply)
        game.undo()
        game.play((4, 4))
        game.play(engine.move(game, 0.5))
        game.undo()
        game.undo()
        game.undo()
        assert engine.move(game, 0.25) == (0, 1)
    infos = "INFO rule 0|INFO game_type 1|INFO timeout_turn {}|INFO timeout_match 0|"
    left = "INFO time_left 2147483647|"
    assert log.read_text().replace("\n", "|") == (
        f"ABOUT|START 5|{infos.format(500)}{left}BEGIN|{left}TURN 1,3|{left}TURN 4,4|"
        f"ABOUT|START 5|{infos.format(250)}{left}BOARD|0,0,1|1,3,2|DONE|END|"
    )


def test_engine_sends_a_board_and_restarts_for_another_game(log: Path) -> None:
    rules = Rules((5, 7), 5, variant="standard")
    with Engine(script(log=log), tolerance=LATE) as engine:
        engine.start(rules)
        assert engine.move(Game.replay(rules, [(0, 0), (4, 6), (0, 2)]), 0.5) == (0, 1)
        engine.start(FIVE)
        assert engine.move(Game.replay(FIVE, [(0, 0)]), 0.5) == (0, 1)
    told = [line for line in log.read_text().splitlines() if not line.startswith("INFO t")]
    assert "|".join(told) == (
        "ABOUT|RECTSTART 7,5|INFO rule 1|INFO game_type 1|BOARD|0,0,2|6,4,1|2,0,2|DONE|"
        "ABOUT|START 5|INFO rule 0|INFO game_type 1|TURN 0,0|END"
    )


def test_engine_accepts_a_suggested_move() -> None:
    granted = 'print(f"SUGGEST {x},{y}", flush=True); assert "PLAY" in sys.stdin.readline()'
    with Engine(script(granted), tolerance=LATE) as engine:
        engine.start(FIVE)
        assert engine.move(Game(FIVE), 0.5) == (0, 0)


def test_engine_ignores_output_from_before_the_question(log: Path) -> None:
    talkative = f'print(os.getpid(), file=open("{log}", "w"))'
    talkative += '; print("4,4\\n" * 9, flush=True) if word == "DONE" else 0'
    with Engine(script(talkative), tolerance=LATE) as engine:
        engine.start(FIVE)
        game = Game.replay(FIVE, [(0, 0), (0, 1)])
        assert engine.move(game, 0.5) == (4, 4)
        while state_of(int(log.read_text())) != "S":  # until it has written everything and waits
            sleep(0.01)
        game.play((4, 4))
        game.play((1, 1))
        assert engine.move(game, 0.5) == (0, 3)


@pytest.mark.parametrize(
    "rules",
    [Rules(), Rules((5, 5, 5)), Rules((6, 7), 5, gravity=True), Rules((6, 6), 5, 3),
     Rules((5, 5), 5, early_draw=True), Rules((6, 6), 5, variant="misere")],
    ids=repr,
)  # fmt: skip
def test_start_rejects_rules_outside_the_protocol(rules: Rules) -> None:
    with pytest.raises(ValueError, match=r"the Gomocup protocol does not support \d"):
        Engine(script()).start(rules)


@pytest.mark.parametrize("command", ["", "  ", [], "'"])
def test_engine_rejects_an_invalid_command(command: str | list[str]) -> None:
    with pytest.raises(ValueError, match=r"empty|quotation"):
        Engine(command)


def test_move_requires_a_started_game() -> None:
    with Engine(script()) as engine:
        with pytest.raises(ValueError, match="was not started for Rules"):
            engine.move(Game(FIVE), 0.5)
        engine.start(FIVE)
        with pytest.raises(ValueError, match="was not started for Rules"):
            engine.move(Game(GOMOKU), 0.5)


# Failures

FLOOD = 'while True: print("x" * 100_000, end="")'


def fault(words: Sequence[str], tolerance: float = 0.1) -> EngineError:
    """Return the error of an engine that fails to start or to move, and check that it ends soon."""
    with Engine(words, tolerance=tolerance) as engine:
        with pytest.raises(EngineError) as caught:  # noqa: PT012  # either may fail
            engine.start(FIVE)
            engine.move(Game(FIVE), 0.1)
        began = perf_counter()
    assert perf_counter() - began < LATE
    assert isinstance(caught.value, NoughtsError)
    return caught.value


@pytest.mark.tier2("time")
@pytest.mark.parametrize(
    ("first", "reason", "message"),
    [
        ("time.sleep(60)", "silent", r"Good one did not write a move in \d\.\d\d s"),
        ("time.sleep(0.8)", "late", r"Good one took \d\.\d\d s instead of 0\.1"),
        ("print('I resign'); time.sleep(60)", "garbage",
         r"Good one wrote 'I resign' instead of a move in \d\.\d\d s"),
        ("print('x' * 9999, '7;8'); time.sleep(60)", "garbage",
         r"Good one wrote 'x+\.\.\.x+' instead of a move in \d\.\d\d s"),
        ("print('ERROR no\\n')", "refused", "Good one answered 'ERROR no'"),
        (FLOOD, "garbage", r"Good one wrote more than 1,048,576 bytes without an answer"),
        (FLOOD.replace('""', '"\\n"'), "garbage", r"Good one wrote more than 1,048,576 bytes .*"),
        ("os.write(1, bytes(range(256)) * 99); time.sleep(60)", "garbage",
         r"Good one wrote '.*' instead of a move in .*"),
        ("sys.exit(3)", "crashed", "Good one exited with status 3"),
        ("os.kill(os.getpid(), 11)", "crashed", "Good one was killed by signal 11"),
        ("os.close(1); time.sleep(60)", "crashed", "Good one closed its output"),
        ("os.fork() and os._exit(4); time.sleep(60)", "crashed", "Good one exited with status 4"),
        ("os.kill(os.getpid(), 19)", "silent", r"Good one did not write a move in .* s"),
    ],
)  # fmt: skip
def test_engine_failure_has_a_reason(
    first: str, reason: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "PATIENCE", {"silent": 0.3, "garbage": 6.0}.get(reason, LATE))
    error = fault(script(f"\n        {first}", obeys=False))
    assert error.reason == reason
    assert re.fullmatch(message, str(error), re.DOTALL), str(error)


def test_engine_output_before_its_exit_counts() -> None:
    with Engine(script('print("3,4", flush=True); os._exit(0)'), tolerance=LATE) as engine:
        engine.start(FIVE)
        assert engine.move(Game(FIVE), 0.5) == (4, 3)


@pytest.mark.tier2("time")
@pytest.mark.parametrize(
    ("words", "reason", "message"),
    [
        (["/nowhere/pbrain-x.exe"], "crashed",
         "x cannot be started by '/nowhere/pbrain-x.exe': No such file or directory"),
        (["x\0y"], "crashed", r"x\0y cannot be started by 'x\\x00y': embedded null byte"),
        (["false"], "crashed", "false exited with status 1"),
        (["sleep", "60"], "silent", r"sleep did not write OK in 0\.\d\d s"),
        (["cat"], "garbage", r"cat wrote 'START 5' instead of OK in 3\.\d\d s"),
        (["yes"], "garbage", "yes wrote (more than|.* instead of OK) .*"),
        (["sh", "-c", "read x; echo ERROR too small"], "refused", "sh answered 'ERROR too small'"),
    ],
)  # fmt: skip
def test_start_rejects_a_program_that_is_not_an_engine(
    words: list[str], reason: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "STARTING", {"silent": 0.3, "garbage": 3.0}.get(reason, LATE))
    error = fault(words)
    assert error.reason == reason
    assert re.fullmatch(message, str(error)), str(error)


@pytest.mark.tier2("time")
@pytest.mark.parametrize("then", ["pass", "os.close(0)"])
def test_engine_that_stops_reading_does_not_block(then: str) -> None:
    rules = Rules((100, 100), 5)  # the board exceeds the buffer of a pipe
    cells: tuple[list[tuple[int, int]], ...] = ([], [])
    for row, col in product(range(100), repeat=2):
        cells[(row + col // 2) % 2].append((row, col))  # no three in a row anywhere
    game = Game.replay(rules, list(chain.from_iterable(zip(*cells, strict=True)))[:-2])
    deaf = f"import os, time; input(); {then}; print('OK', flush=True); time.sleep(60)"
    with Engine([sys.executable, "-c", deaf]) as engine:
        engine.start(rules)
        with pytest.raises(EngineError, match="did not write a move"):
            engine.move(game, 0.1)


def state_of(pid: int) -> str:
    """Return the state of a process as in /proc: S if it sleeps, Z for a zombie."""
    with suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return ""


def lives(pid: int) -> bool:
    """Return whether this process runs and is not a zombie."""
    return state_of(pid) not in ("", "Z")


@pytest.mark.tier2("process")
def test_close_kills_the_children_of_an_engine(log: Path) -> None:
    forks = (
        f'os.fork() or (print(os.getpid(), file=open("{log}", "a"), flush=True), time.sleep(60))'
    )
    with Engine(script(forks, obeys=False), tolerance=LATE) as engine:
        engine.start(FIVE)
        assert engine.move(Game(FIVE), 0.1) == (0, 0)
        while not (log.exists() and log.read_text().endswith("\n")):
            sleep(0.01)
        child = int(log.read_text())
        assert lives(child)
    end = perf_counter() + LATE
    while lives(child) and perf_counter() < end:
        sleep(0.01)
    assert not lives(child)


def test_start_runs_an_engine_again_after_a_failure(log: Path) -> None:
    dies_once = f'os.path.exists("{log}") or (open("{log}", "w"), os._exit(1))'
    with Engine(script(dies_once), tolerance=LATE) as engine:
        engine.start(FIVE)
        with pytest.raises(EngineError, match="status 1"):
            engine.move(Game(FIVE), 0.1)
        with pytest.raises(ValueError, match="was not started"):
            engine.move(Game(FIVE), 0.1)
        engine.start(FIVE)
        assert engine.move(Game(FIVE), 0.1) == (0, 0)


# Games


def test_play_game_records_a_finished_game() -> None:
    with Engine(script(), tolerance=LATE) as engine:
        played = play_game(FIVE, (engine, "easy"), 0.1, [(4, 4), (4, 0)])
    assert played.at_fault is None
    record = played.record
    assert record.game().outcome is not None
    assert (record.names, record.comment) == (("Good one", "easy"), "")
    assert record.moves[:3] == ((4, 4), (4, 0), (0, 0))
    assert len(record.notes) == len(record.moves)
    assert record.notes[1].took is None
    assert all(note.took is not None for note in record.notes[2:])


@pytest.mark.parametrize(
    ("first", "reason", "message"),
    [
        ("x, y = 0, 0", "illegal", r"cell \(0, 0\) is already taken"),
        ("x = 5", "illegal", r"cell \(0, 5\) is off the 5×5 board"),
        ("x = -1", "illegal", r"cell \(0, -1\) is off the 5×5 board"),
        ("os._exit(1)", "crashed", "Good one exited with status 1"),
    ],
)
@pytest.mark.parametrize("seat", [1, 2])
def test_fault_loses_the_game(first: str, reason: str, message: str, seat: int) -> None:
    with Engine(script(first), tolerance=LATE) as engine:
        players = (engine, "random") if seat == 1 else ("random", engine)
        played = play_game(FIVE, players, 0.1, [(0, 0), (0, 1)][: 3 - seat])
    assert (played.reason, played.at_fault, played.record.result) == (reason, seat, 3 - seat)
    assert re.fullmatch(message, played.record.comment)


def test_engine_that_does_not_start_loses() -> None:
    played = play_game(FIVE, ("random", Engine("/nowhere/x")), 0.1)
    assert (played.reason, played.at_fault, played.record.result) == ("crashed", 2, 1)
    assert played.record.names == ("random", "x")


def test_play_game_rejects_invalid_players() -> None:
    with pytest.raises(ValueError, match="two players, got 3"):
        play_game(Rules((6, 6), 5, 3), ("easy", "easy"), 0.1)
    with pytest.raises(ValueError, match="cannot play itself"):
        play_game(FIVE, (engine := Engine(script()), engine), 0.1)


@pytest.mark.parametrize("side", [5, 10])
def test_noughts_plays_a_game_against_itself(side: int) -> None:
    command = [str(NOUGHTS), "brain"]
    with Engine(command, tolerance=LATE) as one, Engine(command, tolerance=LATE) as other:
        played = play_game(Rules((side, side), 5), (one, other), 0.1, [(0, 0), (2, 2), (4, 4)])
    assert played.at_fault is None, played
    assert played.record.names == ("noughts", "noughts")
    assert played.record.game().outcome is not None
