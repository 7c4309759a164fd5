"""The page about the API, made from the description of it in OpenAPI's terms."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

Node = Mapping[str, Any]
CODE = re.compile("`(.+?)`")
LARGEST = 2**31 - 1  # bounds beyond are the machine's: nobody needs to know them


def referenced(page: str, api: Node) -> str:
    """The page of docs with every operation and object of the API, and a list of them all."""
    schemas: Node = api["components"]["schemas"]
    operations = [
        (path, method, operation)
        for path, methods in api["paths"].items()
        for method, operation in methods.items()
    ]
    contents = [
        *((_anchor(path, method), _verb(method), path) for path, method, _ in operations),
        *((id, "", id.capitalize()) for id in ("events", "errors")),
        *((name, "", name) for name in schemas),
    ]
    parts = {
        "contents": (
            f'<li><a class="cut" href="#{id}">{verb}{escape(text.removeprefix("/api"))}</a></li>'
            for id, verb, text in contents
        ),
        "operations": (_operation(*operation) for operation in operations),
        "objects": (_object(name, schema) for name, schema in schemas.items()),
    }
    for name, lines in parts.items():
        page = page.replace(f"<!-- the {name} -->", "\n".join(lines))
    return page


def _anchor(path: str, method: str) -> str:
    """The id of an operation in the page."""
    return method + "".join(at if at.isalpha() or at == "." else "-" for at in path)


def _verb(method: str) -> str:
    return f'<span class="method {method}">{method.upper()}</span> '


def _operation(path: str, method: str, operation: Node) -> str:
    lines = [
        f'<section class="operation" id="{_anchor(path, method)}">',
        f"<h2>{_verb(method)}{escape(path)}</h2>",
        f"<p>{_text(operation['description'])}</p>",
    ]
    if parameters := operation["parameters"]:
        rows = ((it["name"], _kind(it["schema"]), it["description"]) for it in parameters)
        lines.append(_table("Parameters", rows))
    if taken := operation.get("requestBody"):
        lines.append(f"<p>Takes {_content(taken)}.</p>")
    lines += [_table("Answers", _answers(operation["responses"])), "</section>"]
    return "\n".join(lines)


def _answers(responses: Node) -> Iterator[tuple[str, str]]:
    """What may come back: each success, and the refusals, which are all alike, in one row."""
    refusals = [status for status in responses if status >= "400"]
    for status in responses:
        if status not in refusals:
            yield status, _content(responses[status])
    if refusals:
        yield f"{min(refusals)}–{max(refusals)}", _content(responses[refusals[0]])


def _content(body: Node) -> str:
    ((type, content),) = body["content"].items()
    return _kind(content["schema"]) if type == "application/json" else escape(type)


def _object(name: str, schema: Node) -> str:
    needed, fields = schema.get("required", ()), schema.get("properties", {})
    rows = []
    for field, its in fields.items():
        about = [its.get("description", "")]
        about += [f"By default {json.dumps(its['default'])}."] if "default" in its else []
        rows.append((field if field in needed else f"{field}?", _kind(its), " ".join(about)))
    caption = f"Fields of {name}; a question mark: may be left out"
    return (
        f'<section class="schema" id="{name}">\n<h3>{name}</h3>\n'
        f"<p>{_text(schema.get('description', ''))}</p>\n"
        f"{_table(caption, rows) if rows else _kind(schema)}\n</section>"
    )


def _table(caption: str, rows: Iterable[tuple[str, ...]]) -> str:
    """A table whose rows have a name, HTML for its kind, and some a text about it."""
    lines = [
        f'<tr><th scope="row">{escape(name)}</th><td>{kind}</td><td>{_text("".join(about))}</td>'
        for name, kind, *about in rows
    ]
    return "\n".join([f'<table class="rows"><caption>{caption}</caption>', *lines, "</table>"])


def _text(text: str) -> str:
    """A text, with its code between backticks."""
    return CODE.sub(r"<code>\1</code>", escape(text))


def _kind(schema: Node) -> str:
    """A schema in a few words, with a link where it has a name."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#{name}"><code>{name}</code></a>'
    if "anyOf" in schema:
        return " or ".join(map(_kind, schema["anyOf"]))
    if "enum" in schema:
        return escape(", ".join(json.dumps(each, ensure_ascii=False) for each in schema["enum"]))
    if "prefixItems" in schema:
        return f"[{', '.join(map(_kind, schema['prefixItems']))}]"
    if "items" in schema:
        return f"[{_kind(schema['items'])}, …]"
    return f"{schema.get('type', 'anything')}{_range(schema)}"


def _range(schema: Node) -> str:
    """The bounds of a number, or of a text's length."""
    low, high = (
        next((schema[name] for name in names if abs(schema.get(name, LARGEST)) < LARGEST), None)
        for names in (("minimum", "minLength"), ("maximum", "maxLength"))
    )
    unit = " characters" if "maxLength" in schema else ""
    if high is None:
        return "" if low is None else f" from {low}"
    return f" up to {high}{unit}" if low is None else f" {low} to {high}{unit}"
