"""Reading with tree-sitter: one query per language in `queries`, whose captures are joined here.

The captures say what a node is: a ``class``, ``function``, ``constructor``, ``parameter``,
``field``, ``enum``, ``member`` or ``scope`` (a namespace). Captures such as ``function.name``
belong to the nearest of these around them. Captures of a single word mark the node itself:

- ``static``, ``hidden``, ``abstract``, ``getter``: see `noughts.checker.reading.source`;
- ``optional``: a parameter that may be left out;
- ``open``: if a language has it, everything without it is hidden;
- ``void``: a function returns nothing unless it says otherwise;
- ``skip``: a function within another, whose ``value`` captures (what it returns) are left out.

The first pattern of a query may set the ``joint`` between the parts of a full name, such as ``::``.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from noughts.checker.reading.source import Class, Enum, Function, Parameter, Source
from noughts.extras import require_extra

KINDS = (
    "class",
    "function",
    "constructor",
    "parameter",
    "field",
    "enum",
    "member",
    "scope",
    "skip",
)
BARE = re.compile(
    r"\b(?:const|struct|mut|Box|Rc|RefCell|std|Option|Arc|unique_ptr|shared_ptr)\b|\W+"
)


@cache
def _grammar(key: str) -> tuple[Any, Any]:
    """Return the parser and the query of a language. Raises MissingExtra without its package."""
    with require_extra("checking solutions in other languages than Python", "tree_sitter", "check"):
        from tree_sitter import Language, Parser, Query

        module = import_module(f"tree_sitter_{key}")
    grammar = getattr(module, "language", None) or getattr(module, f"language_{key}")
    language = Language(grammar())
    return Parser(language), Query(language, query_text(key))


def read(text: str, key: str) -> Source:
    """Return what a file defines.

    Args:
        text: its text.
        key: the name of its grammar, such as "java".
    """
    from tree_sitter import QueryCursor

    parser, query = _grammar(key)
    root = parser.parse(text.encode()).root_node
    joint = str(query.pattern_settings(0).get("joint", "."))
    return joined(root, QueryCursor(query).captures(root), joint)


def query_text(key: str) -> str:
    """Return the query of a language."""
    return Path(__file__).with_name("queries").joinpath(f"{key}.scm").read_text()


def joined(root: Any, captures: dict[str, list[Any]], joint: str = ".") -> Source:
    """Return what a file defines, from its tree and the nodes that its query captures.

    Args:
        root: the root of the tree, a node as in `tree_sitter`.
        captures: the nodes by the names of the captures.
        joint: what joins the parts of a full name.
    """
    return _Reading(root, captures, joint).source()


class _Reading:
    """The captures of a file, joined."""

    def __init__(self, root: Any, captures: dict[str, list[Any]], joint: str) -> None:
        self.root, self.joint = root, joint
        self.marks = {
            name: {node.id for node in nodes} for name, nodes in captures.items() if "." not in name
        }
        self.kinds: dict[int, set[str]] = defaultdict(set)
        for kind in KINDS:
            for node in captures.get(kind, ()):
                self.kinds[node.id].add(kind)
        self.nodes = {
            kind: sorted(captures.get(kind, ()), key=lambda n: n.start_byte) for kind in KINDS
        }
        self.parts: dict[tuple[int, str], list[Any]] = defaultdict(list)
        for name, nodes in captures.items():
            kind, _, part = name.partition(".")
            for node in sorted(nodes, key=lambda node: node.start_byte) if part else ():
                kinds = ("function", "skip") if name == "function.value" else (kind,)
                owner = node if kind in self.kinds[node.id] else self.around(node, kinds)
                if owner is not None and kind in self.kinds[owner.id]:
                    self.parts[owner.id, part].append(node)

    def around(self, node: Any, kinds: tuple[str, ...]) -> Any:
        """Return the nearest node of these kinds around a node, or None."""
        node = node.parent
        while node is not None:
            found = self.kinds[node.id].intersection(kinds)
            named = found == {"skip"} and "function" in self.kinds[node.parent.id]
            if found and not named:
                return node
            node = node.parent
        return None

    def texts(self, node: Any, part: str) -> list[str]:
        """Return the texts of the parts of a node."""
        return [" ".join(each.text.decode().split()) for each in self.parts[node.id, part]]

    def text(self, node: Any, part: str) -> str:
        """Return the text of the first such part of a node, or an empty string."""
        return next(iter(self.texts(node, part)), "")

    def marked(self, mark: str, node: Any) -> bool:
        """Return whether a node has a mark."""
        return node.id in self.marks.get(mark, ())

    def hidden(self, node: Any) -> bool:
        """Return whether a node cannot be used from outside."""
        closed = bool(self.marks.get("open")) and not self.marked("open", node)
        return self.marked("hidden", node) or closed

    def full_name(self, node: Any, name: str) -> str:
        """Return the name of a class with those around it."""
        outer = self.around(node, ("class", "scope"))
        if outer is None or not name:
            return name
        around = self.full_name(outer, self.text(outer, "name"))
        return f"{around}{self.joint}{name}" if around else name

    def source(self) -> Source:
        """Return what the file defines."""
        classes: dict[str, Class] = {}
        for node in self.nodes["class"]:
            if "enum" in self.kinds[node.id]:
                continue
            name = self.full_name(node, self.text(node, "name") or "TicTacToe")
            old = classes.get(name, Class(name))
            fields = tuple(self.fields(node))
            lines = max(old.lines, node.end_point[0] - node.start_point[0] + 1)
            classes[name] = Class(
                name,
                (*old.constructors, *self.constructors(node)),
                old.methods,
                (*old.fields, *fields),
                (*old.bases, *self.texts(node, "base")),
                old.line or node.start_point[0] + 1,
                lines,
                old.abstract or self.marked("abstract", node),
                self.marked("inner", node) and self.around(node, ("class",)) is not None,
                f"{old.text}\n{self.without_functions(node)}",
            )
        functions: list[Function] = []
        for node in self.nodes["function"]:
            self.place(node, self.function(node), classes, functions)
        self.name_constructors(classes, functions)
        return Source(
            tuple(self.inheriting(each, classes) for each in classes.values()),
            tuple(functions),
            tuple(self.enums()),
            next((" ".join(n.text.decode().split()) for n in self.captured("package")), ""),
            self.error(),
            self.root.text.decode(errors="replace"),
        )

    def without_functions(self, node: Any) -> str:
        """Return the text of a class without its functions."""
        text, start = node.text, node.start_byte
        for each in reversed(self.nodes["function"]):
            if self.around(each, ("class", "function")) == node:
                text = text[: each.start_byte - start] + text[each.end_byte - start :]
        return str(text.decode(errors="replace"))

    def captured(self, name: str) -> list[Any]:
        """Return the nodes with a mark."""
        found: list[Any] = []
        todo = [self.root] if name in self.marks else []
        while todo and not found:
            node = todo.pop(0)
            if node.id in self.marks[name]:
                found.append(node)
            todo += node.children
        return found

    def place(
        self, node: Any, function: Function, classes: dict[str, Class], functions: list[Function]
    ) -> None:
        """Add a function to its class or to the functions of the file."""
        receiver = _bare(self.text(node, "receiver"))
        outer = self.around(node, ("class", "function"))
        if not receiver and outer is not None and "class" in self.kinds[outer.id]:
            receiver = self.full_name(outer, self.text(outer, "name") or "TicTacToe")
        elif not receiver and outer is not None and self.marked("own", node):
            receiver = self.text(outer, "name")  # this.move = function …, in a constructor
        elif not receiver and outer is not None:
            return
        elif not receiver and function.parameters:
            first = function.parameters[0]
            owner = re.sub(r"\b(?:const|struct|class) ", "", first.type)
            name = owner.rstrip(" *&")
            if name in classes and name != owner:  # a pointer to the object, as in C
                receiver, rest = name, function.parameters[1:]
                function = replace(
                    function, parameters=rest, static=False, value=False, hidden=False
                )
        if not receiver:
            functions.append(function)
            return
        name = next(
            (n for n in classes if n == receiver or n.endswith(self.joint + receiver)), receiver
        )
        each = classes.get(name, Class(name))
        last = name.split(self.joint)[-1]
        if function.name in ("constructor", last):
            made = replace(function, name="", returns="", values=(), lines=0)
            if made.parameters not in [old.parameters for old in each.constructors]:
                each = replace(each, constructors=(*each.constructors, made))
        elif function.static and _bare(function.returns) in (last, "Self"):
            each = replace(each, constructors=(*each.constructors, function))
        elif not any(old.name == function.name and len(old.parameters) == len(function.parameters)
                     for old in each.methods):  # fmt: skip
            each = replace(each, methods=(*each.methods, function))
        classes[name] = each

    def name_constructors(self, classes: dict[str, Class], functions: list[Function]) -> None:
        """Make constructors of functions named like a class or returning its objects."""
        for function in [*functions]:
            by_name, made = classes.get(function.name), classes.get(_bare(function.returns))
            if by_name:
                function_made = Function(
                    "", function.parameters, line=function.line, text=function.text
                )
                classes[by_name.name] = replace(
                    by_name, constructors=(function_made,), line=function.line
                )
            elif made:
                classes[made.name] = replace(made, constructors=(*made.constructors, function))
            else:
                continue
            functions.remove(function)

    def inheriting(self, each: Class, classes: dict[str, Class]) -> Class:
        """Return a class with the methods of its base classes."""
        seen, todo, methods = {each.name}, [*each.bases], [*each.methods]
        while todo:
            base = classes.get(todo.pop(0))
            if base and base.name not in seen:
                seen.add(base.name)
                have = {(m.name, len(m.parameters)) for m in methods}
                methods += [m for m in base.methods if (m.name, len(m.parameters)) not in have]
                todo += base.bases
        return replace(each, methods=tuple(methods))

    def function(self, node: Any) -> Function:
        """Return a function."""
        returns = self.text(node, "returns")
        at, name = self.parts[node.id, "returns"], self.parts[node.id, "name"]
        if (
            at and name and at[0].start_byte < name[0].start_byte
        ):  # with the stars of a C declarator
            returns += "*" * self.between(at[0], name[0]).count("*")
        if not returns and self.marked("void", node):
            returns = "void"
        return Function(
            self.text(node, "name"),
            tuple(self.parameters(node)),
            returns.removeprefix(":").strip(),
            tuple(self.texts(node, "value")),
            node.start_point[0] + 1,
            node.end_point[0] - node.start_point[0] + 1,
            node.text.decode(errors="replace"),
            self.marked("static", node),
            self.marked("getter", node),
            self.hidden(node) or self.text(node, "name").startswith("#"),
        )

    def between(self, first: Any, last: Any) -> str:
        """Return the text between two nodes."""
        text: bytes = self.root.text[
            first.end_byte - self.root.start_byte : last.start_byte - self.root.start_byte
        ]
        return text.decode(errors="replace")

    def constructors(self, node: Any) -> Iterator[Function]:
        """Yield the constructors of a class that have no name."""
        for made in self.nodes["constructor"]:
            if self.around(made, ("class",)) == node:
                yield Function("", tuple(self.parameters(made)), line=made.start_point[0] + 1,
                               text=made.text.decode(errors="replace"),
                               hidden=self.marked("hidden", made))  # fmt: skip

    def parameters(self, node: Any) -> Iterator[Parameter]:
        """Yield the parameters of a function; their other text is the type if there is none."""
        for each in self.nodes["parameter"]:
            if self.around(each, ("function", "constructor", "skip", "parameter")) != node:
                continue
            names, type = self.parts[each.id, "name"], self.text(each, "type")
            default = self.text(each, "default") or "undefined" * self.marked("optional", each)
            if not names and not type:  # a bare name, as in JavaScript
                yield Parameter(each.text.decode(), "", default)
                continue
            if (
                not type
                and names
                and names[0].end_byte - names[0].start_byte < each.end_byte - each.start_byte
            ):
                text = each.text.decode()
                start = names[0].start_byte - each.start_byte
                cut = each.text[:start] + each.text[names[0].end_byte - each.start_byte :]
                type = " ".join(cut.decode().partition("=")[0].split()) if text else ""
            for name in names:
                label = self.text(each, "label")
                label = "" if label == "_" else label
                yield Parameter(name.text.decode(), type.removeprefix(":").strip(), default, label)

    def fields(self, node: Any) -> Iterator[Parameter]:
        """Yield the fields of a class that can be read from outside."""
        for each in self.nodes["field"]:
            owner = self.around(each, ("class", "function"))
            made = owner is not None and self.text(owner, "name") == "constructor"
            if made:  # this.winner = …
                owner = self.around(owner, ("class",))
            if owner == node and not self.hidden(each):
                type = self.text(each, "type").removeprefix(":").strip()
                for name in self.texts(each, "name"):
                    if not name.startswith(("_", "#") if made else "#"):
                        yield Parameter(name, type)

    def enums(self) -> Iterator[Enum]:
        """Yield the enums."""
        for node in self.nodes["enum"]:
            members = []
            for member in self.nodes["member"]:
                if self.around(member, ("enum",)) == node:
                    values = self.texts(member, "value")
                    default = values[0] if values else ""
                    members += [Parameter(name, "", default) for name in self.texts(member, "name")]
            if members and (first := re.fullmatch(r"iota(?: \+ (\d+))?", members[0].default)):
                start = int(first[1] or 0)
                members = [Parameter(m.name, "", str(start + at)) for at, m in enumerate(members)]
            yield Enum(self.full_name(node, self.text(node, "name")), tuple(members))

    def error(self) -> tuple[int, str] | None:
        """Return the line and the text of the first syntax error, or None."""
        todo = [self.root] if self.root.has_error else []
        while todo:
            node = todo.pop()
            if node.is_error or node.is_missing:
                text = node.text.decode(errors="replace").strip().partition("\n")[0][:60]
                return node.start_point[0] + 1, text
            todo += [
                child for child in reversed(node.children) if child.has_error or child.is_missing
            ]
        return None


def _bare(type: str) -> str:
    """Return the name in a type: ``TicTacToe`` in ``(*TicTacToe, error)``, ``Box<TicTacToe>``."""
    type = re.sub(r"^\((.*), ?error\)$", r"\1", type)
    names = BARE.sub(" ", type).split()
    return names[0] if len(names) == 1 else ""
