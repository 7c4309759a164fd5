"""Rules of the whole package: public names, directions of imports, no dependencies."""

from __future__ import annotations

import ast
import pickle
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import noughts
from commands import SECONDS, python

ROOT = Path(noughts.__file__).parent
KINDS = (".py", ".pyx", ".pxd")
SOURCES = sorted(path for kind in KINDS for path in ROOT.rglob(f"*{kind}"))


def relative(path: Path) -> str:
    """Return a file's path inside noughts."""
    return path.relative_to(ROOT).as_posix()


MAP = (ROOT.parents[1] / "docs" / "architecture.md").read_text("utf-8")
PACKAGES = {name: int(number) for number, name in re.findall(r"^\| (\d+) \| `(\w+)` \|", MAP, re.M)}
"""The packages of the map, with their numbers."""


def order_inside(package: str) -> dict[str, int]:
    """Return the parts of a package with their numbers, from the map's line about it."""
    line = re.search(rf"^- `{package}`: (.+(?:\n  .+)*)", MAP, re.M)
    assert line
    return {
        name: number
        for number, level in enumerate(line[1].split("→"))
        for name in re.findall(r"`(\w+)`", level)
    }


PARTS = {package: order_inside(package) for package in ("game", "opponent", "service")}


def imports(node: ast.AST, package: list[str]) -> Iterator[str]:
    """Yield the full name of each module of noughts that is imported anywhere below `node`."""
    for child in ast.walk(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names if is_ours(alias.name))
        elif isinstance(child, ast.ImportFrom):
            base = package[: len(package) - child.level + 1] if child.level else []
            module = ".".join([*base, *([child.module] if child.module else [])])
            if is_ours(module):
                yield from (named(f"{module}.{alias.name}") for alias in child.names)


def is_ours(module: str) -> bool:
    return module.partition(".")[0] == "noughts"


def named(name: str) -> str:
    """Return the module that this name refers to: itself if it is a module, or its parent."""
    path = ROOT.joinpath(*name.split(".")[1:])
    is_module = path.is_dir() or any(path.with_suffix(kind).is_file() for kind in KINDS)
    return name if is_module else name.rpartition(".")[0]


def module_of(path: Path) -> str:
    """Return the full name of the module in a file."""
    parts = ["noughts", *path.relative_to(ROOT).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports_of(path: Path) -> set[str]:
    """Return the modules of noughts that a file imports."""
    if path.suffix == ".py":
        package = ["noughts", *path.relative_to(ROOT).parts[:-1]]
        return set(imports(ast.parse(path.read_text("utf-8")), package))
    lines = re.findall(r"^\s*(?:from|c?import) (noughts[\w.]*)", path.read_text("utf-8"), re.M)
    return set(lines)


def package_of(module: str) -> str:
    """Return the package of a module."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "noughts"


def part_of(module: str) -> tuple[str, str] | None:
    """Return the package and the part of a module, or None in packages without parts."""
    parts = module.split(".")
    return (parts[1], parts[2]) if len(parts) > 2 and parts[1] in PARTS else None


def test_public_names_match_the_contract() -> None:
    game = {"Game", "Outcome", "Rules", "Termination", "TicTacToe", "tictactoe"}
    errors = {
        *{"NoughtsError", "InvalidRules", "InvalidPosition", "InvalidRecord", "IllegalMove"},
        *{"UnknownPlayer", "OffBoard", "CellTaken", "WrongTurn", "Floating", "Foul", "GameOver"},
    }
    assert len(noughts.__all__) == len(set(noughts.__all__))
    assert set(noughts.__all__) == game | errors
    assert all(getattr(noughts, name).__module__ == "noughts" for name in noughts.__all__)
    for name in noughts.__all__:
        assert pickle.loads(pickle.dumps(getattr(noughts, name))) is getattr(noughts, name)


def test_errors_form_the_documented_tree() -> None:
    def tree(error: type[Exception]) -> dict[str, object]:
        return {child.__name__: tree(child) for child in error.__subclasses__()}

    moves = ("UnknownPlayer", "OffBoard", "CellTaken", "WrongTurn", "Floating", "Foul", "GameOver")
    assert noughts.NoughtsError.__base__ is Exception
    found = tree(noughts.NoughtsError)
    assert {
        name: found[name]
        for name in ("InvalidRules", "InvalidPosition", "InvalidRecord", "IllegalMove")
    } == {
        "InvalidRules": {},
        "InvalidPosition": {},
        "InvalidRecord": {},
        "IllegalMove": {name: {} for name in moves},
    }
    for name in ("InvalidRules", "InvalidPosition", "InvalidRecord", "IllegalMove"):
        assert issubclass(getattr(noughts, name), ValueError)
    assert [name for name in moves if issubclass(getattr(noughts, name), IndexError)] == [
        "OffBoard"
    ]
    assert [getattr(noughts, name).code for name in moves] == [
        "unknown_player",
        "off_board",
        "cell_taken",
        "wrong_turn",
        "floating",
        "foul",
        "game_over",
    ]


def test_record_error_names_its_place() -> None:
    error = noughts.InvalidRecord("no moves", "games.jsonl", 12)
    assert str(error) == "games.jsonl:12: no moves"
    assert (error.source, error.line) == ("games.jsonl", 12)
    assert str(noughts.InvalidRecord("no moves", "games.jsonl")) == "games.jsonl: no moves"
    assert str(noughts.InvalidRecord("no moves")) == "no moves"


def test_map_has_every_package() -> None:
    assert set(PACKAGES) == {package_of(module_of(path)) for path in SOURCES} | {"page"}
    for package, parts in PARTS.items():
        found = {part_of(module_of(path)) for path in SOURCES} - {None}
        assert {(package, part) for part in parts} == {
            part for part in found if part and part[0] == package
        }


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_imports_point_one_way(path: Path) -> None:
    module = module_of(path)
    package, part = package_of(module), part_of(module)
    imported = imports_of(path)
    against = {
        name
        for name in imported
        if package_of(name) != package and PACKAGES[package_of(name)] >= PACKAGES[package]
    }
    for name in imported:
        other = part_of(name)
        if part and other and part[0] == other[0] and part != other:
            numbers = PARTS[package]
            if numbers[other[1]] >= numbers[part[1]]:
                against.add(name)
    assert not against


def test_imports_of_files_have_no_circle() -> None:
    graph: dict[str, set[str]] = defaultdict(set)
    for path in SOURCES:  # a module may have a .pyx and a .pxd
        graph[module_of(path)] |= imports_of(path) - {module_of(path)}
    list(TopologicalSorter(graph).static_order())


def test_no_file_has_the_name_of_a_package() -> None:
    packages = {path.parent.name for path in ROOT.rglob("__init__.py")}
    found = {relative(path) for path in SOURCES if path.stem in packages}
    commands = {relative(path) for path in (ROOT / "cli").glob("*.py")}  # named by what one types
    assert found - commands == {"game/game.py"}


def test_imports_finds_every_form_of_import() -> None:
    source = """
import noughts.game.game
from noughts.game import geometry, Game
from .game import Game
from . import rules
from ..cli import main
import os, numpy.random
class A:
    def f(self):
        from noughts.picture import text
        def g():
            import noughts
"""
    found = set(imports(ast.parse(source), ["noughts", "referee"]))
    assert found == {
        *{
            "noughts.game.game",
            "noughts.game.geometry",
            "noughts",
            "noughts.game",
            "noughts.referee.game",
        },
        *{"noughts.referee", "noughts.cli", "noughts.picture.text"},
    }
    assert imports_of(ROOT / "game" / "tallies.pxd") >= {"noughts.game.geometry"}
    assert imports_of(ROOT / "game" / "_board.pyx") >= {"noughts.errors", "noughts.game.table"}


def test_importing_noughts_loads_only_the_standard_library() -> None:
    script = (
        "import sys; before = set(sys.modules); from noughts import *\n"
        "print(*(set(sys.modules) - before))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=SECONDS
    )
    loaded = run.stdout.split()
    assert "noughts.game.game" in loaded
    top = {name.partition(".")[0] for name in loaded}
    top = {name for name in top if "cython" not in name}  # registered by compiled modules
    assert top - set(sys.stdlib_module_names) == {"noughts"}
    assert not {name for name in loaded if name.startswith(("noughts.cli", "noughts.picture"))}


def shipped() -> set[Path]:
    """Return the files that are installed in addition to Python code."""
    project = ROOT.parents[1] / "pyproject.toml"
    setuptools = tomllib.loads(project.read_text("utf-8"))["tool"]["setuptools"]
    patterns = setuptools["package-data"]["noughts"]
    excluded = setuptools["exclude-package-data"]["*"]  # which prevails
    found = {path for pattern in patterns for path in ROOT.glob(pattern)}
    return {path for path in found if not any(map(path.match, excluded))}


@pytest.mark.parametrize("package", ["bulk", "checker", "records"])
def test_no_module_has_the_name_of_an_export(package: str) -> None:
    found = import_module(f"noughts.{package}")
    modules = {module.name for module in iter_modules(found.__path__)}
    assert modules.isdisjoint(found.__all__)


def test_engines_import_only_parts_of_the_checker() -> None:
    done = python(
        "import sys, noughts.engines\n"
        "print('noughts.checker.calls' in sys.modules, 'noughts.checker.trial' in sys.modules)\n"
        "from noughts.checker import check\nprint(check.__module__)"
    )
    assert done.stdout == "True False\nnoughts.checker.trial\n"


def test_compiled_modules_have_an_underscore() -> None:
    compiled = {path for path in SOURCES if path.suffix == ".pyx"}
    assert compiled == {path for path in compiled if path.stem.startswith("_")}


@pytest.mark.parametrize(
    "folder", ["page", "checker/languages/walkers", "checker/languages/drivers"]
)
def test_files_that_are_read_are_shipped(folder: str) -> None:
    assert {path for path in (ROOT / folder).rglob("*") if path.is_file()} <= shipped()


def test_source_that_is_compiled_on_a_gpu_is_shipped() -> None:
    assert {ROOT / "learning" / name for name in ("games.h", "kernels.cu")} <= shipped()


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.pxd")), ids=relative)
def test_pxd_is_in_the_package_that_uses_it_or_in_game(path: Path) -> None:
    module = module_of(path)
    folder = module.rpartition(".")[0]
    users = {  # a .pyx includes the .pxd of its name implicitly
        module_of(other).rpartition(".")[0]
        for other in SOURCES
        if module in imports_of(other) or other == path.with_suffix(".pyx")
    }
    assert users == {folder} if folder != "noughts.game" else len(users | {folder}) > 1
