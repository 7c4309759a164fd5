"""Games and verdicts in an object store: an unreliable server of the S3 protocol."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.request import urlopen

import fsspec
import pyarrow.parquet as pq
import pytest
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

from bulk.batching import run
from bulk.test_cluster import Stop, on_cluster, scheduler, worker, write_games
from commands import NOUGHTS, SECONDS, started

pytestmark = [pytest.mark.compiled("noughts.bulk._judge"), pytest.mark.tier2("network")]


class Store:
    """An S3 server that can be slow, too busy, or truncate its responses."""

    def __init__(self) -> None:
        self._app: Any = DomainDispatcherApplication(create_backend_app)
        self._requests = count()
        self.bad = False
        self.cut_off = ""  # the key of an object whose responses are truncated

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        number, method = next(self._requests), environ["REQUEST_METHOD"]
        if self.bad and number % 9 == 8:
            Event().wait(0.05)
        if self.bad and number % 31 == 30:
            start("503 Slow Down", [("Content-Length", "0")])
            return []
        answer = b"".join(self._app(environ, start))
        path = environ["PATH_INFO"]
        return [answer[:-5] if method == "GET" and self.cut_off in path[1:].split("?") else answer]


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    app = Store()
    server = make_server("127.0.0.1", 0, app, threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.port}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    urlopen(f"http://127.0.0.1:{server.port}/moto-api/reset", b"").close()  # one for all tests
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    s3 = fsspec.filesystem("s3")
    for bucket in ("games", "verdicts"):
        s3.mkdir(bucket)
    try:
        yield app
    finally:
        s3.clear_instance_cache()
        server.shutdown()
        server.server_close()


def tables(s3: Any) -> dict[str, Any]:
    s3.invalidate_cache()
    return {
        Path(name).name: pq.read_table(s3.open(name)) for name in s3.glob("verdicts/**/*.parquet")
    }


def test_unreliable_store_and_dead_worker_lose_and_repeat_nothing(
    store: Store, tmp_path: Path
) -> None:
    files, s3 = write_games(tmp_path / "games", 16), fsspec.filesystem("s3")
    s3.put([str(file) for file in files], "games/2024/")
    stop = Stop(tmp_path / "stop", 5)  # each partition has three batches
    where = ("s3://games/*/*.parquet", "--out", "s3://verdicts/all")
    store.bad, store.cut_off = True, "games/2024/part-7.parquet"
    with (
        scheduler() as address,
        worker(address, tmp_path),
        worker(address, tmp_path, stop) as doomed,
        started(NOUGHTS, "judge", "--scheduler", address, *where) as judging,
    ):
        stop.wait()
        doomed.send_signal(signal.SIGKILL)
        errors = judging.communicate(timeout=SECONDS)[1].decode()
        assert "noughts: s3://games/2024/part-7.parquet: " in errors
        assert "\n16 partitions: 15 judged, 1 failed\n585 games" in errors
        assert judging.returncode == 2
        found = tables(s3)
        assert len(found) == 15

        store.bad, store.cut_off = False, ""
        s3.put(str(files[3]), "games/2024/part-3.parquet")  # unchanged, and so is its ETag
        s3.put(str(files[4]), "games/2024/part-5.parquet")
        again = on_cluster(address, *where)
        assert "16 partitions: 2 judged, 14 finished before\n624 games" in again.stderr
    found = tables(s3)
    alone = tmp_path / "alone.parquet"
    for number, file in enumerate(files):
        assert run(files[4] if number == 5 else file, "--out", alone).exit_code == 1
        assert found[file.name].equals(pq.read_table(alone))


def test_judge_reads_and_writes_objects(store: Store, tmp_path: Path) -> None:
    (file,), s3 = write_games(tmp_path / "games", 1), fsspec.filesystem("s3")
    s3.put(str(file), "games/a.parquet")
    s3.pipe("games/b.jsonl", b'{"n":3,"moves":[[0,0]]}\n')
    wanted = run(file, "-", typed=s3.cat("games/b.jsonl"))
    store.bad = True
    games, out = ("s3://games/a.parquet", "s3://games/b.jsonl"), "s3://verdicts/v.jsonl"
    given = run(*games, "--out", out)
    assert given.exit_code == 1
    assert s3.cat("verdicts/v.jsonl").decode() == wanted.stdout
    assert run("s3://games/none", "--out", out).exit_code == 2
    assert run(games[0], "s3://games/none", "--out", games[0]).exit_code == 2
    failed = run("s3://games/b.jsonl", games[0], "--out", "s3://verdicts/new.parquet")
    assert failed.exit_code == 1
    store.bad, store.cut_off = False, "games/a.parquet"
    failed = run(games[0], "--out", "s3://verdicts/newer.parquet")
    assert "noughts: s3://games/a.parquet: " in failed.stderr
    assert failed.exit_code == 2
    assert sorted(s3.ls("verdicts", refresh=True)) == ["verdicts/new.parquet", "verdicts/v.jsonl"]
