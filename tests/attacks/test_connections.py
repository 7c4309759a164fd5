"""Endless headers, requests that never arrive and thousands of connections."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic

import pytest

from commands import SECONDS
from service.serving import Server, created, served, serving

BODY = b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"
HURRIED = "from noughts.service.http import middleware as c; c.REQUEST_SECONDS = 0.5"


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("hurried") / "noughts.db"
    with serving(f"sqlite:///{path}", before=HURRIED) as server:
        yield server


@contextmanager
def connected(server: Server) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS) as sock:
        yield sock


def answer(sock: socket.socket) -> bytes:
    """Return all bytes that the server sends until it closes the connection."""
    said = b""
    with suppress(ConnectionResetError):
        while more := sock.recv(65536):
            said += more
    return said


def memory(server: Server) -> int:
    """Return the peak memory of the server process in MB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) // 1024


@pytest.mark.tier2("load")
@pytest.mark.parametrize(
    "endless",
    [
        pytest.param(b"GET / HTTP/1.1\r\n" + b"a:\r\n" * (1 << 20), id="many-headers"),
        pytest.param(b"GET / HTTP/1.1\r\na: " + b"x" * (4 << 20), id="one-header"),
        pytest.param(b"GET / HTTP/1.1\r\n" + b"x" * (4 << 20), id="the-name-of-a-header"),
        pytest.param(b"GET /" + b"x" * (4 << 20), id="an-address"),
        pytest.param(
            b"GET /" + b"x" * 17000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", id="just-too-long"
        ),
    ],
)
def test_headers_are_limited(attacked: Server, endless: bytes) -> None:
    before = memory(attacked)
    with connected(attacked) as sock:
        with suppress(ConnectionResetError, BrokenPipeError):
            sock.sendall(endless)
        said = answer(sock)
    assert said.startswith(b"HTTP/1.1 431 ") or not said  # a reset may arrive first
    assert memory(attacked) - before < 20


def test_headers_just_above_the_limit_are_answered(attacked: Server) -> None:
    with connected(attacked) as sock:
        sock.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\na: " + b"x" * 16_500 + b"\r\n\r\n")
        head, _, body = answer(sock).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 ")
    assert b"x-content-type-options: nosniff" in head
    assert b'"code":"head_too_large"' in body


def test_headers_within_the_limit_are_accepted(attacked: Server) -> None:
    with connected(attacked) as sock:
        sock.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\na: ")
        sock.sendall(b"x" * 16_000 + b"\r\n\r\n")
        assert answer(sock).startswith(b"HTTP/1.1 200 ")


@pytest.mark.tier2("load")
def test_bodies_are_limited_in_every_encoding(attacked: Server) -> None:
    start = b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    before = memory(attacked)
    for rest in (
        b"Content-Length: 99999999\r\n\r\n" + b"x" * (4 << 20),
        b"Transfer-Encoding: chunked\r\n\r\n" + b"1;" + b"x" * (4 << 20),
        b"Transfer-Encoding: chunked\r\n\r\n0\r\na: " + b"x" * (4 << 20),
    ):
        with connected(attacked) as sock:
            with suppress(ConnectionResetError, BrokenPipeError):
                sock.sendall(start + rest)
            assert answer(sock).count(b"HTTP/1.1 ") < 2  # a reset may arrive before the only one
    assert memory(attacked) - before < 20


@pytest.mark.tier2("load")
@pytest.mark.parametrize("endless", [b"a:\r\n" * (1 << 20), b"a: " + b"x" * (4 << 20)])
def test_trailers_of_streamed_bodies_are_limited(attacked: Server, endless: bytes) -> None:
    before = memory(attacked)
    with connected(attacked) as sock, suppress(ConnectionResetError, BrokenPipeError):
        sock.sendall(b"POST /api/judge HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        sock.sendall(b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + endless)
        answer(sock)
    assert memory(attacked) - before < 20


def test_trailers_name_no_other_client(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path}/noughts.db", "--proxy=127.0.0.1") as server:
        with connected(server) as sock:
            sock.sendall(b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n")
            sock.sendall(b"Content-Type: application/json\r\nX-Forwarded-For: 192.0.2.1\r\n")
            body = b'7\r\n{"n":3}\r\n0\r\nX-Forwarded-For: 192.0.2.2\r\n\r\n'
            sock.sendall(b"Transfer-Encoding: chunked\r\n\r\n" + body)
            assert answer(sock).startswith(b"HTTP/1.1 201 ")
        log = server.stop()
    assert " 192.0.2.1 POST " in log
    assert " 192.0.2.2 POST " not in log


def test_body_after_a_request_to_upgrade_is_no_request(attacked: Server) -> None:
    inner = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with connected(attacked) as sock:
        sock.sendall(b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: upgrade\r\n")
        sock.sendall(b"Upgrade: websocket\r\nContent-Length: %d\r\n\r\n" % len(inner))
        with suppress(ConnectionResetError, BrokenPipeError):
            sock.sendall(inner)
        said = answer(sock)
    assert said.count(b"HTTP/1.1 ") <= 1  # a reset may arrive before it
    assert not said or said.startswith(b"HTTP/1.1 400 ")


@pytest.mark.tier2("load")
def test_clients_that_leave_early_cause_no_error(tmp_path: Path) -> None:
    with served(tmp_path) as (server, client):
        paths = f"/api/games/{created(client).id}/events", "/healthz"
        asked = "".join(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" for path in paths)
        for _ in range(100):
            with connected(server) as sock:
                sock.sendall(asked.encode())
                assert sock.recv(9) == b"HTTP/1.1 "
        end = monotonic() + SECONDS
        while "noughts_event_streams 0.0" not in client.get("/metrics").text:
            assert monotonic() < end
        assert "Traceback" not in server.stop()


@pytest.mark.tier2("time")
@pytest.mark.parametrize(
    ("partial", "said"),
    [
        (b"", b""),
        (b"GET / HT", b"HTTP/1.1 408 "),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"HTTP/1.1 408 "),
        (BODY + b"Content-Type: application/json\r\n\r\n{", b"HTTP/1.1 408 "),
        (BODY + b"\r\n{", b"HTTP/1.1 415 "),
    ],
)
def test_slow_requests_are_ended(hurried: Server, partial: bytes, said: bytes) -> None:
    with connected(hurried) as sock:
        sock.sendall(partial)
        told = answer(sock)
    assert told.startswith(said)
    assert told.count(b"HTTP/1.1 ") == bool(said)


@pytest.mark.tier2("time")
def test_trickled_bytes_do_not_extend_a_request(hurried: Server) -> None:
    with connected(hurried) as sock:
        sock.sendall(b"GET / HTTP/1.1\r\na: ")
        sock.settimeout(0.05)
        said = b""
        with suppress(ConnectionResetError, BrokenPipeError):
            for _ in range(200):
                sock.sendall(b"a")
                with suppress(TimeoutError):
                    said = sock.recv(100)
                    break
        assert said.startswith(b"HTTP/1.1 408 ")


def test_non_http_bytes_are_answered_with_an_error(attacked: Server) -> None:
    with connected(attacked) as sock:
        sock.sendall(b"\x16\x03\x01\x02\x00 a TLS hello\r\n\r\n")
        said = answer(sock)
    assert said.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"bad_request"' in said


@pytest.mark.parametrize("line", [b"CONNECT 127.0.0.1:80", b"GET http:///healthz"])
def test_invalid_addresses_are_answered_with_an_error(attacked: Server, line: bytes) -> None:
    with connected(attacked) as sock:
        sock.sendall(line + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert answer(sock).startswith(b"HTTP/1.1 400 ")


def test_pipelined_requests_are_answered_in_order(attacked: Server) -> None:
    one = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with connected(attacked) as sock:
        sock.sendall(one * 9 + one.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert answer(sock).count(b"HTTP/1.1 200 OK") == 10
    large = one.replace(b"\r\n\r\n", b"\r\na: " + b"x" * 9000 + b"\r\n\r\n")
    with connected(attacked) as sock:  # together they exceed the limit for one
        sock.sendall(large * 3 + large[:-2])
        sock.sendall(b"Connection: close\r\n\r\n")
        assert answer(sock).count(b"HTTP/1.1 200 OK") == 4
    with connected(attacked) as sock:
        sock.sendall(one * 10_000)
        assert answer(sock).count(b"HTTP/1.1 ") < 100


def test_connections_per_address_are_limited(tmp_path: Path) -> None:
    with (
        serving(f"sqlite:///{tmp_path}/noughts.db", "--connections=5") as server,
        ExitStack() as stack,
    ):
        for _ in range(5):
            stack.enter_context(connected(server))
        with connected(server) as sixth:
            said = answer(sixth)
        assert said.startswith(b"HTTP/1.1 429 ")
        assert b"\r\nretry-after: 10\r\n" in said
        stack.close()
        said = b"HTTP/1.1 429 "
        while said.startswith(b"HTTP/1.1 429 "):  # until the server notices the closed ones
            with connected(server) as sock:
                sock.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
                said = answer(sock)
        assert said.startswith(b"HTTP/1.1 200 ")


@pytest.mark.tier2("load")
def test_idle_connections_are_closed_when_descriptors_run_short(tmp_path: Path) -> None:
    few = "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (256, 256))"
    before = f"{few}; {HURRIED.replace('0.5', '60')}; c.SWEEP_PAUSE = 0"
    with (
        serving(f"sqlite:///{tmp_path}/noughts.db", before=before) as server,
        ExitStack() as stack,
    ):
        for _ in range(300):
            stack.enter_context(connected(server))
        for _ in range(5):
            with connected(server) as sock:
                sock.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
                assert answer(sock).startswith(b"HTTP/1.1 200 ")
        stack.close()
        log = server.stop()
    assert "descriptors run short: " in log


HEADERS = {
    (b"c", b"d"): True,
    (b"a", b"b\r\nc: d"): False,
    (b"a", b"b\nc: d"): False,
    (b"a: b\r\nc", b"d"): False,
}
WITH_HEADERS = f"""
from noughts.service.http import handlers
headers, respond = iter({[*HEADERS]}), handlers.json_response
handlers.json_response = lambda body: respond(body, headers=(next(headers),))
"""


def test_header_values_cannot_add_headers(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path}/noughts.db", before=WITH_HEADERS) as server:
        for sent in HEADERS.values():
            with connected(server) as sock:
                sock.sendall(b"GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
                said = answer(sock)
            assert (b"\r\nc: d\r\n" in said, b"c: d" in said) == (sent, sent)
        log = server.stop()
    assert log.count("RuntimeError: Invalid HTTP header") == [*HEADERS.values()].count(False)
