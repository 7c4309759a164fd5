"""The table of routes: requests are dispatched by it, and the API is described from it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec import Struct
from starlette.types import ASGIApp

from noughts.service.http.handlers import Handlers
from noughts.service.http.models import (
    ActAnswer,
    ActRequest,
    HealthAnswer,
    JoinRequest,
    MoveRequest,
    NewGameRequest,
    OpenGamesAnswer,
    OpenGamesQuery,
    QrRequest,
    RematchRequest,
    SeatedAnswer,
    SeenAnswer,
    TakebackRequest,
)
from noughts.service.play.refusal import Refused


class Answer(NamedTuple):
    """What comes with a status: a model, as JSON, or a text of a media type.

    Attributes:
        holds: the model or the media type.
        description: what the status means here.
    """

    holds: type[Struct] | str
    description: str = "Successful Response"


Answers = dict[int, Answer]


@dataclass(frozen=True, slots=True)
class Route:
    """One row of the table.

    Attributes:
        method: of the request.
        path: of the request, with {id} for any part of it and {path} for any rest.
        handler: the method of `Handlers` that answers; its docstring describes the route.
        takes: the type of a post's body or of another request's query, if it has any.
        answers: what succeeds, by status; routes without any are not part of the API.
    """

    method: str
    path: str
    handler: Callable[..., Awaitable[ASGIApp]]
    takes: type[Struct] | None = None
    answers: Answers = field(default_factory=dict)


ACTED = {201: Answer(ActAnswer), 200: Answer(ActAnswer, "As answered before.")}
SEATED = {201: Answer(SeatedAnswer)}
READY = {200: Answer(HealthAnswer), 503: Answer(HealthAnswer, "Not now.")}
GAME = "/api/games/{id}"
ROUTES = (
    Route("POST", "/api/games", Handlers.create, NewGameRequest, SEATED),
    Route("GET", "/api/games", Handlers.open_games, OpenGamesQuery, {200: Answer(OpenGamesAnswer)}),
    Route("GET", GAME, Handlers.state, None, {200: Answer(SeenAnswer)}),
    Route("POST", f"{GAME}/join", Handlers.join, JoinRequest, {200: Answer(SeatedAnswer)}),
    Route("POST", f"{GAME}/moves", Handlers.move, MoveRequest, ACTED),
    Route("POST", f"{GAME}/resign", Handlers.resign, ActRequest, ACTED),
    Route("POST", f"{GAME}/takeback", Handlers.takeback, TakebackRequest, ACTED),
    Route("POST", f"{GAME}/rematch", Handlers.rematch, RematchRequest, SEATED),
    Route("GET", f"{GAME}/events", Handlers.events, None, {200: Answer("text/event-stream")}),
    Route(
        "GET", f"{GAME}/record.json", Handlers.record_json, None, {200: Answer("application/json")}
    ),
    Route("GET", f"{GAME}/record.txt", Handlers.record_txt, None, {200: Answer("text/plain")}),
    Route("GET", f"{GAME}/record.svg", Handlers.record_svg, None, {200: Answer("image/svg+xml")}),
    Route("POST", "/api/qr", Handlers.qr, QrRequest, {200: Answer("image/svg+xml")}),
    Route("GET", "/healthz", Handlers.healthz, None, {200: Answer(HealthAnswer)}),
    Route("GET", "/readyz", Handlers.readyz, None, READY),
    Route("GET", "/metrics", Handlers.metrics, None, {200: Answer("text/plain")}),
    Route("GET", "/", Handlers.home),
    Route("GET", "/g/{id}", Handlers.game),
    Route("GET", "/docs", Handlers.docs),
    Route("GET", "/openapi.json", Handlers.description),
    Route("GET", "/page/{path}", Handlers.file),
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

    Raises:
        Refused: there are none.
    """
    for pattern, methods in _BY_PATH:
        if found := pattern.fullmatch(path):
            return methods, found.groups()
    raise Refused("not_found")
