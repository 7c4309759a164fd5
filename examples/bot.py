"""A bot for the game server, in plain Python: it joins a game and plays at random.

    python examples/bot.py http://127.0.0.1:8000/g/ID#INVITE

It follows the game's events and moves when it is its turn. If the connection breaks or the server
shuts down, it connects again and continues.
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

TIMEOUT = 60  # seconds of silence; the server sends heartbeats more often
PAUSE = 1  # seconds before a retry


def ask(url: str, body: dict[str, Any] | None = None, token: str = "") -> HTTPResponse:
    """Send a request until it succeeds; the key in its body identifies retries to the server."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = json.dumps(body | {"key": uuid4().hex}).encode() if body else None
    request = Request(url, data, headers if body else {})
    answer: HTTPResponse
    while True:
        try:
            answer = urlopen(request, timeout=TIMEOUT)
        except (OSError, HTTPException) as error:
            if isinstance(error, HTTPError) and error.code != 503:
                raise
            time.sleep(PAUSE)
        else:
            return answer


def events(url: str) -> Iterator[dict[str, Any]]:
    """Yield server-sent events: first the whole state on each connection, then changes."""
    while True:
        with ask(url) as stream, suppress(OSError, HTTPException):
            for line in stream:
                if line.startswith(b"data: "):
                    yield json.loads(line.removeprefix(b"data: "))
        time.sleep(PAUSE)


def play(link: str) -> str:
    """Join the game of an invitation and play it to its end."""
    page, _, invite = link.partition("#")
    game = page.replace("/g/", "/api/games/")
    seat = json.load(ask(f"{game}/join", {"invite": invite, "name": "a bot"}))
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
                ask(f"{game}/moves", {"cell": cell, "seq": state["seq"]}, seat["token"]).close()
            except HTTPError as refused:
                if refused.code != 409:  # the state was outdated; wait for the next event
                    raise
    raise RuntimeError("the events ended before the game")


if __name__ == "__main__":
    print(play(sys.argv[1]))
