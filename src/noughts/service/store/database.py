"""The databases that noughts supports, by address."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from noughts.service.store.postgresql import PostgreSQL
from noughts.service.store.sqlite import SQLite
from noughts.service.store.store import DatabaseDown, DatabaseRefused, Store

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


def stores_at(urls: Iterable[str]) -> list[Store]:
    """The stores of a server at these addresses. Raises DatabaseRefused as `store_at`."""
    stores = [store_at(url) for url in urls]
    for store in stores:
        store.alone = len(stores) == 1
    return stores


@contextmanager
def opened(stores: list[Store]) -> Iterator[None]:
    """Open these stores, and close them at the end. All but one may be down, if not a file.

    Raises:
        DatabaseRefused: see `Store.open`; or the ids in two databases begin alike.
    """
    known = dict[str | None, Store]()
    with ExitStack() as stack:
        for store in stores:
            stack.callback(store.close)
            try:
                store.open()
            except DatabaseDown as refused:
                if not store.notifications:
                    raise
                down = refused
            else:
                if (other := known.setdefault(store.prefix, store)) is not store:
                    raise DatabaseRefused(f"ids in {store.url} begin like those in {other.url}")
        if not known:
            raise down
        yield
