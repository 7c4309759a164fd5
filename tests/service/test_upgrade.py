"""The last release is replaced by this version and back while people play; then a restore.

Both versions share a database, behind HAProxy as in `deploy/`. Until there is a release,
`data/released` names a commit.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic, sleep
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import httpx
import psycopg
import pytest
from playwright.sync_api import expect

from lab.faults.check import check, checked
from lab.faults.history import History, Record, read
from lab.faults.hosts import postgres_programs
from lab.faults.players import GAMES, Place
from lab.faults.run import logs
from lab.load.proxy import proxied
from noughts.service.store import migrations
from noughts.system import allow_many_files
from page.browsing import cell, visiting
from service.serving import (
    Postgres,
    Seat,
    Server,
    created,
    free_port,
    missing,
    serving,
    speaking_to,
    unmeasured_processes,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
RELEASED = Path(__file__).parent / "data" / "released"
TABLES = 100
PACE = 2.0, 4.0  # seconds between two actions of a player
SLOWEST = 2.0  # seconds that a move may take
TICK = 0.05  # seconds between two looks

pytestmark = [pytest.mark.tier2("process"), pytest.mark.usefixtures("unmeasured")]


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """Unpack the package of the last release; without compiled code it is only slower."""
    commit = RELEASED.read_text().strip()
    done = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, capture_output=True)
    if done.returncode:
        pytest.skip(f"there is no history with {commit}")
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        archive.extractall(tmp_path / "released", filter="data")
    return tmp_path / "released" / "src"


@pytest.fixture
def next_schema(tmp_path: Path) -> str:
    """Return code that gives a server one more revision of the tables, to upgrade them to."""
    folder, number = tmp_path / "revisions", f"{int(migrations.HEAD[:4]) + 1:04}"
    folder.mkdir()
    for path in migrations.FOLDER.glob("m*.py"):
        shutil.copyfile(path, folder / path.name)
    (folder / f"m{number}.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\n"
        f"revision, down_revision, release = {number!r}, {migrations.HEAD!r}, 'next'\n"
        "def upgrade():\n"
        "    op.add_column('games', sa.Column('next', sa.Text))\n"
        "    op.add_column('events', sa.Column('next', sa.Integer, server_default='0'))\n"
        "    op.create_index('next', 'games', ['next'])\n"
    )
    return (
        "from pathlib import Path\nfrom noughts.service.store import migrations\n"
        f"migrations.HEAD = {number!r}\n"
        f"migrations.upgrade.__defaults__ = 'head', Path({str(folder)!r})\n"
    )


class Site:
    """Two servers of the last release, which are replaced one after the other."""

    def __init__(self, database: str, released: Path, next_schema: str, stack: ExitStack) -> None:
        self._database = database
        self._versions: dict[str, dict[str, Any]] = {
            "released": {"version": released},
            "this": {"before": next_schema},
        }
        self._stack = stack
        self.ports = [free_port(), free_port()]
        self._servers = [self._start("released", port) for port in self.ports]

    def replace_all(self, version: str) -> Iterator[None]:
        """Replace the servers by this version, one in each step."""
        for number, port in enumerate(self.ports):
            log = self._servers[number].stop()
            assert self._servers[number].process.returncode == 0, log
            assert "Traceback" not in log
            self._servers[number] = self._start(version, port)
            yield

    def _start(self, version: str, port: int) -> Server:
        options = self._versions[version]
        server = Server(self._database, "--proxy=127.0.0.1", port=port, **options)
        self._stack.callback(server.stop)
        while httpx.get(f"{server.url}/readyz").status_code != 200:
            sleep(TICK)
        return server


class Crowd:
    """People at many tables, in a thread of their own, who retry what fails."""

    def __init__(self, url: str, file: Path, elsewhere: str) -> None:
        self._elsewhere = elsewhere  # a database that no server uses
        self.history = History(file)
        games = [wish for wish, _ in zip(cycle(GAMES), range(TABLES), strict=False)]
        self._place = Place([url], self.history, Random(1), games)
        self._place.pace = PACE
        self.late = 0.0  # the most seconds that the machine itself took
        self._thread = Thread(target=asyncio.run, args=[self._play()])
        self._thread.start()

    async def _play(self) -> None:
        self._loop = asyncio.get_running_loop()
        await asyncio.gather(self._place.play(), self._look())

    async def _look(self) -> None:
        """Measure how long a pause and a transaction take that need none of the servers."""
        url = self._elsewhere.replace("+psycopg", "")
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
            await connection.execute("CREATE TABLE IF NOT EXISTS ticks (at timestamptz)")
            while not self._place.ending.is_set():
                before = monotonic()
                await asyncio.sleep(TICK)
                await connection.execute("INSERT INTO ticks VALUES (now())")
                self.late = max(self.late, monotonic() - before - TICK)

    def wait(self) -> None:
        """Wait until as many players as there are tables have succeeded from now on."""
        begun = monotonic()
        while sum(at > begun for at in [*self._place.through.values()]) < TABLES:
            assert self._thread.is_alive()
            sleep(TICK)

    def end(self) -> None:
        """Let everyone finish what they are doing."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._place.ending.set)
            self._thread.join()
        self.history.close()


@contextmanager
def crowd(url: str, file: Path, elsewhere: str) -> Iterator[Crowd]:
    """Let people play in this context."""
    people = Crowd(url, file, elsewhere)
    try:
        yield people
    finally:
        people.end()


@contextmanager
def archiving() -> Iterator[tuple[Postgres, str]]:
    """Run a PostgreSQL that archives its log, in the folder that is yielded, too."""
    programs = postgres_programs() or missing("PostgreSQL")
    with TemporaryDirectory(prefix="noughts-pg-") as folder:
        archive = f"{folder}/archive"
        command = f"mkdir -p {archive} && cp %p {archive}/%f"
        found = Postgres(folder, programs, f"-c archive_mode=on -c archive_command='{command}'")
        try:
            yield found, archive
        finally:
            found.kill()


@contextmanager
def recovered(folder: str, archive: str, moment: str) -> Iterator[Postgres]:
    """Run the copied PostgreSQL as it was at this time."""
    programs = postgres_programs()
    assert programs
    settings = f"-c restore_command='cp {archive}/%f %p' -c recovery_target_time='{moment}'"
    found = Postgres(folder, programs, f"{settings} -c recovery_target_action=promote")
    try:
        while found.execute("SELECT pg_is_in_recovery()"):
            sleep(TICK)
        yield found
    finally:
        found.kill()


def moves_on(seat: Seat, page: Page, number: int) -> None:
    """Play the next cell of the watched game; the page must show it."""
    row, col = divmod(number, 9)
    assert seat.move(row, col).status_code == 201
    expect(cell(page, row + 1, col + 1)).to_have_accessible_name(
        re.compile(rf", {'XO'[number % 2]}")
    )


def test_upgrade_rollback_and_restore_lose_nothing(
    browser: Browser, released: Path, next_schema: str, tmp_path: Path
) -> None:
    for needed in ("haproxy", "openssl"):
        if shutil.which(needed) is None:
            missing(needed)
    allow_many_files()
    file = tmp_path / "history"
    with ExitStack() as stack, TemporaryDirectory(prefix="noughts-pg-") as copy:
        stack.enter_context(unmeasured_processes())
        postgres, archive = stack.enter_context(archiving())
        database = postgres.database()
        site = Site(database, released, next_schema, stack)
        proxy = stack.enter_context(proxied("haproxy", site.ports, by_address=3000))
        client = stack.enter_context(speaking_to(proxy))
        seat = created(client, shape=[9, 9], k=9, opponent="self")
        port = httpx.URL(proxy.url).port
        front = cast("Server", SimpleNamespace(url=proxy.url, port=port))
        people = stack.enter_context(visiting(browser, front))
        page = people.come(f"/g/{seat.id}", ignore_https_errors=True)
        playing = stack.enter_context(crowd(proxy.url, file, postgres.url("postgres")))
        moves_on(seat, page, 0)
        postgres.copy(copy)
        for number, version in enumerate(["this", "released"]):
            for step, _ in enumerate(site.replace_all(version)):
                moves_on(seat, page, 1 + 2 * number + step)
                playing.wait()
            revision = postgres.execute("SELECT version_num FROM alembic_version", database)
            assert revision > migrations.HEAD  # by this version; the last release goes on with it
        moment, mark = postgres.execute("SELECT clock_timestamp()::text"), monotonic()
        moves_on(seat, page, 5)
        playing.wait()
        playing.end()
        postgres.execute("SELECT pg_switch_wal()")
        history, games = read(file), {log["game"]: log for log in logs(database)}
        watched = games.pop(seat.id)["events"]
        assert [event["cell"] for event in watched] == [*range(6)]
        history += [{"what": "log", **log} for log in games.values()]
        assert check(history) == []
        slow = slowest(history)
        print(f"the slowest request took {slow:.2f} s; the machine {playing.late:.2f} s")
        # A request passes its client, the proxy, a server and the database; each may be late.
        assert slow < SLOWEST + 4 * playing.late, (slow, playing.late)
        with recovered(copy, archive, moment) as restored:
            goes_on(restored.url(database.rpartition("/")[2]), history, mark, seat, watched)


def slowest(history: list[Record]) -> float:
    """Return the most seconds from the first attempt of a request to its answer."""
    answered = [
        min(answer["at"] for answer in request.answers if answer["status"] < 500) - request.at
        for request in checked(history).requests
    ]
    return max(answered, default=0.0)


def goes_on(
    database: str, history: list[Record], mark: float, seat: Seat, watched: list[Record]
) -> None:
    """Check a restored database: it has what was confirmed before the mark, and it serves."""
    whole = {record["game"]: record["events"] for record in history if record["what"] == "log"}
    whole[seat.id] = watched
    kept = {log["game"]: log["events"] for log in logs(database)}
    assert all(events == whole[game][: len(events)] for game, events in kept.items())
    assert kept[seat.id] == watched[:-1]  # the last move came later
    for request in checked(history).requests:
        if request.game and any(answer["at"] < mark for answer in request.confirmed):
            keys = {event["key"] for event in kept[request.game]}
            assert request.body["key"] in keys, request.name
    with serving(database) as server, speaking_to(server) as client:
        assert Seat(client, seat.id, seat.token).move(8, 8).status_code == 201
        new = {created(client).id for _ in range(TABLES)}
    assert len(new) == TABLES
    assert not new & whole.keys()
