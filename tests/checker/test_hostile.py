"""Hostile solutions: each gets a verdict, and nothing else is harmed."""

import json
import os
import socket
from dataclasses import replace
from pathlib import Path
from select import select

import pytest

from checker.conftest import Open
from checker.solutions import ANSWERS, RIGHT, WON
from noughts.checker import sandbox
from noughts.checker.isolated import IsolatedSolution
from noughts.checker.sandbox import DEFAULT, Sandbox, confined
from noughts.checker.solution import Failed

pytestmark = pytest.mark.tier2("process")
LIMITS = replace(
    DEFAULT, seconds=1.0, memory=300 << 20, addresses=300 << 20, disk=8 << 20, file=4 << 20
)


@pytest.fixture(params=["confined", "unconfined"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "unconfined":
        monkeypatch.setattr(sandbox, "confined", lambda: False)
    elif not confined():
        pytest.skip("bwrap does not work here")
    return str(request.param)


def hostile(start: str = "", move: str = "pass", end: str = "") -> str:
    """Return a right solution that also does this at its start, in each move and at its end."""
    moved = RIGHT.replace(
        "        value", "".join(f"        {m}\n" for m in move.split("\n")) + "        value", 1
    )
    return f"import os, sys, builtins, signal, threading, time\n{start}\n{moved}\n{end}\n"


LOOP = "while True: pass"
WAIT = "while True: time.sleep(9)"  # as late as a loop, without using the processor
# Only the parent forks, to spare other tests.
FORKS = "while True: os.fork() or signal.pause(); time.sleep(0.02)"


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize(
    ("source", "verdict", "message"),
    [
        (hostile(move="os._exit(0)"), "crashed", "it exited with code 0"),
        (
            hostile("builtins.len = builtins.str = builtins.repr = None"),
            "crashed",
            "it exited with",
        ),
        (hostile(move="os._exit(7)"), "crashed", "it exited with code 7"),
        (hostile("os._exit(0)"), "crashed", "it exited with code 0"),
        (hostile("sys.exit()"), "unusable", "its top-level code raises SystemExit"),
        (hostile(WAIT), "timeout", "it did not answer within"),
        (hostile(end=WAIT), "timeout", "it did not answer within"),
        (hostile(move=LOOP), "timeout", "it did not answer within"),
        (
            hostile(move=f"signal.signal(signal.SIGTERM, signal.SIG_IGN)\n{WAIT}"),
            "timeout",
            "it did",
        ),
        (hostile(move="while True: print('forged ' * 9999)"), "timeout", "it did not answer"),
        (
            RIGHT.replace("        self.n, ", "        while True: pass\n        self.n, "),
            "timeout",
            "it",
        ),
        (
            hostile(move="self.all = [b'1' * 10 ** 6 for _ in range(10 ** 6)]"),
            "memory",
            "it ran out",
        ),
        (hostile("x = [b'1' * 10 ** 6 for _ in range(10 ** 6)]"), "memory", "it ran out"),
        (
            hostile(move=f"os.fork() or os.fork()\nself.b = b'1' * 10 ** 8\n{LOOP}"),
            "memory",
            "it used",
        ),
        (hostile(move=FORKS), "crashed", "it started more than 16 processes"),
        (hostile(FORKS), "crashed", "it started more than 16 processes"),
        (
            hostile(move="for i in range(99): open(str(i), 'wb').write(b'1' * 10 ** 6)\n" + LOOP),
            "crashed",
            "it wrote more than 8 MB to disk",
        ),
        (hostile(move="os.closerange(0, 999)"), "crashed", "it exited with code"),
        (
            hostile(
                move="for fd in range(3, 30):\n            try: os.write(fd, b'1\\n' * 9)\n"
                "            except OSError: pass"
            ),
            "crashed",
            "it wrote to the checker's channel",
        ),
        (
            hostile(
                "for fd in range(3, 30):\n  try: os.write(fd, b'right\\n')\n  except OSError: pass"
            ),
            "crashed",
            "it wrote to the checker's channel",
        ),
        (
            hostile(
                move="for fd in range(3, 30):\n            try:\n"
                "              while True: os.write(fd, b'1' * 10 ** 6)\n"
                "            except OSError: pass"
            ),
            "crashed",
            "it wrote far more than its answers",
        ),
        (hostile("import ctypes", "ctypes.string_at(0)"), "crashed", "it was killed by signal 11"),
        (
            hostile(move="return type('L', (), {'__index__': lambda s: time.sleep(99)})()"),
            "timeout",
            "it did not answer within",
        ),
        (
            hostile(move="return type('L', (), {'__repr__': lambda s: time.sleep(99)})()"),
            "timeout",
            "it did not answer within",
        ),
    ],
)
def test_failing_solution_gets_verdict(
    opened: Open, source: str, verdict: str, message: str
) -> None:
    # Failing may take long on a busy machine; a solution that hangs is late in any case.
    limits = LIMITS if verdict == "timeout" else replace(LIMITS, seconds=10.0)
    with pytest.raises(Failed) as caught:
        opened(source, limits=limits).play([WON])
    assert caught.value.verdict == verdict
    assert str(caught.value).startswith(message)
    assert len(caught.value.output) <= LIMITS.output


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize(
    "source",
    [
        hostile("sys.stdout.close(); sys.stderr.close(); os.close(1); os.close(2)"),
        hostile("sys.modules.clear()"),
        hostile("builtins.sum = builtins.print = builtins.max = None"),
        hostile("sys.settrace(lambda *a: None); sys.setrecursionlimit(10 ** 6)"),
        hostile("threading.Thread(target=lambda: exec('while True: pass')).start()"),
        hostile("os.fork()"),
        hostile(move="print('0\\t0\\t0\\t0\\t1'); print('fail right', file=sys.stderr)"),
        hostile("try:\n  import noughts\n  noughts.TicTacToe.move = None\nexcept Exception: pass"),
        hostile("os.chdir('/'); os.environ.clear()"),
        hostile("for s in (signal.SIGTERM, signal.SIGINT): signal.signal(s, signal.SIG_IGN)"),
    ],
)
def test_harmless_tricks_do_not_matter(opened: Open, source: str) -> None:
    assert opened(source, limits=LIMITS).play([WON])[0].answers == ANSWERS


def test_forged_description_is_printable(opened: Open) -> None:
    told = json.dumps(["\x1b" * 999] * 99)
    write = f"os.write(fd, {told!r}.encode() + b'\\n')"
    forged = f"for fd in range(3, 30):\n  try: {write}\n  except OSError: pass"
    solution = opened(hostile(forged))
    assert solution.what.startswith("class TicTacToe")
    assert all(note.isprintable() for note in solution.notes)
    assert sum(map(len, solution.notes)) < 10_000


@pytest.mark.parametrize(
    ("move", "answer"),
    [
        ("sys.exit()", "!SystemExit"),
        ("self.move(row, col, player)", "!RecursionError: maximum recursion depth exceeded"),
        ("return True", "True"),
        ("return type('L', (), {'__repr__': lambda s: '1'})()", "L 1"),
        (
            "return type('L', (), {'__eq__': lambda s, o: True, '__hash__': lambda s: 1})()",
            "<solution.L",
        ),
        ("return type('L', (str,), {'__repr__': lambda s: '1'})('x')", "'x'"),
        ("open('big', 'wb').write(b'1' * 10 ** 7)", "!OSError: [Errno 27] File too large"),
    ],
)
def test_answers_cannot_be_forged(opened: Open, move: str, answer: str) -> None:
    assert opened(hostile(move=move), limits=LIMITS).play([WON])[0].answers[0].startswith(answer)


@pytest.mark.usefixtures("mode")
def test_killing_the_parent_is_harmless(opened: Open) -> None:
    source = hostile(move="os.kill(os.getppid(), signal.SIGKILL)\nsignal.pause()")
    with pytest.raises(Failed):
        opened(source, limits=LIMITS).play([WON])


@pytest.mark.usefixtures("mode")
def test_close_kills_daemons(opened: Open) -> None:
    daemon = "  os.setsid()\n  if os.fork() == 0: signal.pause()\n  os._exit(0)"
    solution = opened(hostile(f"if os.fork() == 0:\n{daemon}"))
    assert isinstance(solution, IsolatedSolution)
    assert isinstance(solution._process, Sandbox)
    mark = solution._process._mark.encode()
    assert solution.play([WON])[0].answers == ANSWERS
    started = [os.pidfd_open(pid) for pid in sandbox._marked(mark)]
    assert len(started) >= 2
    solution.close()
    for process in started:
        assert select([process], [], [], 60)[0]
        os.close(process)


def test_bwrap_hides_network_and_files(opened: Open, tmp_path: Path) -> None:
    if not confined():
        pytest.skip("bwrap does not work here")
    secret = tmp_path.parent / "secret"
    secret.write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        read = f"return open({str(secret)!r}).read()"
        connect = f"import socket; return socket.create_connection(('127.0.0.1', {port})).fileno()"
        answers = [opened(hostile(move=move)).play([WON])[0].answers[0] for move in (read, connect)]
    assert answers[0].startswith("!FileNotFoundError")
    assert answers[1].startswith("!ConnectionRefusedError")
    where = opened(hostile(move="return str((os.listdir('.'), os.path.exists('/home')))"))
    assert where.play([WON])[0].answers[0] == "'([], False)'"
    for place in ("/", "/dev/shm", "/usr"):
        made = opened(hostile(move=f"open('{place}/x', 'w')")).play([WON])[0].answers[0]
        assert made.startswith("!OSError: [Errno 30] Read-only file system")


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize(
    "said", ["'0'", "'nan nan'", "'inf 1'", "'1 2 3'", "'-1 -1'", "'[' * 5000"]
)
def test_forged_measurements_are_one_verdict(opened: Open, said: str) -> None:
    """Write answers of one's own, whatever was asked, once the class is being measured."""
    forge = f"os.write(4, ({said}).encode() + b'\\n')"
    solution = opened(hostile(move=f"if self.n == 7: {forge}"))

    def measure() -> None:
        for _ in range(3):
            solution.seconds(7, [(0, 0, 1)], 2)
            solution.size(7, [(0, 0, 1)])

    with pytest.raises(Failed) as caught:
        measure()
    assert caught.value.verdict == "crashed"
