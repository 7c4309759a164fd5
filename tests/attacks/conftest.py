"""One server, shared by all attacks of a process that do not disturb one another."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from service.serving import Server, serving, speaking_to


@pytest.fixture(scope="session")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server whose limits are disabled."""
    with serving(f"sqlite:///{tmp_path_factory.mktemp('attacked')}/noughts.db") as server:
        yield server


@pytest.fixture(scope="session")
def client(attacked: Server) -> Iterator[httpx.Client]:
    """Return a client of the shared server."""
    with speaking_to(attacked) as found:
        yield found
