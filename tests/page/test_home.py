"""The start page: the preview board, the remembered choices and the lists of games."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from playwright.sync_api import Page, Request, Route, expect

from page.browsing import People, cell, standing, start


def tap(page: Page, row: int, col: int, rows: int, cols: int) -> None:
    """Tap a cell (counted from 1) of the preview board, which has this many rows and columns."""
    board = page.locator("#preview.ready")
    box = board.bounding_box()
    assert box is not None
    side = min(box["width"] / cols, box["height"] / rows)
    left, top = (box["width"] - side * cols) / 2, (box["height"] - side * rows) / 2
    board.click(position={"x": left + side * (col - 0.5), "y": top + side * (row - 0.5)})


def keep(page: Page, *wishes: Mapping[str, object]) -> None:
    """Create games and store them in the browser; X wins those with `won`."""
    page.evaluate(
        """async (wishes) => {
          const { createGame, move, newKey } = await import("/page/shared/api.js");
          const { remember } = await import("/page/shared/recent.js");
          for (const { won, ...wish } of wishes) {
            const made = await createGame({ n: 2, opponent: "self", ...wish });
            remember(made);
            let { seq } = made.game;
            for (const cell of won ? [[0, 0], [1, 0], [0, 1]] : [])
              ({ seq } = await move(made.id, { seq, cell, key: newKey() }));
          }
        }""",
        wishes,
    )


def friends(one: Page, other: Page) -> str:
    """Create a game on one page, join it on the other, and return its id."""
    id, invite = one.evaluate("""async () => {
      const { createGame } = await import("/page/shared/api.js");
      const { remember } = await import("/page/shared/recent.js");
      const made = await createGame({ n: 3 });
      remember(made);
      return [made.id, made.invite];
    }""")
    do(other, "join", id, invite=invite, name=None)
    return str(id)


def do(page: Page, what: str, id: str, **request: object) -> None:
    """Call this function of the page's API module for a game."""
    page.evaluate(
        """async ([what, id, request]) => {
          const api = await import("/page/shared/api.js");
          const { seq } = await api.readGame(id);
          if (what !== "join") request.seq = seq;
          await api[what](id, { ...request, key: api.newKey() });
        }""",
        [what, id, request],
    )


def again(page: Page) -> None:
    """Reload the lists, as when the player returns to the page."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def widest(page: Page) -> int:
    """Return the width of the page, including anything that overflows the window."""
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return width


def test_tap_on_preview_starts_game_against_computer(people: People) -> None:
    page = people.come()
    page.get_by_text("second", exact=True).click()  # a tap still plays first
    tap(page, 1, 3, 3, 3)
    expect(cell(page, 1, 3)).to_have_accessible_name("C1, X")
    expect(standing(page)).to_have_text("Your turn")
    expect(page.locator(".sheet button")).to_have_count(2)


def test_last_choice_is_remembered(people: People) -> None:
    page = people.come()
    page.get_by_role("button", name="Connect Four").click()
    page.get_by_text("Medium").click()
    page.get_by_text("Same device").click()
    tap(page, 2, 4, 6, 7)  # the mark falls
    expect(cell(page, 6, 4)).to_have_accessible_name("D6, X, last move")
    expect(standing(page)).to_have_text("O to move")
    page.goto("/")
    expect(page.get_by_role("button", name="Connect Four")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.get_by_role("radio", name="Same device")).to_be_checked()
    page.get_by_text("Computer", exact=True).click()
    expect(page.get_by_role("radio", name="Medium")).to_be_checked()


def test_play_button_keeps_its_place(people: People) -> None:
    for width, height in [(360, 740), (1440, 900)]:
        page = people.come(viewport={"width": width, "height": height})
        button = page.get_by_role("button", name="Play", exact=True)
        expect(button).to_be_enabled()
        before = button.bounding_box()
        for label in ("A friend", "Same device", "Computer", "Strong", "Random"):
            page.get_by_text(label, exact=True).dispatch_event("click")
            assert button.bounding_box() == before
        for label in ("Large", "Connect Four", "Gomoku"):
            page.get_by_role("button", name=label).dispatch_event("click")
            assert button.bounding_box() == before


def test_opponent_panels_leave_no_large_gap(people: People) -> None:
    """Keep all panels equally tall, so that Play keeps its place, without large gaps."""
    for width in (360, 1440):
        page = people.come(viewport={"width": width, "height": 900})
        for label in ("Computer", "A friend"):
            page.get_by_text(label, exact=True).dispatch_event("click")
            empty: float = page.evaluate(
                """() => {
                  const [level, friend] = document.querySelector(".panels").children;
                  const shown = [level, friend].find((one) => !one.classList.contains("off"));
                  const bottom = shown.lastElementChild.getBoundingClientRect().bottom;
                  return shown.getBoundingClientRect().bottom - bottom;
                }"""
            )
            assert empty <= 48
        page.get_by_text("Same device", exact=True).dispatch_event("click")
        both, panels = (page.locator(one).bounding_box() for one in (".both", ".panels"))
        assert both
        assert panels
        above, below = both["y"] - panels["y"], panels["height"] - both["height"]
        assert above == pytest.approx(below / 2, abs=1)  # it is centred


def test_footer_links_to_lesson_api_and_source(
    people: People,
) -> None:
    page = people.come()
    links = page.get_by_role("navigation", name="More").get_by_role("link")
    assert [link.get_attribute("href") for link in links.all()] == ["/learn", "/docs", "/source"]
    with page.expect_download() as source:
        page.get_by_role("link", name="Source").press("Enter")
    assert source.value.suggested_filename == "noughts.zip"


def test_input_survives_until_scripts_load(people: People) -> None:
    page = people.come("/docs")
    held: list[Route] = []
    arrived = False
    page.route("**/home.js", lambda route: route.continue_() if arrived else held.append(route))
    page.goto("/", wait_until="commit")
    button = page.get_by_role("button", name="Play", exact=True)
    expect(button).to_be_disabled()
    page.get_by_text("A friend").click()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Your name").press("Enter")
    expect(page).to_have_url(f"{people.server.url}/")
    arrived = True
    for route in held:
        route.continue_()
    expect(button).to_be_enabled()
    expect(page.get_by_role("radio", name="A friend")).to_be_checked()
    expect(page.get_by_label("Your name")).to_have_value("Ada")
    button.click()
    expect(standing(page)).to_have_text("Waiting for the other player")


def test_error_stays_after_reconnect(people: People) -> None:
    people.expected.append("status of 429")
    page = people.come()
    refusal = {"error": {"code": "too_many", "message": "too many requests"}}
    page.route("**/api/games", lambda route: route.fulfill(status=429, json=refusal))
    page.get_by_role("button", name="Play", exact=True).click()
    told = page.get_by_text("Too many requests; please wait a moment.")
    expect(told).to_be_visible()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(told).to_be_visible()


def test_unfinished_games_are_listed_your_turn_first(people: People) -> None:
    page = people.come("/docs")
    oldest = {"opponent": "computer", "level": "random", "n": 3}
    keep(page, oldest, {"opponent": "friend"}, *[{"won": True}] * 2, *[{}] * 9)
    page.goto("/")
    mine = page.get_by_role("region", name="Your games")
    rows = mine.get_by_role("listitem")
    expect(rows).to_have_count(13)
    expect(rows.first).to_contain_text("You – Computer3×3 · Your turnYour turn")
    expect(rows.nth(10)).to_contain_text("Waiting")
    expect(rows.nth(11)).to_contain_text("X wins")


def test_finished_games_are_shown_on_demand(people: People) -> None:
    page = people.come("/docs")
    keep(page, *[{"won": True}] * 5)
    page.goto("/")
    rows = page.get_by_role("region", name="Your games").get_by_role("listitem")
    expect(rows).to_have_count(5)  # the browser had not seen them end yet
    page.reload()
    expect(rows).to_have_count(4)
    page.get_by_role("button", name="Show finished games").press("Enter")
    expect(rows).to_have_count(5)
    links = rows.get_by_role("link")
    expect(links.nth(4)).to_be_focused()
    for left in range(4, -1, -1):  # the focus moves from a removed row to a nearby one
        page.evaluate("""async () => {
          const { forget } = await import("/page/shared/recent.js");
          forget(document.activeElement.pathname.slice(3));
        }""")
        again(page)
        expect(rows).to_have_count(left)
        if left:
            expect(links.last).to_be_focused()
    expect(page.get_by_role("heading", name="Your games")).to_be_focused()


def test_friends_request_stays_listed(people: People) -> None:
    ada, bo = people.come("/docs"), people.come("/docs")
    going, ended = friends(ada, bo), friends(ada, bo)
    do(bo, "draw", going)
    do(bo, "resign", ended)
    keep(ada, *[{"won": True}] * 5)
    ada.goto("/")
    rows = ada.get_by_role("region", name="Your games").get_by_role("listitem")
    expect(rows).to_have_count(7)
    expect(rows.first).to_contain_text("Reply")
    again(ada)
    expect(rows).to_have_count(5)  # `ended` is not among the latest games
    do(bo, "rematch", ended)
    again(ada)
    expect(rows).to_have_count(6)
    expect(rows.filter(has_text="Rematch").get_by_role("link")).to_have_attribute(
        "href", f"/g/{ended}"
    )


def test_network_failure_keeps_games_listed(people: People) -> None:
    people.expected.append("net::ERR_")
    page = people.come("/docs")
    keep(page, {"won": True}, {})
    page.goto("/")
    rows = page.get_by_role("region", name="Your games").get_by_role("listitem")
    expect(rows).to_have_text([re.compile("2×2 · X to move"), re.compile("2×2 · X wins")])
    page.route("**/api/games/*", lambda route: route.abort())
    failed: list[Request] = []
    page.on("requestfailed", lambda request: failed.append(request))
    again(page)
    while len(failed) < 2:
        page.wait_for_event("requestfailed")
    page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    expect(rows).to_have_text([re.compile("2×2 · X to move"), re.compile("2×2 · X wins")])
    page.reload()
    expect(rows).to_have_text(["2×2", "2×2"])


@pytest.mark.parametrize("width", [320, 360, 768, 1440])
def test_large_text_and_zoom_fit_window(people: People, width: int) -> None:
    """Cover 400% zoom: 320 pixels are 1280 pixels then."""
    page = people.come(viewport={"width": width, "height": 256 if width == 320 else 800})
    start(page, name="W" * 32)
    for path in ("/", "/docs", "/learn", "/nowhere"):
        people.expected.append("404")
        page.goto(path)
        page.get_by_text("Custom board", exact=True).click() if path == "/" else None
        assert widest(page) == width, path
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert widest(page) == width, path


def test_forced_colours_show_every_state(people: People) -> None:
    page = people.come(forced_colors="active")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    colour = "(one) => getComputedStyle(one).backgroundColor"
    pressed, other = (
        page.get_by_role("button", name=name).evaluate(colour) for name in ("Tic-tac-toe", "Large")
    )
    assert pressed != other
    chosen, free = (
        page.get_by_text(name, exact=True).evaluate(colour) for name in ("Easy", "Medium")
    )
    assert chosen != free
    page.get_by_text("A friend").click()
    switch = page.get_by_label("Let anyone join")
    before = switch.screenshot()
    switch.check()
    assert switch.screenshot() != before


def test_listed_game_can_be_joined_then_watched(
    people: People,
) -> None:
    ada = people.come(locale="de")  # whose page loads its translations first
    start(ada, name="Ada L.", listed=True)
    bo = people.come()
    waiting = bo.get_by_role("region", name="Open games").get_by_role("link", name="Ada L.")
    expect(waiting).not_to_contain_text("away")
    waiting.click()
    bo.get_by_label("Your name").fill("Bo K.")
    bo.get_by_role("button", name="Join the game").click()
    expect(standing(ada)).to_have_text("Du bist am Zug")
    cell(ada, 2, 2).click()
    ada.goto("/")
    mine = ada.get_by_role("region", name="Deine Spiele")
    expect(mine.get_by_role("link", name="Du – Bo K.")).to_contain_text("Bo K. ist am Zug")
    cleo = people.come()
    live = cleo.get_by_role("region", name="Games to watch").get_by_role("link", name="Ada L.")
    expect(live).to_contain_text("Ada L. – Bo K.3×3 · move 1")
    live.click()
    expect(standing(cleo)).to_have_text("Bo K. to move")
