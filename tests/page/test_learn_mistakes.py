"""The lesson shows every mistake of the catalogue, and its quiz is fair."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from noughts.checker.games import judged
from page.browsing import People, hear
from page.test_access import SHAPES, check
from page.test_learn import press
from page.test_screens import PHONE, width
from script.tools.mistakes import FILE, KNOWN, answers, card, games

CARDS: list[dict[str, Any]] = json.loads(FILE.read_text())


# Has seen all mistakes.
SEEN = f"""try {{
  localStorage.setItem("noughts.mistakes", '{json.dumps([each["name"] for each in CARDS])}');
}} catch {{}}"""


def texts(language: str) -> dict[str, list[str]]:
    """Return the two sentences of each card in a language, by the names of the mistakes."""
    if language == "en":
        return {each["name"]: [each["does"], each["why"]] for each in CARDS}
    found: dict[str, list[str]] = json.loads(
        (FILE.parent / f"languages/mistakes.{language}.json").read_text()
    )
    return found


def ready(people: People, at: str = "#mistakes", **profile: Any) -> Page:
    """Return the lesson once the known mistakes have loaded."""
    page = people.come(f"/learn{at}", **profile)
    expect(page.locator("#mistakes[data-ready]")).to_be_visible()
    return page


# The data


def test_cards_match_catalogue() -> None:
    """Compare with what `script/page/mistakes` writes; test_catalogue.py checks the games."""
    assert [each["name"] for each in CARDS] == [mistake.name for mistake in KNOWN]
    for mistake, each in zip(KNOWN, CARDS, strict=True):
        assert card(mistake, each["game"]) == each


def test_only_last_move_is_answered_wrongly() -> None:
    for mistake, each in zip(KNOWN, CARDS, strict=True):
        game = each["game"]
        right = [each for asked in games(game) for each in judged(asked.n, asked.moves).right]
        *before, given = answers(mistake, game)
        assert [*before, game["expected"]] == right
        assert given == game["answered"] != game["expected"]


def test_groups_show_how_many_mistakes_they_have() -> None:
    page = (FILE.parent / "learn.html").read_text()
    shown = re.findall(r'data-kind="(\w+)".*?class="many">(\d+)<', page, re.DOTALL)
    counted = Counter(each["kind"] for each in CARDS)
    assert {kind: int(many) for kind, many in shown} == counted


# The cards


@pytest.mark.parametrize(
    ("locale", "profile"), [("en", {}), ("de", PHONE), ("es", PHONE), ("zh", PHONE)]
)
def test_each_mistake_has_card(people: People, locale: str, profile: dict[str, Any]) -> None:
    page = ready(people, locale=locale, **profile)
    shown = page.evaluate(
        """async () => {
          const cards = [];
          for (const kind of document.querySelectorAll(".kinds > details")) {
            kind.open = true;
            for (const card of kind.querySelectorAll("details")) {
              card.open = true;
              while (!card.querySelector(".whole")) await new Promise(requestAnimationFrame);
              const covered = card.querySelectorAll("mark, .answers .wrong").length;
              card.querySelector(".skip").click();
              const said = (of) => [...card.querySelectorAll(of)].map((at) => at.textContent);
              cards.push({
                covered,
                name: card.id,
                kind: kind.dataset.kind,
                does: said("summary")[0],
                why: said(".text p")[0],
                wrong: [...card.querySelectorAll("mark")].map((at) => at.lastChild.data.trim()),
                answers: said(".answers :not([hidden]) > dd"),
                marks: card.querySelectorAll(".mark").length,
                wide: document.documentElement.scrollWidth - innerWidth,
                open: document.querySelectorAll("details[open]").length,
              });
            }
          }
          return cards;
        }"""
    )
    own = texts(locale)
    wanted = [
        {
            "covered": 0,
            "name": f"mistake-{each['name']}",
            "kind": each["kind"],
            "does": own[each["name"]][0],
            "why": own[each["name"]][1],
            "wrong": [each["code"][at].strip() for at in each["wrong"]],
            "answers": [each["game"]["expected"], each["game"]["answered"].removeprefix("!")],
            "marks": len(each["game"]["moves"]),
            "wide": 0,
            "open": 2,  # one card at a time, and its kind
        }
        for each in CARDS
    ]
    assert sorted(shown, key=lambda each: str(each["name"])) == sorted(
        wanted, key=lambda each: str(each["name"])
    )


def test_card_plays_its_game_and_has_url(people: People) -> None:
    page = ready(people, "#mistake-elif-at-the-centre", has_touch=True)
    expect(page.locator("#mistake-elif-at-the-centre")).to_have_attribute("open", "")
    player = page.locator("lesson-counterexample")
    answered = player.locator(".answers dd").nth(1)
    expect(answered).to_have_text("0")
    expect(player.locator(".strikes path")).to_have_count(1)
    expect(player.get_by_role("gridcell").first).to_have_accessible_name("A1, O")
    box = player.bounding_box()
    player.get_by_role("button", name="Back").click()
    hear(
        page,
        "Move 4 of 5: O plays B1. No winner yet. X to move. Expected: 0. Answered: 0.",
    )
    player.get_by_role("gridcell").last.click()  # this board cannot be played on
    player.get_by_role("button", name="Forward").click()
    hear(
        page,
        "Move 5 of 5: X plays A3. X has won: anti-diagonal. Expected: 1. Answered: 0.",
    )
    player.get_by_role("button", name="Replay moves").click()
    expect(player.get_by_role("button", name="Pause")).to_be_visible()
    hear(page, re.compile("^Move 1 of 5: X plays C1"))
    hear(page, re.compile("^Move 5 of 5: X plays A3"))
    expect(player.get_by_role("button", name="Forward")).to_have_attribute("aria-disabled", "true")
    assert player.bounding_box() == box
    # A card opened further down stays where it was clicked.
    below = page.locator("#mistake-first-row-only > summary")
    below.scroll_into_view_if_needed()
    was = below.bounding_box()
    below.click()
    expect(page.locator("details.mistake[open]")).to_have_count(1)
    expect(page).to_have_url(re.compile("#mistake-first-row-only$"))
    now = below.bounding_box()
    assert was
    assert now
    assert abs(was["y"] - now["y"]) < 1


@pytest.mark.parametrize(
    ("way", "profile"),
    [
        ("mouse", {"locale": "en"}),
        ("keyboard", {"locale": "es", "color_scheme": "dark"}),
        ("touch", {"locale": "zh", **PHONE}),
    ],
)
def test_reader_guesses_answer_and_line(people: People, way: str, profile: dict[str, Any]) -> None:
    page = ready(people, **profile)
    expect(page.locator("#quiz-next")).to_have_attribute("aria-disabled", "true")
    press(page.locator("[data-kind=lines] > summary"), way)
    card = page.locator("#mistake-anti-diagonal-off-by-one")
    press(card.locator("summary"), way)
    expect(card.locator(".answers dd")).to_have_text(["1", "?", ""])
    press(card.locator(".buttons button", has_text="1").first, way)
    expect(card.locator(".answers dd")).to_have_text(["1", "0", "1"])
    expect(card.locator("mark")).to_have_count(0)
    check(page, f"#{card.get_attribute('id')}", media=SHAPES)
    press(card.locator("button.line").nth(1), way)
    expect(card.locator("mark")).to_contain_text("return row + col == self.n")
    expect(card.locator(".picked")).to_contain_text("def on_anti_diagonal")
    for name in ("no-rows", "no-columns"):
        press(page.locator(f"#mistake-{name} > summary"), way)
        press(page.locator(f"#mistake-{name} .skip"), way)
    expect(page.locator("#quiz-next")).to_have_attribute("aria-disabled", "false")
    page.reload()
    expect(page.locator("#mistakes[data-ready]")).to_be_visible()
    press(page.locator("#quiz-next"), way)
    missed = 0
    for number in range(3):
        press(page.locator(".choices button").nth(number), way)
        missed += (wrong := page.locator(".choices .wrong").count())
        expect(page.locator(".either p:not(.unsaid)").last).to_be_visible() if wrong else None
        press(page.locator("#quiz-next"), way)
    if missed:
        press(page.locator("#quiz-missed"), way)
        expect(page.locator("#quiz-standing")).to_have_text(re.compile(rf"1.*{missed}"))


def test_card_plays_other_objects_first(people: People) -> None:
    page = ready(people, "#mistake-one-board-in-a-global")
    player = page.locator("lesson-counterexample")
    for _ in range(2):
        player.get_by_role("button", name="Back").click()
    hear(
        page,
        "Meanwhile, on another object: 2×2. Move 1 of 1: O plays A2. "
        "No winner yet. X to move. Expected: 0. Answered: 0.",
    )
    page.goto("/learn#mistake-only-player-one-wins")
    player.get_by_role("button", name="Back").click()
    hear(page, "Before move 1 of 1. O to move")


def test_mistakes_load_only_when_near(people: People) -> None:
    page = people.come("/learn", viewport={"width": 1280, "height": 500})
    expect(page.locator("#race-board")).to_have_text("50×50")  # all screens have started
    loaded = "() => performance.getEntriesByType('resource').map(({ name }) => name)"
    late = re.compile(r"mistakes\.json|cards\.js|quiz\.js|catalogue\.js|counterexample\.js")
    assert not [name for name in page.evaluate(loaded) if late.search(name)]
    page.locator("#quiz").scroll_into_view_if_needed()
    expect(page.locator("#mistakes[data-ready]")).to_be_visible()
    assert len([name for name in page.evaluate(loaded) if late.search(name)]) == 5


# The quiz


def test_only_right_choice_misjudges_game_of_question(people: People) -> None:
    drawn: list[list[dict[str, Any]]] = ready(people).evaluate(
        """async (cards) => {
          const { draw } = await import("/page/learn/quiz.js");
          const told = ({ card, shows, choices }) =>
            ({ name: card.name, shows, choices: choices.map(({ name }) => name) });
          return Array.from({ length: 100 }, () => draw(cards, cards).map(told));
        }""",
        CARDS,
    )
    of = {each["name"]: each for each in CARDS}
    for ten in drawn:
        assert [each["shows"] for each in ten] == ["game", "code"] * 5
        assert len({each["name"] for each in ten}) == 10
        for each in ten:
            assert len({*each["choices"]}) == 4
            assert each["name"] in each["choices"]
            assert not {*each["choices"]} & {*of[each["name"]]["fails"]}


@pytest.mark.parametrize("profile", [{}, PHONE], ids=["desktop", "phone"])
def test_keyboard_answers_ten_questions(people: People, profile: dict[str, Any]) -> None:
    page = ready(people, before=SEEN, **profile)
    quiz = page.locator("#quiz")
    quiz.get_by_role("button", name="Start").press("Enter")
    right = 0
    for number in range(1, 11):
        heading = quiz.get_by_role("heading", level=4)
        expect(heading).to_be_focused()
        expect(page.locator("#quiz-standing")).to_have_text(f"Question {number} of 10")
        expect(page.locator("#quiz-next")).to_have_attribute("aria-disabled", "true")
        choice = page.locator(".choices button").nth(number % 4)
        while not choice.evaluate("(at) => at === document.activeElement"):
            page.keyboard.press("Tab")
        before = quiz.bounding_box()
        page.keyboard.press("Enter")
        is_right = "right" in (choice.get_attribute("class") or "")
        right += is_right
        hear(page, re.compile(r"^Correct\. " if is_right else r"^Wrong\. The answer is: "))
        expect(page.locator("#quiz-standing")).to_have_text(
            f"Question {number} of 10 · {right} correct"
        )
        expect(page.locator(".choices .right")).to_have_accessible_name(re.compile("correct$"))
        assert quiz.bounding_box() == before
        page.keyboard.press("Enter")  # a second press changes nothing
        while not page.locator("#quiz-next").evaluate("(at) => at === document.activeElement"):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    hear(page, f"{right} of 10 correct")
    assert width(page) == page.evaluate("innerWidth")
    missed = quiz.get_by_role("listitem").get_by_role("link")
    expect(missed).to_have_count(10 - right)
    quiz.get_by_role("button", name="Ask again").click()
    expect(page.locator("#quiz-standing")).to_have_text("Question 1 of 10")


def test_mistakes_and_quiz_pass_axe(people: People) -> None:
    page = ready(people, "#mistake-player-as-index", before=SEEN)
    check(page)
    page.locator("#quiz-next").click()
    check(page, "#quiz")
    for number in range(10):
        page.locator(".choices button").first.click()
        if number < 2:  # covers a game and some code, or a correct and a wrong answer
            check(page, "#quiz")
        page.locator("#quiz-next").click()
    expect(page.locator(".result")).to_be_visible()
    check(page, "#quiz")
