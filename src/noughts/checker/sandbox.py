"""A process for untrusted programs: isolated, limited, watched, and killed with its descendants.

Without privileges, the system cannot limit the number of processes, their total memory and their
disk usage. These are checked several times per second instead.
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
from typing import NamedTuple, cast
from uuid import uuid4

from noughts.checker.calls import line
from noughts.checker.solution import Failed, Verdict
from noughts.system import need_posix

UNCONFINED = (
    "bwrap is not installed or not permitted: each program runs in its own process with limits, "
    "but with your permissions: it can read your files and use the network."
)
"""The warning that the command prints once if `confined` returns False."""

CHUNK = 1 << 16  # maximum number of bytes per read or write
FLOOD = 1 << 26  # more bytes of answers than an honest solution writes
WATCH = 0.1  # seconds between checks
EXITING = 2.0  # seconds for a process to exit after it has closed its channel
PATIENCE = 4  # how many times its limit a process may take that uses no processor time
OUT_OF_MEMORY = (b"MemoryError", b"OutOfMemoryError", b"heap out of memory", b"bad_alloc")
MARK = "NOUGHTS_PROCESS"  # an environment variable that child processes inherit
VISIBLE = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store"),
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/java-17-openjdk", "/etc/java-21-openjdk"),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a process.

    Attributes:
        seconds: processor time until it is ready, and until it has answered a few thousand moves on
            small boards; see `noughts.checker.isolated` for large games. A process that waits, or
            that other work delays, has `PATIENCE` times as long.
        cpu: total processor time, in seconds.
        memory: bytes used by all its processes together.
        addresses: bytes of address space per process; None if it reserves far more than it uses.
        processes: number of simultaneous processes.
        file: bytes per file.
        disk: bytes in its folder.
        output: bytes of its printed output to keep.
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
    """Return whether bwrap works: it hides the network and all files except the system's.

    Raises NeedsPosix if processes cannot be limited or watched on this system.
    """
    need_posix("judging a program")
    try:
        done = subprocess.run([*_bwrap(()), "true"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _bwrap(binds: Iterable[str]) -> list[str]:
    """Return the start of a bwrap command that sees the system's files and these bindings."""
    seen = [word for path in VISIBLE for word in ("--ro-bind-try", path, path)]
    apart = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    sealed = ["--remount-ro", "/dev", "--remount-ro", "/"]
    return ["bwrap", *apart, *seen, "--proc", "/proc", "--dev", "/dev", *binds, *sealed]


class Sandbox:
    """A command running in its own empty folder.

    It reads requests from file descriptor 3 and writes answers to 4. With `filters`, it uses its
    standard input, which is closed after the first request, and its standard output.

    Args:
        words: the command.
        reads: files and folders it can read, in addition to the system's.
        limits: its limits.
        filters: whether it communicates over standard input and output.
        writes: folders it can write to, in addition to its own.

    Raises:
        Failed: "crashed": the command cannot be started.
        NeedsPosix: processes cannot be limited or watched on this system.
    """

    def __init__(
        self,
        words: Sequence[str],
        reads: Sequence[Path] = (),
        limits: Limits = DEFAULT,
        filters: bool = False,
        writes: Sequence[Path] = (),
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
        self._watched, self._used = monotonic(), 0.0

    @property
    def output(self) -> str:
        """The beginning of its standard output and standard error."""
        self._listen()
        return self._output.decode(errors="replace")

    def request(self, text: str, count: int, seconds: float) -> list[str]:
        """Send a text and return the next `count` lines of the answer.

        Raises Failed if the process ends, exceeds a limit or does not answer within `seconds`.
        """
        if not self._folder:
            raise Failed("crashed", "it has exited", self.output)
        self._unsent += text.encode()
        started, used_before = monotonic(), None
        chunks, found, size = [self._read], self._read.count(b"\n"), 0
        while found < count:
            chunk = self._next(WATCH)
            if chunk is None:
                self._read = b"".join(chunks)
                raise self._ended()
            chunks.append(chunk)
            found += chunk.count(b"\n")
            size += len(chunk)
            if size > FLOOD:
                raise self._failed("crashed", "it wrote far more than its answers")
            if used_before is None and self._watched > started:
                used_before = self._used
            elapsed = monotonic() - started
            if found < count and elapsed > seconds:
                used = self._used - (used_before or 0.0) + 2 * WATCH
                if used > seconds or elapsed > PATIENCE * seconds:
                    raise self._failed("timeout", f"it did not answer within {seconds:.0f} s")
        *lines, self._read = b"".join(chunks).split(b"\n", count)
        if lines and lines[-1].startswith(b"fail "):
            self._read = lines[-1]
            raise self._ended()
        return [text.decode(errors="replace") for text in lines]

    def close(self) -> None:
        """Kill the process and every descendant that can be found, and delete its folder."""
        if self._folder:
            self.kill()
            self._popen.wait()
            self._listen()
            for pipe in (self._to, self._from, self._said):
                pipe.close()
            self._remove_folder()

    def _remove_folder(self) -> None:
        folder, self._folder = self._folder, ""
        # `rm` can delete trees too deep for `shutil.rmtree`.
        if subprocess.run(["rm", "-rf", folder], stderr=-3, check=False).returncode:
            subprocess.run(["chmod", "-R", "u+rwx", folder], stderr=-3, check=False)
            subprocess.run(["rm", "-rf", folder], stderr=-3, check=False)

    def _command(
        self, words: Sequence[str], reads: Sequence[Path], writes: Sequence[Path]
    ) -> list[str]:
        """Return the complete command: the system's limits, then bwrap if it works."""
        limits = self._limits
        given = [f"-S -t {limits.cpu}", f"-H -t {limits.cpu + 5}", f"-f {limits.file // 512}"]
        if limits.addresses:
            given.append(f"-v {limits.addresses >> 10}")
        script = "; ".join(f"ulimit {limit} 2>/dev/null" for limit in ("-c 0", *given))
        ends = "" if self._filters else " 3<&0 4>&1 0</dev/null 1>&2"
        if not self._confined:
            # The shell stays alive, so that a solution that kills its parent kills only the shell.
            return ["sh", "-c", f'{script}; "$@"{ends}; exit $?', "sh", *words]
        binds = ["--bind", self._folder, "/solution", "--chdir", "/solution"]
        for path in dict.fromkeys(map(str, reads)):
            binds += ["--ro-bind", path, path]
        for path in map(str, writes):
            binds += ["--bind", path, path]
        return ["sh", "-c", f'{script}; exec "$@"{ends}', "sh", *_bwrap(binds), *words]

    def _environment(self) -> dict[str, str]:
        """Return its environment variables: PATH is the only one inherited from the caller."""
        folder = "/solution" if self._confined else self._folder
        one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        return one | {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "HOME": folder,
            "TMPDIR": folder,
            # The GNU allocator keeps memory, so that only the first objects cause page faults.
            "MALLOC_MMAP_THRESHOLD_": f"{32 << 20}",
            "MALLOC_TRIM_THRESHOLD_": f"{1 << 40}",
            "PYTHONHASHSEED": "0",  # gives sets of strings the same order every time
            MARK: self._mark.partition("=")[2],
        }

    def _next(self, seconds: float) -> bytes | None:
        """Return more of its answers, b"" if none arrive in time, or None if it has ended."""
        writes = [self._to] if self._unsent else []
        select([pipe for pipe in (self._from, self._said) if not pipe.closed], writes, [],
               max(0, seconds))  # fmt: skip
        # Poll before reading, so that everything written before the exit counts.
        ended = self._popen.poll() is not None
        self._listen()
        self._send()
        if monotonic() > self._watched + WATCH:
            self._watch()
            self._watched = monotonic()
        try:
            return os.read(self._from.fileno(), CHUNK) or None
        except BlockingIOError:
            return None if ended else b""

    def _send(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._to.fileno(), self._unsent[:CHUNK]) :]
            if self._filters:
                self._to.close()
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent = b""  # the exit is detected when its answers are read

    def _listen(self) -> None:
        """Read what the process prints and keep the beginning."""
        with suppress(BlockingIOError):
            for _ in range(16 * (not self._said.closed)):  # it may print faster than this reads
                chunk = os.read(self._said.fileno(), CHUNK)
                self._output += chunk[: self._limits.output - len(self._output)]
                if not chunk:
                    return self._said.close()
        return None

    def _watch(self) -> None:
        """Raise `Failed` if the number, memory or disk usage of its processes is over the limit."""
        family = _family(self._popen.pid)
        limits = self._limits
        if len(family) > limits.processes + 3:  # the shell and two processes of bwrap
            raise self._failed("crashed", f"it started more than {limits.processes} processes")
        self._used = sum(each.seconds for each in family.values())
        if sum(each.memory for each in family.values()) > limits.memory:
            raise self._failed("memory", f"it used more than {limits.memory >> 20} MB of memory")
        used = 0
        for folder, _, names in os.walk(self._folder):
            used += 4096 * len(names) + 4096  # an empty file takes space too
            for name in names:
                with suppress(OSError):
                    used += os.lstat(Path(folder, name)).st_blocks * 512
            if used > limits.disk:
                raise self._failed("crashed", f"it wrote more than {limits.disk >> 20} MB to disk")

    def _failed(self, verdict: Verdict, message: str) -> Failed:
        self.close()
        return Failed(verdict, message, self.output)

    def _ended(self) -> Failed:
        """Return the error for a process that ended, from its last line or its exit code."""
        last = self._read.decode(errors="replace").rstrip("\n").rpartition("\n")[2]
        verdict, _, message = last.removeprefix("fail ").partition(" ")
        if last.startswith("fail ") and verdict in ("crashed", "memory", "unusable"):
            return self._failed(cast(Verdict, verdict), line(message))
        try:
            code = self._popen.wait(EXITING)
        except subprocess.TimeoutExpired:
            return self._failed("crashed", "it closed the checker's channel")
        self._listen()
        code = code if code < 0 else 128 - code if code > 128 else code  # shells add 128 to signals
        if code == -signal.SIGXCPU:
            return self._failed("timeout", f"it used more than {self._limits.cpu} s in all")
        if any(word in self._output for word in OUT_OF_MEMORY):
            return self._failed("memory", f"it ran out of memory ({self._limits.memory >> 20} MB)")
        how = f"was killed by signal {-code}" if code < 0 else f"exited with code {code}"
        return self._failed("crashed", f"it {how} before answering")

    def kill(self) -> None:
        """Kill them at once, from any thread; a thread waiting for an answer gets a `Failed`."""
        root = self._popen.pid
        if self._confined:
            # Killing bwrap's child ends everything inside; bwrap itself exits afterwards.
            with suppress(OSError, subprocess.TimeoutExpired):
                for child in Path(f"/proc/{root}/task/{root}/children").read_text().split():
                    os.kill(int(child), signal.SIGKILL)
                self._popen.wait(1)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(root, signal.SIGKILL)  # the whole group at once, however fast it forks
        if self._confined:
            return
        for _ in range(10):  # processes may start others while they are being killed
            found = {*_marked(self._mark.encode())}
            for pid in found:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if not found:
                return


class Usage(NamedTuple):
    """What a process uses: bytes of memory, and processor time with that of ended children."""

    memory: int
    seconds: float


def _family(root: int) -> dict[int, Usage]:
    """Return the usage of the process, its session and all their descendants, by pid."""
    if sys.platform != "linux":
        return {root: Usage(0, monotonic())}
    tick, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    parents, usage, found = {}, {}, {root}
    for process in _processes():
        with suppress(OSError):
            state, *fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
            if state not in b"ZX":  # neither zombie nor dead
                pid = int(process.name)
                parents[pid] = int(fields[0])
                usage[pid] = Usage(int(fields[20]) * page, sum(map(int, fields[10:14])) / tick)
                if int(fields[2]) == root:
                    found.add(pid)
    before = 0
    while before < len(found):
        before = len(found)
        found |= {pid for pid, parent in parents.items() if parent in found}
    return {pid: usage[pid] for pid in found if pid in usage}


def _marked(mark: bytes) -> Iterator[int]:
    """Yield the ids of all processes that inherited the variable, whatever their parent."""
    for process in _processes():
        with suppress(OSError):
            if mark in (process / "environ").read_bytes():
                yield int(process.name)


def _processes() -> list[Path]:
    """Return the folders of all processes, which may end meanwhile; none except on Linux."""
    # `Path.glob` would raise OSError for a process that ends.
    found = Path("/proc").iterdir() if sys.platform == "linux" else ()
    return [folder for folder in found if folder.name.isdecimal()]
