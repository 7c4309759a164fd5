"""A process that may do anything: kept apart, limited, watched, and killed with all it started.

What a limit of the system cannot hold in everybody's hands (how many processes, how much memory
all of them, how much disk) is watched instead, several times a second.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from select import select
from time import monotonic
from uuid import uuid4

from noughts.checker.calls import line
from noughts.checker.solution import Failed
from noughts.system import need_posix

UNCONFINED = (
    "bwrap is not installed, or may not be used: solutions run with your rights, in a process of "
    "their own with limits, but they can read your files and use the network."
)
"""What the command says once where `confined` is False."""

PIECE = 1 << 16  # bytes read or written at once
FLOOD = 1 << 26  # bytes of answers that nobody writes honestly
WATCH = 0.1  # seconds
OUT_OF_MEMORY = (b"MemoryError", b"OutOfMemoryError", b"heap out of memory", b"bad_alloc")
MARK = "NOUGHTS_PROCESS"  # a variable that children inherit
SEEN = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store"),
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/java-17-openjdk", "/etc/java-21-openjdk"),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may take.

    Attributes:
        seconds: until it is ready, and until a few thousand moves on small boards are answered;
            large games have more, see `noughts.checker.running`.
        cpu: seconds of the processor, in all.
        memory: bytes of all its processes.
        addresses: bytes of address space of each; None for what reserves far more than it uses.
        processes: alive at once.
        file: bytes of a file.
        disk: bytes of its folder.
        output: bytes of what it prints that are kept.
    """

    seconds: float = 5.0
    cpu: int = 300
    memory: int = 1 << 30
    addresses: int | None = 1 << 30
    processes: int = 16
    file: int = 16 << 20
    disk: int = 64 << 20
    output: int = 1 << 16


DEFAULT = Limits()


@cache
def confined() -> bool:
    """Whether processes have no network and see no files but the system's: whether bwrap works.

    Raises:
        NeedsPosix: processes cannot even be limited and watched here.
    """
    need_posix("judging a program")
    try:
        done = subprocess.run([*_bwrap(()), "true"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _bwrap(binds: Iterable[str]) -> list[str]:
    """The words that begin a command which sees the system, and what is bound."""
    seen = [word for path in SEEN for word in ("--ro-bind-try", path, path)]
    apart = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    sealed = ["--remount-ro", "/dev", "--remount-ro", "/"]
    return ["bwrap", *apart, *seen, "--proc", "/proc", "--dev", "/dev", *binds, *sealed]


class Process:
    """A command in an empty folder of its own.

    It is asked and answers over file descriptors 3 and 4; or, if it `filters`, over its standard
    input, which ends after the first question, and output.

    Args:
        words: the command.
        reads: files and folders that it must see besides the system's.
        writes: a folder that it writes to, besides its own.

    Raises:
        Failed: "crashed", it cannot be started.
        NeedsPosix: see `confined`.
    """

    def __init__(
        self,
        words: Sequence[str],
        reads: Sequence[Path] = (),
        limits: Limits = DEFAULT,
        filters: bool = False,
        writes: Path | None = None,
    ) -> None:
        self._limits, self._filters, self._confined = limits, filters, confined()
        self._folder = tempfile.mkdtemp(prefix="noughts-")
        self._mark = f"{MARK}={uuid4().hex}"
        try:
            self._popen = subprocess.Popen(
                self._command(words, reads, writes),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._folder,
                env=self._environment(),
                start_new_session=True,
            )
        except OSError as error:
            self._remove_folder()
            raise Failed("crashed", f"it cannot be started: {error}") from None
        popen = self._popen
        assert popen.stdin
        assert popen.stdout
        assert popen.stderr
        self._to, self._from, self._said = popen.stdin, popen.stdout, popen.stderr
        for pipe in (self._to, self._from, self._said):
            os.set_blocking(pipe.fileno(), False)
        self._unsent, self._read, self._output = b"", b"", b""
        self._watched = monotonic()

    @property
    def output(self) -> str:
        """What it printed, and what it wrote to its standard error; as much as is kept."""
        self._listen()
        return self._output.decode(errors="replace")

    def ask(self, text: str, count: int, seconds: float) -> list[str]:
        """Send a text; return the lines that answer it, so many, within so many seconds.

        Raises:
            Failed: it has ended, is late, or took too much.
        """
        if not self._folder:
            raise Failed("crashed", "it has ended", self.output)
        self._unsent += text.encode()
        deadline = monotonic() + seconds
        pieces, found, size = [self._read], self._read.count(b"\n"), 0
        while found < count:
            piece = self._next(min(WATCH, deadline - monotonic()))
            if piece is None:
                self._read = b"".join(pieces)
                raise self._ended()
            pieces.append(piece)
            found += piece.count(b"\n")
            size += len(piece)
            if size > FLOOD:
                raise self._failed("crashed", "it wrote far more than answers")
            if found < count and monotonic() > deadline:
                raise self._failed("timeout", f"it did not answer within {seconds:.0f} s")
        *lines, self._read = b"".join(pieces).split(b"\n", count)
        if lines and lines[-1].startswith(b"fail "):
            self._read = lines[-1]
            raise self._ended()
        return [text.decode(errors="replace") for text in lines]

    def close(self) -> None:
        """Kill it and all it started, and remove its folder."""
        if self._folder:
            self._kill()
            self._popen.wait()
            self._listen()
            for pipe in (self._to, self._from, self._said):
                pipe.close()
            self._remove_folder()

    def _remove_folder(self) -> None:
        folder, self._folder = self._folder, ""
        # `rm` takes trees that are too deep for `shutil.rmtree`.
        if subprocess.run(["rm", "-rf", folder], stderr=-3, check=False).returncode:
            subprocess.run(["chmod", "-R", "u+rwx", folder], stderr=-3, check=False)
            subprocess.run(["rm", "-rf", folder], stderr=-3, check=False)

    def _command(
        self, words: Sequence[str], reads: Sequence[Path], writes: Path | None
    ) -> list[str]:
        """The whole command: the limits of the system, then bwrap, where it works."""
        limits = self._limits
        given = [f"-S -t {limits.cpu}", f"-H -t {limits.cpu + 5}", f"-f {limits.file // 512}"]
        if limits.addresses:
            given.append(f"-v {limits.addresses >> 10}")
        script = "; ".join(f"ulimit {limit} 2>/dev/null" for limit in ("-c 0", *given))
        ends = "" if self._filters else " 3<&0 4>&1 0</dev/null 1>&2"
        if not self._confined:
            # The shell stays, so that its parent is not the one that a solution may kill.
            return ["sh", "-c", f'{script}; "$@"{ends}; exit $?', "sh", *words]
        binds = ["--bind", self._folder, "/solution", "--chdir", "/solution"]
        for path in dict.fromkeys(map(str, reads)):
            binds += ["--ro-bind", path, path]
        if writes:
            binds += ["--bind", str(writes), str(writes)]
        return ["sh", "-c", f'{script}; exec "$@"{ends}', "sh", *_bwrap(binds), *words]

    def _environment(self) -> dict[str, str]:
        """The variables that it sees: none of the caller's, but where programs are."""
        folder = "/solution" if self._confined else self._folder
        one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        return one | {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "HOME": folder,
            "TMPDIR": folder,
            "PYTHONHASHSEED": "0",  # sets of strings have the same order every time
            MARK: self._mark.partition("=")[2],
        }

    def _next(self, seconds: float) -> bytes | None:
        """More of its answers, b"" if there is nothing within these seconds; None if it has ended.

        Raises:
            Failed: see `ask`.
        """
        writes = [self._to] if self._unsent else []
        select([pipe for pipe in (self._from, self._said) if not pipe.closed], writes, [],
               max(0, seconds))  # fmt: skip
        # Asked before reading: what it wrote before it ended counts. Its pipes may outlive it.
        ended = self._popen.poll() is not None
        self._listen()
        self._send()
        if monotonic() > self._watched + WATCH:
            self._watch()
            self._watched = monotonic()
        try:
            return os.read(self._from.fileno(), PIECE) or None
        except BlockingIOError:
            return None if ended else b""

    def _send(self) -> None:
        """Send as much as it takes now."""
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._to.fileno(), self._unsent[:PIECE]) :]
            if self._filters:
                self._to.close()
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent = b""  # that it has ended is noticed where its answers are read

    def _listen(self) -> None:
        """Read what it prints, and keep the beginning."""
        with suppress(BlockingIOError):
            for _ in range(16 * (not self._said.closed)):  # it may print faster than this reads
                piece = os.read(self._said.fileno(), PIECE)
                self._output += piece[: self._limits.output - len(self._output)]
                if not piece:
                    return self._said.close()
        return None

    def _watch(self) -> None:
        """See what it takes.

        Raises:
            Failed: more than it may.
        """
        family = _family(self._popen.pid)
        limits = self._limits
        if len(family) > limits.processes + 3:  # the shell and bwrap's
            raise self._failed("crashed", f"it started more than {limits.processes} processes")
        if sum(family.values()) > limits.memory:
            raise self._failed("memory", f"it took more than {limits.memory >> 20} MB of memory")
        used = 0
        for folder, _, names in os.walk(self._folder):
            used += 4096 * len(names) + 4096  # an empty file is not nothing
            for name in names:
                with suppress(OSError):
                    used += os.lstat(Path(folder, name)).st_blocks * 512
            if used > limits.disk:
                raise self._failed("crashed", f"it wrote more than {limits.disk >> 20} MB to disk")

    def _failed(self, verdict: str, message: str) -> Failed:
        """The error; nothing runs on."""
        self.close()
        return Failed(verdict, message, self.output)

    def _ended(self) -> Failed:
        """How it ended, as its last line says, or its exit code."""
        last = self._read.decode(errors="replace").rstrip("\n").rpartition("\n")[2]
        verdict, _, message = last.removeprefix("fail ").partition(" ")
        if last.startswith("fail ") and verdict in ("crashed", "memory", "unreadable"):
            return self._failed(verdict, line(message))
        try:
            code = self._popen.wait(0.5)
        except subprocess.TimeoutExpired:
            return self._failed("crashed", "it closed the channel of the checker")
        self._listen()
        code = code if code < 0 else 128 - code if code > 128 else code  # a shell adds 128
        if code == -signal.SIGXCPU:
            return self._failed("timeout", f"it took more than {self._limits.cpu} s in all")
        if any(word in self._output for word in OUT_OF_MEMORY):
            return self._failed("memory", f"it ran out of memory ({self._limits.memory >> 20} MB)")
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return self._failed("crashed", f"it {how} before it had answered")

    def _kill(self) -> None:
        """Kill it and all it started, as far as that is found."""
        root = self._popen.pid
        if self._confined:
            # The end of bwrap's child is that of all in it; bwrap ends when it has seen that.
            with suppress(OSError, subprocess.TimeoutExpired):
                for child in Path(f"/proc/{root}/task/{root}/children").read_text().split():
                    os.kill(int(child), signal.SIGKILL)
                self._popen.wait(1)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(root, signal.SIGKILL)  # all at once, however fast they fork
        if self._confined:
            return
        for _ in range(10):  # what is being killed may start others meanwhile
            found = {*_marked(self._mark.encode())}
            for pid in found:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if not found:
                return


def _family(root: int) -> dict[int, int]:
    """The process, those in its session, and all their children: the memory of each in bytes."""
    if sys.platform != "linux":
        return {root: 0}
    parents, memory, found = {}, {}, {root}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, *fields = stat.read_bytes().rpartition(b")")[2].split()
            if state not in b"ZX":  # dead
                pid = int(stat.parent.name)
                parents[pid] = int(fields[0])
                memory[pid] = int(fields[20]) * os.sysconf("SC_PAGE_SIZE")
                if int(fields[2]) == root:
                    found.add(pid)
    before = 0
    while before < len(found):
        before = len(found)
        found |= {pid for pid, parent in parents.items() if parent in found}
    return {pid: memory[pid] for pid in found if pid in memory}


def _marked(mark: bytes) -> Iterator[int]:
    """The processes that inherited a variable, wherever they went."""
    for environ in Path("/proc").glob("[0-9]*/environ"):  # none where it is not Linux
        with suppress(OSError):
            if mark in environ.read_bytes():
                yield int(environ.parent.name)
