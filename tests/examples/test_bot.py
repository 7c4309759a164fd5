"""examples/bot.py plays whole games on a real server, even if the connection breaks."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest

from commands import SECONDS
from service.serving import Seat, Server, created, free_port, serving, speaking_to

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


@contextmanager
def bot(server: Server, seat: Seat) -> Iterator[subprocess.Popen[str]]:
    """Start the bot, which accepts an invitation."""
    link = f"{server.url}/g/{seat.id}#{seat.invite}"
    with subprocess.Popen([sys.executable, BOT, link], stdout=subprocess.PIPE, text=True) as found:
        try:
            yield found
        finally:
            found.kill()


def my_turn(seat: Seat, number: int = 1) -> bool:
    """Wait for this seat's turn; return False if the game ends first."""
    end = monotonic() + SECONDS
    while (state := seat.state())["status"] in {"waiting", "playing"}:
        if state["status"] == "playing" and state["turn"] == number:
            return True
        assert monotonic() < end, state
        sleep(0.02)
    return False


def play_on(seat: Seat) -> str:
    """Take the first free cell until the end; return the line that the bot must print."""
    while my_turn(seat):
        taken = seat.state()["moves"]
        free = (cell for n in range(9) if (cell := [n // 3, n % 3]) not in taken)
        assert seat.move(*next(free)).status_code == 201
    state = seat.state()
    return "I won" if state["winner"] == 2 else str(state["status"])


def test_bot_plays_a_whole_game(server: Server) -> None:
    with speaking_to(server) as client:
        seat = created(client)
        with bot(server, seat) as player:
            result = play_on(seat)
            assert player.communicate(timeout=SECONDS)[0] == f"{result}\n"
        assert player.returncode == 0


@pytest.mark.tier2("process")
def test_bot_continues_after_server_restarts(tmp_path: Path) -> None:
    database, port = f"sqlite:///{tmp_path}/noughts.db", free_port()
    with serving(database, port=port) as first, speaking_to(first) as client:
        seat = created(client)
        with bot(first, seat) as player:
            assert my_turn(seat)
            assert seat.move(1, 1).status_code == 201
            assert my_turn(seat)
            first.kill()
            with serving(database, port=port) as second, speaking_to(second) as again:
                seat = Seat(again, seat.id, seat.token)
                assert my_turn(seat)
                free = [c for c in ([0, 0], [0, 1], [0, 2]) if c not in seat.state()["moves"]]
                assert seat.move(*free[0]).status_code == 201
                assert my_turn(seat)
                second.stop()  # announces its shutdown
            with serving(database, port=port) as third, speaking_to(third) as again:
                result = play_on(Seat(again, seat.id, seat.token))
                assert player.communicate(timeout=SECONDS)[0] == f"{result}\n"
            assert player.returncode == 0
