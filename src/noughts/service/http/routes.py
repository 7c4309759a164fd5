"""The table of routes: requests are dispatched by it, and the API is described from it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from msgspec import Struct
from starlette.types import ASGIApp

from noughts.service.http import models
from noughts.service.http.handlers import Handlers
from noughts.service.play.refusal import Refused
from noughts.service.play.state import Acted

Answers = Mapping[int, type[Struct] | str]
"""What comes with a status: a model, as JSON, or text of a media type."""


@dataclass(frozen=True, slots=True)
class Route:
    """One row of the table.

    Attributes:
        method: of the request.
        path: of the request, with {id} for any part of it and {path} for any rest.
        handler: the method of `Handlers` that answers; its docstring describes the route.
        takes: the type of a post's body or of another request's query, if it has any.
        answers: what comes with each status, refusals aside; a route without any is not described.
    """

    method: str
    path: str
    handler: Callable[..., Awaitable[ASGIApp]]
    takes: type[Struct] | None = None
    answers: Answers = field(default_factory=dict)


ACTED = {201: Acted, 200: Acted}
SEATED = {201: models.SeatedAnswer}
JOINED = {200: models.SeatedAnswer}
OPEN = {200: models.OpenGamesAnswer}
HEALTH = {200: models.HealthAnswer}
SVG = {200: "image/svg+xml"}
TEXT = {200: "text/plain"}
GAME = "/api/games/{id}"
ROUTES = (
    Route("POST", "/api/games", Handlers.create, models.NewGameRequest, SEATED),
    Route("GET", "/api/games", Handlers.open_games, models.OpenGamesQuery, OPEN),
    Route("GET", GAME, Handlers.state, None, {200: models.SeenAnswer}),
    Route("POST", f"{GAME}/join", Handlers.join, models.JoinRequest, JOINED),
    Route("POST", f"{GAME}/moves", Handlers.move, models.MoveRequest, ACTED),
    Route("POST", f"{GAME}/resign", Handlers.resign, models.ActRequest, ACTED),
    Route("POST", f"{GAME}/takeback", Handlers.takeback, models.TakebackRequest, ACTED),
    Route("POST", f"{GAME}/rematch", Handlers.rematch, models.RematchRequest, SEATED),
    Route("GET", f"{GAME}/events", Handlers.events, None, {200: "text/event-stream"}),
    Route("GET", f"{GAME}/record.json", Handlers.record_json, None, {200: "application/json"}),
    Route("GET", f"{GAME}/record.txt", Handlers.record_txt, None, TEXT),
    Route("GET", f"{GAME}/record.svg", Handlers.record_svg, None, SVG),
    Route("POST", "/api/qr", Handlers.qr, models.QrRequest, SVG),
    Route("GET", "/healthz", Handlers.healthz, None, HEALTH),
    Route("GET", "/readyz", Handlers.readyz, None, {**HEALTH, 503: models.HealthAnswer}),
    Route("GET", "/metrics", Handlers.metrics, None, TEXT),
    Route("GET", "/", Handlers.home),
    Route("GET", "/g/{id}", Handlers.game),
    Route("GET", "/docs", Handlers.docs),
    Route("GET", "/openapi.json", Handlers.description),
    Route("GET", "/page/{path}", Handlers.file),
    Route("HEAD", "/openapi.json", Handlers.description),
    Route("HEAD", "/page/{path}", Handlers.file),
)


def _pattern(path: str) -> re.Pattern[str]:
    """The pattern of a path, with a group for each variable."""
    fixed = re.escape(path)
    return re.compile(fixed.replace(r"\{id\}", "([^/]+)").replace(r"\{path\}", "(?s:(.+))"))


def _by_path() -> list[tuple[re.Pattern[str], dict[str, Route]]]:
    """The routes by the pattern of their path and by their method."""
    paths: dict[str, dict[str, Route]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method] = route
    return [(_pattern(path), methods) for path, methods in paths.items()]


_BY_PATH = _by_path()


def find(path: str) -> tuple[dict[str, Route], tuple[str, ...]]:
    """The routes of this path by method, and the values of its variables.

    A slash at the end of the path makes no difference.

    Raises:
        Refused: there are none.
    """
    path = path.rstrip("/") or "/"
    for pattern, methods in _BY_PATH:
        if found := pattern.fullmatch(path):
            return methods, found.groups()
    raise Refused("not_found")
