"""The process in which a person's tests run, with one class after another.

Usage: ``python mutation_worker.py VOCABULARY FILE``, where VOCABULARY is a
`noughts.checker.mutation.Vocabulary` in JSON. It reads the name of a known mistake per line, or an
empty line for the right classes, and writes a line of JSON, the answer of
`noughts.checker.suite.run`. The tests with a class run in a child process, which is ended after
some seconds.
"""

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from noughts.checker.suite import LATE, SECONDS, run

REQUESTS, ANSWERS = 3, 4  # file descriptors
# Seconds for the tests with one class: of processor time, so that other work does not matter, and
# at most in all, for tests that wait.
LIMITS: dict[int, int] = {signal.SIGPROF: SECONDS, signal.SIGALRM: 6 * SECONDS}


@contextmanager
def limited() -> Iterator[None]:
    """Start the time limit of the tests with one class; this process ends when it is over."""
    signal.setitimer(signal.ITIMER_PROF, LIMITS[signal.SIGPROF])
    signal.alarm(LIMITS[signal.SIGALRM])
    yield


def in_child(path: Path, mistake: str, known: dict[str, Any]) -> dict[str, Any]:
    """Run the tests in a child process; one that does not end in time fails them."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.close(REQUESTS)
        os.close(ANSWERS)
        text = json.dumps(run(path, mistake, known, limited))
        with suppress(OSError):
            os.write(writer, text.encode()[: 1 << 15])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    # One sentence for both limits, since which comes first depends on other work.
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) in LIMITS
    ended = LATE if late else "it ends the process"
    try:
        answer: dict[str, Any] = json.loads(text)
    except ValueError:
        return {"failing": [(path.name, ended)]}
    return answer


def main() -> None:
    """Run the worker: answer requests until they end."""
    known, path = json.loads(sys.argv[1]), Path(sys.argv[2])
    requests, answers = os.fdopen(REQUESTS), os.fdopen(ANSWERS, "w")
    if known["needs_pytest"]:
        with suppress(ModuleNotFoundError):
            import pytest  # noqa: F401 (once, for all child processes)
    answers.write("[]\n")
    answers.flush()
    for line in requests:
        answers.write(json.dumps(in_child(path, line.strip(), known)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
