"""The server's settings: options of ``noughts serve``, NOUGHTS_… in the environment, or a file."""

import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from ipaddress import ip_address, ip_network
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from noughts.errors import NoughtsError, did_you_mean, short_repr

Value = TypeVar("Value", str, int)

_ORIGIN = r"https?://(?:\*\.)?(?:[\w.-]+|\[[\w:]+\])(?::\d+)?"
ORIGINS = re.compile(rf"\*|(?:{_ORIGIN}(?: *, *{_ORIGIN})*)?", re.ASCII)
OWN = {
    *("api", "docs", "g", "healthz", "learn", "metrics", "openapi.json", "page", "readyz"),
    *("source", "worker.js"),
}
"""How the server's own paths begin, so that the path of a server below a proxy cannot."""
OTHERS = {"COMPILED", "GOLDEN", "PROCESS"}  # NOUGHTS_… variables that are not the server's


class InvalidSettings(NoughtsError):
    """Settings that cannot be used; the message has one line for each problem."""


def _setting(
    default: Value,
    summary: str,
    least: int = 0,
    most: int | None = None,
    old_name: str = "",
    choices: tuple[str, ...] = (),
) -> Value:
    """Describe a setting: its help, the values it may have, and its name before this release."""
    metadata = {
        "help": summary,
        "least": least,
        "most": most,
        "old_name": old_name,
        "choices": choices,
    }
    value: Value = field(default=default, metadata=metadata)
    return value


@dataclass(frozen=True)
class Settings:
    """The server's settings; everything that reads, offers or describes them uses these lines."""

    config: str = _setting("", "TOML file with any of these settings, such as `port = 8000`.")
    host: str = _setting("127.0.0.1", "Address to listen on; 0.0.0.0 listens on all interfaces.")
    host_name: str = _setting(
        "", "Comma-separated names of the server in URLs, for example A.EXAMPLE,B.EXAMPLE."
    )
    port: int = _setting(8000, "Port to listen on; 0 chooses a free one.", 0, 65535)
    database_url: str = _setting(
        "sqlite:///noughts.db",
        "Where games are stored: sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME. Repeat the "
        "option to spread new games over several databases.",
        old_name="database",
    )
    workers: int = _setting(1, "Number of processes; more than one needs PostgreSQL.", 1)
    proxy: str = _setting(
        "",
        "Comma-separated IP addresses or networks of proxies whose X-Forwarded-For and "
        "X-Forwarded-Proto headers are trusted; * trusts every client.",
    )
    root_path: str = _setting(
        "",
        "Path at which a proxy serves the pages, such as /games. The proxy may remove it from "
        "requests or leave it.",
    )
    pyodide: str = _setting(
        "",
        "Folder with Pyodide, which runs Python in the lesson's editor. If not set, the server "
        "uses the Pyodide that script/pyodide has installed; otherwise browsers load it from "
        "cdn.jsdelivr.net.",
    )
    frame_ancestors: str = _setting(
        "",
        "Comma-separated origins of pages that may embed the lesson, such as "
        "https://school.example; * allows every page.",
    )
    retention_days: int = _setting(
        0, "Delete games idle for this many days; 0 disables.", 0, 36_500, old_name="keep"
    )
    create_limit: int = _setting(
        60, "New games per minute per address; 0 disables the limit.", old_name="creating"
    )
    join_limit: int = _setting(
        60, "Joins per minute per address; 0 disables the limit.", old_name="joining"
    )
    move_limit: int = _setting(
        1200,
        "Moves and other actions of players per minute per address; 0 disables the limit.",
        old_name="moving",
    )
    render_limit: int = _setting(
        60,
        "Records, hints, reviews and posted positions per minute per address, counted"
        " separately; 0 disables the limit.",
        old_name="drawing",
    )
    judge_games: int = _setting(
        2_000_000, "Posted games to judge per minute per address; 0 disables the limit."
    )
    judge_megabytes: int = _setting(
        400,
        "Megabytes of posted games (decompressed) and their verdicts, per minute per address;"
        " 0 disables the limit.",
    )
    judge_seconds: int = _setting(
        300, "Seconds that a request to judge games may take; 0 disables the limit."
    )
    solve_seconds: int = _setting(
        0, "Seconds to solve or analyse a posted position; 0 refuses such requests.", 0, 3600
    )
    streams: int = _setting(200, "Concurrent event streams per address; 0 disables the limit.")
    connections: int = _setting(
        250, "Open connections per address; 0 disables the limit, and so does --proxy."
    )
    log_level: str = _setting(
        "info",
        "Log messages of this level and above; every request is `info`.",
        choices=("debug", "info", "warning", "error"),
    )
    log_format: str = _setting(
        "text", "How log messages are written: as text, or as JSON Lines.", choices=("text", "json")
    )

    @property
    def host_names(self) -> set[str]:
        """The names that the server answers to."""
        return {self.host, *filter(None, map(str.strip, self.host_name.split(",")))}

    @property
    def databases(self) -> list[str]:
        """The database URLs, separated by line breaks or spaces; a file name may contain spaces."""
        return re.split(r"\s*\n\s*|\s+(?=[\w+]+://)", self.database_url)


SETTINGS = fields(Settings)
NAMES = {setting.name for setting in SETTINGS}
KNOWN = NAMES | {setting.metadata["old_name"] for setting in SETTINGS} - {""}
(CONFIG,) = (setting for setting in SETTINGS if setting.name == "config")

Source = tuple[Mapping[str, object], Callable[[str], str]]
"""Values by the names of settings, and how this source spells a name."""


def read_settings(**options: object) -> Settings:
    """Read the settings from these options, the environment, the file `config`, and the defaults.

    The first of these that has a setting decides. A name that this release has replaced still
    works, with a warning on standard error.

    Args:
        options: Values by name; None or an empty tuple means that the option was not given.

    Raises:
        InvalidSettings: A value has the wrong type or is out of bounds, a variable or a name in
            the file is unknown, or the file cannot be read.
    """
    sources: list[Source] = [(options, option), (_environment(), variable)]
    _, path = _given(CONFIG, sources)
    problems = [
        f"unknown variable {variable(name)}{_nearest(name, NAMES, variable)}"
        for name in _environment()
        if name not in KNOWN
    ]
    if path:
        written, names = _read_file(str(path)), NAMES - {"config"}
        known = {name: value for name, value in written.items() if name in names}
        sources.append((known, lambda name: f"{path}: {name}"))
        problems += [
            f"{path}: unknown setting {name}{_nearest(name, names, str)}"
            for name in written
            if name not in names
        ]
    values: dict[str, Any] = {}
    for setting in SETTINGS:
        name, value = _given(setting, sources)
        try:
            values[setting.name] = _parse(setting, _text(setting, value))
        except ValueError as error:
            problems.append(f"{name}: {error}, got {short_repr(value)}")
    if problems:
        raise InvalidSettings("\n".join(problems))
    return Settings(**values)


def variable(name: str) -> str:
    """Return the environment variable for the setting of this name."""
    return f"NOUGHTS_{name.upper()}"


def option(name: str) -> str:
    """Return the command-line option for the setting of this name."""
    return f"--{name.replace('_', '-')}"


def _environment() -> dict[str, object]:
    """Return the variables NOUGHTS_… that may be settings, by the names of these settings."""
    return {
        rest.lower(): value
        for name, value in os.environ.items()
        for prefix, _, rest in [name.partition("_")]
        if prefix == "NOUGHTS" and rest not in OTHERS
    }


def _read_file(path: str) -> dict[str, object]:
    """Return the settings in a TOML file. Raises InvalidSettings if it cannot be read."""
    try:
        return tomllib.loads(Path(path).read_text("utf-8-sig"))
    except OSError as error:
        raise InvalidSettings(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidSettings(f"{path}: not a TOML file of settings: {error}") from None


def _nearest(name: str, names: set[str], spelled: Callable[[str], str]) -> str:
    """Return the end of a message about an unknown name: what was probably meant."""
    found = did_you_mean(name, names, spelled)
    return found or "; noughts serve --help lists the settings"


def _given(setting: Field[Any], sources: Iterable[Source]) -> tuple[str, object]:
    """Return how a setting was given, and its value; warn if its old name was given, too."""
    names = [*filter(None, (setting.name, setting.metadata["old_name"]))]
    given = [
        (name, spelled, value)
        for values, spelled in sources
        for name in names
        if (value := values.get(name)) not in (None, ())
    ]
    for name, spelled, _ in given:
        if name != setting.name:
            warning = f"{spelled(name)} is deprecated; use {spelled(setting.name)}"
            print(f"noughts: {warning}", file=sys.stderr)
            break
    for name, spelled, value in given:
        return spelled(name), value
    return option(setting.name), setting.default


def _text(setting: Field[Any], value: object) -> str:
    """Return a value as it is written in the environment. Raises ValueError."""
    if setting.name == "database_url" and isinstance(value, tuple | list):
        return "\n".join(map(str, value))
    if isinstance(setting.default, str) and not isinstance(value, str):
        raise ValueError("expected text in quotes")  # noqa: TRY004  # reported as all wrong values
    return str(value)


def _parse(setting: Field[Any], text: str) -> str | int:
    """Parse a value of this setting. Raises ValueError, which says what was expected."""
    if setting.name == "proxy" and not _names_proxies(text):
        raise ValueError("expected IP addresses or networks, separated by commas, or *")
    if setting.name == "host_name" and re.search(r"[^\w.:,\[\] -]", text):
        raise ValueError("expected names such as games.example, separated by commas")
    if setting.name == "frame_ancestors" and not ORIGINS.fullmatch(text):
        raise ValueError("expected origins such as https://school.example, separated by commas")
    if setting.name == "root_path" and not re.fullmatch(r"(/[\w.~-]+)*", text, re.ASCII):
        raise ValueError("expected a path such as /games, without a slash at its end")
    if setting.name == "root_path" and {*text.split("/")[1:2]} & OWN:
        raise ValueError("expected a path that does not begin like the server's own")
    if (choices := setting.metadata["choices"]) and text not in choices:
        raise ValueError(f"expected {' or '.join(choices)}")
    if isinstance(setting.default, str):
        if setting.default and not text:
            raise ValueError("expected a value")
        return text
    least, most = setting.metadata["least"], setting.metadata["most"]
    if not text.isdecimal() or not least <= int(text) <= (most or inf):
        bound = f" to {most}" if most else ""
        raise ValueError(f"expected a whole number from {least}{bound}")
    return int(text)


def _names_proxies(proxy: str) -> bool:
    """Return whether these are proxies; uvicorn accepts anything, and then trusts no proxy."""
    try:
        for name in proxy.split(",") if proxy not in ("", "*") else ():
            (ip_network if "/" in name else ip_address)(name.strip())
    except ValueError:
        return False
    return True
