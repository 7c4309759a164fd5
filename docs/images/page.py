"""Photograph the page for README.md: docs/images/page.png, and page-dark.png.

.venv/bin/python docs/images/page.py http://127.0.0.1:8000

It plays a game on the server at that address, in Debian's Chromium.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

GAME = ["C3", "B2", "D3", "B3", "D2", "D4", "B1", "C4", "E5"]


def photograph(browser: Browser, server: str, scheme: str, target: Path) -> None:
    """A game on 5×5, in the referee's view."""
    page = browser.new_page(
        viewport={"width": 1180, "height": 872}, color_scheme=scheme, reduced_motion="reduce"
    )
    page.goto(server)
    page.get_by_text("Any board", exact=True).click()
    page.get_by_label("Rows", exact=True).fill("5")
    page.get_by_label("Columns", exact=True).fill("5")
    page.get_by_label("In a row", exact=True).fill("5")
    page.get_by_text("One screen").click()
    page.get_by_role("button", name="Play", exact=True).click()
    for ply, cell in enumerate(GAME, 1):
        row, col = int(cell[1]), ord(cell[0]) - ord("A") + 1
        page.get_by_role("gridcell", name=f"row {row}, column {col}, empty").click()
        expect(page.get_by_role("status")).to_contain_text(f"row {row}, column {col}.")
        expect(page.get_by_text(f"ply {ply}", exact=True)).to_be_visible()
    page.get_by_label("Referee’s view").check()
    page.mouse.move(1, 1)
    page.screenshot(path=target)


if __name__ == "__main__":
    here = Path(__file__).parent
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        photograph(browser, sys.argv[1], "light", here / "page.png")
        photograph(browser, sys.argv[1], "dark", here / "page-dark.png")
