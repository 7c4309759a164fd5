"""A database in use is copied, and the copy restored, as described in docs/operating.md."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from commands import SECONDS
from lab.faults.hosts import postgres_programs
from service.serving import (
    Postgres,
    Seat,
    elsewhere,
    missing,
    serving,
    speaking_to,
    two_friends,
)

PAGE = (Path(__file__).parents[2] / "docs" / "operating.md").read_text("utf-8")


def commands(*programs: str) -> list[str]:
    """Return the lines of the page that call these programs, in order."""
    section = PAGE[PAGE.index("## Back up and restore") : PAGE.index("## Monitor")]
    lines = re.findall(r"^(?:runuser -u postgres -- )?((?:\w+) .*)$", section, re.MULTILINE)
    return [line for line in lines if line.split()[0] in programs]


def run(command: str, folder: Path, **environment: str) -> None:
    """Run a command in a shell; it must succeed."""
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr


def test_backup_of_sqlite_is_restored(tmp_path: Path) -> None:
    if not shutil.which("sqlite3"):
        missing("sqlite3")
    file = tmp_path / "noughts.db"
    with serving(f"sqlite:///{file}") as server, speaking_to(server) as client:
        players = two_friends(client)
        assert players[0].move(1, 1).status_code == 201
        (command,) = commands("sqlite3")
        run(command.replace("/var/lib/noughts/noughts.db", "noughts.db"), tmp_path)
        before = players[0].state()
        assert players[1].move(0, 0).status_code == 201
    for name in ("noughts.db-wal", "noughts.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / "copy.db").replace(file)
    goes_on(f"sqlite:///{file}", players, before)


def test_backup_of_postgresql_is_restored(postgresql: Postgres, tmp_path: Path) -> None:
    postgresql.execute("CREATE DATABASE noughts")
    address = urlsplit(postgresql.database())
    database = urlunsplit(address._replace(path="/noughts"))
    environment = {
        "PGHOST": "127.0.0.1",
        "PGPORT": str(address.port),
        "PGUSER": "noughts",
        "PATH": f"{postgres_programs()}:{os.environ['PATH']}",
    }
    (dump,) = commands("pg_dump")
    with serving(database) as server, speaking_to(server) as client:
        players = two_friends(client)
        assert players[0].move(1, 1).status_code == 201
        run(dump, tmp_path, **environment)
        before = players[0].state()
        assert players[1].move(0, 0).status_code == 201
    for command in commands("dropdb", "createdb", "pg_restore"):
        run(command, tmp_path, **environment)
    goes_on(database, players, before)


def goes_on(database: str, players: tuple[Seat, Seat], before: dict[str, object]) -> None:
    """Check that the game is as it was when it was copied, and that it can be played on."""
    with serving(database) as server, speaking_to(server) as client:
        one, two = (elsewhere(player, client) for player in players)
        assert one.state() == before
        assert two.move(2, 2).status_code == 201
