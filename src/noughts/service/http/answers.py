"""Answers in JSON, and the refusals that errors amount to."""

from __future__ import annotations

import logging

import msgspec
from starlette.types import ASGIApp, Receive, Scope, Send

from noughts.service.http.models import ErrorAnswer
from noughts.service.play.refusal import Refused
from noughts.service.play.storage import StoreError

Header = tuple[bytes, bytes]

log = logging.getLogger("noughts")
_encode = msgspec.json.Encoder().encode


def json_answer(body: msgspec.Struct, status: int = 200, *headers: Header) -> ASGIApp:
    """The answer that holds this as JSON; no cache may keep it."""
    content = _encode(body)
    start = {
        "type": "http.response.start",
        "status": status,
        "headers": [
            (b"cache-control", b"no-store"),
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(content)),
            *headers,
        ],
    }

    async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send(start)
        await send({"type": "http.response.body", "body": content})

    return answer


def refusal(refused: Refused, *headers: Header) -> ASGIApp:
    """The answer that says why."""
    if refused.retry_after is not None:
        headers += ((b"retry-after", b"%d" % refused.retry_after),)
    if refused.status == 401:
        headers += ((b"www-authenticate", b"Bearer"),)
    return json_answer(ErrorAnswer.of(refused), refused.status, *headers)


def malformed(error: Exception) -> Refused:
    """The refusal of a body or a query that does not fit its type; it says first where."""
    message, _, where = str(error).partition(" - at `")
    where = where.removeprefix("$").removeprefix(".").removesuffix("`")
    return Refused("malformed", f"{where}: {message}" if where else message)


def refused(error: Exception) -> Refused:
    """The refusal that this error amounts to; what is not the client's fault is logged."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, StoreError):
        log.warning("the database does not answer: %s", error)
        return Refused("unavailable", retry_after=1)
    log.error("the server has failed", exc_info=error)
    return Refused("failed")
