"""The guard: what holds for every request, whatever it asks for.

It refuses bodies that are too large, posts that are not JSON and posts from pages of other origins,
and it has the security headers of every answer.
"""

from __future__ import annotations

from starlette.types import Receive, Scope

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
        raise Refused("cross_origin")
    if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != b"application/json":
        raise Refused("not_json")
    body = b""
    more = True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY:
            raise Refused("too_large", f"the body is larger than {MAX_BODY} bytes")
    return body
