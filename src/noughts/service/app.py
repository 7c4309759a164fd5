"""The application: the stores, the games and the HTTP interface, put together."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from math import inf
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.routing import Router
from starlette.types import Lifespan, Receive, Scope, Send

from noughts.service.http.assets import Files, Pyodide
from noughts.service.http.handlers import Handlers, Site
from noughts.service.http.middleware import Hosts, check_origin, client_address, read_json
from noughts.service.http.responses import error_response
from noughts.service.http.routes import Answer, describe, find, reference
from noughts.service.metrics import FORGOTTEN, REQUEST_SECONDS, REQUESTS
from noughts.service.play.api_errors import APIError
from noughts.service.play.computer import Advisor, Computer
from noughts.service.play.events import now
from noughts.service.play.games import Databases, Games
from noughts.service.play.storage import Storage, StoreError, ask
from noughts.service.play.subscriptions import Subscriptions
from noughts.service.settings import Settings

HEARTBEAT = 15  # seconds between signs of life in event streams; proxies cut silent connections
SWEEP = 3  # seconds between checks of databases, for overdue moves and lost notifications
FORGET = 3600  # seconds between deletions of games; they are also kept that much longer
PAUSE = 1  # seconds between transactions that delete games
DAY = 24 * 3600_000  # in ms
OVERDUE = 5000  # ms after which another server's computer moves instead
METHODS = {"GET", "HEAD", "POST"}
STREAMS = "/events", "/api/judge"  # as long as their clients like
PROBES = {"/healthz", "/readyz", "/metrics"}  # frequent, so only failures are logged

log: logging.Logger = logging.getLogger("noughts")
_counter = cache(REQUESTS.labels)  # prometheus_client is slower to find it
_decoder = cache(msgspec.json.Decoder)


class Service:
    """One server process: its databases, their games and their event streams."""

    def __init__(self, settings: Settings, stores: Sequence[Storage]) -> None:
        self._stores = stores
        self.subscriptions: Subscriptions = Subscriptions()
        computer = Computer()
        self._keep = (settings.retention_days or inf) * DAY
        self._databases = Databases(self._stores, self.subscriptions, computer, self._keep)
        self._advisor = Advisor(computer)
        parts = self._databases, computer, self._advisor, self.subscriptions, settings
        handlers = Handlers(*parts, _site(settings.pyodide, settings.root_path))
        self.app: Dispatcher = Dispatcher(handlers, Hosts(settings.host_names), self._running)

    @asynccontextmanager
    async def _running(self, _: object) -> AsyncIterator[None]:
        """Run the background tasks while requests are answered, then close everything."""
        checks = [partial(self._databases.check, store) for store in self._stores]
        await asyncio.gather(*(check() for check in checks), return_exceptions=True)
        chores = [
            _every(HEARTBEAT, self.subscriptions.heartbeat),
            *(_every(SWEEP, check) for check in checks),
        ]
        for store, games in self._databases.all.items():
            chores += [_every(SWEEP, partial(_sweep, store, games)), games.deadlines.run()]
            chores.append(_every(HEARTBEAT, games.recover_clocks))
            if self._keep < inf:
                chores.append(_every(SWEEP, games.forget))
                chores.append(_every(FORGET, partial(_delete_forgotten, store, self._keep)))
            if store.notifications:
                self.subscriptions.announce = self._databases.announce
                chores.append(
                    store.notifications.listen(games.heard, games.refresh, self.subscriptions.heard)
                )
            else:  # no other server is thinking when this one starts
                chores.append(games.think_overdue(-1))
        tasks = [asyncio.create_task(chore) for chore in chores]
        yield
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._advisor.close()
        await asyncio.gather(*(games.close() for games in self._databases.all.values()))
        for each in self._stores:
            each.close()


@cache
def _site(folder: str, root: str) -> Site:
    """Return the pages at this path, with Pyodide from this folder, once for all servers here."""
    description, pyodide = describe(root), Pyodide(folder)
    files = Files(reference=reference(description), pyodide=pyodide.url, root=root)
    return Site(description, pyodide, files)


async def _sweep(store: Storage, games: Games) -> None:
    """Check for overdue moves of the computer and for lost notifications."""
    await games.think_overdue(OVERDUE)
    if store.notifications:
        await games.refresh()


async def _delete_forgotten(store: Storage, keep: float) -> None:
    """Delete forgotten games, a few at a time, once no server makes decisions in them any more.

    All servers of a database may do so at the same time.
    """
    more = True
    while more:
        count, more = await ask(store, store.forget, int(now() - keep) - FORGET * 1000)
        FORGOTTEN.inc(count)
        await asyncio.sleep(PAUSE)


async def _every(seconds: float, task: Callable[[], Awaitable[None]]) -> None:
    """Repeat a background task, even if it fails."""
    while True:
        try:
            await task()
        except StoreError as error:
            log.warning("the database is not responding: %s", error)
        except Exception:
            log.exception("a background task failed")
        await asyncio.sleep(seconds)


class Dispatcher:
    """The ASGI application: it answers, logs and counts every request.

    A request is logged in one line, unless it is a probe that succeeds. The query, the headers and
    the body are not logged, as they may contain secrets. The lifespan is what is done before the
    first request and after the last.
    """

    def __init__(self, handlers: Handlers, hosts: Hosts, lifespan: Lifespan[Router]) -> None:
        self._handlers = handlers
        self._hosts = hosts
        self._lifespan = Router(lifespan=lifespan).lifespan
        self._log = RequestLog(logging.getLogger("noughts.requests"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._lifespan(scope, receive, send)
            self._log.write()  # all requests are answered by now
            return
        start, status = perf_counter(), 500
        try:
            answer = await self._answer(scope, receive)
            status = answer.status
            await answer(scope, receive, send)
            status = answer.status  # a stream may fail before it begins
        finally:
            seconds = perf_counter() - start
            method = scope["method"] if scope["method"] in METHODS else "other"
            _counter(method, status).inc()
            if not scope["path"].endswith(STREAMS):
                REQUEST_SECONDS.observe(seconds)
            if self._log.is_on and (scope["path"] not in PROBES or status != 200):
                what = f"{client_address(scope)} {method} {scope['path']!r} {status}"
                self._log.add(f"{what} {seconds * 1e3:.1f} ms")

    async def _answer(self, scope: Scope, receive: Receive) -> Answer:
        """Return the response of the handler, or one that reports its error."""
        refusal = partial(error_response, scope["root_path"])
        try:
            self._hosts.check(scope)
            is_post = scope["method"] == "POST"
            if is_post:
                check_origin(scope)
            methods, arguments = find(scope["path"])
            route = methods.get(scope["method"])
            if route is None:
                allowed = b"allow", ", ".join(methods).encode()
                return refusal(APIError("wrong_method"), allowed)
            body = await read_json(scope, receive) if route.has_json else None
            request = Request(scope, receive)
            if route.takes:
                arguments += (_wanted(route.takes, request if body is None else body),)
            return await route.handler(self._handlers, request, *arguments)
        except APIError as refused:
            if refused.code == "not_found" and _reads_pages(scope):
                return await self._handlers.file(Request(scope), "shared/nothing.html", 404)
            return refusal(refused)
        except StoreError as error:
            log.warning("the database is not responding: %s", error)
            return refusal(APIError("unavailable", retry_after=1))
        except Exception:
            log.exception("a request failed")
            return refusal(APIError("failed"))


def _reads_pages(scope: Scope) -> bool:
    """Return whether a browser requests a page, not the API or a part of a page."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    is_page = not scope["path"].startswith(("/api", "/page"))
    return scope["method"] == "GET" and is_page and b"text/html" in headers.get(b"accept", b"")


def _wanted(type: type[Struct], given: bytes | Request) -> Any:
    """Parse the body, or the query of a request without one, as this type. Raises APIError."""
    try:
        if isinstance(given, bytes):
            return _decoder(type).decode(given)
        return msgspec.convert(dict(given.query_params), type)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        message, _, where = str(error).partition(" - at `")
        where = where.removeprefix("$").removeprefix(".").removesuffix("`")
        raise APIError("malformed", f"{where}: {message}" if where else message) from None


DELAY = 0.02  # seconds


class RequestLog:
    """Collects lines for `DELAY` seconds and logs them as one message, which takes about 20 µs."""

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger
        self._lines: list[str] = []

    @property
    def is_on(self) -> bool:
        """Whether requests are logged at all."""
        return self._logger.isEnabledFor(logging.INFO)

    def add(self, line: str) -> None:
        """Log a line soon; called in the event loop."""
        if not self._lines:
            asyncio.get_running_loop().call_later(DELAY, self.write)
        self._lines.append(line)

    def write(self) -> None:
        """Log the collected lines."""
        if self._lines:
            lines, self._lines = self._lines, []
            self._logger.info("%s", "\n".join(lines))
