"""Compilers: finding them and running them within limits."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from weakref import finalize

from noughts.checker.sandbox import Limits, Sandbox
from noughts.checker.solution import Failed


class Folder:
    """A temporary folder that is deleted with this object."""

    def __init__(self) -> None:
        self.name: str = tempfile.mkdtemp(prefix="noughts-")
        finalize(self, rmtree, self.name, ignore_errors=True)


def compiled(
    words: Sequence[str], files: dict[str, str], limits: Limits, reads: Sequence[Path] = ()
) -> Folder:
    """Write files into a folder, and run a compiler there, which can also read `reads`.

    Raises Failed, "unusable", with the compiler's first error if it does not compile.
    """
    folder = Folder()
    for name, text in files.items():
        Path(folder.name, name).write_text(text, errors="replace")
    script = 'cd "$0" && mkdir tmp && HOME="$0/tmp" TMPDIR="$0/tmp" "$@" >&2; echo $? >&1'
    limits = replace(limits, addresses=None, memory=limits.memory * 2, seconds=60.0)
    home = Path(words[0]).resolve().parents[1]
    command = ["sh", "-c", script, folder.name, *words]
    process = Sandbox(command, [home, *reads], limits, True, Path(folder.name))
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
