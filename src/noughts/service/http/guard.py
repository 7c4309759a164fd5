"""The guard: the rules for every request, whatever it asks for.

It refuses requests for other hosts, bodies that are too large, posts that are not JSON and posts
from pages of other origins, and defines the security headers of every answer.
"""

from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.types import Receive, Scope

from noughts.service.play.refusal import Refused

MAX_BODY = 4096  # bytes
MAX_HOSTS = 1000  # remembered
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
SECURITY = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
]
"""The headers of every answer, as uvicorn takes them."""


class Hosts:
    """The names by which browsers may reach this server, besides any IP address.

    Another site can point its own name at this server's address (DNS rebinding); then its scripts
    can read what this server answers to that name. Nobody can point an IP address elsewhere.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {"localhost", *(name.lower() for name in names)}
        self._is_own = lru_cache(MAX_HOSTS)(self._allows)

    def check(self, scope: Scope) -> None:
        """Check that a request is meant for this server. Raises Refused if it names another."""
        for name, host in scope["headers"]:
            if name == b"host" and not self._is_own(host):
                raise Refused("wrong_host")

    def _allows(self, host: bytes) -> bool:
        try:
            name = (urlsplit(f"//{host.decode('latin-1')}").hostname or "").removesuffix(".")
        except ValueError:
            return False
        with suppress(ValueError):
            return bool(ip_address(name))
        return name in self._names


async def admitted(scope: Scope, receive: Receive) -> bytes:
    """The body of a post.

    Raises:
        Refused: it is too large, is not JSON, or comes from a page of another origin.
    """
    headers: dict[bytes, bytes] = dict(scope["headers"])
    own = b"%b://%b" % (scope["scheme"].encode(), headers.get(b"host", b""))
    site = headers.get(b"sec-fetch-site", b"none")
    if headers.get(b"origin", own) != own or site not in {b"same-origin", b"none"}:
        raise Refused("cross_origin")
    if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != b"application/json":
        raise Refused("not_json")
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused("too_slow", "the body was cut off")
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY:
            raise Refused("too_large", f"the body is larger than {MAX_BODY} bytes")
    return body
