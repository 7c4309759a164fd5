"""The commands, run in this process or in one of their own, and what they are given."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from click.testing import CliRunner, Result

from noughts.cli.app import application

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "examples" / "games.jsonl"
CALLS = ROOT / "examples" / "calls.json"
NOUGHTS = Path(sys.executable).with_name("noughts")
SECONDS = 120  # after which a process that hangs fails its test; a busy machine needs some
TRIES = 3  # of what takes as long as it should on a machine that is not busy with other things

GOOD = '{"id":"good","n":3,"moves":[[1,1]]}\n'
ILLEGAL = '{"id":"illegal","n":3,"moves":[[1,1],[1,1]]}\n'
GOOD_VERDICT = '{"id":"good","status":"pending","winner":null,"ply":1,"lines":[]}\n'
ILLEGAL_VERDICT = (
    '{"id":"illegal","status":"illegal","winner":null,"ply":1,"lines":[],'
    '"code":"cell_taken","message":"cell (1, 1) is already taken"}\n'
)


def noughts(*arguments: str | Path, typed: str | bytes = "") -> Result:
    """Run a command in this process."""
    words = list(map(str, arguments))
    result = CliRunner().invoke(application, words, input=typed, prog_name="noughts")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def process(
    *arguments: str | Path,
    typed: bytes | None = b"",
    stdin: IO[bytes] | None = None,
    stdout: IO[bytes] | int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    cwd: Path | None = None,
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command as a process of its own."""
    if stdin is not None:
        typed = None
    return subprocess.run(
        [NOUGHTS, *arguments],
        input=typed,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        cwd=cwd,
        env=os.environ | environment,
        timeout=SECONDS,
        check=False,
    )


def default_interrupt() -> None:
    """Let Ctrl-C reach the process, even where the tests themselves run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def started(
    *command: str | Path,
    stdin: IO[bytes] | int | None = None,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    environment: Mapping[str, str] | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs meanwhile, and no longer; it leads a group, as a terminal's command."""
    with subprocess.Popen(
        command,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env=environment,
        preexec_fn=default_interrupt,
        process_group=0,
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def python(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        input="",
        text=True,
        timeout=SECONDS,
        check=False,
    )
