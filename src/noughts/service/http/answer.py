"""Answers that are whole before they are sent: all but the event streams."""

from __future__ import annotations

import msgspec
from starlette.types import Receive, Scope, Send

Headers = tuple[tuple[bytes, bytes], ...]

NO_STORE: Headers = ((b"cache-control", b"no-store"),)
JSON = b"application/json"

_encode = msgspec.json.Encoder().encode


class Answer:
    """An answer, as an ASGI application; Starlette's takes longer, and every move has one.

    Args:
        body: what is answered.
        media_type: of the body.
        status: the HTTP status.
        headers: besides the body's type and length.

    Attributes:
        status: the HTTP status.
    """

    def __init__(
        self, body: bytes, media_type: bytes, status: int = 200, headers: Headers = NO_STORE
    ) -> None:
        self.status = status
        self._body = body
        about: Headers = ((b"content-type", media_type),)
        if status != 304:  # which has none
            about += ((b"content-length", b"%d" % len(body)),)
        self._headers = *about, *headers

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Send it."""
        start = {"type": "http.response.start", "status": self.status, "headers": self._headers}
        await send(start)
        await send({"type": "http.response.body", "body": self._body})


def json_answer(body: msgspec.Struct, status: int = 200, headers: Headers = NO_STORE) -> Answer:
    """The answer that holds this as JSON."""
    return Answer(_encode(body), JSON, status, headers)
