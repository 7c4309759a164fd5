"""The page in other languages: every text is translated and the chosen language is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import expect

from noughts.service.http.assets import LIBRARIES, PAGE, PAGE_URL, Files, client_constants
from page.browsing import People, standing, start

LANGUAGES = sorted(path.stem for path in (PAGE / "languages").glob("*.js"))
SAME = {"noughts", "API", "JSON", "English", "Python", "JavaScript"}  # the same in every language
WORD = re.compile(r"[^\W\d_]{2}")
PAGES = ("home/home.html", "game/game.html", "learn/learn.html", "shared/nothing.html")
LESSON = PAGE / "learn"  # has its own tables, which other screens do not load
PYTHON = re.compile(r"\w+\(.*?\)|\{\w+\}|\[.*?\]|\d+")
READ = {"aim", "about", "title", "said", "own", "drawn", "words"}  # fields with texts
TEXTS = {"ERRORS", "FOULS", "REACTIONS"}  # lists of texts only
OTHER = {"k", "fills", "status", "decides", "most", "side", "name"}


class Texts(HTMLParser):
    """The texts of an HTML page, as the page looks them up."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._within = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Collect the attributes that are read out."""
        self._within = tag
        self.found |= {
            value for name, value in attributes if name in {"aria-label", "placeholder"} and value
        }

    def handle_data(self, data: str) -> None:
        """Collect the text between two tags."""
        if data.strip() and self._within != "noscript":
            self.found.add(" ".join(data.split()))


def described() -> Iterator[str]:
    """Yield the texts of the constants that the server sends; every field must be known."""
    for name, entries in client_constants().items():
        if name == "LANGUAGES":  # browsers have the names
            continue
        for key, entry in entries.items():
            for field, value in (entry if isinstance(entry, dict) else {key: entry}).items():
                if field in READ or name in TEXTS:
                    yield value
                else:
                    assert field in OTHER or isinstance(value, bool), (name, field)


def wanted(*, lesson: bool) -> set[str]:
    """Return every text to be translated in the lesson, or on the other screens."""
    texts = Texts()
    for page in PAGES:
        if (PAGE / page).is_relative_to(LESSON) == lesson:
            texts.feed(Files().text(page))
    texts.found |= set() if lesson else set(described())
    for script in PAGE.rglob("*.js"):
        url = f"{PAGE_URL}/{script.relative_to(PAGE).as_posix()}"
        if script.is_relative_to(LESSON) != lesson or url in LIBRARIES:
            continue
        texts.found |= translated(script)
    return {text for text in texts.found - SAME if WORD.search(text)}


def first_texts() -> set[str]:
    """Return the texts of the lesson's HTML and of the modules that it names."""
    page = Files().text("learn/learn.html")
    texts = Texts()
    texts.feed(page)
    named = {path for path in LESSON.glob("*.js") if f"/page/learn/{path.name}" in page}
    return texts.found | {text for path in named for text in translated(path)}


def translated(script: Path) -> set[str]:
    """Return the texts that a script looks up."""
    literals = re.findall(r'\bt\(\s*("(?:[^"\\]|\\.)*")', script.read_text())
    return {json.loads(literal) for literal in literals}


def table(folder: Path, language: str) -> dict[str, str]:
    """Return the translations of a folder, such as languages, into this language."""
    source = (folder / f"{language}.js").read_text()
    rows = re.findall(r'^  (?:("(?:[^"\\]|\\.)*")|(\w+)):\s*("(?:[^"\\]|\\.)*"),$', source, re.M)
    return {(json.loads(key) if key else word): json.loads(text) for key, word, text in rows}


@pytest.mark.parametrize("language", LANGUAGES)
def test_known_mistakes_are_all_translated(language: str) -> None:
    cards = json.loads((LESSON / "mistakes.json").read_text())
    texts = json.loads((LESSON / f"languages/mistakes.{language}.json").read_text())
    assert [*texts] == [card["name"] for card in cards]
    for card in cards:  # code stays the same in every language
        for text, translation in zip((card["does"], card["why"]), texts[card["name"]], strict=True):
            assert {*PYTHON.findall(text)} == {*PYTHON.findall(translation)}, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_all_translated(language: str) -> None:
    shared = table(PAGE / "languages", language)
    first = table(LESSON / "languages", language)
    later = table(LESSON / "languages/later", language)
    assert not {*first} & {*later}
    assert not {*later} & first_texts()  # these modules do not wait for that table
    teachers = table(LESSON / "languages/class", language)
    assert not {*teachers} & {*first, *later}
    script = table(LESSON / "languages/javascript", language)
    assert not {*script} & {*first, *later, *teachers}
    tests = table(LESSON / "languages/tests", language)
    assert not {*tests} & {*first, *later, *teachers, *script}
    own = first | later | teachers | script | tests
    assert sorted(wanted(lesson=False) - set(shared)) == []
    assert sorted(set(shared) - wanted(lesson=False)) == []
    assert sorted(wanted(lesson=True) - set(shared) - set(own)) == []
    assert sorted(set(own) - (wanted(lesson=True) - set(shared))) == []
    for text, translation in [*shared.items(), *own.items()]:
        names = re.compile(r"\{\w+\}")
        assert set(names.findall(text)) == set(names.findall(translation)), text


@pytest.mark.parametrize(("locale", "button", "turn"), [
    ("de-AT", "Spielen", "Du bist am Zug"),
    ("es-MX", "Jugar", "Te toca"),
    ("zh-CN", "开始", "轮到你了"),
])  # fmt: skip
def test_browser_locale_sets_language(people: People, locale: str, button: str, turn: str) -> None:
    page = people.come(locale=locale, viewport={"width": 360, "height": 740})
    expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    page.get_by_role("button", name=button, exact=True).click()
    expect(standing(page)).to_have_text(turn)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.goto("/")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_reader_can_change_language(people: People) -> None:
    page = people.come(locale="fr-FR")  # not available
    page.get_by_role("button", name="Connect Four").click()
    page.get_by_label("Language").select_option("Deutsch")
    expect(page.get_by_role("button", name="Spielen", exact=True)).to_be_enabled()
    four = page.get_by_role("button", name="Vier gewinnt")
    expect(four).to_have_attribute("aria-pressed", "true")  # the choice survives
    page.get_by_role("button", name="Groß").click()
    expect(page.locator("#count")).to_have_text("37.632 Linien")
    start(page, opponent="self")
    expect(standing(page)).to_have_text("X ist am Zug")
    page.goto("/nowhere")
    people.expected.append("404")
    expect(page.get_by_role("heading", level=1)).to_have_text("Seite nicht gefunden")
