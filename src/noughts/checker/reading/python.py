"""Reading Python with `ast`; the file is not executed."""

import ast
import re
from collections.abc import Iterator, Mapping

from noughts.checker.reading.source import Class, Enum, Function, Parameter, Source

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DATACLASS = re.compile(r"^(?:\w+\.)?(?:dataclass|define|frozen|mutable|attrs|s)\b")


def read(text: str) -> Source:
    """Return what a Python file defines."""
    try:
        return _source(text)
    except SyntaxError as error:
        return Source(error=(error.lineno or 1, error.msg))
    except (ValueError, RecursionError, MemoryError) as error:
        return Source(error=(1, str(error)))


def _source(text: str) -> Source:
    tree = ast.parse(text.removeprefix("\ufeff"))
    classes = dict(_classes(tree, ""))
    every = [_class(name, node, classes) for name, node in _classes(tree, "")]
    enums = tuple(_enum(name, node) for name, node in classes.items() if _is_enum(node))
    functions = tuple(_function(node) for node in tree.body if isinstance(node, FUNCTIONS))
    return Source(tuple(every), functions, enums, text=text)


def _classes(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield prefix + child.name, child
            yield from _classes(child, f"{prefix}{child.name}.")
        elif not isinstance(child, (*FUNCTIONS, ast.expr)):
            yield from _classes(child, prefix)


def _class(name: str, node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> Class:
    bases = tuple(ast.unparse(base) for base in node.bases)
    own = {p.name: p for p in node.body if isinstance(p, FUNCTIONS) and not _sets(p)}
    todo, seen = [*bases], {name}
    while todo:
        base = None if (of := todo.pop(0)) in seen else classes.get(of)
        seen.add(of)
        if base and base is not node:
            inherited = (p for p in base.body if isinstance(p, FUNCTIONS) and not _sets(p))
            own |= {part.name: part for part in inherited if part.name not in own}
            todo += map(ast.unparse, base.bases)
    made = [_function(own["__init__"], "")] if "__init__" in own else _generated(node)
    methods = tuple(_function(part) for key, part in own.items() if not key.startswith("__"))
    abstract = any(base.rpartition(".")[2] in ("ABC", "Protocol") for base in bases)
    known = tuple(base for base in bases if base not in ("object", "ABC", "abc.ABC"))
    fields = tuple(_fields(node, own))
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    rest = "\n".join(
        [
            *(ast.unparse(part) for part in node.body if not isinstance(part, FUNCTIONS)),
            *_unpacked(own.get("__init__")),
        ]
    )
    return Class(name, tuple(made), methods, fields, known, node.lineno, lines, abstract, text=rest)


def _unpacked(made: ast.AST | None) -> Iterator[str]:
    """Yield the assignments that one of several values in a constructor stands for."""
    for each in ast.walk(made) if made else ():
        match each:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                pairs = zip(names, values, strict=False)
                yield from (f"{ast.unparse(name)} = {ast.unparse(value)}" for name, value in pairs)


def _generated(node: ast.ClassDef) -> list[Function]:
    """Return the constructor that a decorator such as `dataclass` makes of the fields."""
    if not any(DATACLASS.search(ast.unparse(each)) for each in node.decorator_list):
        return []
    taken = []
    for part in node.body:
        if not isinstance(part, ast.AnnAssign) or not isinstance(part.target, ast.Name):
            continue
        type, default = ast.unparse(part.annotation), ast.unparse(part.value) if part.value else ""
        if "ClassVar" not in type and not re.search(r"\binit ?= ?False\b", default):
            taken.append(Parameter(part.target.id, type, default))
    return [Function("", tuple(taken), line=node.lineno)]


def _fields(node: ast.ClassDef, own: Mapping[str, ast.AST]) -> Iterator[Parameter]:
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield Parameter(part.target.id, ast.unparse(part.annotation))
    made = [*ast.walk(own["__init__"])] if "__init__" in own else []
    called = set()
    for each in made:
        match each:  # such as reset()
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) if name in own:
                called.add(name)
    made += (part for name in sorted(called) for part in ast.walk(own[name]))
    for each in made:
        stored = isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
        if stored and isinstance(each, ast.Attribute) and not each.attr.startswith("_"):
            yield Parameter(each.attr)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, name: str | None = None) -> Function:
    marks = [ast.unparse(each) for each in node.decorator_list]
    static = any(each in ("staticmethod", "classmethod") for each in marks)
    given = node.args
    names = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(names) - len(given.defaults))
    pairs = [*zip(names, [*defaults, *given.defaults], strict=True),
             *zip(given.kwonlyargs, given.kw_defaults, strict=True)]  # fmt: skip
    inner = names and names[0].arg in ("self", "cls", "this")
    parameters = [
        Parameter(
            each.arg,
            ast.unparse(each.annotation) if each.annotation else "",
            ast.unparse(default) if default else "",
        )
        for each, default in pairs[bool(inner) :]
    ]
    if given.vararg:
        parameters += [Parameter(each) for each in ("row", "col", "player")[len(parameters) :]]
    values, todo = list[str](), [*ast.iter_child_nodes(node)]
    for part in todo:
        if isinstance(part, ast.Return) and part.value:
            values.append(ast.unparse(part.value))
        if not isinstance(part, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            todo += ast.iter_child_nodes(part)
    return Function(
        node.name if name is None else name,
        tuple(parameters),
        ast.unparse(node.returns) if node.returns else "",
        tuple(values),
        node.lineno,
        (node.end_lineno or node.lineno) - node.lineno + 1,
        ast.unparse(node),
        static,
        any(each in ("property", "cached_property") for each in marks),
        node.name.startswith("_") and name is None,
    )


def _sets(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function sets or deletes a property."""
    marks = [ast.unparse(each) for each in node.decorator_list]
    return any(mark.rpartition(".")[2] in ("setter", "deleter") for mark in marks)


def _is_enum(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).rpartition(".")[2].endswith("Enum") for base in node.bases)


def _enum(name: str, node: ast.ClassDef) -> Enum:
    return Enum(
        name,
        tuple(
            Parameter(part.targets[0].id, "", ast.unparse(part.value))
            for part in node.body
            if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)
        ),
    )
