"""The guard at the door: what holds for every request, whatever it asks for.

It refuses bodies that are too large, posts that are not JSON and posts from pages of other origins;
it puts the security headers on every answer; and it logs one line a request, without the query,
the headers or the body, where secrets are.
"""

from __future__ import annotations

import logging
from functools import cache
from time import perf_counter

from prometheus_client import Counter
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.service.logs import Lines
from noughts.service.metrics import REQUEST_SECONDS, REQUESTS
from noughts.service.play.refusal import Refused

MAX_BODY = 4096  # bytes
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
SECURITY = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
METHODS = {"GET", "HEAD", "POST"}


class Guard:
    """The guard, around the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._log = Lines(logging.getLogger("noughts.requests"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it with what is wrong."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status = perf_counter(), 500

        async def guarded_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *SECURITY]
            await send(message)

        try:
            if scope["method"] == "POST":
                body = await admitted(scope, receive)
                await self._app(scope, _again(body, receive), guarded_send)
            else:
                await self._app(scope, receive, guarded_send)
        except Refused as refused:
            await refusal(refused)(scope, receive, guarded_send)
        finally:
            seconds = perf_counter() - start
            method = scope["method"] if scope["method"] in METHODS else "other"
            _requests(method, status).inc()
            if not scope["path"].endswith("/events"):
                REQUEST_SECONDS.observe(seconds)
            client = scope["client"][0] if scope["client"] else "-"
            took = f"{seconds * 1e3:.1f} ms"
            self._log.add(f"{client} {method} {scope['path']!r} {status} {took}")


@cache
def _requests(method: str, status: int) -> Counter:
    """The counter of these requests, which prometheus_client takes longer to find."""
    return REQUESTS.labels(method, status)


def refusal(refused: Refused) -> JSONResponse:
    """The answer that says why."""
    headers = {} if refused.retry_after is None else {"Retry-After": str(refused.retry_after)}
    if refused.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(refused.body(), refused.status, headers)


async def admitted(scope: Scope, receive: Receive) -> bytes:
    """The body of a post.

    Raises:
        Refused: it is too large, is not JSON, or comes from a page of another origin.
    """
    headers: dict[bytes, bytes] = dict(scope["headers"])
    origin = headers.get(b"origin")
    own = b"%b://%b" % (scope["scheme"].encode(), headers.get(b"host", b""))
    site = headers.get(b"sec-fetch-site", b"same-origin")
    if (origin is not None and origin != own) or site not in {b"same-origin", b"none"}:
        raise Refused("cross_origin", "posts from pages of other origins are refused")
    if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != b"application/json":
        raise Refused("not_json", "the body must be JSON: Content-Type: application/json")
    body = b""
    more = True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY:
            raise Refused("too_large", f"the body is larger than {MAX_BODY} bytes")
    return body


def _again(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body that was read, then what comes."""
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again
