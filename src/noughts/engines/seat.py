"""A seat in a game of a server, played by an engine or a level over the public API.

docs/server.md describes the API. Whenever the connection or the server fails, the request is tried
again after a pause, and the pauses grow. Every request has an idempotency key: it is done once.
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

from noughts.engines.play import Player
from noughts.errors import NoughtsError
from noughts.game.game import Game
from noughts.game.rules import Rules

TIMEOUT = 60.0  # seconds of silence; the server says something every fifteen
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds before another try, each twice the one before
LATER = (429, 503)  # the answers that ask for another try
MOVED_ON = 409  # the answer to a request that came too late: the next event says more
ON = ("waiting", "playing")  # the status of a game that is not over

State = dict[str, Any]
Say = Callable[[str], object]
"""Is called with a message whenever something is tried again."""


class Refused(NoughtsError):
    """The server has refused a request.

    Attributes:
        status: of its answer.
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat in a game."""

    game: str  # the game's address in the API
    number: int  # 1 begins
    rules: Rules
    token: str  # proves to the server whose seat it is


def address_of(link: str) -> tuple[str, str | None]:
    """The address in the API of the game that a link leads to, and the invitation in it, if any.

    Raises:
        ValueError: it is not a link to a game.

    >>> address_of("http://127.0.0.1:8000/g/abc#xyz")
    ('http://127.0.0.1:8000/api/games/abc', 'xyz')
    """
    parts = urlsplit(link)
    page, _, id = parts.path.rpartition("/g/")
    if parts.scheme not in ("http", "https") or not parts.netloc or not id or "/" in id:
        example = "http://127.0.0.1:8000/g/ID#INVITE"
        raise ValueError(f"{link!r} is not a link to a game such as {example}")
    return f"{parts.scheme}://{parts.netloc}{page}/api/games/{id}", parts.fragment or None


def rules_at(address: str) -> Rules:
    """The rules of a game. This is asked only once: a wrong address is reported at once.

    Raises:
        NoughtsError: no game server answers. Refused: it has no such game.
    """
    try:
        with _open(address) as answer:
            return _rules(json.load(answer))
    except (OSError, HTTPException, ValueError, LookupError) as error:
        why = getattr(error, "reason", error)
        why = getattr(why, "strerror", None) or why
        raise NoughtsError(f"no game server answers at {address}: {why}") from None


def take_seat(address: str, invite: str | None, name: str, key: str, say: Say) -> Seat:
    """Take the free seat in a game; the same key, which must be secret, takes the same seat again.

    Raises:
        Refused: there is no such game, no free seat in it, or another invitation is needed.
    """
    seated = _ask(f"{address}/join", say, {"invite": invite, "name": name[:32], "key": key})
    return Seat(address, seated["seats"][0], _rules(seated["game"]), seated["token"])


def play_seat(seat: Seat, player: Player, seconds: float, say: Say) -> State:
    """Play a game until the server says that it is over; return its last state.

    An engine must have been started for the seat's rules. Every request to take a move back is
    accepted.

    Raises:
        EngineError, IllegalMove: it is the engine's fault. Refused: the server refused a request.
    """
    for state in _states(seat, say):
        if state["status"] not in ON:
            return state
        if state["offer"] == 3 - seat.number:
            _act(seat, "takeback", state, say, accept=True)
        elif state["status"] == "playing" and state["turn"] == seat.number:
            game = Game.replay(seat.rules, map(tuple, state["moves"]))
            cell = player.move(game, seconds)
            game.play(cell)
            _act(seat, "moves", state, say, cell=cell)
    raise AssertionError("the states of a game end with its end")


def _states(seat: Seat, say: Say) -> Iterator[State]:
    """The game's state, now and after each event but reactions; a lost connection is made again."""
    pause = FIRST_PAUSE
    while True:
        state: State = {}
        with suppress(OSError, HTTPException), _open(f"{seat.game}/events") as stream:
            for line in stream:
                event = json.loads(line[6:]) if line.startswith(b"data: ") else {}
                if "status" in event:  # `bye` and `beat` have none
                    state, pause = _followed(state, event), FIRST_PAUSE
                    if event.get("kind") != "reaction":
                        yield state
        pause = _wait(pause, say)


def _followed(state: State, event: State) -> State:
    """The state after an event; the first event is a state."""
    if not state:
        return event
    moves = state["moves"][: event["ply"]]
    if event["kind"] == "move":
        moves = [*moves, event["cell"]]
    return state | {name: event[name] for name in event if name in state} | {"moves": moves}


def _act(seat: Seat, what: str, state: State, say: Say, **body: object) -> None:
    """Ask for this in a state; if the game has moved on, the next event says so."""
    body |= {"seq": state["seq"], "key": uuid4().hex}
    try:
        _ask(f"{seat.game}/{what}", say, body, seat.token)
    except Refused as error:
        if error.status != MOVED_ON:
            raise


def _ask(url: str, say: Say, body: dict[str, object], token: str = "") -> Any:
    """Post a request until there is an answer."""
    pause = FIRST_PAUSE
    while True:
        with suppress(OSError, HTTPException), _open(url, body, token) as answer:
            return json.load(answer)
        pause = _wait(pause, say)


def _wait(pause: float, say: Say) -> float:
    """Wait before another try; return the next pause."""
    say(f"no connection: trying again in {pause:g} s")
    sleep(pause)
    return min(2 * pause, LONGEST_PAUSE)


def _open(url: str, body: dict[str, object] | None = None, token: str = "") -> HTTPResponse:
    """The answer to a request.

    Raises:
        Refused: the server refuses it. OSError, HTTPException: there is no answer, or not yet.
    """
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = None if body is None else json.dumps(body).encode()
    try:
        answer: HTTPResponse = urlopen(Request(url, data, headers if body else {}), timeout=TIMEOUT)
    except HTTPError as error:
        with error:
            if error.code in LATER:
                raise
            try:
                message = json.load(error)["error"]["message"]
            except (ValueError, LookupError, TypeError):
                message = f"{url}: {error}"
        raise Refused(f"the server refuses: {message}", error.code) from None
    return answer


def _rules(state: State) -> Rules:
    shape, k = tuple(state["shape"]), state["k"]
    return Rules(shape, k, gravity=state["gravity"], variant=state["variant"])
