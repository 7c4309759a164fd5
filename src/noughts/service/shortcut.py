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
        routes: by method and last part of /api/games/ID/…, who answers, and the body's model.
        errors: what is answered when they raise something.
    """

    def __init__(self, app: ASGIApp, routes: Routes, errors: Errors) -> None:
        self._app = app
        self._routes = routes
        self._errors = errors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or leave it to the application."""
        parts = scope["path"].split("/") if scope["type"] == "http" else []
        if len(parts) != 5 or parts[:3] != ["", "api", "games"]:
            answering: tuple[Handler, type[BaseModel] | None] | None = None
        else:
            answering = self._routes.get((scope["method"], parts[4]))
        if answering is None:
            await self._app(scope, receive, send)
            return
        answer = await self._answer(*answering, Request(scope, receive), parts[3])
        await answer(scope, receive, send)

    async def _answer(
        self, handler: Handler, model: type[BaseModel] | None, request: Request, id: str
    ) -> Response:
        try:
            if model is None:
                return await handler(request, id)
            return await handler(request, id, _read(model, await request.body()))
        except Exception as error:
            for kind, respond in self._errors.items():
                if isinstance(error, kind):
                    return respond(request, error)
            raise


def _read(model: type[BaseModel], body: bytes) -> BaseModel:
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise RequestValidationError(error.errors(include_url=False)) from None
