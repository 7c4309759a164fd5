"""The server conforms to its OpenAPI description, and the docs page contains it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import Phase, given, settings
from hypothesis.strategies import sampled_from
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from commands import SECONDS
from noughts.service.http.assets import Files
from noughts.service.http.handlers import Handlers
from noughts.service.http.routes import ROUTES, codes
from noughts.service.play.api_errors import ERROR_CODES
from noughts.service.play.events import KINDS
from noughts.service.settings import OWN
from service.serving import Seat, Server, created, served


def whole(body: Any) -> Any:
    """Write whole numbers without a fraction: `1.0` is an integer in JSON Schema, but not here."""
    if isinstance(body, dict):
        return {name: whole(value) for name, value in body.items()}
    if isinstance(body, list):
        return [*map(whole, body)]
    return int(body) if isinstance(body, float) and body.is_integer() else body


# Texts of the format that the description calls "rules"
RULES = ["tic-tac-toe", "renju", "connect-four", "15x15,k=5", "5x7,k=4,gravity", "100x100,k=5"]


@pytest.fixture
def player(client: httpx.Client) -> Seat:
    """Create the game that all requests about a game name."""
    return created(client, opponent="self")


in_every_mode = pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
few_or_many = pytest.mark.parametrize(
    "examples", [2, pytest.param(25, marks=pytest.mark.tier2("long"))]
)


@few_or_many
@in_every_mode
def test_server_conforms_to_its_description(
    server: Server, player: Seat, mode: GenerationMode, examples: int
) -> None:
    paths = conforming(server, mode, examples, player)
    assert {"/api/judge", "/api/solve", "/api/analyse"} <= paths


@few_or_many
@in_every_mode
def test_server_that_solves_positions_conforms(
    tmp_path: Path, mode: GenerationMode, examples: int
) -> None:
    with served(tmp_path, "--solve-seconds=1") as (solving, _):
        assert len(conforming(solving, mode, examples, paths="/api/(solve|analyse)")) == 2


def conforming(
    server: Server,
    mode: GenerationMode,
    examples: int,
    player: Seat | None = None,
    paths: str = ".*",
) -> set[str]:
    """Test the operations with these paths, those of a game on the player's; return the paths."""
    schemathesis.openapi.format("rules", sampled_from(RULES))
    description = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    rejection = description.config.checks.negative_data_rejection
    rejection.expected_statuses = [*rejection.expected_statuses, "413"]
    tested = set()
    for found in description.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        if not re.fullmatch(paths, operation.path):
            continue
        tested.add(operation.path)
        if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query):
            continue  # nothing could be invalid

        @settings(max_examples=examples, derandomize=True, phases=[Phase.generate])
        @given(case=operation.as_strategy(generation_mode=mode))
        def keeps(case: Case[Any]) -> None:
            # a stream of events would not end
            if player and "id" in case.path_parameters and "events" not in case.path:
                case.path_parameters["id"] = player.id
                case.headers["Authorization"] = f"Bearer {player.token}"
            if isinstance(case.body, dict):
                case.body = whole(case.body)
            excluded = []
            if case.path.endswith("/reaction"):
                # A minute allows 20; further ones are refused before their token is read.
                excluded.append(ignored_auth)
            if mode is GenerationMode.NEGATIVE or case.path in ("/api/solve", "/api/analyse"):
                # What violates only one of the formats above counts as valid, and no schema says
                # which text is a position.
                excluded.append(positive_data_acceptance)
            answer = case.call_and_validate(excluded_checks=excluded, timeout=SECONDS)
            if answer.status_code >= 400:
                told = case.operation.definition.raw["responses"][str(answer.status_code)]
                assert f"`{answer.json()['code']}`: " in told["description"]

        keeps()
    return tested


CODES = {(code, reason.status) for code, reason in ERROR_CODES.items()}


def test_docs_page_lists_every_code_with_its_status() -> None:
    table = Files().text("docs/docs.html").partition("Status codes and error codes")[2]
    rows = re.findall(r'<th scope="row">(\d+)</th><td>(.*?)</td>', table)
    told = [
        (code, int(status))
        for status, codes in rows
        for code in re.findall(r"<code>(\w+)</code>", codes)
    ]
    assert set(told) == CODES
    assert len(told) == len(CODES)


def test_docs_page_contains_the_whole_description(server: Server, client: httpx.Client) -> None:
    page, api = client.get("/docs").text, client.get("/openapi.json").json()
    headings = re.findall(r'<h2><span class="method \w+">(\w+)</span> (.+?)</h2>', page)
    told = [(method.upper(), path) for path, its in api["paths"].items() for method in its]
    assert headings == told
    assert re.findall(r"<h3>(\w+)</h3>", page) == [*api["components"]["schemas"]]
    for name, schema in api["components"]["schemas"].items():
        object = page.partition(f'id="{name}">')[2].partition("</section>")[0]
        fields = re.findall(r'<th scope="row">(\w+)(\??)</th>', object)
        required = schema.get("required", ())
        properties = schema.get("properties", ())
        assert fields == [(name, "" if name in required else "?") for name in properties]
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len({*ids})
    assert {*re.findall(r'href="#([^"]+)"', page)} <= {*ids}
    assert f"curl -s {server.url}/api/games" in page
    assert "<!--" not in page


def test_docs_page_escapes_the_host_name(client: httpx.Client) -> None:
    for host in ("127.0.0.1", "[::1]", "localhost:80"):
        page = client.get("/docs", headers={"Host": host}).text
        assert f"curl -s http://{host}/api/games" in page
    refused = client.get("/docs", headers={"Host": 'x"><script>'})
    assert "<script" not in refused.text


def test_docs_page_and_description_list_every_kind_of_event(client: httpx.Client) -> None:
    table = Files().text("docs/docs.html").partition("Kinds of events")[2]
    assert set(KINDS) <= set(re.findall(r'<th scope="row">(\w+)</th>', table))
    paths = client.get("/openapi.json").json()["paths"]
    told = paths["/api/games/{id}/events"]["get"]["responses"]["200"]["description"]
    assert re.findall(r"`(\w+)`: ", told) == [*KINDS]


def test_description_lists_every_code_and_routes_every_handler(client: httpx.Client) -> None:
    description = client.get("/openapi.json").json()
    assert description["components"]["schemas"]["ErrorDetail"]["properties"]["code"]["enum"] == [
        *ERROR_CODES
    ]
    handlers = {handler for name, handler in vars(Handlers).items() if not name.startswith("_")}
    assert handlers <= {route.handler for route in ROUTES}
    told = {code for route in ROUTES if route.answers for code in codes(route)}
    assert told == {*ERROR_CODES} - {"not_found", "wrong_method"}  # errors without a route


def test_no_path_of_a_server_begins_like_a_route() -> None:
    assert {route.path.split("/")[1] for route in ROUTES} - {""} == OWN
