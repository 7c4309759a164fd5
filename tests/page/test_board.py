"""The board works with only a keyboard, by touch and by wheel, up to 10,000 cells."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from noughts.picture import cell_name
from page.browsing import People, cell, hear, play, standing, start

SCALE = "document.querySelector('noughts-board').view.scale"


FOCUSED = "document.activeElement.ariaLabel ?? document.activeElement.id"


def focused(page: Page) -> str:
    """Return the name of the focused element."""
    name: str = page.evaluate(FOCUSED)
    return name


def expect_focus(page: Page, name: str) -> None:
    """Wait until the element with this name has the focus; a distant cell gets it a frame later."""
    page.wait_for_function(f"name => ({FOCUSED}) === name", arg=name)


def scale(page: Page) -> float:
    """Return the width of a cell in pixels."""
    pixels: float = page.evaluate(SCALE)
    return pixels


def test_keyboard_plays_whole_game(people: People) -> None:
    page = people.come()
    page.get_by_role("radio", name="Computer").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="A friend")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.type("Ada")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Same device")).to_be_checked()
    page.keyboard.press("Enter")
    expect(standing(page)).to_have_text("X to move")

    stops = 0
    while not focused(page).endswith("empty"):
        page.keyboard.press("Tab")
        stops += 1
        assert stops < 10
    expect_focus(page, "B2, empty")
    page.keyboard.press("Enter")
    hear(page, "X plays B2. O to move.")
    for keys, name in [
        (["ArrowUp"], "B1, empty"),
        (["ArrowUp"], "B1, empty"),
        (["ArrowRight", "ArrowDown", "ArrowLeft"], "B2, X, last move"),
        (["End"], "C2, empty"),
        (["Home"], "A2, empty"),
        (["Control+End"], "C3, empty"),
        (["Control+Home"], "A1, empty"),
    ]:
        for key in keys:
            page.keyboard.press(key)
        expect_focus(page, name)
    for keys, said in [
        ([" "], "O plays A1. X to move."),
        (["End", " "], "X plays C1. O to move."),
        (["ArrowLeft", "Enter"], "O plays B1. X to move."),
        (["Control+End", "Home", "Enter"], "X plays A3. X wins."),
    ]:
        for key in keys:
            page.keyboard.press(key)
        hear(page, said)

    # The grid is one tab stop, so the next Tab leaves it.
    page.keyboard.press("Tab")
    expect_focus(page, "referee")
    page.keyboard.press(" ")
    expect(page.get_by_role("heading", name="What the referee sees")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".count")).to_have_text("move 4 of 5")


def test_cell_names_include_referees_findings(people: People) -> None:
    page = people.come(viewport={"width": 1180, "height": 920})
    start(page, opponent="self")
    play(page, (1, 1), (2, 2), (1, 2), (2, 3))
    board = page.locator("noughts-board")
    before = board.bounding_box()
    page.get_by_label("Referee’s view").check()
    expect(page.locator("noughts-findings")).to_be_visible()
    assert board.bounding_box() == before  # however tall the column beside it
    for row, col, seen in [(1, 3, "threat by X, total 4"), (2, 1, "threat by O, total 4")]:
        name = f"{cell_name((row - 1, col - 1))}, empty, {seen}"
        expect(cell(page, row, col)).to_have_accessible_name(name)
    sums = page.locator(".margin .sum")
    expect(sums).to_have_text(["+2", "−2", "0", "+1", "0", "−1", "0", "−1"])
    changes = page.locator("noughts-findings .changes div")
    expect(changes).to_have_text(["row 2−1 → −2", "column C0 → −1"])
    expect(page.locator(".weights text")).to_have_count(5)
    play(page, (1, 3))
    expect(page.locator(".margin .complete")).to_have_text("+3")


def test_move_sends_no_other_request(people: People) -> None:
    page = people.come()
    with page.expect_response("**/events"):
        start(page, opponent="self")
    page.wait_for_load_state("load")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    play(page, (1, 1), (2, 2))
    assert [one for one in asked if not re.match(r"POST .*/moves$", one)] == []
    expect(page.locator("#players .mark path")).to_have_count(2)


def test_keyboard_reaches_ten_thousand_cells(people: People) -> None:
    page = people.come()
    start(page, opponent="self", n=100, k=5)
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", "100")
    expect(grid).to_have_attribute("aria-colcount", "100")
    assert page.get_by_role("gridcell").count() <= 225

    cell(page, 50, 50).focus()
    page.keyboard.press("Control+End")
    expect_focus(page, "CV100, empty")
    assert scale(page) > 20  # readable at the active cell
    page.keyboard.press("Enter")
    hear(page, "X plays CV100. O to move.")
    page.keyboard.press("PageUp")
    expect_focus(page, "CV90, empty")
    page.keyboard.press("Control+Home")
    page.keyboard.press("Enter")
    hear(page, "O plays A1. X to move.")
    page.keyboard.press("Control+End")
    expect_focus(page, "CV100, X")
    before = scale(page)
    page.keyboard.press("-")
    assert scale(page) < before
    page.keyboard.press("0")
    page.keyboard.press("+")
    page.keyboard.press("+")
    assert scale(page) > 7


def test_board_pans_and_zooms(people: People) -> None:
    page = people.come()
    start(page, opponent="self", n=100)
    whole = scale(page)
    box = page.get_by_role("grid").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.25)
    for _ in range(8):
        page.mouse.wheel(0, -300)
    expect(page.locator("noughts-board")).to_have_attribute("zoomed", "")
    page.wait_for_function(f"() => {SCALE} > {4 * whole}")
    # The cell under the mouse stays there.
    expect(page.locator(".margin text").first).to_have_text(re.compile("^[S-Z]$"))

    page.mouse.down()
    page.mouse.move(box["x"] + 30, box["y"] + 30, steps=4)
    page.mouse.up()
    expect(standing(page)).to_have_text("X to move")  # a drag is not a click
    page.get_by_role("button", name="Show the whole board").click()
    assert scale(page) == whole
    page.get_by_role("button", name="Zoom in").click()
    assert scale(page) > whole
    page.get_by_role("button", name="Zoom out").click()
    assert scale(page) == whole


def holds(page: Page, row: int, col: int) -> bool:
    """Return whether a cell (row and column counted from 0) is inside the board's window."""
    seen: bool = page.evaluate(
        "(cell) => document.querySelector('noughts-board').view.holds(cell)", [row, col]
    )
    return seen


def test_move_out_of_view_is_revealed_or_pointed_to(people: People) -> None:
    page = people.come()
    start(page, opponent="self", n=100)

    def arrive(ply: int, row: int, col: int) -> None:
        """Play a move as another tab with the same seats would."""
        page.evaluate(
            """async (cell) => {
              const { move, newKey, readGame } = await import("/page/shared/api.js");
              const id = location.pathname.split("/").pop();
              await move(id, { seq: (await readGame(id)).seq, cell, key: newKey() });
            }""",
            [row, col],
        )
        expect(page.locator(".count")).to_have_text(f"move {ply + 1}")

    arrive(0, 0, 0)
    cell(page, 50, 50).focus()
    page.keyboard.press("Control+End")
    assert not holds(page, 0, 0)
    arrive(1, 10, 20)
    assert holds(page, 10, 20)
    assert scale(page) > 20
    arrive(2, 11, 22)  # already in view, so nothing moves
    assert holds(page, 10, 20)

    box = page.get_by_role("grid").bounding_box()
    assert box
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 150, box["y"] + 150, steps=4)
    arrive(3, 90, 80)
    page.mouse.up()
    assert not holds(page, 90, 80)
    page.get_by_role("button", name="Show the last move, CC91").click()
    assert holds(page, 90, 80)
    expect(page.locator(".pointer")).to_be_hidden()

    page.get_by_role("button", name="Move 1: X A1").click()
    assert holds(page, 0, 0)
    page.get_by_role("button", name="Next move").click()
    assert holds(page, 10, 20)


def test_tap_on_tiny_cells_zooms_before_playing(people: People) -> None:
    page = people.come(viewport={"width": 360, "height": 740}, has_touch=True)
    start(page, opponent="self", n=100)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    grid = page.get_by_role("grid")
    grid.tap()
    expect(page.locator("noughts-board")).to_have_attribute("zoomed", "")
    expect(standing(page)).to_have_text("X to move")
    grid.tap()
    expect(standing(page)).to_have_text("O to move")


def test_two_fingers_zoom_board(people: People) -> None:
    page = people.come(viewport={"width": 360, "height": 740}, has_touch=True)
    start(page, opponent="self", n=50)
    box = page.get_by_role("grid").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, *apart: int) -> None:
        points = [{"x": x + dx, "y": y, "id": at} for at, dx in enumerate(apart)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", -20, 20)
    for apart in range(30, 130, 10):
        fingers("touchMove", -apart, apart)
    fingers("touchEnd")
    expect(page.locator("noughts-board")).to_have_attribute("zoomed", "")
    page.wait_for_function(f"() => {SCALE} > 20")
    expect(standing(page)).to_have_text("X to move")


def test_narrow_pages_do_not_scroll_sideways(people: People) -> None:
    page = people.come(viewport={"width": 360, "height": 740})
    for path in ("/", "/learn", "/docs"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") == 360
    about = page.locator("#errors td:last-child").first.bounding_box()
    assert about
    assert about["width"] > 250
    start(page, opponent="self", n=15, k=5, name="M" * 32)
    page.get_by_label("Referee’s view").check()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


CONTRAST = """(selector) => {
  const channels = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
  const light = (colour) => channels(colour)
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
  const stroke = light(getComputedStyle(document.querySelector(selector)).stroke);
  const ground = light(getComputedStyle(document.documentElement).backgroundColor);
  return (Math.max(stroke, ground) + 0.05) / (Math.min(stroke, ground) + 0.05);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_grid_and_last_move_have_enough_contrast(people: People, scheme: str) -> None:
    """Require a contrast of 3, as WCAG 2.2 does in criterion 1.4.11."""
    page = people.come(color_scheme=scheme, before="localStorage['noughts.look'] = '\"marks\"'")
    start(page, opponent="self", n=15, k=5)
    for row, col, mark in ((8, 8, "p1"), (9, 9, "p2")):
        play(page, (row, col))
        assert page.evaluate(CONTRAST, f".tint.{mark}") >= 3
    assert page.evaluate(CONTRAST, ".field .minor") >= 3
    assert page.evaluate(CONTRAST, ".field .major") >= 3
