"""The clock of a game: how long each player may think, by the times in the log."""

from typing import Annotated

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


class ClockAnswer(Struct):
    """What the players of a game with a clock have left."""

    seconds: Annotated[int, Meta(description="That players may think.")]
    increment: Annotated[
        int | None, Meta(description="Added by each move; null: the seconds are for each move.")
    ]
    left: Annotated[
        tuple[int, int],
        Meta(description="Milliseconds of seats 1 and 2, before the time since the last move."),
    ]
    deadline: Annotated[
        str | None, Meta(description="When the player whose turn it is runs out of time.")
    ]


class Clock:
    """What both players have left. It runs for the player whose turn it is.

    Attributes:
        control: how long players may think.
        left: milliseconds of seats 1 and 2, when `since` was.
        since: when the running clock started, in milliseconds since 1970.
    """

    def __init__(self, control: TimeControl, since: int) -> None:
        self.control = control
        self.left: list[int] = [control.seconds * 1000] * 2
        self.since: int = since

    def stop(self, seat: int, at: int) -> None:
        """Subtract the time for which this seat, whose turn it was, has thought."""
        self.left[seat - 1] = max(0, self.left[seat - 1] - max(0, at - self.since))
        self.since = at

    def move(self, seat: int) -> None:
        """Add what a move of this seat brings."""
        if self.control.increment is not None:
            self.left[seat - 1] += self.control.increment * 1000

    def start(self, at: int) -> None:
        """Start for the player whose turn it is now."""
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

    def shown(self, deadline: str | None) -> ClockAnswer:
        """This as the API shows it."""
        control, (first, second) = self.control, self.left
        return ClockAnswer(control.seconds, control.increment, (first, second), deadline)
