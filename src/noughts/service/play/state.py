"""The state of a game, as its log makes it.

It is never stored. Every process makes it in the same way, from the game's row and its events, one
by one. A reader may be shown an older state, but never one that did not exist.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct, json

from noughts.game.game import Game
from noughts.game.geometry import Geometry, geometry_of
from noughts.game.outcome import Termination
from noughts.service.play.clock import Clock
from noughts.service.play.events import KINDS, Event, NewGame, Status

ANSWERS = 128  # remembered by a game, each under its idempotency key


@dataclass(slots=True)
class Player:
    """One side of the board."""

    name: str | None
    kind: Literal["human", "computer"]
    joined: bool


class Acted(Struct, frozen=True):
    """What was done: the event's seq, the ply and the status it led to.

    The status is 201, or 200 if the same was done and answered before.
    """

    seq: int
    ply: int
    status: Status


class State:
    """What the log of a game amounts to: its status, its board and what else events change."""

    def __init__(self, made: NewGame) -> None:
        self.made = made
        self.id: str = made.id
        self.game: Game = Game(made.rules)  # with the moves that were not taken back
        self.geometry: Geometry = geometry_of(self.game.rules)
        kind: Literal["human", "computer"] = "computer" if made.opponent == "computer" else "human"
        across = Player(None, kind, joined=made.opponent != "friend")
        self.players: dict[int, Player] = {
            made.seat: Player(made.name, "human", joined=True),
            3 - made.seat: across,
        }
        self.seq: int = 0  # of the latest event
        self.touched: int = made.at  # when that was, or the game was made
        self.settled: int = 0  # of the latest event but reactions: who knows it knows the state
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
        """What an event may change, as the API shows it."""
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
            "clock": self.clock.shown(deadline) if self.clock else None,
            "rematch": self.rematch,
        }

    def answer(self, seats: Iterable[int], key: str) -> Acted:
        """The answer to the request that one of these seats made under this idempotency key."""
        return next(self.answers[seat, key][1] for seat in seats if (seat, key) in self.answers)

    def apply(self, event: Event) -> None:
        """Follow the next event.

        Raises:
            IllegalMove, KeyError, ValueError: the log is not one that the server writes.
        """
        kind, clock = KINDS[event.kind], self.clock
        if event.seq != self.seq + 1:
            raise ValueError(f"event {event.seq} of game {self.id} cannot follow {self.seq}")
        if clock and kind.clock and self.deadline is not None:
            clock.stop(self.game.turn, event.at)
        outcome = None
        if event.kind == "move":
            assert event.cell is not None
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

    def told(self, event: Event) -> bytes:
        """The latest event as a server-sent event: what happened, and what it has changed."""
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
    """A time in milliseconds since 1970 as ISO 8601 writes it.

    >>> timestamp(1_700_000_000_007)
    '2023-11-14T22:13:20.007Z'
    """
    return f"{_second(at // 1000)}.{at % 1000:03d}Z"


@lru_cache(maxsize=16)
def _second(at: int) -> str:
    """A time in seconds since 1970, without its zone. Events share it: that saves 2 % of a move."""
    return datetime.fromtimestamp(at, UTC).replace(tzinfo=None).isoformat()


def frame(kind: str, payload: object, seq: int | None = None) -> bytes:
    """A server-sent event; its id is its seq, if it is in the log of the game."""
    id = b"" if seq is None else b"id: %d\n" % seq
    return b"event: %b\n%bdata: %b\n\n" % (kind.encode(), id, json.encode(payload))
