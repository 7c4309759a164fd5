"""Players over HTTP, who retry under the same key until they succeed, and record everything."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from itertools import count
from random import Random
from time import monotonic
from typing import Any, NamedTuple

import httpx

from lab.faults.history import History

TIMEOUT = httpx.Timeout(7.0, connect=2.0)  # the server responds within six, if it can
SILENCE = 20.0  # seconds after which a stream is abandoned; heartbeats come every 15
PACE = 0.2, 0.6  # seconds between two actions of a player
OPEN = {"waiting", "playing"}
GAMES: list[dict[str, Any]] = [
    {"shape": [6, 6], "k": 4, "opponent": "friend"},
    {"shape": [6, 6], "k": 4, "opponent": "friend", "clock": {"seconds": 120, "increment": 2}},
    {"shape": [9, 9], "k": 5, "opponent": "self"},
    {"shape": [6, 6], "k": 4, "opponent": "computer", "level": "easy"},
]


class Seat(NamedTuple):
    """A seat in a game."""

    game: str
    token: str


class Place:
    """State shared by all players: servers, history, and the time of each player's last success.

    Args:
        urls: The URLs of the servers.
        history: What is recorded.
        dice: What decides everything that players choose.
        games: The game of each table.
    """

    def __init__(
        self,
        urls: list[str],
        history: History,
        dice: Random,
        games: list[dict[str, Any]] = GAMES,
    ) -> None:
        self.urls = urls
        self.history = history
        self.dice = dice
        self.pace: tuple[float, float] = PACE
        self._games = games
        self.ending = asyncio.Event()
        self.requests, self.streams = count(1), count(1)  # their numbers
        self.through: dict[str, float] = {}  # by player: the time of the last confirmation

    async def play(self) -> None:
        """Play at every table until the run ends."""
        async with asyncio.TaskGroup() as group:
            for number, wish in enumerate(self._games):
                group.create_task(self._table(f"table {number + 1}", wish))

    async def _table(self, name: str, wish: dict[str, Any]) -> None:
        """Play one game after another at a table; a player without opponent has two pages open.

        Each player has a client of its own: one that shared its cookie would hold both seats.
        """
        settings: dict[str, Any] = {"timeout": TIMEOUT, "verify": False}
        async with httpx.AsyncClient(**settings) as at_one, httpx.AsyncClient(**settings) as at_two:
            one = Player(self, at_one, f"{name}, first")
            two = Player(self, at_two, f"{name}, second")
            while not self.ending.is_set():
                key = f"{self.dice.getrandbits(128):032x}"
                made = (await one.insist("/api/games", {**wish, "key": key}))[1]
                first = second = Seat(made["id"], made["token"])
                if made["invite"]:
                    body = {"invite": made["invite"], "key": one.key()}
                    status, joined = await two.insist(f"/api/games/{first.game}/join", body)
                    if status >= 300:  # the game is missing; the checker will report it
                        await asyncio.sleep(self.dice.uniform(*self.pace))
                        continue
                    second = Seat(made["id"], joined["token"])
                watching = [asyncio.create_task(player.watch(first.game)) for player in (one, two)]
                sides = [one.play(first)]
                sides += [two.play(second)] if wish["opponent"] != "computer" else []
                await asyncio.gather(*sides)
                for watch in watching:
                    watch.cancel()
                await asyncio.gather(*watching, return_exceptions=True)


class Player:
    """A player, who uses any server that responds."""

    def __init__(self, place: Place, client: httpx.AsyncClient, name: str) -> None:
        self._place, self._client, self._name = place, client, name
        self._write, self._dice = place.history.write, place.dice
        self._url = self._dice.choice(place.urls)

    def key(self) -> str:
        """Return a new idempotency key."""
        return f"{self._dice.getrandbits(64):016x}"

    async def play(self, seat: Seat) -> None:
        """Play until the game is over or the run ends."""
        while not self._place.ending.is_set():
            await asyncio.sleep(self._dice.uniform(*self._place.pace))
            state = await self._look(seat)
            if state is None:
                continue
            if state["status"] not in OPEN:
                return
            if wish := self._wish(state):
                what, body = wish
                body |= {"seq": state["seq"], "key": self.key()}
                await self.insist(f"/api/games/{seat.game}/{what}", body, seat.token)

    async def insist(
        self, path: str, body: dict[str, Any], token: str | None = None
    ) -> tuple[int, Any]:
        """Send a request until it is confirmed or rejected; sometimes send it once more."""
        request = next(self._place.requests)
        while True:
            status, answer = await self._ask(request, path, body, token)
            if 0 < status < 500:
                break
        if status < 300:
            self._place.through[self._name] = monotonic()
            if self._dice.random() < 0.15:
                self._elsewhere()
                await self._ask(request, path, body, token)
        return status, answer

    async def _ask(
        self, request: int, path: str, body: dict[str, Any], token: str | None
    ) -> tuple[int, Any]:
        """Return the status and the body of one attempt's response; 0 and None without one."""
        asked = {"request": request, "player": self._name, "server": self._url, "path": path}
        self._write("asked", **asked, body=body)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            got = await self._client.post(self._url + path, json=body, headers=headers)
            answer = got.json()
        except (httpx.HTTPError, ValueError) as error:
            self._write("answered", request=request, failed=repr(error))
            self._elsewhere()
            await asyncio.sleep(0.2)
            return 0, None
        retry = got.headers.get("retry-after")
        self._write("answered", request=request, status=got.status_code, retry=retry, body=answer)
        if got.status_code >= 500:
            self._elsewhere()
            await asyncio.sleep(min(float(retry or 1), 2))
        return got.status_code, answer

    async def _look(self, seat: Seat) -> dict[str, Any] | None:
        """Return the state of the game; None without a response."""
        asked = round(monotonic(), 6)
        if self._dice.random() < 0.05:
            self._elsewhere()
        try:
            headers = {"Authorization": f"Bearer {seat.token}"}
            got = await self._client.get(f"{self._url}/api/games/{seat.game}", headers=headers)
            got.raise_for_status()
            state: dict[str, Any] = got.json()
        except (httpx.HTTPError, ValueError):
            self._elsewhere()
            return None
        shown = {name: state[name] for name in ("seq", "moves", "status")}
        self._write("read", game=seat.game, asked=asked, server=self._url, state=shown)
        return state

    def _wish(self, state: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
        """Choose an action for this state, sometimes an unusual one; None to wait."""
        seats, chance = state["seats"], self._dice.random()
        for offered, what in ("offer", "takeback"), ("draw", "draw"):
            if len(seats) == 1 and state[offered] == 3 - seats[0]:
                return what, {"accept": what == "takeback" or chance < 0.3}
        if state["turn"] not in seats and chance > 0.02:
            return None
        if chance < 0.06 and state["moves"]:
            return "takeback", {"accept": True}
        if chance < 0.08 and state["opponent"] == "friend":
            return "draw", {"accept": True}
        if chance < 0.09:
            return "reaction", {"reaction": "👏"}
        if chance < 0.095:
            return "resign", {}
        rows, cols = state["shape"]
        cells = [[row, col] for row in range(rows) for col in range(cols)]
        return "moves", {"cell": self._dice.choice([c for c in cells if c not in state["moves"]])}

    async def watch(self, game: str) -> None:
        """Follow the game's events like a browser, until cancelled."""
        stream, known, url = next(self._place.streams), None, self._dice.choice(self._place.urls)
        while True:
            headers: dict[str, str] = {} if known is None else {"Last-Event-ID": str(known)}
            self._write("watched", stream=stream, game=game, server=url, after=known)
            with suppress(httpx.HTTPError):
                limits = httpx.Timeout(SILENCE, connect=2.0)
                path = f"{url}/api/games/{game}/events"
                async with self._client.stream("GET", path, headers=headers, timeout=limits) as got:
                    fields: dict[str, str] = {}
                    async for line in got.aiter_lines():
                        name, _, value = line.partition(": ")
                        if line:
                            fields[name] = value
                            continue
                        if "id" in fields:
                            known, kind = int(fields["id"]), fields["event"]
                            data = json.loads(fields["data"])
                            self._write(
                                "shown", stream=stream, game=game, id=known, kind=kind, data=data
                            )
                        fields = {}
            url = self._dice.choice(self._place.urls)
            await asyncio.sleep(0.5)

    def _elsewhere(self) -> None:
        """Switch to another server."""
        others = [url for url in self._place.urls if url != self._url]
        self._url = self._dice.choice(others or [self._url])
