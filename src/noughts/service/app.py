"""The application: the API, the page, and what operators ask, behind one guard."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from noughts.service.http.api import Api
from noughts.service.http.ending import end_at_last
from noughts.service.http.guard import Guard, refusal
from noughts.service.http.shortcut import Errors, Shortcut
from noughts.service.metrics import exposition
from noughts.service.play.computer import Computer
from noughts.service.play.games import Games
from noughts.service.play.refusal import Refused
from noughts.service.play.storage import StoreError, ask
from noughts.service.play.watch import Watchers
from noughts.service.settings import Settings
from noughts.service.store.database import store_at

PAGE = Path(__file__).parent / "page"
SWEEP = 3  # seconds between looks for overdue computers and lost hints
GRACE = 0.5  # seconds between saying goodbye and closing the door

log = logging.getLogger("noughts")


class Service:
    """One server process: its store, its games, and who watches them."""

    def __init__(self, settings: Settings) -> None:
        self.store = store_at(settings.database)
        self.watchers = Watchers()
        self.games = Games(self.store, self.watchers, Computer())
        self.api = Api(self.games, self.watchers, settings)

    @asynccontextmanager
    async def running(self, _app: FastAPI) -> AsyncIterator[None]:
        """The time in which requests are answered."""
        chores = [self.watchers.beat(), self._sweep()]
        if self.store.hints:
            chores.append(self.store.hints.listen(self.games.heard, self.games.look))
        tasks = [asyncio.create_task(_for_ever(chore)) for chore in chores]
        self._say_goodbye_first()
        yield
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.games.close()
        self.store.close()

    async def _sweep(self) -> None:
        """Now and then, see to what no event brings: overdue computers, hints that were lost."""
        # After the start at once, whatever the time, unless others may think already.
        overdue = 5000 if self.store.hints else -1
        while True:
            try:
                await self.games.think_overdue(overdue)
                if self.store.hints:
                    await self.games.look()
            except StoreError as error:
                log.warning("the database does not answer: %s", error)
            except Exception:  # whatever it is, the next look may find something
                log.exception("a look for overdue computers and lost hints has failed")
            overdue = 5000
            await asyncio.sleep(SWEEP)

    def _say_goodbye_first(self) -> None:
        """Have SIGTERM and SIGINT end the event streams, then do what they did.

        uvicorn waits for open connections when it ends, and an event stream would not end by
        itself. A second signal does not wait.
        """
        loop = asyncio.get_running_loop()

        def goodbye(number: int, frame: FrameType | None) -> None:
            end = endings[number]
            if self.watchers.closing:
                end(number, frame)
            else:
                end_at_last()
                loop.call_soon_threadsafe(self.watchers.close)
                loop.call_soon_threadsafe(loop.call_later, GRACE, end, number, frame)

        endings: dict[int, Any] = {}
        for number in (signal.SIGTERM, signal.SIGINT):
            ending = signal.getsignal(number)
            if callable(ending):
                endings[number] = ending
                signal.signal(number, goodbye)


async def _for_ever(chore: Coroutine[Any, Any, None]) -> None:
    """Run a chore, and say so if it fails."""
    try:
        await chore
    except Exception:
        log.exception("a chore of the server has ended")
        raise


def create_app(settings: Settings | None = None) -> ASGIApp:
    """The guarded application for these settings, or for those of the environment."""
    service = Service(settings or Settings())
    app = FastAPI(
        title="noughts",
        summary="Referees k-in-a-row games of any size.",
        docs_url=None,
        redoc_url=None,
        lifespan=service.running,
        separate_input_output_schemas=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # /metrics has them
    )
    app.include_router(service.api.router())
    _add_operators_routes(app, service)
    _add_page(app)
    for kind, respond in ERRORS.items():
        app.add_exception_handler(kind, respond)
    return Guard(Shortcut(app, service.api.frequent(), ERRORS))


def _add_operators_routes(app: FastAPI, service: Service) -> None:
    def healthz() -> dict[str, str]:
        """Whether the process answers."""
        return {"status": "ok"}

    async def readyz() -> Response:
        """Whether new players may be sent here: not while it ends, nor without its database."""
        if service.watchers.closing:
            return JSONResponse({"status": "ending"}, 503)
        await ask(service.store.alive)
        return JSONResponse({"status": "ok"})

    def metrics() -> Response:
        """Counts for Prometheus."""
        content, media_type = exposition()
        return Response(content, media_type=media_type)

    unready: dict[int | str, dict[str, Any]] = {503: {"description": "Not now."}}
    app.add_api_route("/healthz", healthz)
    app.add_api_route("/readyz", readyz, responses=unready)
    app.add_api_route("/metrics", metrics, response_class=PlainTextResponse)


def _add_page(app: FastAPI) -> None:
    def page(name: str) -> FileResponse:
        return FileResponse(PAGE / name, headers={"Cache-Control": "no-cache"})

    app.add_api_route("/", lambda: page("home/home.html"), include_in_schema=False)
    app.add_api_route("/docs", lambda: page("docs/docs.html"), include_in_schema=False)
    app.add_api_route("/g/{id}", lambda id: page("game/game.html"), include_in_schema=False)
    app.mount("/page", Page(directory=PAGE))


class Page(StaticFiles):
    """The files of the page: a browser asks each time whether they are as they were."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """The file, or that it has not changed."""
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal(error)


def _malformed(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in {"body", "query", "path"})
    message = first["msg"].removeprefix("Value error, ")
    return refusal(Refused("malformed", f"{where}: {message}" if where else message))


def _http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "wrong_method"}.get(error.status_code, "malformed")
    answer = refusal(Refused(code, str(error.detail)))
    answer.headers.update(error.headers or {})
    return answer


def _unavailable(_: Request, error: Exception) -> Response:
    log.warning("the database does not answer: %s", error)
    return refusal(Refused("unavailable", "the database does not answer", retry_after=1))


def _failed(_: Request, error: Exception) -> Response:
    log.error("the server has failed", exc_info=error)
    return refusal(Refused("failed", "the server has failed; it has logged why"))


ERRORS: Errors = {
    Refused: _refused,
    RequestValidationError: _malformed,
    HTTPException: _http,
    StoreError: _unavailable,
    Exception: _failed,  # the last: whatever it is
}
