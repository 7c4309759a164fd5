"""The end of a game: panel, score and review, and the hints before it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from playwright.sync_api import Page, expect

from page.browsing import NAME, People, cell, friends, hear, link_in_code, play, standing, start


def resign(page: Page) -> None:
    """Resign the game on this page."""
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def test_score_accumulates_over_rematches(people: People) -> None:
    ada, bo = friends(people)
    panel = ada.get_by_role("region", name="Bo wins by resignation")
    resign(ada)
    expect(panel.get_by_role("button", name="Rematch")).to_be_focused()
    expect(ada.locator("#score")).to_be_hidden()
    expect(panel.get_by_role("button", name="Share")).to_be_visible()
    expect(panel.get_by_role("button", name="Review")).to_be_hidden()  # no moves were played
    expect(panel.get_by_role("link", name="New game")).to_be_visible()
    for scores in (["Ada 1 – 1 Bo", "Bo 1 – 1 Ada"], ["Ada 2 – 1 Bo", "Bo 1 – 2 Ada"]):
        ada.get_by_role("button", name="Rematch").click()
        bo.get_by_role("button", name="Play a rematch").click()
        resign(bo)
        for page, score in zip((ada, bo), scores, strict=True):
            expect(page.locator("#score")).to_have_text(score)


def test_rematch_at_another_level_swaps_seats(people: People) -> None:
    page = people.come()
    start(page, opponent="computer", level="easy", name="Ada")
    resign(page)
    page.get_by_label("Rematch level").select_option("Medium")
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator("#players li").first).to_have_text(re.compile("Computer.*Medium"))
    expect(page.locator("#players li").last).to_have_text(re.compile("Ada"))


def test_review_shows_mistake_and_better_cell(people: People) -> None:
    page = people.come()
    start(page, opponent="self")
    play(page, (2, 2), (1, 2), (1, 1), (3, 3), (2, 1), (2, 3), (3, 1))
    page.get_by_role("button", name="Review").click()
    mistake = page.locator("#review").get_by_role("button", name="Move 2: O B1")
    mistake.click()
    comment = page.locator("#review .comment")
    expect(comment).to_have_text(
        re.compile(r"^Move 2: O B1\. Losing move: \w\d would have held\.$")
    )
    expect(page.locator(".field .hint")).to_have_attribute("d", re.compile("^M"))
    expect(page.get_by_role("button", name="Move 2: O B1, a mistake")).to_have_text("B1 ?")
    expect(page.locator(".count")).to_have_text("move 2 of 7")
    page.keyboard.press("ArrowRight")
    expect(comment).to_have_text(re.compile(r"^Move 3: X A1\. It keeps the forced win\.$"))
    page.clock.pause_at(datetime.now() + timedelta(seconds=1))
    page.get_by_role("button", name="Replay moves").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.clock.run_for(10_000)
    expect(page.locator(".count")).to_have_text("move 7")
    expect(page.get_by_role("button", name="Replay moves")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()


def test_hint_claims_only_what_is_proven(people: People) -> None:
    page = people.come()
    start(page, opponent="computer", level="random")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#advice")).to_have_text(re.compile(r"^Hint: \w\d is safe\.$"))
    hear(page, re.compile("^Hint: "))
    expect(page.locator(".field .hint")).to_have_attribute("d", re.compile("^M"))
    play(page, (2, 2))
    expect(page.locator("#advice")).to_have_text("")
    expect(page.locator(".field .hint")).to_have_attribute("d", "")
    start(page, opponent="self")
    expect(page.get_by_role("button", name="Hint")).to_be_hidden()


def test_computer_reports_what_it_knew_of_its_move(people: People) -> None:
    page = people.come()
    start(page, opponent="computer", level="strong")
    play(page, (2, 2))
    words = page.locator("#advice")
    expect(words).to_have_text(re.compile(r"^The computer played \w\d, a safe move\."))
    page.reload()
    expect(words).to_have_text(re.compile(r"^The computer played \w\d, a safe move\."))
    start(page, opponent="computer", level="strong", shape=[15, 15], k=5)
    play(page, (8, 8))
    known = r"Nothing is proven; it expects to score \d+%\."
    expected = r"It looked \d+ moves ahead and expects (\w\d+ ?)+\."
    expect(words).to_have_text(re.compile(rf"^The computer played \w\d+\. {known} {expected}$"))
    for language, begin in (("de", "Der Computer "), ("es", "El ordenador "), ("zh", "电脑")):
        page.evaluate(f"localStorage.setItem('noughts.language', JSON.stringify('{language}'))")
        page.reload()
        expect(words).to_have_text(re.compile(f"^{begin}"))


def test_question_mark_opens_help(people: People) -> None:
    page = people.come()
    start(page, opponent="self")
    cell(page, 1, 1).focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="How to play")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Help").click()
    expect(page.get_by_role("dialog", name="How to play")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(standing(page)).to_have_text("X to move")


def test_loopback_link_explains_how_to_let_others_join(people: People) -> None:
    page = people.come()
    start(page)
    expect(page.get_by_text("noughts serve --host 0.0.0.0")).to_be_visible()
    expect(page.get_by_role("img", name="QR code for the link")).to_have_count(0)
    people.expected.append("Cross-Origin-Opener-Policy")  # needs HTTPS or a loopback address
    page.goto(f"http://{NAME}:{people.server.port}/")
    page.evaluate(
        """async () => {
          const { createGame } = await import("/page/shared/api.js");
          const { remember } = await import("/page/shared/recent.js");
          const made = await createGame({ n: 3 });
          remember(made);
          location.assign(`/g/${made.id}`);
        }"""
    )
    assert link_in_code(page) == page.get_by_role("textbox", name="Link").first.input_value()
    expect(page.get_by_text("noughts serve")).to_have_count(0)


def test_failed_picture_shows_error(people: People) -> None:
    page = people.come()
    page.add_init_script("navigator.canShare = () => true")
    start(page, opponent="self")
    play(page, (1, 1), (1, 2), (2, 1), (2, 2), (3, 1))
    page.route("**/record.png", lambda route: route.abort())
    people.expected.append("record.png|ERR_FAILED")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("link", name="Share as a picture").click()
    expect(page.locator("#problem")).to_have_text("No connection. Please try again.")
