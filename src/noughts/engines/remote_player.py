"""A remote player: an engine or a level that plays a game on a server over the public API.

docs/server.md describes the API. If the connection or the server fails, a request is repeated after
increasing pauses. Every request has an idempotency key, so that it takes effect only once.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from time import sleep
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen
from uuid import uuid4

from noughts.engines.played_game import Player
from noughts.errors import NoughtsError
from noughts.game.game import Game
from noughts.game.rules import Rules

TIMEOUT = 60.0  # seconds without data; the server sends some every fifteen
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds before a retry, doubled each time
RETRY = (429, 503)  # responses that ask for a retry
TOO_LATE = 409  # the response to a request for an outdated state
RUNNING = ("waiting", "playing")  # the status of a game that is not over

State = dict[str, Any]
Say = Callable[[str], object]  # called with a message before every retry


class Refused(NoughtsError):
    """The server has refused a request.

    Attributes:
        status: the status code of its response.
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat in a game."""

    game: str  # the URL of the game in the API
    number: int  # 1 moves first
    rules: Rules
    token: str  # authenticates the player


def api_url(link: str) -> tuple[str, str | None]:
    """Return the URL in the API for a link to a game, and the invitation in the link, if any.

    Raises ValueError if it is not a link to a game.

    >>> api_url("http://127.0.0.1:8000/g/abc#xyz")
    ('http://127.0.0.1:8000/api/games/abc', 'xyz')
    """
    parts = urlsplit(link)
    page, _, id = parts.path.rpartition("/g/")
    if parts.scheme not in ("http", "https") or not parts.netloc or not id or "/" in id:
        example = "http://127.0.0.1:8000/g/ID#INVITE"
        raise ValueError(f"{link!r} is not a link to a game, such as {example}")
    return f"{parts.scheme}://{parts.netloc}{page}/api/games/{id}", parts.fragment or None


def rules_at(url: str) -> Rules:
    """Return the rules of a game, without a retry, so that a wrong URL is reported at once.

    Raises:
        NoughtsError: no game server answers.
        Refused: the server does not have this game.
    """
    try:
        with _open(url) as answer:
            return _rules(json.load(answer))
    except (OSError, HTTPException, ValueError, LookupError) as error:
        why = getattr(error, "reason", error)
        why = getattr(why, "strerror", None) or why
        raise NoughtsError(f"no game server answers at {url}: {why}") from None


def take_seat(url: str, invite: str | None, name: str, key: str, say: Say) -> Seat:
    """Take the free seat in a game, or again the seat taken with the same secret key.

    Raises Refused if the game does not exist, has no free seat, or needs another invitation.
    """
    seated = _ask(f"{url}/join", say, {"invite": invite, "name": name[:32], "key": key})
    return Seat(url, seated["seats"][0], _rules(seated["game"]), seated["token"])


def play_seat(seat: Seat, player: Player, seconds: float, say: Say) -> State:
    """Play a game until it is over, and return its last state.

    An engine must have been started with the rules of the seat. Every request to undo a move is
    accepted.

    Raises:
        EngineError, IllegalMove: the engine has failed.
        Refused: the server refused a request.
    """
    for state in _states(seat, say):
        if state["status"] not in RUNNING:
            return state
        if state["offer"] == 3 - seat.number:
            _act(seat, "takeback", state, say, accept=True)
        elif state["status"] == "playing" and state["turn"] == seat.number:
            game = Game.replay(seat.rules, map(tuple, state["moves"]))
            cell = player.move(game, seconds)
            game.play(cell)
            _act(seat, "moves", state, say, cell=cell)
    raise AssertionError("the stream of states only ends with the game")


def _states(seat: Seat, say: Say) -> Iterator[State]:
    """Yield the state of the game now and after each event except reactions, and reconnect."""
    pause = FIRST_PAUSE
    while True:
        state: State = {}
        with suppress(OSError, HTTPException), _open(f"{seat.game}/events") as stream:
            for line in stream:
                event = json.loads(line[6:]) if line.startswith(b"data: ") else {}
                if "status" in event:  # `heartbeat` and `shutdown` have no status
                    state, pause = _followed(state, event), FIRST_PAUSE
                    if event.get("kind") != "reaction":
                        yield state
        pause = _wait(pause, say)


def _followed(state: State, event: State) -> State:
    """Return the state after an event; the first event is a state."""
    if not state:
        return event
    moves = state["moves"][: event["ply"]]
    if event["kind"] == "move":
        moves = [*moves, event["cell"]]
    return state | {name: event[name] for name in event if name in state} | {"moves": moves}


def _act(seat: Seat, what: str, state: State, say: Say, **body: object) -> None:
    """Request an action in a state; if it is outdated, the next event contains the new one."""
    body |= {"seq": state["seq"], "key": uuid4().hex}
    try:
        _ask(f"{seat.game}/{what}", say, body, seat.token)
    except Refused as error:
        if error.status != TOO_LATE:
            raise


def _ask(url: str, say: Say, body: dict[str, object], token: str = "") -> Any:
    """Post a request until the server responds."""
    pause = FIRST_PAUSE
    while True:
        with suppress(OSError, HTTPException), _open(url, body, token) as answer:
            return json.load(answer)
        pause = _wait(pause, say)


def _wait(pause: float, say: Say) -> float:
    """Wait before a retry and return the next pause."""
    say(f"no connection; retrying in {pause:g} s")
    sleep(pause)
    return min(2 * pause, LONGEST_PAUSE)


def _open(url: str, body: dict[str, object] | None = None, token: str = "") -> HTTPResponse:
    """Send a request and return the response.

    Raises:
        Refused: the server refuses the request.
        OSError, HTTPException: the server does not respond or asks for a retry.
    """
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = None if body is None else json.dumps(body).encode()
    try:
        answer: HTTPResponse = urlopen(Request(url, data, headers if body else {}), timeout=TIMEOUT)
    except HTTPError as error:
        with error:
            if error.code in RETRY:
                raise
            try:
                found = json.load(error)  # servers before this release send only `error`
                message = found.get("detail") or found["error"]["message"]
            except (ValueError, LookupError, TypeError, AttributeError):
                message = f"{url}: {error}"
        raise Refused(f"the server refuses: {message}", error.code) from None
    return answer


def _rules(state: State) -> Rules:
    if "rules" in state:  # servers before this release lack it
        return Rules.parse(state["rules"])
    shape, k = tuple(state["shape"]), state["k"]
    return Rules(shape, k, gravity=state["gravity"], variant=state["variant"])
