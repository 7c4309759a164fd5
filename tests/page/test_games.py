"""Whole games: by link, on one device and against the computer, and every way they end."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from page.browsing import LASTING, People, cell, friends, hear, play, standing, start


def test_friends_play_by_link_while_third_watches(people: People) -> None:
    ada = people.come()
    ada.get_by_text("A friend").click()
    ada.get_by_label("Your name").fill("Ada")
    ada.get_by_role("button", name="Play", exact=True).click()
    expect(standing(ada)).to_have_text("Waiting for the other player")
    link = ada.get_by_label("Link").input_value()
    assert "#" in link

    ada.reload()  # the link is still there
    expect(ada.get_by_label("Link")).to_have_value(link)

    bo = people.come(link)
    bo.get_by_label("Your name").fill("Bo")
    bo.get_by_role("button", name="Join the game").click()
    expect(bo).to_have_url(link.partition("#")[0])
    hear(ada, "Bo has joined. Your turn.")

    cleo = people.come(link)  # too late to play
    expect(cleo).to_have_url(link.partition("#")[0])
    expect(standing(cleo)).to_have_text("Ada to move")
    expect(cleo.get_by_text("You are watching: both seats are taken.")).to_be_visible()
    for name in ("Join the game", "Resign", "Take back", "Rematch"):
        expect(cleo.get_by_role("button", name=name)).to_be_hidden()
    cell(cleo, 1, 1).click()

    for page, row, col in [(ada, 1, 1), (bo, 1, 2), (ada, 2, 2), (bo, 1, 3), (ada, 3, 3)]:
        expect(standing(page)).to_have_text("Your turn")
        play(page, (row, col))
        for other in (ada, bo, cleo):
            expect(cell(other, row, col)).to_have_accessible_name(re.compile("last move"))
    expect(standing(ada)).to_have_text("You win")
    for page in (bo, cleo):
        expect(standing(page)).to_have_text("Ada wins")
        hear(page, "X plays C3. Ada wins.")
        expect(page.locator(".strikes path")).to_have_count(1)
        expect(cell(page, 2, 2)).to_have_accessible_name(re.compile("on a winning line"))


def test_invitation_works_in_open_tab(people: People) -> None:
    ada = people.come()
    start(ada, name="Ada")
    link = ada.get_by_label("Link").input_value()
    bo = people.come(link.partition("#")[0])
    expect(standing(bo)).to_be_visible()
    expect(bo.locator("#join")).to_be_hidden()
    bo.goto(link)  # the same document
    bo.get_by_role("button", name="Join the game").click()
    hear(ada, re.compile("joined. Your turn."))
    expect(bo).to_have_url(link.partition("#")[0])


def test_listed_game_can_be_found_and_joined(people: People) -> None:
    ada = people.come()
    ada.get_by_text("A friend").click()
    ada.get_by_label("Your name").fill("Ada who waits")
    ada.get_by_label("Let anyone join").check()
    ada.get_by_text("second", exact=True).click()
    ada.get_by_role("button", name="Play", exact=True).click()
    expect(standing(ada)).to_have_text("Waiting for the other player")

    bo = people.come()
    bo.get_by_role("link", name="Ada who waits").click()
    bo.get_by_role("button", name="Join the game").click()
    expect(standing(bo)).to_have_text("Your turn")
    play(bo, (2, 2))
    play(ada, (1, 1))

    bo.goto("/")
    mine = bo.get_by_role("region", name="Your games")
    expect(mine.get_by_role("link", name="Ada who waits")).to_contain_text("Your turn")


def test_computer_replies_and_allows_takeback(people: People) -> None:
    page = people.come()
    page.get_by_text("Computer", exact=True).click()
    page.get_by_text("Strong", exact=True).click()
    expect(page.get_by_text("Provably never loses")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    play(page, (1, 1))
    expect(cell(page, 2, 2)).to_have_accessible_name("B2, O, last move")
    page.get_by_role("button", name="Take back").click()
    expect(cell(page, 2, 2)).to_have_accessible_name("B2, empty")
    expect(cell(page, 1, 1)).to_have_accessible_name("A1, empty")
    expect(standing(page)).to_have_text("Your turn")


def test_computer_plays_first_as_x(people: People) -> None:
    page = people.come()
    start(page, opponent="computer", level="random", seat=2, n=4)
    expect(page.locator(".sheet button")).to_have_count(1)
    expect(standing(page)).to_have_text("Your turn")


def test_same_device_game_ends_in_draw(people: People) -> None:
    page = people.come()
    start(page, opponent="self")
    play(page, (2, 2), (1, 1), (1, 2), (3, 2), (2, 1), (2, 3), (3, 1), (1, 3), (3, 3))
    expect(standing(page)).to_have_text("Draw: no moves left")
    page.get_by_role("button", name="Take back").click()
    expect(standing(page)).to_have_text("X to move")


def test_takeback_can_be_declined_and_accepted(people: People) -> None:
    ada, bo = friends(people, before=LASTING)
    play(ada, (1, 1))
    places = [page.locator("noughts-board").bounding_box() for page in (ada, bo)]
    ada.get_by_role("button", name="Take back").click()
    expect(ada.get_by_text("You asked Bo to let you take back your move.")).to_be_visible()
    expect(bo.locator("#question-text")).to_have_text("Ada asks to take back a move.")
    # The board has not moved under a finger.
    assert [page.locator("noughts-board").bounding_box() for page in (ada, bo)] == places
    bo.get_by_role("button", name="Decline").click()
    hear(ada, "The takeback was declined.")
    expect(ada.locator("#note")).to_have_text("The takeback was declined.")
    expect(ada.locator("#note")).to_be_visible()
    expect(cell(ada, 1, 1)).to_have_accessible_name(re.compile("X"))

    ada.get_by_role("button", name="Take back").click()
    bo.get_by_role("button", name="Accept").click()
    expect(cell(ada, 1, 1)).to_have_accessible_name("A1, empty")
    expect(standing(ada)).to_have_text("Your turn")


def test_offer_expires_with_next_move(people: People) -> None:
    ada, bo = friends(people)
    play(ada, (1, 1))
    ada.get_by_role("button", name="Take back").click()
    expect(bo.get_by_role("button", name="Accept")).to_be_visible()
    play(bo, (2, 2))
    expect(bo.get_by_role("button", name="Accept")).to_be_hidden()
    expect(ada.locator("#question")).to_be_hidden()


def test_rematch_after_resignation_swaps_seats(people: People) -> None:
    ada, bo = friends(people)
    cleo = people.come(ada.url)
    ada.get_by_role("button", name="Resign").click()
    ada.get_by_role("button", name="Keep playing").click()
    expect(standing(ada)).to_have_text("Your turn")
    ada.get_by_role("button", name="Resign").click()
    ada.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(standing(bo)).to_have_text("You win by resignation")
    expect(standing(cleo)).to_have_text("Bo wins by resignation")

    first = ada.url
    ada.get_by_role("button", name="Rematch").click()
    expect(ada).not_to_have_url(first)
    expect(standing(ada)).to_have_text("Waiting for Bo")
    expect(ada.locator("#players")).to_contain_text("Waiting for Bo")
    bo.get_by_role("button", name="Play a rematch").click()
    expect(bo).to_have_url(ada.url)
    cleo.get_by_role("link", name="Watch the rematch").click()
    play(bo, (2, 2))  # Bo plays first this time
    for page in (ada, cleo):
        expect(cell(page, 2, 2)).to_have_accessible_name("B2, X, last move")
    expect(standing(ada)).to_have_text("Your turn")


def test_moves_can_be_stepped_through(people: People) -> None:
    page = people.come()
    start(page, opponent="self")
    play(page, (1, 1), (2, 2), (3, 3))
    page.locator("body").click(position={"x": 2, "y": 2})  # outside the grid
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(cell(page, 2, 2)).to_have_accessible_name("B2, empty")
    expect(page.locator(".count")).to_have_text("move 1 of 3")
    expect(standing(page)).to_have_text("Move 1 of 3")
    cell(page, 3, 1).click()  # no moves in an earlier position
    expect(page.locator("#note")).to_have_text("Move 1 of 3. To play, go back to the game.")
    page.get_by_role("button", name="Back to the game").click()
    expect(standing(page)).to_have_text("O to move")
    page.get_by_role("button", name="First position").click()
    expect(cell(page, 1, 1)).to_have_accessible_name("A1, empty")
    page.get_by_role("button", name="Move 2: O B2").click()
    expect(cell(page, 2, 2)).to_have_accessible_name("B2, O, last move")
    page.get_by_role("button", name="Latest position").click()
    expect(page.locator(".count")).to_have_text("move 3")
    expect(cell(page, 3, 1)).to_have_accessible_name("A3, empty")


def test_record_downloads_in_three_formats(people: People) -> None:
    page = people.come()
    game = start(page, opponent="self")
    play(page, (1, 1))
    for name, found in [("JSON", f'"{game}"'), ("text", "X"), ("picture", "<svg")]:
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        assert found in download.value.path().read_text()


def test_name_is_never_markup(people: People) -> None:
    page = people.come()
    start(page, opponent="computer", name="<b>Ada</b>")
    expect(page.get_by_text("<b>Ada</b>", exact=True)).to_be_visible()


def test_long_name_does_not_widen_page(people: People) -> None:
    ada, bo = (people.come(viewport={"width": 360, "height": 740}) for _ in "12")
    start(ada, name="W" * 32)
    bo.goto(ada.get_by_label("Link").input_value())
    expect(bo.get_by_role("heading", name="WWW")).to_be_visible()
    assert bo.evaluate("document.documentElement.scrollWidth") == 360
    bo.get_by_label("Your name").fill("Ω" * 32)
    bo.get_by_role("button", name="Join the game").click()
    expect(ada.get_by_text("Ω" * 32, exact=True)).to_be_visible()
    for page in (ada, bo):
        expect(standing(page)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_unknown_game_shows_not_found(people: People) -> None:
    people.expected.append("404")
    page = people.come("/g/AAAAAAAAAAAAAAAA")
    expect(page.get_by_role("heading", name="Game not found")).to_be_visible()
