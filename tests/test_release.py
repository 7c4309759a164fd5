"""Reasons for which script/release stops before it builds; it checks its packages itself."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commands import SECONDS
from script.tools import releaser


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Create a repository that contains only the script."""
    (tmp_path / "script" / "tools").mkdir(parents=True)
    shutil.copy(releaser.__file__, tmp_path / "script" / "tools")
    git: list[str | Path] = [
        "git",
        "-C",
        tmp_path,
        "-c",
        "user.name=x",
        "-c",
        "user.email=x@example.org",
    ]
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    subprocess.run([*git, "add", "script"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", "The script"], check=True)
    return tmp_path


def refusal(clone: Path, *words: str) -> str:
    """Return why there is no release."""
    program: list[str | Path] = [sys.executable, clone / "script" / "tools" / "releaser.py", *words]
    done = subprocess.run(program, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 1
    assert not (clone / "dist").exists()
    return done.stderr.removeprefix("noughts: no release: ").strip()


@pytest.mark.skipif(shutil.which("npm") is None, reason="a release needs npm")
def test_release_rejects_dirty_trees_and_wrong_versions(clone: Path) -> None:
    assert refusal(clone, "1.x") == (
        "a version is three numbers such as 0.2.0, or 0.2.0rc1, got '1.x'"
    )
    subprocess.run(["git", "-C", clone, "tag", "v0.2.0"], check=True)
    assert refusal(clone, "0.2.0") == "the tag v0.2.0 exists already"
    (clone / "script" / "more.py").touch()
    assert refusal(clone) == "there are uncommitted changes:\n?? script/more.py"
