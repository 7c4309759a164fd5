"""The table of routes, by which requests are dispatched, and the description of the API from it."""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from html import escape
from importlib.metadata import version
from inspect import getdoc
from itertools import groupby
from json import dumps
from operator import attrgetter
from typing import Any, NamedTuple

from msgspec import Struct, json
from starlette.routing import compile_path

from noughts.service.http import models
from noughts.service.http.assets import PYODIDE_ROOT
from noughts.service.http.handlers import Handlers
from noughts.service.http.responses import (
    JSON,
    PROBLEM,
    EventStream,
    Response,
    VerdictStream,
)
from noughts.service.play.api_errors import ERROR_CODES, MOVE_CODES, APIError
from noughts.service.play.events import KINDS
from noughts.service.play.state import Acted

Node = dict[str, Any]
Answer = Response | EventStream | VerdictStream


class Route(NamedTuple):
    """One row of the table; rows of the same path are adjacent."""

    method: str
    path: str  # in Starlette's format
    handler: Callable[..., Awaitable[Answer]]  # its docstring describes the route
    takes: type[Struct] | None = None  # the JSON body of a post; else the query
    answers: Mapping[int, type[Struct] | str] = {}  # without errors; if empty, not described
    reads: tuple[str, ...] = ()  # types of the body, if the handler reads it; not for JSON objects
    seat: bool = False  # whether it needs the token of a seat
    errors: frozenset[str] = frozenset()  # codes, without those that `codes` adds

    @property
    def has_json(self) -> bool:
        """Whether `takes` is the body of the request."""
        return self.method == "POST" and not self.reads


def _by_method(routes: Iterable[Route]) -> dict[str, Route]:
    """Return these routes by method; HEAD is answered like GET, without the body."""
    found = {route.method: route for route in routes}
    return found | {"HEAD": found["GET"]} if "GET" in found else found


def codes(route: Route) -> list[str]:
    """Return the codes of all errors that this route can give, in the order of `ERROR_CODES`."""
    found = route.errors | ANY
    if route.method == "POST":
        found |= {"cross_origin"}
    if route.has_json:
        found |= {"not_json"}
    if route.takes:
        found |= {"malformed"}
    if route.reads:
        found |= {"bad_encoding"}
    if "{id}" in route.path:
        found |= OF_GAME
    if route.seat:
        found |= {"no_token"}
    return [code for code in ERROR_CODES if code in found]


_set = frozenset[str]
CONNECTION = _set({"bad_request", "too_slow", "too_large", "head_too_large", "too_many"})
"""Errors of a connection, which reads the request of any route."""
ANY = CONNECTION | {"wrong_host", "failed"}
OF_GAME = _set({"no_game", "damaged", "unavailable"})
OF_SEAT = _set({"unknown_token", "not_your_seat"})
ACT = OF_SEAT | {"key_used", "waiting", "game_over"}
TURN = ACT | {"stale", "timeout"}
MOVE = TURN | MOVE_CODES
ABORT = OF_SEAT | {"key_used", "stale", "not_waiting"}
TAKEBACK = TURN | {"nothing_to_take_back", "nothing_to_decline"}
DRAW = TURN | {"no_draw", "nothing_to_decline"}
REMATCH = OF_SEAT | {"not_over", "game_over"}
CREATE = OF_GAME | {"key_used"}
JOIN = _set({"seat_taken", "wrong_invite", "game_over"})
HINT = _set({"no_hints", "wrong_turn", "timeout", "game_over"})
REVIEW = _set({"not_over", "too_long"})
DOWN = _set({"unavailable"})
SOLVE = _set({"disabled"})

ACTED = {201: Acted, 200: Acted}
MADE = {201: models.SeatedAnswer}
SEATED = {200: models.SeatedAnswer}
OPEN = {200: models.OpenGamesAnswer}
HEALTH = {200: models.HealthAnswer}
RECORD = {200: "application/json"}
SVG = {200: "image/svg+xml"}
PNG = {200: "image/png"}
TEXT = {200: "text/plain"}
LINES = {200: "application/x-ndjson"}
SOLVED = {200: models.SolutionAnswer}
FOUND = {200: models.AnalysisAnswer}
HINTED = {200: models.HintAnswer}
GAME = "/api/games/{id}"


def _act(
    what: str,
    handler: Callable[..., Awaitable[Answer]],
    takes: type[models.Body],
    errors: frozenset[str],
    answers: Mapping[int, type[Struct] | str] = ACTED,
) -> Route:
    """Return the route of a player's action in a game."""
    return Route("POST", f"{GAME}/{what}", handler, takes, answers, seat=True, errors=errors)


def _posted(
    what: str,
    handler: Callable[..., Awaitable[Answer]],
    answers: Mapping[int, type[Struct] | str],
    errors: frozenset[str] = frozenset(),
) -> Route:
    """Return a route that takes games in any text format."""
    reads = models.GAMES_TYPES
    return Route("POST", f"/api/{what}", handler, models.GamesQuery, answers, reads, errors=errors)


ROUTES = (
    Route(
        "POST", "/api/games", Handlers.create, models.NewGameRequest, MADE | SEATED, errors=CREATE
    ),
    Route("GET", "/api/games", Handlers.open_games, models.OpenGamesQuery, OPEN, errors=DOWN),
    Route("GET", GAME, Handlers.state, None, {200: models.SeenAnswer}),
    Route("POST", f"{GAME}/join", Handlers.join, models.JoinRequest, SEATED, errors=JOIN),
    _act("moves", Handlers.move, models.MoveRequest, MOVE),
    _act("resign", Handlers.resign, models.ActRequest, TURN),
    _act("abort", Handlers.abort, models.ActRequest, ABORT),
    _act("takeback", Handlers.takeback, models.AnswerRequest, TAKEBACK),
    _act("draw", Handlers.draw, models.AnswerRequest, DRAW),
    _act("reaction", Handlers.react, models.ReactionRequest, ACT),
    _act("rematch", Handlers.rematch, models.Body, REMATCH, MADE),
    Route("GET", f"{GAME}/events", Handlers.events, None, {200: "text/event-stream"}),
    Route("GET", f"{GAME}/hint", Handlers.hint, None, HINTED, seat=True, errors=HINT),
    Route("GET", f"{GAME}/analysis", Handlers.analysis, None, FOUND, errors=REVIEW),
    Route("GET", f"{GAME}/record.json", Handlers.record_json, None, RECORD),
    Route("GET", f"{GAME}/record.txt", Handlers.record_txt, None, TEXT),
    Route("GET", f"{GAME}/record.svg", Handlers.record_svg, models.PictureQuery, SVG),
    Route("GET", f"{GAME}/record.png", Handlers.record_png, models.PictureQuery, PNG),
    _posted("judge", Handlers.judge, LINES),
    _posted("solve", Handlers.solve, SOLVED, SOLVE),
    _posted("analyse", Handlers.analyse, FOUND, SOLVE | {"too_long"}),
    Route("GET", "/healthz", Handlers.healthz, None, HEALTH),
    Route(
        "GET", "/readyz", Handlers.readyz, None, {**HEALTH, 503: models.HealthAnswer}, errors=DOWN
    ),
    Route("GET", "/metrics", Handlers.metrics, None, TEXT),
    Route("GET", "/", lambda own, request: own.file(request, "home/home.html")),
    Route("GET", "/g/{id}", Handlers.game_page),
    Route("GET", "/worker.js", lambda own, request: own.file(request, "shared/worker.js")),
    Route("GET", "/learn", lambda own, request: own.file(request, "learn/learn.html")),
    Route("GET", "/docs", Handlers.docs_page),
    Route("GET", "/source", Handlers.source),
    Route("GET", "/openapi.json", Handlers.description),
    Route("GET", f"{PYODIDE_ROOT}{{version}}/{{name}}", Handlers.pyodide),
    Route("GET", "/page/{path:path}", Handlers.file),
)
STREAMED = frozenset({"/api/judge"})
"""Paths of routes whose handlers limit the size and duration of the body."""

_PATHS = [
    (compile_path(path)[0], _by_method(routes))
    for path, routes in groupby(ROUTES, attrgetter("path"))
]


def find(path: str) -> tuple[dict[str, Route], tuple[Any, ...]]:
    """Return the routes of this path by method, and its variables. Raises APIError if none fits."""
    path = path.rstrip("/") or "/"
    for pattern, methods in _PATHS:
        if found := pattern.fullmatch(path):
            return methods, found.groups()
    raise APIError("not_found")


SCHEMAS = "#/components/schemas/"
INFO = {
    "title": "noughts",
    "summary": "Referees k-in-a-row games of any size.",
    "version": version("noughts"),
}
TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "The token of your seats, from the answer that gave you a seat in the game.",
}


def describe(root: str) -> bytes:
    """Return the OpenAPI description of the routes that have answers, as JSON.

    `root` is the path of the server.
    """
    types: list[type[Struct]] = [models.Problem]
    paths: dict[str, Node] = {}
    for route in ROUTES:
        if route.answers:
            types += [type for type in route.answers.values() if not isinstance(type, str)]
            types += [route.takes] if route.takes and route.has_json else []
            paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    _, schemas = json.schema_components(types, ref_template=f"{SCHEMAS}{{name}}")
    for body in types:
        if issubclass(body, models.Body):
            _describe_body(schemas[body.__name__], body)
    components = {"schemas": schemas, "securitySchemes": {"token": TOKEN}}
    whole: Node = {"openapi": "3.1.0", "info": INFO, "servers": [{"url": root or "/"}]}
    whole |= {"paths": paths, "components": components}
    return json.encode(_without_false(whole))


def _without_false(node: Any) -> Any:
    """Leave out `"items": false`, which client generators cannot read; `maxItems` says the same."""
    if isinstance(node, dict):
        parts = node.items()
        return {key: _without_false(part) for key, part in parts if (key, part) != ("items", False)}
    return [*map(_without_false, node)] if isinstance(node, list | tuple) else node


def _describe_body(schema: Node, body: type[models.Body]) -> None:
    """Add what several fields must satisfy together; leave out deprecated fields."""
    schema.update(body.constraints)
    fields = schema["properties"].items()
    schema["properties"] = {name: its for name, its in fields if "deprecated" not in its}


def _operation(route: Route) -> Node:
    operation: Node = {"operationId": route.handler.__name__, "description": getdoc(route.handler)}
    if route.seat:
        operation["security"] = [{"token": []}]
    parameters = [_parameter("path", "id", {"type": "string"})] if "{id}" in route.path else []
    if route.reads:
        contents: Node = {type: {"schema": {}} for type in route.reads}
        operation["requestBody"] = {"required": True, "content": contents}
    if route.takes and route.has_json:
        operation["requestBody"] = {"required": True, "content": _content(route.takes)}
    elif route.takes:
        query = json.schema_components([route.takes])[1][route.takes.__name__]
        needed = query.get("required", [])
        for name, schema in query["properties"].items():
            parameters.append(_parameter("query", name, schema) | {"required": name in needed})
    return operation | {"parameters": parameters, "responses": _responses(route)}


def _parameter(where: str, name: str, schema: Node) -> Node:
    """Describe a parameter by the description of its type."""
    about = {"description": schema.pop("description", "")}
    return {"in": where, "name": name, "required": True, "schema": schema} | about


def _responses(route: Route) -> Node:
    """Describe the answers by status, with the error codes of each."""
    responses: Node = {
        str(status): {"description": "Successful Response", "content": _content(answer)}
        for status, answer in route.answers.items()
    }
    if route.handler is Handlers.events:
        kinds = (f"`{name}`: {kind.about} " for name, kind in KINDS.items())
        responses["200"]["description"] = "".join(kinds)
    for code in codes(route):
        status, message, _ = ERROR_CODES[code]
        response = responses.setdefault(str(status), {"description": "", "content": {}})
        response["content"] |= _content(models.Problem, PROBLEM)
        response["description"] += f"`{code}`: {message}. "
    return responses


def _content(body: type[Struct] | str, media_type: bytes = JSON) -> Node:
    if not isinstance(body, str):
        return {media_type.decode(): {"schema": {"$ref": f"{SCHEMAS}{body.__name__}"}}}
    return {body: {"schema": {"type": "object" if body.endswith("/json") else "string"}}}


CODE_SPAN = re.compile("`(.+?)`")
LARGEST = 2**31 - 1  # larger bounds are those of the machine and are not shown


def reference(description: bytes) -> dict[str, str]:
    """Return the parts of the page about the API, as HTML: contents, operations and objects."""
    api = json.decode(description)
    schemas: Node = api["components"]["schemas"]
    operations = [
        (path, method, operation)
        for path, methods in api["paths"].items()
        for method, operation in methods.items()
    ]
    contents = [
        *((_anchor(path, method), _method_html(method), path) for path, method, _ in operations),
        *((id, "", id.capitalize()) for id in ("events", "errors")),
        *((name, "", name) for name in schemas),
    ]
    parts = {
        "contents": (
            f'<li><a class="cut" href="#{id}">{verb}{escape(text.removeprefix("/api"))}</a></li>'
            for id, verb, text in contents
        ),
        "operations": (_operation_html(*operation) for operation in operations),
        "objects": (_schema_html(name, schema) for name, schema in schemas.items()),
    }
    return {name: "\n".join(lines) for name, lines in parts.items()}


def _anchor(path: str, method: str) -> str:
    """Return the id of an operation in the page."""
    return method + "".join(at if at.isalpha() or at == "." else "-" for at in path)


def _method_html(method: str) -> str:
    return f'<span class="method {method}">{method.upper()}</span> '


def _operation_html(path: str, method: str, operation: Node) -> str:
    lines = [
        f'<section class="operation" id="{_anchor(path, method)}">',
        f"<h2>{_method_html(method)}{escape(path)}</h2>",
        f"<p>{_prose(operation['description'])}</p>",
    ]
    if parameters := operation["parameters"]:
        rows = ((it["name"], _type_html(it["schema"]), it["description"]) for it in parameters)
        lines.append(_table_html("Parameters", rows))
    if taken := operation.get("requestBody"):
        lines.append(f"<p>Takes {_content_html(taken)}.</p>")
    lines += [_table_html("Answers", _responses_html(operation["responses"])), "</section>"]
    return "\n".join(lines)


def _responses_html(responses: Node) -> Iterator[tuple[str, str]]:
    """Yield a row for each success, and one for all errors, which have the same format."""
    errors = [status for status in responses if status >= "400"]
    for status in responses:
        if status not in errors:
            yield status, _content_html(responses[status])
    if errors:
        yield f"{min(errors)}–{max(errors)}", _content_html(responses[errors[0]])


def _content_html(body: Node) -> str:
    return " or ".join(
        _type_html(content["schema"]) if "$ref" in content["schema"] else escape(type)
        for type, content in body["content"].items()
    )


def _schema_html(name: str, schema: Node) -> str:
    needed, fields = schema.get("required", ()), schema.get("properties", {})
    rows = []
    for field, its in fields.items():
        about = [its.get("description", "")]
        about += [f"By default {dumps(its['default'])}."] if "default" in its else []
        rows.append((field if field in needed else f"{field}?", _type_html(its), " ".join(about)))
    caption = f"Fields of {name}; a question mark means that a field may be omitted"
    return (
        f'<section class="schema" id="{name}">\n<h3>{name}</h3>\n'
        f"<p>{_prose(schema.get('description', ''))}</p>\n"
        f"{_table_html(caption, rows) if rows else _type_html(schema)}\n</section>"
    )


def _table_html(caption: str, rows: Iterable[tuple[str, ...]]) -> str:
    """Return a table; each row has a name, HTML for its type and perhaps a note."""
    lines = [
        f'<tr><th scope="row">{escape(name)}</th><td>{kind}</td><td>{_prose("".join(note))}</td>'
        for name, kind, *note in rows
    ]
    return "\n".join([f'<table class="rows"><caption>{caption}</caption>', *lines, "</table>"])


def _prose(text: str) -> str:
    """Return a text as HTML, with code spans for backticks."""
    return CODE_SPAN.sub(r"<code>\1</code>", escape(text))


def _type_html(schema: Node) -> str:
    """Describe a schema in a few words, with a link if it has a name."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#{name}"><code>{name}</code></a>'
    if "anyOf" in schema:
        return " or ".join(map(_type_html, schema["anyOf"]))
    if "enum" in schema:
        return escape(", ".join(dumps(each, ensure_ascii=False) for each in schema["enum"]))
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type_html, schema['prefixItems']))}]"
    if "items" in schema:
        return f"[{_type_html(schema['items'])}, …]"
    return f"{schema.get('type', 'anything')}{_range_text(schema)}"


def _range_text(schema: Node) -> str:
    """Describe the bounds of a number, or of the length of a text."""
    low, high = (
        next((schema[name] for name in names if abs(schema.get(name, LARGEST)) < LARGEST), None)
        for names in (("minimum", "minLength"), ("maximum", "maxLength"))
    )
    unit = " characters" if "maxLength" in schema else ""
    if high is None:
        return "" if low is None else f" from {low}"
    return f" up to {high}{unit}" if low is None else f" {low} to {high}{unit}"
