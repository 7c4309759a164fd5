"""The lesson: its screens, as people walk through them."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from page.browsing import People, hear


def board(page: Page, screen: str = "question") -> str:
    """The cells of a screen's board."""
    return f"#{screen} [role=gridcell]"


def test_the_scan_looks_at_every_cell_of_the_lines_through_a_move(people: People) -> None:
    page = people.come("/learn")
    question = page.get_by_role("region", name="Who has won?")
    question.get_by_role("gridcell", name="B2, empty").click()
    hear(page, "X at B2: looked at 12 cells. Nobody has won yet. O to move.")
    expect(page.locator("#looks")).to_have_text("12")
