"""How a command ends that cannot do what was asked."""

from __future__ import annotations

from noughts.errors import NoughtsError


class Failure(NoughtsError):
    """Ends a command with exit code 2; each line of the message goes to standard error."""
