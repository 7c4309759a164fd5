"""A bot for the game server in plain Python, which joins a game and plays random moves.

    python examples/bot.py http://127.0.0.1:8000/g/ID#INVITE

It reads the game's event stream and moves when it is its turn. If the connection breaks or the
server shuts down, it reconnects and continues.
"""

import json
import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

TIMEOUT = 60  # seconds; the server sends heartbeats more often
PAUSE = 1  # seconds before a retry


def send(url: str, body: dict[str, Any] | None = None, token: str = "") -> HTTPResponse:
    """Send a request until it is answered; its key lets the server recognise repetitions."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = json.dumps(body | {"key": uuid4().hex}).encode() if body else None
    request = Request(url, data, headers if body else {})
    response: HTTPResponse
    while True:
        try:
            response = urlopen(request, timeout=TIMEOUT)
        except (OSError, HTTPException) as error:
            if isinstance(error, HTTPError) and error.code != 503:
                raise
            time.sleep(PAUSE)
        else:
            return response


def events(url: str) -> Iterator[dict[str, Any]]:
    """Yield the server-sent events: after each connection the full state, then changes."""
    while True:
        with send(url) as stream, suppress(OSError, HTTPException):
            for line in stream:
                if line.startswith(b"data: "):
                    yield json.loads(line.removeprefix(b"data: "))
        time.sleep(PAUSE)


def play(link: str) -> str:
    """Join the game of an invitation link, play it to the end and return the result."""
    page, _, invite = link.partition("#")
    game = page.replace("/g/", "/api/games/")
    seat = json.load(send(f"{game}/join", {"invite": invite, "name": "a bot"}))
    mine = seat["seats"][0]
    state: dict[str, Any] = {}
    for event in events(f"{game}/events"):
        state |= event
        if event.get("kind") == "move":
            state["moves"].append(event["cell"])
        elif event.get("kind") == "takeback":
            del state["moves"][event["ply"] :]
        if state["status"] not in {"waiting", "playing"}:
            return "I won" if state["winner"] == mine else str(state["status"])
        if state["turn"] == mine:
            rows, cols = state["shape"]
            board = [[row, col] for row in range(rows) for col in range(cols)]
            cell = random.choice([cell for cell in board if cell not in state["moves"]])
            try:
                send(f"{game}/moves", {"cell": cell, "seq": state["seq"]}, seat["token"]).close()
            except HTTPError as error:
                if error.code != 409:  # the game has changed, as the next event will show
                    raise
    raise RuntimeError("the events ended before the game")


if __name__ == "__main__":
    print(play(sys.argv[1]))
