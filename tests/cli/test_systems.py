"""The commands on systems that are not POSIX, simulated by removing what these lack."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from commands import GAMES, ROOT, SECONDS, started

WITHOUT = """
import builtins, os, select, signal, sys

MODULES = {"fcntl", "grp", "pwd", "readline", "resource", "termios", "tty"}
EVEN_LESS = (
    (os, ("killpg", "register_at_fork", "sched_getaffinity", "setsid")),
    (select, ("poll",)),
    (signal, ("SIGHUP", "pthread_sigmask")),
)
found = builtins.__import__

def refuse(name, globals=None, *rest, **others):
    # The standard library of this system may import them.
    if name in MODULES and (globals or {}).get("__name__", "").startswith("noughts"):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return found(name, globals, *rest, **others)

builtins.__import__ = refuse
del os.fork
if "LESS" in os.environ:
    sys.modules["uvloop"] = None
    for module, names in EVEN_LESS:
        for name in names:
            delattr(module, name)
"""
NOUGHTS = (sys.executable, "-m", "noughts")
SOLUTION = ROOT / "examples" / "solutions" / "sums.py"


@pytest.fixture
def less(tmp_path: Path) -> dict[str, str]:
    """Return the environment of processes that have little more than Windows offers."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)
    return {"PYTHONPATH": str(tmp_path), "LESS": "1"}


def run(*words: str | Path, less: dict[str, str], typed: str = "") -> tuple[int, str, str]:
    """Run a command; return its exit status, output and errors."""
    done = subprocess.run(
        [*NOUGHTS, *words],
        capture_output=True,
        cwd=less["PYTHONPATH"],
        env=os.environ | less,
        input=typed.encode(),
        timeout=SECONDS,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_commands_run_without_posix(less: dict[str, str]) -> None:
    for ends, line, typed, expected in (
        (0, "play --opponent computer --level easy", "b2\nresign\n", "X resigns: O wins."),
        (0, f"trace {GAMES}", "", "verdict 0"),
        (0, f"show {GAMES}", "", "X"),
        (1, "judge -", GAMES.read_text(), '"status":"won"'),
    ):
        code, printed, complaint = run(*line.split(), less=less, typed=typed)
        assert (code, expected in printed) == (ends, True), complaint


@pytest.mark.tier2("process")
def test_server_runs_without_posix(less: dict[str, str], tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.db"
    words = ("serve", "--port", "0", "--database-url", database)
    with started(*NOUGHTS, *words, environment=os.environ | less) as server:
        assert server.stdout is not None
        address = server.stdout.readline().decode().split()[3]
        with urlopen(address, timeout=SECONDS) as page:
            assert b"noughts" in page.read()
        server.terminate()
        assert server.wait(SECONDS) in (0, -15)


@pytest.mark.tier2("long")
def test_commands_report_that_they_need_posix(less: dict[str, str]) -> None:
    where_modules_are_missing = {"PYTHONPATH": less["PYTHONPATH"]}
    assert run("check", "--games", "9", SOLUTION, less=where_modules_are_missing)[0] == 0
    for *words, what in (
        ("check", SOLUTION, "judging a program"),
        ("match", "--rules", "gomoku", "easy", "true", "an engine that is a program"),
        ("serve", "--workers", "2", "a server of several workers"),
        ("serve", "--database-url", "postgresql://localhost/x", "a PostgreSQL database"),
    ):
        code, _, complaint = run(*words, less=less)
        assert code == 2
        assert complaint == f"noughts: {what} needs Linux, macOS or another POSIX system\n"
