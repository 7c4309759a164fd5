"""The table of routes: requests are dispatched by it, and OpenAPI describes the API from it."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from importlib.metadata import version
from inspect import getdoc
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from msgspec import Struct, json
from starlette.routing import compile_path

from noughts.service.http import models, pyodide
from noughts.service.http.answer import Answer
from noughts.service.http.handlers import Handlers
from noughts.service.http.stream import EventStream
from noughts.service.play.events import KINDS
from noughts.service.play.refusal import REASONS, Refused
from noughts.service.play.state import Acted

Node = dict[str, Any]


class Route(NamedTuple):
    """One row of the table; rows of the same path come together."""

    method: str
    path: str  # as Starlette writes it
    handler: Callable[..., Awaitable[Answer | EventStream]]  # its docstring describes the route
    takes: type[Struct] | None = None  # a post's body, or the query of another request
    answers: Mapping[int, type[Struct] | str] = {}  # but refusals; a route without is not described


def _by_method(routes: Iterable[Route]) -> dict[str, Route]:
    """These routes by method; HEAD is answered like GET, without the body."""
    found = {route.method: route for route in routes}
    return found | {"HEAD": found["GET"]} if "GET" in found else found


ACTED = {201: Acted, 200: Acted}
MADE = {201: models.SeatedAnswer}
SEATED = {200: models.SeatedAnswer}
OPEN = {200: models.OpenGamesAnswer}
HEALTH = {200: models.HealthAnswer}
JSON = {200: "application/json"}
SVG = {200: "image/svg+xml"}
PNG = {200: "image/png"}
TEXT = {200: "text/plain"}
GAME = "/api/games/{id}"
ROUTES = (
    Route("POST", "/api/games", Handlers.create, models.NewGameRequest, MADE | SEATED),
    Route("GET", "/api/games", Handlers.open_games, models.OpenGamesQuery, OPEN),
    Route("GET", GAME, Handlers.state, None, {200: models.SeenAnswer}),
    Route("POST", f"{GAME}/join", Handlers.join, models.JoinRequest, SEATED),
    Route("POST", f"{GAME}/moves", Handlers.move, models.MoveRequest, ACTED),
    Route("POST", f"{GAME}/resign", Handlers.resign, models.ActRequest, ACTED),
    Route("POST", f"{GAME}/abort", Handlers.abort, models.ActRequest, ACTED),
    Route("POST", f"{GAME}/takeback", Handlers.takeback, models.AnswerRequest, ACTED),
    Route("POST", f"{GAME}/draw", Handlers.draw, models.AnswerRequest, ACTED),
    Route("POST", f"{GAME}/reaction", Handlers.react, models.ReactionRequest, ACTED),
    Route("POST", f"{GAME}/rematch", Handlers.rematch, models.Body, MADE),
    Route("GET", f"{GAME}/events", Handlers.events, None, {200: "text/event-stream"}),
    Route("GET", f"{GAME}/hint", Handlers.hint, None, {200: models.HintAnswer}),
    Route("GET", f"{GAME}/analysis", Handlers.analysis, None, {200: models.AnalysisAnswer}),
    Route("GET", f"{GAME}/record.json", Handlers.record_json, None, JSON),
    Route("GET", f"{GAME}/record.txt", Handlers.record_txt, None, TEXT),
    Route("GET", f"{GAME}/record.svg", Handlers.record_svg, models.PictureQuery, SVG),
    Route("GET", f"{GAME}/record.png", Handlers.record_png, models.PictureQuery, PNG),
    Route("POST", "/api/qr", Handlers.qr, models.QrRequest, SVG),
    Route("GET", "/healthz", Handlers.healthz, None, HEALTH),
    Route("GET", "/readyz", Handlers.readyz, None, {**HEALTH, 503: models.HealthAnswer}),
    Route("GET", "/metrics", Handlers.metrics, None, TEXT),
    Route("GET", "/", lambda own, request: own.file(request, "home/home.html")),
    Route("GET", "/g/{id}", Handlers.game_page),
    Route("GET", "/worker.js", lambda own, request: own.file(request, "shared/worker.js")),
    Route("GET", "/learn", lambda own, request: own.file(request, "learn/learn.html")),
    Route("GET", "/docs", Handlers.docs_page),
    Route("GET", "/source", Handlers.source),
    Route("GET", "/openapi.json", Handlers.description),
    Route("GET", f"{pyodide.ROOT}{{version}}/{{name}}", Handlers.pyodide),
    Route("GET", "/page/{path:path}", Handlers.file),
)
_PATHS = [
    (compile_path(path)[0], _by_method(routes))
    for path, routes in groupby(ROUTES, attrgetter("path"))
]


def find(path: str) -> tuple[dict[str, Route], tuple[Any, ...]]:
    """The routes of this path by method, and its variables. Raises Refused if it has none."""
    path = path.rstrip("/") or "/"
    for pattern, methods in _PATHS:
        if found := pattern.fullmatch(path):
            return methods, found.groups()
    raise Refused("not_found")


# The description

SCHEMAS = "#/components/schemas/"
INFO = {
    "title": "noughts",
    "summary": "Referees k-in-a-row games of any size.",
    "version": version("noughts"),
}
ELSEWHERE = {"not_found", "wrong_method"}  # no operation answers these


def describe() -> bytes:
    """The description of the routes that have answers, as JSON."""
    types: list[type[Struct]] = [models.ErrorAnswer]
    paths: dict[str, Node] = {}
    for route in ROUTES:
        if route.answers:
            types += [type for type in route.answers.values() if not isinstance(type, str)]
            types += [route.takes] if route.takes and route.method == "POST" else []
            paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    _, schemas = json.schema_components(types, ref_template=f"{SCHEMAS}{{name}}")
    whole = {"openapi": "3.1.0", "info": INFO, "paths": paths, "components": {"schemas": schemas}}
    return json.encode(whole)


def _operation(route: Route) -> Node:
    operation: Node = {"operationId": route.handler.__name__, "description": getdoc(route.handler)}
    parameters = [_parameter("path", "id", {"type": "string"})] if "{id}" in route.path else []
    if route.takes and route.method == "POST":
        operation["requestBody"] = {"required": True, "content": _content(route.takes)}
    elif route.takes:
        query = json.schema_components([route.takes])[1][route.takes.__name__]
        needed = query.get("required", [])
        for name, schema in query["properties"].items():
            parameters.append(_parameter("query", name, schema) | {"required": name in needed})
    return operation | {"parameters": parameters, "responses": _responses(route)}


def _parameter(where: str, name: str, schema: Node) -> Node:
    """A parameter; its description is that of its type."""
    about = {"description": schema.pop("description", "")}
    return {"in": where, "name": name, "required": True, "schema": schema} | about


def _responses(route: Route) -> Node:
    """The answers by status; below /api with the refusals, with all codes of each status."""
    responses: Node = {
        str(status): {"description": "Successful Response", "content": _content(answer)}
        for status, answer in route.answers.items()
    }
    if route.handler is Handlers.events:
        kinds = (f"`{name}`: {kind.about} " for name, kind in KINDS.items())
        responses["200"]["description"] = "".join(kinds)
    if route.path.startswith("/api/"):
        for code, reason in REASONS.items():
            if code not in ELSEWHERE:
                refused = {"description": "", "content": _content(models.ErrorAnswer)}
                response = responses.setdefault(str(reason.status), refused)
                response["description"] += f"`{code}`: {reason.message}. "
    return responses


def _content(body: type[Struct] | str) -> Node:
    if not isinstance(body, str):
        return {"application/json": {"schema": {"$ref": f"{SCHEMAS}{body.__name__}"}}}
    return {body: {"schema": {"type": "object" if body.endswith("/json") else "string"}}}
