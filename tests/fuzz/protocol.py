"""Bytes sent to a server, which responds or closes the connection, and continues."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import strategies as st

from fuzz import Check, damaged
from fuzz.records import values
from service.serving import Server, created, serving, speaking_to

keys = st.sampled_from(
    [
        *("n", "shape", "k", "gravity", "variant", "opponent", "level", "name"),
        *("cell", "seq", "key", "invite", "accept"),
    ]
)
bodies = st.dictionaries(keys, values, max_size=4).map(lambda body: json.dumps(body).encode())
paths = st.sampled_from(
    [
        *("/", "/docs", "/healthz", "/readyz", "/metrics", "/openapi.json", "/g/x", "/page/x"),
        *("/api/games", "/api/games?listed=open", "/page/../app.py", "/page/%2e%2e/x"),
        *(
            f"/api/games/GAME{rest}"
            for rest in ("", "/join", "/moves", "/resign", "/takeback", "/rematch", "/record.svg")
        ),
    ]
)
headers = st.lists(
    st.sampled_from(
        [
            *("Content-Type: application/json", "Content-Type: text/plain", "Expect: 100-continue"),
            *("Authorization: Bearer TOKEN", "Authorization: x", "Cookie: noughts=TOKEN; a=b"),
            *("Transfer-Encoding: chunked", "Content-Length: 5", "Connection: Upgrade"),
            *(
                "Upgrade: websocket",
                "Origin: null",
                "Last-Event-ID: 1",
                "X-Forwarded-For: é\x1b[1m",
            ),
        ]
    ),
    max_size=4,
)


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """Return a request that may be valid."""
    method = draw(st.sampled_from(["GET", "POST", "POST", "HEAD", "PUT", "OPTIONS"]))
    body = draw(bodies)
    lines = [f"{method} {draw(paths)} HTTP/1.1", "Host: 127.0.0.1", *draw(headers)]
    if method == "POST" and draw(st.booleans()):
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def answer(server: Server, data: bytes) -> bytes:
    """Return the server's whole response to these bytes."""
    received = b""
    gone = suppress(ConnectionResetError, BrokenPipeError)
    with socket.create_connection(("127.0.0.1", server.port), 20) as sock, gone:
        sock.sendall(data)
        sock.shutdown(socket.SHUT_WR)
        while more := sock.recv(1 << 16):
            received += more
    return received


streams = damaged(st.lists(requests(), max_size=3).map(b"".join)) | requests()


@contextmanager
def speaking() -> Iterator[Check]:
    """Yield a check that the server never fails, and still serves the next player."""
    with TemporaryDirectory() as folder:
        with serving(f"sqlite:///{Path(folder, 'noughts.db')}") as server:
            with speaking_to(server) as client:
                seat = created(client)
                known = {b"GAME": seat.id.encode(), b"TOKEN": str(seat.token).encode()}

                def check(data: bytes) -> None:
                    for name, value in known.items():
                        data = data.replace(name, value)
                    assert b" 500 " not in answer(server, data).partition(b"\r\n")[0]
                    assert client.get("/healthz").status_code == 200

                yield check
            log = server.stop()
        assert "Traceback" not in log, log
