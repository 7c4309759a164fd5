"""Several people in one game: presence, clocks, draws, reactions, watching and turn alerts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from page.browsing import LASTING, People, friends, hear, play, standing
from page.test_access import check
from service.serving import created, speaking_to

ELSEWHERE = """
Document.prototype.hasFocus = () => false;
window.tones = 0;
OscillatorNode.prototype.start = () => { window.tones += 1; };
OscillatorNode.prototype.stop = () => {};
"""

# Records every text of the first player's clock.
TIMED = """
window.shown = [];
new MutationObserver(() => {
  const text = document.querySelector(".p1 .clock")?.textContent;
  if (text) shown.push(text);
}).observe(document, { childList: true, subtree: true });
"""


def player(page: Page, seat: int) -> Any:
    """Return the element that shows a player."""
    return page.locator(f".player.p{seat}")


def test_presence_shows_player_leaving_and_returning(people: People) -> None:
    ada, bo = friends(people)
    watcher = people.come(ada.url)
    expect(ada.get_by_role("img", name="1 watching")).to_be_visible()
    game = bo.url
    bo.goto("/")
    expect(player(ada, 2)).to_contain_text("away")
    hear(ada, "Bo is away.")
    expect(player(ada, 1)).not_to_contain_text("away")
    expect(player(watcher, 2)).to_contain_text("away")
    bo.goto(game)
    expect(player(ada, 2)).not_to_contain_text("away")


def test_waiting_rematch_can_be_shared_or_cancelled(people: People) -> None:
    ada, bo = friends(people)
    bo.get_by_role("button", name="Resign").click()
    bo.get_by_role("dialog").get_by_role("button", name="Resign").click()
    before = ada.url
    expect(standing(ada)).to_have_text("You win by resignation")
    bo.goto("/")
    ada.get_by_role("button", name="Rematch").click()
    expect(standing(ada)).to_have_text("Waiting for Bo")
    expect(ada.get_by_label("Link").last).to_have_value(before)
    bo.reload()
    expect(bo.get_by_role("region", name="Your games")).to_contain_text("Rematch")
    bo.goto(before)
    expect(bo.get_by_role("button", name="Play a rematch")).to_be_visible()
    ada.get_by_role("button", name="Cancel the game").click()
    expect(standing(ada)).to_have_text("The game was cancelled")
    expect(ada.get_by_role("button", name="Rematch")).to_be_hidden()
    expect(ada.get_by_role("link", name="New game")).to_be_visible()
    expect(bo.get_by_role("button", name="Play a rematch")).to_be_hidden()


def test_rematch_admits_only_other_player(people: People) -> None:
    ada, bo = friends(people)
    ada.get_by_role("button", name="Resign").click()
    ada.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ada.get_by_role("button", name="Rematch").click()
    expect(standing(ada)).to_have_text("Waiting for Bo")
    cleo = people.come(ada.url)
    expect(cleo.get_by_text("You need an invitation to take the free seat.")).to_be_visible()
    expect(cleo.get_by_role("button", name="Play a rematch")).to_be_hidden()
    people.expected.append("403")
    cleo.goto(f"{ada.url}#wrong")
    cleo.reload()  # a new fragment alone does not reload the page
    cleo.get_by_role("button", name="Join the game").click()
    expect(cleo.locator("#problem")).to_have_text("This link is not an invitation to this game.")
    expect(cleo.get_by_role("link", name="New game")).to_be_visible()
    bo.goto(ada.url)
    bo.get_by_role("button", name="Play a rematch").click()
    expect(standing(bo)).to_have_text("Your turn")
    expect(standing(ada)).to_have_text("Bo to move")


def test_stranger_sees_that_host_is_away(people: People) -> None:
    with speaking_to(people.server) as client:
        game = created(client, listed=True, name="Ada", clock={"seconds": 120})
    page = people.come()
    row = page.get_by_role("region", name="Open games").get_by_role("link", name="Ada")
    expect(row).to_contain_text("2 min per move")
    expect(row).to_contain_text("away")
    page.goto(f"/g/{game.id}")
    expect(page.get_by_text("Ada: away. You can join and wait.")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1440])
def test_clock_runs_out_on_both_pages(people: People, width: int) -> None:
    size = {"viewport": {"width": width, "height": 800}}
    ada, bo = friends(people, before=TIMED, profile=size, clock={"seconds": 2, "increment": 0})
    for page in (ada, bo):
        expect(player(page, 2).get_by_role("timer")).to_have_text("0:02")
    expect(standing(ada)).to_have_text("Bo wins on time")
    expect(standing(bo)).to_have_text("You win on time")
    for page in (ada, bo):
        expect(player(page, 1).get_by_role("timer")).to_have_text("0:00")
        assert set(page.evaluate("shown")) <= {"0:02", "0:01", "0:00"}
    expect(ada.get_by_role("button", name="Rematch")).to_be_visible()


def test_draw_can_be_declined_and_agreed(people: People) -> None:
    ada, bo = friends(people)
    offer = ada.get_by_role("button", name="Offer a draw")
    offer.click()
    expect(ada.get_by_text("You offered Bo a draw.")).to_be_visible()
    expect(offer).to_be_disabled()
    bo.get_by_role("button", name="Decline").click()
    expect(ada.locator("#note")).to_have_text("The draw was declined.")
    offer.click()
    bo.get_by_role("button", name="Agree").click()
    for page in (ada, bo):
        expect(standing(page)).to_have_text("Draw by agreement")


def test_reactions_appear_and_can_be_muted(people: People) -> None:
    ada, bo = friends(people, before=LASTING)
    watcher = people.come(ada.url, before=LASTING)
    bo.get_by_role("button", name="good game").click()
    for page in (ada, watcher):
        expect(player(page, 2).locator(".bubble")).to_have_text("gg")
    hear(ada, "Bo: good game")
    expect(watcher.get_by_role("group", name="Reactions")).to_be_hidden()
    play(ada, (1, 1))  # the reaction neither covers the board nor makes the move stale
    ada.get_by_role("button", name="Mute", exact=True).click()
    expect(ada.locator(".bubble")).to_have_count(1)
    ada.evaluate("pass()")
    expect(ada.locator(".bubble")).to_have_count(0)
    bo.get_by_role("button", name="surprise").click()
    expect(player(watcher, 2).locator(".bubble")).to_have_text("😮")
    expect(ada.locator(".bubble")).to_have_count(0)


def test_listed_game_can_be_watched(people: People) -> None:
    ada, bo = friends(people, listed=True)
    page = people.come()
    row = page.get_by_role("region", name="Games to watch").get_by_role("link", name="Ada – Bo")
    expect(row).to_contain_text("move 0")
    play(ada, (1, 1))
    expect(row).to_contain_text("move 1")
    row.click()
    expect(standing(page)).to_have_text("Bo to move")
    bo.get_by_role("button", name="Resign").click()


def test_turn_alert_calls_player_back(people: People) -> None:
    ada, bo = friends(people, before=ELSEWHERE)
    icon = ada.locator('link[rel="icon"]')
    play(ada, (1, 1))
    expect(ada).to_have_title("Bo to move · noughts")
    play(bo, (2, 2))
    expect(ada).to_have_title("● Your turn · noughts")
    expect(icon).to_have_attribute("href", re.compile("turn.svg$"))
    assert ada.evaluate("tones") == 2
    ada.evaluate("dispatchEvent(new Event('focus'))")
    expect(ada).to_have_title("Your turn · noughts")
    expect(icon).to_have_attribute("href", re.compile("favicon.svg$"))
    ada.get_by_role("button", name="Mute turn alerts").click()
    play(ada, (1, 2))
    play(bo, (2, 1))
    expect(ada).to_have_title("● Your turn · noughts")
    assert ada.evaluate("tones") == 2
    expect(bo).to_have_title(re.compile("^Ada to move"))


def test_clock_and_reactions_pass_axe(people: People) -> None:
    ada, bo = friends(people, clock={"seconds": 300, "increment": 5}, listed=True)
    for page in (ada, bo):
        page.set_viewport_size({"width": 360, "height": 740})
    bo.get_by_role("button", name="applause").click()
    bo.get_by_role("button", name="Offer a draw").click()
    expect(ada.get_by_role("button", name="Agree")).to_be_visible()
    check(ada)
    check(bo)
    for page in (ada, bo):
        assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_referees_view_for_both_is_agreed_at_creation(people: People) -> None:
    """Show it to both players from the start, otherwise only after the end."""
    ada = people.come()
    ada.get_by_text("A friend").click()
    ada.get_by_text("Referee’s view for both").click()
    ada.get_by_role("button", name="Play", exact=True).click()
    bo = people.come(ada.get_by_label("Link").first.input_value())
    expect(bo.get_by_text("You both see the referee’s view.")).to_be_visible()
    bo.get_by_role("button", name="Join the game").click()
    for page in (ada, bo):
        expect(page.get_by_role("heading", name="What the referee sees")).to_be_visible()
    ada, bo = friends(people)
    view = ada.get_by_label("Referee’s view")
    expect(view).to_be_hidden()
    bo.get_by_role("button", name="Resign").click()
    bo.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    view.check()
    expect(ada.get_by_role("heading", name="What the referee sees")).to_be_visible()
