"""What all tests share: a Hypothesis profile, the kernels they need, both classes, databases."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from browsing import browser, page_server, people  # noqa: F401  # fixtures
from noughts import kernels
from serving import Postgres, Server, postgres, serving, unmeasured_processes

# What counts is the result, not how fast it came.
settings.register_profile("noughts", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("noughts")


# The files that take long, the longest first. A worker is given a whole file at a time: what takes
# long begins first, so that the workers end together (script/test has --no-loadscope-reorder).
LONG = [
    f"test_{name}.py"
    for name in (
        *("opponent", "cluster", "files", "serve", "referees", "page_access", "page_games"),
        *("page_connection", "page_walk", "kills", "board", "fuzz", "chaos", "api", "load"),
        *("game_machine", "vector", "page_board", "page_rules", "openapi", "door", "batches"),
        *("bot", "renju", "opponent_claims", "cli_processes", "page_modules", "engines"),
        *("api_rules", "perft", "database", "pictures", "join", "match", "solver", "judge"),
    )
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files in the order in which they are to begin."""
    order = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: order.get(item.path.name, len(LONG)))


def pytest_configure(config: pytest.Config) -> None:
    """Say what the mark `kernel` means."""
    config.addinivalue_line("markers", "kernel(*names): what is tested needs these kernels")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose kernels were not compiled, or fail it where NOUGHTS_KERNELS=required."""
    for mark in item.iter_markers("kernel"):
        for name in mark.args:
            need_kernel(name)


def need_kernel(name: str) -> None:
    """Skip this test, or fail it, if the kernel of this name was not compiled."""
    if kernels.load(name) is None:
        missing = pytest.fail if os.environ.get("NOUGHTS_KERNELS") == "required" else pytest.skip
        missing(f"noughts.kernels.{name} was not compiled")


@pytest.fixture(scope="module", params=["noughts.board", "noughts.kernels.board"])
def board_of_games(request: pytest.FixtureRequest) -> Iterator[None]:
    """Games are played on the board as it is defined, then on its accelerator."""
    if "kernels" in request.param:
        need_kernel("board")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("noughts.game.Board", importlib.import_module(request.param).Board)
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


@pytest.fixture(params=["noughts.referee.tictactoe", "noughts.kernels.tictactoe"])
def referee_class(request: pytest.FixtureRequest) -> Any:
    """The pure `TicTacToe`, then the compiled one where there is one."""
    if "kernels" in request.param:
        need_kernel("tictactoe")
    return importlib.import_module(request.param).TicTacToe


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgres]:
    """A PostgreSQL for all tests of this process."""
    with postgres() as found:
        yield found


def _new_database(request: pytest.FixtureRequest, folder: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{folder}/noughts.db"
    found: Postgres = request.getfixturevalue("postgresql")
    return found.database()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of both kinds in turn."""
    return _new_database(request, tmp_path)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server for all tests of a file that leave it running, with both kinds of database."""
    with serving(_new_database(request, tmp_path_factory.mktemp("server"))) as found:
        yield found
