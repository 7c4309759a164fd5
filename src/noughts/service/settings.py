"""The server's settings: options of ``noughts serve``, or NOUGHTS_… in the environment."""

import os
import re
from dataclasses import Field, dataclass, field, fields
from ipaddress import ip_address, ip_network
from math import inf
from typing import Any, TypeVar

from noughts.errors import NoughtsError

Value = TypeVar("Value", str, int)


class InvalidSettings(NoughtsError):
    """Settings that make no sense; the message has a line for each."""


def _setting(default: Value, what: str, least: int = 0, most: int | None = None) -> Value:
    """A setting: its default, what it is in a sentence, and the bounds of a number."""
    value: Value = field(default=default, metadata={"help": what, "least": least, "most": most})
    return value


@dataclass(frozen=True)
class Settings:
    """The server's settings; everything that reads, offers or describes them uses these lines."""

    host: str = _setting("127.0.0.1", "The address to listen on; 0.0.0.0: any of this machine.")
    host_name: str = _setting(
        "", "Names by which browsers reach the server, as A.EXAMPLE,B.EXAMPLE."
    )
    port: int = _setting(8000, "The port; 0 takes one that is free.", 0, 65535)
    database: str = _setting(
        "sqlite:///noughts.db",
        "Where the games are: sqlite:///FILE, or postgresql+psycopg://USER@HOST/NAME; more than "
        "once: new games are spread over them.",
    )
    workers: int = _setting(1, "Processes that serve; several need PostgreSQL.", 1)
    proxy: str = _setting(
        "",
        "IP addresses or networks, with commas, of proxies whose X-Forwarded-For and -Proto are "
        "believed; *: of everybody.",
    )
    pyodide: str = _setting(
        "",
        "The folder with Pyodide, Python for the lesson's editor; without it that of "
        "script/pyodide, or else browsers load it from cdn.jsdelivr.net.",
    )
    keep: int = _setting(
        0, "Days after which a game is forgotten that nobody touched; 0: never.", 0, 36_500
    )
    creating: int = _setting(60, "New games a minute from one address; 0: no limit.", 0)
    joining: int = _setting(60, "The same for joining.", 0)
    moving: int = _setting(1200, "The same for moves, and everything else that players do.", 0)
    drawing: int = _setting(60, "The same for records, for QR codes, and for hints and reviews.", 0)
    streams: int = _setting(200, "Event streams at a time from one address; 0: no limit.", 0)
    connections: int = _setting(
        250, "Open connections of one address; 0, or a --proxy: no limit.", 0
    )

    @property
    def host_names(self) -> set[str]:
        """The names that the server answers to."""
        return {self.host, *filter(None, map(str.strip, self.host_name.split(",")))}

    @property
    def databases(self) -> list[str]:
        """The addresses of the databases: lines, or with spaces between; a file may have some."""
        return re.split(r"\s*\n\s*|\s+(?=[\w+]+://)", self.database)


SETTINGS = fields(Settings)


def read_settings(**options: object) -> Settings:
    """The settings: these options first, then the environment, then the defaults.

    None, or an empty tuple, is an option that was not given.

    Raises:
        InvalidSettings: a value is of the wrong type or out of bounds; all of them are named.
    """
    values: dict[str, Any] = {}
    wrong = []
    for setting in SETTINGS:
        variable = f"NOUGHTS_{setting.name.upper()}"
        value = options.get(setting.name)
        if value in (None, ()):
            value = os.environ.get(variable, setting.default)
        try:
            written = "\n".join(value) if isinstance(value, tuple) else str(value)
            values[setting.name] = _read(setting, written)
        except ValueError as error:
            wrong.append(f"{variable}: {error}: {value!r}")
    if wrong:
        raise InvalidSettings("\n".join(wrong))
    return Settings(**values)


def _read(setting: Field[Any], written: str) -> str | int:
    """A value of this setting. Raises ValueError, which says what was expected."""
    if setting.name == "proxy" and not _names_proxies(written):
        raise ValueError("Expected IP addresses or networks, separated by commas, or *")
    if setting.name == "host_name" and re.search(r"[^\w.:,\[\] -]", written):
        raise ValueError("Expected names such as games.example, separated by commas")
    if isinstance(setting.default, str):
        if setting.default and not written:
            raise ValueError("Expected some text")
        return written
    least, most = setting.metadata["least"], setting.metadata["most"]
    if not written.isdecimal() or not least <= int(written) <= (most or inf):
        raise ValueError(f"Expected a whole number from {least}" + (f" to {most}" if most else ""))
    return int(written)


def _names_proxies(proxy: str) -> bool:
    """Whether these are proxies; uvicorn would accept anything else, and then believe nobody."""
    try:
        for name in proxy.split(",") if proxy not in ("", "*") else ():
            (ip_network if "/" in name else ip_address)(name.strip())
    except ValueError:
        return False
    return True
