"""Hundreds of pictures at once do not delay players."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

import httpx
import pytest

from service.serving import FROZEN, Server, code, created, serving, speaking_to


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    database = f"sqlite:///{tmp_path_factory.mktemp('pictures')}/noughts.db"
    options = "--proxy=127.0.0.1", "--render-limit=3"
    with serving(database, *options, before=FROZEN) as server:
        yield server


@pytest.mark.parametrize("what", ["json", "txt", "svg", "png"])
def test_pictures_are_limited_per_address(limited: Server, what: str) -> None:
    address = f"203.0.113.{10 + len(what) * ord(what[0]) % 200}"
    with _from(address, limited) as client:
        game = created(client, opponent="self")

        def ask() -> httpx.Response:
            return client.get(f"/api/games/{game.id}/record.{what}")

        assert [ask().status_code for _ in range(3)] == [200] * 3
        refused = ask()
        assert (code(refused), refused.headers["retry-after"]) == ("too_many", "20")
        assert game.move(0, 0).status_code == 201


@pytest.mark.tier2("load")
def test_pictures_delay_neither_moves_nor_other_clients(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path}/noughts.db", "--proxy=127.0.0.1") as server:
        greedy = _from("203.0.113.1", server)
        with _from("203.0.113.2", server) as client, greedy, ThreadPoolExecutor(40) as threads:
            game = created(client, shape=[60, 60], k=5, opponent="self")
            picture = f"/api/games/{game.id}/record.png"
            asked = [threads.submit(greedy.get, picture) for _ in range(60)]
            while not any(answer.done() for answer in asked):
                pass
            slowest = 0.0
            for cell in range(6):
                start = perf_counter()
                assert game.move(*divmod(cell, 3)).status_code == 201
                slowest = max(slowest, perf_counter() - start)
                if not cell:  # it did not wait for them
                    assert sum(not answer.done() for answer in asked) > 10
            assert client.get(f"/api/games/{game.id}/record.txt").status_code == 200
            assert slowest < 1
            for answer in asked:
                answer.cancel()


def _from(address: str, server: Server) -> httpx.Client:
    return speaking_to(server, headers={"X-Forwarded-For": address})
