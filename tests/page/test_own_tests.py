"""The reader's own tests on the last screen of the lesson, which Python in the browser runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from noughts.checker.browser import tried
from noughts.service.http.assets import PAGE, PYTHON
from page.browsing import People, hear, visiting
from page.test_access import SHAPES, check
from page.test_screens import PHONE, width
from page.test_turn import PASTING
from service.serving import Server

WEAK = (Path(__file__).parents[1] / "checker/data/weak_suite.py").read_text()
CARDS = json.loads((PAGE / "learn/mistakes.json").read_text())
GAMES = {card["name"]: card["game"] for card in CARDS}
UNITTEST = """import unittest

from tictactoe import TicTacToe


class TestRows({bases}):
{indent}def test_row(self):
{indent}    self.assertEqual(TicTacToe(1).move(0, 0, 1), 1)


if __name__ == "__main__":
    unittest.main()
"""
LOOP = """from tictactoe import TicTacToe
def test_it():
    while TicTacToe(3).move(0, 0, 1) == 0: pass
"""


pytestmark = pytest.mark.usefixtures("pyodide")


@pytest.fixture(scope="module")
def page(browser: Browser, page_server: Server) -> Iterator[Page]:
    """Return the page with the tests, whose Python loads with the first run."""
    with visiting(browser, page_server) as people:
        yield shown(people.come("/learn#tests"))


def shown(page: Page) -> Page:
    """Return the page once the editor for tests has loaded."""
    expect(page.locator("#tests-editor")).to_be_visible()
    return page


def editor(page: Page) -> Locator:
    """Return the editor for tests, in any language."""
    return page.locator("#tests").get_by_role("textbox")


def report(page: Page) -> Locator:
    """Return the report on the tests."""
    return page.locator("#tests .report")


def written(page: Page, text: str) -> Page:
    """Paste text into the editor and return the page."""
    editor(page).click()
    page.keyboard.press("ControlOrMeta+a")
    editor(page).evaluate(PASTING, text)
    return page


def ran(page: Page, text: str | None = None) -> Locator:
    """Run these tests, or those in the editor, by the keyboard and return the report."""
    if text is not None:
        written(page, text)
    editor(page).press("ControlOrMeta+Enter")
    hear(page, "Running your tests with correct classes…")
    return finished(page)


def finished(page: Page) -> Locator:
    """Return the report once it is there."""
    expect(page.locator("#tests:not([data-running])")).to_be_attached(timeout=240_000)
    return report(page)


def test_report_matches_command(page: Page) -> None:
    wanted: dict[str, Any] = json.loads(tried(WEAK, json.dumps(GAMES)))
    told = ran(page, WEAK)
    caught, count = len(wanted["caught"]), len(CARDS)
    said = f"Catches {caught} of {count} known mistakes"
    hear(page, said)
    expect(told).to_be_focused()
    names = [row["name"] for row in wanted["missed"]]
    assert len(names) == count - caught
    does = {card["name"]: card["does"] for card in CARDS}
    expect(told.locator("summary")).to_have_text([does[name] for name in names])
    code = told.locator("pre").evaluate_all("(all) => all.map((one) => one.textContent.trim())")
    plain = [re.sub(r"\n +", "\n", row["code"]) for row in wanted["missed"]]
    assert code == plain


def test_missed_mistake_is_caught_once_its_test_is_added(page: Page) -> None:
    told = ran(page, WEAK)
    before = told.locator("summary").count()
    first = told.locator("details").first
    does = first.locator("summary").inner_text()
    first.locator("summary").click()
    first.get_by_role("button", name="Add this test").click()
    hear(page, "Added")
    expect(first.get_by_role("button", name="Added")).to_be_visible()
    expect(editor(page)).to_contain_text("def test_")
    expect(told).not_to_have_attribute("data-old", "")
    told = ran(page)
    expect(told.locator(".judgement")).to_contain_text("Catches")
    assert told.locator("summary").count() < before
    assert does not in told.locator("summary").all_inner_texts()


@pytest.mark.parametrize("indent", ["    ", "  "])
@pytest.mark.parametrize("bases", ["unittest.TestCase", "\n        unittest.TestCase,\n"])
def test_unittest_method_is_added_to_its_class(page: Page, bases: str, indent: str) -> None:
    told = ran(page, UNITTEST.format(bases=bases, indent=indent))
    for number in range(2):
        row = told.locator("details").nth(number)
        row.locator("summary").focus()
        page.keyboard.press("Enter")
        row.get_by_role("button", name="Add this test").press("Enter")
    text = editor(page).inner_text()
    method = rf"{indent}def test_\w+\(self\):\n.*\n.*assertEqual.*\n\n+"
    assert re.search(rf"^{method}{method}if __name__", text, re.MULTILINE)


def test_added_test_gets_name_of_its_own(page: Page) -> None:
    first = ran(page, WEAK).locator("details").first
    first.locator("summary").click()
    name = re.findall(r"def (\w+)", first.locator("pre").inner_text())[0]
    written(page, f"{WEAK}\n\ndef {name}(): pass\n")
    first.get_by_role("button", name="Add this test").click()
    expect(editor(page)).to_contain_text(f"def {name}_2():")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "from tictactoe import TicTacToe\n"
            "def test_it(): assert TicTacToe(3).move(0, 0, 1) == 1\n",
            "A correct class fails your teststest_it fails with a correct class: AssertionError",
        ),
        (LOOP, "Your tests did not finishWith a correct class they did not end within 10 s."),
        ("def test_it(:\n", "Your tests cannot be runLine 1 of tests.py is not valid Python"),
        ("def test_it(): assert 1\n", "Tests.py imports no class or function that it calls."),
        (
            "import pytest\nfrom a import B\ndef test_it(): B(3).move(0, 0, 1)\n",
            "Tests.py needs pytest, which is not installed.",
        ),
        ("from a import B\ndef check(): B(3).move(0, 0, 1)\n", "Tests.py has no tests."),
    ],
    ids=["failing", "endless", "syntax", "no class", "pytest", "no tests"],
)
def test_problems_are_explained(page: Page, text: str, says: str) -> None:
    told = ran(page, text)
    expect(told).to_contain_text(says)
    expect(told).not_to_contain_text("Traceback")
    if "Line 1" in says:
        told.get_by_role("button", name="Go to line 1").click()
        expect(page.locator("#tests .cm-activeLine")).to_have_text("def test_it(:")


def test_run_can_be_stopped_and_repeated(page: Page) -> None:
    hog = "\n    all = []\n    while True: all.append(bytes(1 << 24))\n"
    text = f"from a import B\ndef test_it():\n    B(3).move(0, 0, 1){hog}"
    expect(ran(page, text)).to_contain_text("test_it fails with a correct class: MemoryError")
    written(page, LOOP)
    page.locator("#tests").get_by_role("button", name="Run").click()
    hear(page, "Running your tests with correct classes…")
    page.locator("#tests").get_by_role("button", name="Stop").click()
    hear(page, "Stopped.")
    expect(page.locator("#tests-doing")).to_have_text("Stopped.")
    finished(page)
    expect(ran(page, WEAK).locator(".judgement")).to_contain_text("Catches")


def test_loading_can_be_stopped(people: People) -> None:
    """Stop while Python loads; the next run goes on with what has loaded."""
    page = people.come("/docs")
    page.route("**/checker.zip", lambda _route: None)
    page.goto("/learn#tests")
    written(shown(page), UNITTEST.format(bases="unittest.TestCase", indent="    "))
    editor(page).press("ControlOrMeta+Enter")
    expect(page.locator("#tests[data-running]")).to_be_attached()
    page.locator("#tests").get_by_role("button", name="Stop").click()
    hear(page, "Stopped.")
    finished(page)
    page.unroute("**/checker.zip")  # which lets the waiting request pass
    expect(ran(page).locator(".judgement")).to_contain_text("Catches")


def test_link_to_class_shows_class(people: People) -> None:
    page = shown(people.come("/learn#tests"))
    page.evaluate("location.hash = '#turn=bWluZQ'")
    expect(page.locator("#turn-editor")).to_be_visible()
    expect(page.locator("#tests")).to_be_hidden()


def test_tests_are_kept_and_the_class_stays(people: People) -> None:
    people.expected.append("net::ERR_FAILED")
    page = people.come("/docs")
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.removeprefix(people.server.url)))
    page.route(f"**{PYTHON}", lambda route: route.abort())
    page.goto("/learn#turn")
    expect(page.locator("#turn-editor")).to_be_visible()
    assert "/page/learn/tests.js" not in loaded
    page.get_by_role("button", name="Your tests", exact=True).click()
    written(shown(page), "mine = 1\n")
    expect(page.locator("#turn-editor")).to_be_hidden()
    page.get_by_role("button", name="Your class", exact=True).click()
    expect(page.locator("#tests-editor")).to_be_hidden()
    expect(page.get_by_role("textbox", name="Your class, in Python")).to_contain_text("class Tic")
    page.goto("/docs")
    page.goto("/learn#tests")
    expect(editor(shown(page))).to_have_text("mine = 1")
    page.locator("#tests").get_by_role("button", name="Reset").click()
    expect(editor(page)).to_contain_text("def test_row():")
    editor(page).press("ControlOrMeta+z")
    expect(editor(page)).to_have_text("mine = 1")
    page.get_by_role("button", name="Your class", exact=True).click()
    expect(page).to_have_url(re.compile("/learn#turn$"))
    expect(page.get_by_role("textbox", name="Your class, in Python")).to_contain_text("class Tic")


@pytest.mark.parametrize(("locale", "heading"), [
    ("en-GB", "Catches "),
    ("de-DE", "Bemerkt "),
    ("es-ES", "Detecta "),
    ("zh-CN", "已知错误中发现了"),
])  # fmt: skip
def test_tests_run_on_phone_in_every_language(people: People, locale: str, heading: str) -> None:
    dark = "dark" if locale < "en" else "light"
    page = people.come("/learn#turn", locale=locale, color_scheme=dark, **PHONE)
    page.locator("#turn-parts button").nth(1).tap()
    shown(page).locator("#tests .primary").tap()
    told = finished(page)
    expect(told).to_be_focused()
    expect(told.locator(".judgement")).to_be_in_viewport()
    expect(told.locator(".judgement")).to_contain_text(heading)
    row = told.locator("details").first
    row.locator("summary").tap()
    expect(row.locator("pre")).to_be_visible()
    check(page, "#tests", media=SHAPES)
    assert width(page) == PHONE["viewport"]["width"]
    page.keyboard.press("Escape")
    expect(page.locator("#tests .primary")).to_be_focused()


def test_tests_pass_axe_in_every_scheme(page: Page) -> None:
    ran(page, WEAK).locator("summary").first.click()
    check(page, "#turn")
