"""The way of every request: through the guard to its handler, and back as an answer."""

import logging
from functools import cache
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.routing import Router
from starlette.types import Lifespan, Receive, Scope, Send

from noughts.service.http.answer import Answer, refusal
from noughts.service.http.guard import Hosts, admitted
from noughts.service.http.handlers import Handlers
from noughts.service.http.limits import client_address
from noughts.service.http.routes import find
from noughts.service.http.stream import EventStream
from noughts.service.logs import RequestLog
from noughts.service.metrics import REQUEST_SECONDS, REQUESTS
from noughts.service.play.refusal import Refused
from noughts.service.play.storage import StoreError

METHODS = {"GET", "HEAD", "POST"}

log: logging.Logger = logging.getLogger("noughts")
_counter = cache(REQUESTS.labels)  # prometheus_client is slower to find it
_decoder = cache(msgspec.json.Decoder)


PROBES = {"/healthz", "/readyz", "/metrics"}  # asked several times a second; failures are logged


class Dispatcher:
    """The application: it answers, logs and counts every request.

    A request is logged in one line, unless it is a probe that succeeds; without the query, the
    headers and the body, which may hold secrets. The lifespan is what is done before the first
    request and after the last.
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
            self._log.write()  # the last lines: all requests are answered
            return
        start, status = perf_counter(), 500
        try:
            answer = await self._answer(scope, receive)
            status = answer.status
            await answer(scope, receive, send)
        finally:
            seconds = perf_counter() - start
            method = scope["method"] if scope["method"] in METHODS else "other"
            _counter(method, status).inc()
            if not scope["path"].endswith("/events"):
                REQUEST_SECONDS.observe(seconds)
            if scope["path"] not in PROBES or status != 200:
                what = f"{client_address(scope)} {method} {scope['path']!r} {status}"
                self._log.add(f"{what} {seconds * 1e3:.1f} ms")

    async def _answer(self, scope: Scope, receive: Receive) -> Answer | EventStream:
        """The answer of the handler, or the refusal that stands for its error."""
        try:
            self._hosts.check(scope)
            body = await admitted(scope, receive) if scope["method"] == "POST" else None
            methods, arguments = find(scope["path"])
            route = methods.get(scope["method"])
            if route is None:
                return refusal(Refused("wrong_method"), (b"allow", ", ".join(methods).encode()))
            request = Request(scope, receive)
            if route.takes:
                arguments += (_wanted(route.takes, request if body is None else body),)
            return await route.handler(self._handlers, request, *arguments)
        except Refused as refused:
            if refused.code == "not_found" and _reads_pages(scope):
                return await self._handlers.file(Request(scope), "shared/nothing.html", 404)
            return refusal(refused)
        except StoreError as error:
            log.warning("the database does not answer: %s", error)
            return refusal(Refused("unavailable", retry_after=1))
        except Exception:
            log.exception("the server has failed")
            return refusal(Refused("failed"))


def _reads_pages(scope: Scope) -> bool:
    """Whether a browser asks for a page: neither the API nor a part of a page."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    is_page = not scope["path"].startswith(("/api", "/page"))
    return scope["method"] == "GET" and is_page and b"text/html" in headers.get(b"accept", b"")


def _wanted(type: type[Struct], given: bytes | Request) -> Any:
    """The body, or the query of a request without one, as this type, or a refusal that says why."""
    try:
        if isinstance(given, bytes):
            return _decoder(type).decode(given)
        return msgspec.convert(dict(given.query_params), type)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        message, _, where = str(error).partition(" - at `")
        where = where.removeprefix("$").removeprefix(".").removesuffix("`")
        raise Refused("malformed", f"{where}: {message}" if where else message) from None
