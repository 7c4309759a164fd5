"""The costs of a move, a stream and a game, measured on one server for `capacity`."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

import httpx
from sqlalchemy import Engine, create_engine, text

from lab.load.play import play
from lab.load.process import Server, ServerFailed, started
from lab.load.watch import idle
from lab.load.wire import received

GAMES = 100  # simultaneous
BEATS = 30.0  # seconds; two heartbeats of the server
SIZES = {  # bytes of the tables, and bytes of the write-ahead log
    "sqlite": "SELECT page_count * page_size, 0 FROM pragma_page_count, pragma_page_size",
    "postgresql": "SELECT sum(pg_total_relation_size(relid)), pg_current_wal_lsn() - '0/0'::pg_lsn"
    " FROM pg_stat_user_tables",
}
COMMITS = re.compile(r"^noughts_commit_seconds_count (\S+)", re.MULTILINE)


async def costs(server: Server, seconds: float, streams: int) -> dict[str, float]:
    """Measure the costs of a move, a stream and a game.

    Returns:
        - ``moves``: moves per game;
        - ``server_us``, ``heard_us``, ``database_us``: processor time per move in µs, used by the
          server that receives it, by another server on the same database, and by PostgreSQL;
        - ``commits``, ``logged_bytes``, ``sent_bytes``: transactions, bytes in the database's log
          and bytes sent to both players, per move;
        - ``idle_us``, ``stream_bytes``: processor time in µs per second, and memory, per stream;
        - ``stored_bytes``: bytes per game, including indexes.

    Raises:
        ServerFailed: the server was not started here, so its database is unknown.
    """
    if server.database is None:
        raise ServerFailed("costs can only be measured on a new server: leave --url out")
    engine = create_engine(server.database)
    with ExitStack() as stack:
        stack.callback(engine.dispose)
        other = database = None
        if engine.dialect.name == "postgresql":
            other = stack.enter_context(started(server.database))
            database = Server("", _leader(engine))
        before = _counted(server, other, database, engine)
        played = await play(server, GAMES, seconds)
        after = _counted(server, other, database, engine)
    used = {name: after[name] - before[name] for name in after}
    quiet = await idle(server, streams, min(BEATS, 3 * seconds))
    memory, moves = quiet["megabytes"], used["moves"]
    return {
        "moves": moves / used["games"],
        "server_us": played["server_us_per_move"],
        "heard_us": used["heard"] / moves * 1e6,
        "database_us": used["database"] / moves * 1e6,
        "idle_us": quiet["server_us_per_stream_second"],
        "stream_bytes": (memory["after"] - memory["before"]) / streams * 1e6,
        "sent_bytes": used["sent"] / moves,
        "commits": used["commits"] / moves,
        "logged_bytes": used["logged"] / moves,
        "stored_bytes": used["stored"] / used["games"],
    }


def _counted(
    server: Server, other: Server | None, database: Server | None, engine: Engine
) -> dict[str, float]:
    """Return the work done and the resources used so far; processor time is in seconds."""
    with engine.connect() as connection:
        games = connection.scalar(text("SELECT count(*) FROM games"))
        moves = connection.scalar(text("SELECT count(*) FROM events WHERE kind = 'move'"))
        stored, logged = connection.execute(text(SIZES[engine.dialect.name])).one()
    commits = COMMITS.search(httpx.get(f"{server.url}/metrics").text)
    assert commits
    return {
        "games": games or 0,
        "moves": moves or 0,
        "stored": float(stored),
        "logged": float(logged),
        "commits": float(commits[1]),
        "sent": received(),
        "heard": other.cpu_seconds() or 0 if other else 0,
        "database": database.cpu_seconds() or 0 if database else 0,
    }


def _leader(engine: Engine) -> int:
    """Return the id of the local process that started all others of this PostgreSQL."""
    with engine.connect() as connection:
        backend = connection.scalar(text("SELECT pg_backend_pid()"))
    stat = Path(f"/proc/{backend}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[1])
