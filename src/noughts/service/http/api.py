"""The API: one route for each thing that can be asked about a game. docs/server.md tells of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from io import BytesIO
from typing import Annotated, Any

import segno
from fastapi import APIRouter, Query, Request, Response
from pydantic_core import to_json
from starlette.types import ASGIApp, Receive, Scope, Send

from noughts.picture import svg, text
from noughts.records import Record
from noughts.service.http.limits import Limit, Places
from noughts.service.http.models import (
    ERRORS,
    ActRequest,
    AnswerModel,
    JoinedModel,
    JoinRequest,
    MoveRequest,
    NewGameRequest,
    OpenGamesModel,
    QrRequest,
    RematchRequest,
    SeatedModel,
    SeenModel,
    TakebackRequest,
)
from noughts.service.http.shortcut import Routes
from noughts.service.play.games import Games, Seated
from noughts.service.play.refusal import Refused
from noughts.service.play.state import State, timestamp
from noughts.service.play.watch import EventStream, Watchers
from noughts.service.settings import Settings

COOKIE = "noughts"
Answers = dict[int | str, dict[str, Any]]
KEEP_SEAT = 365 * 24 * 3600  # seconds


class Api:
    """The routes below /api.

    Args:
        games: who decides.
        watchers: who is told.
        settings: the limits.
    """

    def __init__(self, games: Games, watchers: Watchers, settings: Settings) -> None:
        self._games = games
        self._watchers = watchers
        self._creating = Limit("new games", settings.creating)
        self._joining = Limit("joining", settings.joining)
        self._moving = Limit("moves", settings.moving)
        self._streams = Places("event streams", settings.streams)

    def router(self) -> APIRouter:
        """The routes."""
        router = APIRouter(prefix="/api", responses=ERRORS, default_response_class=Response)
        add = router.add_api_route
        post: dict[str, Any] = {"methods": ["POST"], "status_code": 201}
        seated: Answers = {201: {"model": SeatedModel}}
        joined: Answers = {200: {"model": JoinedModel}}
        acts: Answers = {
            201: {"model": AnswerModel},
            200: {"model": AnswerModel, "description": "As answered before."},
        }
        add("/games", self.create, **post, responses=seated)
        add("/games", self.open_games, responses={200: {"model": OpenGamesModel}})
        add("/games/{id}", self.state, responses={200: {"model": SeenModel}})
        add("/games/{id}/join", self.join, methods=["POST"], responses=joined)
        add("/games/{id}/moves", self.move, **post, responses=acts)
        add("/games/{id}/resign", self.resign, **post, responses=acts)
        add("/games/{id}/takeback", self.takeback, **post, responses=acts)
        add("/games/{id}/rematch", self.rematch, **post, responses=seated)
        add("/games/{id}/events", self.events, responses=_stream("text/event-stream"))
        add(
            "/games/{id}/record.json",
            self.record_json,
            responses=_stream("application/json", "object"),
        )
        add("/games/{id}/record.txt", self.record_txt, responses=_stream("text/plain"))
        add("/games/{id}/record.svg", self.record_svg, responses=_stream("image/svg+xml"))
        add("/qr", self.qr, methods=["POST"], responses=_stream("image/svg+xml"))
        return router

    def frequent(self) -> Routes:
        """The routes that every game is played by."""
        return {
            ("POST", "/api/games"): (self.create, NewGameRequest),
            ("POST", "/api/games/{id}/join"): (self.join, JoinRequest),
            ("POST", "/api/games/{id}/moves"): (self.move, MoveRequest),
            ("GET", "/api/games/{id}/events"): (self.events, None),
        }

    async def create(self, request: Request, wanted: NewGameRequest) -> Response:
        """Make a game, and take a seat in it."""
        self._creating.check(_address(request))
        return self._seated(request, await self._games.create(wanted.wish()), 201)

    async def open_games(
        self, listed: Annotated[str, Query(pattern="^open$", description="Always: open.")]
    ) -> Response:
        """The games that wait for anybody to join."""
        found = await self._games.open_games()
        waiting = [
            {
                "id": game.id,
                "shape": (game.rows, game.cols),
                "k": game.k,
                "name": game.name,
                "seat": 3 - game.seat,
                "created": timestamp(game.at),
            }
            for game in found
        ]
        return _json({"games": waiting})

    async def state(self, request: Request, id: str) -> Response:
        """The state of a game, and your seats in it."""
        state = await self._games.state(id)
        seats = await self._games.seats(id, _token(request))
        return _json({**state.payload(), "seats": seats})

    async def join(self, request: Request, id: str, wanted: JoinRequest) -> Response:
        """Take the free seat."""
        self._joining.check(_address(request))
        seated = await self._games.join(id, wanted.invite, wanted.name, wanted.key)
        return self._seated(request, seated, 200)

    async def move(self, request: Request, id: str, wanted: MoveRequest) -> Response:
        """Make a move. It is confirmed once it is stored."""
        self._moving.check(_address(request))
        done = self._games.move(id, _token(request), wanted.cell, wanted.seq, wanted.key)
        return _answer(*await done)

    async def resign(self, request: Request, id: str, wanted: ActRequest) -> Response:
        """Give up the game."""
        self._moving.check(_address(request))
        return _answer(*await self._games.resign(id, _token(request), wanted.seq, wanted.key))

    async def takeback(self, request: Request, id: str, wanted: TakebackRequest) -> Response:
        """Take your last move back; against a friend, offer it, or answer an offer."""
        self._moving.check(_address(request))
        done = self._games.takeback(id, _token(request), wanted.seq, wanted.key, wanted.accept)
        return _answer(*await done)

    async def rematch(self, request: Request, id: str, _wanted: RematchRequest) -> Response:
        """Play again, with the seats swapped; the other player joins by asking for the same."""
        self._creating.check(_address(request))
        seated = await self._games.rematch(id, _token(request))
        return self._seated(request, seated, 201)

    async def events(self, request: Request, id: str) -> Response:
        """The game as it happens: server-sent events whose ids are the game's seq."""
        opened = await self._games.current(id)
        address = _address(request)
        self._streams.take(address)
        stream = EventStream(opened, self._watchers, _known(request))
        return _Streaming(stream, lambda: self._streams.leave(address))

    async def record_json(self, id: str) -> Response:
        """The game as a record, which ``noughts judge`` reads."""
        return _file(_record(await self._games.state(id)).to_json() + "\n", "application/json")

    async def record_txt(self, id: str) -> Response:
        """The board as text."""
        game = (await self._games.state(id)).game.copy()
        return _file(await asyncio.to_thread(text, game) + "\n", "text/plain")

    async def record_svg(self, id: str) -> Response:
        """The board as a picture."""
        game = (await self._games.state(id)).game.copy()
        return _file(await asyncio.to_thread(svg, game), "image/svg+xml")

    async def qr(self, request: Request, wanted: QrRequest) -> Response:
        """The QR code of an address on this server; in a post, as an invitation is a secret."""
        if not wanted.text.startswith(str(request.base_url)):
            raise Refused("malformed", f"text: must begin with {request.base_url}")
        picture = BytesIO()
        code = segno.make(wanted.text, error="m", micro=False)
        code.save(picture, "svg", scale=8, omitsize=True, xmldecl=False)
        return _file(picture.getvalue().decode(), "image/svg+xml")

    def _seated(self, request: Request, seated: Seated, status: int) -> Response:
        """The answer to one who has taken a seat; a browser keeps the token as a cookie."""
        state = seated.state
        body = {
            "id": state.id,
            "url": f"{request.base_url}g/{state.id}",
            "token": seated.token,
            "seats": seated.seats,
            "invite": seated.invite,
            "game": state.payload(),
        }
        answer = _json(body, status)
        answer.set_cookie(
            COOKIE,
            seated.token,
            max_age=KEEP_SEAT,
            path=f"/api/games/{state.id}",
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return answer


class _Streaming(Response):
    """An event stream as an answer; `leave` is called when it ends."""

    def __init__(self, stream: ASGIApp, leave: Any) -> None:
        super().__init__()
        self._stream = stream
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._stream(scope, receive, send)
        finally:
            self._leave()


def _address(request: Request) -> str:
    return request.client.host if request.client else "-"


def _token(request: Request) -> str | None:
    """What the player holds: a bearer token, or the page's cookie."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    return request.cookies.get(COOKIE)


def _known(request: Request) -> int | None:
    """The seq that a reader knows, by what its browser says when it comes again."""
    known = request.headers.get("last-event-id", "")
    return int(known) if known.isascii() and known.isdigit() and len(known) < 10 else None


class _Json(Response):
    """JSON that is not to be kept."""

    def init_headers(self, headers: Mapping[str, str] | None = None) -> None:
        """The same headers for all, but for the length."""
        assert not headers
        length = b"%d" % len(self.body)
        self.raw_headers = [*_NO_STORE, (b"content-length", length)]


_NO_STORE = [(b"cache-control", b"no-store"), (b"content-type", b"application/json")]


def _json(body: object, status: int = 200) -> Response:
    return _Json(to_json(body), status)


def _answer(answer: dict[str, Any], new: bool) -> Response:
    return _json(answer, 201 if new else 200)


def _file(content: str, media_type: str) -> Response:
    return Response(content, 200, {"Cache-Control": "no-store"}, media_type)


def _record(state: State) -> Record:
    return Record(state.game.rules, state.game.history, state.id)


def _stream(media_type: str, type: str = "string") -> Answers:
    return {200: {"content": {media_type: {"schema": {"type": type}}}}}
