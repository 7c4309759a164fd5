"""The state of a game, rebuilt from its log.

It is never stored. Every process rebuilds it in the same way, from the game's row and its events,
one by one. A client may see an older state, but never one that did not exist.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, json

from noughts.game.game import Game
from noughts.game.geometry import Geometry, geometry_of
from noughts.game.outcome import Termination
from noughts.service.play.events import KINDS, Event, NewGame, Status, TimeControl, check_time

ANSWERS = 128  # remembered by a game, each under its idempotency key


@dataclass(slots=True)
class Player:
    """One side of the board."""

    name: str | None
    kind: Literal["human", "computer"]
    joined: bool


class Acted(Struct, frozen=True):
    """The result of an action: the seq of its event, and the ply and status that it led to.

    The HTTP status is 201, or 200 if the same action was done and answered before.
    """

    seq: int
    ply: int
    status: Status


class State:
    """The state of a game: its status, its board and everything else that events change."""

    def __init__(self, made: NewGame) -> None:
        self.made = made
        self.id: str = made.id
        self.game: Game = Game(made.rules)  # without the moves that were taken back
        self.geometry: Geometry = geometry_of(self.game.rules)
        kind: Literal["human", "computer"] = "computer" if made.opponent == "computer" else "human"
        across = Player(None, kind, joined=made.opponent != "friend")
        self.players: dict[int, Player] = {
            made.seat: Player(made.name, "human", joined=True),
            3 - made.seat: across,
        }
        self.seq: int = 0  # of the latest event
        self.touched: int = made.at  # when that was, or when the game was created
        self.settled: int = 0  # of the latest event except reactions, which do not change the state
        self.offer: int | None = None  # the seat that offers a takeback
        self.draw: int | None = None  # the seat that offers a draw
        control = made.time_control
        self.clock: Clock | None = Clock(control, made.at) if control else None
        self.status: Status = "playing" if across.joined else "waiting"
        self.termination: Termination | None = None  # None also if the game was aborted
        self.winner: int | None = None
        self.rematch: str | None = None  # the id of the next game
        # The last requests, by seat and idempotency key, and their answers. A request under an
        # older key is stale, so it is never done twice.
        self.answers: dict[tuple[int, str], tuple[Event, Acted]] = {}
        runs = self.clock if across.joined else None
        self.deadline = runs.deadline(1) if runs else None  # ms since 1970; None if none runs

    @property
    def computer_to_move(self) -> bool:
        """Whether it is a computer's turn."""
        return self.status == "playing" and self.players[self.game.turn].kind == "computer"

    def standing(self) -> dict[str, Any]:
        """Return the fields that an event may change, as the API shows them."""
        outcome = self.game.outcome
        deadline = None if self.deadline is None else timestamp(self.deadline)
        return {
            "status": self.status,
            "turn": self.game.turn if self.status == "playing" else None,
            "termination": self.termination,
            "winner": self.winner,
            "lines": outcome.lines if outcome else (),
            "forbidden": sorted(self.game.forbidden) if self.status == "playing" else [],
            "offer": self.offer,
            "draw": self.draw,
            "clock": self.clock.answer(deadline) if self.clock else None,
            "rematch": self.rematch,
        }

    def answer(self, seats: Iterable[int], key: str) -> Acted:
        """Return the answer to the request of one of these seats under this idempotency key."""
        return next(self.answers[seat, key][1] for seat in seats if (seat, key) in self.answers)

    def apply(self, event: Event) -> None:
        """Apply the next event. Raises IllegalMove or ValueError if it is invalid."""
        if event.kind not in KINDS or event.seat not in (1, 2):
            raise ValueError(f"unknown event {event.kind!r} of seat {event.seat!r}")
        check_time(event.at)
        kind, clock = KINDS[event.kind], self.clock
        if event.seq != self.seq + 1:
            raise ValueError(f"event {event.seq} of game {self.id} cannot follow {self.seq}")
        if clock and kind.clock and self.deadline is not None:
            clock.stop(self.game.turn, event.at)
        outcome = None
        if event.kind == "move":
            if not isinstance(event.cell, int):
                raise ValueError(f"expected the number of a cell, got {event.cell!r}")
            outcome = self.game.play(self.geometry.cell(event.cell), event.seat)
            if clock:
                clock.move(event.seat)
        elif event.kind == "joined":
            self.players[event.seat].name = event.text
            self.players[event.seat].joined = True
        elif event.kind == "takeback":
            while event.ply is not None and self.game.ply > event.ply:
                self.game.undo()
        elif event.kind == "rematch":
            self.rematch = event.text
        if outcome:
            self.status = "won" if outcome.winner else "draw"
            self.termination, self.winner = outcome.termination, outcome.winner
        elif kind.status:
            self.status, self.termination = kind.status, kind.termination
            self.winner = 3 - event.seat if kind.loses else None
        if kind.settles:
            self.offer = event.seat if kind.fills == "offer" else None
            self.draw = event.seat if kind.fills == "draw" else None
            self.settled = event.seq
        if clock and kind.clock:
            if kind.clock == "starts":
                clock.start(event.at)
            self.deadline = clock.deadline(self.game.turn) if self.status == "playing" else None
        self.seq, self.touched = event.seq, event.at
        acted = Acted(event.seq, self.game.ply, self.status)
        self.answers[event.seat, event.key] = event, acted
        if len(self.answers) > ANSWERS:
            del self.answers[next(iter(self.answers))]

    def encode(self, event: Event) -> bytes:
        """Encode the latest event, with the fields it may have changed, as a server-sent event."""
        entry: dict[str, Any] = {"seq": event.seq, "kind": event.kind, "seat": event.seat}
        entry["at"] = timestamp(event.at)
        if event.cell is not None:
            entry["cell"] = self.geometry.cell(event.cell)
        elif field := KINDS[event.kind].field:
            entry[field] = event.text
        entry["ply"] = self.game.ply
        entry |= self.standing()
        return frame(event.kind, entry, event.seq)


def timestamp(at: int) -> str:
    """Format a time in milliseconds since 1970 according to ISO 8601.

    >>> timestamp(1_700_000_000_007)
    '2023-11-14T22:13:20.007Z'
    """
    return f"{_second(at // 1000)}.{at % 1000:03d}Z"


@lru_cache(maxsize=16)
def _second(at: int) -> str:
    """Format a time in seconds since 1970, without its zone; the cache saves 2% of a move."""
    return datetime.fromtimestamp(at, UTC).replace(tzinfo=None).isoformat()


def frame(kind: str, payload: object, seq: int | None = None) -> bytes:
    """Encode a server-sent event; its id is its seq, if it is in the log of the game."""
    id = b"" if seq is None else b"id: %d\n" % seq
    return b"event: %b\n%bdata: %b\n\n" % (kind.encode(), id, json.encode(payload))


class ClockAnswer(Struct):
    """The time that the players of a game with a clock have left."""

    seconds: Annotated[int, Meta(description="Seconds that each player has to think.")]
    increment: Annotated[
        int | None, Meta(description="Added by each move; null if `seconds` apply to each move.")
    ]
    left: Annotated[
        tuple[int, int],
        Meta(description="Milliseconds that seats 1 and 2 had left after the last move."),
    ]
    deadline: Annotated[str | None, Meta(description="When the player to move runs out of time.")]


class Clock:
    """The clock of a game, which runs for the player to move.

    Attributes:
        control: The time that players have to think.
        left: Milliseconds that seats 1 and 2 had left at `since`.
        since: When the running clock started, in milliseconds since 1970.
    """

    def __init__(self, control: TimeControl, since: int) -> None:
        self.control = control
        self.left: list[int] = [control.seconds * 1000] * 2
        self.since: int = since

    def stop(self, seat: int, at: int) -> None:
        """Subtract the time that this seat, which was to move, has used."""
        self.left[seat - 1] = max(0, self.left[seat - 1] - max(0, at - self.since))
        self.since = at

    def move(self, seat: int) -> None:
        """Add the increment for a move of this seat."""
        if self.control.increment is not None:
            self.left[seat - 1] += self.control.increment * 1000

    def start(self, at: int) -> None:
        """Start the clock of the player to move."""
        self.since = at
        if self.control.increment is None:
            self.left = [self.control.seconds * 1000] * 2

    def deadline(self, seat: int) -> int:
        """Return when the time of this seat, which is to move, is up."""
        return self.since + self.left[seat - 1]

    def earliest(self, seat: int, at: int) -> int:
        """Return the earliest time at which a clock can be up if this seat still thinks at `at`."""
        return min(self.deadline(seat), at + self.left[2 - seat])

    def share(self, seat: int, at: int) -> float:
        """Return the seconds that this seat, which is to move, should use for its move.

        This is half of the time it has left for the move, or a twentieth of that for the game.
        """
        parts = 2 if self.control.increment is None else 20
        return (self.deadline(seat) - at) / 1e3 / parts

    def answer(self, deadline: str | None) -> ClockAnswer:
        """Return the clock as the API shows it."""
        control, (first, second) = self.control, self.left
        return ClockAnswer(control.seconds, control.increment, (first, second), deadline)
