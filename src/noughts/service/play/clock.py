"""The clock of a game: how long each player may think, by the times in the log."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

LONGEST = 7 * 24 * 3600  # seconds
LONGEST_INCREMENT = 3600  # seconds


class TimeControl(Struct, frozen=True, forbid_unknown_fields=True):
    """How long players may think."""

    seconds: Annotated[int, Meta(ge=1, le=LONGEST)]
    increment: Annotated[
        Annotated[int, Meta(ge=0, le=LONGEST_INCREMENT)] | None,
        Meta(
            description="Seconds that each move adds to what its player has for the whole game; "
            "null: the seconds are for each move."
        ),
    ] = None


class Clock:
    """What both players have left. It runs for whoever's turn it is.

    Attributes:
        control: how long players may think.
        left: milliseconds of seats 1 and 2, when `since` was.
        since: when the clock of whoever's turn it is began to run, in milliseconds since 1970.
    """

    def __init__(self, control: TimeControl, since: int) -> None:
        self.control = control
        self.left = [control.seconds * 1000] * 2
        self.since = since

    def stop(self, seat: int, at: int) -> None:
        """Take what this seat, whose turn it was, has thought."""
        self.left[seat - 1] = max(0, self.left[seat - 1] - max(0, at - self.since))
        self.since = at

    def move(self, seat: int) -> None:
        """Add what a move of this seat brings."""
        if self.control.increment is not None:
            self.left[seat - 1] += self.control.increment * 1000

    def start(self, at: int) -> None:
        """Begin to run for whoever's turn it is now."""
        self.since = at
        if self.control.increment is None:
            self.left = [self.control.seconds * 1000] * 2

    def deadline(self, seat: int) -> int:
        """When the time of this seat, whose turn it is, is up."""
        return self.since + self.left[seat - 1]

    def earliest(self, seat: int, at: int) -> int:
        """The earliest time at which a clock can be up, if this seat still thinks at that time."""
        return min(self.deadline(seat), at + self.left[2 - seat])

    def share(self, seat: int, at: int) -> float:
        """Seconds for a move of this seat, whose turn it is, at this time.

        Half of what it has left for the move, or a twentieth of what it has left for the game.
        """
        parts = 2 if self.control.increment is None else 20
        return (self.deadline(seat) - at) / 1e3 / parts

    def told(self, deadline: str | None) -> dict[str, Any]:
        """This as the API shows it."""
        return {
            "seconds": self.control.seconds,
            "increment": self.control.increment,
            "left": self.left,
            "deadline": deadline,
        }
