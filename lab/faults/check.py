"""The checker: whether a history is correct. It uses neither the server nor the database.

Every confirmed request is in the log exactly once. The log of each game is one legal sequence, in
an order that real time allows, and players saw nothing else. A request that got an error either
happened or did not, and a retry under the same key reveals which. After each fault every player
succeeds again in time. Until then requests are rejected with the status 503 and Retry-After.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate
from typing import Any, NamedTuple

from lab.faults.history import Record
from noughts import Game, Rules
from noughts.errors import IllegalMove

RECOVERY = 15  # seconds after a fault within which every player must succeed again
KINDS = {
    "join": {"joined"},
    "moves": {"move"},
    "resign": {"resigned"},
    "takeback": {"offer", "takeback", "declined"},
    "draw": {"draw", "agreed", "declined"},
    "reaction": {"reaction"},
}
"""The kinds of events that a request may write to the log, by the last word of its path."""


class Shown(NamedTuple):
    """The part of a game's state that players see."""

    moves: list[list[int]]
    status: str


class Request:
    """A request, the time of its first attempt, and every response to it."""

    def __init__(self, asked: Record) -> None:
        self.at: float = asked["at"]
        self.name = f"request {asked['request']} of {asked['player']}, {asked['path']}"
        self.body = asked["body"]
        _, _, _, self.game, self.what = [*asked["path"].split("/"), "", ""][:5]
        self.player: str = asked["player"]
        self.answers: list[Record] = []

    @property
    def confirmed(self) -> list[Record]:
        """The responses that confirm it."""
        return [each for each in self.answers if each["status"] < 300]


def check(history: list[Record]) -> list[str]:
    """Return every error of a history, as sentences."""
    requests = requests_of(history)
    logs = {record["game"]: record for record in history if record["what"] == "log"}
    wrong, games = [], {}
    for id, log in logs.items():
        try:
            games[id] = list(replayed(log["made"], log["events"]))
        except (IllegalMove, ValueError) as error:
            wrong.append(f"the log of game {id} is not legal: {error}")
    wrong += refusals(requests)
    wrong += outcomes(requests, logs)
    wrong += strangers(requests, logs)
    wrong += shown(history, logs, games)
    wrong += order(requests, history, logs)
    wrong += [
        f"{name}: {player} did not succeed again within {RECOVERY} s"
        for name, player, seconds in recoveries(requests, history)
        if seconds > RECOVERY
    ]
    return wrong


def requests_of(history: list[Record]) -> list[Request]:
    """Return all requests with their responses."""
    found: dict[int, Request] = {}
    for record in history:
        if record["what"] == "asked":
            found.setdefault(record["request"], Request(record))
        elif record["what"] == "answered" and "status" in record:
            found[record["request"]].answers.append(record)
    return list(found.values())


def replayed(made: Record, events: list[Record]) -> Iterator[Shown]:
    """Yield the state of a game at each seq, from 0.

    Raises:
        IllegalMove, ValueError: this is not the log of a game.
    """
    game = Game(Rules.parse(made["rules"]))
    status = "waiting" if made["opponent"] == "friend" else "playing"
    yield Shown([], status)
    for number, event in enumerate(events, 1):
        kind, seat = event["kind"], event["seat"]
        before = {"joined": {"waiting"}, "aborted": {"waiting"}}.get(kind, {"playing"})
        if kind == "takeback" and made["opponent"] != "friend":
            before = {"playing", "won", "draw"}  # the last move may be undone
        if event["seq"] != number:
            raise ValueError(f"event {number} has the seq {event['seq']}")
        if kind not in {"reaction", "rematch"} and status not in before:
            raise ValueError(f"event {number}, {kind}, in a game that is {status}")
        if kind == "move":
            outcome = game.play(divmod(event["cell"], columns(made)), seat)
            if outcome:
                status = "won" if outcome.winner else "draw"
        elif kind == "takeback":
            if not 0 <= event["ply"] < game.ply:
                raise ValueError(f"event {number} undoes moves to ply {event['ply']} of {game.ply}")
            while game.ply > event["ply"]:
                game.undo()
            status = "playing"
        elif kind == "timeout" and not made["seconds"]:
            raise ValueError(f"event {number} is a timeout in a game without a clock")
        else:
            ends = {"joined": "playing", "agreed": "draw"}
            ends |= {same: same for same in ("resigned", "timeout", "aborted")}
            status = ends.get(kind, status)
        yield Shown([list(cell) for cell in game.history], status)


def columns(made: Record) -> int:
    """Return the number of columns of a game's board."""
    return Rules.parse(made["rules"]).shape[1]


def refusals(requests: list[Request]) -> Iterator[str]:
    """Yield failures other than 503 with Retry-After, and requests that never got a response."""
    for request in requests:
        if not any(answer["status"] < 500 for answer in request.answers):
            yield f"{request.name}: its outcome is unknown"
        for answer in request.answers:
            if answer["status"] > 503 or 500 <= answer["status"] < 503:
                yield f"{request.name}: answered {answer['status']}"
            elif answer["status"] == 503 and not answer["retry"]:
                yield f"{request.name}: answered 503 without Retry-After"


def outcomes(requests: list[Request], logs: dict[str, Record]) -> Iterator[str]:
    """Yield confirmed requests that are not in the log exactly once, and rejected ones that are."""
    done = defaultdict(list)
    for id, log in logs.items():
        for event in log["events"]:
            done[id, event["key"]].append(event)
    for request in requests:
        if not request.game:  # it creates a game
            made = {answer["body"]["id"] for answer in request.confirmed}
            if len(made) != 1 or made - set(logs):
                yield f"{request.name}: it created {sorted(made)}, not one game of the log"
            continue
        events = done[request.game, request.body["key"]]
        if len(events) > 1:
            yield f"{request.name}: in the log {len(events)} times"
        elif not request.confirmed:
            if events:
                yield f"{request.name}: rejected, but in the log"
        elif not events:
            yield f"{request.name}: confirmed, but not in the log"
        else:
            yield from unlike(request, events[0], logs[request.game]["made"])


def unlike(request: Request, event: Record, made: Record) -> Iterator[str]:
    """Yield differences between an event, the request for it, and the response to that."""
    cell = request.body.get("cell")
    number = None if cell is None else cell[0] * columns(made) + cell[1]
    if event["kind"] not in KINDS[request.what] or event["cell"] != number:
        yield f"{request.name}: the log contains {event} instead"
    confirmed = {answer["body"].get("seq", event["seq"]) for answer in request.confirmed}
    if confirmed != {event["seq"]}:
        yield f"{request.name}: confirmed as {sorted(confirmed)}, in the log as {event['seq']}"
    if any(400 <= answer["status"] < 500 for answer in request.answers):
        yield f"{request.name}: confirmed, but also rejected under the same key"


def strangers(requests: list[Request], logs: dict[str, Record]) -> Iterator[str]:
    """Yield events that no request explains."""
    keys = {(request.game, request.body["key"]) for request in requests}
    for id, log in logs.items():
        for event in log["events"]:
            by_server = event["key"].startswith(("computer ", "timeout "))
            if not by_server and (id, event["key"]) not in keys:
                yield f"game {id}: no request explains {event}"


def shown(
    history: list[Record], logs: dict[str, Record], games: dict[str, list[Shown]]
) -> Iterator[str]:
    """Yield states and streams that contradict the log."""
    following: dict[int, int | None] = {}  # the next seq of each stream
    for record in history:
        what, id = record["what"], record.get("game")
        if what == "watched":
            after = record["after"]
            following[record["stream"]] = None if after is None else after + 1
        elif what == "read" and id in games:
            yield from untrue("a read", id, record["state"], games[id])
        elif what == "shown" and id in games:
            stream, seq, data = record["stream"], record["id"], record["data"]
            where, expected = f"stream {stream}", following[stream]
            following[stream] = seq + 1
            if record["kind"] == "state":
                yield from untrue(where, id, data, games[id])
            elif seq != expected:
                yield f"{where} of game {id}: got event {seq}, expected {expected}"
            elif seq > len(logs[id]["events"]):
                yield f"{where} of game {id}: event {seq} is not in the log"
            else:
                yield from unfaithful(where, data, logs[id], games[id])


def untrue(where: str, id: str, state: Record, game: list[Shown]) -> Iterator[str]:
    """Yield a difference between a state that was shown and the log at its seq."""
    seq = state["seq"]
    if seq >= len(game):
        yield f"{where} of game {id}: seq {seq} is not in the log"
    elif (state["moves"], state["status"]) != game[seq]:
        yield f"{where} of game {id}: wrong state at seq {seq}"


def unfaithful(where: str, data: Record, log: Record, game: list[Shown]) -> Iterator[str]:
    """Yield a difference between an event that was shown and the one in the log."""
    event, after = log["events"][data["seq"] - 1], game[data["seq"]]
    cell = None if event["cell"] is None else list(divmod(event["cell"], columns(log["made"])))
    shown = data["kind"], data["seat"], data.get("cell"), data["ply"], data["status"]
    if shown != (event["kind"], event["seat"], cell, len(after.moves), after.status):
        yield f"{where} of game {log['game']}: wrong event {data['seq']}"


def order(requests: list[Request], history: list[Record], logs: dict[str, Record]) -> Iterator[str]:
    """Yield requests that contradict real time.

    A request is later in the log than everything that was known when it was sent, and a state
    contains at least everything that any player knew when it was requested. A stream may lag.
    """
    known = defaultdict(list)  # by game: times at which a player knew of a seq
    later = []  # the game, the time of the request, the largest seq it knows, and its name
    for request in requests:
        seqs = {
            event["key"]: event["seq"] for event in logs.get(request.game, {}).get("events", ())
        }
        if request.confirmed and (seq := seqs.get(request.body["key"])):
            known[request.game].append((request.confirmed[0]["at"], seq))
            later.append((request.game, request.at, seq - 1, request.name))
    for record in history:
        if record["what"] == "read":
            known[record["game"]].append((record["at"], record["state"]["seq"]))
            what = f"a read of {record['server']}"
            later.append((record["game"], record["asked"], record["state"]["seq"], what))
        elif record["what"] == "shown":
            known[record["game"]].append((record["at"], record["id"]))
    for facts in known.values():
        facts.sort()
    highest = {id: list(accumulate((seq for _, seq in facts), max)) for id, facts in known.items()}
    for id, asked, seq, what in later:
        before = bisect_left(known[id], (asked,))
        if before and highest[id][before - 1] > seq:
            yield f"{what}: sent when {highest[id][before - 1]} was known, but shows {seq}"


def recoveries(requests: list[Request], history: list[Record]) -> Iterator[tuple[str, str, float]]:
    """Yield, for each fault and player, the seconds until the player succeeded again."""
    through: dict[str, list[float]] = defaultdict(list)  # times of confirmations
    for request in requests:
        through[request.player] += [answer["at"] for answer in request.confirmed]
    for record in history:
        if record["what"] == "healed":
            for player, times in through.items():
                after = min((at for at in times if at > record["at"]), default=float("inf"))
                yield record["name"], player, after - record["at"]


def figures(history: list[Record]) -> dict[str, Any]:
    """Return the figures of a history for the report."""
    requests = requests_of(history)
    answers = [answer for request in requests for answer in request.answers]
    slowest: dict[str, list[float]] = defaultdict(list)
    for name, _, seconds in recoveries(requests, history):
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
