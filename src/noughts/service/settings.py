"""The server's settings: options of ``noughts serve``, or NOUGHTS_… in the environment."""

from __future__ import annotations

import os
from ipaddress import ip_address, ip_network
from typing import Annotated

import msgspec
from msgspec import Meta

from noughts.errors import NoughtsError

Count = Annotated[int, Meta(ge=0)]


class InvalidSettings(NoughtsError):
    """Settings that make no sense; the message has a line for each."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The server's settings.

    Attributes:
        host: the address to listen on.
        host_name: names by which browsers reach the server, separated by commas; it answers to IP
            addresses and to localhost besides.
        port: the port to listen on; 0 takes one that is free.
        database: the URL of the database that keeps the games.
        workers: processes that serve; more than one needs PostgreSQL.
        proxy: addresses or networks of the proxies whose X-Forwarded-For and -Proto are believed,
            separated by commas; `*` believes everybody, empty none.
        creating, joining, moving: requests a minute from one address; 0 is no limit.
        drawing: records, as many QR codes, and as many hints and analyses, a minute from one
            address; 0 is no limit.
        streams: open event streams of one address; 0 is no limit.
        connections: open connections of one address; 0 is no limit, and so is a proxy.
    """

    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    host_name: str = ""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    database: str = "sqlite:///noughts.db"
    workers: Annotated[int, Meta(ge=1)] = 1
    proxy: str = ""
    creating: Count = 60
    joining: Count = 60
    moving: Count = 1200
    drawing: Count = 60
    streams: Count = 200
    connections: Count = 250

    @property
    def host_names(self) -> set[str]:
        """The names that the server answers to."""
        return {self.host, *filter(None, map(str.strip, self.host_name.split(",")))}


def read_settings(**options: object) -> Settings:
    """The settings: these options first, then the environment, then the defaults.

    Raises:
        InvalidSettings: a value is of the wrong type or out of bounds; all of them are named.
    """
    values, wrong = {}, []
    for field in msgspec.structs.fields(Settings):
        variable = f"NOUGHTS_{field.name.upper()}"
        value = options.get(field.name, os.environ.get(variable, field.default))
        try:
            values[field.name] = msgspec.convert(value, field.type, strict=False)
        except msgspec.ValidationError as error:
            wrong.append(f"{variable}: {error}: {value!r}")
    proxy = values.get("proxy", "")
    if not _names_proxies(proxy):
        wrong.append(
            "NOUGHTS_PROXY: Expected IP addresses or networks, separated by commas, or *: "
            f"{proxy!r}"
        )
    if wrong:
        raise InvalidSettings("\n".join(wrong))
    return Settings(**values)


def _names_proxies(proxy: str) -> bool:
    """Whether these are proxies; uvicorn would take whatever else there is, and believe nobody."""
    try:
        for name in proxy.split(",") if proxy not in ("", "*") else ():
            (ip_network if "/" in name else ip_address)(name.strip())
    except ValueError:
        return False
    return True
