"""How far a game server goes: what so many players need, from what each of them costs."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

FULL = 0.6  # of a core: above it moves wait for one another
DATABASE_CORES = 16  # of the machine of a database
DAY = 24 * 3600


class Needs(NamedTuple):
    """What so many players at once need."""

    games: float  # begun a second
    moves: float  # a second
    databases: int
    database_cores: float  # in use, of all databases together
    servers: int  # processes, each on a core of its own
    streams: float  # of each server
    memory: float  # of the streams of all servers, in bytes
    sent: float  # to players, in bytes a second; without the headers of TCP and TLS
    commits: float  # a second and database
    logged: float  # in bytes a second and database
    stored: float  # in bytes a day, by all databases


def needs(costs: Mapping[str, float], players: int, pace: float) -> Needs:
    """What so many players at once need, two in each game, a move every `pace` seconds in each.

    Servers on one database hear of each other's moves: each of them spends `heard_us` on every move
    of all the others. So many servers share a database that this takes half of what each can do, or
    fewer if the database itself is full.
    """
    moves = players / 2 / pace
    most = DATABASE_CORES * FULL / costs["database_us"] if costs["database_us"] else moves
    if costs["heard_us"]:
        most = min(most, FULL / 2 / costs["heard_us"])
    databases = ceil(moves / (most * 1e6))
    here = moves / databases  # moves a second and database
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
