"""A bot for the game server, in plain Python: it joins a game and plays at random.

    python examples/bot.py http://127.0.0.1:8000/g/ID#INVITE

It reads the game's events as they come, and answers each that makes it its turn. When the
connection breaks, or the server says `bye`, it connects again and goes on.
"""

import json
import random
import sys
import time
import urllib.request
from http.client import HTTPException
from urllib.error import HTTPError
from uuid import uuid4

BROKEN = (OSError, HTTPException)  # what a lost connection raises
TIMEOUT = 60  # seconds of silence; the server says something more often
PAUSE = 1  # seconds before it tries again


def post(url, body, token=None):
    """Post JSON; the answer."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        return json.load(answer)


def wait_after(error):
    """Wait a little if this passes: a lost connection, or a server that cannot answer just now."""
    if isinstance(error, HTTPError) and error.code != 503:
        raise error
    time.sleep(PAUSE)


def move(game, token, cell, seq):
    """Move, again until there is an answer; by the key the server knows that it is one move."""
    body = {"cell": cell, "seq": seq, "key": uuid4().hex}
    while True:
        try:
            return post(f"{game}/moves", body, token)
        except BROKEN as error:
            wait_after(error)


def events(url):
    """The server-sent events: on each connection the whole state first, then what changes."""
    while True:
        try:
            with urllib.request.urlopen(url, timeout=TIMEOUT) as stream:
                for line in stream:
                    if line.startswith(b"data: "):
                        yield json.loads(line.removeprefix(b"data: "))
            time.sleep(PAUSE)  # the server has said `bye`
        except BROKEN as error:
            wait_after(error)


def play(link):
    """Join the game of an invitation and play it to its end."""
    page, _, invite = link.partition("#")
    game = page.replace("/g/", "/api/games/")
    seat = post(f"{game}/join", {"invite": invite, "name": "a bot"})
    mine, state = seat["seats"][0], {}
    for event in events(f"{game}/events"):
        state |= event
        if event.get("kind") == "move":
            state["moves"].append(event["cell"])
        elif event.get("kind") == "takeback":
            del state["moves"][event["ply"] :]
        if state["status"] in {"won", "draw", "resigned"}:
            return "I won" if state["winner"] == mine else state["status"]
        if state["turn"] == mine:
            rows, cols = state["shape"]
            board = [[row, col] for row in range(rows) for col in range(cols)]
            cell = random.choice([cell for cell in board if cell not in state["moves"]])
            try:
                move(game, seat["token"], cell, state["seq"])
            except HTTPError as refused:
                if refused.code != 409:  # the game has moved on: the next event tells
                    raise


if __name__ == "__main__":
    print(play(sys.argv[1]))
