"""Answers that are complete before they are sent: all but the event streams."""

import msgspec
from starlette.types import Receive, Scope, Send

from noughts.service.http.models import ErrorAnswer
from noughts.service.play.refusal import Refused

Headers = tuple[tuple[bytes, bytes], ...]

NO_STORE: Headers = ((b"cache-control", b"no-store"),)
JSON = b"application/json"

_encode = msgspec.json.Encoder().encode


class Answer:
    """An answer, as an ASGI application. Starlette's is slower, and every move has one.

    The headers that it is given lack the body's type and length, which it adds.
    """

    def __init__(
        self, body: bytes, media_type: bytes, status: int = 200, headers: Headers = NO_STORE
    ) -> None:
        self.status = status
        self.body = body
        about: Headers = ((b"content-type", media_type),)
        if status != 304:  # a 304 has none
            about += ((b"content-length", b"%d" % len(body)),)
        self.headers: Headers = *about, *headers

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Send it."""
        start = {"type": "http.response.start", "status": self.status, "headers": self.headers}
        await send(start)
        await send({"type": "http.response.body", "body": self.body})


def json_answer(body: msgspec.Struct, status: int = 200, headers: Headers = NO_STORE) -> Answer:
    """The answer that holds this as JSON."""
    return Answer(_encode(body), JSON, status, headers)


def refusal(refused: Refused, *headers: tuple[bytes, bytes]) -> Answer:
    """The answer that says why a request is refused."""
    if refused.retry_after is not None:
        headers += ((b"retry-after", b"%d" % refused.retry_after),)
    if refused.status == 401:
        headers += ((b"www-authenticate", b"Bearer"),)
    return json_answer(ErrorAnswer.of(refused), refused.status, NO_STORE + headers)
