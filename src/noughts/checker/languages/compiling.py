"""Compilers: finding them and running them within limits."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from weakref import finalize

from noughts.checker.sandbox import Limits, Sandbox
from noughts.checker.solution import Failed

CACHE: ContextVar[Path | None] = ContextVar("CACHE", default=None)
"""The folder where compilers keep what they compile again and again, such as a standard library."""


@contextmanager
def shared_cache() -> Iterator[Path]:
    """Provide compilers with one cache for several solutions; Go's next build takes 2 s, not 30."""
    with tempfile.TemporaryDirectory(prefix="noughts-", ignore_cleanup_errors=True) as name:
        before = CACHE.set(Path(name))
        try:
            yield Path(name)
        finally:
            CACHE.reset(before)


class Folder:
    """A temporary folder that is deleted with this object."""

    def __init__(self) -> None:
        self.name: str = tempfile.mkdtemp(prefix="noughts-")
        finalize(self, rmtree, self.name, ignore_errors=True)


def compiled(
    words: Sequence[str],
    files: dict[str, str],
    limits: Limits,
    reads: Sequence[Path] = (),
    cached: str = "",
) -> Folder:
    """Write files into a folder and run a compiler there.

    Args:
        words: the command line of the compiler.
        files: their texts by name.
        limits: the limits of a solution, from which the compiler's follow.
        reads: what the compiler can read besides its own installation and the system.
        cached: the environment variable that names the compiler's cache, if it has one.

    Raises:
        Failed: "unusable", with the compiler's first error: it does not compile.
    """
    folder = Folder()
    for name, text in files.items():
        Path(folder.name, name).write_text(text, errors="replace")
    script = 'cd "$0" && mkdir tmp && HOME="$0/tmp" TMPDIR="$0/tmp" "$@" >&2; echo $? >&1'
    limits = replace(limits, addresses=None, memory=limits.memory * 2, seconds=60.0)
    home = Path(words[0]).resolve().parents[1]
    writes, kept = [Path(folder.name)], CACHE.get()
    if cached and kept:
        words = ("env", f"{cached}={kept}", *words)
        writes.append(kept)
    command = ["sh", "-c", script, folder.name, *words]
    process = Sandbox(command, [home, *reads], limits, True, writes)
    try:
        code = process.request("", 1, limits.seconds)[0]
    except Failed as failed:
        raise Failed(failed.verdict, f"the compiler failed: {failed}", failed.output) from None
    finally:
        process.close()
    if code != "0":
        said = process.output
        first = next((line for line in said.splitlines() if "error" in line), "no message")
        raise Failed("unusable", f"it does not compile: {first}", said)
    return folder
