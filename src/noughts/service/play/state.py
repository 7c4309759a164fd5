"""The state of a game: what its log amounts to.

A state is never stored. It is made from the game's row and follows its events one by one, in every
process the same way; who asks may be shown an older state, but never one that was not so.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

from pydantic_core import to_json

from noughts.game import Game
from noughts.geometry import Cell
from noughts.rules import Rules
from noughts.service.play.events import Event, NewGame
from noughts.service.play.refusal import Refused

Status = Literal["waiting", "playing", "won", "draw", "resigned"]


@dataclass(slots=True)
class Player:
    """Who sits at one side of the board."""

    kind: Literal["human", "computer"] = "human"
    name: str | None = None
    joined: bool = True

    def payload(self) -> dict[str, object]:
        """As the API shows it."""
        return {"name": self.name, "kind": self.kind, "joined": self.joined}


class State:
    """What the log of a game amounts to.

    Attributes:
        made: how the game was made.
        game: the board, with the moves that were not taken back.
        players: of seats 1 and 2.
        seq: of the latest event; 0 before the first.
        offer: the seat that offers a takeback, if any.
        resigned: the seat that has resigned, if any.
        rematch: the id of the next game, if any.
        answers: by (seat, key), what was done, and what the client with that key was answered.
        log: the events as server-sent events, for those who watch; the event seq is at seq − 1.
    """

    def __init__(self, made: NewGame) -> None:
        self.made = made
        self.game = Game(Rules((made.rows, made.cols), made.k))
        self.players = {1: Player(), 2: Player()}
        self.players[made.seat].name = made.name
        across = self.players[3 - made.seat]
        if made.opponent == "computer":
            across.kind = "computer"
        across.joined = made.opponent != "friend"
        self.seq = 0
        self.offer: int | None = None
        self.resigned: int | None = None
        self.rematch: str | None = None
        self.answers: dict[tuple[int, str], tuple[Event, dict[str, Any]]] = {}
        self.log: list[bytes] = []

    @property
    def id(self) -> str:
        """The game's."""
        return self.made.id

    @property
    def status(self) -> Status:
        """How the game stands."""
        if self.resigned:
            return "resigned"
        if outcome := self.game.outcome:
            return "won" if outcome.winner else "draw"
        return "playing" if self.players[1].joined and self.players[2].joined else "waiting"

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.resigned is not None or self.game.outcome is not None

    @property
    def turn(self) -> int | None:
        """The seat to move; None unless the game is being played."""
        return self.game.turn if self.status == "playing" else None

    @property
    def computer_s_turn(self) -> bool:
        """Whether a computer is to move."""
        return bool(self.turn and self.players[self.turn].kind == "computer")

    @property
    def standing(self) -> dict[str, Any]:
        """The fields that an event may change."""
        outcome, status = self.game.outcome, self.status
        winner = 3 - self.resigned if self.resigned else outcome.winner if outcome else None
        return {
            "status": status,
            "turn": self.game.turn if status == "playing" else None,
            "winner": winner,
            "lines": outcome.lines if outcome else (),
            "offer": self.offer,
            "rematch": self.rematch,
        }

    def payload(self) -> dict[str, Any]:
        """The whole state, as the API shows it."""
        made = self.made
        return {
            "id": made.id,
            "shape": (made.rows, made.cols),
            "k": made.k,
            **self.standing,
            "moves": self.game.history,
            "players": [player.payload() for player in self.players.values()],
            "opponent": made.opponent,
            "level": made.level,
            "seq": self.seq,
            "created": timestamp(made.at),
        }

    def cell(self, number: int) -> Cell:
        """The cell with this number, row by row."""
        return divmod(number, self.made.cols)

    def number(self, cell: Cell) -> int:
        """The number of this cell, row by row."""
        return cell[0] * self.made.cols + cell[1]

    def apply(self, event: Event) -> None:
        """Follow the next event.

        Raises:
            IllegalMove, ValueError: the log is not one that the server writes.
        """
        if event.seq != self.seq + 1:
            raise ValueError(f"event {event.seq} of game {self.id} cannot follow {self.seq}")
        entry: dict[str, Any] = {"seq": event.seq, "kind": event.kind, "seat": event.seat}
        entry["at"] = timestamp(event.at)
        if event.kind == "move":
            assert event.cell is not None
            entry["cell"] = self.cell(event.cell)
            self.game.play(entry["cell"], event.seat)
        elif event.kind == "joined":
            entry["name"] = event.text
            self.players[event.seat].name = event.text
            self.players[event.seat].joined = True
        elif event.kind == "takeback":
            while event.ply is not None and self.game.ply > event.ply:
                self.game.undo()
        elif event.kind == "resigned":
            self.resigned = event.seat
        elif event.kind == "rematch":
            self.rematch = event.text
        self.offer = event.seat if event.kind == "offer" else None
        self.seq = event.seq
        entry |= {"ply": self.game.ply, **self.standing}
        self.log.append(frame(event.kind, event.seq, entry))
        answer = {"seq": event.seq, "ply": self.game.ply, "status": entry["status"]}
        self.answers[event.seat, event.key] = event, answer

    def check_playing(self) -> None:
        """See that the game is being played.

        Raises:
            Refused: it waits for a friend, or has ended.
        """
        if self.over:
            winner = self.standing["winner"]
            result = f"player {winner} has won" if winner else "it is a draw"
            raise Refused("game_over", f"the game is over: {result}", self.seq)
        if self.status == "waiting":
            raise Refused("waiting", "the game waits for the other player to join", self.seq)

    def check_move(self, seats: tuple[int, ...], cell: Cell) -> int:
        """The seat that makes this move.

        Raises:
            Refused: it is off the board, the game is not being played, it is another player's
                turn, or the cell is taken.
        """
        seat = self.game.turn if self.game.turn in seats else seats[0]
        illegal = self.game.why_illegal(cell, seat)
        if illegal is None or illegal.code != "off_board":
            self.check_playing()
        if illegal is not None:
            raise Refused.of(illegal, self.seq)
        return seat

    def takeback_ply(self, seat: int) -> int:
        """The ply that a takeback by this seat goes back to: before its own last move.

        Raises:
            Refused: it has not moved.
        """
        ply = self.game.ply
        if self.made.opponent == "self":
            ply -= 1
        else:  # marks alternate, from seat 1
            ply -= 1 if ply % 2 == seat % 2 else 2
        if ply < 0:
            raise Refused("nothing_to_take_back", "there is no move to take back", self.seq)
        return ply


@dataclass(slots=True, eq=False, weakref_slot=True)
class Open:
    """A game in memory: its state, whose seats, and a lock, for one change at a time."""

    state: State
    seats: dict[bytes, tuple[int, ...]] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


def timestamp(at: int) -> str:
    """A time in milliseconds since 1970 as ISO 8601 writes it.

    >>> timestamp(1_700_000_000_007)
    '2023-11-14T22:13:20.007Z'
    """
    return f"{_second(at // 1000)}.{at % 1000:03d}Z"


@lru_cache(maxsize=16)
def _second(at: int) -> str:
    """A time in seconds since 1970, without its zone: many events share it."""
    return datetime.fromtimestamp(at, UTC).replace(tzinfo=None).isoformat()


def frame(kind: str, seq: int, payload: object) -> bytes:
    """A server-sent event whose id is a seq of the game."""
    return b"event: %b\nid: %d\ndata: %b\n\n" % (kind.encode(), seq, to_json(payload))
