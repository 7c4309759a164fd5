"""Events as large as the board, endless games and readers that start from scratch."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import chain
from pathlib import Path
from time import perf_counter, sleep

import httpx
import pytest

from noughts import Rules
from noughts.service.play.events import Change, Event, NewGame, Seats, digest, now
from noughts.service.play.state import ANSWERS, State
from noughts.service.store.dialects import store_at
from service.serving import Seat, Server, code, created, followed, serving, speaking_to

SIDE, K, CENTRE = 99, 50, 49 * 99 + 49
WINS = 150
TOKEN = "token"


def star() -> list[int]:
    """Return moves after which the centre completes 50 lines in each of four directions."""
    arms = [(step * row, step * col) for row, col in ((0, 1), (1, 0), (1, 1), (1, -1))
            for step in range(-49, 50) if step]  # fmt: skip
    own = [CENTRE + row * SIDE + col for row, col in arms]
    taken = {*own, CENTRE}
    free = [cell for cell in range(SIDE**2) if cell not in taken][:: SIDE // 8]
    return list(chain.from_iterable(zip(own, free, strict=False)))


def vast() -> tuple[NewGame, list[Event]]:
    """Return a game in which the same move wins again and again."""
    game = NewGame("vast", Rules((SIDE, SIDE), K), "self", None, 1, None, False, None, now())
    events = [Event("vast", seq, "move", 2 - seq % 2, f"{seq}", now(), cell)
              for seq, cell in enumerate(star(), start=1)]  # fmt: skip
    ply = len(events)
    for seq in range(ply + 1, ply + 2 * WINS, 2):
        events.append(Event("vast", seq, "move", 1, f"{seq}", now(), CENTRE))
        events.append(Event("vast", seq + 1, "takeback", 1, f"{seq + 1}", now(), ply=ply))
    return game, events


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    url = f"sqlite:///{tmp_path_factory.mktemp('events')}/noughts.db"
    with closing(store_at(url)) as store:
        store.open()
        game, events = vast()
        store.commit([Change(game=game, seats=(Seats(digest(TOKEN), "vast", (1, 2)),))])
        store.commit([Change(event) for event in events])
    with serving(url) as server:
        yield server


@pytest.fixture
def crowd(crowded: Server) -> Iterator[httpx.Client]:
    with speaking_to(crowded) as client:
        yield client


def memory(server: Server) -> int:
    """Return the peak memory of the server process in MB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) // 1024


@pytest.mark.tier2("load")
def test_taken_back_wins_use_no_memory(crowded: Server, crowd: httpx.Client) -> None:
    seat = Seat(crowd, "vast", TOKEN)
    seq = seat.state()["seq"]

    def win_and_take_back(times: int) -> None:
        nonlocal seq
        for _ in range(times):
            assert seat.move(49, 49, seq=seq).json()["status"] == "won"
            assert seat.act("takeback", seq=seq + 1, accept=True).status_code == 201
            seq += 2

    win_and_take_back(10)
    before = memory(crowded)
    win_and_take_back(120)  # 10 MB of events
    assert memory(crowded) - before < 5


@pytest.mark.tier2("load")
def test_new_reader_receives_every_event_in_order(crowded: Server, crowd: httpx.Client) -> None:
    game, _ = vast()
    seat = Seat(crowd, "vast", TOKEN)
    state = seat.state()
    wins = (state["seq"] - len(star())) // 2
    assert wins >= WINS
    before = State(game).standing() | {"moves": [], "players": state["players"]}
    seen, lines = {**state, **before, "seq": 0}, 0
    with seat.events(after=0) as events:
        while seen["seq"] < state["seq"]:
            event = next(events)
            assert event.seq == event.data["seq"] == seen["seq"] + 1
            seen = followed(seen, event.data)
            lines += len(event.data["lines"])
    assert seen == state
    assert lines == wins * 200
    for after in (1, len(star()), state["seq"] - 1):
        with seat.events(after=after) as events:
            assert next(events).seq == after + 1
    assert memory(crowded) < 200


@pytest.mark.tier2("load")
def test_unread_streams_use_little_memory(crowded: Server, crowd: httpx.Client) -> None:
    other = created(crowd, opponent="self")
    with ExitStack() as stack:
        for _ in range(200):
            sock = stack.enter_context(socket.create_connection(("127.0.0.1", crowded.port)))
            sock.sendall(
                b"GET /api/games/vast/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                b"Last-Event-ID: %d\r\n\r\n" % len(star())
            )
        slowest = 0.0
        for _ in range(50):
            start = perf_counter()
            other.state()
            slowest = max(slowest, perf_counter() - start)
            sleep(0.1)
        assert slowest < 1
    assert memory(crowded) < 200


def test_latest_keys_are_remembered_and_older_requests_never_repeated(
    client: httpx.Client,
) -> None:
    seat = created(client, opponent="self")
    keys = [f"key-{number}" for number in range(ANSWERS + 10)]
    for seq, key in enumerate(keys):
        what = {"accept": True} if seq % 2 else {"cell": [0, 0]}
        answer = seat.post("takeback" if seq % 2 else "moves", seq=seq, key=key, **what)
        assert answer.status_code == 201
    last = len(keys) - 2
    again = seat.post("moves", seq=last, key=keys[last], cell=[0, 0])
    assert (again.status_code, again.json()["seq"]) == (200, last + 1)
    assert code(seat.post("moves", seq=0, key=keys[0], cell=[0, 0])) == "stale"
    assert seat.state()["seq"] == len(keys)
