"""Reading a Python class or function that exists already, such as one defined in a notebook."""

import ast
import inspect
from enum import Enum as PythonEnum
from textwrap import dedent
from typing import Any

from noughts.checker.reading.source import Class, Enum, Function, Parameter, Source


def read_live(target: Any) -> Source:
    """Return what a class or function offers, with its inherited methods."""
    enums: dict[str, Enum] = {}
    if not isinstance(target, type):
        function = _function(target.__name__, target, enums)
        return Source(functions=(function,), text=function.text)
    names = [name for name in dir(target) if not name.startswith("__")]
    parts = {name: inspect.getattr_static(target, name) for name in names}
    methods = [
        _function(
            name, part.fget or len if isinstance(part, property) else part, enums, method=True
        )
        for name, part in parts.items()
        if callable(part) or isinstance(part, property | staticmethod | classmethod)
    ]
    constructor = inspect.getattr_static(target, "__init__")
    ours = inspect.isfunction(constructor)  # written in Python
    made = [_function("", constructor, enums, method=True)] if ours else []
    lines = len(source_of(target).splitlines())
    each = Class(target.__name__, tuple(made), tuple(methods), lines=lines)
    return Source((each,), enums=tuple(enums.values()), text=source_of(target))


def _function(name: str, part: Any, enums: dict[str, Enum], method: bool = False) -> Function:
    static = isinstance(part, staticmethod | classmethod)
    function = part.__func__ if static else part
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of built-in functions
        signature = inspect.Signature()
    skipped = method and not isinstance(part, staticmethod)
    parameters = tuple(
        Parameter(
            each.name,
            _type(each.annotation, enums),
            "" if each.default is each.empty else repr(each.default),
        )
        for each in [*signature.parameters.values()][skipped:]
        if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
    )
    if any(each.kind is each.VAR_POSITIONAL for each in signature.parameters.values()):
        parameters += tuple(Parameter(name) for name in ("row", "col", "player")[len(parameters) :])
    text = source_of(function)
    return Function(
        name,
        parameters,
        _type(signature.return_annotation, enums),
        _values(text),
        lines=len(text.splitlines()),
        text=text,
        static=static,
        value=isinstance(part, property),
        hidden=name.startswith("_"),
    )


def _type(annotation: Any, enums: dict[str, Enum]) -> str:
    """Return an annotation as written, and note the enum that it names."""
    if annotation is inspect.Parameter.empty:
        return ""
    for each in (annotation, *getattr(annotation, "__args__", ())):
        if isinstance(each, type) and issubclass(each, PythonEnum):
            members = tuple(Parameter(one.name, "", repr(one.value)) for one in each)
            enums[each.__name__] = Enum(each.__name__, members)
    if isinstance(annotation, type) and not getattr(annotation, "__args__", ()):
        return annotation.__name__
    return str(annotation).replace("typing.", "").replace(f"{__name__}.", "")


def source_of(thing: Any) -> str:
    """Return the source of a class or function, or an empty string if it is not available."""
    try:
        return dedent(inspect.getsource(thing))
    except (OSError, TypeError, SyntaxError, IndexError):
        return ""


def _values(text: str) -> tuple[str, ...]:
    """Return the expressions that a function returns; ``?`` if its source is not available."""
    try:
        [function] = ast.parse(text).body
    except (SyntaxError, ValueError):
        return ("?",)
    found, todo = list[str](), [*ast.iter_child_nodes(function)]
    for node in todo:
        if isinstance(node, ast.Return) and node.value:
            found.append(ast.unparse(node.value))
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            todo += ast.iter_child_nodes(node)
    return tuple(found)
