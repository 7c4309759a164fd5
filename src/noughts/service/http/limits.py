"""Limits: how often one address may do something. `Handlers` says what, and how often."""

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from ipaddress import IPv6Address, ip_address
from math import ceil
from time import monotonic

from starlette.types import Scope

from noughts.service.play.refusal import Refused

MOST = 100_000  # addresses remembered


class Limit:
    """How many each neighbourhood may do in a minute, in a row or all at once; 0 is no limit.

    A leaky bucket, kept as the time at which it will be empty (the generic cell rate algorithm).
    """

    def __init__(self, what: str, a_minute: int) -> None:
        self._what = what
        self._a_minute = a_minute
        self._empty: dict[str, float] = {}
        self._pruned = 0.0

    def check(self, who: str) -> None:
        """Count one more of this neighbourhood. Raises Refused if there are too many."""
        if not self._a_minute:
            return
        now = monotonic()
        if len(self._empty) > MOST and now - self._pruned > 1:  # slow if they are many
            self._pruned = now
            self._empty = {each: at for each, at in self._empty.items() if at > now}
        ahead = max(0.0, self._empty.get(who, now) - now) + 60 / self._a_minute
        if ahead > 60:
            wait = ceil(ahead - 60)
            message = f"{self._what}: at most {self._a_minute} a minute; try again in {wait} s"
            raise Refused("too_many", message, retry_after=wait)
        self._empty[who] = now + ahead


class Places:
    """How many each neighbourhood may have at the same time; 0 is no limit."""

    def __init__(self, what: str, most: int) -> None:
        self._what = what
        self._most = most
        self._taken: dict[str, int] = {}

    def take(self, who: str) -> Callable[[], None]:
        """Take a place, or raise Refused if all are taken; call the result to give it back."""
        taken = self._taken.get(who, 0)
        if self._most and taken >= self._most:
            message = f"{self._what}: at most {self._most} at the same time"
            raise Refused("too_many", message, retry_after=10)
        self._taken[who] = taken + 1
        return partial(self._leave, who)

    def _leave(self, who: str) -> None:
        self._taken[who] -= 1
        if not self._taken[who]:
            del self._taken[who]


@lru_cache(maxsize=10_000)
def neighbourhood(address: str) -> str:
    """The address, or the /64 network of an IPv6 address, all of which one customer has."""
    if ":" in address:
        with suppress(ValueError):
            found = IPv6Address(address)
            if not found.ipv4_mapped:
                return str(IPv6Address(int(found) >> 64 << 64))
    return address


def client_address(scope: Scope) -> str:
    """The address that a request comes from; "unknown" if a proxy names no address."""
    return _parsed(scope["client"][0]) if scope["client"] else "unknown"


@lru_cache(maxsize=10_000)
def _parsed(client: str) -> str:
    try:
        return str(ip_address(client))
    except ValueError:
        return "unknown"
