"""Forged, oversized, excessive and cross-site requests."""

from __future__ import annotations

import json
import select
import socket
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from weakref import WeakSet

import httpx
import pytest

from commands import SECONDS
from noughts import Rules
from noughts.service.http import middleware
from noughts.service.http.assets import PUBLIC_PYODIDE_URL, PYODIDE_URL, PYTHON
from noughts.service.http.middleware import MAX_BODY, ConcurrencyLimit, RateLimit, client_network
from noughts.service.http.models import normalised
from noughts.service.play.api_errors import APIError
from noughts.service.play.events import Change, NewGame, now
from noughts.service.play.events import Event as Entry
from noughts.service.store.dialects import store_at
from service.serving import FROZEN, Seat, Server, code, created, served, speaking_to, two_friends

PAGE = Path(__file__).parents[2] / "src/noughts/page"


def raw(server: Server, *lines: str, body: bytes = b"") -> bytes:
    """Send a request that no ordinary client would send; return the answer."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS) as sock:
        head = "\r\n".join([*lines, "Host: 127.0.0.1", "Connection: close", "", ""])
        sock.sendall(head.encode("latin-1") + body)
        with sock.makefile("rb") as file:
            return file.read()


# Tokens and invitations


def test_actions_need_the_token_of_the_seat(client: httpx.Client) -> None:
    first, second = two_friends(client)
    other = created(client)
    for token, why in [
        (None, "no_token"),
        ("x", "unknown_token"),
        (f"{first.token}x", "unknown_token"),
        (str(first.token)[:-1], "unknown_token"),
        (str(first.token).swapcase(), "unknown_token"),
        (first.invite, "unknown_token"),
        (sha256(str(first.token).encode()).hexdigest(), "unknown_token"),
        (other.token, "not_your_seat"),
    ]:
        thief = Seat(client, first.id, token)
        assert thief.state()["seats"] == []
        answer = thief.move(0, 0)
        assert code(answer) == why
        assert answer.headers.get("WWW-Authenticate") == ("Bearer" if "token" in why else None)
        assert code(thief.act("resign")) == why
        assert code(thief.act("takeback")) == why
        assert code(thief.post("rematch")) == why
    assert code(second.move(0, 0)) == "wrong_turn"  # nor for the friend
    assert first.state()["seq"] == 1


def test_database_has_only_the_sha_256_of_secrets(attacked: Server, client: httpx.Client) -> None:
    first, second = two_friends(client)
    folder = Path(attacked.database.removeprefix("sqlite:///")).parent
    kept = b"".join(path.read_bytes() for path in folder.iterdir())
    assert first.id.encode() in kept
    for secret in (first.token, second.token, first.invite):
        assert str(secret).encode() not in kept
        assert sha256(str(secret).encode()).digest() in kept


def test_ids_and_secrets_cannot_be_guessed(client: httpx.Client) -> None:
    seats = [created(client) for _ in range(64)]
    for values, bits in (
        ([seat.id for seat in seats], 80),
        ([str(seat.token) for seat in seats], 128),
        ([str(seat.invite) for seat in seats], 128),
    ):
        decoded = [urlsafe_b64decode(value + "=" * (-len(value) % 4)) for value in values]
        assert {len(value) * 8 >= bits for value in decoded} == {True}
        for bytes_there in zip(
            *decoded, strict=True
        ):  # random bytes of 64 ids nearly always differ
            assert len(set(bytes_there)) > 40


# Browsers


def test_cookie_is_hidden_from_scripts(client: httpx.Client) -> None:
    answer = client.post("/api/games", json={"n": 3})
    made = answer.json()
    path = f"/api/games/{made['id']}"
    name, *attributes = answer.headers["Set-Cookie"].split("; ")
    assert name.startswith("noughts_player=")
    assert {"HttpOnly", "Path=/", "SameSite=strict", f"Max-Age={365 * 86400}"} == set(attributes)
    assert client.get(path, headers={"Cookie": name}).json()["seats"] == [1]
    joined = client.post(f"{path}/join", json={"invite": made["invite"]}).headers["Set-Cookie"]
    assert {"HttpOnly", "Path=/", "SameSite=strict"} < set(joined.split("; "))
    assert joined.split("; ")[0] != name  # a client without a cookie gets a new one


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ({"Content-Type": "text/plain"}, "not_json"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, "not_json"),
        ({"Content-Type": "application/jsonp"}, "not_json"),
        ({"Content-Type": ""}, "not_json"),
        ({}, "not_json"),
        (JSON | {"Origin": "https://evil.example"}, "cross_origin"),
        (JSON | {"Origin": "null"}, "cross_origin"),
        (JSON | {"Origin": ""}, "cross_origin"),
        (JSON | {"Origin": "https://{host}"}, "cross_origin"),
        (JSON | {"Origin": "http://{host}.evil.example"}, "cross_origin"),
        (JSON | {"Sec-Fetch-Site": "cross-site"}, "cross_origin"),
        (JSON | {"Sec-Fetch-Site": "same-site"}, "cross_origin"),
        (JSON | {"Origin": "http://{host}", "Sec-Fetch-Site": "same-origin"}, None),
        ({"Content-Type": "Application/JSON; charset=utf-8", "Sec-Fetch-Site": "none"}, None),
    ],
)
def test_posts_from_other_sites_are_refused(
    attacked: Server, client: httpx.Client, headers: dict[str, str], why: str | None
) -> None:
    host = f"127.0.0.1:{attacked.port}"
    sent = {name: value.format(host=host) for name, value in headers.items()}
    for path in ("/api/games", "/api/games/x/moves"):
        answer = client.post(path, content=b'{"n": 3}', headers=sent)
        assert (why is None) == (answer.status_code in {201, 404, 422})
        if why:
            assert code(answer) == why


def has_security_headers(answer: httpx.Response, *more: str) -> bool:
    """Check the security headers; `more` is allowed in addition. Return true."""
    assert len(answer.headers.multi_items()) == len(answer.headers)  # each header once
    policy = answer.headers.get_list("Content-Security-Policy")
    usual = " ".join(word for word in ";".join(policy).split(" ") if word not in more)
    directives = dict(part.strip().partition(" ")[::2] for part in usual.split(";"))
    nothing = {"default-src", "base-uri", "frame-ancestors"}
    own = {"script-src", "style-src", "connect-src", "font-src", "manifest-src", "form-action"}
    assert {directives.pop(name) for name in nothing} == {"'none'"}
    assert {directives.pop(name) for name in own} == {"'self'"}
    assert directives == {"img-src": "'self' data: blob:"}
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "Server" not in answer.headers
    return True


def test_every_response_has_security_headers(client: httpx.Client) -> None:
    seat = created(client)
    path = f"/api/games/{seat.id}"
    pages = ["/", "/docs", "/g/x", "/page", "/openapi.json", "/healthz", "/readyz", "/metrics"]
    files = {f"/page/{file.relative_to(PAGE)}" for file in PAGE.rglob("*")} - {PYTHON}
    reads = [path, f"{path}/", f"{path}/record.svg", "/api/games/x", "/nothing", "/api/games"]
    assert all(has_security_headers(client.get(address)) for address in [*pages, *files, *reads])
    assert has_security_headers(client.get(PYTHON), "'wasm-unsafe-eval'", PUBLIC_PYODIDE_URL)
    assert has_security_headers(client.get(f"{PYODIDE_URL}pyodide.mjs"))
    assert has_security_headers(client.get("/page/game/game.html", headers={"If-None-Match": "*"}))
    assert has_security_headers(client.delete(path))
    assert has_security_headers(client.post("/api/games", json={}))
    assert has_security_headers(client.post("/api/games", content=b"n=3"))
    assert has_security_headers(client.post("/api/games", content=b"x" * 5000, headers=JSON))
    for _ in range(2):
        with client.stream("GET", f"{path}/events") as answer:
            assert has_security_headers(answer)


def test_failed_response_has_security_headers(tmp_path: Path) -> None:
    broken = "import noughts.service.http.handlers as handlers; handlers.exposition = None"
    with served(tmp_path, before=broken) as (server, client):
        answer = client.get("/metrics")
        assert code(answer) == "failed"
        assert has_security_headers(answer)
        assert "Traceback" in server.stop()


# Bodies, names, paths


def test_large_bodies_are_refused(attacked: Server, client: httpx.Client) -> None:
    def pieces(size: int) -> Iterator[bytes]:
        yield b'{"n": 3'
        yield from [b" "] * (size - 8)
        yield b"}"

    for size, status in ((MAX_BODY, 201), (MAX_BODY + 1, 413)):
        whole = client.post("/api/games", content=b"".join(pieces(size)), headers=JSON)
        chunked = client.post("/api/games", content=pieces(size), headers=JSON)
        assert (whole.status_code, chunked.status_code) == (status, status)
    endless = raw(
        attacked,
        "POST /api/games HTTP/1.1",
        "Content-Type: application/json",
        "Content-Length: 1000000000000",
        body=b" " * 10_000,
    )
    assert endless.startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"n": 3, "name": "\xff"}', b"[" * 4096])
def test_body_that_is_not_json_is_refused(client: httpx.Client, body: bytes) -> None:
    assert code(client.post("/api/games", content=body, headers=JSON)) == "malformed"


def named(client: httpx.Client, name: str) -> httpx.Response:
    """Create a game with this player name, which need not be valid Unicode."""
    return client.post("/api/games", content=json.dumps({"n": 3, "name": name}), headers=JSON)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),  # a text like any other
        ("\u202eadA\u202c", "adA"),  # reverses the following text
        ("A\u200bd\u2066\ufeffa", "Ada"),  # invisible
        ("A\0d\x1b[31ma\x07", "Ad[31ma"),
        ("Ada\r\n\u2028 \t L.", "Ada L."),
        ("e\u0301", "é"),
        (" \u200b ", None),
        ("é" * 32, "é" * 32),
        ("e\u0301" * 16, "é" * 16),
        ("\u200b" * 29 + "Ada", "Ada"),
        ("\ufb2c" * 32, ("\u05e9\u05bc\u05c1" * 11)[:32]),  # composed, it is three characters
    ],
)
def test_name_is_reduced_to_visible_text(client: httpx.Client, name: str, kept: str | None) -> None:
    answer = named(client, name)
    assert answer.status_code == 201, answer.text
    assert answer.json()["game"]["players"][0]["name"] == kept
    assert Seat(client, answer.json()["id"]).state()["players"][0]["name"] == kept
    assert normalised(kept) == kept


def test_long_or_invalid_name_is_refused(client: httpx.Client) -> None:
    for name in ("x" * 33, "é" * 33, "x\u200b" * 17, "A\ud800"):
        assert code(named(client, name)) == "malformed"


@pytest.mark.parametrize(
    "path",
    [
        "/page/../app.py",
        "/page/..%2fapp.py",
        "/page/%2e%2e/app.py",
        "/page/..%5capp.py",
        "/page/....//app.py",
        "/page//etc/passwd",
        "/page/%2fetc/passwd",
        "/page/game/game.html%00.js",
        "/page/%00",
        "/page/%ff%fe",
        "/page/game.html/..",
        f"/page/{'x' * 5000}",
    ],
)
def test_page_serves_only_its_own_files(attacked: Server, path: str) -> None:
    assert b" 404 " in raw(attacked, f"GET {path} HTTP/1.1").split(b"\r\n")[0]


# Limits


def test_actions_per_address_are_limited(tmp_path: Path) -> None:
    few = ("--create-limit=4", "--join-limit=2", "--move-limit=3", "--streams=2")
    with (
        served(tmp_path, *few, before=FROZEN) as (server, client),
        speaking_to(server, headers={"X-Forwarded-For": "1.2.3.4"}) as forger,
    ):
        seat, *_, last = [created(client, opponent="self") for _ in range(4)]
        seat.move(0, 0)
        friend = Seat(client, last.id, None)
        assert [code(friend.post("join")) for _ in range(2)] == ["seat_taken"] * 2
        assert seat.act("takeback").status_code == 201
        assert seat.act("resign").status_code == 201
        refused = [
            forger.post("/api/games", json={"n": 3}),  # no proxy is configured here
            forger.post(f"/api/games/{seat.id}/join", json={}),
            seat.post("rematch"),
            last.move(0, 0),
            last.act("takeback"),
            last.act("resign"),
        ]
        with seat.events() as one, seat.events() as two:
            assert next(one).kind == next(two).kind == "state"
            refused.append(forger.get(f"/api/games/{seat.id}/events"))
        for answer in refused:
            assert code(answer) == "too_many"
            assert 1 <= int(answer.headers["Retry-After"]) <= 60
        for _ in range(1000):  # places are free again once the server notices that the clients left
            with client.stream("GET", f"/api/games/{seat.id}/events") as three:
                if three.status_code == 200:
                    break
        else:
            pytest.fail("closed streams still count")


def test_clients_behind_a_proxy_have_their_own_address_and_scheme(tmp_path: Path) -> None:
    options = ("--proxy=127.0.0.1", "--create-limit=1")
    with served(tmp_path, *options, before=FROZEN) as (server, client):

        def create(address: str, **more: str) -> httpx.Response:
            headers = {"X-Forwarded-For": address, "X-Forwarded-Proto": "https", **more}
            return client.post("/api/games", json={"n": 3}, headers=headers)

        own = f"https://127.0.0.1:{server.port}"
        assert create("1.1.1.1", Origin=f"http://127.0.0.1:{server.port}").status_code == 403
        first = create("1.1.1.1", Origin=own)
        assert first.status_code == 201
        assert first.json()["url"].startswith(own)
        assert "Secure" in first.headers["Set-Cookie"].split("; ")
        assert create("1.1.1.1").status_code == 429
        assert (
            create("9.9.9.9, 1.1.1.1").status_code == 429
        )  # the first address was added by the client
        assert create("2.2.2.2").status_code == 201
        assert create("2001:db8::1").status_code == 201
        assert create("2001:db8::2").status_code == 429  # the same customer's network
        assert create("2001:db8:0:1::1").status_code == 201


def test_rate_limit_recovers_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    time = 1000.0
    monkeypatch.setattr(middleware, "monotonic", lambda: time)
    monkeypatch.setattr(middleware, "MAX_ADDRESSES", 2)
    limit = RateLimit("things", 3)
    for _ in range(3):
        limit.check("a")
    with pytest.raises(APIError, match="things: at most 3 per minute; try again in 20 s") as error:
        limit.check("a")
    assert error.value.retry_after == 20
    time += 20
    limit.check("a")


class Address(str):
    """An address that can be referenced weakly."""

    __slots__ = ("__weakref__",)


class Watched(RateLimit):
    """A limit whose addresses can be counted."""

    def __init__(self, a_minute: int) -> None:
        super().__init__("things", a_minute)
        self.remembered: WeakSet[Address] = WeakSet()

    def check(self, who: str) -> None:
        address = Address(who)
        self.remembered.add(address)
        super().check(address)


def test_rate_limit_forgets_idle_addresses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    time = 1000.0
    monkeypatch.setattr(middleware, "monotonic", lambda: time)
    monkeypatch.setattr(middleware, "MAX_ADDRESSES", 2)
    limit = Watched(3)
    for number in range(10):
        time += 61
        limit.check(f"{number}")
        assert len(limit.remembered) <= 3


def test_rate_limit_prunes_addresses_once_per_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    time = 100.0
    monkeypatch.setattr(middleware, "MAX_ADDRESSES", 2)
    monkeypatch.setattr(middleware, "monotonic", lambda: time)
    limit = Watched(600)
    for number in range(5):
        limit.check(f"{number}")
    time += 0.5  # all are idle, but were pruned less than a second ago
    limit.check("5")
    assert len(limit.remembered) == 6
    time += 10
    limit.check("6")
    assert [*limit.remembered] == ["6"]


def test_zero_disables_a_limit() -> None:
    limit, places = RateLimit("things", 0), ConcurrencyLimit("places", 0)
    for _ in range(1000):
        limit.check("a")
        places.take("a")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("1.2.3.4", "1.2.3.4"),
        ("2001:db8::1", "2001:db8::"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("::ffff:1.2.3.4", "::ffff:1.2.3.4"),
        ("fe80::1%eth0", "fe80::"),
        ("not:an:address", "not:an:address"),
    ],
)
def test_ipv6_network_counts_as_one_address(address: str, network: str) -> None:
    assert client_network(address) == network


# Slow readers

HURRIED = """
import socket
from noughts.service import app, server
from noughts.service.http import responses
app.HEARTBEAT, responses.PATIENCE = 0.2, 0.5
server.UNACKNOWLEDGED = 3000  # ms: the server gives up long before the system
def listener(*args, listener=server.listener):
    sock = listener(*args)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    return sock
server.listener = listener
"""


@pytest.mark.tier2("time")
def test_stalled_reader_is_dropped(tmp_path: Path) -> None:
    game = NewGame("long", Rules.square(100), "self", None, 1, None, False, None, now())
    store = store_at(f"sqlite:///{tmp_path}/noughts.db")
    store.open()
    store.commit([Change(game=game)])
    moves = [Entry("long", n + 1, "move", 1 + n % 2, "", 0, n) for n in range(500)]  # over 100 KB
    assert all(store.commit([Change(move)]) == [True] for move in moves)
    store.close()

    with (
        served(tmp_path, before=HURRIED) as (server, client),
        Seat(client, "long").events(after=0) as events,
        socket.socket() as lazy,
    ):
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lazy.connect(("127.0.0.1", server.port))
        lazy.sendall(
            b"GET /api/games/long/events HTTP/1.1\r\nHost: 127.0.0.1\r\nLast-Event-ID: 0\r\n\r\n"
        )
        assert [next(events).seq for _ in range(500)] == list(range(1, 501))
        ended = select.poll()
        ended.register(lazy, select.POLLHUP)
        for _ in range(100):
            metrics = client.get("/metrics").text.splitlines()
            if "noughts_event_streams_dropped_total 1.0" in metrics:
                break
            ended.poll(200)
        else:
            pytest.fail("the reader was not dropped")
        for _ in range(100):
            with suppress(ConnectionError):
                lazy.send(b"x")  # a connection that the server has given up is reset
            if ended.poll(200):
                break
        else:
            pytest.fail("the reader is still connected")
        assert "noughts_event_streams 1.0" in metrics  # the active reader stays
