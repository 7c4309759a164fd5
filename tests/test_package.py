"""The house rules: the public names, the direction of imports, documentation, no dependencies."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import noughts

ROOT = Path(noughts.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

# From the design: imports point from a later layer to an earlier one.
LAYERS = [
    {"errors"},
    {"checks"},
    {"rules"},
    {"geometry", "outcome"},
    {"kernels"},
    {"board"},
    {"referee", "game"},
    {"noughts"},  # the package itself, which re-exports all of the above
    {"opponent", "perft", "picture", "records"},
    {"bulk", "learning", "service"},
    {"cli"},
]
LAYER = {part: layer for layer, parts in enumerate(LAYERS) for part in parts}

# A game shows itself as a picture: the one import against the direction, when it is asked for.
EXCEPTIONS = {("Game.__str__", "picture"), ("Game._repr_svg_", "picture")}

every_module = pytest.mark.parametrize(
    "path", MODULES, ids=[path.relative_to(ROOT).as_posix() for path in MODULES]
)


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def part_of(path: Path) -> str:
    """The part of the house that a file belongs to: its module, or its folder."""
    first = path.relative_to(ROOT).parts[0].removesuffix(".py")
    return "noughts" if first == "__init__" else first


def part_named(module: str) -> str:
    """The part that an import of this module asks for."""
    return module.split(".")[1] if "." in module else "noughts"


def imports(node: ast.AST, package: list[str], where: str = "") -> Iterator[tuple[str, str]]:
    """Each import of ours below `node`: the function it stands in, and the part asked for."""
    for child in ast.iter_child_nodes(node):
        inside = where
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            inside = f"{where}.{child.name}" if where else child.name
        elif isinstance(child, ast.Import):
            for alias in child.names:
                if alias.name.split(".")[0] == "noughts":
                    yield where, part_named(alias.name)
        elif isinstance(child, ast.ImportFrom):
            base = package[: len(package) - child.level + 1] if child.level else []
            module = ".".join([*base, *([child.module] if child.module else [])])
            if module == "noughts":  # from noughts import rules: the module, if there is one
                for alias in child.names:
                    yield where, alias.name if alias.name in LAYER else "noughts"
            elif module.split(".")[0] == "noughts":
                yield where, part_named(module)
        yield from imports(child, package, inside)


def imports_of(path: Path) -> set[tuple[str, str]]:
    """The imports of ours in a file, those within its own part aside."""
    package = ["noughts", *path.relative_to(ROOT).parts[:-1]]
    return {
        (where, part) for where, part in imports(tree_of(path), package) if part != part_of(path)
    }


def test_the_public_names_are_those_of_the_design() -> None:
    game = {"Game", "Outcome", "Rules", "Termination", "TicTacToe", "tictactoe"}
    errors = {
        *{"NoughtsError", "InvalidRules", "InvalidRecord", "IllegalMove"},
        *{"UnknownPlayer", "OffBoard", "CellTaken", "WrongTurn", "GameOver"},
    }
    assert len(noughts.__all__) == len(set(noughts.__all__))
    assert set(noughts.__all__) == game | errors
    assert all(getattr(noughts, name).__module__.startswith("noughts.") for name in noughts.__all__)


def test_every_error_is_public_and_in_the_tree_of_the_design() -> None:
    def tree(error: type[Exception]) -> dict[str, object]:
        return {child.__name__: tree(child) for child in error.__subclasses__()}

    moves = ("UnknownPlayer", "OffBoard", "CellTaken", "WrongTurn", "GameOver")
    assert noughts.NoughtsError.__base__ is Exception
    found = tree(noughts.NoughtsError)
    assert {name: found[name] for name in ("InvalidRules", "InvalidRecord", "IllegalMove")} == {
        "InvalidRules": {},
        "InvalidRecord": {},
        "IllegalMove": {name: {} for name in moves},
    }
    for name in ("InvalidRules", "InvalidRecord", "IllegalMove"):
        assert issubclass(getattr(noughts, name), ValueError)
    assert [name for name in moves if issubclass(getattr(noughts, name), IndexError)] == [
        "OffBoard"
    ]
    assert [getattr(noughts, name).code for name in moves] == [
        "unknown_player",
        "off_board",
        "cell_taken",
        "wrong_turn",
        "game_over",
    ]


def test_a_record_s_error_names_its_place() -> None:
    error = noughts.InvalidRecord("no moves", "games.jsonl", 12)
    assert str(error) == "games.jsonl:12: no moves"
    assert (error.source, error.line) == ("games.jsonl", 12)
    assert str(noughts.InvalidRecord("no moves", "games.jsonl")) == "games.jsonl: no moves"
    assert str(noughts.InvalidRecord("no moves")) == "no moves"


@every_module
def test_every_module_has_its_place_in_the_design(path: Path) -> None:
    assert part_of(path) in LAYER


@every_module
def test_imports_point_one_way(path: Path) -> None:
    part = part_of(path)
    against = {
        (where, asked)
        for where, asked in imports_of(path)
        if LAYER[asked] > LAYER[part] and not (part == "game" and (where, asked) in EXCEPTIONS)
    }
    assert not against


def test_no_imports_go_round_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for path in MODULES:
        asked = {part for where, part in imports_of(path) if (where, part) not in EXCEPTIONS}
        graph.setdefault(part_of(path), set()).update(asked)
    order = list(TopologicalSorter(graph).static_order())
    assert order.index("errors") < order.index("rules") < order.index("game")


def test_the_check_of_imports_sees_every_way_to_import() -> None:
    source = """
import noughts.game
from noughts import geometry, Game
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
        ("", "game"),
        ("", "geometry"),
        ("", "noughts"),
        ("", "referee"),
        ("", "cli"),
        ("A.f", "picture"),
        ("A.f.g", "noughts"),
    }


def test_importing_noughts_loads_the_standard_library_only() -> None:
    script = (
        "import sys; before = set(sys.modules); import noughts; print(*(set(sys.modules) - before))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=60
    )
    loaded = run.stdout.split()
    assert "noughts.game" in loaded
    top = {name.partition(".")[0] for name in loaded}
    top = {name for name in top if "cython" not in name}  # what kernels register, not files
    assert top - set(sys.stdlib_module_names) == {"noughts"}
    assert not {name for name in loaded if name.startswith(("noughts.cli", "noughts.picture"))}


def undocumented(node: ast.AST, name: str) -> Iterator[str]:
    """The public modules, classes, functions and methods from here on without a docstring."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        if not ast.get_docstring(node):
            yield name
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if not child.name.startswith("_"):
                yield from undocumented(child, f"{name}.{child.name}")
        elif isinstance(child, ast.stmt):
            yield from undocumented(child, name)


@every_module
def test_everything_public_has_a_docstring(path: Path) -> None:
    module = path.relative_to(ROOT).with_suffix("")
    if not any(part.startswith("_") and part != "__init__" for part in module.parts):
        assert list(undocumented(tree_of(path), ".".join(module.parts))) == []


def test_the_check_of_docstrings_sees_functions_classes_and_methods() -> None:
    source = """
def f(): pass
class A:
    def g(self): pass
    def _h(self): pass
    def __init__(self): pass
if True:
    def k(): pass
def _p(): pass
"""
    found = list(undocumented(ast.parse(source), "m"))
    assert found == ["m", "m.f", "m.A", "m.A.g", "m.k"]


def test_every_kernel_is_built_where_it_can_be_and_its_sources_are_shipped() -> None:
    project = ROOT.parents[1] / "pyproject.toml"
    setuptools = tomllib.loads(project.read_text("utf-8"))["tool"]["setuptools"]
    kernels = [
        path
        for path in [*(ROOT / "kernels").glob("*.py"), *(ROOT / "kernels").glob("*.pyx")]
        if path.stem != "__init__"
    ]
    modules = {module["name"]: module for module in setuptools["ext-modules"]}
    assert modules == {
        f"noughts.kernels.{path.stem}": {
            "name": f"noughts.kernels.{path.stem}",
            "sources": [f"src/noughts/kernels/{path.name}"],
            "extra-compile-args": ["-O3"],
            "optional": True,
        }
        for path in kernels
    }
    shipped = [
        path for pattern in setuptools["package-data"]["noughts"] for path in ROOT.glob(pattern)
    ]
    assert {path for kind in ("pyi", "pxd") for path in ROOT.rglob(f"*.{kind}")} <= set(shipped)
