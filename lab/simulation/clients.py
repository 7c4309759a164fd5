"""The clients of the simulated cluster: players at tables, and spectators.

As the page does, a client follows its game by an event stream, reconnects elsewhere with the id of
the last event, and retries a request under the same key until it is confirmed or rejected. Clients
also disconnect, let their clocks run out, read the state instead, and cheat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import count
from random import Random
from typing import Any, NamedTuple

import msgspec

from lab.faults.history import Record
from lab.simulation.cluster import Cluster, Server
from lab.simulation.network import Headers, Post, Reply, Request, Stream

SILENCE = 20.0  # seconds after which a stream is abandoned; heartbeats come every 15
PACE = 2.0, 40.0  # seconds until a player moves
CALM = 0.5, 3.0  # the same after the last fault
RESENT = 0.05  # chance that a confirmed request is sent once more
OPEN = {"waiting", "playing"}
SHOWN = "seq", "moves", "status"
KINDS: list[dict[str, Any]] = [
    {"shape": [6, 6], "k": 4, "opponent": "friend"},
    {"shape": [6, 6], "k": 4, "opponent": "friend", "clock": {"seconds": 300, "increment": 5}},
    {"shape": [9, 9], "k": 5, "opponent": "friend", "clock": {"seconds": 60}},
    {"shape": [3, 3], "k": 3, "opponent": "friend", "listed": True},
    {"shape": [9, 9], "k": 5, "opponent": "self"},
    {"shape": [7, 6], "k": 4, "gravity": True, "opponent": "friend"},
    {"shape": [6, 6], "k": 4, "opponent": "computer", "level": "easy"},
    {"shape": [9, 9], "k": 5, "opponent": "friend"},
]
"""The games of the tables, in turn."""


class Seat(NamedTuple):
    """A place in a game, as its holder knows it."""

    game: str
    token: str
    seats: tuple[int, ...]


class Place:
    """All clients.

    Args:
        cluster: The servers that they use.
        history: What they record: `lab.faults.history`.
        seed: What decides all that they do.
    """

    def __init__(self, cluster: Cluster, history: Any, seed: str) -> None:
        self.cluster = cluster
        self.loop = cluster.loop
        self.history = history
        self.seed = seed
        self.pace = PACE
        self.ending = False
        self.requests, self.streams = count(1), count(1)  # their numbers
        self.pauses: dict[asyncio.Future[None], None] = {}  # that end early when all is calm
        self.watchers: dict[Watcher, None] = {}  # that have a stream

    def calm(self) -> None:
        """Make everybody go on quickly."""
        self.pace = CALM
        for pause in [*self.pauses]:
            _finish(pause)


class Client:
    """A browser: its address, and the server that it uses."""

    def __init__(self, place: Place, name: str, server: Server) -> None:
        self.place = place
        self.name = name
        self.dice = dice = Random(f"{place.seed} {name}")
        self._address = f"10.{dice.randrange(256)}.{dice.randrange(256)}.{dice.randrange(1, 255)}"
        self._server = server

    def key(self) -> str:
        """Return a new idempotency key."""
        return f"{self.dice.getrandbits(128):032x}"

    def elsewhere(self) -> Server:
        """Switch to another server."""
        others = [each for each in self.place.cluster.servers if each is not self._server]
        self._server = self.dice.choice(others)
        return self._server

    async def pause(self, seconds: float) -> None:
        """Wait, unless all are to go on."""
        place, over = self.place, self.place.loop.create_future()
        timer = place.loop.bring(place.loop.time() + seconds, None, _finish, over)
        place.pauses[over] = None
        await over
        timer.cancel()
        del place.pauses[over]

    async def think(self) -> None:
        """Wait for as long as a player needs."""
        await self.pause(self.dice.uniform(*self.place.pace))

    async def insist(
        self,
        path: str,
        body: Record,
        seat: Seat | None = None,
        *,
        cheats: bool = False,
        tries: float = float("inf"),
    ) -> tuple[int, Any]:
        """Send a request until it is confirmed or rejected; sometimes send it once more."""
        request, status, answer = next(self.place.requests), 0, None
        seats = seat.seats if seat else None
        while tries > 0 and not 0 < status < 500:
            tries -= 1
            status, answer = await self._ask(request, path, body, seat, seats, cheats)
        if 0 < status < 300 and self.dice.random() < RESENT:
            self.elsewhere()
            again, other = await self._ask(request, path, body, seat, seats, cheats)
            status, answer = (again, other) if again and again < 300 else (status, answer)
        return status, answer

    async def _ask(
        self,
        request: int,
        path: str,
        body: Record,
        seat: Seat | None,
        seats: tuple[int, ...] | None,
        cheats: bool,
    ) -> tuple[int, Any]:
        """Return the status and the body of one attempt's response; 0 and None without one."""
        write, server = self.place.history.write, self._server.name
        player = self.name.partition(",")[0]  # all at a table: one may be waiting for the other
        asked = {"request": request, "player": player, "server": server, "path": path}
        write("asked", **asked, body=body, seats=seats, cheats=cheats)
        reply = await self.send("POST", path, seat, msgspec.json.encode(body))
        if reply is None:
            write("answered", request=request, failed=True)
            self.elsewhere()
            await asyncio.sleep(0.2)
            return 0, None
        answer = msgspec.json.decode(reply.body)
        retry = next((value for name, value in reply.headers if name == b"retry-after"), None)
        kept = {name: answer[name] for name in ("seq", "id", "code") if name in answer}
        write("answered", request=request, status=reply.status, retry=retry, body=kept)
        if reply.status >= 500:
            self.elsewhere()
            await asyncio.sleep(min(float(retry or 1), 2))
        return reply.status, answer

    def send(
        self, method: str, path: str, seat: Seat | None, body: bytes = b""
    ) -> asyncio.Future[Reply | None]:
        """Send a request once; the result is the response, or None without one."""
        network, loop = self.place.cluster.network, self.place.loop
        headers = self._headers(seat) if seat else [(b"host", b"localhost")]
        if method == "POST":
            headers.append((b"content-type", b"application/json"))
        request = Request(method, path, headers, body, self._address)
        if network.repeated and self.dice.random() < network.repeated:
            Post(loop, network, self._server, request, self.dice)
        return Post(loop, network, self._server, request, self.dice).reply

    @staticmethod
    def _headers(seat: Seat) -> Headers:
        return [(b"host", b"localhost"), (b"authorization", f"Bearer {seat.token}".encode())]


class Watcher(Client):
    """A client that follows a game by its event stream, and knows what that has shown."""

    def __init__(self, place: Place, name: str, server: Server) -> None:
        super().__init__(place, name, server)
        self.seat: Seat | None = None
        self.game = ""
        self.state: Record | None = None  # as last known
        self.connected = 0.0  # since when the stream has brought something
        self.number = 0  # of the stream
        self._stream: Stream | None = None
        self._rest = b""  # of an event that has not arrived as a whole
        self._heard = 0.0  # when something arrived last
        self._attempt = 0
        self._waiting: asyncio.Future[None] | None = None  # for an event

    def follow(self, game: str, seat: Seat | None) -> None:
        """Follow another game from its beginning."""
        self.leave()
        self.game, self.seat, self.state = game, seat, None
        self.number = next(self.place.streams)
        self.connect()

    def leave(self) -> None:
        """Close the stream."""
        self._attempt += 1
        self.place.watchers.pop(self, None)
        if self._stream:
            self._stream.leave()
            self._stream = None

    def connect(self) -> None:
        """Open the stream, after the last event that is known."""
        place, network = self.place, self.place.cluster.network
        self._attempt += 1
        self._rest, self.connected = b"", float("inf")
        server = self.elsewhere() if self.dice.random() < 0.1 else self._server
        headers = self._headers(self.seat) if self.seat else [(b"host", b"localhost")]
        known = self.state["seq"] if self.state else None
        if known is not None:
            headers.append((b"last-event-id", b"%d" % known))
        path = f"/api/games/{self.game}/events"
        request = Request("GET", path, headers, b"", self._address)
        watched = {"stream": self.number, "game": self.game, "server": server.name}
        place.history.write("watched", **watched, after=known)
        ended = partial(self._reconnect, self._attempt)
        self._stream = Stream(place.loop, network, server, request, self.dice, self._hear, ended)
        self._heard = place.loop.time()
        place.loop.bring(self._heard + SILENCE, None, self._check, self._attempt)
        place.watchers[self] = None

    def _check(self, attempt: int) -> None:
        """Abandon a stream that has been silent for too long."""
        if attempt == self._attempt:
            silent = self._heard + SILENCE
            if silent <= self.place.loop.time():
                self._reconnect(attempt)
            else:
                self.place.loop.bring(silent, None, self._check, attempt)

    def _reconnect(self, attempt: int, _: object = None) -> None:
        if attempt == self._attempt:
            self.leave()
            if not self.place.ending:
                self.elsewhere()
                later = self.place.loop.time() + self.dice.uniform(0.1, 2)
                self.place.loop.bring(later, None, self._connect_again, self._attempt)

    def _connect_again(self, attempt: int) -> None:
        if attempt == self._attempt:
            self.connect()

    def _hear(self, part: bytes) -> None:
        """Take in a part of the stream."""
        self._heard = now = self.place.loop.time()
        self.connected = min(self.connected, now)
        *events, self._rest = (self._rest + part).split(b"\n\n")
        for event in events:
            kind, _, rest = event.partition(b"\n")
            if rest.startswith(b"id: "):
                id, _, data = rest.partition(b"\n")
                self._learn(kind[7:].decode(), int(id[4:]), msgspec.json.decode(data[6:]))

    def _learn(self, kind: str, seq: int, data: Record) -> None:
        self.place.history.write(
            "shown", stream=self.number, game=self.game, id=seq, kind=kind, data=data
        )
        if kind == "state":
            self.state = data
        elif self.state is not None and seq > self.state["seq"]:
            moves = self.state["moves"]
            if kind == "move":
                moves.append(data["cell"])
            elif kind == "takeback":
                del moves[data["ply"] :]
            self.state = self.state | data | {"moves": moves}
        if self._waiting:
            _finish(self._waiting)

    async def news(self, seconds: float) -> None:
        """Wait for an event, but not for longer than this."""
        self._waiting = self.place.loop.create_future()
        timer = self.place.loop.bring(
            self.place.loop.time() + seconds, None, _finish, self._waiting
        )
        self.place.pauses[self._waiting] = None
        await self._waiting
        timer.cancel()
        del self.place.pauses[self._waiting]
        self._waiting = None

    async def read(self) -> None:
        """Read the state of the game instead."""
        place, server = self.place, self._server.name
        asked = place.loop.time()
        reply = await self.send("GET", f"/api/games/{self.game}", self.seat)
        if reply is None or reply.status != 200:
            self.elsewhere()
            return
        state = msgspec.json.decode(reply.body)
        shown = {name: state[name] for name in SHOWN}
        place.history.write("read", game=self.game, asked=asked, server=server, state=shown)
        if self.state is None or state["seq"] > self.state["seq"]:  # the stream may be dead
            self.state = state

    async def look_in(self, games: Callable[[], str | None]) -> None:
        """Watch one game after another, for a while each."""
        while not self.place.ending:
            if game := games():
                self.follow(game, None)
            await self.pause(self.dice.uniform(30, 400))
            if self.dice.random() < 0.5:
                self.leave()
                await asyncio.sleep(self.dice.uniform(1, 30))


class Player(Watcher):
    """A client with a seat."""

    def __init__(self, place: Place, name: str, server: Server) -> None:
        super().__init__(place, name, server)
        self._old_token = self.key()[:32]  # of another game
        self._sent: Record | None = None  # the last move that was confirmed in this game

    async def play(self, seat: Seat) -> None:
        """Play until the game is over or the run ends."""
        self._sent = None
        self.follow(seat.game, seat)
        while not self.place.ending:
            await self.think()
            while (self.state is None or self._waits()) and not self.place.ending:
                calm = self.place.pace is CALM  # then everybody looks, even if a stream is dead
                patience = self.dice.uniform(*CALM) if calm else self.dice.uniform(1, 4) * PACE[1]
                await self.news(patience)
                if self.state is None or calm or self.dice.random() < 0.1:
                    await self.read()
            if self.state is None or self.place.ending:
                continue
            if self.state["status"] not in OPEN:
                if self.dice.random() < 0.1:
                    await self._try(seat, self.state, {"cell": [0, 0]})
                break
            await self._do_something(seat, self.state)
        self._old_token = seat.token
        if not self.place.ending:
            self.leave()

    def _waits(self) -> bool:
        """Return whether there is nothing for this player to do."""
        state, seat = self.state, self.seat
        assert state
        assert seat
        return (
            state["status"] in OPEN
            and state["turn"] not in seat.seats
            and not self._offered(state, seat)
            and self.dice.random() > 0.05
        )

    @staticmethod
    def _offered(state: Record, seat: Seat) -> str | None:
        for offered, what in ("offer", "takeback"), ("draw", "draw"):
            if len(seat.seats) == 1 and state[offered] == 3 - seat.seats[0]:
                return what
        return None

    async def _do_something(self, seat: Seat, state: Record) -> None:
        chance = self.dice.random()
        calm = self.place.pace is CALM
        if chance < 0.01 and not calm:
            await self._go_away()
        elif chance < 0.03:
            await self._cheat(seat, state)
        elif wish := self._wish(seat, state):
            what, body = wish
            body |= {"seq": state["seq"], "key": self.key()}
            status, _ = await self.insist(f"/api/games/{seat.game}/{what}", body, seat)
            if status >= 400:
                await self.read()
            elif what == "moves":
                self._sent = body

    async def _go_away(self) -> None:
        """Close the page for a while, perhaps until the time is up."""
        self.leave()
        await self.pause(self.dice.choice([5, 30, 120]))
        self.connect()

    def _wish(self, seat: Seat, state: Record) -> tuple[str, Record] | None:
        """Choose an action for this state, sometimes an unusual one; None to wait."""
        chance = self.dice.random()
        if what := self._offered(state, seat):
            return what, {"accept": what == "takeback" or chance < 0.3}
        if state["status"] == "waiting":
            return ("abort", {}) if chance < 0.05 else None
        if chance < 0.01:
            return "reaction", {"reaction": "👏"}
        if state["turn"] not in seat.seats and chance > 0.05:
            return None
        if chance < 0.04 and state["moves"]:
            return "takeback", {"accept": True}
        if chance < 0.05 and state["opponent"] == "friend":
            return "draw", {"accept": True}
        if chance < 0.052:
            return "resign", {}
        return "moves", {"cell": self._cell(state)}

    def _cell(self, state: Record) -> list[int]:
        """Return a free cell that is legal also with gravity."""
        rows, columns = state["shape"]
        taken = {(row, col) for row, col in state["moves"]}
        free = [(r, c) for r in range(rows) for c in range(columns) if (r, c) not in taken]
        if state["gravity"]:
            free = [(r, c) for r, c in free if r == rows - 1 or (r + 1, c) in taken]
        return [*self.dice.choice(free)] if free else [0, 0]

    async def _cheat(self, seat: Seat, state: Record) -> None:
        """Try something that must be rejected."""
        body: Record = {"cell": self._cell(state)}
        trick = self.dice.choice(["taken", "turn", "token", "stale", "future", "key"])
        if trick == "taken" and state["moves"]:
            body["cell"] = self.dice.choice(state["moves"])
        elif trick == "token":
            seat = seat._replace(token=self._old_token)
        elif trick == "stale" and state["seq"] > 4:
            body["seq"] = state["seq"] - 3
        elif trick == "future":
            body["seq"] = state["seq"] + 50
        elif trick == "key" and self._sent and self._sent["cell"] != body["cell"]:
            body["key"] = self._sent["key"]
        elif trick != "turn" or state["turn"] != 3 - seat.seats[0] or len(seat.seats) == 2:
            return
        await self._try(seat, state, body)

    async def _try(self, seat: Seat, state: Record, body: Record) -> None:
        """Send a move that must be rejected."""
        body = {"seq": state["seq"], "key": self.key()} | body
        path = f"/api/games/{seat.game}/moves"
        await self.insist(path, body, seat, cheats=True, tries=1)


class Table:
    """A table at which one game is played after another."""

    def __init__(self, place: Place, number: int) -> None:
        self._place = place
        self._wish = KINDS[number % len(KINDS)]
        servers = place.cluster.servers  # mostly a game's clients reach the same one, as by a proxy
        home, other = servers[number % len(servers)], servers[(number + 1) % len(servers)]
        self._one = Player(place, f"table {number}, first", home)
        self._two = Player(place, f"table {number}, second", home if number % 4 else other)
        self._spectator = Watcher(place, f"table {number}, spectator", other)
        self._has_spectator = number % 3 == 0
        self._game: str | None = None

    async def play(self) -> None:
        """Play until the run ends."""
        loop = self._place.loop
        await asyncio.sleep(self._one.dice.uniform(0, 20))
        if self._has_spectator:
            loop.create_task(self._spectator.look_in(lambda: self._game))
        while not self._place.ending:
            seats = await self._create()
            while seats and not self._place.ending:
                await self._play(*seats)
                seats = await self._again(*seats)

    async def _create(self) -> tuple[Seat, Seat] | None:
        """Create a game, and let the other player join it."""
        body = self._wish | {"key": self._one.key()}
        status, made = await self._one.insist("/api/games", body)
        if status >= 300:
            return None
        first = Seat(made["id"], made["token"], tuple(made["seats"]))
        if self._wish["opponent"] != "friend":
            self._game = first.game
            return first, first
        if self._one.dice.random() < 0.03:
            body = {"seq": 0, "key": self._one.key()}
            await self._one.insist(f"/api/games/{first.game}/abort", body, first)
            return None
        self._game = first.game
        body = {"invite": made["invite"], "key": self._two.key()}
        if self._wish.get("listed"):
            del body["invite"]
        status, joined = await self._two.insist(f"/api/games/{first.game}/join", body)
        if status >= 300:
            return None
        return first, Seat(first.game, joined["token"], tuple(joined["seats"]))

    async def _play(self, first: Seat, second: Seat) -> None:
        tasks = [self._place.loop.create_task(self._one.play(first))]
        if self._wish["opponent"] == "friend":
            tasks.append(self._place.loop.create_task(self._two.play(second)))
        await asyncio.gather(*tasks)

    async def _again(self, first: Seat, second: Seat) -> tuple[Seat, Seat] | None:
        """Sometimes play a rematch."""
        if self._one.dice.random() < 0.7 or self._place.ending:
            return None
        seats = []
        for player, seat in ((self._one, first), (self._two, second)):
            status, made = await player.insist(f"/api/games/{seat.game}/rematch", {}, seat)
            if status >= 300:
                return None
            seats.append(Seat(made["id"], made["token"], tuple(made["seats"])))
            if self._wish["opponent"] != "friend":
                break
        self._game = seats[0].game
        return seats[0], seats[-1]


def _finish(pause: asyncio.Future[None]) -> None:
    if not pause.done():
        pause.set_result(None)
