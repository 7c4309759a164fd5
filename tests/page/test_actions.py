"""Buttons of a game keep their places, act once per click and never lose keyboard focus."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from page.browsing import People, play, start
from page.test_rules import CROSS


def place(page: Page, name: str) -> tuple[float, float]:
    """Return the position of a button."""
    box = page.get_by_role("button", name=name).bounding_box()
    assert box
    return box["x"], box["y"]


def test_buttons_keep_their_places(people: People) -> None:
    page = people.come(viewport={"width": 360, "height": 740})
    start(page, opponent="self")
    back, resign = place(page, "Take back"), place(page, "Resign")
    expect(page.get_by_role("button", name="Take back")).to_be_disabled()
    play(page, (1, 1))
    expect(page.get_by_role("button", name="Take back")).to_be_enabled()
    assert (place(page, "Take back"), place(page, "Resign")) == (back, resign)


def test_double_click_sends_one_request(people: People) -> None:
    page = people.come()
    start(page, opponent="self")
    play(page, (1, 1), (2, 2), (3, 3))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name="Take back").dblclick()
    expect(page.locator(".count")).to_have_text("move 2")
    expect(page.locator("[aria-busy]")).to_have_count(0)
    assert sum(url.endswith("/takeback") for url in asked) == 1
    expect(page.locator("#problem")).to_be_hidden()


TAP_TWICE = """({ x, y, width, height }) => {
  const [clientX, clientY] = [x + width / 2, y + height / 2];
  const tap = () => {
    const on = document.elementFromPoint(clientX, clientY);
    const how = { detail: 1, bubbles: true, cancelable: true, clientX, clientY };
    on.dispatchEvent(new MouseEvent("click", how));
    return on.closest("noughts-board") !== null;
  };
  return [tap(), tap()];
}"""


def test_double_tap_on_dialog_plays_no_cell(people: People) -> None:
    page = people.come()
    start(page, opponent="self")
    page.get_by_role("button", name="Resign").click()
    stay = page.get_by_role("button", name="Keep playing").bounding_box()
    assert page.evaluate(TAP_TWICE, stay) == [False, True]
    expect(page.locator("#resign-dialog")).to_be_hidden()
    expect(page.get_by_role("gridcell", name="empty")).to_have_count(9)
    play(page, (1, 1))


def test_focus_moves_on_when_button_vanishes(people: People) -> None:
    page = people.come()
    start(page, opponent="self")
    play(page, (1, 1), (2, 2))
    page.get_by_role("button", name="Previous move").click()
    page.get_by_role("button", name="Back to the game").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("gridcell").and_(page.locator(":focus"))).to_have_count(1)
    page.get_by_role("button", name="Resign").focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Resign").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Rematch")).to_be_focused()


def test_forbidden_cell_moves_nothing_below_board(people: People) -> None:
    page = people.come(viewport={"width": 360, "height": 740})
    start(page, opponent="self", n=15, k=5, variant="renju")
    before = place(page, "Resign")
    play(page, *CROSS)
    expect(page.get_by_text("X may not play on cells with △.")).to_be_visible()
    assert place(page, "Resign") == before
