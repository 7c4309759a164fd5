"""The network between clients and servers: it delays, loses, doubles and cuts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, MutableMapping
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from lab.simulation.loop import VirtualLoop

if TYPE_CHECKING:
    from lab.simulation.cluster import Process, Server

CLIENTS = "clients"  # where all players are, as far as cuts are concerned
PATIENCE = 7.0  # seconds until a client gives a request up; a server answers within six, if it can
Message = MutableMapping[str, Any]
Headers = list[tuple[bytes, bytes]]


class Network:
    """How messages travel now; faults change it for a while.

    Attributes:
        delay: Mean seconds of a message's way.
        lost_before, lost_after: Chances that a call of a database fails before or after it takes
            effect.
        unanswered: The chance that a response to a client is lost.
        repeated: The chance that a request arrives twice, as some proxies try again.
        dropped, doubled: Chances that a notification is lost, or arrives twice.
        shuffled: Whether notifications may overtake each other.
        cut: Pairs of names between which nothing passes.
        streams: Event streams that are open.
    """

    def __init__(self) -> None:
        self.delay = 0.002
        self.lost_before = self.lost_after = 0.0
        self.unanswered = self.repeated = 0.0
        self.dropped = self.doubled = 0.0
        self.shuffled = False
        self.cut: set[tuple[str, str]] = set()
        self.streams: dict[Stream, None] = {}

    def latency(self, dice: Random) -> float:
        """Return the seconds that a message takes."""
        return dice.random() * 2 * self.delay


class Request(NamedTuple):
    """A request of a client."""

    method: str
    path: str
    headers: Headers
    body: bytes
    address: str  # of the client


class Reply(NamedTuple):
    """A complete response."""

    status: int
    headers: Headers
    body: bytes


class Exchange:
    """A request on its way to a server, and the response on its way back.

    Args:
        loop, network: In which it travels.
        server: To which it is sent.
        request: What is sent.
        dice: Decide how long it takes and what gets lost.
    """

    def __init__(
        self, loop: VirtualLoop, network: Network, server: Server, request: Request, dice: Random
    ) -> None:
        self._loop = loop
        self._network = network
        self._server = server
        self._request = request
        self._dice = dice
        self._process: Process | None = None  # that handles it
        self._read = False  # whether the process has read the request
        self._left: asyncio.Future[None] | None = None  # on which the process waits for our end
        self._ended = False  # for the client
        self._broken = False  # a connection that has lost a part brings nothing after it
        self._last = 0.0  # when the latest part arrives: none overtakes another
        self._status = 0
        self._headers: Headers = []
        loop.bring(loop.time() + network.latency(dice), None, self._arrive)

    def _arrive(self) -> None:
        if self._is_cut() or self._ended:
            return
        self._process = process = self._server.process
        if process is None:
            self._travel(self._end)
        elif process.held is None:
            self._handle(process)
        else:
            self._loop.bring(self._loop.time(), process, self._handle, process)

    def _handle(self, process: Process) -> None:
        process.spawn(self._respond(process))

    async def _respond(self, process: Process) -> None:
        method, path, headers, _, address = self._request
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": b"",
            "headers": headers,
            "scheme": "http",
            "client": (address, 1),
            "server": ("127.0.0.1", 8000),
            "root_path": "",
        }
        try:
            await process.app(scope, self._receive, self._send)
        finally:
            self._travel(self._end)

    async def _receive(self) -> Message:
        if not self._read:
            self._read = True
            return {"type": "http.request", "body": self._request.body}
        if not self._ended:
            self._left = self._loop.create_future()
            await self._left
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status, self._headers = message["status"], message["headers"]
        else:
            more = message.get("more_body", False)
            self._travel(self._part, message.get("body", b""), more)

    def _travel(self, callback: Callable[..., object], *args: Any) -> None:
        """Bring something to the client, after what was sent before."""
        if not (self._ended or self._broken):
            arrival = self._loop.time() + self._network.latency(self._dice)
            self._last = max(self._last, arrival)
            self._loop.bring(self._last, None, self._come_back, callback, args)

    def _come_back(self, callback: Callable[..., object], args: tuple[Any, ...]) -> None:
        if self._is_cut():
            self._broken = True
        elif not (self._ended or self._broken):
            callback(*args)

    def _is_cut(self) -> bool:
        cut = self._network.cut
        return bool(cut) and (CLIENTS, self._server.name) in cut

    def leave(self) -> None:
        """Close the connection; the server notices it a little later."""
        self._ended = True
        if self._left and self._process:
            at = self._loop.time() + self._network.latency(self._dice)
            self._loop.bring(at, self._process, self._notice)

    def _notice(self) -> None:
        if self._left and not self._left.done():
            self._left.set_result(None)

    def _part(self, body: bytes, more: bool) -> None:
        """Take in a part of the response, and whether there is more."""
        raise NotImplementedError

    def _end(self) -> None:
        """Take in that the connection has ended."""
        raise NotImplementedError


class Post(Exchange):
    """An exchange whose `reply` is awaited: the response, or None if none comes."""

    def __init__(
        self, loop: VirtualLoop, network: Network, server: Server, request: Request, dice: Random
    ) -> None:
        super().__init__(loop, network, server, request, dice)
        self.reply: asyncio.Future[Reply | None] = loop.create_future()
        self._parts = b""
        self._timer = loop.bring(loop.time() + PATIENCE, None, self._end)

    def _part(self, body: bytes, more: bool) -> None:
        self._parts += body
        if not more:
            network = self._network
            lost = network.unanswered and self._dice.random() < network.unanswered
            self._settle(None if lost else Reply(self._status, self._headers, self._parts))

    def _end(self) -> None:
        self._settle(None)

    def _settle(self, reply: Reply | None) -> None:
        self._timer.cancel()
        self.leave()
        if not self.reply.done():
            self.reply.set_result(reply)


class Stream(Exchange):
    """An exchange that calls `heard` with each part of the response, and `ended` once."""

    def __init__(
        self,
        loop: VirtualLoop,
        network: Network,
        server: Server,
        request: Request,
        dice: Random,
        heard: Callable[[bytes], None],
        ended: Callable[[Stream], None],
    ) -> None:
        super().__init__(loop, network, server, request, dice)
        self._heard = heard
        self._ended_for = ended
        network.streams[self] = None

    def leave(self) -> None:
        """Close the connection."""
        self._network.streams.pop(self, None)
        super().leave()

    def reset(self) -> None:
        """End the connection, without a word from the server."""
        self._end()

    def _part(self, body: bytes, more: bool) -> None:
        if self._status == 200:
            self._heard(body)
        if not more:
            self._end()

    def _end(self) -> None:
        if not self._ended:
            self.leave()
            self._ended_for(self)
