"""What a file from the lesson's page says of itself; a browser can claim anything.

The page writes these comments before the code; in JavaScript they begin with ``//``::

    # Handed in with noughts, not verified:
    # name: Ada
    # verdict: right
    # attempts: 3
    # seconds: 412
"""

import re
from dataclasses import dataclass
from typing import cast, get_args

from noughts.checker.solution import Verdict

FIRST = re.compile(r"(?:#|//) Handed in with noughts, not verified:\s*")
FIELD = re.compile(r"(?:#|//) (name|verdict|attempts|seconds): (.{1,200})")
LONGEST = 1000  # characters of the comments


@dataclass(frozen=True, slots=True)
class Claim:
    """What a file says of itself.

    Attributes:
        verdict: the verdict that the browser is said to have given.
        name: the author's name; empty if none is given.
        attempts: the number of checks; None if it is not given.
        seconds: the time from the first change to the last check; None if it is not given.
    """

    verdict: Verdict
    name: str = ""
    attempts: int | None = None
    seconds: int | None = None

    def sentence(self, verdict: str) -> str:
        """Compare the claim with the verdict, in a sentence."""
        spent = []
        if self.attempts is not None:
            spent.append(f"{self.attempts:,} attempt{'s' * (self.attempts != 1)}")
        if self.seconds is not None:
            spent.append(f"{-(-self.seconds // 60):,} min")
        contrast = "" if self.verdict == verdict else ", which it is not"
        unverified = f"; {' and '.join(spent)}, not verified" if spent else ""
        return f"handed in as {self.verdict}{contrast}{unverified}"


def read_claim(text: str) -> Claim | None:
    """Return what the comments at the beginning of a solution claim; None without a verdict."""
    first, *lines = text.removeprefix("\ufeff").splitlines()[:6] or [""]
    if not FIRST.fullmatch(first):
        return None
    found = {}
    for line in lines:
        field = FIELD.fullmatch(line.rstrip())
        if not field:
            break
        found[field[1]] = field[2].strip()
    if found.get("verdict") not in get_args(Verdict):
        return None
    return Claim(
        verdict=cast(Verdict, found["verdict"]),
        name=found.get("name", ""),
        attempts=_count(found.get("attempts")),
        seconds=_count(found.get("seconds")),
    )


def _count(written: str | None) -> int | None:
    """Return a number that was written plainly."""
    return int(written) if written and re.fullmatch(r"[0-9]{1,7}", written) else None
