"""Tests of the files that count bytes, in every language that has a compiler here."""

import re
import subprocess
import sys
from collections.abc import Sequence
from os import defpath, environ, pathsep
from pathlib import Path
from shutil import copy, which
from string import Template
from typing import NamedTuple

import pytest

from noughts.checker.languages.java import OPENED
from noughts.checker.languages.language import HERE

pytestmark = pytest.mark.tier2("compiler")
PROGRAMS = Path(__file__).parent / "data" / "walkers"
OPEN = [word for each in OPENED for word in ("--add-opens", f"java.base/{each}=ALL-UNNAMED")]
PLACES = pathsep.join((environ.get("PATH", defpath), str(Path(sys.executable).parent)))
STANDARD = "/usr/share/java/kotlin-stdlib.jar"


class Case(NamedTuple):
    """A language: its files, how to build and run the program, and what the program can build.

    Attributes:
        walker: the file that counts.
        program: the file that builds structures of n parts and prints their bytes.
        cell: the bytes of a number in an array.
        build: the commands that build it.
        run: the command that runs it; the names of structures follow.
        linear: structures that grow with n.
        hidden: structures whose bytes cannot be known.
    """

    walker: str
    program: str
    cell: int
    build: Sequence[Sequence[str]]
    run: Sequence[str]
    linear: str
    hidden: str = ""


COMMON = "ints grid twice list ring map set bits boxed same text"
SHOWN = "ints typed views held grid twice list ring map set keys bits boxed same text static"
HIDDEN = "closure accessor private nested weak iterator"
CASES = {
    "java": Case("Bytes.java", "Main.java", 4,
        [("javac", "-d", ".", "Bytes.java", "Main.java")], ("java", *OPEN, "-cp", ".", "Main"),
        f"{COMMON} queue big closure static"),
    "kotlin": Case("Bytes.java", "Main.kt", 4,
        [("kotlinc", "-nowarn", "-d", ".", "Bytes.java", "Main.kt"),
         ("javac", "-d", ".", "Bytes.java")],
        ("java", *OPEN, "-cp", f".{pathsep}{STANDARD}", "MainKt"), f"{COMMON} closure"),
    "go": Case("bytes.go", "main.go", 8,
        [("go", "mod", "init", "main"), ("go", "build", "-o", "main", ".")], ("./main",),
        f"{COMMON} maps", "closure"),
    "c_sharp": Case("Bytes.cs", "Main.cs", 4,
        [("mcs", "-out:main.exe", "Bytes.cs", "Main.cs", "-r:System.Numerics")],
        ("mono", "main.exe"), f"{COMMON} rows queue closure static"),
    "node": Case("bytes.js", "main.js", 8, [], ("node", "main.js"), f"{SHOWN} sparse", HIDDEN),
    "deno": Case("bytes.js", "main.js", 8, [],
        ("deno", "run", "--quiet", "--no-prompt", "--no-config", "main.js"),
        f"{SHOWN} sparse", HIDDEN),
    "c": Case("bytes.h", "main.c", 4, [("cc", "-O1", "-o", "main", "main.c")], ("./main",),
        "ints zeros grown grid freed list bits text"),
    "musl": Case("bytes.h", "main.c", 4, [("musl-gcc", "-O1", "-o", "main", "main.c")],
        ("./main",), "ints zeros grown grid freed list bits text"),
    "cpp": Case("bytes.h", "main.cpp", 4,
        [("c++", "-std=c++17", "-O1", "-o", "main", "main.cpp")], ("./main",),
        "ints grid raw nothrow wide twice list map set bits text freed"),
    "rust": Case("bytes.rs", "main.rs", 4,
        [("rustc", "--edition=2021", "-Dwarnings", "-o", "main", "main.rs")], ("./main",),
        "ints grid grown twice list map set ordered bits boxed text freed"),
}  # fmt: skip
SQUARE = {"grid", "rows"}
MERGED = {"bytes.js", "bytes.h", "bytes.rs"}  # one file with the program
Sizes = dict[str, dict[int, list[int]]]


@pytest.fixture(scope="module", params=CASES)
def language(request: pytest.FixtureRequest) -> str:
    """Return a language whose tools are here; skip the test otherwise."""
    name: str = request.param
    case = CASES[name]
    for command, *_ in (*case.build, case.run):
        if not command.startswith("./") and which(command, path=PLACES) is None:
            pytest.skip(f"{command} is not installed")
    return name


@pytest.fixture(scope="module")
def sizes(language: str, tmp_path_factory: pytest.TempPathFactory) -> Sizes:
    """Build the program, run it three times, and return what it printed: name, n, three numbers."""
    case, folder = CASES[language], tmp_path_factory.mktemp(language)
    kinds = f"{case.linear} {case.hidden}".split()
    walker = (HERE / "walkers" / case.walker).read_text()
    if "$package" in walker:
        walker = Template(walker).substitute(package="")
    if case.walker in MERGED:
        program = (PROGRAMS / case.program).read_text().replace("KINDS", repr(kinds))
        first = "#define _GNU_SOURCE\n" if case.program == "main.c" else ""
        (folder / case.program).write_text(f"{first}{walker}\n{program}")
    else:
        (folder / case.walker).write_text(walker)
        copy(PROGRAMS / case.program, folder)
    home = {**environ, "PATH": PLACES, "DENO_DIR": str(folder)}
    for command in case.build:
        subprocess.run(command, cwd=folder, env=home, check=True, capture_output=True)
    found: Sizes = {}
    for _ in range(3):
        done = subprocess.run(
            [*case.run, *kinds], cwd=folder, env=home, check=True, capture_output=True, text=True
        )
        for kind, n, size in re.findall(r"(\w+) (\d+) (-?\d+)", done.stdout):
            found.setdefault(kind, {}).setdefault(int(n), []).append(int(size))
    assert set(found) - {"time"} == set(kinds)
    return found


def test_same_structure_has_same_bytes_every_time(sizes: Sizes) -> None:
    different = {kind for kind, found in sizes.items() for each in found.values()
                 if kind != "time" and len(set(each)) != 1}  # fmt: skip
    assert not different


def test_numbers_in_arrays_are_counted_exactly(sizes: Sizes, language: str) -> None:
    cell = CASES[language].cell
    for kind in {"ints", "typed", "held", "raw", "static", "closure"} & set(sizes):
        found, width = sizes[kind], 4 if kind == "typed" else cell
        if found[8][0] >= 0:
            assert found[512][0] - found[64][0] == width * (512 - 64), kind
    for n, (size, *_) in sizes["grid"].items():
        assert cell * n * n <= size <= cell * n * n + 48 * n + 100


def test_bytes_grow_as_structures_do(sizes: Sizes, language: str) -> None:
    for kind in set(CASES[language].linear.split()) - {"freed"}:
        small, middle, large = (sizes[kind][n][0] for n in (8, 64, 512))
        expected, slack = (64, 1.25) if kind in SQUARE else (8, 1.6)
        assert expected / slack <= (large - middle) / (middle - small) <= expected * slack, kind


def test_shared_parts_are_counted_once(sizes: Sizes) -> None:
    for n in (8, 64, 512):
        for kind, alone in (("twice", "ints"), ("ring", "list"), ("views", "typed")):
            if kind in sizes:
                assert abs(sizes[kind][n][0] - sizes[alone][n][0]) <= 200, kind
        if "same" in sizes:
            assert sizes["same"][n][0] + 8 * (n - 1) <= sizes["boxed"][n][0]


def test_freed_bytes_are_not_counted(sizes: Sizes) -> None:
    for size, *_ in sizes.get("freed", {}).values():
        assert 0 <= size <= 32


def test_hidden_parts_are_not_measured(sizes: Sizes, language: str) -> None:
    for kind in CASES[language].hidden.split():
        assert {size for each in sizes[kind].values() for size in each} == {-1}, kind


def test_board_is_walked_quickly(sizes: Sizes) -> None:
    for each in sizes.get("time", {}).values():
        assert min(each) < 100_000  # microseconds
