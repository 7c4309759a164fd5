"""The one way through the server: from a request past the guard to the handler, and back."""

from __future__ import annotations

import logging
from functools import cache
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.json import Decoder
from prometheus_client import Counter
from starlette.requests import Request
from starlette.routing import Router
from starlette.types import ASGIApp, Lifespan, Message, Receive, Scope, Send

from noughts.service.http.answers import malformed, refusal, refused
from noughts.service.http.guard import SECURITY, admitted
from noughts.service.http.handlers import Handlers
from noughts.service.http.routes import find
from noughts.service.logs import RequestLog
from noughts.service.metrics import REQUEST_SECONDS, REQUESTS
from noughts.service.play.refusal import Refused

METHODS = {"GET", "HEAD", "POST"}


class Dispatcher:
    """The application: it answers, logs and counts every request.

    A request is logged in one line, without the query, the headers and the body, which may hold
    secrets.

    Args:
        handlers: answer what the table of routes names.
        lifespan: what is done before the first request and after the last.
    """

    def __init__(self, handlers: Handlers, lifespan: Lifespan[Router]) -> None:
        self._handlers = handlers
        self._lifespan = Router(lifespan=lifespan).lifespan
        self._log = RequestLog(logging.getLogger("noughts.requests"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI has it."""
        if scope["type"] != "http":
            await self._lifespan(scope, receive, send)
            return
        start, status = perf_counter(), 500

        async def guarded_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message["headers"], *SECURITY]}
            await send(message)

        try:
            answer = await self._answer(scope, receive)
            await answer(scope, receive, guarded_send)
        finally:
            seconds = perf_counter() - start
            method = scope["method"] if scope["method"] in METHODS else "other"
            _requests(method, status).inc()
            if not scope["path"].endswith("/events"):
                REQUEST_SECONDS.observe(seconds)
            client = scope["client"][0] if scope["client"] else "-"
            took = f"{seconds * 1e3:.1f} ms"
            self._log.add(f"{client} {method} {scope['path']!r} {status} {took}")

    async def _answer(self, scope: Scope, receive: Receive) -> ASGIApp:
        """The answer of the handler, or the refusal that its error amounts to."""
        try:
            posted = await admitted(scope, receive) if scope["method"] == "POST" else None
            methods, variables = find(scope["path"])
            route = methods.get(scope["method"])
            if route is None:
                allowed = ", ".join(methods).encode()
                return refusal(Refused("wrong_method"), (b"allow", allowed))
            request = Request(scope, receive)
            if route.takes is None:
                return await route.handler(self._handlers, request, *variables)
            if posted is None:
                wanted = _read_query(route.takes, request)
            else:
                wanted = _read(route.takes, posted)
            return await route.handler(self._handlers, request, *variables, wanted)
        except Exception as error:
            return refusal(refused(error))


@cache
def _requests(method: str, status: int) -> Counter:
    """The counter of these requests, which prometheus_client takes longer to find."""
    return REQUESTS.labels(method, status)


@cache
def _decoder(type: type[Struct]) -> Decoder[Any]:
    return Decoder(type)


def _read(type: type[Struct], body: bytes) -> Any:
    """The body as this type.

    Raises:
        Refused: it does not fit.
    """
    try:
        return _decoder(type).decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise malformed(error) from None


def _read_query(type: type[Struct], request: Request) -> Any:
    """The query as this type; what it does not know is ignored.

    Raises:
        Refused: it does not fit.
    """
    try:
        return msgspec.convert(dict(request.query_params), type)
    except msgspec.ValidationError as error:
        raise malformed(error) from None
