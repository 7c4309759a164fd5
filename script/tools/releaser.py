"""Build the packages of this commit in dist/, twice, and test them.

script/release           builds and checks the version in pyproject.toml
script/release VERSION   also sets the version, dates the changelog's section, and commits

Two builds in different folders must produce identical bytes, for the sdist and for the wheel built
from it. The wheel contains no sources of compiled modules. Both are installed in clean
environments, with and without a compiler, the wheel also with each extra, and `noughts` judges the
games in examples/. The SBOM, in CycloneDX, lists the dependencies of all extras and of the lesson's
editor.

Nothing is uploaded or tagged, and the commit is created only if every check passes.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[2]
COMPILER: Mapping[str, str] = {}  # the default compiler
NO_COMPILER = {"CC": "false", "CXX": "false"}
SOURCES = (".pyx", ".pxd", ".c", ".h")
MOVE = ["python", "-c", "from noughts import TicTacToe; print(TicTacToe(3).move(0, 0, 1))"]
BATCH = "from noughts.bulk import judge; judge([[0, 3, 1, 4, 2]])"
JUDGE = ["noughts", "judge", "examples/games.jsonl"]  # exit status 1, since one is illegal
TRIED = {  # for each extra that needs no GPU, a command that must succeed
    "cli": JUDGE,
    "batch": ["python", "-c", BATCH],
    "check": ["noughts", "check", "examples/solutions/sums.py"],
    "records": ["python", "-c", "import noughts.records.sgf"],
    "learn": ["python", "examples/learn.py"],
    "serve": ["noughts", "serve", "--help"],
    "stores": JUDGE,
    "cluster": JUDGE,
}
TABLES = ("polars", "pandas", "duckdb")  # their tables are judged, too


class Refused(Exception):
    """A reason not to release."""


def main() -> None:
    """Parse the arguments and release."""
    parser = argparse.ArgumentParser(
        prog="script/release",
        description=__doc__.partition("\n\n")[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "version",
        nargs="?",
        help="version to release, such as 0.2.0; without it, only build and check",
    )
    version = parser.parse_args().version
    try:
        release(version)
    except Refused as refused:
        sys.exit(f"noughts: no release: {refused}")
    except KeyboardInterrupt:
        sys.exit(130)


def release(version: str | None) -> None:
    """Build and check in a clone, commit the version, and write the packages to dist/."""
    if not shutil.which("npm"):
        raise Refused("npm is missing; it lists the dependencies of the lesson's editor")
    if changes := run("git", "status", "--porcelain", cwd=ROOT).strip():
        raise Refused(f"there are uncommitted changes:\n{changes}")
    with TemporaryDirectory(prefix="noughts-release-") as name:
        folder = Path(name)
        clones = [folder / "one" / "noughts", folder / "two" / "elsewhere" / "noughts"]
        run("git", "clone", "--quiet", ROOT, clones[0])
        if version is not None:
            set_version(clones[0], version)
        run("git", "clone", "--quiet", clones[0], clones[1])
        step("building twice")
        first, second = (build(clone, folder / f"dist{i}") for i, clone in enumerate(clones))
        for one, other in zip(first, second, strict=True):
            if one.read_bytes() != other.read_bytes():
                raise Refused(f"two builds of {one.name} differ")
        sdist, wheel = first
        step("checking the packages")
        run("twine", "check", "--strict", sdist, wheel)
        run("check-wheel-contents", wheel)
        check_wheel(wheel)
        check_installed(clones[0], sdist, wheel, folder)
        check_tables(clones[0], wheel, folder)
        step("writing the SBOM")
        sbom = write_sbom(clones[0], wheel, folder)
        shutil.rmtree(ROOT / "dist", ignore_errors=True)
        shutil.copytree(wheel.parent, ROOT / "dist")
        if version is not None:
            run("git", "pull", "--quiet", "--ff-only", clones[0], "HEAD", cwd=ROOT)
    for file in (sdist, wheel, sbom):
        print(f"dist/{file.name}  {(ROOT / 'dist' / file.name).stat().st_size:,} bytes")
    if version is not None:
        print(f"Committed. Next: git tag -am v{version} v{version} && git push --follow-tags")


def step(text: str) -> None:
    """Print the current step."""
    print(f"noughts: {text} …", file=sys.stderr, flush=True)


def run(
    *command: object, cwd: Path | None = None, ends: int = 0, env: Mapping[str, str] | None = None
) -> str:
    """Run a command and return its output; raise Refused if it exits with another status."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words,
        cwd=cwd,
        env=os.environ | (env or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != ends:
        raise Refused(f"{' '.join(words)} exited with {done.returncode}:\n{done.stdout}")
    return done.stdout


def set_version(clone: Path, version: str) -> None:
    """Write the version and the date to pyproject.toml and the changelog, and commit."""
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version):
        raise Refused(f"a version is three numbers such as 0.2.0, or 0.2.0rc1, got {version!r}")
    if run("git", "tag", "--list", f"v{version}", cwd=ROOT).strip():
        raise Refused(f"the tag v{version} exists already")
    today = datetime.now(UTC).date().isoformat()
    for name, pattern, text in (
        ("CHANGELOG.md", r"^## \S+ \(unreleased\)$", f"## {version} ({today})"),
        ("pyproject.toml", r'^version = ".*"$', f'version = "{version}"'),
    ):
        file = clone / name
        written, count = re.subn(pattern, text, file.read_text("utf-8"), flags=re.MULTILINE)
        if count != 1:
            raise Refused(f"{name} must contain one line like {pattern}, got {count}")
        file.write_text(written, "utf-8")
    run("git", "commit", "--quiet", "--all", "--message", f"Release {version}", cwd=clone)


def build(clone: Path, out: Path) -> tuple[Path, Path]:
    """Build the sdist of a clone, and a wheel from the sdist."""
    epoch = run("git", "log", "-1", "--format=%ct", cwd=clone).strip()
    when = {"SOURCE_DATE_EPOCH": epoch}
    run("uv", "build", "--quiet", "--sdist", "--out-dir", out, clone, env=when)
    [sdist] = out.glob("*.tar.gz")
    repack(sdist, int(epoch))
    run("uv", "build", "--quiet", "--wheel", "--out-dir", out, sdist, env=when)
    [wheel] = out.glob("*.whl")
    (out / ".gitignore").unlink(missing_ok=True)
    return sdist, wheel


def repack(sdist: Path, epoch: int) -> None:
    """Set the time of the commit and no owner for all files; setuptools keeps the build's."""
    packed = io.BytesIO()
    with (
        tarfile.open(sdist) as before,
        gzip.GzipFile("", "wb", fileobj=packed, mtime=epoch) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as after,
    ):
        for entry in sorted(before.getmembers(), key=lambda entry: entry.name):
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = epoch, 0, 0, "", ""
            entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            entry.pax_headers = {}
            after.addfile(entry, before.extractfile(entry) if entry.isfile() else None)
    sdist.write_bytes(packed.getvalue())


def check_wheel(wheel: Path) -> None:
    """Check that the wheel contains compiled modules without their sources."""
    names = ZipFile(wheel).namelist()
    later = ("/checker/languages/", "/learning/games.h")  # with solutions, and for a GPU
    ours = [name for name in names if not any(each in name for each in later)]
    if sources := [name for name in ours if name.endswith(SOURCES)]:
        raise Refused(f"the wheel contains sources: {', '.join(sources)}")
    modules = [name for name in names if Path(name).name.startswith("_") and ".so" in name]
    if len(modules) != len([*ROOT.glob("src/**/_*.pyx")]):
        raise Refused(f"the wheel contains only these compiled modules: {', '.join(modules)}")


def check_installed(clone: Path, sdist: Path, wheel: Path, folder: Path) -> None:
    """Install the packages in clean environments, and run a command in each."""
    version = tomllib.loads((clone / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    cases = [
        ("the sdist", sdist, "cli", COMPILER),
        ("the sdist without a compiler", sdist, "cli", NO_COMPILER),
        ("the wheel", wheel, "", COMPILER),
        *((f"the wheel with {extra}", wheel, extra, COMPILER) for extra in TRIED),
    ]
    for number, (what, package, extra, compiler) in enumerate(cases):
        step(f"testing {what}")
        programs = install(package, extra, folder / f"env{number}", compiler)
        compiled = any(programs.parent.glob("lib/*/*/noughts/**/_*.so"))
        if compiled != (compiler is COMPILER):
            raise Refused(f"{what} has {'' if compiled else 'no '}compiled modules")
        words = TRIED.get(extra, MOVE)
        run(programs / words[0], *words[1:], cwd=clone, ends=words is JUDGE)
        if words[0] == "noughts":
            printed = run(programs / "noughts", "--version", cwd=folder)
            if version not in printed:
                raise Refused(f"noughts --version of {what} printed {printed!r}, not {version}")


def check_tables(clone: Path, wheel: Path, folder: Path) -> None:
    """Judge every kind of table and array in a clean environment with all their libraries."""
    step("testing every kind of table")
    programs = install(wheel, "batch", folder / "tables", COMPILER)
    run("uv", "pip", "install", "--quiet", "--python", programs / "python", *TABLES)
    printed = run(programs / "python", "examples/tables.py", cwd=clone)
    if missing := [name for name in TABLES if name not in printed.lower()]:
        raise Refused(f"examples/tables.py judged no tables of {', '.join(missing)}")


def install(package: Path, extras: str, env: Path, compiler: Mapping[str, str]) -> Path:
    """Install a package with these extras in a new environment; return its folder of programs."""
    python = env / "bin" / "python"
    run("uv", "venv", "--quiet", env)
    wanted = f"{package}[{extras}]" if extras else package
    # The cache would return a package that was built with a compiler.
    run("uv", "pip", "install", "--quiet", *(["--no-cache"] if package.suffix == ".gz" else []),
        "--python", python, wanted, env=compiler)  # fmt: skip
    return python.parent


def write_sbom(clone: Path, wheel: Path, folder: Path) -> Path:
    """Write the dependencies of the packages, as CycloneDX, beside the wheel."""
    sbom = wheel.with_name(f"{wheel.name.split('-cp')[0]}.cdx.json")
    programs = install(wheel, ",".join(TRIED), folder / "all", COMPILER)
    run("cyclonedx-py", "environment", programs / "python", "--output-reproducible",
        "--pyproject", clone / "pyproject.toml", "--output-file", sbom)  # fmt: skip
    found: dict[str, Any] = json.loads(sbom.read_text("utf-8"))
    vendored = run("npm", "sbom", "--omit=dev", "--package-lock-only", "--sbom-format=cyclonedx",
        cwd=clone / "script" / "page")  # fmt: skip
    found["components"] += json.loads(vendored)["components"]
    sbom.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    return sbom


if __name__ == "__main__":
    main()
