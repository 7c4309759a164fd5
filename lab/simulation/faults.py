"""The faults: each is a generator that starts, yields its duration in seconds, and heals.

Several happen at the same time, so a fault heals only what it has broken.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from random import Random

from lab.simulation.cluster import Cluster, Server
from lab.simulation.network import CLIENTS

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


async def server_paused(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    """Stop a process for a while: it goes on as if no time had passed."""
    if process := a_server(cluster, dice).process:
        process.pause()
        yield dice.uniform(0.5, 9)
        process.resume()


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


async def database_stalls(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    """Let a database answer late, perhaps after the server has given up."""
    database = dice.choice(cluster.databases)
    database.stall()
    yield dice.uniform(0.1, 8)
    database.go_on()


async def connections_lost(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    """Break connections to databases, before or after a commit."""
    network = cluster.network
    network.lost_before, network.lost_after = dice.uniform(0, 0.4), dice.uniform(0, 0.4)
    yield dice.uniform(0.5, 3)
    network.lost_before = network.lost_after = 0


async def network_slow(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    slower = dice.uniform(0.05, 0.5)
    cluster.network.delay += slower
    yield dice.uniform(1, 4)
    cluster.network.delay -= slower


async def responses_lost(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    cluster.network.unanswered = dice.uniform(0.1, 0.7)
    yield dice.uniform(1, 4)
    cluster.network.unanswered = 0


async def requests_repeated(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    """Bring requests twice, as some proxies try again."""
    cluster.network.repeated = dice.uniform(0.1, 0.7)
    yield dice.uniform(1, 4)
    cluster.network.repeated = 0


async def notifications_disturbed(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    """Lose, double and shuffle notifications."""
    network = cluster.network
    network.dropped, network.doubled = dice.uniform(0, 0.6), dice.uniform(0, 0.6)
    network.shuffled = True
    yield dice.uniform(1, 4)
    network.dropped = network.doubled = 0
    network.shuffled = False


async def listeners_cut(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    dice.choice(cluster.databases).cut_listeners()
    yield 0


async def server_cut_from_database(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    database = dice.choice(cluster.databases)
    link = a_server(cluster, dice).name, database.name
    cluster.network.cut.add(link)
    database.cut_listeners()
    yield dice.uniform(1, 6)
    cluster.network.cut.discard(link)


async def server_cut_from_clients(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    link = CLIENTS, a_server(cluster, dice).name
    cluster.network.cut.add(link)
    yield dice.uniform(1, 6)
    cluster.network.cut.discard(link)


async def streams_cut(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    """Reset the connections of some event streams."""
    streams = [*cluster.network.streams]
    for stream in dice.sample(streams, min(len(streams), dice.randint(1, 8))):
        stream.reset()
    yield 0


async def all_killed(cluster: Cluster, dice: Random) -> AsyncIterator[float]:
    """Kill every server: only the databases remember."""
    for server in cluster.servers:
        await server.kill()
    yield dice.uniform(0.1, 2)
    for server in cluster.servers:
        server.start()


def a_server(cluster: Cluster, dice: Random) -> Server:
    """Return a random server."""
    return dice.choice(cluster.servers)


FAULTS: dict[str, Fault] = {
    each.__name__: each
    for each in (
        server_killed,
        server_drained,
        server_paused,
        clock_jumps,
        database_crashed,
        database_stalls,
        connections_lost,
        network_slow,
        responses_lost,
        requests_repeated,
        notifications_disturbed,
        listeners_cut,
        streams_cut,
        server_cut_from_database,
        server_cut_from_clients,
        all_killed,
    )
}
"""The faults by name."""
HEAVY = {"server_killed": 2, "server_drained": 2, "all_killed": 1}
"""How often these happen, of `USUAL` times: after them hundreds of streams connect again."""
USUAL = 4


def often(names: list[str]) -> list[str]:
    """Return names of faults, each as often as it is to happen in a turn."""
    return [name for name in names for _ in range(HEAVY.get(name, USUAL))]
