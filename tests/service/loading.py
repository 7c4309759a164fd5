"""A load on a server that may be killed, and a check that all confirmed moves are stored."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Event as Flag
from threading import Semaphore
from typing import Self

import httpx

from service.serving import Seat, Served, created, speaking_to

LARGE = {"shape": [100, 100], "k": 100, "opponent": "self"}


class Load:
    """Players who move without pause, each in their own game, and retry failed requests.

    Move number n of each player has seq n + 1, however often it is sent.

    Attributes:
        confirmed: The number of confirmed moves by game.
        failed: The errors of requests that had to be sent again.
    """

    def __init__(self, server: Served, players: int) -> None:
        self._server = server
        self._news = Semaphore(0)
        self._ending = Flag()
        self._threads = ThreadPoolExecutor(players)
        with speaking_to(server) as client:
            games = [created(client, **LARGE) for _ in range(players)]
        self.confirmed = Counter({game.id: 0 for game in games})
        self.failed: list[str] = []
        self._done = [self._threads.submit(self._play, game) for game in games]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._finish()

    def wait_for(self, moves: int) -> None:
        """Wait until this many more moves are confirmed."""
        for _ in range(moves):
            while not self._news.acquire(timeout=1):
                self._raise()

    def end(self) -> None:
        """Let the players finish their moves."""
        self._finish()
        self._raise()

    def _finish(self) -> None:
        self._ending.set()
        self._threads.shutdown()

    def _raise(self) -> None:
        for done in self._done:
            if done.done():
                done.result()

    def _play(self, game: Seat) -> None:
        with speaking_to(self._server) as client:
            player = Seat(client, game.id, game.token)
            for number in count():
                answer = self._insist(player, number)
                if answer is None:
                    return
                assert answer.status_code in {200, 201}, answer.text
                assert answer.json()["seq"] == number + 1
                self.confirmed[game.id] += 1
                self._news.release()

    def _insist(self, player: Seat, number: int) -> httpx.Response | None:
        """Send a move under the same key until there is an answer; return it."""
        while not self._ending.is_set():
            try:
                answer = player.move(*divmod(number, 100), seq=number, key=str(number))
                if answer.status_code != 503:
                    return answer
                self.failed.append(answer.text)
            except httpx.TransportError as error:
                self.failed.append(repr(error))
            self._ending.wait(0.02)
        return None


def check(server: Served, load: Load) -> None:
    """Check that every confirmed move is stored once and in order."""
    with speaking_to(server) as client:
        for id, confirmed in load.confirmed.items():
            state = Seat(client, id).state()
            assert confirmed <= state["seq"] <= confirmed + 1  # the answer to one may be lost
            assert state["moves"] == [list(divmod(n, 100)) for n in range(state["seq"])]
