"""What all tests share: a Hypothesis profile, both classes, a way round coverage."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from browsing import browser, page_server, people  # noqa: F401  # fixtures

# What counts is the result, not how fast it came.
settings.register_profile("noughts", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("noughts")


def run_uncompiled() -> None:
    """Import noughts anew, over the uncompiled form of `noughts.kernels.position`."""
    from noughts.kernels import position

    plain = position.uncompiled()
    for name in [name for name in sys.modules if name.partition(".")[0] == "noughts"]:
        if name != "noughts.errors":  # what the plain form raises
            del sys.modules[name]
    sys.modules["noughts.kernels.position"] = plain


if os.environ.get("NOUGHTS_TESTS") == "uncompiled":
    run_uncompiled()


@pytest.fixture
def unmeasured() -> Iterator[None]:
    """Measure no coverage during this test: a walk over all games would take six times as long.

    (The mark `no_cover` of pytest-cov has no effect in the processes of pytest-xdist, where
    coverage's patch for subprocesses measures too.)
    """
    trace = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(trace)


@pytest.fixture(params=["noughts.referee.tictactoe", "noughts.kernels.referee"])
def referee_class(request: pytest.FixtureRequest) -> Any:
    """The pure `TicTacToe`, then the compiled one where there is one."""
    try:
        return importlib.import_module(request.param).TicTacToe
    except ImportError:
        pytest.skip("the kernel is not compiled")
