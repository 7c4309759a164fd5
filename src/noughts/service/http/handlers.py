"""The handlers: one method for each route of the table in routes.py."""

import asyncio
import logging
import re
from collections.abc import Callable
from functools import partial
from html import escape
from io import BufferedReader, BytesIO
from itertools import islice
from math import inf
from typing import NamedTuple

import msgspec
from starlette.requests import Request

from noughts.errors import InvalidRecord, NoughtsError
from noughts.game.game import Game
from noughts.opponent.exact.solver import beyond
from noughts.picture import svg, text, theme_of
from noughts.records import Record
from noughts.records.formats import Reading, read_file
from noughts.service.http import assets, middleware, models
from noughts.service.http.prerender import prerendered, preview_image, result_text
from noughts.service.http.responses import (
    BODY,
    JSON,
    NO_STORE,
    UNREAD,
    Allowance,
    EventStream,
    Judges,
    Response,
    VerdictStream,
    json_response,
    unzipped,
    worded,
)
from noughts.service.metrics import exposition
from noughts.service.play import decisions
from noughts.service.play.api_errors import APIError
from noughts.service.play.computer import LONGEST_ANALYSED, TOO_LONG, Advisor, Computer
from noughts.service.play.decisions import Decide
from noughts.service.play.events import monotonic, token_of
from noughts.service.play.games import Databases, Seated
from noughts.service.play.scheduling import FairQueue
from noughts.service.play.storage import StoreError
from noughts.service.play.subscriptions import Subscriptions
from noughts.service.settings import Settings

COOKIE = "noughts_player"  # one for all games, as a browser keeps about 180 per site
COOKIE_SECONDS = 365 * 24 * 3600
SECRET = re.compile(r"[\w-]{32}", re.ASCII)
SVG, PNG, TEXT = b"image/svg+xml", b"image/png", b"text/plain; charset=utf-8"
MAX_POSITION = 64 * 1024  # bytes of a posted position
JUDGED_PER_ADDRESS = 2  # requests to judge games at the same time
REACTION_LIMIT = 20  # per minute per address
RETRY_AFTER = b"retry-after", b"1"  # until another server, or the next one, takes the players
RENDERED_AT_ONCE = 1  # records and QR codes; threads of Python would take turns anyway

log: logging.Logger = logging.getLogger("noughts")


class Site(NamedTuple):
    """The pages of the server, which do not depend on its games."""

    description: bytes  # of the API, in OpenAPI's format
    pyodide: assets.Pyodide
    files: assets.Files


class Handlers:
    """The handlers of a server with these parts and settings."""

    def __init__(
        self,
        databases: Databases,
        computer: Computer,
        advisor: Advisor,
        subscriptions: Subscriptions,
        settings: Settings,
        site: Site,
    ) -> None:
        self._databases = databases
        self._computer = computer
        self._advisor = advisor
        self._subscriptions = subscriptions
        self._site = site
        self._creating = middleware.RateLimit("new games", settings.create_limit)
        self._joining = middleware.RateLimit("joining", settings.join_limit)
        self._moving = middleware.RateLimit("moves", settings.move_limit)
        self._records = middleware.RateLimit("records", settings.render_limit)
        self._codes = middleware.RateLimit("QR codes", settings.render_limit)
        self._thoughts = middleware.RateLimit("hints and analyses", settings.render_limit)
        self._positions = middleware.RateLimit("posted positions", settings.render_limit)
        self._solve_seconds = settings.solve_seconds
        self._judged_games = middleware.RateLimit("games to judge", settings.judge_games)
        self._judged_bytes = middleware.RateLimit(
            "bytes of games and verdicts", settings.judge_megabytes * 1_000_000
        )
        self._judge_seconds = settings.judge_seconds or inf
        self._judging = middleware.ConcurrencyLimit("requests to judge", JUDGED_PER_ADDRESS)
        self._judges = Judges()
        self._drawn = FairQueue(RENDERED_AT_ONCE)
        self._reactions = middleware.RateLimit("reactions", REACTION_LIMIT)
        self._lobby = Lobby(databases, subscriptions)
        self._streams = middleware.ConcurrencyLimit("event streams", settings.streams)

    async def create(self, request: Request, wanted: models.NewGameRequest) -> Response:
        """Create a game, and take a seat in it."""
        who = _who(request, self._creating)
        secret = _secret(request)
        seated = await self._databases.create(wanted.game(), who, secret, wanted.key)
        return _seated(request, seated, 201 if seated.new else 200)

    async def open_games(self, request: Request, wanted: models.OpenGamesQuery) -> Response:
        """List the games that anyone may join, and those that anyone may watch.

        Repeat the request with `If-None-Match`: the answer is 304 while the lists are unchanged.
        """
        body, tag = await self._lobby.read(fresh="if-none-match" not in request.headers)
        headers = (b"cache-control", b"no-cache"), (b"etag", tag.encode())
        known = assets.is_known(tag, request)
        return Response(b"" if known else body, JSON, 304 if known else 200, headers)

    async def state(self, request: Request, id: str) -> Response:
        """Return the state of a game, and your seats in it."""
        games = self._databases[id]
        state = await games.state(id)
        seats = await games.seats(state, _token(request, id))
        return json_response(models.SeenAnswer.of(state, seats=seats))

    async def join(self, request: Request, id: str, wanted: models.JoinRequest) -> Response:
        """Take the free seat."""
        self._joining.check(_who(request))
        secret = _secret(request)
        seated = await self._databases[id].join(id, wanted.invite, wanted.name, wanted.key, secret)
        return _seated(request, seated, 200)

    async def move(self, request: Request, id: str, wanted: models.MoveRequest) -> Response:
        """Play a move. The answer confirms that it is stored."""
        return await self._act(request, id, wanted, partial(decisions.move, cell=wanted.cell))

    async def resign(self, request: Request, id: str, wanted: models.ActRequest) -> Response:
        """Resign."""
        return await self._act(request, id, wanted, decisions.resign)

    async def abort(self, request: Request, id: str, wanted: models.ActRequest) -> Response:
        """Cancel a game before a second player joins."""
        return await self._act(request, id, wanted, decisions.abort)

    async def takeback(self, request: Request, id: str, wanted: models.AnswerRequest) -> Response:
        """Take back your last move. Against a friend, this offers a takeback or answers one."""
        decide = partial(decisions.takeback, accept=wanted.accept)
        return await self._act(request, id, wanted, decide)

    async def draw(self, request: Request, id: str, wanted: models.AnswerRequest) -> Response:
        """Offer a friend a draw, or answer an offer."""
        return await self._act(request, id, wanted, partial(decisions.draw, accept=wanted.accept))

    async def react(self, request: Request, id: str, wanted: models.ReactionRequest) -> Response:
        """Show a reaction to everyone who has the game open."""
        self._reactions.check(_who(request))
        decide = partial(decisions.react, reaction=wanted.reaction)
        return await self._act(request, id, wanted, decide)

    async def _act(
        self, request: Request, id: str, wanted: models.ActRequest, decide: Decide
    ) -> Response:
        """Perform an action of a player, or repeat the answer to the same key."""
        who = _who(request, self._moving)
        token = _token(request, id)
        acted, new = await self._databases[id].act(id, token, who, wanted.seq, wanted.key, decide)
        return json_response(acted, 201 if new else 200)

    async def rematch(self, request: Request, id: str, wanted: models.Body) -> Response:
        """Play again with the seats swapped; the other player joins with the same request."""
        who = _who(request, self._creating)
        seated = await self._databases[id].rematch(id, _token(request, id), who, _secret(request))
        return _seated(request, seated, 201)

    async def events(self, request: Request, id: str) -> EventStream:
        """Stream the game as server-sent events; their ids are the game's seq."""
        games = self._databases[id]
        game = await games.state(id)
        seats = await games.seats(game, _token(request, id))
        who = _who(request)
        page = partial(games.backlog.page, game, who=who)
        leave = self._streams.take(who)
        return EventStream(game, self._subscriptions, seats, _known(request), page, leave)

    async def hint(self, request: Request, id: str) -> Response:
        """Return the move of the strong level for you, in a game against the computer."""
        who = _who(request, self._thoughts)
        games = self._databases[id]
        state = await games.state(id)
        seats, seq = await games.seats(state, _token(request, id)), state.seq
        return json_response(models.HintAnswer(seq, await self._advisor.hint(state, seats, who)))

    async def analysis(self, request: Request, id: str) -> Response:
        """Return what each move of a finished game gave away, as judged by the computer."""
        who = _who(request, self._thoughts)
        state = await self._databases[id].state(id)
        return json_response(models.AnalysisAnswer(await self._advisor.analysis(state, who)))

    async def record_json(self, request: Request, id: str) -> Response:
        """Return the game as a record for `noughts judge`."""

        def record(game: Game, _result: str) -> bytes:
            return f"{Record(game.rules, game.history, id).to_json()}\n".encode()

        return await self._record(request, id, record, JSON)

    async def record_txt(self, request: Request, id: str) -> Response:
        """Return the board as text."""
        return await self._record(request, id, lambda game, _: f"{text(game)}\n".encode(), TEXT)

    async def record_svg(self, request: Request, id: str, wanted: models.PictureQuery) -> Response:
        """Return the board as an SVG image."""

        def draw(game: Game, _result: str) -> bytes:
            return svg(game, wanted.look or theme_of(game.rules)).encode()

        return await self._record(request, id, draw, SVG)

    async def record_png(self, request: Request, id: str, wanted: models.PictureQuery) -> Response:
        """Return an image of the board, rules and result, which chats show as a link's preview."""

        def draw(game: Game, result: str) -> bytes:
            return preview_image(game, result, wanted.look or theme_of(game.rules))

        return await self._record(request, id, draw, PNG)

    async def _record(
        self, request: Request, id: str, draw: Callable[[Game, str], bytes], media_type: bytes
    ) -> Response:
        """Render the game and its result in a thread."""
        who = _who(request, self._records)
        state = await self._databases[id].state(id)
        async with self._drawn.turn(who):
            drawn = await asyncio.to_thread(draw, state.game.copy(), result_text(state))
        return Response(drawn, media_type)

    async def judge(self, request: Request, wanted: models.GamesQuery) -> Response | VerdictStream:
        """Judge posted games in any text format, without storing them; the body may be gzipped.

        The answer has one line of JSON per game, in order, and begins while games still arrive.
        A game that cannot be read costs one line, `{"error": {"code", "message"}, "line"}`. An
        error without a `line` is the last line: it ends the answer before all games are judged.
        """
        middleware.check_encoding(request.scope)
        who = _who(request)
        allowance = Allowance(
            partial(self._judged_games.take, who),
            partial(self._judged_bytes.take, who),
            partial(self._judged_games.refusal, who),
            partial(self._judged_bytes.refusal, who),
            self._judge_seconds,
        )
        reading = wanted.reading(middleware.media_type(request.scope))
        leave = self._judging.take(who)
        return VerdictStream(reading, self._judges, allowance, leave)

    async def solve(self, request: Request, wanted: models.GamesQuery) -> Response:
        """Find who wins a posted position with best play, on a board of up to 64 cells.

        The body is one game in any text format; its last position is solved. Servers may refuse.
        """
        record, who = await self._position(request, wanted)
        if problem := beyond(record.rules):
            raise APIError("malformed", f"exact search {problem}")
        game = _game(record)
        solution = await self._computer.solve(game, who, self._solve_seconds)
        return json_response(models.SolutionAnswer.of(game, solution, record.id))

    async def analyse(self, request: Request, wanted: models.GamesQuery) -> Response:
        """Return what each move of a posted game gave away, as judged by the computer.

        The body is one game in any text format. Servers may refuse.
        """
        record, who = await self._position(request, wanted)
        if len(record.moves) > LONGEST_ANALYSED:
            raise APIError("too_long", TOO_LONG)
        try:
            models.check_played(record.rules)
        except ValueError as error:
            raise APIError("malformed", str(error)) from None
        game = _game(record)
        findings = await self._computer.analyse(game, who, self._solve_seconds)
        return json_response(models.AnalysisAnswer(findings))

    async def _position(self, request: Request, wanted: models.GamesQuery) -> tuple[Record, str]:
        """Read the game in the body; return it and the client. Raises APIError."""
        if not self._solve_seconds:
            raise APIError("disabled")
        middleware.check_encoding(request.scope)
        body = await middleware.read_body(request.receive, MAX_POSITION)
        who = _who(request, self._positions)
        reading = wanted.reading(middleware.media_type(request.scope))
        return await asyncio.to_thread(_only_game, body, reading), who

    async def healthz(self, request: Request) -> Response:
        """Return whether the process is running."""
        return json_response(models.HealthAnswer("ok"))

    async def readyz(self, request: Request) -> Response:
        """Return whether the server can take new players: it has a database and is not stopping."""
        if self._subscriptions.draining:
            return json_response(models.HealthAnswer("ending"), 503, (*NO_STORE, RETRY_AFTER))
        await self._databases.alive()
        return json_response(models.HealthAnswer("ok"))

    async def metrics(self, request: Request) -> Response:
        """Return metrics for Prometheus."""
        content, media_type = await asyncio.to_thread(exposition)
        return Response(content, media_type.encode(), headers=())

    async def description(self, request: Request) -> Response:
        """Return the description of the API."""
        return Response(self._site.description, JSON, headers=())

    async def source(self, request: Request) -> Response:
        """Return the source of this server as a ZIP archive."""
        who = _who(request, self._records)
        async with self._drawn.turn(who):
            packed = await asyncio.to_thread(assets.source_archive, frozenset(assets.TYPES))
        attached = b"content-disposition", b'attachment; filename="noughts.zip"'
        return Response(packed, b"application/zip", headers=(attached,))

    async def file(self, request: Request, path: str, status: int = 200) -> Response:
        """Return a file of the page, or 304 if it has not changed."""
        try:
            return self._site.files.response(path, request, status)
        except KeyError:
            raise APIError("not_found") from None

    async def pyodide(self, request: Request, version: str, name: str) -> Response:
        """Return a file of assets.Pyodide."""
        try:
            packed = assets.accepts_gzip(request)
            return await asyncio.to_thread(self._site.pyodide.response, version, name, packed)
        except KeyError:
            raise APIError("not_found") from None

    async def docs_page(self, request: Request) -> Response:
        """Return the page about the API, with URLs of this server."""
        page = self._site.files.text("docs/docs.html")
        origin = escape(_base(request).rstrip("/"))
        return assets.page_response(page.replace("ORIGIN", origin), request)

    async def game_page(self, request: Request, id: str) -> Response:
        """Return the page of a game with its board."""
        page = self._site.files.text("game/game.html")
        try:
            state = await self._databases[id].state(id)
            page = prerendered(page, state, _base(request))
        except (APIError, StoreError):  # the page reports the error, or tries again
            pass
        except Exception:  # the page can still report the error
            log.exception("cannot prerender the board of game %s", id)
        return assets.page_response(page, request)


def _only_game(body: bytes, reading: Reading) -> Record:
    """Return the only game in this body. Raises APIError if there is another number of them."""
    try:
        body = unzipped(BufferedReader(BytesIO(body))).read(MAX_POSITION + 1)
        if len(body) > MAX_POSITION:
            raise APIError("too_large", f"the body is larger than {MAX_POSITION} bytes")
        if body.startswith(UNREAD):
            raise APIError("bad_encoding")
        game, *more = islice(read_file(BytesIO(body), BODY, reading), 2)
    except (InvalidRecord, ModuleNotFoundError) as error:  # a format may need a library
        raise APIError("malformed", worded(error)) from None
    if isinstance(game, InvalidRecord):
        raise APIError("malformed", worded(game))
    if more or not isinstance(game, Record):
        raise APIError("malformed", "expected one game in the body")
    return game


def _game(record: Record) -> Game:
    """Return the recorded game. Raises APIError if a move is illegal."""
    try:
        return record.game()
    except NoughtsError as error:
        raise APIError("malformed", str(error)) from None


def _who(request: Request, limit: middleware.RateLimit | None = None) -> str:
    """Return the client's network. Raises APIError if this limit allows it no more requests."""
    who = middleware.client_network(middleware.client_address(request.scope))
    if limit:
        limit.check(who)
    return who


def _base(request: Request) -> str:
    """Return the URL of this server as the browser knows it; Starlette takes ten times as long."""
    scope = request.scope
    if host := _headers(request).get(b"host"):
        return f"{scope['scheme']}://{host.decode('latin-1')}{scope['root_path']}/"
    return str(request.base_url)


def _headers(request: Request) -> dict[bytes, bytes]:
    """Return the headers by name; Starlette's are slower."""
    return dict(request.scope["headers"])


def _token(request: Request, game: str) -> str | None:
    """Return the player's token for this game: the bearer token, or one derived from the cookie."""
    headers = _headers(request)
    scheme, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    if b"cookie" not in headers:
        return None
    secret = _secret(request)
    return token_of(secret, game) if secret else None


def _secret(request: Request) -> str | None:
    """Return the secret in the cookie of this browser, if it has one."""
    secret = request.cookies.get(COOKIE, "")
    return secret if SECRET.fullmatch(secret) else None


def _known(request: Request) -> int | None:
    """Return the last seq that a browser received before it reconnected."""
    known = request.headers.get("last-event-id", "")
    return int(known) if known.isascii() and known.isdigit() and len(known) < 10 else None


def _seated(request: Request, seated: Seated, status: int) -> Response:
    """Return the response for a player who has taken a seat; the secret goes in a cookie."""
    id, token, base = seated.state.id, seated.token, _base(request)
    secure = "; Secure" if base.startswith("https:") else ""
    path = request.scope["root_path"] or "/"
    kept = f"Path={path}; SameSite=strict{secure}; HttpOnly; Max-Age={COOKIE_SECONDS}"
    cookie = b"set-cookie", f"{COOKIE}={seated.secret}; {kept}".encode()
    game = models.StateAnswer.of(seated.state)
    body = models.SeatedAnswer(id, f"{base}g/{id}", token, seated.seats, seated.invite, game)
    return json_response(body, status, (*NO_STORE, cookie))


FRESH = 1.0  # seconds for which all clients that poll get the same list
SHOWN_LIVE = 12  # games to watch


class Lobby:
    """The list of open games and games to watch, as JSON with its entity tag.

    It is made once for all clients that poll it.
    """

    def __init__(self, databases: Databases, subscriptions: Subscriptions) -> None:
        self._databases = databases
        self._subscriptions = subscriptions
        self._made = -inf  # when the making of the list began
        self._list = b"", ""
        self._making = asyncio.Lock()

    async def read(self, fresh: bool) -> tuple[bytes, str]:
        """Return the list and its tag, made now if `fresh`, else at most `FRESH` seconds old."""
        oldest = monotonic() - (0 if fresh else FRESH)
        if self._made < oldest:
            async with self._making:
                if self._made < oldest:  # unless it was just made for another client
                    begun = monotonic()
                    self._list = await self._make()
                    self._made = begun
        return self._list

    async def _make(self) -> tuple[bytes, str]:
        here = self._subscriptions.here
        waiting = await self._databases.open_games()
        playing = [(here(live.id).watchers, live) for live in await self._databases.live_games()]
        playing.sort(key=lambda one: -one[0])
        answer = models.OpenGamesAnswer(
            [models.OpenGameAnswer.of(game, here(game.id)) for game in waiting],
            [models.LiveGameAnswer.of(live, count) for count, live in playing[:SHOWN_LIVE]],
        )
        body = msgspec.json.encode(answer)
        return body, assets.tag(body)
