"""No move is lost or played twice, whatever happens to the connection, page or server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, Route, expect

from page.browsing import People, cell, cut_off, hear, play, standing, start
from service.serving import free_port, serving, speaking_to

BROKEN = r"net::ERR_"  # how Chromium reports a broken connection
REFUSED = r"status of 4\d\d"


def board(page: Page) -> list[str | None]:
    """Return the accessible names of the cells of a small board."""
    names = page.get_by_role("gridcell").all()
    return [name.get_attribute("aria-label") for name in names]


def log_of(page: Page) -> list[list[int]]:
    """Return the moves stored by the server."""
    moves: list[list[int]] = page.evaluate(
        "async (id) => (await (await fetch(`/api/games/${id}`)).json()).moves",
        page.url.rpartition("/")[2],
    )
    return moves


def test_reload_keeps_position(people: People) -> None:
    page = people.come()
    start(page, opponent="self")
    play(page, (1, 1), (2, 2))
    before = board(page)
    page.reload()
    expect(standing(page)).to_have_text("X to move")
    assert board(page) == before
    play(page, (3, 3))


def test_game_is_playable_before_panels_load(people: People) -> None:
    """Load the panels after the board, and retry modules that failed to load."""
    people.expected.append(BROKEN)
    page = people.come()
    start(page, opponent="self")
    with page.expect_event("requestfailed", lambda lost: lost.url.endswith("panels.js")):
        page.route("**/panels.js", lambda route: route.abort())
        page.reload()
    hear(page, "Connection lost. Reconnecting.")
    play(page, (1, 1))
    assert log_of(page) == [[0, 0]]
    expect(page.locator("#lost")).to_be_visible()
    expect(page.get_by_role("button", name="Resign")).to_be_disabled()
    page.unroute_all()
    expect(page.get_by_role("button", name="Resign")).to_be_enabled()
    expect(page.locator("#lost")).to_be_hidden()
    hear(page, "Reconnected. O to move.")
    expect(page.locator("link[href$='panels.css']")).to_have_count(1)
    expect(cell(page, 1, 1)).to_be_focused()
    page.get_by_role("button", name="Take back").click()
    expect(cell(page, 1, 1)).to_have_accessible_name("A1, empty")


def test_page_reloads_when_late_module_fails(people: People) -> None:
    """Reload, because some browsers never retry a nested import that failed."""
    people.expected.append(BROKEN)
    page = people.come()
    start(page, opponent="self")
    page.route("**/clock.js", lambda route: route.abort())
    page.goto(page.url)
    hear(page, "Connection lost. Reconnecting.")
    page.unroute_all()
    expect(page.get_by_role("button", name="Resign")).to_be_enabled()
    expect(page.locator("#lost")).to_be_hidden()
    play(page, (1, 1))


def test_moves_of_others_appear_before_panels_load(people: People) -> None:
    page, other = people.come(), people.come("/docs")
    start(page, opponent="self")
    held: list[Route] = []
    other.route("**/panels.js", lambda route: held.append(route))
    other.goto(page.url, wait_until="commit")
    expect(standing(other)).to_have_text("X to move")
    play(page, (1, 1))
    hear(other, "X plays A1. O to move.")
    expect(cell(other, 1, 1)).to_have_accessible_name("A1, X, last move")
    for route in held:
        route.continue_()
    expect(other.get_by_role("button", name="Help")).to_be_enabled()
    play(page, (2, 2))
    hear(other, "O plays B2. X to move.")


def test_game_survives_server_restart(browser: Browser, tmp_path: Path) -> None:
    database, port = f"sqlite:///{tmp_path}/games.db", free_port()
    with serving(database, port=port) as server:
        people = People(browser, server)
        people.expected.append(BROKEN)
        page, other = people.come(), people.come()
        start(page, opponent="self")
        other.goto(page.url)
        play(page, (1, 1))
        server.stop()
        expect(page.locator("#lost")).to_be_visible()
        cell(page, 2, 2).click()
        expect(cell(page, 2, 2)).to_have_accessible_name("B2, O, sending")
    with serving(database, port=port):
        expect(page.locator("#lost")).to_be_hidden(timeout=20_000)
        expect(cell(page, 2, 2)).to_have_accessible_name("B2, O, last move")
        play(page, (3, 3))
        for watching in (page, other):
            expect(cell(watching, 3, 3)).to_have_accessible_name("C3, X, last move")
        assert log_of(page) == [[0, 0], [1, 1], [2, 2]]
        people.leave()
    assert people.unexpected() == []


def test_move_made_offline_is_sent_on_reconnect(people: People) -> None:
    people.expected.append(BROKEN)
    page, other = people.come(), people.come()
    start(page, opponent="self")
    other.goto(page.url)
    cut_off(page)
    cell(page, 2, 2).click()
    expect(cell(page, 2, 2)).to_have_accessible_name("B2, X, sending")
    page.context.set_offline(False)
    expect(page.locator("#lost")).to_be_hidden()
    for watching in (page, other):
        expect(cell(watching, 2, 2)).to_have_accessible_name("B2, X, last move")
    play(page, (1, 1))
    expect(cell(other, 1, 1)).to_have_accessible_name("A1, O, last move")


def test_lost_answer_is_requested_again(people: People) -> None:
    """Resend, with the same key, a move that was stored but whose answer was lost."""
    people.expected.append(BROKEN)
    page = people.come()
    start(page, opponent="self")
    keys: list[str] = []

    def lose_the_first_answer(route: Route, request: Request) -> None:
        sent: Any = request.post_data_json
        keys.append(sent["key"])
        if len(keys) == 1:
            route.fetch()
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/events", lambda route: route.abort())  # the stream does not deliver it either
    page.reload()
    page.route("**/moves", lose_the_first_answer)
    cell(page, 1, 3).click()
    expect(cell(page, 1, 3)).to_have_accessible_name("C1, X, last move")
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert log_of(page) == [[0, 2]]


@pytest.mark.parametrize("lost", [1, 2])
def test_game_is_created_once_despite_lost_answers(people: People, lost: int) -> None:
    """Retry once; after that, the player presses Play again."""
    people.expected.append(BROKEN)
    page = people.come()
    made: list[Any] = []

    def lose_the_answer(route: Route, request: Request) -> None:
        with speaking_to(people.server) as client:  # because `route.fetch` keeps the cookie
            made.append(client.post(request.url, json=request.post_data_json).json())
        route.abort("connectionreset")
        if len(made) == lost:
            page.unroute("**/api/games")

    page.route("**/api/games", lose_the_answer)
    button = page.get_by_role("button", name="Play", exact=True)
    button.click()
    if lost == 2:
        expect(page.locator("#problem")).to_have_text("No connection. Please try again.")
        button.click()
    expect(standing(page)).to_have_text("Your turn")
    assert {one["id"] for one in made} == {page.url.rpartition("/")[2]}
    assert len(made) == lost
    play(page, (1, 1))
    page.go_back()
    button.click()
    expect(standing(page)).to_have_text("Your turn")
    assert page.url.rpartition("/")[2] != made[0]["id"]


def test_unconfirmed_move_survives_reload(people: People) -> None:
    """Send an unconfirmed move when the page opens again."""
    people.expected.append(BROKEN)
    page = people.come()
    start(page, opponent="self")
    page.route("**/moves", lambda route: route.abort())
    cell(page, 2, 1).click()
    expect(cell(page, 2, 1)).to_have_accessible_name("A2, X, sending")
    page.unroute("**/moves")
    page.reload()
    expect(cell(page, 2, 1)).to_have_accessible_name("A2, X, last move")
    assert log_of(page) == [[1, 0]]


def join_of(page: Page) -> Locator:
    """Return the join button."""
    return page.get_by_role("button", name="Join the game")


def join_unheard(people: People, *, listed: bool) -> tuple[Page, Page]:
    """Return the pages of Ada, who hosts, and Bo, who joined but never received the answer."""
    people.expected.append(BROKEN)
    ada = people.come()
    id = start(ada, name="Ada", listed=listed)
    bo = people.come(f"/g/{id}" if listed else ada.get_by_label("Link").input_value())
    bo.get_by_label("Your name").fill("Bo")

    def lose_the_answer(route: Route) -> None:
        with speaking_to(people.server) as client:  # because `route.fetch` keeps the cookie
            client.post(route.request.url, json=route.request.post_data_json)
        route.abort("connectionreset")

    bo.route("**/join", lose_the_answer)
    join_of(bo).click()
    hear(ada, "Bo has joined. Your turn.")
    may_join_again(bo)
    return ada, bo


def may_join_again(page: Page, problem: str = "No connection. Please try again.") -> None:
    """Wait until the page shows why joining failed and offers to join again."""
    expect(page.locator("#problem")).to_have_text(problem)
    expect(join_of(page)).to_be_enabled()
    expect(page.locator("#join-title")).not_to_be_empty()


def test_seat_survives_reload_after_lost_answer(people: People) -> None:
    ada, bo = join_unheard(people, listed=False)
    bo.unroute("**/join")
    bo.reload()
    expect(standing(bo)).to_have_text("Ada to move")
    play(ada, (1, 1))
    play(bo, (2, 2))
    expect(bo).to_have_url(ada.url)


@pytest.mark.parametrize("listed", [False, True], ids=["by link", "listed"])
def test_seat_survives_second_failed_join(people: People, listed: bool) -> None:
    """Lose the answer to the reloaded page as well."""
    ada, bo = join_unheard(people, listed=listed)
    bo.reload()
    may_join_again(bo)
    bo.unroute("**/join")
    join_of(bo).click()
    expect(standing(bo)).to_have_text("Ada to move")
    expect(join_of(bo)).to_be_hidden()
    play(ada, (1, 1))
    play(bo, (2, 2))


BUSY = {"error": {"code": "too_many", "message": "too many requests"}}


def test_failed_join_is_not_repeated_on_reload(people: People) -> None:
    people.expected.append(REFUSED)
    ada = people.come()
    start(ada, name="Ada")
    bo = people.come(ada.get_by_label("Link").input_value())
    asked: list[str] = []
    bo.on("request", lambda request: asked.append(request.url) if "/join" in request.url else None)
    bo.route("**/join", lambda route: route.fulfill(status=429, json=BUSY))
    join_of(bo).click()
    may_join_again(bo, "Too many requests; please wait a moment.")
    bo.unroute("**/join")
    bo.reload()
    expect(join_of(bo)).to_be_enabled()
    assert len(asked) == 1
    join_of(bo).click()
    hear(ada, re.compile("has joined"))


def test_seat_survives_busy_server(people: People) -> None:
    """Join although the first answer was lost and the second request is rejected."""
    ada, bo = join_unheard(people, listed=False)
    people.expected.append(REFUSED)
    bo.unroute("**/join")
    bo.route("**/join", lambda route: route.fulfill(status=429, json=BUSY), times=1)
    join_of(bo).click()
    may_join_again(bo, "Too many requests; please wait a moment.")
    join_of(bo).click()
    expect(standing(bo)).to_have_text("Ada to move")
    play(ada, (1, 1))


def test_listing_is_requested_until_known(people: People) -> None:
    people.expected.append(BROKEN)
    ada = people.come()
    id = start(ada, name="Ada", listed=True)
    bo = people.come("/docs")
    with bo.expect_event("requestfailed"):
        bo.route("**/api/games?listed=open", lambda route: route.abort(), times=1)
        bo.goto(f"/g/{id}")
    cut_off(bo)
    bo.context.set_offline(False)
    join_of(bo).click()
    hear(ada, re.compile("has joined"))


def test_refused_move_is_rolled_back(people: People) -> None:
    people.expected.append(REFUSED)
    page = people.come()
    start(page, opponent="self")
    refusal = {"error": {"code": "cell_taken", "message": "cell (1, 1) is already taken", "seq": 1}}
    page.route("**/moves", lambda route: route.fulfill(status=409, json=refusal))
    cell(page, 2, 2).click()
    hear(page, "That cell is taken.")
    expect(page.locator("#problem")).to_have_text("That cell is taken.")
    expect(cell(page, 2, 2)).to_have_accessible_name("B2, empty")


def test_stale_move_from_second_page_is_refused(people: People) -> None:
    """Refuse the later move, because the position has changed."""
    people.expected.append(REFUSED)
    page = people.come()
    start(page, opponent="self")
    other = page.context.new_page()
    other.route("**/events", lambda route: route.abort())
    people.expected.append(BROKEN)
    other.goto(page.url)
    expect(standing(other)).to_have_text("X to move")
    play(page, (1, 1))
    cell(other, 3, 3).click()
    hear(other, "The game has moved on, so your move was not played.")
    expect(cell(other, 3, 3)).to_have_accessible_name("C3, empty")
    expect(cell(other, 1, 1)).to_have_accessible_name("A1, X, last move")
    assert log_of(page) == [[0, 0]]


def test_move_overtaken_by_offer_is_sent_again(people: People) -> None:
    """Resend the move with the new seq, because an offer does not change the position."""
    people.expected += [REFUSED, BROKEN]
    ada = people.come()
    start(ada, name="Ada")
    bo = people.come(ada.get_by_label("Link").input_value())
    bo.get_by_role("button", name="Join the game").click()
    play(ada, (1, 1))
    expect(standing(bo)).to_have_text("Your turn")
    bo.route("**/events", lambda route: route.abort())
    bo.reload()
    expect(standing(bo)).to_have_text("Your turn")
    ada.get_by_role("button", name="Take back").click()
    expect(ada.locator("#question-text")).to_contain_text("You asked")
    cell(bo, 2, 2).click()
    expect(cell(ada, 2, 2)).to_have_accessible_name(re.compile("O, last move"))
    assert log_of(ada) == [[0, 0], [1, 1]]


def test_quick_moves_all_arrive_in_order(people: People) -> None:
    """Play faster than the answers arrive."""
    page = people.come()
    start(page, opponent="self", n=10)
    cells = [(row, col) for row in range(1, 4) for col in range(1, 11)]
    for row, col in cells:
        expect(page.locator("noughts-board")).to_have_class(re.compile("playable"))
        cell(page, row, col).click()
    expect(page.locator(".count")).to_have_text("move 30")
    expect(page.locator(".fresh")).not_to_have_class(re.compile("pending"))
    assert log_of(page) == [[row - 1, col - 1] for row, col in cells]


@pytest.mark.parametrize(
    "damage",
    [
        "for (const slot of ['recent', 'name', `move.${location.pathname.split('/').pop()}`])"
        " localStorage.setItem(`noughts.${slot}`, '{half')",
        "for (const slot of ['recent', 'name', `move.${location.pathname.split('/').pop()}`])"
        " localStorage.setItem(`noughts.${slot}`, '{\"cell\": 3}')",
        "Object.defineProperty(window, 'localStorage',"
        " { get() { throw new DOMException('', 'SecurityError'); } })",
    ],
    ids=["damaged", "foreign", "forbidden"],
)
def test_page_works_without_browser_storage(people: People, damage: str) -> None:
    page = people.come()
    page.add_init_script(damage)
    page.goto("/")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    start(page, opponent="self")
    play(page, (1, 1), (2, 2))
    page.reload()
    expect(standing(page)).to_have_text("X to move")
    play(page, (3, 3))
