"""Take the screenshots docs/images/page*.png for README.md and docs/page.md.

.venv/bin/python docs/images/page.py http://127.0.0.1:8000

The script plays games on the server at that URL, in Debian's Chromium with fonts-noto-color-emoji.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

HERE = Path(__file__).parent
SIZES = {"phone": (360, 800), "desktop": (1440, 900)}
SQUARE = {"shape": [5, 5], "k": 5}
GOMOKU = {"shape": [15, 15], "k": 5}
RENJU = {**GOMOKU, "variant": "renju"}
CONNECT_FOUR = {"shape": [6, 7], "k": 4, "gravity": True}
SUMS = "C3 B2 D3 B3 D2 D4 B1 C4 E5"
WON = "H8 I9 I7 G9 J6 K5 G7 H9 H7 J9 F7 E7 J7"
FOULS = "F8 G7 G8 I6 H6 G5 H7 F6"
FALLEN = "D6 C6 D5 E6 D4 D3 B6 C5"
TIMED = {"shape": [6, 6], "k": 4, "clock": {"seconds": 180, "increment": 2}}
AGAINST = "C3 D4 D3 C4 B3 E3"


def cells_of(moves: str) -> list[list[int]]:
    """Return the cells that these moves name."""
    return [[int(cell[1:]) - 1, ord(cell[0]) - ord("A")] for cell in moves.split()]


def play(page: Page, server: str, rules: dict[str, Any], moves: str) -> None:
    """Play these moves of a game on one device."""
    cells = cells_of(moves)
    page.goto(server)
    id = page.evaluate(
        """async ([rules, cells]) => {
          const { createGame, move, newKey } = await import("/page/shared/api.js");
          const { remember } = await import("/page/shared/recent.js");
          const made = await createGame({ ...rules, opponent: "self" });
          remember(made);
          let { seq } = made.game;
          for (const cell of cells) ({ seq } = await move(made.id, { seq, cell, key: newKey() }));
          return made.id;
        }""",
        [rules, cells],
    )
    page.goto(f"{server}/g/{id}")
    expect(page.locator(".count")).to_have_text(f"move {len(cells)}")


def play_a_friend(page: Page, guest: Page, server: str) -> None:
    """Play a game with clocks, in which the friend has just applauded."""
    page.goto(server)
    made = page.evaluate(
        """async (wish) => (await import("/page/shared/api.js")).createGame(wish)""",
        {**TIMED, "opponent": "friend", "name": "Ada"},
    )
    id = made["id"]
    guest.goto(f"{server}/g/{id}#{made['invite']}")
    guest.get_by_label("Your name").fill("Grace")
    guest.get_by_role("button", name="Join the game").click()
    expect(guest.get_by_role("button", name="applause")).to_be_enabled()
    act = """async ([id, cell]) => {
      const { move, newKey, readGame } = await import("/page/shared/api.js");
      const { seq } = await readGame(id);
      await move(id, { seq, cell, key: newKey() });
    }"""
    for ply, cell in enumerate(cells_of(AGAINST)):
        (guest if ply % 2 else page).evaluate(act, [id, cell])
    page.goto(f"{server}/g/{id}")
    expect(page.get_by_role("button", name="applause")).to_be_enabled()
    guest.get_by_role("button", name="applause").click()
    expect(page.locator(".bubble")).to_be_visible()


def photograph(page: Page, guest: Page, server: str, size: str) -> None:
    """Take screenshots of every screen in this size."""

    def shoot(name: str) -> None:
        page.evaluate("scrollTo(0, 0)")
        page.mouse.move(1, 1)
        page.screenshot(path=HERE / f"page-{name}-{size}.png")

    page.goto(server)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    shoot("home")
    for name, rules, moves in (
        ("renju", RENJU, FOULS),
        ("connect-four", CONNECT_FOUR, FALLEN),
        ("end", GOMOKU, WON),
    ):
        play(page, server, rules, moves)
        shoot(name)
    page.get_by_role("button", name="Review").click()
    page.locator("#review .mistakes button").first.click(timeout=60_000)
    shoot("review")
    play_a_friend(page, guest, server)
    shoot("friend")


def referees_view(browser: Browser, server: str, scheme: Any, target: Path) -> None:
    """Take a screenshot of a 5×5 game in the referee's view."""
    page = browser.new_page(
        viewport={"width": 1180, "height": 920}, color_scheme=scheme, reduced_motion="reduce"
    )
    play(page, server, SQUARE, SUMS)
    page.get_by_label("Referee’s view").check()
    page.mouse.move(1, 1)
    page.screenshot(path=target)


def lesson(browser: Browser, server: str, scheme: Any, target: Path) -> None:
    """Take a screenshot of the three referees, as one move completes four lines."""
    page = browser.new_page(
        viewport={"width": 1180, "height": 1060}, color_scheme=scheme, reduced_motion="reduce"
    )
    page.goto(f"{server}/learn")
    page.get_by_role("button", name="Four lines at once").click()
    page.get_by_role("button", name="Last position").click()
    page.locator("#referees").evaluate("(screen) => screen.scrollIntoView()")
    page.mouse.move(1, 1)
    page.screenshot(path=target)


def own_class(browser: Browser, server: str, scheme: Any, target: Path) -> None:
    """Take a screenshot of the report on a class that checks the wrong anti-diagonal."""
    page = browser.new_page(
        viewport={"width": 1180, "height": 1540}, color_scheme=scheme, reduced_motion="reduce"
    )
    page.goto(f"{server}/learn#turn")
    page.get_by_role("textbox", name="Your class, in Python").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text((HERE.parents[1] / "examples/solutions/off_by_one.py").read_text())
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator(".cost")).to_have_count(3, timeout=60_000)
    page.mouse.move(1, 1)
    page.locator("#turn").screenshot(path=target, style=".contents { visibility: hidden }")


if __name__ == "__main__":
    server = sys.argv[1].rstrip("/")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        referees_view(browser, server, "light", HERE / "page.png")
        referees_view(browser, server, "dark", HERE / "page-dark.png")
        lesson(browser, server, "light", HERE / "page-learn.png")
        lesson(browser, server, "dark", HERE / "page-learn-dark.png")
        own_class(browser, server, "light", HERE / "page-turn.png")
        own_class(browser, server, "dark", HERE / "page-turn-dark.png")
        for size, (width, height) in SIZES.items():
            page = browser.new_page(
                viewport={"width": width, "height": height},
                has_touch=size == "phone",
                reduced_motion="reduce",
            )
            photograph(page, browser.new_page(), server, size)
