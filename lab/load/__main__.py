"""Puts a game server under load. See `script/lab load --help`."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
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
from lab.load.wire import Address, LoadError
from noughts.cli.options import Number
from noughts.system import allow_many_files

MANY = 8000  # connections that the proxy takes, all from one address
Part = Literal["play", "watch", "idle", "attack", "costs"]
Measure = Callable[[Server], Awaitable[Any]]


def numbers(text: str) -> list[int]:
    """Numbers with commas between them, each from 1 to 1000."""
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not found or not all(1 <= number <= 1000 for number in found):
        raise click.BadParameter("write numbers from 1 to 1000, as in 1,20,100")
    return found


@click.command(context_settings={"show_default": True})
@click.option("--games", default="1,20,100", help="How many 3×3 games at once, one run for each.")
@click.option(
    "--seconds",
    type=Number(0.1, 600),
    default=10,
    help="How long each run is measured.",
)
@click.option(
    "--clock",
    type=click.IntRange(1),
    help="Seconds that players may think about a move.",
    show_default="no clocks",
)
@click.option(
    "--watchers", type=click.IntRange(1, 10_000), default=1000, help="Who watch one game."
)
@click.option(
    "--streams",
    type=click.IntRange(1, 20_000),
    default=5000,
    help="Event streams in which nothing happens.",
)
@click.option(
    "--players",
    type=click.IntRange(2, 1_000_000_000),
    default=1_000_000,
    help="At once: say what they need, by the costs of a move, a stream and a game.",
)
@click.option(
    "--pace", type=Number(0.1, 86400), default=10, help="From one move of their game to the next."
)
@click.option("--only", type=click.Choice(get_args(Part)), help="Measure this alone.")
@click.option(
    "--database",
    help="postgresql+psycopg://USER@127.0.0.1/NAME: the games stay in it.",
    show_default="an SQLite file that is deleted afterwards",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    help="Server processes; several need PostgreSQL.",
)
@click.option(
    "--proxy",
    type=click.Choice(get_args(Program)),
    help="Two servers behind it, as deploy/ configures it; they need PostgreSQL.",
)
@click.option("--url", help="A server on this machine that runs already, its limits off.")
@click.option(
    "--json", "json_file", type=click.Path(path_type=Path), help="Write the figures there too."
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
    proxy: Program | None,
    url: str | None,
    json_file: Path | None,
) -> None:
    """Measure what a game server carries: moves, watchers, idle streams, an attack, over real HTTP.

    `--only costs` measures what a move, a stream and a game cost, and says what many players need.

    It starts a server of its own. Each player has an event stream, and moves when the stream
    shows its turn. That every confirmed move was seen once, in order, by both players and in the
    log is checked; the exit status is 1 if not, whatever the figures are.
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
        "proxy": proxy,
        "clock": clock,
        "players": players,
        "pace": pace,
        "processors": os.cpu_count(),
    }
    parts: dict[Part, Measure] = {
        "play": lambda server: each(server, counts, seconds, clock),
        "watch": lambda server: watch(server, watchers),
        "idle": lambda server: idle(server, streams, min(seconds, 5)),
        "attack": lambda server: attacked(server, seconds),
        "costs": lambda server: costs(server, seconds, streams),
    }
    for part, measure in parts.items():
        if part == only or (not only and part != "costs"):
            limited = part == "attack"
            with (
                told(f"{part} …"),
                server_at(url, database, workers, proxy, limited) as server,
            ):
                report[part] = run(measure(server))
    show(report)
    if json_file:
        json_file.write_text(json.dumps(report, indent=2) + "\n")


async def each(
    server: Server, counts: list[int], seconds: float, clock: int | None
) -> list[dict[str, Any]]:
    """One run for each number of games."""
    return [await play(server, games, seconds, clock) for games in counts]


@contextmanager
def server_at(
    url: str | None, database: str | None, workers: int, proxy: Program | None, limited: bool
) -> Iterator[Server]:
    """The server that runs there, or else a new one, or two behind a proxy."""
    if url:
        yield Server(url.rstrip("/"))
    elif proxy:
        believed = "--proxy=127.0.0.1"
        with (
            started(database, 1, limited, believed) as one,
            started(database, 1, limited, believed) as two,
            proxied(proxy, [Address(each.url).port for each in (one, two)], MANY, MANY) as front,
        ):
            yield Server(front.url, *one.pids, *two.pids, proxy=front.pids[0])
    else:
        with started(database, workers, limited) as server:
            yield server


@contextmanager
def told(what: str) -> Iterator[None]:
    """Say what is being done, on a terminal, while it is done."""
    with Console(stderr=True).status(what):
        yield


def run(measure: Awaitable[Any]) -> Any:
    """Run until it is measured."""

    async def main() -> Any:
        return await measure

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main())


def first(error: BaseException) -> BaseException:
    """The first of the errors in a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def main() -> None:
    """Run, and say in one line what went wrong."""
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
