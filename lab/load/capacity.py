"""Resources for a number of players, estimated from the costs of a move, a stream and a game."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

FULL = 0.6  # of a core; above it, moves queue
DATABASE_CORES = 16  # of a database machine
DAY = 24 * 3600


class Needs(NamedTuple):
    """Resources for a number of simultaneous players."""

    games: float  # started per second
    moves: float  # per second
    databases: int
    database_cores: float  # in use, all databases together
    servers: int  # processes, each on its own core
    streams: float  # per server
    memory: float  # bytes for the streams of all servers
    sent: float  # bytes per second to players, without the headers of TCP and TLS
    commits: float  # per second and database
    logged: float  # bytes per second and database
    stored: float  # bytes per day, all databases together


def needs(costs: Mapping[str, float], players: int, pace: float) -> Needs:
    """Estimate the resources for `players`, two per game, with a move per game every `pace` s.

    Servers on one database receive each other's moves, and each spends `heard_us` on every move of
    the others. Servers are added to a database until this takes half of their capacity, or until
    the database itself is full.
    """
    moves = players / 2 / pace
    most = DATABASE_CORES * FULL / costs["database_us"] if costs["database_us"] else moves
    if costs["heard_us"]:
        most = min(most, FULL / 2 / costs["heard_us"])
    databases = ceil(moves / (most * 1e6))
    here = moves / databases  # moves per second and database
    heard = here * costs["heard_us"] / 1e6
    own = here * (costs["server_us"] - costs["heard_us"]) / 1e6
    quiet = players / databases * costs["idle_us"] / 1e6
    servers = databases * ceil((own + quiet) / (FULL - heard))
    return Needs(
        games=moves / costs["moves"],
        moves=moves,
        databases=databases,
        database_cores=moves * costs["database_us"] / 1e6,
        servers=servers,
        streams=players / servers,
        memory=players * costs["stream_bytes"],
        sent=moves * costs["sent_bytes"],
        commits=here * costs["commits"],
        logged=here * costs["logged_bytes"],
        stored=moves / costs["moves"] * costs["stored_bytes"] * DAY,
    )
