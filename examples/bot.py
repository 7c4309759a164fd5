"""A bot for the game server, in plain Python: it joins a game and plays at random.

    python examples/bot.py http://127.0.0.1:8000/g/ID#INVITE

It reads the game's events as they come, and answers each that makes it its turn.
"""

import json
import random
import sys
import urllib.request
from urllib.error import HTTPError
from uuid import uuid4


def post(url, body, token=None):
    """Post JSON; the answer."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def events(url):
    """The server-sent events: the whole state first, then what changes."""
    with urllib.request.urlopen(url) as stream:
        for line in stream:
            if line.startswith(b"data: "):
                yield json.loads(line.removeprefix(b"data: "))


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
            body = {"cell": cell, "seq": state["seq"], "key": uuid4().hex}
            try:
                post(f"{game}/moves", body, seat["token"])
            except HTTPError as refused:
                if refused.code != 409:  # the game has moved on: the next event tells
                    raise


if __name__ == "__main__":
    print(play(sys.argv[1]))
