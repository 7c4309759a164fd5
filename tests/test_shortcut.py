"""The short way answers as the framework does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp, Message

from noughts.service.app import create_app
from noughts.service.http import shortcut
from noughts.service.settings import Settings
from noughts.service.store.database import store_at

MOVE = {"cell": [0, 0], "seq": 0, "key": "k"}
MOVES = "/api/games/{id}/moves"
ASKED: list[tuple[str, object, bool]] = [
    (MOVES, MOVE, False),
    (MOVES, {**MOVE, "seq": 3}, True),
    (MOVES, {**MOVE, "seq": 0.5}, True),
    (MOVES, {**MOVE, "cell": [0, 9]}, True),
    (MOVES, {**MOVE, "cell": [0, 0, 0]}, True),
    (MOVES, {**MOVE, "more": 1}, True),
    (MOVES, {"cell": [0, 0]}, True),
    (MOVES, [], True),
    (MOVES, b"{", True),
    (MOVES, b"", True),
    (MOVES, b"\xff", True),
    ("/api/games/{id}/join", {"invite": 3}, False),
    ("/api/games/{id}/join", {"name": None}, False),
    ("/api/games/nowhere/moves", MOVE, True),
    ("/api/games", {"n": 0}, False),
    ("/api/games", {"shape": [3, 4]}, False),
]


@asynccontextmanager
async def running(app: ASGIApp) -> AsyncIterator[None]:
    """The time in which the application answers, as a server starts and ends it."""
    told: asyncio.Queue[Message] = asyncio.Queue()
    said: asyncio.Queue[Message] = asyncio.Queue()
    scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
    life = asyncio.ensure_future(app(scope, told.get, said.put))
    await told.put({"type": "lifespan.startup"})
    assert await said.get() == {"type": "lifespan.startup.complete"}
    try:
        yield
    finally:
        await told.put({"type": "lifespan.shutdown"})
        await life
    assert await said.get() == {"type": "lifespan.shutdown.complete"}


async def ask(app: ASGIApp, path: str, body: object, token: str | None = None) -> tuple[Any, ...]:
    """The status, the code of the refusal or else the body, and the names of the headers."""
    headers = [(b"host", b"here"), (b"content-type", b"application/json")]
    if token:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "root_path": "",
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("here", 80),
    }
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": content}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    said = json.loads(sent[1]["body"])
    names = sorted(name for name, _ in sent[0]["headers"])
    return sent[0]["status"], said.get("error", said).get("code", said), names


def test_answers_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = f"sqlite:///{tmp_path}/noughts.db"
    with closing(store_at(database)) as store:
        store.open()
    app = create_app(Settings(database=database))

    async def all_answers(game: dict[str, Any]) -> list[tuple[Any, ...]]:
        token = game["token"]
        return [
            await ask(app, path.replace("{id}", game["id"]), body, token if seated else None)
            for path, body, seated in ASKED
        ]

    async def both() -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        async with running(app):
            _, game, _ = await ask(app, "/api/games", {"n": 3, "opponent": "self"})
            short = await all_answers(game)
            monkeypatch.setattr(shortcut, "_route", lambda _path: ("", ()))
            return short, await all_answers(game)

    short, long = asyncio.run(both())
    assert short == long
    assert {status for status, _, _ in short} == {401, 404, 409, 422}
