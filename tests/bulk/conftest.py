"""Settings of the tests in this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from noughts.bulk import arrays


@pytest.fixture(autouse=True, scope="package")
def _threads_for_few_games() -> Iterator[None]:
    """Let `judge` use all threads it is given, however few the games are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "LEAST", 0)
        yield
