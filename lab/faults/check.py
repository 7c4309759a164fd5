"""The checker: whether a history is correct. It uses neither the server nor the database.

Every confirmed request is in the log exactly once. The log of each game is one legal sequence, in
an order that real time allows, and players saw nothing else. A clock takes time from the player to
move only, and nobody moves when theirs is up. A request that got an error either happened or did
not, and a retry under the same key reveals which. After each fault every player succeeds again in
time. Until then requests are rejected with the status 503 and Retry-After.

A history is checked record by record, so that the first error is found at once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from lab.faults.history import Record
from noughts import Game, Rules
from noughts.errors import IllegalMove

RECOVERY = 15  # seconds after a fault within which every player must succeed again
KINDS = {
    "join": {"joined"},
    "moves": {"move"},
    "resign": {"resigned"},
    "abort": {"aborted"},
    "takeback": {"offer", "takeback", "declined"},
    "draw": {"draw", "agreed", "declined"},
    "reaction": {"reaction"},
}
"""The kinds of events that a request may write to the log, by the last word of its path."""
ENDS = {"joined": "playing", "agreed": "draw"} | {
    same: same for same in ("resigned", "timeout", "aborted")
}
"""The status of a game after an event, if it changes."""


class Shown(NamedTuple):
    """The part of a game's state that players see."""

    moves: list[list[int]]
    status: str
    left: list[int] | None  # milliseconds on the clocks


class Clock:
    """A chess clock, set by the times of events."""

    def __init__(self, made: Record) -> None:
        self._full = 1000 * int(made["seconds"])
        self._increment: int | None = made.get("increment")
        self.left = [self._full, self._full]
        self._since: int = made.get("at", 0)

    def stop(self, seat: int, at: int) -> None:
        """Take the time since it was started from this seat, whose turn it was."""
        self.left[seat - 1] = max(0, self.left[seat - 1] - max(0, at - self._since))
        self._since = at

    def start(self, at: int) -> None:
        """Start it for the player who is to move."""
        self._since = at
        if self._increment is None:
            self.left = [self._full, self._full]

    def add(self, seat: int) -> None:
        """Add the increment for a move of this seat."""
        self.left[seat - 1] += 1000 * (self._increment or 0)

    def end(self, seat: int) -> int:
        """Return when the time of this seat, which is to move, is up."""
        left: int = self.left[seat - 1]
        return self._since + left


class Log:
    """The log of a game, replayed with the game's rules alone."""

    def __init__(self, id: str, made: Record) -> None:
        self.id = id
        self.made = made
        self.events: list[Record] = []
        self.under: dict[str, list[Record]] = {}  # its events by idempotency key
        self.legal = True
        self.columns: int = Rules.parse(made["rules"]).shape[1]
        self._game = Game(Rules.parse(made["rules"]))
        self._clock = Clock(made) if made["seconds"] else None
        self._status = "waiting" if made["opponent"] == "friend" else "playing"
        self._offered: int | None = None  # the seat that offers a draw
        self.states = [self._shown()]  # at each seq, from 0

    def _shown(self) -> Shown:
        left = [*self._clock.left] if self._clock else None
        return Shown([list(cell) for cell in self._game.history], self._status, left)

    def add(self, event: Record) -> str | None:
        """Add the next event; return why this log is not legal, if that is new."""
        self.events.append(event)
        self.under.setdefault(event["key"], []).append(event)
        if self.legal:
            try:
                self._apply(len(self.events), event)
            except (IllegalMove, ValueError) as error:
                self.legal = False
                return f"the log of game {self.id} is not legal: {error}"
        return None

    def _apply(self, number: int, event: Record) -> None:
        kind, seat = event["kind"], event["seat"]
        before = {"joined": {"waiting"}, "aborted": {"waiting"}}.get(kind, {"playing"})
        if kind == "takeback" and self.made["opponent"] != "friend":
            before = {"playing", "won", "draw"}  # the last move may be undone
        if event["seq"] != number:
            raise ValueError(f"event {number} has the seq {event['seq']}")
        if kind not in {"reaction", "rematch"} and self._status not in before:
            raise ValueError(f"event {number}, {kind}, in a game that is {self._status}")
        if event["key"].startswith("computer ") and seat == self.made["seat"]:
            raise ValueError(f"event {number} is the computer's, for the player's seat")
        if kind == "agreed" and self.made["opponent"] == "friend" and self._offered != 3 - seat:
            raise ValueError(f"event {number} agrees to a draw that the other did not offer")
        if self._clock and kind in {"move", "takeback", "joined", *ENDS}:
            self._stop(self._clock, number, event)
        if kind == "move":
            outcome = self._game.play(divmod(event["cell"], self.columns), seat)
            if outcome:
                self._status = "won" if outcome.winner else "draw"
            if self._clock:
                self._clock.add(seat)
        elif kind == "takeback":
            if not 0 <= event["ply"] < self._game.ply:
                ply = self._game.ply
                raise ValueError(f"event {number} undoes moves to ply {event['ply']} of {ply}")
            while self._game.ply > event["ply"]:
                self._game.undo()
            self._status = "playing"
        elif kind == "timeout" and not self._clock:
            raise ValueError(f"event {number} is a timeout in a game without a clock")
        else:
            self._status = ENDS.get(kind, self._status)
        if self._clock and kind in {"move", "takeback", "joined"}:
            self._clock.start(event["at"])
        if kind not in {"reaction", "rematch"}:
            self._offered = seat if kind == "draw" else None
        self.states.append(self._shown())

    def _stop(self, clock: Clock, number: int, event: Record) -> None:
        """Stop the clock for an event, if it runs. Raises ValueError if that is too late."""
        if self._status == "playing":
            turn = self._game.turn
            is_up = event["at"] >= clock.end(turn)
            if event["kind"] == "timeout":
                if event["seat"] != turn or not is_up:
                    raise ValueError(f"event {number} is a timeout, but that seat has time left")
            elif is_up:
                raise ValueError(f"event {number}, {event['kind']}, when the time was up")
            clock.stop(turn, event["at"])

    def deadline(self) -> int | None:
        """Return when the time of the player to move is up, if a clock runs."""
        running = self._clock if self._status == "playing" else None
        return running.end(self._game.turn) if running else None


class Request:
    """A request, the time of its first attempt, and every response to it."""

    def __init__(self, asked: Record) -> None:
        self.at: float = asked["at"]
        self.name = f"request {asked['request']} of {asked['player']}, {asked['path']}"
        self.body = asked["body"]
        _, _, _, self.game, self.what = [*asked["path"].split("/"), "", ""][:5]
        self.player: str = asked["player"]
        self.seats: tuple[int, ...] | None = asked.get("seats")  # that the player holds, if noted
        self.cheats: bool = asked.get("cheats", False)  # whether it must be rejected
        self.answers: list[Record] = []
        self.given_up = False  # by its client or a server, and it may still be carried out

    @property
    def overtaken(self) -> bool:
        """Whether a server whose clock is ahead rejected it while an attempt was under way.

        Its time is up by that clock; by the clock of the server that carries it out it is not.
        """
        return self.given_up and self.answers[-1]["body"].get("code") == "timeout"

    @property
    def confirmed(self) -> list[Record]:
        """The responses that confirm it."""
        return [each for each in self.answers if each["status"] < 300]


class Checker:
    """Checks a history record by record. An event must be taken before anything that shows it."""

    def __init__(self) -> None:
        self.logs: dict[str, Log] = {}
        self._requests: dict[int, Request] = {}
        self._next: dict[int, int | None] = {}  # the next seq of each stream
        self._games: dict[int, str] = {}  # the game of each stream
        self._known: dict[str, list[tuple[float, int]]] = defaultdict(list)
        """By game: the times at which some player knew of a larger seq than any before."""
        self._through: dict[str, list[float]] = defaultdict(list)
        """By player: the times at which a request was confirmed, or the computer answered."""
        self._players: dict[str, str] = {}  # by game: the latest who asked for something there
        self._healed: list[tuple[str, float]] = []

    def take(self, record: Record) -> list[str]:
        """Take the next record; return every error that it shows."""
        take = TAKES.get(record["what"])
        return [*take(self, record)] if take else []

    def _made(self, record: Record) -> Iterable[str]:
        self.logs[record["game"]] = Log(record["game"], record["made"])
        return ()

    def _event(self, record: Record) -> Iterable[str]:
        player = self._players.get(record["game"])
        if player and "at" in record and record["event"]["key"].startswith("computer "):
            self._through[player].append(record["at"])
        error = self.logs[record["game"]].add(record["event"])
        return (error,) if error else ()

    def _asked(self, record: Record) -> Iterable[str]:
        if record["request"] not in self._requests:
            request = self._requests[record["request"]] = Request(record)
            self._players[request.game] = request.player
        return ()

    def _heal(self, record: Record) -> Iterable[str]:
        self._healed.append((record["name"], record["at"]))
        return ()

    def _answered(self, record: Record) -> Iterator[str]:
        if "status" not in record:
            self._requests[record["request"]].given_up = True
            return
        request, status = self._requests[record["request"]], record["status"]
        request.answers.append(record)
        if status < 300:
            self._through[request.player].append(record["at"])
            yield from self._confirmed(request, record)
        elif status > 503 or 500 <= status < 503:
            yield f"{request.name}: answered {status}"
        elif status == 503:
            request.given_up = True
            if not record["retry"]:
                yield f"{request.name}: answered 503 without Retry-After"
        if any(400 <= each["status"] < 500 for each in request.answers) and request.confirmed:
            yield f"{request.name}: confirmed, but also rejected under the same key"

    def _confirmed(self, request: Request, answer: Record) -> Iterator[str]:
        """Yield errors of a confirmation."""
        if request.cheats:
            yield f"{request.name}: confirmed, but not allowed"
        elif not request.game:  # it creates a game
            yield from self._created(request)
        elif request.what != "rematch":
            log = self.logs.get(request.game)
            events = log.under.get(request.body["key"], []) if log else []
            if log and len(events) == 1:
                yield from unlike(request, answer, events[0], log)
                yield from self._order(request.game, request.at, events[0]["seq"] - 1, request.name)
                self._knows(request.game, answer["at"], events[0]["seq"])
            elif events:
                yield f"{request.name}: in the log {len(events)} times"
            else:
                yield f"{request.name}: confirmed, but not in the log"

    def _created(self, request: Request) -> Iterator[str]:
        """Yield the error of a request that created no game, or several in one database."""
        made = sorted({answer["body"]["id"] for answer in request.confirmed})
        # If a database fails, a retry may create the game in another, under the rest of its id.
        if len({id.partition("~")[2] or id for id in made}) != 1 or not self.logs.keys() >= {*made}:
            yield f"{request.name}: it created {made}, not one game of the log"

    def _watched(self, record: Record) -> Iterable[str]:
        after = record["after"]
        self._next[record["stream"]] = None if after is None else after + 1
        self._games[record["stream"]] = record["game"]
        return ()

    def _watching(self, record: Record) -> Iterator[str]:
        """Yield the error of a stream that is still open but has not shown everything."""
        stream, log = record["stream"], self.logs.get(record["game"])
        if log and (self._next[stream] or 0) <= len(log.events):
            yield f"stream {stream} of game {log.id}: event {self._next[stream]} was never shown"

    def _read(self, record: Record) -> Iterator[str]:
        log, state = self.logs.get(record["game"]), record["state"]
        if log and log.legal:
            yield from untrue("a read", log, state)
        what = f"a read of {record['server']}"
        yield from self._order(record["game"], record["asked"], state["seq"], what)
        self._knows(record["game"], record["at"], state["seq"])

    def _shown(self, record: Record) -> Iterator[str]:
        stream, seq, log = record["stream"], record["id"], self.logs.get(record["game"])
        where, expected = f"stream {stream}", self._next[stream]
        self._next[stream] = seq + 1
        self._knows(record["game"], record["at"], seq)
        if not log or not log.legal:
            return
        if record["kind"] == "state":
            yield from untrue(where, log, record["data"])
        elif seq != expected:
            yield f"{where} of game {log.id}: got event {seq}, expected {expected}"
        elif seq > len(log.events):
            yield f"{where} of game {log.id}: event {seq} is not in the log"
        else:
            yield from unfaithful(where, record["data"], log)

    def _knows(self, game: str, at: float, seq: int) -> None:
        known = self._known[game]
        if not known or seq > known[-1][1]:
            known.append((at, seq))

    def _order(self, game: str, asked: float, seq: int, what: str) -> Iterator[str]:
        """Yield the error of an answer that contradicts real time.

        A request is later in the log than everything that was known when it was sent, and a state
        contains at least everything that any player knew when it was requested. A stream may lag.
        """
        known = self._known[game]
        before = bisect_left(known, (asked,))
        if before and known[before - 1][1] > seq:
            yield f"{what}: sent when {known[before - 1][1]} was known, but shows {seq}"

    def finish(self, recovery: float = RECOVERY) -> Iterator[str]:
        """Yield the errors that only the end of a history shows."""
        explained: set[tuple[str, str]] = set()  # games and keys of requests
        for request in self._requests.values():
            if not request.cheats and request.game:
                explained.add((request.game, request.body.get("key", "rematch")))
        for request in self._requests.values():
            yield from self._outcome(request, explained)
        for log in self.logs.values():
            yield from self._strangers(log, explained)
        for name, player, seconds in self.recoveries():
            if seconds > recovery:
                yield f"{name}: {player} did not succeed again within {recovery} s"

    def _outcome(self, request: Request, explained: set[tuple[str, str]]) -> Iterator[str]:
        """Yield the error of a request without a final answer, or that was rejected but done."""
        log = self.logs.get(request.game)
        events = log.under.get(request.body.get("key", ""), []) if log else []
        if request.cheats:  # it may try the key of another request
            if events and (request.game, request.body["key"]) not in explained:
                yield f"{request.name}: rejected, but in the log"
        elif not any(answer["status"] < 500 for answer in request.answers):
            yield f"{request.name}: its outcome is unknown"
        elif len(events) > 1:
            yield f"{request.name}: in the log {len(events)} times"
        elif events and not request.confirmed and not request.overtaken:
            yield f"{request.name}: rejected, but in the log"

    def _strangers(self, log: Log, explained: set[tuple[str, str]]) -> Iterator[str]:
        """Yield events that no request explains."""
        before = log.made.get("before")
        for event in log.events:
            key = event["key"]
            by_server = key.startswith(("computer ", "timeout "))
            again = {"rematch": log.id, "joined": before}.get(event["kind"])
            rematch = again is not None and (again, "rematch") in explained
            if not (by_server or rematch or (log.id, key) in explained):
                yield f"game {log.id}: no request explains {event}"

    def recoveries(self) -> Iterator[tuple[str, str, float]]:
        """Yield, for each fault and player, the seconds until the player succeeded again."""
        for name, healed in self._healed:
            for player, times in self._through.items():
                after = min((at for at in times if at > healed), default=float("inf"))
                yield name, player, after - healed

    @property
    def requests(self) -> list[Request]:
        """All requests, with their responses."""
        return [*self._requests.values()]


TAKES: dict[str, Callable[[Checker, Record], Iterable[str]]] = {
    "made": Checker._made,
    "event": Checker._event,
    "asked": Checker._asked,
    "answered": Checker._answered,
    "watched": Checker._watched,
    "watching": Checker._watching,
    "read": Checker._read,
    "shown": Checker._shown,
    "healed": Checker._heal,
}


def check(history: list[Record]) -> list[str]:
    """Return every error of a history, as sentences. Logs may come at its end."""
    checker = Checker()
    wrong: list[str] = []
    for record in logged(history):
        wrong += checker.take(record)
    for record in history:
        wrong += checker.take(record)
    return [*wrong, *checker.finish()]


def checked(history: list[Record]) -> Checker:
    """Return a checker that has taken a history."""
    checker = Checker()
    for record in [*logged(history), *history]:
        checker.take(record)
    return checker


def logged(history: list[Record]) -> Iterator[Record]:
    """Yield the games and events of the logs in a history as records of their own."""
    for record in history:
        if record["what"] == "log":
            game = record["game"]
            yield {"what": "made", "game": game, "made": record["made"]}
            for event in record["events"]:
                yield {"what": "event", "game": game, "event": event}


def unlike(request: Request, answer: Record, event: Record, log: Log) -> Iterator[str]:
    """Yield differences between an event, the request for it, and the response to that."""
    cell = request.body.get("cell")
    number = None if cell is None else cell[0] * log.columns + cell[1]
    if event["kind"] not in KINDS[request.what] or event["cell"] != number:
        yield f"{request.name}: the log contains {event} instead"
    if request.seats and event["seat"] not in request.seats:
        yield f"{request.name}: done for seat {event['seat']}"
    confirmed = answer["body"].get("seq", event["seq"])
    if confirmed != event["seq"]:
        yield f"{request.name}: confirmed as {confirmed}, in the log as {event['seq']}"


def untrue(where: str, log: Log, state: Record) -> Iterator[str]:
    """Yield a difference between a state that was shown and the log at its seq."""
    seq = state["seq"]
    if seq >= len(log.states):
        yield f"{where} of game {log.id}: seq {seq} is not in the log"
    elif (state["moves"], state["status"]) != log.states[seq][:2]:
        yield f"{where} of game {log.id}: wrong state at seq {seq}"


def unfaithful(where: str, data: Record, log: Log) -> Iterator[str]:
    """Yield a difference between an event that was shown and the one in the log."""
    event, after = log.events[data["seq"] - 1], log.states[data["seq"]]
    cell = None if event["cell"] is None else list(divmod(event["cell"], log.columns))
    shown = data["kind"], data["seat"], data.get("cell"), data["ply"], data["status"]
    if shown != (event["kind"], event["seat"], cell, len(after.moves), after.status):
        yield f"{where} of game {log.id}: wrong event {data['seq']}"
    clock = data.get("clock")
    if clock and [*clock["left"]] != after.left:
        left = f"{clock['left']} ms left, expected {after.left}"
        yield f"{where} of game {log.id}: event {data['seq']} shows {left}"


def figures(history: list[Record]) -> dict[str, Any]:
    """Return the figures of a history for the report."""
    checker = checked(history)
    requests = checker.requests
    answers = [answer for request in requests for answer in request.answers]
    slowest: dict[str, list[float]] = defaultdict(list)
    for name, _, seconds in checker.recoveries():
        slowest[name].append(seconds)
    healed = [record["name"] for record in history if record["what"] == "healed"]
    return {
        "faults": {name: (healed.count(name), max(slowest[name])) for name in sorted(slowest)},
        "requests": len(requests),
        "confirmed": sum(1 for request in requests if request.confirmed),
        "unavailable": sum(1 for answer in answers if answer["status"] == 503),
        "unanswered": sum(
            1 for record in history if record["what"] == "answered" and "failed" in record
        ),
        "games": sum(1 for record in history if record["what"] == "log"),
        "events": sum(len(record["events"]) for record in history if record["what"] == "log"),
        "shown": sum(1 for record in history if record["what"] == "shown"),
    }
