"""One server per database, shared by all tests of a process that do not disturb one another."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from service.serving import DATABASES, Server, new_database, serving, speaking_to


@pytest.fixture(scope="session", params=DATABASES)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """Start a server; its limits are disabled."""
    with serving(new_database(request, tmp_path_factory.mktemp("server"))) as found:
        yield found


@pytest.fixture(scope="session")
def client(server: Server) -> Iterator[httpx.Client]:
    """Return a client of the shared server."""
    with speaking_to(server) as found:
        yield found
