"""The faults: each is a generator that starts, yields its duration in seconds, and heals."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from random import Random

from lab.simulation.cluster import Cluster, Process

Fault = Callable[[Cluster, Random], AsyncIterator[float]]
JUMP = 60  # seconds


async def server_killed(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    server = a_server(cluster, dice)
    await server.kill()
    yield dice.uniform(0.1, 3)
    server.start()


async def server_drained(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    server = a_server(cluster, dice)
    await server.drain()
    yield 0
    server.start()


async def clock_jumps(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    server = a_server(cluster, dice)
    server.offset = dice.choice([-JUMP, JUMP])
    yield dice.uniform(1, 4)
    server.offset = 0


async def database_crashed(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    database = dice.choice(cluster.databases)
    database.crash()
    yield dice.uniform(0, 3)
    database.up = True


async def connections_lost(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    """Break connections to databases, before or after a commit."""
    network = cluster.network
    network.lost_before, network.lost_after = dice.uniform(0, 0.4), dice.uniform(0, 0.4)
    yield dice.uniform(0.5, 3)
    network.lost_before = network.lost_after = 0


async def network_slow(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    before, cluster.network.delay = cluster.network.delay, dice.uniform(0.05, 0.5)
    yield dice.uniform(1, 4)
    cluster.network.delay = before


async def responses_lost(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    cluster.network.unanswered = dice.uniform(0.1, 0.7)
    yield dice.uniform(1, 4)
    cluster.network.unanswered = 0


async def notifications_disturbed(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    """Lose, double and shuffle notifications."""
    network = cluster.network
    network.dropped, network.doubled = dice.uniform(0, 0.6), dice.uniform(0, 0.6)
    network.shuffled = True
    yield dice.uniform(1, 4)
    # A connection that loses messages has ended: whoever listens connects again, and looks.
    for database in cluster.databases:
        database.cut_listeners()
    network.dropped = network.doubled = 0
    network.shuffled = False


async def listeners_cut(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    dice.choice(cluster.databases).cut_listeners()
    yield 0


async def server_cut_from_database(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    database = dice.choice(cluster.databases)
    link = a_server(cluster, dice).name, f"database-{database.number}"
    cluster.network.cut.add(link)
    database.cut_listeners()
    yield dice.uniform(1, 6)
    cluster.network.cut.discard(link)


async def server_cut_from_players(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    link = "players", a_server(cluster, dice).name
    cluster.network.cut.add(link)
    yield dice.uniform(1, 6)
    cluster.network.cut.discard(link)


def a_server(cluster: Cluster, dice: Random) -> Process:
    """Return a random server."""
    return dice.choice([*cluster.processes.values()])


FAULTS: dict[str, Fault] = {
    each.__name__: each
    for each in (
        server_killed,
        server_drained,
        clock_jumps,
        database_crashed,
        connections_lost,
        network_slow,
        responses_lost,
        notifications_disturbed,
        listeners_cut,
        server_cut_from_database,
        server_cut_from_players,
    )
}
"""The faults by name."""
