"""Secrets: game ids, tokens and invitations, and what is kept of them."""

from __future__ import annotations

from hashlib import sha256
from hmac import compare_digest
from secrets import token_urlsafe


def new_id() -> str:
    """An id that nobody can guess: 96 random bits."""
    return token_urlsafe(12)


def new_secret() -> str:
    """A token or an invitation: 192 random bits."""
    return token_urlsafe(24)


def digest(secret: str) -> bytes:
    """What is stored of a secret: its SHA-256. Of so many random bits that is as good as salted."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def same(secret: str, kept: bytes) -> bool:
    """Whether `kept` is of this secret, in a time that does not depend on where they differ."""
    return compare_digest(digest(secret), kept)
