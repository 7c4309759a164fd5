"""The short way to a game: past the framework, whose way costs more than what is asked for.

The routes are declared to FastAPI all the same, which describes them and would answer alike.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

Handler = Callable[..., Awaitable[Response]]
Routes = Mapping[tuple[str, str], tuple[Handler, type[BaseModel] | None]]
Errors = Mapping[type[Exception], Callable[[Request, Exception], Response]]


class Shortcut:
    """The short way to some routes, around the application that has them all.

    Args:
        app: the application.
        routes: by method and path, with {id} for a game's, who answers and the model of the body.
        errors: what is answered when they raise something, by its type; the first that fits.
    """

    def __init__(self, app: ASGIApp, routes: Routes, errors: Errors) -> None:
        self._app = app
        self._routes = routes
        self._errors = errors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or leave it to the application."""
        path, id = _route(scope["path"]) if scope["type"] == "http" else ("", ())
        if route := self._routes.get((scope.get("method", ""), path)):
            answer = await self._answer(*route, Request(scope, receive), id)
            await answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer(
        self, handler: Handler, model: type[BaseModel] | None, request: Request, id: tuple[str, ...]
    ) -> Response:
        try:
            if model is None:
                return await handler(request, *id)
            return await handler(request, *id, _read(model, await request.body()))
        except Exception as error:
            respond = next(r for kind, r in self._errors.items() if isinstance(error, kind))
            return respond(request, error)


def _route(path: str) -> tuple[str, tuple[str, ...]]:
    """A path without the game's id, and the id.

    >>> _route("/api/games/Xyz/moves")
    ('/api/games/{id}/moves', ('Xyz',))
    >>> _route("/api/games")
    ('/api/games', ())
    """
    match path.split("/"):
        case ["", "api", "games", id, what]:
            return f"/api/games/{{id}}/{what}", (id,)
    return path, ()


def _read(model: type[BaseModel], body: bytes) -> BaseModel:
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise RequestValidationError(error.errors(include_url=False)) from None
