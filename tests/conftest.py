"""Shared by all tests: a Hypothesis profile, compiled modules, both referee classes, databases."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from noughts.compiled import load
from page.browsing import browser, page_server, people, pyodide  # noqa: F401  # fixtures
from service.serving import (
    DATABASES,
    Postgres,
    Server,
    new_database,
    postgres,
    serving,
    unmeasured_processes,
)

# Results count, not how soon they come. The same examples are tried in every run, so that no test
# fails by chance; `script/fuzz` tries new ones.
settings.register_profile(
    "noughts", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("noughts")

# Children inherit ignored signals: SIGINT in the background, SIGHUP under nohup. Where a signal has
# a handler here, they get its default.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)


def pytest_configure(config: pytest.Config) -> None:
    """Describe the markers."""
    config.addinivalue_line("markers", "compiled(*names): the test needs these compiled modules")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose modules were not compiled, or fail it where NOUGHTS_COMPILED=required."""
    for mark in item.iter_markers("compiled"):
        for name in mark.args:
            need_compiled(name)


def need_compiled(name: str) -> None:
    """Skip this test, or fail it, if the module of this name was not compiled."""
    if load(name) is None:
        missing = pytest.fail if os.environ.get("NOUGHTS_COMPILED") == "required" else pytest.skip
        missing(f"{name} was not compiled")


@pytest.fixture(scope="module", params=["noughts.game.board", "noughts.game._board"])
def board_of_games(request: pytest.FixtureRequest) -> Iterator[None]:
    """Games are played on the board as it is defined, then on its accelerator."""
    if "._" in request.param:
        need_compiled(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("noughts.game.game.Board", importlib.import_module(request.param).Board)
        yield


@pytest.fixture
def unmeasured() -> Iterator[None]:
    """Measure no coverage during this test: a walk over all games would take many times as long.

    (The mark `no_cover` of pytest-cov has no effect in the processes of pytest-xdist, where
    coverage's patch for subprocesses measures too.)
    """
    trace = sys.gettrace()
    sys.settrace(None)
    with unmeasured_processes():
        yield
    sys.settrace(trace)


@pytest.fixture
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing outside the tests changes how wide and how colourful the output is."""
    for name in ("FORCE_COLOR", "NO_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "GITHUB_ACTIONS",
                 "TTY_COMPATIBLE", "TTY_INTERACTIVE", "LINES", "PYTHONIOENCODING",
                 "PYTHONUNBUFFERED"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture(params=["noughts.referee.tictactoe", "noughts.referee._tictactoe"])
def referee_class(request: pytest.FixtureRequest) -> Any:
    """The pure `TicTacToe`, then the compiled one where there is one."""
    if "._" in request.param:
        need_compiled(request.param)
    return importlib.import_module(request.param).TicTacToe


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgres]:
    """A PostgreSQL for all tests of this process."""
    with postgres() as found:
        yield found


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of both kinds in turn."""
    return new_database(request, tmp_path)


@pytest.fixture(scope="module", params=DATABASES)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server for all tests of a file that leave it running, with both kinds of database."""
    with serving(new_database(request, tmp_path_factory.mktemp("server"))) as found:
        yield found
