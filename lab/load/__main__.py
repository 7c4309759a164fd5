"""Load a game server: ``script/lab load``."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal, get_args

import click
import uvloop
from rich.console import Console

from lab.load.attack import attacked
from lab.load.costs import costs
from lab.load.play import play
from lab.load.process import Server, ServerFailed, require_loopback, started
from lab.load.proxy import Program, proxied
from lab.load.report import show
from lab.load.watch import idle, watch
from lab.load.wire import Address, LoadError, first
from noughts.cli.options import Number
from noughts.system import allow_many_files

MANY = 8000  # connections that the proxy accepts, all from one address
Part = Literal["play", "watch", "idle", "attack", "costs"]
Measure = Callable[[Server], Awaitable[Any]]


def numbers(text: str) -> list[int]:
    """Read numbers from 1 to 1000, separated by commas."""
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not found or not all(1 <= number <= 1000 for number in found):
        raise click.BadParameter(f"expected numbers from 1 to 1000 such as 1,20,100, got {text!r}")
    return found


@click.command(context_settings={"show_default": True})
@click.option(
    "--games", default="1,20,100", help="Numbers of simultaneous 3×3 games, one run for each."
)
@click.option(
    "--seconds",
    type=Number(0.1, 600),
    default=10,
    help="Measured seconds of each run.",
)
@click.option(
    "--clock",
    type=click.IntRange(1),
    help="Seconds per move on the players' clocks.",
    show_default="no clocks",
)
@click.option(
    "--watchers", type=click.IntRange(1, 10_000), default=1000, help="Watchers of one game."
)
@click.option(
    "--streams",
    type=click.IntRange(1, 20_000),
    default=5000,
    help="Number of idle event streams.",
)
@click.option(
    "--players",
    type=click.IntRange(2, 1_000_000_000),
    default=1_000_000,
    help="Simultaneous players to estimate resources for, with --only costs.",
)
@click.option(
    "--pace",
    type=Number(0.1, 86400),
    default=10,
    help="Seconds between two moves of a game, with --only costs.",
)
@click.option("--only", type=click.Choice(get_args(Part)), help="Measure only this.")
@click.option(
    "--database-url",
    "database",
    help="Database, such as postgresql+psycopg://USER@127.0.0.1/NAME; its games are kept.",
    show_default="an SQLite file that is deleted afterwards",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    help="Number of servers, of one process each; more than one needs PostgreSQL.",
)
@click.option(
    "--routed",
    is_flag=True,
    help="Send all requests about a game to one of the servers, as the proxies in deploy/ do.",
)
@click.option(
    "--proxy",
    type=click.Choice(get_args(Program)),
    help="Run two servers behind this proxy, configured as in deploy/; needs PostgreSQL.",
)
@click.option("--url", help="A running server on this machine, with its limits disabled.")
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path),
    help="Also write the figures to this file.",
)
def load(
    games: str,
    seconds: float,
    clock: int | None,
    watchers: int,
    streams: int,
    players: int,
    pace: float,
    only: Part | None,
    database: str | None,
    workers: int,
    routed: bool,
    proxy: Program | None,
    url: str | None,
    json_file: Path | None,
) -> None:
    """Measure a game server over real HTTP: moves, watchers, idle streams, an attack.

    With `--only costs`, measure the cost of a move, a stream and a game, and estimate the resources
    for many players.

    The program starts its own server. Each player has an event stream, and moves when the stream
    shows their turn. Both players and the log must contain every confirmed move once and in order.
    Exit status: 1 if they do not, whatever the figures are.
    """
    counts = numbers(games)
    if url:
        require_loopback(url)
    elif database and not database.startswith("sqlite"):
        require_loopback(database)
    allow_many_files()
    report: dict[str, Any] = {
        "url": url,
        "database": (database or "sqlite").partition(":")[0],
        "workers": workers,
        "routed": routed,
        "proxy": proxy,
        "clock": clock,
        "players": players,
        "pace": pace,
        "processors": os.cpu_count(),
    }
    parts: dict[Part, Measure] = {
        "play": lambda server: each(server, counts, seconds, clock, routed),
        "watch": lambda server: watch(server, watchers),
        "idle": lambda server: idle(server, streams, min(seconds, 5)),
        "attack": lambda server: attacked(server, seconds),
        "costs": lambda server: costs(server, seconds, streams),
    }
    for part, measure in parts.items():
        if part == only or (not only and part != "costs"):
            limited = part == "attack"
            with (
                progress(f"{part} …"),
                server_at(url, database, workers, proxy, limited) as server,
            ):
                report[part] = run(measure(server))
    show(report)
    if json_file:
        json_file.write_text(json.dumps(report, indent=2) + "\n")


async def each(
    server: Server, counts: list[int], seconds: float, clock: int | None, routed: bool
) -> list[dict[str, Any]]:
    """Play one run for each number of games."""
    return [await play(server, games, seconds, clock, routed) for games in counts]


@contextmanager
def server_at(
    url: str | None, database: str | None, workers: int, proxy: Program | None, limited: bool
) -> Iterator[Server]:
    """Yield the running server, or new ones, which may be two behind a proxy."""
    if url:
        yield Server(url.rstrip("/"))
        return
    with ExitStack() as stack:
        trusted = ["--proxy=127.0.0.1"] if proxy else []
        ran = [
            stack.enter_context(started(database, limited, *trusted))
            for _ in range(2 if proxy else workers)
        ]
        pids = [pid for each in ran for pid in each.pids]
        if proxy:
            ports = [Address(each.url).port for each in ran]
            front = stack.enter_context(proxied(proxy, ports, MANY, MANY))
            yield Server(front.url, *pids, proxy=front.pids[0])
        else:
            first, *others = [each.url for each in ran]
            yield Server(first, *pids, others=others, database=ran[0].database)


@contextmanager
def progress(text: str) -> Iterator[None]:
    """Show this text on a terminal while the measurement runs."""
    with Console(stderr=True).status(text):
        yield


def run(measure: Awaitable[Any]) -> Any:
    """Run a measurement to its end."""

    async def main() -> Any:
        return await measure

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main())


def main() -> None:
    """Run the command and print errors in one line."""
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        load(standalone_mode=False)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (LoadError, ServerFailed, TimeoutError, ExceptionGroup, OSError) as error:
        found = first(error)
        if not isinstance(found, LoadError | ServerFailed | TimeoutError | OSError):
            raise
        sys.exit(f"noughts: {str(found) or 'the server took too long'}")


main()
