"""The two tiers of tests.

`script/test` runs the first, whose tests are deterministic and quick. `script/test --all` adds the
second, whose tests carry the marker `tier2` with their dependency. A test of the second tier is run
once more, alone, if it depends on the outside world and fails; a test of the first tier never is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

# What a test of the second tier may depend on, and whether that is the outside world.
DEPENDENCIES = {
    "browser": True,  # a real Chromium
    "compiler": True,  # of another language, or a sanitizer
    "database": True,  # a PostgreSQL, or any database that is made to fail
    "network": True,  # a proxy, an object store, a cluster, another engine
    "process": True,  # one that is killed, stopped or attached to a terminal
    "time": True,  # how long something takes
    "load": True,  # thousands of requests, or much memory
    "long": False,  # nothing else: it is deterministic, and takes long
}
# A page of the docs declares its dependency in a comment.
DECLARED = re.compile(r"^<!-- tier2: (\w+) -->$", re.MULTILINE)
# Whatever uses one of these fixtures depends on it.
FIXTURES = {"browser": "browser", "postgresql": "database"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option with which script/test learns what to run once more."""
    parser.addoption(
        "--write-reruns",
        type=Path,
        metavar="FILE",
        help="write the ids of failed tests, if all of them depend on the outside world",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Describe the marker, and watch for failures that may be the outside world's."""
    config.addinivalue_line(
        "markers",
        f"tier2(dependency): only `script/test --all` runs it; one of {', '.join(DEPENDENCIES)}",
    )
    if hasattr(config, "workerinput"):
        return
    config.pluginmanager.register(Failures(config), "failures")
    if path := config.getoption("--write-reruns"):
        config.pluginmanager.register(Reruns(path), "reruns")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what uses a fixture of the second tier; refuse markers that say nothing."""
    for item in items:
        for name, dependency in FIXTURES.items():
            if name in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.tier2(dependency))
        if item.path.suffix == ".md" and (found := DECLARED.search(item.path.read_text("utf-8"))):
            item.add_marker(pytest.mark.tier2(found[1]))
        for marker in item.iter_markers("tier2"):
            if len(marker.args) != 1 or marker.args[0] not in DEPENDENCIES:
                raise pytest.UsageError(
                    f"{item.nodeid}: tier2{marker.args} is not one of {', '.join(DEPENDENCIES)}"
                )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Record whether the test depends on the outside world: workers report only properties."""
    if any(DEPENDENCIES[marker.args[0]] for marker in item.iter_markers("tier2")):
        item.user_properties.append(("outside", True))


class Failures:
    """Names each failed test at once: a run that is cut off has no summary."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print the test, where it failed and why."""
        if report.failed:
            terminal: Any = self._config.pluginmanager.get_plugin("terminalreporter")
            crash = getattr(report.longrepr, "reprcrash", None)
            why = f": {crash.message.splitlines()[0]}" if crash and crash.message else ""
            said = f"\nFAILED {report.nodeid} ({report.duration:.0f} s){why}\n"
            terminal.write(said, flush=True, red=True)


class Reruns:
    """Collects the tests that failed.

    Args:
        path: the file that is written at the end, with one id per line; it stays empty unless every
            failed test depends on the outside world.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._failed: dict[str, bool] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure, and whether the outside world may be its cause."""
        if report.failed:
            self._failed[report.nodeid] = ("outside", True) in report.user_properties

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be collected."""
        if report.failed:
            self._failed[report.nodeid] = False

    def pytest_sessionfinish(self, exitstatus: Any) -> None:
        """Write the ids."""
        rerun = exitstatus == pytest.ExitCode.TESTS_FAILED and all(self._failed.values())
        self._path.write_text("".join(f"{nodeid}\n" for nodeid in self._failed) if rerun else "")
