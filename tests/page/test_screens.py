"""The game page on phones, in landscape, with large text, forced colours and small cells."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from page.browsing import People, cell, cut_off, hear, play, standing, start

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
LYING: dict[str, Any] = {"viewport": {"width": 740, "height": 360}, "has_touch": True}
ZOOMED: dict[str, Any] = {"viewport": {"width": 320, "height": 256}}  # 1280×1024 at 400% zoom


def scale(page: Page) -> float:
    """Return the width of a cell in pixels."""
    pixels: float = page.evaluate("document.querySelector('noughts-board').view.scale")
    return pixels


def width(page: Page) -> int:
    """Return the width of the page, including anything that overflows the window."""
    pixels: int = page.evaluate("document.documentElement.scrollWidth")
    return pixels


def test_phone_asks_for_second_tap_on_gomoku(people: People) -> None:
    page = people.come(**PHONE)
    start(page, opponent="self", n=15, k=5)
    assert scale(page) == 24
    cell(page, 8, 8).tap()
    expect(page.locator(".again")).to_have_text("H8 – tap again")
    hear(page, "H8 – tap again")
    cell(page, 9, 9).tap()
    expect(page.locator(".again")).to_have_text("I9 – tap again")
    expect(standing(page)).to_have_text("X to move")
    cell(page, 9, 9).tap()
    expect(standing(page)).to_have_text("O to move")
    expect(page.locator(".again")).to_be_hidden()
    expect(cell(page, 8, 8)).to_have_accessible_name("H8, empty")


def test_landscape_board_uses_whole_height(people: People) -> None:
    page = people.come(**LYING)
    start(page, opponent="self", n=15, k=5)
    assert scale(page) >= 22
    box = page.locator("noughts-board").bounding_box()
    assert box
    assert box["y"] + box["height"] <= 360
    assert width(page) == 740
    resign = page.get_by_role("button", name="Resign").bounding_box()
    assert resign
    assert resign["y"] + resign["height"] <= 360


@pytest.mark.parametrize("profile", [PHONE, ZOOMED], ids=["200% text", "400% zoom"])
def test_zoomed_game_fits_window(people: People, profile: dict[str, Any]) -> None:
    page = people.come(**profile)
    if profile is PHONE:
        sizes = {"standard": 32, "fixed": 26}
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": sizes})
    start(page, opponent="self", n=15, k=5)
    play(page, (8, 8)) if profile is ZOOMED else cell(page, 8, 8).focus()
    page.get_by_label("Referee’s view").check()
    assert width(page) == profile["viewport"]["width"]
    start(page, name="Ada")
    assert width(page) == profile["viewport"]["width"]


@pytest.mark.parametrize("profile", [PHONE, {}], ids=["phone", "desktop"])
def test_large_board_is_readable_as_a_whole(people: People, profile: dict[str, Any]) -> None:
    page = people.come(**profile)
    start(page, opponent="self", n=100, k=5)
    page.evaluate(
        """async () => {
          const { move, newKey, readGame } = await import("/page/shared/api.js");
          const id = location.pathname.split("/").pop();
          for (const cell of [[70, 80], [71, 80]]) {
            await move(id, { seq: (await readGame(id)).seq, cell, key: newKey() });
          }
        }"""
    )
    page.reload()
    expect(page.locator(".count")).to_have_text("move 2")
    assert scale(page) >= 22  # it opens at the last move
    expect(page.locator(".margin").get_by_text("CC", exact=True)).to_be_visible()
    page.get_by_role("button", name="Show the whole board").click()
    assert scale(page) < 9
    for layer in (".p1", ".fresh.p2"):
        mark = page.locator(f".tiny .marks {layer} path:not([d=''])").first
        expect(mark).to_have_css("stroke-width", "6px")
        expect(mark).to_have_css("vector-effect", "non-scaling-stroke")
    expect(page.locator(".minor")).to_have_css("stroke", "none")


def test_forced_colours_distinguish_game_states(people: People) -> None:
    page = people.come(forced_colors="active")
    start(page, opponent="self")
    play(page, (1, 1))

    def looks(selector: str, what: str) -> str:
        found: str = page.evaluate(
            "([s, what]) => getComputedStyle(document.querySelector(s))[what]", [selector, what]
        )
        return found

    assert looks(".player[aria-current]", "borderTopColor") != looks(
        ".player:not([aria-current])", "borderTopColor"
    )
    assert looks(".tint", "stroke") != looks(".field .minor", "stroke")
    assert looks(".sheet [aria-current]", "outlineStyle") == "solid"


def test_screen_reader_hears_players_and_current_state(people: People) -> None:
    people.expected.append("net::ERR_")
    page = people.come()
    start(page, opponent="computer", level="easy", name="Ada")
    players = page.locator("#players li")
    expect(players.first).to_have_text(re.compile("^X: Ada"))
    expect(players.last).to_have_text(re.compile("^O: Computer"))
    cut_off(page)
    hear(page, "Connection lost. Reconnecting.")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#problem")).to_have_text("No connection. Please try again.")
    page.context.set_offline(False)
    hear(page, "Reconnected. Your turn.")
    expect(page.locator("#problem")).to_be_hidden()


def test_pending_move_shows_no_turn(people: People) -> None:
    people.expected.append("net::ERR_")
    page = people.come(viewport={"width": 360, "height": 740})
    start(page, opponent="self")
    board = page.locator("noughts-board")
    before = board.bounding_box()
    page.route("**/moves", lambda route: route.abort())
    cell(page, 2, 1).click()
    expect(standing(page)).to_have_text("Sending your move…")
    assert board.bounding_box() == before  # although the text takes two lines
    page.unroute("**/moves")
    expect(standing(page)).to_have_text("O to move")


def test_move_list_grows_to_eight_rows(people: People) -> None:
    page = people.come()
    start(page, opponent="self", n=6, k=6)
    sheet = page.locator(".sheet")
    row, heights = 33, []
    for ply in range(20):
        play(page, (1 + ply // 6, 1 + ply % 6))
        if ply % 6 == 1:
            heights.append(sheet.evaluate("(one) => one.getBoundingClientRect().height"))
    assert heights == [row, 4 * row, 7 * row, 8 * row]
    expect(page.get_by_role("button", name="Move 20: O B4", exact=True)).to_be_in_viewport()
    bottom = "(one) => one.getBoundingClientRect().bottom"
    assert page.locator(".side").evaluate(bottom) == sheet.evaluate(bottom)


def test_falling_mark_is_animated(people: People) -> None:
    page = people.come(reduced_motion="no-preference")
    start(page, opponent="self", shape=[6, 7], k=4, gravity=True)
    cell(page, 1, 4).hover()
    expect(page.locator(".field .column")).to_have_attribute("d", "M300 0h100v600h-100z")
    play_at = cell(page, 1, 4)
    play_at.click()
    expect(page.locator(".fresh")).to_have_css("animation-name", "drop")
    expect(cell(page, 6, 4)).to_have_accessible_name("D6, X, last move")
    page.emulate_media(reduced_motion="reduce")
    expect(page.locator(".fresh")).to_have_css("animation-name", "none")


def test_reply_out_of_view_is_shown_with_previous_move(people: People) -> None:
    page = people.come(**PHONE)
    start(page, opponent="self", n=100, k=5)
    seen = """async (cells) => {
      const { move, newKey, readGame } = await import("/page/shared/api.js");
      const { view } = document.querySelector("noughts-board");
      const id = location.pathname.split("/").pop();
      view.reveal(cells[0], 28);
      const places = [];
      for (const cell of cells) {
        const before = JSON.stringify(view.place);
        const { ply } = await move(id, { seq: (await readGame(id)).seq, cell, key: newKey() });
        const count = document.querySelector(".count");
        while (count.textContent !== `move ${ply}`) await new Promise(requestAnimationFrame);
        places.push(JSON.stringify(view.place) === before);
      }
      return [places, cells.slice(-2).every((cell) => view.holds(cell))];
    }"""
    # The second move is near, so nothing scrolls; the third is out of the window, the last far off.
    assert page.evaluate(seen, [[50, 50], [51, 51], [51, 58]]) == [[True, True, False], True]
    assert page.evaluate(seen, [[20, 20], [20, 70]])[1]
