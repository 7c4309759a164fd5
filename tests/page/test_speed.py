"""Loading speed: the size of the files, how they are sent and layout shifts while they load."""

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

MOST = 120 * 1024  # compressed bytes of the page without the lesson
LESSON = 48 * 1024  # of the lesson, with all its languages
LATER = 32 * 1024  # of the known mistakes, which load when they are near
GUESSES = 16 * 1024  # of the guesses, and of all texts that load after the first screen
CODE = 140 * 1024  # of the editor, which loads when it is reached
CODES = 5 * 1024  # of QR codes, which load when a link is shown
CLASS = 12 * 1024  # of tasks, handing in and the section for teachers, which load when needed
TESTS = 8 * 1024  # of the reader's own tests, which load when they are opened
SCRIPT = 440 * 1024  # of what reads, runs and colours JavaScript, which loads when it is chosen
GUESS = "foresight", "later", "sketch"
EDITOR = "codemirror", "editor", "judge", "link", "python", "verdict", "writing"


@pytest.fixture(scope="module")
def client(page_server: Server) -> Iterator[httpx.Client]:
    """Return a client of the page's server."""
    with speaking_to(page_server) as client:
        yield client


def weight(paths: Iterable[Path]) -> int:
    """Return the compressed size of these files in bytes."""
    sent = [
        filled(path.read_text()).encode() if path.suffix == ".html" else path.read_bytes()
        for path in paths
    ]
    return sum(len(gzip.compress(body)) for body in sent)


def test_page_size_stays_within_budget() -> None:
    """Count the game and the lesson separately, because neither loads the other."""
    sent = {path for path in PAGE.rglob("*") if path.suffix in TYPES}
    lesson = {path for path in sent if path.is_relative_to(PAGE / "learn")}
    page = PAGE / "learn" / "learn.html"
    named = Files().text("learn/learn.html")
    first = {path for path in lesson if f"/page/{path.relative_to(PAGE)}" in named}
    first |= {page, *page.parent.glob("languages/*.js")}
    codes = {PAGE / "shared/qr.js"}
    assert weight(sent - lesson - codes) + len(gzip.compress(constants_module())) < MOST
    assert weight(first) < LESSON
    editor = {PAGE / f"learn/{name}.js" for name in EDITOR}
    guesses = {PAGE / f"learn/{name}.js" for name in GUESS}
    guesses |= {*page.parent.glob("languages/later/*.js")}
    names = "handin.js", "task.js", "classroom.js", "classroom.css"
    teachers = {page.with_name(name) for name in names}
    teachers |= {*page.parent.glob("languages/class/*.js")}
    tests = {page.with_name("tests.js"), page.with_name("tests.css")}
    tests |= {*page.parent.glob("languages/tests/*.js")}
    script = {*page.parent.glob("javascript/*.*"), *page.parent.glob("languages/javascript/*.js")}
    script = {path for path in script if path.suffix in TYPES}
    assert weight(lesson - first - editor - guesses - teachers - tests - script) < LATER
    assert weight(script) < SCRIPT
    assert weight(guesses) < GUESSES
    assert weight(editor) < CODE
    assert weight(teachers) < CLASS
    assert weight(tests) < TESTS
    assert weight(codes) < CODES


def test_api_page_is_one_small_file(client: httpx.Client) -> None:
    answer = client.get("/docs")
    assert int(answer.headers["Content-Length"]) < 10 * 1024
    assert "<script" not in answer.text


def test_files_are_compressed_on_request(client: httpx.Client) -> None:
    path = "/page/shared/style.css"
    packed = client.get(path, headers={"Accept-Encoding": "gzip"})
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) < len(plain.content) / 2
    assert packed.content == plain.content == (PAGE / "shared/style.css").read_bytes()
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("path", ["/", "/learn", "/g/any"])
def test_page_preloads_all_its_modules(client: httpx.Client, path: str) -> None:
    """Request every module at once, at any depth of imports, and late modules after them."""
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


def test_board_is_visible_before_scripts_load(people: People, client: httpx.Client) -> None:
    seat = created(client, opponent="self", shape=[6, 7], k=4, gravity=True)
    seat.move(5, 3)
    page = people.come("/docs")
    page.route("**/game.js", lambda route: None)
    page.goto(f"/g/{seat.id}", wait_until="commit")
    board = page.locator(".first-board")
    expect(board).to_be_visible()
    expect(board).to_have_attribute("viewBox", "0 0 700 600")
    expect(board.locator(".p1")).to_have_attribute("d", re.compile("^M350 550h0"))


def test_slow_network_shows_board_in_time(browser: Browser, page_server: Server) -> None:
    """At 400 ms and 50 KB/s the board appears within 2 s.

    The test uses a network four times slower, so that a busy machine hardly matters.
    """
    with slow_page(browser, page_server, slower=4) as (page, _):
        assert first_board(page) < 4 * 2000


def test_layout_does_not_shift_during_game(browser: Browser, page_server: Server) -> None:
    assert shift_during_play(browser, page_server) == 0


def test_unknown_url_answers_people_and_programs(people: People, client: httpx.Client) -> None:
    people.expected.append("404")
    page = people.come("/no/such/page")
    page.get_by_role("link", name="New game").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    answer = client.get("/no/such/page", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert client.get("/no/such/page").json()["code"] == "not_found"
    api = client.get("/api/nothing", headers={"Accept": "text/html"})
    assert api.json()["code"] == "not_found"
