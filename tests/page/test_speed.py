"""How soon the page is there: what is sent, how it is sent, and what moves meanwhile."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from noughts.service.http.assets import PAGE, TYPES, Files, constants_module, filled
from page.browsing import People
from page.measuring import first_board, shift_during_play, slow_page
from service.serving import Server, created, speaking_to

MOST = 120 * 1024  # bytes of the whole page, compressed
LESSON = 48 * 1024  # and of what comes with the lesson, with all its languages
LATER = 32 * 1024  # and of what comes when somebody is near it: the known mistakes
CODE = 140 * 1024  # and of the editor, which comes when somebody goes there
EDITOR = "codemirror", "editor", "judge", "link", "python", "verdict", "writing"


@pytest.fixture(scope="module")
def client(page_server: Server) -> Iterator[httpx.Client]:
    """A client of the page's server."""
    with speaking_to(page_server) as client:
        yield client


def weight(paths: Iterable[Path]) -> int:
    """How many bytes these files have, compressed."""
    sent = [
        filled(path.read_text()).encode() if path.suffix == ".html" else path.read_bytes()
        for path in paths
    ]
    return sum(len(gzip.compress(body)) for body in sent)


def test_the_whole_page_is_small() -> None:
    """What one plays with; who only plays loads nothing of the lesson, nor the other way round."""
    sent = {path for path in PAGE.rglob("*") if path.suffix in TYPES}
    lesson = {path for path in sent if path.is_relative_to(PAGE / "learn")}
    page = PAGE / "learn" / "learn.html"
    named = Files().text("learn/learn.html")
    first = {path for path in lesson if f"/page/{path.relative_to(PAGE)}" in named}
    first |= {page, *page.parent.glob("languages/*.js")}
    assert weight(sent - lesson) + len(gzip.compress(constants_module())) < MOST
    assert weight(first) < LESSON
    editor = {PAGE / f"learn/{name}.js" for name in EDITOR}
    assert weight(lesson - first - editor) < LATER
    assert weight(editor) < CODE


def test_the_page_about_the_api_is_one_small_file(client: httpx.Client) -> None:
    answer = client.get("/docs")
    assert int(answer.headers["Content-Length"]) < 10 * 1024
    assert "<script" not in answer.text


def test_files_come_compressed_to_those_who_take_them_so(client: httpx.Client) -> None:
    path = "/page/shared/style.css"
    packed = client.get(path, headers={"Accept-Encoding": "gzip"})
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) < len(plain.content) / 2
    assert packed.content == plain.content == (PAGE / "shared/style.css").read_bytes()
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("path", ["/", "/learn", "/g/any"])
def test_a_page_names_all_its_modules(client: httpx.Client, path: str) -> None:
    """Whatever a script imports, at any depth, is asked for at once; what comes later, after it."""
    page = client.get(path).text
    named = re.findall(r'<link rel="modulepreload" href="([^"]+)">', page)
    later = re.findall(r'<link rel="modulepreload" href="([^"]+)" fetchpriority="low">', page)
    entry = re.findall(r'<script type="module" src="([^"]+)">', page)
    assert len(named) == len(set(named)) > 0
    assert len(later) == len({*later} - {*named})
    assert ("/page/game/panels.js" in later) == path.startswith("/g/")
    for addresses in (entry + named, entry + named + later):
        for address in addresses:
            source = client.get(address).text
            for name in re.findall(r'^(?:import .*|} )from "(\..+)";$', source, re.MULTILINE):
                assert str(httpx.URL(f"http://x{address}").join(name).path) in addresses


def test_the_board_is_seen_before_the_scripts_come(people: People, client: httpx.Client) -> None:
    seat = created(client, opponent="self", shape=[6, 7], k=4, gravity=True)
    seat.move(5, 3)
    page = people.come("/docs")
    page.route("**/game.js", lambda route: None)
    page.goto(f"/g/{seat.id}", wait_until="commit")
    board = page.locator(".first-board")
    expect(board).to_be_visible()
    expect(board).to_have_attribute("viewBox", "0 0 700 600")
    expect(board.locator(".p1")).to_have_attribute("d", re.compile("^M350 550h0"))


def test_the_first_board_by_a_slow_network(browser: Browser, page_server: Server) -> None:
    """At 400 ms and 50 KB/s it is there within 2 s.

    Four times slower in four times as long, for then a busy machine hardly counts.
    """
    with slow_page(browser, page_server, slower=4) as (page, _):
        assert first_board(page) < 4 * 2000


def test_nothing_moves_during_a_game(browser: Browser, page_server: Server) -> None:
    assert shift_during_play(browser, page_server) == 0


def test_an_unknown_address_helps_a_person_and_tells_a_program(
    people: People, client: httpx.Client
) -> None:
    people.expected.append("404")
    page = people.come("/no/such/page")
    page.get_by_role("link", name="New game").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    answer = client.get("/no/such/page", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert client.get("/no/such/page").json()["error"]["code"] == "not_found"
    api = client.get("/api/nothing", headers={"Accept": "text/html"})
    assert api.json()["error"]["code"] == "not_found"
