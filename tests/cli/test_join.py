"""``noughts join``: engines and levels in games on a real server."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest

from commands import NOUGHTS, SECONDS, noughts, started
from noughts import Rules
from noughts.engines import remote_player
from service.serving import Seat, Server, created, free_port, served, serving, speaking_to

FIVE = {"shape": [5, 5], "k": 5}
BRAIN = f"{NOUGHTS} brain"


def until(seat: Seat, is_so: Callable[[dict[str, object]], bool]) -> dict[str, object]:
    """Wait until `is_so` and return the state of the game."""
    end = monotonic() + SECONDS
    while not is_so(state := seat.state()):
        assert monotonic() < end, state
        sleep(0.02)
    return state


def my_turn(state: dict[str, object]) -> bool:
    return state["turn"] == 1 or state["status"] not in ("waiting", "playing")


def link(server: Server, seat: Seat) -> str:
    return f"{server.url}/g/{seat.id}#{seat.invite}"


def play_on(seat: Seat, rows: int = 5) -> dict[str, object]:
    """Play the first free cell until the game ends."""
    while (state := until(seat, my_turn))["turn"] == 1:
        cells = ([row, col] for row in range(rows) for col in range(rows))
        taken = seat.state()["moves"]
        assert seat.move(*next(cell for cell in cells if cell not in taken)).status_code == 201
    return state


@pytest.fixture(scope="module")
def served_here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, httpx.Client]]:
    with served(tmp_path_factory.mktemp("join")) as found:
        yield found


@pytest.fixture
def server(served_here: tuple[Server, httpx.Client]) -> Server:
    return served_here[0]


@pytest.fixture
def client(served_here: tuple[Server, httpx.Client]) -> httpx.Client:
    return served_here[1]


@pytest.mark.tier2("time")  # on a busy machine, the engine can move too late
def test_join_plays_a_game_with_an_engine(server: Server, client: httpx.Client) -> None:
    seat = created(client, **FIVE)
    command = [str(NOUGHTS), "join", link(server, seat), "--engine", BRAIN, "--seconds", "0.1"]
    with started(*command) as running:
        until(seat, my_turn)
        assert seat.state()["players"][1]["name"] == "noughts"
        seat.move(0, 0)
        until(seat, lambda state: len(list(seat.state()["moves"])) == 2)
        assert seat.act("takeback").status_code == 201  # offers to undo both moves
        until(seat, lambda state: state["moves"] == [])
        state = play_on(seat)
        said, complaints = running.communicate(timeout=SECONDS)
    assert (running.returncode, complaints) == (0, b"")
    end = {1: "X wins", 2: "O wins", None: "draw"}[state["winner"]]  # type: ignore[index]
    assert said.decode() == f"5×5, 5 in a row: noughts plays O\n{end}\n"


@pytest.mark.tier2("process")
def test_join_reconnects_after_a_restart_of_the_server(tmp_path: Path) -> None:
    database, port = f"sqlite:///{tmp_path}/noughts.db", free_port()
    with serving(database, port=port) as first, speaking_to(first) as client:
        seat = created(client, n=4)
        command = [str(NOUGHTS), "join", link(first, seat), "--engine", "easy", "--name", "Ada"]
        with started(*command) as running:
            until(seat, my_turn)
            first.kill()
            with serving(database, port=port) as second, speaking_to(second) as again:
                seat = Seat(again, seat.id, seat.token)
                seat.move(0, 0)
                state = until(seat, my_turn)
                assert state["players"][1]["name"] == "Ada"  # type: ignore[index]
                assert seat.act("resign").status_code == 201
                said, complaints = running.communicate(timeout=SECONDS)
    assert running.returncode == 0
    assert said.decode().endswith("easy plays O\nO wins by resignation\n")
    assert set(re.findall(".+", complaints.decode())) <= {
        f"noughts: no connection; retrying in {pause} s" for pause in (1, 2, 4, 8, 16, 30)
    }


@pytest.mark.tier2("process")
def test_join_with_a_key_takes_its_seat_again(server: Server, client: httpx.Client) -> None:
    seat = created(client, **FIVE)
    command = [str(NOUGHTS), "join", link(server, seat), "--engine", "random"]
    with started(*command) as running:
        until(seat, my_turn)
        running.send_signal(signal.SIGINT)
        _, complaints = running.communicate(timeout=SECONDS)
    assert running.returncode == 130
    kept = r"noughts: O has stopped playing; run the same command with --key (\w+) to continue"
    left = re.fullmatch(f"{kept}\n", complaints.decode())
    assert left
    assert noughts(*command[1:]).exit_code == 2
    assert seat.move(0, 0).status_code == 201
    with started(*command, "--key", left[1]) as running:
        until(seat, my_turn)
        seat.act("resign")
        assert running.communicate(timeout=SECONDS)[1] == b""
    assert running.returncode == 0


def test_join_rejects_invalid_links_and_players(server: Server, client: httpx.Client) -> None:
    seat, drops = created(client, **FIVE), created(client, shape=[6, 7], k=4, gravity=True)
    for address, engine, message in [
        ("http://127.0.0.1:1/g/a#b", "easy", "/api/games/a: Connection refused"),
        ("ftp://x/g/a", "easy", "'ftp://x/g/a' is not a link to a game, such as"),
        (server.url, "easy", "is not a link to a game, such as http://127.0.0.1:8000/g/ID#INVITE"),
        (f"{server.url}/g/missing#x", "easy", "noughts: the server refuses: "),
        (link(server, seat) + "x", "easy", "noughts: the server refuses: "),
        (link(server, seat), "/nowhere/x", "/nowhere/x: No such file or directory"),
        (link(server, drops), BRAIN, "the Gomocup protocol does not support"),
    ]:
        run = noughts("join", address, "--engine", engine)
        assert (run.exit_code, run.stdout) == (2, ""), address
        assert message in run.stderr
    assert not seat.state()["players"][1]["joined"]


def test_join_leaves_the_seat_when_an_engine_fails(
    server: Server, client: httpx.Client, tmp_path: Path
) -> None:
    bad = tmp_path / "bad"
    bad.write_text("#!/bin/sh\nread a; read b; echo OK; while read c; do echo 0,0; done\n")
    bad.chmod(0o755)
    seat = created(client, **FIVE)
    with started(NOUGHTS, "join", link(server, seat), "--engine", str(bad)) as running:
        until(seat, my_turn)
        seat.move(0, 0)
        _, complaints = running.communicate(timeout=SECONDS)
    assert running.returncode == 2
    assert b"O has stopped playing" in complaints
    assert complaints.endswith(b"bad played an illegal move: cell (0, 0) is already taken\n")


def test_retries_wait_increasingly_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    said: list[str] = []
    monkeypatch.setattr(remote_player, "sleep", waited.append)
    game = {"shape": [3, 3], "k": 3, "gravity": False, "variant": "freestyle"}
    seated = {"seats": [2], "token": "t", "game": game}
    answers = iter([OSError()] * 7 + [BytesIO(json.dumps(seated).encode())])

    def answer(*_: object, **__: object) -> BytesIO:
        if isinstance(found := next(answers), OSError):
            raise found
        return found

    monkeypatch.setattr(remote_player, "urlopen", answer)
    seat = remote_player.take_seat("http://server", None, "bot", "key", said.append)
    assert seat == remote_player.Seat("http://server", 2, Rules(), "t")
    assert waited == [1, 2, 4, 8, 16, 30, 30]
    assert said[-1] == "no connection; retrying in 30 s"
