"""The screens of the lesson."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from page.browsing import People, hear
from page.measuring import WATCH
from page.test_access import SHAPES, check
from page.test_screens import LYING, PHONE, ZOOMED, width

SCREENS = ("question", "referees", "race", "mistakes", "turn")
PROFILES: dict[str, dict[str, Any]] = {
    "desktop": {},
    "phone": {**PHONE, "color_scheme": "dark"},
    "lying": LYING,
    "zoomed": ZOOMED,
    "projector": {"viewport": {"width": 1920, "height": 1080}},
}


def cell(page: Page, board: str, name: str) -> Locator:
    """Return a cell of a board."""
    return page.locator(f"#{board}").get_by_role("gridcell", name=re.compile(rf"^{name},"))


def play(page: Page, board: str, cells: str) -> None:
    """Click these cells."""
    for name in cells.split():
        cell(page, board, name).click()
        expect(cell(page, board, name)).not_to_have_accessible_name(re.compile("empty|leer|vac|空"))


def unasked(page: Page) -> Page:
    """Return the lesson, in which the first screen shows what it checks without asking."""
    expect(page.locator("#question [role=gridcell]").first).to_be_visible()
    page.locator("#question-ask").uncheck()
    return page


def raced(page: Page) -> Page:
    """Return the lesson once all games of the race have been played, and are shown."""
    page.locator("#race").scroll_into_view_if_needed()
    expect(page.locator("#race[data-done]")).to_be_visible()
    if page.locator("#race[data-asks]").count():
        page.locator("#sketch-skip").click()
    return page


# The question


def test_scan_checks_every_cell_on_lines_through_move(people: People) -> None:
    page = unasked(people.come("/learn"))
    looks, all = page.locator("#looks"), page.locator("#looks-all")
    play(page, "question-board", "B2")
    hear(page, "X at B2: 12 cells checked. No winner yet. O to move.")
    expect(looks).to_have_text("12")
    expect(page.locator("#question .look")).to_have_count(9)
    play(page, "question-board", "B1 A1 C1")
    expect(looks).to_have_text("9")
    expect(all).to_have_text("36")
    play(page, "question-board", "C3")
    hear(page, "X at C3: 9 cells checked. X has won: diagonal.")
    expect(page.locator("#question .strikes path")).to_have_count(1)
    cell(page, "question-board", "C2").click()
    expect(cell(page, "question-board", "C2")).to_have_accessible_name("C2, empty")
    page.get_by_role("button", name="Take back").click()
    hear(page, "O at C1: 9 cells checked. No winner yet. X to move.")
    page.get_by_role("button", name="New game", exact=True).click()
    hear(page, "An empty board, 3×3.")
    expect(looks).to_have_text("0")
    expect(page.get_by_role("button", name="Take back")).to_have_attribute("aria-disabled", "true")


def test_scan_animates_cell_by_cell(people: People) -> None:
    page = unasked(people.come("/learn", reduced_motion="no-preference"))
    page.evaluate(
        """() => {
          const looks = document.getElementById("looks");
          window.seen = [];
          new MutationObserver(() => seen.push(Number(looks.textContent)))
            .observe(looks, { childList: true });
        }"""
    )
    board = page.locator("#question-board")
    cell(page, "question-board", "B2").click()
    expect(board).not_to_have_attribute("busy", "")
    expect(page.locator("#looks")).to_have_text("12")
    seen = page.evaluate("seen")
    assert seen == sorted(seen)
    assert len(set(seen)) > 3
    page.evaluate("seen.splice(0)")
    page.get_by_role("button", name="Replay").click()
    page.wait_for_function("() => seen.at(-1) === 12")
    assert page.evaluate("seen[0]") < 12


def test_question_handles_full_and_largest_boards(people: People) -> None:
    page = unasked(people.come("/learn"))
    play(page, "question-board", "A1 B1 C1 B2 A2 A3 B3 C2")
    play(page, "question-board", "C3")
    hear(page, "X at C3: 9 cells checked. No winner: the board is full.")
    page.locator("#question").get_by_role("slider", name="Board").press("End")
    hear(page, "An empty board, 10×10.")
    play(page, "question-board", "J1")
    expect(page.locator("#looks")).to_have_text("30")
    expect(page.locator("#looks-name")).to_have_text("cells checked for X at J1")


# Three referees


def test_three_referees_show_same_moves(people: People) -> None:
    page = people.come("/learn#referees")
    expect(page.locator("#ply-name")).to_have_text("Move 5 of 7: X plays A3.")
    page.get_by_role("button", name="Forward").click()
    page.get_by_role("button", name="Forward").click()
    hear(
        page,
        "Move 7 of 7: X plays B3. X has won: row 3. Board scan: 6 reads, 1 writes. "
        "Player tallies: 3 reads, 2 writes. Signed sums: 3 reads, 2 writes.",
    )
    sums = page.get_by_role("article", name="Signed sums")
    expect(sums.locator(".changes > div")).to_have_text(
        ["row 3+2 → +3", "column B−1 → 0", "diagonal–", "anti-diagonal–"]
    )
    expect(sums.locator(".touched")).to_have_text(["+3", "0"])
    expect(sums.locator(".number")).to_have_text(["0", "−2", "+3", "+1", "0", "0", "+1", "−1"])
    expect(page.locator("#keeps-sums")).to_have_text(
        "row 1: 0; row 2: −2; row 3: +3; column A: +1; column B: 0; column C: 0; "
        "diagonal: +1; anti-diagonal: −1"
    )
    expect(page.locator("#keeps-tallies")).to_contain_text("; row 3: X 3, O 0; ")
    tallies = page.get_by_role("article", name="Player tallies")
    expect(tallies.locator(".changes > div")).to_have_text(
        ["row 32 → 3", "column B0 → 1", "diagonal–", "anti-diagonal–"]
    )
    expect(tallies.locator(".number")).to_have_count(16)
    scan = page.get_by_role("article", name="Board scan")
    expect(scan.locator(".changes > div")).to_have_text(
        ["row 3XXX", "column B·OX", "diagonal–", "anti-diagonal–"]
    )
    expect(scan.locator(".look")).to_have_count(5)
    for name, kept in (("scan", 9), ("tallies", 16), ("sums", 8)):
        expect(page.locator(f"#kept-{name}")).to_have_text(str(kept))
    forward = page.get_by_role("button", name="Forward")
    expect(forward).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="First position").click()
    hear(page, "Before move 1 of 7. X to move")
    expect(page.locator("#referees .look")).to_have_count(0)
    page.locator("#ply").press("End")
    hear(page, re.compile("^Move 7 of 7"))


def test_one_move_completes_four_lines(people: People) -> None:
    page = people.come("/learn#referees")
    page.get_by_role("button", name="Four lines at once").click()
    hear(page, re.compile("^Move 48 of 49"))
    page.get_by_role("button", name="Last position").click()
    said = "X has won: row 4, column D, diagonal, anti-diagonal."
    expect(page.locator("#referees-standing")).to_have_text(said)
    expect(page.locator("#changes-sums > div")).to_have_text(
        [f"{line}+6 → +7" for line in ("row 4", "column D", "diagonal", "anti-diagonal")]
    )
    expect(page.locator("#reads-scan")).to_have_text("28")
    expect(page.locator("#board-tallies .strikes path")).to_have_count(4)


def test_own_game_continues_under_three_referees(people: People) -> None:
    page = unasked(people.come("/learn"))
    page.get_by_role("slider", name="Board", exact=True).press("ArrowRight")
    play(page, "question-board", "A1 B1")
    page.get_by_role("button", name="Your game from above").click()
    expect(page.locator("#ply-name")).to_have_text("Move 2 of 2: O plays B1.")
    play(page, "board-sums", "A2")
    expect(cell(page, "board-scan", "A2")).to_have_accessible_name("A2, X")
    play(page, "board-scan", "B2")
    page.get_by_role("button", name="Back", exact=True).click()
    play(page, "board-tallies", "D4")  # so the game takes another course
    expect(page.locator("#ply-name")).to_have_text("Move 4 of 4: O plays D4.")
    expect(cell(page, "board-sums", "B2")).to_have_accessible_name("B2, empty")
    expect(cell(page, "question-board", "A2")).to_have_accessible_name("A2, empty")
    expect(page.locator("#referees-games [aria-pressed=true]")).to_have_count(0)


# The race


def test_race_says_if_it_cannot_run(people: People) -> None:
    people.expected.append("net::ERR_FAILED")
    page = people.come("/docs")
    page.route("**/racing.js", lambda route: route.abort())
    page.goto("/learn")
    expect(page.locator("#race-summary")).to_contain_text("The games couldn’t be played")
    page.unroute("**/racing.js")
    page.get_by_role("button", name="Play new games").click()
    raced(page)


def test_race_reads_out_measured_numbers(people: People) -> None:
    page = raced(people.come("/learn"))
    counted = page.evaluate(
        """async () => {
          const { race } = await import("/page/learn/racing.js");
          const { moves, reads } = race(100, 1);
          return Object.values(reads).map((all) => (all / moves).toFixed(1));
        }"""
    )
    slide = page.get_by_role("slider", name="Board size")
    slide.press("End")
    shown = page.locator("#race dd")
    expect(shown).to_have_text(counted)
    expect(slide).to_have_attribute(
        "aria-valuetext", re.compile(r"^100×100: board scan 20\d\.\d, player tallies 4\.\d, ")
    )
    page.locator("#race-chart").hover(position={"x": 42, "y": 60})
    expect(page.locator("#race-board")).to_have_text("3×3")
    expect(page.locator(".pointer circle")).to_have_count(3)
    summary = page.locator("#race-summary")
    before = summary.text_content()
    assert before
    assert before.startswith("98 games, 338,")
    page.get_by_role("button", name="Play new games").click()
    raced(page)
    expect(summary).not_to_have_text(before)


def test_race_axis_can_be_logarithmic(people: People) -> None:
    page = raced(people.come("/learn"))
    sums, ticks = page.locator(".series.sums"), page.locator(".tick.y")
    before = sums.get_attribute("d")
    page.get_by_role("button", name="Logarithmic").click()
    expect(ticks).to_have_text(["1", "3", "10", "30", "100"])
    assert sums.get_attribute("d") != before
    page.get_by_role("button", name="Linear").click()
    expect(ticks).to_have_text(["0", "50", "100", "150", "200"])
    expect(sums).to_have_attribute("d", before or "")


# Guesses

# Each way of input once, each language once.
WAYS: dict[str, dict[str, Any]] = {
    "mouse": {"locale": "en-GB"},
    "touch": {"locale": "de-DE", **PHONE, "color_scheme": "dark"},
    "keyboard": {"locale": "es-ES", "color_scheme": "dark"},
    "pen": {"locale": "zh-CN", **PHONE},
}


def press(target: Locator, way: str) -> None:
    """Press a button or cell by mouse, touch or keyboard."""
    if way == "keyboard":
        target.focus()
        target.press("Enter")
    elif way == "mouse":
        target.click()
    else:
        target.tap()


def drawn(page: Page, way: str) -> None:
    """Draw a curve that rises to about 200 at n = 50 and, except by keyboard, stays there."""
    slide = page.locator("#race-n")
    if way == "keyboard":
        slide.press("Home")
        slide.press("ArrowUp")
        for _ in range(47):
            slide.press("ArrowRight")
        for _ in range(38):
            slide.press("ArrowUp")
        return
    page.locator("#race-chart").scroll_into_view_if_needed()
    box = page.locator("#race-chart").bounding_box()
    assert box
    corners = [(0.15, 0.85), (0.5, 0.15), (0.95, 0.15)]
    x = [box["x"] + box["width"] * across for across, _ in corners]
    y = [box["y"] + box["height"] * down for _, down in corners]
    page.mouse.move(x[0], y[0])
    page.mouse.down()
    page.mouse.move(x[1], y[1], steps=10)
    page.mouse.move(x[2], y[2], steps=10)
    page.mouse.up()


@pytest.mark.parametrize("way", WAYS)
def test_reader_guesses_before_each_screen_shows(people: People, way: str) -> None:
    page = people.come("/learn", **WAYS[way])
    told = page.locator("#question .told").first
    for name in ("B1", "A1", "C1", "A2", "B2", "B1"):  # plays the first; its own cell is ignored
        press(cell(page, "question-board", name), way)
    expect(told).to_be_hidden()
    expect(page.locator("#question .look")).to_have_count(0)
    expect(page.locator("#question-board .guess")).to_have_count(4)
    press(page.locator("#question-compare"), way)
    expect(page.locator("#question-compared")).to_have_text(re.compile("3.*1.*1"))
    expect(page.locator("#question-board .guess")).to_have_count(4)
    expect(page.locator("#looks")).to_have_text("6")
    expect(told).to_be_visible()
    page.locator("#question-size").press("End")
    press(cell(page, "question-board", "J1"), way)
    expect(page.locator("#question .look")).to_have_count(0)
    page.locator("#question-number").focus()
    page.keyboard.type("100")
    page.keyboard.press("Tab")
    expect(page.locator("#question-compare")).to_be_focused()
    page.locator("#question-number").press("Enter")
    expect(page.locator("#question-compared")).to_have_text(re.compile("100.*30"))
    expect(page.locator("#question-ask")).not_to_be_checked()

    expect(page.locator("#sum-0")).to_be_attached()
    for line in (1, 1, 6):  # row 2 twice, for −1, and the diagonal
        press(page.locator(f"#sum-{line}"), way)
    press(page.locator("#foresight .primary"), way)
    keys = page.locator("#foresight .key")
    expect(keys).to_have_count(3)
    kinds = ["key both", "key truth", "key guess"]  # row 2, column A and the diagonal
    assert [each.get_attribute("class") for each in keys.all()] == kinds
    expect(page.locator("#ply")).to_have_value("6")
    press(page.locator("#foresight .primary"), way)
    press(page.locator("#sum-2"), way)
    press(page.locator("#foresight .primary"), way)
    expect(keys).to_have_class(["key both"])  # row 3
    expect(page.locator("#board-sums .strikes path")).to_have_count(1)

    expect(page.locator("#race[data-done]")).to_be_attached()
    expect(page.locator("#race .series").first).to_be_hidden()
    drawn(page, way)
    expect(page.locator("#race .sketched.scan")).to_have_attribute("d", re.compile("L"))
    press(page.locator("#sketch-compare"), way)
    expect(page.locator("#race .series.scan")).to_be_visible()
    expect(page.locator("#sketch li")).to_have_text(re.compile("n = (40|60)"))
    reached = {"keyboard": 3, "mouse": 4}.get(way, 5)  # of the boards in the table
    expect(page.locator("#race-table td", has_text=" / ")).to_have_count(reached)
    assert width(page) == page.evaluate("innerWidth")
    check(page, media=SHAPES)


def test_guess_can_be_skipped_and_printed(people: People) -> None:
    page = people.come("/learn")
    cell(page, "question-board", "B2").click()
    hear(page, "X at B2. Which cells must a referee check now? Tap them on the board.")
    page.emulate_media(media="print")
    expect(page.locator("#question .told").first).to_be_visible()
    page.emulate_media(media="screen")
    page.get_by_role("button", name="I don’t know").first.click()
    hear(page, "X at B2: 12 cells checked. No winner yet. O to move.")
    cell(page, "question-board", "A1").click()
    hear(page, "O at A1: 9 cells checked. No winner yet. X to move.")  # not asked again
    page.locator("#foresight .skip").click()
    expect(page.locator("#ply")).to_have_value("6")
    raced(page)
    expect(page.locator("#race-table td")).to_have_count(15)
    page.get_by_role("button", name="Draw again").click()
    expect(page.locator("#race .series").first).to_be_hidden()


# All screens


def test_each_screen_has_its_own_url(people: People) -> None:
    page = people.come("/")
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Lesson").click()
    contents = page.get_by_role("navigation", name="Sections").get_by_role("link")
    expect(contents).to_have_count(len(SCREENS))
    for link, name in zip(contents.all(), SCREENS, strict=True):
        link.click()
        expect(page).to_have_url(re.compile(f"/learn#{name}$"))
        expect(page.locator(f"#{name} :is(h1, h2)")).to_be_in_viewport()
        expect(link).to_have_attribute("aria-current", "true")
    for name in SCREENS:
        page.goto("/docs")
        page.goto(f"/learn#{name}")
        expect(page.locator(f"#{name} :is(h1, h2)")).to_be_in_viewport()


def test_referees_view_links_to_lesson(people: People) -> None:
    from page.browsing import start

    page = people.come()
    start(page, opponent="self")
    page.get_by_label("Referee’s view").check()
    page.locator("#findings").get_by_role("link", name="Lesson").click()
    expect(page.get_by_role("heading", level=1, name="Who has won?")).to_be_visible()


def test_lesson_passes_axe(people: People) -> None:
    page = unasked(people.come("/learn"))
    play(page, "question-board", "B2 A1")
    page.get_by_role("button", name="Last position").click()
    raced(page)
    check(page)
    page.get_by_role("button", name="Four lines at once").click()
    check(page, "#referees")
    page.get_by_role("button", name="Logarithmic").click()
    check(page, "#race")
    live = page.locator("[aria-live], [role=status], [role=alert], [role=log], output")
    expect(live).to_have_count(1)


def test_keyboard_reaches_every_control(people: People) -> None:
    page = raced(unasked(people.come("/learn")))
    page.get_by_role("button", name="Forward").click()
    page.locator("#turn").scroll_into_view_if_needed()
    expect(page.locator("#turn-editor")).to_be_visible()
    page.locator(".wordmark").focus()
    reached = []
    while True:
        page.keyboard.press("Tab")
        at = page.evaluate(
            """() => {
              const { activeElement: at } = document;
              return at === document.body ? "" : (at.id || at.closest("lesson-board")?.id
                || at.dataset.game || at.textContent.trim());
            }"""
        )
        if not at or at in reached:
            break
        reached.append(at)
        if at == "question-board":
            page.keyboard.press("ArrowUp")
            page.keyboard.press("Home")
            page.keyboard.press("Enter")
            hear(page, re.compile("^X at A1: 9 cells checked"))
        if at == "board-sums":
            page.keyboard.press("Control+End")
            page.keyboard.press("ArrowLeft")
            page.keyboard.press(" ")  # B3, where X wins
            hear(page, re.compile("^Move 7 of 7: X plays B3"))
        if at == "turn-editor":
            page.keyboard.press("Tab")  # indents
            expect(page.locator("#turn-editor .cm-line").first).to_contain_text("    class")
            page.keyboard.press("Escape")
    controls = page.evaluate(
        """() => [...document.querySelectorAll(
          "main :is(a, button:not([hidden]), input), lesson-board, .contents a, .masthead nav a")]
          .filter((at) => at.checkVisibility())
          .map((at) => at.id || at.dataset.game || at.textContent.trim())"""
    )
    assert set(controls) <= set(reached)


@pytest.mark.parametrize(
    ("locale", "profile"),
    [
        *(("en-GB", profile) for profile in PROFILES),
        *((other, size) for other in ("de-DE", "es-ES", "zh-CN") for size in ("desktop", "phone")),
    ],
)
def test_screens_fit_in_every_language_and_size(people: People, locale: str, profile: str) -> None:
    """Check that nothing overflows and that no action moves other parts of the page."""
    page = people.come("/learn", before=WATCH, locale=locale, **PROFILES[profile])
    expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    expect(page.locator("#race[data-done]")).to_be_attached()
    page.locator("#race").scroll_into_view_if_needed()
    if locale[:2] == "en":  # as first painted
        assert page.evaluate("shifts") == 0
    raced(unasked(page))
    if locale[:2] != "en":
        english = re.compile(r"\b(the|game|(?<![“„«])move|cells)\b")  # “move” in quotes is a method
        expect(page.locator("main")).not_to_contain_text(english)
    places = """() => [...document.querySelectorAll(
      ".screen, lesson-board, .buttons:not(.foresight *), .counts, .changes, .readout, #race-n")]
      .map((at) => [at.id || at.className, at.offsetTop, at.offsetHeight].join(" "))"""
    before = page.evaluate(places)
    play(page, "question-board", "B2 A1 A2")
    assert page.evaluate(places) == before
    play(page, "question-board", "C1 C2")  # X has won
    assert page.evaluate(places) == before
    page.locator("#question-size").press("End")
    for game in ("four", "worked", "own", "four"):
        page.locator(f"[data-game={game}]").click()
        page.locator("#ply").press("Home")
        page.locator("#ply").press("End")
        assert page.evaluate(places) == before
    page.locator("#axis-logarithmic").click()
    page.locator("#race-n").press("End")
    assert page.evaluate(places) == before
    assert width(page) == page.evaluate("innerWidth")


def test_large_text_fits_window(people: People) -> None:
    page = people.come("/learn", **PHONE)
    sizes = {"standard": 32, "fixed": 26}
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": sizes})
    raced(page)
    assert width(page) == 360
