"""The pages pass axe-core in light, dark and forced colours."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from page.browsing import People, play, standing, start
from page.test_screens import PHONE

# Media settings and the axe rules to run in each: dark mode changes only the colours, and forced
# colours are the system's choice. Contrast takes nine tenths of the time.
VIOLATIONS = {"resultTypes": ["violations"]}
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
NO_CONTRAST = {"color-contrast": {"enabled": False}}
MEDIA: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"color_scheme": "dark"}, VIOLATIONS | {"runOnly": COLOURS}),
    ({"forced_colors": "active"}, VIOLATIONS | {"rules": NO_CONTRAST}),
    ({"color_scheme": "light"}, VIOLATIONS),
]


# On a phone only shapes differ: the colours are those of the desktop.
SHAPES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (media, VIOLATIONS | {"rules": NO_CONTRAST})
    for media in ({"color_scheme": "dark"}, {"forced_colors": "active"}, {"color_scheme": "light"})
]


def check(
    page: Page,
    part: str | None = None,
    media: list[tuple[dict[str, Any], dict[str, Any]]] = MEDIA,
) -> None:
    """Assert that axe finds no violation in dark, forced and light colours.

    Args:
        page: the page to check.
        part: a selector that limits the check; None checks the whole page.
        media: the media settings, each with the axe options to run in it.
    """
    for setting, options in media:
        page.emulate_media(**{"forced_colors": "none", **setting})
        axe = Axe() if page.evaluate("!window.axe") else Axe("0")  # loaded once per page
        found = axe.run(page, part, options)
        assert found.violations_count == 0, f"{setting}: {found.generate_report()}"


@pytest.fixture
def page(people: People) -> Page:
    """Return a page at the start page."""
    return people.come()


def test_home_page_passes_axe(page: Page) -> None:
    check(page)
    start(page, opponent="self")
    play(page, (1, 1))
    page.goto("/")
    page.get_by_text("Computer", exact=True).click()
    expect(page.get_by_role("region", name="Your games").get_by_role("link")).to_have_count(1)
    check(page)


def test_waiting_and_join_pages_pass_axe(page: Page, people: People) -> None:
    start(page, name="Ada")
    expect(page.get_by_text("noughts serve")).to_be_visible()
    check(page)
    link = page.get_by_label("Link").input_value()
    friend = people.come(link)
    expect(friend.get_by_role("button", name="Join the game")).to_be_visible()
    check(friend)


def test_game_page_passes_axe_from_start_to_review(page: Page) -> None:
    start(page, opponent="self")
    play(page, (1, 1), (1, 2), (2, 2))
    check(page)
    page.get_by_label("Referee’s view").check()
    check(page, "#game")
    page.get_by_role("button", name="Resign").click()
    check(page, "#resign-dialog")
    page.get_by_role("button", name="Keep playing").click()
    play(page, (1, 3), (3, 3))
    expect(standing(page)).to_have_text("X wins")
    check(page)
    page.get_by_label("Referee’s view").uncheck()
    check(page, ".table")
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    check(page, ".side")
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Help").click()
    check(page, "#help-dialog")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check(page, "#share-dialog")


def test_large_board_passes_axe(page: Page) -> None:
    start(page, opponent="computer", level="random", n=100, k=5)
    page.get_by_label("Referee’s view").check()
    check(page)


def test_docs_page_passes_axe(page: Page) -> None:
    page.goto("/docs")
    expect(page.get_by_role("heading", name="POST /api/games", exact=True)).to_be_visible()
    check(page)


def test_all_pages_pass_axe_on_phone(people: People) -> None:
    """Check the start page, the lesson, the API, a game and its review; consoles stay empty."""
    page = people.come(**PHONE)
    check(page, media=SHAPES)
    for path in ("/learn", "/docs"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        check(page, media=SHAPES)
    start(page, opponent="self")
    play(page, (1, 1), (1, 2), (2, 2))
    check(page, media=SHAPES)
    play(page, (1, 3), (3, 3))
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    check(page, media=SHAPES)


def test_game_page_has_one_live_region(page: Page) -> None:
    start(page, opponent="self")
    live = page.locator("[aria-live], [role=status], [role=alert], [role=log], output")
    expect(live).to_have_count(1)
