"""The faults: each is a generator that starts, yields its duration in seconds, and heals."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from random import Random

import psycopg

from lab.faults.hosts import CONNECTIONS, PORT, Bed
from lab.faults.network import GOOD, Host, Link

Fault = Callable[[Bed, Random], Iterator[float]]
CUT = Link(cut=True)
POOR = Link(delay=0.1, loss=0.05)  # 200 ms round trip
PAUSE = 20.0  # seconds
JUMP = 3600  # seconds


def server_killed(bed: Bed, dice: Random) -> Iterator[float]:
    server = dice.choice(bed.servers)
    server.end(signal.SIGKILL)
    yield dice.uniform(1, 5)
    server.start()


def server_restarted(bed: Bed, dice: Random) -> Iterator[float]:
    server = dice.choice(bed.servers)
    server.end(signal.SIGTERM)
    yield 0
    server.start()


def server_paused(bed: Bed, dice: Random) -> Iterator[float]:
    server = dice.choice(bed.servers)
    server.signal(signal.SIGSTOP)
    yield PAUSE
    server.signal(signal.SIGCONT)


def clock_jumps(bed: Bed, dice: Random) -> Iterator[float]:
    server = dice.choice(bed.servers)
    server.set_clock(dice.choice([-JUMP, JUMP]))
    yield dice.uniform(3, 8)
    server.set_clock(0)


def server_cut_from_database(bed: Bed, dice: Random) -> Iterator[float]:
    return linked(bed, dice, databases(bed), CUT)


def server_cut_from_players(bed: Bed, dice: Random) -> Iterator[float]:
    return linked(bed, dice, [bed.players], CUT)


def server_cut_from_all(bed: Bed, dice: Random) -> Iterator[float]:
    return linked(bed, dice, bed.hosts, CUT)


def database_far_from_server(bed: Bed, dice: Random) -> Iterator[float]:
    return linked(bed, dice, databases(bed), POOR)


def players_far_from_server(bed: Bed, dice: Random) -> Iterator[float]:
    return linked(bed, dice, [bed.players], POOR)


def standby_cut_from_primary(bed: Bed, dice: Random) -> Iterator[float]:
    bed.link(bed.standby.host, [bed.primary.host], CUT)
    yield dice.uniform(3, 8)
    bed.link(bed.standby.host, [bed.primary.host], GOOD)


def database_restarted(bed: Bed, _: Random) -> Iterator[float]:
    bed.primary.end(signal.SIGINT)
    yield 0
    bed.primary.start()


def database_crashed(bed: Bed, dice: Random) -> Iterator[float]:
    bed.primary.end(signal.SIGQUIT)
    yield dice.uniform(0, 3)
    bed.primary.start()


def primary_lost(bed: Bed, dice: Random) -> Iterator[float]:
    bed.lose_primary()
    yield dice.uniform(1, 5)
    bed.promote()


def disk_full(bed: Bed, dice: Random) -> Iterator[float]:
    bed.primary.fill()
    yield dice.uniform(4, 8)
    bed.primary.empty()


def connections_used_up(bed: Bed, dice: Random) -> Iterator[float]:
    """Take every connection of the database, including the servers'."""
    address = f"host={bed.primary.host.address} port={PORT} user=noughts dbname=noughts"
    held = []
    for _ in range(2 * CONNECTIONS):
        try:
            held.append(psycopg.connect(address, autocommit=True, application_name="hog"))
        except psycopg.OperationalError:
            held[0].execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE usename = 'noughts' AND application_name NOT IN ('hog', 'walreceiver')"
            )
    yield dice.uniform(3, 8)
    for connection in held:
        connection.close()


def linked(bed: Bed, dice: Random, others: list[Host], link: Link) -> Iterator[float]:
    """Change the links between a random server and these hosts for a while."""
    host = dice.choice(bed.servers).host
    bed.link(host, others, link)
    yield dice.uniform(3, 10)
    bed.link(host, others, GOOD)


def databases(bed: Bed) -> list[Host]:
    return [bed.primary.host, bed.standby.host]


FAULTS: dict[str, Fault] = {
    fault.__name__: fault
    for fault in (
        server_killed,
        server_restarted,
        server_paused,
        server_cut_from_database,
        server_cut_from_players,
        server_cut_from_all,
        database_far_from_server,
        players_far_from_server,
        standby_cut_from_primary,
        database_restarted,
        database_crashed,
        primary_lost,
        disk_full,
        connections_used_up,
        clock_jumps,
    )
}


def in_turn(names: list[str], dice: Random) -> Iterator[str]:
    """Yield these faults for ever in random order, each equally often."""
    while True:
        dice.shuffle(names)
        yield from names
