"""The figures as tables; the last line of each states the requirement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from lab.load.capacity import needs

MOVES_PER_SECOND, POST_P99 = 2000, 100  # required with 100 games
ALL_SAW = 250  # ms, with 1000 watchers
MEGABYTES = 600  # with 5000 streams
ATTACKED_P99, ATTACKED_MEGABYTES = 250, 300  # for a player at another address, and for the server


def show(report: dict[str, Any]) -> None:
    """Print the report."""
    console = Console(highlight=False)
    workers = "1 process" if report["workers"] == 1 else f"{report['workers']} processes"
    if report["proxy"]:
        workers = f"2 servers behind {report['proxy']}"
    where = report["url"] or f"{report['database']}, {workers}"
    shared = f"{report['processors']} processors, shared with this client"
    if report["clock"]:
        shared += f"; {report['clock']} s per move"
    console.print(f"\n[bold]noughts under load[/]: {where}; {shared}")
    for part, table in (
        ("play", _games),
        ("watch", _watchers),
        ("idle", _streams),
        ("attack", _attack),
    ):
        if part in report:
            console.print()
            console.print(table(report[part]))
    if "costs" in report:
        console.print("", _figures("costs", report["costs"]))
        if report["database"].startswith("postgresql"):  # an SQLite file serves only one server
            found = needs(report["costs"], report["players"], report["pace"])
            title = f"{report['players']:,} players, one move per game in {report['pace']:g} s"
            console.print("", _figures(title, found._asdict()))


def _games(rows: list[dict[str, Any]]) -> Table:
    table = _table(
        "games", "moves\nper second", "POST ms\np50", "\np99", "\nmax", "seen ms\np50", "\np99"
    )
    for name in ("server\nCPU", "client\nCPU", "server\nµs/move", "proxy\nµs/move"):
        table.add_column(name, justify="right")
    for row in rows:
        post, seen = row["post_ms"] or {}, row["stream_ms"] or {}
        table.add_row(
            str(row["games"]),
            f"{row['moves_per_second']:,.0f}",
            *(_ms(post.get(name)) for name in ("p50", "p99", "max")),
            *(_ms(seen.get(name)) for name in ("p50", "p99")),
            _share(row["server_cpu"]),
            _share(row["client_cpu"]),
            *(_us(row[f"{who}_us_per_move"]) for who in ("server", "proxy")),
        )
    table.add_row("of 100:", f"≥ {MOVES_PER_SECOND:,}", "", f"< {POST_P99}", style="dim")
    return table


def _watchers(row: dict[str, Any]) -> Table:
    table = _table("watchers", "moves", "all saw, ms\nmedian", "\nmax")
    saw = row["all_saw_ms"]
    table.add_row(str(row["watchers"]), str(row["moves"]), _ms(saw["median"]), _ms(saw["max"]))
    table.add_row("of 1000:", "", f"≤ {ALL_SAW}", style="dim")
    return table


def _streams(row: dict[str, Any]) -> Table:
    table = _table("streams", "games", "memory MB\nbefore", "\nafter")
    memory = row["megabytes"]
    table.add_row(
        str(row["streams"]), str(row["games"]), _mb(memory["before"]), _mb(memory["after"])
    )
    table.add_row("of 5000:", "", "", f"< {MEGABYTES}", style="dim")
    return table


def _attack(row: dict[str, Any]) -> Table:
    table = _table(
        "seconds under attack", "moves", "POST ms\np50", "\np99", "\nmax", "memory MB\nmost"
    )
    post = [_ms(row["post_ms"][name]) for name in ("p50", "p99", "max")]
    table.add_row(f"{row['seconds']:.0f}", str(row["moves"]), *post, _mb(row["megabytes"]))
    table.add_row("", "", "", f"< {ATTACKED_P99}", "", f"< {ATTACKED_MEGABYTES}", style="dim")
    return table


def _figures(title: str, figures: Mapping[str, float]) -> Table:
    table = _table(title, "")
    for name, value in figures.items():
        table.add_row(name.replace("_", " "), f"{value:,.0f}" if value >= 100 else f"{value:.3g}")
    return table


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0))
    for number, name in enumerate(columns):
        table.add_column(name, justify="right" if number else "left", no_wrap=True)
    return table


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _us(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def _mb(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"
