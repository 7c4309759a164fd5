"""The databases that noughts supports, by address."""

from collections.abc import Callable

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from noughts.service.store.postgresql import PostgreSQL
from noughts.service.store.sqlite import SQLite
from noughts.service.store.store import DatabaseRefused, Store

DIALECTS: dict[str, Callable[[URL], Store]] = {"sqlite": SQLite, "postgresql": PostgreSQL}


def store_at(url: str) -> Store:
    """The store at this address: ``sqlite:///FILE`` or ``postgresql+psycopg://USER@HOST/NAME``.

    Raises:
        DatabaseRefused: the address is malformed, or names another kind of database.
    """
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):  # the address may hold a password: it is not shown
        raise DatabaseRefused(
            "this is not the address of a database: write sqlite:///FILE or "
            "postgresql+psycopg://USER@HOST/NAME"
        ) from None
    dialect = address.get_backend_name()
    if dialect not in DIALECTS:
        raise DatabaseRefused(f"{dialect} is not supported: use sqlite or postgresql")
    return DIALECTS[dialect](address)
