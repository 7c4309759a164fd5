"""Players written as Python functions: which function is used, its arguments, and its failures."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import noughts
from noughts import Game, Rules
from noughts.checker.worker import UnreadableError
from noughts.engines import Agent, EngineError, agent_worker, play_game
from noughts.engines.agent import cell_of, is_agent

FOUR = Rules.connect_four()
LATE = 30.0  # seconds that a move may be late, so that a busy machine does not matter
CONNECTX = """
import numpy as np
def agent(observation, configuration):
    board = np.array(observation.board).reshape(configuration.rows, configuration["columns"])
    return np.flatnonzero(board[0] == 0)[0]
"""
CHOOSE = """
def choose(game):
    return min(game.legal_moves)
"""

Write = Callable[[str], Agent]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a player's file."""

    def write(text: str) -> Agent:
        path = tmp_path / "bot.py"
        path.write_text(text)
        return Agent(path, tolerance=LATE)

    return write


def asked(write: Write, text: str, cells: list[Any], rules: Rules = FOUR, name: str = "") -> str:
    """Return the answer of the worker in this process, to one request."""
    answers = io.StringIO()
    path = write(text).path
    agent_worker.serve(name, rules, path, [json.dumps([cells, 2.5])], answers)
    ready, answer = answers.getvalue().splitlines()
    assert not ready
    return answer


# The worker


def test_observation_describes_the_position() -> None:
    given = agent_worker.observation(Rules((3, 4), 3, gravity=True), [[2, 1], [1, 1], [2, 0]])
    assert given == {
        "board": [0, 0, 0, 0, 0, 2, 0, 0, 1, 1, 0, 0],
        "mark": 2,
        "step": 3,
        "remainingOverageTime": 0,
    }
    given.note = "kept"
    assert (given.mark, given["mark"], given["note"], hasattr(given, "x")) == (2, 2, "kept", False)


def test_configuration_describes_rules_and_limits() -> None:
    given = agent_worker.configuration(Rules((3, 4), 3, gravity=True), 2.5)
    assert (given.columns, given["rows"], given.inarow) == (4, 3, 3)
    assert (given.timeout, given.actTimeout, given.episodeSteps) == (2.5, 2.5, 1000)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (CONNECTX, "0"),
        ("agent = lambda observation: observation.mark", "1"),
        ("def agent(*given): return len(given)", "2"),
        ("def agent(): return 4", "4"),
        ("class agent:\n    def __new__(cls, *given): return 5", "5"),
        ("def agent(o, c): return 3.0", "3.0"),
        ("def agent(o, c): return '3'", "'3'"),
        ("def agent(o, c): pass", "None"),
        ("def agent(o, c): return 1, 2", "1 2"),
        ("def agent(o, c): return 1, 'b'", "(1, 'b')"),
    ],
)
def test_worker_answers_with_the_value_of_an_agent(write: Write, text: str, answer: str) -> None:
    assert asked(write, text, [], name="agent").startswith(answer)


@pytest.mark.parametrize("value", ["(2, 3)", "[2, 3]", "__import__('numpy').array([2, 3])"])
def test_worker_answers_with_the_cell_of_choose(write: Write, value: str) -> None:
    text = f"def choose(game):\n    assert game.ply == 2 and game.turn == 1\n    return {value}"
    assert asked(write, text, [[0, 0], [1, 1]], Rules((4, 4), 3), "choose") == "2 3"


def test_function_that_cannot_be_inspected_takes_both_arguments() -> None:
    assert agent_worker.accepted(max) == 2


def test_last_function_is_the_agent(write: Write) -> None:
    text = "def one(o, c): return 1\nx = 3\ndef two(o, c): return 2\ny = 'z'"
    assert asked(write, text, []) == "2"


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("x = 1", "", "it defines no function"),
        ("agent = 1", "agent", "it defines no function agent"),
        ("def f(o): return 1\n1 / 0", "", "its top-level code raises ZeroDivisionError"),
        ("import nowhere\ndef agent(o): return 1", "agent", "No module named 'nowhere'"),
    ],
)
def test_worker_rejects_files_without_a_function(
    write: Write, text: str, name: str, message: str
) -> None:
    with pytest.raises(UnreadableError, match=message):
        asked(write, text, [], name=name)


def test_agent_survives_code_that_fails_after_it(write: Write) -> None:
    text = "def agent(o, c): return 1\nmake('connectx').run([agent, 'random'])"
    assert asked(write, text, [], name="agent") == "1"


# Rules and files


def test_is_agent_recognizes_paths(tmp_path: Path) -> None:
    (tmp_path / "my bot.py").touch()
    assert is_agent(f"{tmp_path}/my bot.py")
    assert not is_agent("python bot.py")
    assert not is_agent("./pbrain-x")


@pytest.mark.parametrize(
    "rules", [Rules(), Rules((4, 4, 4), 3, gravity=True), "6x7,k=4,gravity,variant=misere"]
)
def test_agent_of_connectx_needs_gravity(write: Write, rules: Rules | str) -> None:
    with pytest.raises(ValueError, match="needs rules such as connect-four, got"):
        write(CONNECTX).check(rules)
    write(CHOOSE).check(rules)
    write(CONNECTX).check("7x8,k=5,gravity")


def test_agent_needs_two_players(write: Write) -> None:
    with pytest.raises(ValueError, match="two players, got 3"):
        write(CHOOSE).check("4x4,k=3,players=3")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def agent(", "bot: line 1 of bot.py is not valid Python"),
        ("print 'hello'", "this looks like Python 2"),
        (
            "3 + 4",
            r"bot\.py defines no player: write agent\(observation, configuration\) or choose",
        ),
    ],
)
def test_check_rejects_files_without_a_player(write: Write, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        write(text).check(FOUR)


def test_check_rejects_a_missing_file() -> None:
    with pytest.raises(ValueError, match=r"nowhere/bot\.py: No such file"):
        Agent("nowhere/bot.py").check(FOUR)


# Answers


@pytest.mark.parametrize(
    ("answer", "cell", "column"),
    [
        ("2", (3, 2), (3, 2)),
        ("1", (0, 1), (0, 1)),  # full: the cell is taken
        ("7", (0, 7), (0, 7)),
        ("-1", (0, -1), (0, -1)),
        ("3 2", (3, 2), None),
        ("1 2 3", None, None),
        ("", None, None),
        ("2.0", None, None),
        ("٣", None, None),
        (str(10**20), None, None),
    ],
)
def test_answer_names_a_cell_or_a_column(
    answer: str, cell: tuple[int, int] | None, column: tuple[int, int] | None
) -> None:
    columns = [2, 2, *[1] * 6]
    game = Game(FOUR)
    for at in columns:
        game.play(max(cell for cell in game.legal_moves if cell[1] == at))
    assert cell_of(game, answer, columns_only=False) == cell
    assert cell_of(game, answer, columns_only=True) == column


def test_answer_names_a_column_of_three_dimensions() -> None:
    game = Game("3x3x3,gravity")
    assert cell_of(game, "1 2", columns_only=False) == (2, 1, 2)
    assert cell_of(game, "1", columns_only=False) is None


# Processes


def test_agents_play_a_game(write: Write, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text(CHOOSE)
    with write(CONNECTX) as one, Agent(other, tolerance=LATE) as two:
        played = play_game(FOUR, (one, two), 5.0)
    assert (played.at_fault, played.record.names) == (None, ("bot", "other"))
    assert played.record.moves[:4] == ((5, 0), (4, 0), (3, 0), (2, 0))


def test_agent_starts_every_game_in_a_new_process(write: Write) -> None:
    with write("seen = []\ndef agent(o):\n    seen.append(o)\n    return len(seen)") as agent:
        for _ in range(2):
            agent.start(FOUR)
            assert agent.move(Game(FOUR), 5.0) == (5, 1)
        assert agent.move(Game.replay(FOUR, [(5, 2)]), 5.0) == (4, 2)
        with pytest.raises(ValueError, match="was not started for"):
            agent.move(Game(), 5.0)
    with pytest.raises(ValueError, match="was not started for"):
        agent.move(Game(FOUR), 5.0)


@pytest.mark.parametrize(
    ("body", "reason", "message"),
    [
        ("return {}[3]", "crashed", "bot stopped with KeyError: 3"),
        ("__import__('os')._exit(3)", "crashed", "bot exited with code 3 before answering"),
        ("return None", "garbage", "bot returned None instead of a column"),
        ("return 7", "illegal", "cell (0, 7) is off the 6×7 board"),
        ("return 2", "illegal", "cell (0, 2) is already taken"),
    ],
)
def test_fault_loses_the_game(write: Write, body: str, reason: str, message: str) -> None:
    column = [(row, 2) for row in range(5, -1, -1)]
    with write(f"def agent(o, c):\n    {body}") as agent:
        played = play_game(FOUR, (agent, "random"), 5.0, column)
    assert (played.reason, played.at_fault, played.record.result) == (reason, 1, 2)
    assert played.record.comment == message


def test_file_that_cannot_be_run_loses_the_game(write: Write) -> None:
    with write("import nowhere\ndef agent(o): return 1") as agent:
        played = play_game(FOUR, ("random", agent), 5.0)
    assert (played.reason, played.at_fault) == ("crashed", 2)
    assert played.record.comment == (
        "bot: its top-level code raises ModuleNotFoundError: No module named 'nowhere'"
    )


@pytest.mark.tier2("time")
def test_agent_that_hangs_is_late(write: Write, tmp_path: Path) -> None:
    write("def agent(o, c):\n    while True: pass")
    with Agent(tmp_path / "bot.py") as agent:
        agent.start(FOUR)
        with pytest.raises(EngineError, match="did not choose a move within") as caught:
            agent.move(Game(FOUR), 0.2)
        assert caught.value.reason == "late"
        agent.start(FOUR)  # works again


@pytest.mark.tier2("process")
def test_killed_agent_raises_an_error(write: Write) -> None:
    with write(CONNECTX) as agent:
        agent.start(FOUR)
        agent.kill()
        with pytest.raises(EngineError) as caught:
            agent.move(Game(FOUR), 5.0)
        assert caught.value.reason == "crashed"
    agent.kill()  # nothing to kill


# Commands


def test_match_command_takes_python_files(write: Write, tmp_path: Path) -> None:
    write("def agent(o, c): return 0")
    run = noughts(
        *("match", f"zero={tmp_path}/bot.py", "random", "--rules", "connect-four"),
        *("--games", "2", "--time", "5", "--seed", "1"),
    )
    assert run.exit_code == 0
    assert "zero begins" in run.stdout
    write("def agent(o, c): return o.nothing")
    run = noughts("match", tmp_path / "bot.py", "random", "--rules", "connect-four", "--games", "2")
    assert run.stdout.endswith(
        "how games ended: 2 crashed\n"
        "bot lost game 1 (crashed): bot stopped with AttributeError: nothing\n"
    )


def test_commands_reject_unusable_files(write: Write, tmp_path: Path) -> None:
    write(CONNECTX)
    path = tmp_path / "bot.py"
    for words in (("match", path, "easy"), ("play", "--opponent", path)):
        run = noughts(*words)
        assert (run.exit_code, run.stdout) == (2, "")
        assert "it needs rules such as connect-four, got 3x3" in run.stderr
    run = noughts("match", "easy", tmp_path / "other.py")
    assert "other.py: No such file or directory" in run.stderr


def test_play_command_takes_python_files(write: Write, tmp_path: Path) -> None:
    write(CHOOSE)
    words = ("play", "--opponent", tmp_path / "bot.py", "--first", "computer")
    run = noughts(*words, typed="b1\nundo\nb1\na2\nb2\na3\n")
    assert "bot plays X at A1." in run.stdout
    assert "Undid B1 and C1." in run.stdout
    assert run.exit_code == 0


def test_play_command_reports_a_fault(write: Write, tmp_path: Path) -> None:
    write("def choose(game): return game.history[0]")
    run = noughts("play", "--opponent", tmp_path / "bot.py", typed="b2\n")
    assert run.stdout.endswith(
        "\nbot played an illegal move: cell (1, 1) is already taken: X wins.\n"
    )
    run = noughts("play", "--opponent", tmp_path / "bot.py", "--first", "computer")
    assert run.stdout.endswith("\nbot stopped with IndexError: tuple index out of range: O wins.\n")
