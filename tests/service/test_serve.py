"""The server process: settings, restarts, shutdown and logs."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from io import StringIO
from pathlib import Path
from time import monotonic

import pytest
from click.testing import CliRunner

from commands import SECONDS
from noughts.cli.app import application
from noughts.service.app import RequestLog
from noughts.service.metrics import exposition
from noughts.service.server import GRACE, GRACEFUL, LAST, JSONLines, TextLines, listener, url_of
from noughts.service.settings import Settings, read_settings
from noughts.service.store.dialects import store_at
from service.serving import (
    Postgres,
    Seat,
    created,
    elsewhere,
    served,
    serving,
    speaking_to,
    two_friends,
)

LONG_THOUGHT = {"shape": [15, 15], "k": 5, "opponent": "computer"}


# Restarts


@pytest.mark.tier2("process")
def test_games_continue_after_the_server_was_killed(database: str) -> None:
    with serving(database) as server, speaking_to(server) as client:
        first, second = two_friends(client)
        moved = first.move(0, 0, seq=1, key="a")
        alone = created(client, **LONG_THOUGHT)
        assert alone.move(7, 7).status_code == 201
        with first.events() as events:
            assert next(events).seq == 2
            server.kill()
            assert list(events) == []
    store = store_at(database)
    assert len(store.events({alone.id: 0})) == 1  # the computer has not moved
    store.close()
    with serving(database, port=server.port) as server, speaking_to(server) as client:
        first, second = elsewhere(first, client), elsewhere(second, client)
        with first.events(after=2) as events:
            again = first.move(0, 0, seq=1, key="a")
            assert (again.status_code, again.json()) == (200, moved.json())
            assert second.move(1, 1).json()["seq"] == 3
            assert next(events).seq == 3
        assert first.state()["seats"] == [1]
        with elsewhere(alone, client).events(after=1) as events:
            event = next(events)
        assert (event.kind, event.data["seat"], event.data["turn"]) == ("move", 2, 1)


# Shutdown


@pytest.mark.tier2("process")
def test_stopping_server_is_first_not_ready_then_ends_its_streams(tmp_path: Path) -> None:
    slowly = "import noughts.service.server as server; server.GRACE = 600"
    with served(tmp_path, before=slowly) as (server, client):
        seat = created(client, opponent="self")
        with seat.events() as events:
            next(events)
            server.process.send_signal(signal.SIGINT)
            while (answer := client.get("/readyz")).status_code == 200:
                pass
            assert (answer.status_code, answer.json()) == (503, {"status": "ending"})
            assert answer.headers["retry-after"] == "1"
            assert seat.move(0, 0).status_code == 201  # connected players go on
            assert next(events).kind == "move"
            server.process.send_signal(signal.SIGINT)  # a second Ctrl-C skips the pause
            assert [event.kind for event in events] == ["shutdown"]
        server.stop()
        assert server.process.returncode == 0


@pytest.mark.tier2("process")
def test_server_stops_within_ten_seconds(tmp_path: Path) -> None:
    """Even with an open stream, a thinking computer and an incomplete request."""
    assert GRACE + GRACEFUL < LAST < 10
    sooner = "import noughts.service.server as server; server.GRACEFUL = 1"
    with (
        served(tmp_path, before=sooner) as (server, client),
        socket.create_connection(("127.0.0.1", server.port)) as slow,
    ):
        slow.sendall(
            b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        )
        slow.sendall(b"Content-Length: 9\r\n\r\n{")
        seat = created(client, **LONG_THOUGHT)
        seat.move(7, 7)
        with seat.events() as events:
            next(events)
            start = monotonic()
            server.stop()
        assert monotonic() - start < 10
        assert server.process.returncode == 0


# A signal during uvicorn's startup, where Python drops exceptions of a handler.
EARLY_SIGNAL = """
import os, signal, uvicorn

class Dropping:
    def __del__(self):
        os.kill(os.getpid(), signal.{name})

def run(self, sockets, run=uvicorn.Server.run):
    Dropping()
    run(self, sockets)

uvicorn.Server.run = run
"""
HANGING = """
import time
import noughts.service.server as server
from noughts.service.store.sql import Store
server.LAST = 1
Store.claim = lambda *_: time.sleep(600)
"""


@pytest.mark.tier2("process")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_server_stops_during_startup(tmp_path: Path, name: str) -> None:
    with served(tmp_path, before=EARLY_SIGNAL.format(name=name)) as (server, _):
        assert server.process.wait(timeout=SECONDS) == 0


@pytest.mark.tier2("process")
def test_server_stops_during_a_hanging_startup(tmp_path: Path) -> None:
    before = EARLY_SIGNAL.format(name="SIGTERM") + HANGING
    with served(tmp_path, before=before) as (server, _):
        assert server.process.wait(timeout=SECONDS) == 1


def test_workers_share_games_and_stop_together(postgresql: Postgres) -> None:
    with serving(postgresql.database(), "--workers=2") as server:
        clients = [
            speaking_to(server) for _ in range(8)
        ]  # the system distributes their connections
        first, second = two_friends(clients[0])
        with second.events() as events:
            next(events)
            for number in range(9):
                player = elsewhere((first, second)[number % 2], clients[number % 8])
                answer = player.move(*divmod(number * 5 % 9, 3))
                assert answer.status_code == 201, answer.text
                assert next(events).seq == number + 2
                if answer.json()["status"] != "playing":
                    break
            total = 'noughts_requests_total{method="POST",status="201"}'
            line = next(x for x in clients[0].get("/metrics").text.splitlines() if total in x)
            assert float(line.split()[-1]) == number + 2  # of both workers together
            start = monotonic()
            server.process.send_signal(signal.SIGTERM)
            assert [event.kind for event in events] == ["shutdown"]
        logged = server.stop()
        assert monotonic() - start < 10
        assert server.process.returncode == 0
        assert "Traceback" not in logged
        for client in clients:
            client.close()


# Logs


def test_log_contains_each_request_and_no_secret(tmp_path: Path) -> None:
    with served(tmp_path) as (server, client):
        first, second = two_friends(client, name="Ada")
        cookie = {"Cookie": f"noughts_player={first.token}"}
        client.get(f"/api/games/{first.id}?secret=query", headers=cookie)
        client.post(f"/api/games/{first.id}/join", json={"invite": first.invite})
        client.get("/forged%0a2026-01-01 INFO line")
        first.move(0, 0, key="secret-key")
        logged = server.stop()
    game = f"/api/games/{first.id}"
    assert re.search(rf"INFO 127\.0\.0\.1 POST '{game}/moves' 201 [\d.]+ ms$", logged, re.MULTILINE)
    assert re.search(rf"INFO 127\.0\.0\.1 GET '{game}' 200 ", logged)
    assert r"'/forged\n2026-01-01 INFO line' 404" in logged
    secrets = (
        first.token,
        second.token,
        first.invite,
        "query",
        "secret-key",
        "Ada",
        "noughts_player=",
    )
    assert not [secret for secret in secrets if str(secret) in logged]


def test_log_lines_are_kept_whole() -> None:
    written = StringIO()
    logged = asyncio.Event()

    class Handler(logging.StreamHandler[StringIO]):
        def emit(self, record: logging.LogRecord) -> None:
            super().emit(record)
            logged.set()

    handler = Handler(written)
    handler.setFormatter(TextLines())
    logger = logging.Logger("requests")
    logger.addHandler(handler)

    async def three_lines() -> None:
        lines = RequestLog(logger)
        lines.add("first")
        lines.add("100% second")
        await logged.wait()
        lines.add("third")
        lines.write()

    asyncio.run(three_lines())
    told = [line.split(" ", 2) for line in written.getvalue().splitlines()]
    assert [rest for _, _, rest in told] == ["INFO first", "INFO 100% second", "INFO third"]


def test_log_may_be_json_and_leave_out_requests(tmp_path: Path) -> None:
    with served(tmp_path, "--log-format=json") as (server, client):
        client.get("/nothing")
        (line,) = map(json.loads, server.stop().splitlines())
    assert datetime.fromisoformat(line["time"]).tzinfo
    assert (line["level"], line["logger"]) == ("INFO", "noughts.requests")
    assert re.fullmatch(r"127\.0\.0\.1 GET '/nothing' 404 [\d.]+ ms", line["message"])
    with served(tmp_path, "--log-level=warning") as (server, client):
        client.get("/nothing")
        assert server.stop() == ""


def test_each_line_of_a_message_is_an_object() -> None:
    logger, written = logging.Logger("requests"), StringIO()
    logger.addHandler(handler := logging.StreamHandler(written))
    handler.setFormatter(JSONLines())
    logger.info("%s", "first\n100% second")
    try:
        int("wrong")
    except ValueError:
        logger.exception("a request failed")
    one, two, failed = map(json.loads, written.getvalue().splitlines())
    assert datetime.fromisoformat(one.pop("time")).tzinfo
    assert one == {"level": "INFO", "logger": "requests", "message": "first"}
    assert two["message"] == "100% second"
    assert (failed["level"], failed["message"]) == ("ERROR", "a request failed")
    assert failed["traceback"].endswith("'wrong'")


# Settings


def test_settings_prefer_options_to_the_environment_and_that_to_defaults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NOUGHTS_CREATE_LIMIT", "7")
    monkeypatch.setenv("NOUGHTS_JOIN_LIMIT", "8")
    settings = read_settings(join_limit=9)
    assert (settings.create_limit, settings.join_limit, settings.move_limit) == (7, 9, 1200)


def test_file_has_settings_that_options_and_environment_leave_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file := tmp_path / "noughts.toml").write_text(
        """port = 1
        create_limit = 1
        join_limit = 1
        database_url = ["sqlite:///one.db", "sqlite:///two.db"]
        log_format = "json"
        """
    )
    monkeypatch.setenv("NOUGHTS_CREATE_LIMIT", "2")
    settings = read_settings(config=str(file), port=3)
    assert (settings.port, settings.create_limit, settings.join_limit) == (3, 2, 1)
    assert settings.databases == ["sqlite:///one.db", "sqlite:///two.db"]
    assert settings.log_format == "json"
    monkeypatch.setenv("NOUGHTS_CONFIG", str(file))
    assert read_settings() == replace(settings, port=1)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("prot = 1", "unknown setting prot; did you mean 'port'?"),
        ("xyz = 1", "unknown setting xyz; noughts serve --help lists the settings"),
        ("port = -1", "port: expected a whole number from 0 to 65535, got -1"),
        ("port = true", "port: expected a whole number from 0 to 65535, got True"),
        ("port = 1.0", "port: expected a whole number from 0 to 65535, got 1.0"),
        ('log_level = "loud"', "log_level: expected debug or info or warning or error, got 'loud'"),
        ("host = 5", "host: expected text in quotes, got 5"),
        ('host = ["a", "b"]', "host: expected text in quotes, got ['a', 'b']"),
        ('config = "x"', "unknown setting config; noughts serve --help lists the settings"),
        ("keep = 3", "unknown setting keep; noughts serve --help lists the settings"),
        ("[port]", "port: expected a whole number from 0 to 65535, got {}"),
        ("port", "not a TOML file of settings: Expected '=' after a key"),
        ("port = 1 # \0", "not a TOML file of settings: "),
    ],
)
def test_problems_of_the_file_are_named(tmp_path: Path, written: str, said: str) -> None:
    (file := tmp_path / "noughts.toml").write_text(written)
    assert refused(f"--config={file}").startswith(f"noughts: {file}: {said}")


def test_missing_file_of_settings_is_an_error(tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"
    assert refused(f"--config={missing}") == f"noughts: {missing}: No such file or directory\n"
    assert refused(NOUGHTS_CONFIG=str(tmp_path)) == f"noughts: {tmp_path}: Is a directory\n"


OLD_NAMES = {
    "database": "database_url",
    "keep": "retention_days",
    "creating": "create_limit",
    "joining": "join_limit",
    "moving": "move_limit",
    "drawing": "render_limit",
}


@pytest.mark.parametrize(("old", "new"), OLD_NAMES.items())
def test_old_setting_names_work_with_one_line_of_warning(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    value = type(getattr(Settings(), new))  # each may be a number
    assert getattr(read_settings(**{old: value(7)}), new) == value(7)
    said = f"noughts: --{old} is deprecated; use --{new.replace('_', '-')}\n"
    assert capsys.readouterr().err == said
    monkeypatch.setenv(f"NOUGHTS_{old.upper()}", "8")
    assert getattr(read_settings(), new) == value(8)
    said = f"noughts: NOUGHTS_{old.upper()} is deprecated; use NOUGHTS_{new.upper()}\n"
    assert capsys.readouterr().err == said
    monkeypatch.setenv(f"NOUGHTS_{new.upper()}", "9")
    assert getattr(read_settings(), new) == value(
        9
    )  # the old name has no effect, and is to be removed
    assert capsys.readouterr().err == said


def test_serve_accepts_old_options_but_does_not_show_them() -> None:
    shown = CliRunner().invoke(application, ["serve", "--help"]).output
    for old, new in OLD_NAMES.items():
        assert not re.search(rf"--{old}(?!-)\b", shown)
        assert f"--{new.replace('_', '-')}" in shown
        said = refused(f"--{old}=7", "--port=0", "--workers=2")
        assert said.startswith(f"noughts: --{old} is deprecated; use --")


def test_unknown_variables_are_errors() -> None:
    assert refused(NOUGHTS_DATABSE="x") == (
        "noughts: unknown variable NOUGHTS_DATABSE; did you mean 'NOUGHTS_DATABASE_URL'?\n"
    )
    assert refused(NOUGHTS_XYZ="x") == (
        "noughts: unknown variable NOUGHTS_XYZ; noughts serve --help lists the settings\n"
    )
    assert refused(NOUGHTS_="x").startswith("noughts: unknown variable NOUGHTS_;")


@pytest.mark.parametrize("kept", ["", "/games"], ids=["removed", "kept"])
def test_proxy_may_remove_the_path_of_the_server_or_keep_it(tmp_path: Path, kept: str) -> None:
    allowed = "--frame-ancestors=https://school.example"
    with served(tmp_path, "--root-path=/games", allowed) as (server, client):
        client.base_url = f"{server.url}{kept}"
        made = client.post("/api/games", json={"n": 3, "opponent": "self"})
        assert made.json()["url"] == f"{server.url}/games/g/{made.json()['id']}"
        assert "; Path=/games; " in made.headers["set-cookie"]
        seat = Seat(client, made.json()["id"], made.json()["token"])
        with seat.events() as events:
            assert next(events).seq == 0
            assert seat.move(0, 0).status_code == 201
            assert next(events).seq == 1
        page = client.get(f"/g/{seat.id}").text
        assert f'content="{server.url}/games/g/{seat.id}"' in page
        assert f'href="/games/api/games/{seat.id}"' in page
        assert f"curl -s {server.url}/games/api/games " in client.get("/docs").text
        assert client.get("/openapi.json").json()["servers"] == [{"url": "/games"}]
        manifest = client.get("/page/shared/manifest.webmanifest").json()
        assert manifest["id"] == manifest["start_url"] == "/games/"
        policies = [client.get(path).headers["content-security-policy"]
                    for path in ("/learn", "/page/learn/python.js")]  # fmt: skip
        assert "frame-ancestors https://school.example" in policies[0]
        assert "'wasm-unsafe-eval'" in policies[1]
        games = b'{"rules": "3x3", "moves": []}\n'
        assert client.post("/api/judge", content=games).json()["status"] == "pending"
        refused = client.get("/gamesofothers")
        assert refused.status_code == 404
        assert refused.json()["type"] == "/games/docs#error-not_found"
        assert client.get("").status_code == 200
        for probe in ("/healthz", "/readyz", "/metrics"):
            assert client.get(probe).status_code == 200


@pytest.mark.parametrize("proxy", ["", "*", "::1", "10.0.0.1, 10.1.0.0/16,fd00::/8"])
def test_proxy_setting_accepts_addresses_and_networks(proxy: str) -> None:
    assert read_settings(proxy=proxy).proxy == proxy


def test_serve_passes_options_and_environment_to_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[Settings] = []
    monkeypatch.setattr("noughts.service.server.serve", started.append)
    CliRunner().invoke(
        application,
        ["serve", "--database-url=sqlite:///one.db", "--database-url=sqlite:///two.db"],
        env={"NOUGHTS_DATABASE_URL": "sqlite:///other.db", "NOUGHTS_CREATE_LIMIT": "1"},
    )
    (settings,) = started
    assert settings.databases == ["sqlite:///one.db", "sqlite:///two.db"]
    assert settings.create_limit == 1


def refused(*options: str, **environment: str) -> str:
    """Return the error of `noughts serve`, which does not start."""
    ended = CliRunner().invoke(application, ["serve", *options], env=environment)
    assert ended.exit_code == 2, ended.output
    return ended.stderr


def test_serve_reports_in_one_line_why_it_cannot_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(f"--port={port}")
    assert said == f"noughts: cannot listen on 127.0.0.1:{port}: Address already in use\n"
    said = refused("--host=nowhere.invalid")
    assert re.fullmatch(r"noughts: cannot listen on nowhere\.invalid:8000: .+\n", said)
    assert not [*tmp_path.iterdir()]  # no database was created
    said = refused("--database-url=nonsense")
    assert said.startswith("noughts: not the URL of a database: write sqlite:///FILE")
    said = refused("--database-url=sqlite:///no/such.db")
    assert said == "noughts: no/such.db: No such file or directory\n"
    said = refused("--workers=2")
    assert said == "noughts: SQLite allows one worker; use PostgreSQL for several\n"
    said = refused(NOUGHTS_PORT="x", NOUGHTS_MOVE_LIMIT="-1")
    assert said == (
        "noughts: NOUGHTS_PORT: expected a whole number from 0 to 65535, got 'x'\n"
        "noughts: NOUGHTS_MOVE_LIMIT: expected a whole number from 0, got '-1'\n"
    )
    proxies = "expected IP addresses or networks, separated by commas, or *, got"
    for proxy in ("foo", "10.0.0.1,foo", "10.0.0.1/8", "*,10.0.0.1", "10.0.0.1,", "http://::1"):
        assert refused(f"--proxy={proxy}") == f"noughts: --proxy: {proxies} {proxy!r}\n"
        assert refused(NOUGHTS_PROXY=proxy) == f"noughts: NOUGHTS_PROXY: {proxies} {proxy!r}\n"
    for path in ("games", "/games/", "/", "/my games", "//games"):
        said = refused(f"--root-path={path}")
        assert said.startswith("noughts: --root-path: expected a path such as /games,")
    for path in ("/g", "/learn/x", "/api"):
        assert "does not begin like the server's own" in refused(f"--root-path={path}")
    for origin in ("school.example", "https://a.example,\n", "https://***", "https://ä.example"):
        said = refused(f"--frame-ancestors={origin}")
        assert said.startswith("noughts: --frame-ancestors: expected origins such as")
    said = refused("--host-name=http://games.example/")
    assert said.startswith("noughts: --host-name: expected names such as games.example,")
    assert "Traceback" not in said


def test_serve_reports_missing_libraries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "noughts.service.server")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert refused().startswith("noughts: the server requires Starlette, uvicorn and others: ")


@pytest.mark.parametrize(
    ("host", "said"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", socket.gethostname()), ("::1", "[::1]")],
)
def test_printed_url_can_be_opened(host: str, said: str) -> None:
    with listener(host, 0) as sock:
        assert url_of(sock) == f"http://{said}:{sock.getsockname()[1]}/"


def test_metrics_drop_the_gauges_of_dead_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        pass
    names = [f"{kind}_{pid}.db" for kind in ("gauge_livesum", "counter") for pid in (dead.pid, 1)]
    for name in names:
        (tmp_path / name).write_bytes(bytes(8))  # no values yet
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    exposition()
    assert {path.name for path in tmp_path.iterdir()} == set(names[1:])
