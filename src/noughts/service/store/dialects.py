"""The databases that noughts supports, by URL."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from noughts.service.store.postgresql import PostgreSQL
from noughts.service.store.sql import DatabaseDown, DatabaseRefused, Store
from noughts.service.store.sqlite import SQLite

DIALECTS: dict[str, Callable[[URL], Store]] = {"sqlite": SQLite, "postgresql": PostgreSQL}


def store_at(url: str) -> Store:
    """Return the store at a URL: ``sqlite:///FILE`` or ``postgresql+psycopg://USER@HOST/NAME``.

    Raises:
        DatabaseRefused: the URL is malformed, or names another kind of database.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # the URL may contain a password: only a file is shown
        file = "://" not in url and (url.endswith(".db") or Path(url).is_file())
        meant = f"; did you mean sqlite:///{url}?" if file else ""
        raise DatabaseRefused(
            "not the URL of a database: write sqlite:///FILE or "
            f"postgresql+psycopg://USER@HOST/NAME{meant}"
        ) from None
    dialect = parsed.get_backend_name()
    if dialect not in DIALECTS:
        raise DatabaseRefused(f"{dialect} is not supported: use sqlite or postgresql")
    return DIALECTS[dialect](parsed)


def stores_at(urls: Iterable[str]) -> list[Store]:
    """Return the stores of a server at these URLs. Raises DatabaseRefused as `store_at` does."""
    stores = [store_at(url) for url in urls]
    for store in stores:
        store.alone = len(stores) == 1
    return stores


@contextmanager
def opened(stores: list[Store]) -> Iterator[None]:
    """Open these stores, and close them at the end. All but one may be down, except files.

    Raises:
        DatabaseRefused: see `Store.open`; or the ids in two databases start alike.
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
                    raise DatabaseRefused(f"ids in {store.url} start like those in {other.url}")
        if not known:
            raise down
        yield
