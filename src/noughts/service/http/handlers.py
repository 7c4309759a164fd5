"""The handlers: one method for each route of the table in routes.py."""

import asyncio
import logging
import re
from collections.abc import Callable
from functools import partial
from html import escape
from io import BytesIO

import segno
from starlette.requests import Request

from noughts.game.game import Game
from noughts.picture import svg, text, theme_of
from noughts.records import Record
from noughts.service.http import models
from noughts.service.http.answer import JSON, NO_STORE, Answer, json_answer
from noughts.service.http.card import card, result_text
from noughts.service.http.cover import covered
from noughts.service.http.files import TYPES, Files, is_known, send_page, takes_packed
from noughts.service.http.limits import Limit, Places, client_address, neighbourhood
from noughts.service.http.listing import Listing
from noughts.service.http.pyodide import Pyodide
from noughts.service.http.source import archive
from noughts.service.http.stream import EventStream
from noughts.service.metrics import exposition
from noughts.service.play import decisions
from noughts.service.play.advisor import Advisor
from noughts.service.play.databases import Databases
from noughts.service.play.decisions import Decide
from noughts.service.play.events import token_of
from noughts.service.play.games import Seated
from noughts.service.play.refusal import Refused
from noughts.service.play.storage import StoreError
from noughts.service.play.turns import Turns
from noughts.service.play.watch import Watchers
from noughts.service.settings import Settings

COOKIE = "noughts_player"  # one for all games: a browser keeps some 180 of a site
KEEP = 365 * 24 * 3600  # seconds
SECRET = re.compile(r"[\w-]{32}", re.ASCII)
SVG, PNG, TEXT = b"image/svg+xml", b"image/png", b"text/plain; charset=utf-8"
REACTING = 20  # reactions a minute from one address
DRAWN = 1  # records and QR codes drawn at a time: threads of Python would take turns anyway

log: logging.Logger = logging.getLogger("noughts")


class Handlers:
    """Answers the requests of a server with these parts and settings."""

    def __init__(
        self,
        databases: Databases,
        advisor: Advisor,
        watchers: Watchers,
        settings: Settings,
        description: bytes,  # of the API, as OpenAPI has it
    ) -> None:
        self._databases = databases
        self._advisor = advisor
        self._watchers = watchers
        self._description = description
        self._creating = Limit("new games", settings.creating)
        self._joining = Limit("joining", settings.joining)
        self._moving = Limit("moves", settings.moving)
        self._records = Limit("records", settings.drawing)
        self._codes = Limit("QR codes", settings.drawing)
        self._thoughts = Limit("hints and analyses", settings.drawing)
        self._drawn = Turns(DRAWN)
        self._reactions = Limit("reactions", REACTING)
        self._listing = Listing(databases, watchers)
        self._streams = Places("event streams", settings.streams)
        self._pyodide = Pyodide(settings.pyodide)
        self._files = Files(api=description, pyodide=self._pyodide.address)

    # The API

    async def create(self, request: Request, wanted: models.NewGameRequest) -> Answer:
        """Make a game, and take a seat in it."""
        who = _who(request, self._creating)
        secret = _secret(request)
        seated = await self._databases.create(wanted.game(), who, secret, wanted.key)
        return _seated(request, seated, 201 if seated.new else 200)

    async def open_games(self, request: Request, wanted: models.OpenGamesQuery) -> Answer:
        """The games that anybody may join, and those that anybody may watch.

        Ask again with `If-None-Match`: the answer is 304 while the lists stay the same.
        """
        body, tag = await self._listing.read(fresh="if-none-match" not in request.headers)
        headers = (b"cache-control", b"no-cache"), (b"etag", tag.encode())
        known = is_known(tag, request)
        return Answer(b"" if known else body, JSON, 304 if known else 200, headers)

    async def state(self, request: Request, id: str) -> Answer:
        """The state of a game, and your seats in it."""
        games = self._databases[id]
        state = await games.state(id)
        seats = await games.seats(state, _token(request, id))
        return json_answer(models.SeenAnswer.of(state, seats=seats))

    async def join(self, request: Request, id: str, wanted: models.JoinRequest) -> Answer:
        """Take the free seat."""
        self._joining.check(_who(request))
        secret = _secret(request)
        seated = await self._databases[id].join(id, wanted.invite, wanted.name, wanted.key, secret)
        return _seated(request, seated, 200)

    async def move(self, request: Request, id: str, wanted: models.MoveRequest) -> Answer:
        """Make a move. It is confirmed once it is stored."""
        return await self._act(request, id, wanted, partial(decisions.move, cell=wanted.cell))

    async def resign(self, request: Request, id: str, wanted: models.ActRequest) -> Answer:
        """Give up the game."""
        return await self._act(request, id, wanted, decisions.resign)

    async def abort(self, request: Request, id: str, wanted: models.ActRequest) -> Answer:
        """Withdraw a game that nobody has joined."""
        return await self._act(request, id, wanted, decisions.abort)

    async def takeback(self, request: Request, id: str, wanted: models.AnswerRequest) -> Answer:
        """Take back your last move; against a friend, offer that, or answer an offer."""
        decide = partial(decisions.takeback, accept=wanted.accept)
        return await self._act(request, id, wanted, decide)

    async def draw(self, request: Request, id: str, wanted: models.AnswerRequest) -> Answer:
        """Offer a friend a draw, or answer an offer."""
        return await self._act(request, id, wanted, partial(decisions.draw, accept=wanted.accept))

    async def react(self, request: Request, id: str, wanted: models.ReactionRequest) -> Answer:
        """Show a reaction to everybody who has the game open."""
        self._reactions.check(_who(request))
        decide = partial(decisions.react, reaction=wanted.reaction)
        return await self._act(request, id, wanted, decide)

    async def _act(
        self, request: Request, id: str, wanted: models.ActRequest, decide: Decide
    ) -> Answer:
        """The answer to what a player does now, or did before under the same key."""
        who = _who(request, self._moving)
        token = _token(request, id)
        acted, new = await self._databases[id].act(id, token, who, wanted.seq, wanted.key, decide)
        return json_answer(acted, 201 if new else 200)

    async def rematch(self, request: Request, id: str, wanted: models.Body) -> Answer:
        """Play again, with the seats swapped; the other player joins by asking for the same."""
        who = _who(request, self._creating)
        seated = await self._databases[id].rematch(id, _token(request, id), who, _secret(request))
        return _seated(request, seated, 201)

    async def events(self, request: Request, id: str) -> EventStream:
        """The game as it happens: server-sent events whose ids are the game's seq."""
        games = self._databases[id]
        game = await games.state(id)
        seats = await games.seats(game, _token(request, id))
        who = _who(request)
        page = partial(games.backlog.page, game, who=who)
        leave = self._streams.take(who)
        return EventStream(game, self._watchers, seats, _known(request), page, leave)

    async def hint(self, request: Request, id: str) -> Answer:
        """What the strong level would play for you, in a game against the computer."""
        who = _who(request, self._thoughts)
        seq, advice = await self._advisor.hint(id, _token(request, id), who)
        return json_answer(models.HintAnswer(seq, advice))

    async def analysis(self, request: Request, id: str) -> Answer:
        """What each move of a finished game gave away, in the judgement of the computer."""
        who = _who(request, self._thoughts)
        return json_answer(models.AnalysisAnswer(await self._advisor.analysis(id, who)))

    async def record_json(self, request: Request, id: str) -> Answer:
        """The game as a record, which ``noughts judge`` reads."""

        def record(game: Game, _result: str) -> bytes:
            return f"{Record(game.rules, game.history, id).to_json()}\n".encode()

        return await self._record(request, id, record, JSON)

    async def record_txt(self, request: Request, id: str) -> Answer:
        """The board as text."""
        return await self._record(request, id, lambda game, _: f"{text(game)}\n".encode(), TEXT)

    async def record_svg(self, request: Request, id: str, wanted: models.PictureQuery) -> Answer:
        """The board as a picture."""

        def draw(game: Game, _result: str) -> bytes:
            return svg(game, wanted.look or theme_of(game.rules)).encode()

        return await self._record(request, id, draw, SVG)

    async def record_png(self, request: Request, id: str, wanted: models.PictureQuery) -> Answer:
        """A picture of the board, its rules and its result, which chats show with a link."""

        def draw(game: Game, result: str) -> bytes:
            return card(game, result, wanted.look or theme_of(game.rules))

        return await self._record(request, id, draw, PNG)

    async def _record(
        self, request: Request, id: str, draw: Callable[[Game, str], bytes], media_type: bytes
    ) -> Answer:
        """The game and its result, drawn in a thread."""
        who = _who(request, self._records)
        state = await self._databases[id].state(id)
        async with self._drawn.turn(who):
            drawn = await asyncio.to_thread(draw, state.game.copy(), result_text(state))
        return Answer(drawn, media_type)

    async def qr(self, request: Request, wanted: models.QrRequest) -> Answer:
        """The QR code of an address on this server; posted, because an invitation is secret."""
        who = _who(request, self._codes)
        if not wanted.text.startswith(_base(request)):
            raise Refused("malformed", f"text: must begin with {_base(request)}")
        async with self._drawn.turn(who):
            return Answer(await asyncio.to_thread(_qr, wanted.text), SVG)

    # For operators

    async def healthz(self, request: Request) -> Answer:
        """Whether the process answers."""
        return json_answer(models.HealthAnswer("ok"))

    async def readyz(self, request: Request) -> Answer:
        """Whether to send new players here: not if the server is ending or has no database."""
        if self._watchers.closing:
            return json_answer(models.HealthAnswer("ending"), 503)
        await self._databases.alive()
        return json_answer(models.HealthAnswer("ok"))

    async def metrics(self, request: Request) -> Answer:
        """Metrics for Prometheus."""
        content, media_type = await asyncio.to_thread(exposition)
        return Answer(content, media_type.encode(), headers=())

    async def description(self, request: Request) -> Answer:
        """The description of the API."""
        return Answer(self._description, JSON, headers=())

    # The page

    async def source(self, request: Request) -> Answer:
        """The source of this server as a ZIP archive."""
        who = _who(request, self._records)
        async with self._drawn.turn(who):
            packed = await asyncio.to_thread(archive, frozenset(TYPES))
        attached = b"content-disposition", b'attachment; filename="noughts.zip"'
        return Answer(packed, b"application/zip", headers=(attached,))

    async def file(self, request: Request, path: str, status: int = 200) -> Answer:
        """A file of the page, or 304 if it has not changed."""
        try:
            return self._files.send(path, request, status)
        except KeyError:
            raise Refused("not_found") from None

    async def pyodide(self, request: Request, version: str, name: str) -> Answer:
        """A file of Pyodide."""
        try:
            packed = takes_packed(request)
            return await asyncio.to_thread(self._pyodide.send, version, name, packed)
        except KeyError:
            raise Refused("not_found") from None

    async def docs_page(self, request: Request) -> Answer:
        """The page about the API, with addresses of this server."""
        origin = escape(_base(request).rstrip("/"))
        return send_page(self._files.text("docs/docs.html").replace("ORIGIN", origin), request)

    async def game_page(self, request: Request, id: str) -> Answer:
        """The page of a game, with its board in it."""
        page = self._files.text("game/game.html")
        try:
            state = await self._databases[id].state(id)
            page = covered(page, state, _base(request))
        except (Refused, StoreError):  # the page says why, or tries again
            pass
        except Exception:  # the page can still report that
            log.exception("the page of game %s is sent without its board", id)
        return send_page(page, request)


def _qr(content: str) -> bytes:
    """The QR code of this as a picture."""
    picture = BytesIO()
    code = segno.make(content, error="m", micro=False)
    code.save(picture, "svg", scale=8, omitsize=True, xmldecl=False)
    return picture.getvalue()


def _who(request: Request, limit: Limit | None = None) -> str:
    """The address that asks. Raises Refused if this limit does not allow it one more request."""
    who = neighbourhood(client_address(request.scope))
    if limit:
        limit.check(who)
    return who


def _base(request: Request) -> str:
    """The address of this server, as the browser knows it; Starlette takes ten times as long."""
    if host := _headers(request).get(b"host"):
        return f"{request.scope['scheme']}://{host.decode('latin-1')}/"
    return str(request.base_url)


def _headers(request: Request) -> dict[bytes, bytes]:
    """The headers by name; Starlette's are slower."""
    return dict(request.scope["headers"])


def _token(request: Request, game: str) -> str | None:
    """The player's token for this game: the bearer token, or the one that the cookie gives."""
    headers = _headers(request)
    scheme, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    if b"cookie" not in headers:
        return None
    secret = _secret(request)
    return token_of(secret, game) if secret else None


def _secret(request: Request) -> str | None:
    """The secret in the cookie of this browser, if it has one."""
    secret = request.cookies.get(COOKIE, "")
    return secret if SECRET.fullmatch(secret) else None


def _known(request: Request) -> int | None:
    """The seq that a reader knows whose browser connects again."""
    known = request.headers.get("last-event-id", "")
    return int(known) if known.isascii() and known.isdigit() and len(known) < 10 else None


def _seated(request: Request, seated: Seated, status: int) -> Answer:
    """The answer to a player who has taken a seat; a browser keeps the secret as a cookie."""
    id, token, base = seated.state.id, seated.token, _base(request)
    secure = "; Secure" if base.startswith("https:") else ""
    kept = f"Path=/; SameSite=strict{secure}; HttpOnly; Max-Age={KEEP}"
    cookie = b"set-cookie", f"{COOKIE}={seated.secret}; {kept}".encode()
    game = models.StateAnswer.of(seated.state)
    body = models.SeatedAnswer(id, f"{base}g/{id}", token, seated.seats, seated.invite, game)
    return json_answer(body, status, (*NO_STORE, cookie))
