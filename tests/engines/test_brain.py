"""noughts as an engine: scripts of the protocol, its clock, and its process."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from time import perf_counter, sleep

import pytest

from commands import NOUGHTS, SECONDS
from noughts import Game
from noughts.engines import brain as brains
from noughts.engines.brain import Brain, Clock, converse
from noughts.engines.protocol import MAX_LINE, UNLIMITED, Lines, cell_of
from noughts.opponent import Advice
from noughts.system import processors


def first_free(game: Game, seconds: float, optimum: float | None, threads: int) -> Advice:
    """Choose the first free cell, by rows, without delay."""
    return Advice(next(iter(game.legal_moves)))


def answers(brain: Brain, *lines: str) -> list[str]:
    """Return all answers of a brain to these lines."""
    return [answer for line in lines for answer in brain.answer(line, perf_counter())]


def answered(*lines: str) -> list[str]:
    """Return the answers of a new brain with `first_free`, without its thoughts."""
    said = answers(Brain(first_free), *lines)
    return [line for line in said if not re.match(r"DEBUG|MESSAGE \d+,\d+ ", line)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        # a new game
        ("START 20", "OK"),
        ("START 5", "OK"),
        ("START 100", "OK"),
        ("START 4", "ERROR the sides of a board must be 5 to 100, got 4"),
        ("START 101", "ERROR the sides of a board must be 5 to 100, got 101"),
        ("START", "ERROR expected a board such as 20, or 30,20 after RECTSTART, got ''"),
        ("START x", "ERROR expected a board such as 20, or 30,20 after RECTSTART, got 'x'"),
        ("RECTSTART 30,20|TURN 29,19", "OK|0,0"),
        ("RECTSTART 30,20|TURN 19,29", "OK|ERROR 19,29 cannot be move 1: cell (29, 19) is off "
         "the 20×30 board, as (row, column)"),
        ("RECTSTART 4,20", "ERROR the sides of a board must be 5 to 100, got 4,20"),
        ("START 15|BEGIN|RESTART|BEGIN", "OK|0,0|OK|0,0"),
        ("RESTART", "ERROR send START first"),
        ("BEGIN", "ERROR send START first"),
        ("TURN 1,1", "ERROR send START first"),
        ("BOARD|DONE|SWAP2BOARD|DONE", "ERROR send START first|" * 2),
        # moves: x is the column
        ("START 15|BEGIN|TURN 1,0|TURN 3,0", "OK|0,0|2,0|4,0"),
        ("START 15|BEGIN|BEGIN", "OK|0,0|ERROR BEGIN needs an empty board, but this one has "
         "1 stones"),
        ("START 15|TURN 0,2|TURN 0,2|TURN 1,0", "OK|0,0|ERROR 0,2 cannot be move 3: cell (2, 0) "
         "is already taken, as (row, column)|2,0"),
        ("START 15|TURN 15,0|TURN -1,0|TURN 1,0", "OK|ERROR 15,0 cannot be move 1: cell (0, 15) "
         "is off the 15×15 board, as (row, column)|ERROR -1,0 cannot be move 1: cell (0, -1) "
         "is off the 15×15 board, as (row, column)|0,0"),
        *((f"START 15|TURN {cell}", f"OK|ERROR expected a cell such as 7,8, got {cell!r}")
          for cell in ("", "7", "7;8", "7,8,1", "a,b", "7.0,8", "1e1,1", "٣,٣")),
        ("START 15|PLAY 7,8|TURN 0,0|TAKEBACK 1,0|TAKEBACK 0,0|TAKEBACK 7,8|BEGIN",
         "OK|7,8|1,0|OK|OK|OK|0,0"),
        ("START 15|PLAY 7,8|PLAY 7,8|PLAY 9", "OK|7,8|ERROR 7,8 cannot be move 2: cell (8, 7) "
         "is already taken, as (row, column)|ERROR expected a cell such as 7,8, got '9'"),
        ("START 15|TAKEBACK 1,1|PLAY 1,2|TAKEBACK 2,1",
         "OK|ERROR the last move is not 1,1|1,2|ERROR the last move is not 2,1"),
        # boards in the middle of a game
        ("START 15|BOARD|DONE|TURN 1,0", "OK|0,0|2,0"),
        ("START 15|BOARD|0,0,1|1,0,2|DONE|TURN 3,0", "OK|2,0|4,0"),
        ("START 15|BOARD|0,0,2|DONE|TAKEBACK 1,0|TAKEBACK 0,0", "OK|1,0|OK|OK"),
        ("START 15|BOARD|0,0,2|1,0,1|2,0,2|DONE|TAKEBACK 3,0|TAKEBACK 2,0", "OK|3,0|OK|OK"),
        ("START 15|BOARD|0,0,1|2,0,1|1,0,2|3,0,2|DONE|TAKEBACK 4,0|TAKEBACK 3,0|TAKEBACK 2,0|"
         "TAKEBACK 1,0|TAKEBACK 0,0", "OK|4,0|OK|OK|OK|OK|OK"),  # not in turns
        ("START 15|BOARD|0,0,1|1,0,1|2,0,2|DONE|BEGIN",
         "OK|ERROR BOARD has 2 stones with 1 and 1 with 2|0,0"),
        ("START 15|BOARD|0,0,3|DONE|BOARD|0,0|DONE|BOARD|x|DONE|BEGIN",
         "OK|ERROR expected a stone of BOARD such as 7,8,1 or 7,8,2, got '0,0,3'|ERROR expected a "
         "stone of BOARD such as 7,8,1 or 7,8,2, got '0,0'|ERROR expected a stone of BOARD such "
         "as 7,8,1 or 7,8,2, got 'x'|0,0"),
        ("START 15|BOARD|0,0,1|0,0,2|DONE", "OK|ERROR 0,0 cannot be move 2: cell (0, 0) is "
         "already taken, as (row, column)"),
        ("START 15|BOARD|0,0,1|START 15|BEGIN", "OK|OK|0,0"),  # cut off
        ("START 5|BOARD|0,0,1|0,1,2|1,0,1|1,1,2|2,0,1|2,1,2|3,0,1|3,1,2|4,0,1|4,1,2|DONE",
         "OK|ERROR 4,1 cannot be move 10: the game is over: player 1 has won"),
        ("START 5|BOARD|0,0,2|0,1,1|1,0,2|1,1,1|2,0,2|2,1,1|3,0,2|3,1,1|4,0,2|DONE",
         "OK|ERROR the game is over"),
        # rules: six in a row win in freestyle, but not if exactly five are needed
        *((f"INFO rule {rule}|START 15|BOARD|0,0,2|0,9,1|1,0,2|9,9,1|2,0,2|4,8,1|4,0,2|8,4,1|"
           f"5,0,2|7,7,1|3,0,2|DONE", answer) for rule, answer in [
            (0, "OK|ERROR the game is over"),
            (1, "OK|6,0"),
            (4, "OK|ERROR 3,0 cannot be move 11: cell (0, 3) is a foul: it makes an overline, as "
             "(row, column)"),
            (8, "OK|ERROR the game is over"),
            (2, "MESSAGE rule 2 is not supported; playing rule 0, and a win ends the game|OK|"
             "ERROR the game is over"),
            (3, "MESSAGE rule 3 is not supported; playing rule 1, and a win ends the game|OK|6,0"),
            (9, "MESSAGE rule 9 is not supported; playing rule 8|OK|ERROR the game is over"),
            (16, "MESSAGE rule 16 is not supported; playing rule 0|OK|ERROR the game is over"),
        ]),
        ("START 15|INFO rule 5|BEGIN|TURN 1,0",
         "OK|MESSAGE rule 5 is not supported; playing rule 4|0,0|2,0"),
        # other commands
        ("INFO timeout_turn x|INFO rule|INFO timeout_match -1|INFO max_memory 1e9|START 15",
         "MESSAGE INFO timeout_turn needs a number from 0, got 'x'|MESSAGE INFO rule needs a "
         "number from 0, got ''|MESSAGE INFO timeout_match needs a number from 0, got '-1'|"
         "MESSAGE INFO max_memory needs a number from 0, got '1e9'|OK"),
        ("INFO|INFO x|INFO evaluate 7,7|INFO folder /tmp/x y|INFO game_type 2|INFO thread_num 4|"
         "INFO max_memory 0|INFO max_memory 99999999999|INFO time_left -5|START 15", "OK"),
        ("HELLO|SUGGEST 7,7|7,8|DONE|START 15|", "UNKNOWN HELLO|UNKNOWN SUGGEST 7,7|UNKNOWN 7,8|"
         "UNKNOWN DONE|OK"),
        ("x" * 200, f"UNKNOWN {'x' * 80}"),
        # spaces and case
        ("  start\t 15 \r|  Turn  1 ,  0 |bOaRd| 0 , 0 , 1|\t1,0,2\t|done", "OK|0,0|2,0"),
        # swap2
        ("START 15|SWAP2BOARD|DONE|BEGIN", "OK|1,1 2,2 4,2|0,0"),
        ("START 15|SWAP2BOARD|1,1|DONE", "OK|ERROR SWAP2BOARD needs 0, 3 or 5 stones, got 1"),
        ("START 15|SWAP2BOARD|1,1|1,1|2,2|DONE", "OK|ERROR 1,1 cannot be move 2: cell (1, 1) is "
         "already taken, as (row, column)"),
        ("START 15|SWAP2BOARD|1|DONE", "OK|ERROR expected a cell such as 7,8, got '1'"),
    ],
)  # fmt: skip
def test_brain_answers_a_script(script: str, expected: str) -> None:
    assert answered(*script.split("|")) == expected.strip("|").split("|")


def test_about_answers_one_line_of_values() -> None:
    (line,) = answered("about")
    assert re.fullmatch(r'name="noughts", version="[^"]+", author="[^"]+"', line)


def test_max_memory_adds_a_note_to_the_next_answer() -> None:
    note, ok = answered("INFO max_memory 1000", "START 15")
    assert re.fullmatch(r"MESSAGE max_memory is 1,000 bytes, but noughts uses [0-9,]+", note)
    assert ok == "OK"


def test_board_rejects_more_stones_than_cells() -> None:
    (line,) = answered("START 5", "BOARD", *["0,0,1"] * 30_000, "DONE")[1:]
    assert line.startswith("ERROR BOARD has 10001 stones with 1")


@pytest.mark.parametrize(
    ("advice", "choice"),
    [
        (Advice((6, 8), -1, "search"), "SWAP"),
        (Advice((6, 8), 1, "search"), "8,6"),
        (Advice((6, 8), 0, "potential", 40), "8,6"),
        (Advice((6, 8), chance=49), "SWAP"),
        (Advice((6, 8), chance=50), "8,6"),
        (Advice((6, 8)), "8,6"),
    ],
)
def test_swap2_takes_the_better_colour(advice: Advice, choice: str) -> None:
    brain = Brain(lambda *_: advice)
    answers(brain, "START 15")
    for stones in (["7,7", "0,0", "1,1"], ["7,7", "0,0", "1,1", "2,0", "3,1"]):
        assert answers(brain, "SWAP2BOARD", *stones, "DONE")[-1] == choice
    assert brain.moves == ()


@pytest.mark.parametrize(
    ("advice", "message"),
    [
        (Advice((0, 1), 1, "line"), "1,0 wins, proved by line"),
        (Advice((0, 1), 0, "potential"), "1,0 cannot lose, proved by potential"),
        (Advice((0, 1), -1, "search"), "1,0 loses against best play, proved by search"),
        (Advice((0, 1)), "1,0 nothing is proved"),
        (Advice((0, 1), 1, "search", None, 5), "1,0 wins, proved by search, won in 5 plies"),
        (
            Advice((0, 1), -1, "search", None, 4),
            "1,0 loses against best play, proved by search, lost in 4 plies",
        ),
        (
            Advice((0, 1), None, None, 0, 6, 9),
            "1,0 nothing is proved, seems lost in 6 plies, chance 0%, depth 9",
        ),
        (
            Advice((0, 1), None, None, 100, 7, 9),
            "1,0 nothing is proved, seems won in 7 plies, chance 100%, depth 9",
        ),
        (
            Advice((0, 1), None, None, 61, None, 9, ((0, 1), (2, 3))),
            "1,0 nothing is proved, chance 61%, depth 9, line 1,0 3,2",
        ),
    ],
)
def test_brain_reports_its_thoughts(advice: Advice, message: str) -> None:
    debug, said, move = answers(Brain(lambda *_: advice), "START 5", "BEGIN")[1:]
    assert re.fullmatch(r"DEBUG 0\.\d{3} s used of 5\.000 s", debug)
    assert (said, move) == (f"MESSAGE {message}", "1,0")


# Time


@pytest.mark.parametrize(
    ("clock", "empty", "most", "share"),
    [
        (Clock(), 400, brains.WITHOUT_LIMIT, None),
        (Clock(turn=0), 400, 0, None),
        (Clock(turn=0, left=63_000), 400, 0, 3.0),
        (Clock(turn=20), 400, 0, None),
        (Clock(turn=1000), 400, 0.9, None),
        (Clock(turn=30_000), 400, 28.45, None),
        (Clock(turn=1000, left=UNLIMITED), 400, 0.9, None),
        (Clock(turn=1000, match=0, left=21_000), 400, 0.9, 1.0),
        (Clock(turn=9000, left=21_000), 400, 4.0, 1.0),
        (Clock(turn=5000, left=-3), 400, 0, 0),
        (Clock(left=21_000), 400, 4.0, 1.0),
        (Clock(left=3_000), 4, 1.5, 1.0),
        (Clock(left=3_000), 1, 1.5, 1.5),
        (Clock(match=21_000), 400, 4.0, 1.0),
        (Clock(match=21_000, spent=10.5), 400, 2.0, 0.5),
        (Clock(match=21_000, left=42_000, spent=10.5), 400, 8.0, 2.0),
    ],
)
def test_clock_divides_the_time(clock: Clock, empty: int, most: float, share: float | None) -> None:
    assert clock.seconds(empty) == (most, share)


def test_limits_count_from_the_arrival_of_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (brains, sys.modules[__name__]):
        monkeypatch.setattr(module, "perf_counter", lambda: 100.0)
    given, usual, with_threads = list[float](), list[float | None](), list[int]()

    def thinker(game: Game, seconds: float, optimum: float | None, threads: int) -> Advice:
        given.append(seconds)
        usual.append(optimum)
        with_threads.append(threads)
        return first_free(game, seconds, optimum, threads)

    brain = Brain(thinker)
    answers(brain, "START 15", "INFO timeout_turn 1000", "INFO TIME_LEFT 2147483647")
    list(brain.answer("BEGIN", 99.5))
    list(brain.answer("TURN 1,0", 98.0))
    answers(brain, "INFO timeout_turn 0", "TURN 3,0", "INFO timeout_match 21000")
    answers(brain, "INFO thread_num 2")
    answers(brain, "INFO timeout_turn 9000", "RESTART", "BEGIN")
    assert given[0] == pytest.approx(0.4, abs=0.1)
    assert given[1:3] == [0, 0]
    assert given[3] == pytest.approx(8.5, abs=0.1)  # time_left counts, and is still unlimited
    answers(brain, "INFO time_left 21000", "RESTART", "BEGIN")
    assert given[4] == pytest.approx(4.0, abs=0.1)
    assert usual == [None, None, None, None, 1.0]
    assert with_threads == [1, 1, 1, *[min(2, processors())] * 2]


# The session


def test_lines_splits_chunks_at_any_line_ending() -> None:
    lines = Lines()
    assert lines.of(b"STA") == []
    assert lines.of(b"RT 15\r\nBEGIN\n\r\n \n\xff") == ["START 15", "BEGIN"]
    assert lines.of(b"\rEND") == ["�"]
    assert lines.of(b"x" * 10 * MAX_LINE) == []
    assert lines.of(b"y\nz\n") == ["END" + "x" * (MAX_LINE - 3), "z"]
    assert cell_of("7,8") == (8, 7)


def answers_to(*chunks: bytes) -> list[str]:
    """Return the answers to a stream of these chunks, in this process."""
    reader, writer = os.pipe()
    said = list[str]()
    listening = Thread(target=converse, args=(reader, said.append, first_free))
    listening.start()
    for chunk in chunks:
        os.write(writer, chunk)
    os.close(writer)
    listening.join(SECONDS)
    os.close(reader)
    return said


def test_converse_answers_commands_before_the_end() -> None:
    assert answers_to(b"START 15\r\nHELLO\r\nEND\r\nSTART 15\r\n") == ["OK", "UNKNOWN HELLO"]
    assert answers_to(b"START 15\nEND\nBEGIN\n") == ["OK"]
    assert answers_to() == []


@contextmanager
def brain() -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE
    with subprocess.Popen([NOUGHTS, "brain"], stdin=pipe, stdout=pipe, text=True) as running:
        try:
            yield running
        finally:
            running.kill()


def tell(running: subprocess.Popen[str], *lines: str) -> None:
    assert running.stdin is not None
    running.stdin.write("".join(f"{line}\r\n" for line in lines))
    running.stdin.flush()


def answer(running: subprocess.Popen[str]) -> str:
    """Return the next line that is not a thought."""
    assert running.stdout is not None
    while (line := running.stdout.readline()).startswith(("DEBUG", "MESSAGE")):
        pass
    return line


@pytest.mark.tier2("process")
def test_brain_process_survives_a_stop_between_moves() -> None:
    with brain() as running:
        tell(running, "INFO timeout_turn 200", "START 15")
        assert answer(running) == "OK\n"
        tell(running, "BEGIN")
        assert re.fullmatch(r"[4-9],[4-9]\n", answer(running))
        running.send_signal(signal.SIGSTOP)
        tell(running, "TURN 0,0")
        sleep(0.1)
        running.send_signal(signal.SIGCONT)
        assert re.fullmatch(r"\d+,\d+\n", answer(running))
        tell(running, "END")
        assert running.wait(SECONDS) == 0


@pytest.mark.tier2("time")
@pytest.mark.parametrize("how", ["END", "closed"])
def test_brain_process_exits_while_thinking(how: str) -> None:
    with brain() as running:
        tell(running, "INFO timeout_turn 1000000", "START 8", "BOARD", "3,3,2", "DONE")
        sleep(1)
        assert running.poll() is None
        assert running.stdin is not None
        if how == "END":
            tell(running, "END")
        else:
            running.stdin.close()
        began = perf_counter()
        assert running.wait(SECONDS) == 0
        assert perf_counter() - began < SECONDS / 2
        assert running.stdout is not None
        assert running.stdout.read() == "OK\n"
