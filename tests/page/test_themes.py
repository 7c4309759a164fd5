"""Themes of the board: defaults, the player's choice and contrast."""

from __future__ import annotations

from io import BytesIO
from typing import Any, Literal

import httpx
import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Page, expect

from noughts import Rules
from noughts.picture import THEMES, theme_of
from page.browsing import People, cell, play, start
from page.test_access import check

GOMOKU: dict[str, Any] = {"opponent": "self", "n": 15, "k": 5}
CONNECT_FOUR: dict[str, Any] = {"opponent": "self", "shape": [6, 7], "k": 4, "gravity": True}
RULES = [
    Rules(),
    Rules((5, 5)),
    Rules((6, 6), 5),
    Rules((5, 9), 5),
    Rules((6, 6), 4),
    Rules.gomoku("renju"),
    Rules.connect_four(),
    Rules((9, 9), 5, gravity=True),
    Rules((20, 20), 5),
    Rules((20, 21), 5),
    Rules((21, 20), 4, gravity=True),
    Rules((100, 100), 5),
]


def has_theme(page: Page, name: str) -> None:
    """Wait until the board has this theme."""
    expect(page.locator("noughts-board .drawing")).to_have_attribute("data-theme", name)


def kept(theme: str) -> str:
    """Return a script that stores a chosen theme in the browser."""
    return f"localStorage['noughts.look'] = JSON.stringify('{theme}');"


def test_default_theme_matches_python(people: People) -> None:
    page = people.come("/docs")
    found = page.evaluate(
        """async (rules) => {
          const { themeOf } = await import("/page/shared/marks.js");
          return rules.map(themeOf);
        }""",
        [{"shape": its.shape, "k": its.k, "gravity": its.gravity} for its in RULES],
    )
    assert found == [theme_of(its) for its in RULES]
    assert {*found} == {*THEMES}


def test_chosen_theme_is_remembered(people: People) -> None:
    page = people.come()
    start(page, **GOMOKU)
    play(page, (8, 8), (9, 9))
    has_theme(page, "stones")
    choice = page.get_by_label("Theme")
    expect(choice).to_have_value("")
    choice.focus()
    page.keyboard.type("Discs")
    has_theme(page, "discs")
    expect(choice).to_be_focused()
    page.reload()
    expect(choice).to_have_value("discs")
    has_theme(page, "discs")
    play(page, (8, 9))
    start(page, opponent="self")
    has_theme(page, "discs")
    page.goto("/")
    expect(page.locator("#preview")).to_have_attribute("data-theme", "discs")
    page.go_back()
    play(page, (1, 1))
    page.get_by_label("Theme").select_option("Automatic")
    has_theme(page, "marks")
    start(page, **CONNECT_FOUR)
    has_theme(page, "discs")


@pytest.mark.parametrize("spoilt", ['"wood"', "{}", '"toString"', "3", "'"])
def test_unknown_theme_is_ignored(people: People, spoilt: str) -> None:
    page = people.come(before=f"localStorage['noughts.look'] = {spoilt!r};")
    start(page, **GOMOKU)
    has_theme(page, "stones")


def test_pictures_use_theme_of_board(people: People) -> None:
    page = people.come()
    start(page, **GOMOKU)
    play(page, (8, 8))
    for name, theme in (("Automatic", "stones"), ("X and O", "marks"), ("Discs", "discs")):
        page.get_by_label("Theme").select_option(name)
        for kind in ("svg", "png"):
            url = page.locator(f"#record-{kind}").get_attribute("href")
            assert url
            assert url.endswith(f"record.{kind}?look={theme}")
            assert httpx.get(f"{people.server.url}{url}").status_code == 200


def test_referees_view_uses_plain_theme(people: People) -> None:
    page = people.come()
    start(page, **GOMOKU)
    play(page, (8, 8))
    page.get_by_label("Referee’s view").check()
    has_theme(page, "marks")
    page.get_by_label("Referee’s view").uncheck()
    has_theme(page, "stones")


def test_large_boards_and_forced_colours_use_marks(people: People) -> None:
    page = people.come(before=kept("discs"))
    start(page, opponent="self", n=21, k=5)
    play(page, (8, 8))
    has_theme(page, "marks")
    expect(page.get_by_label("Theme")).to_be_disabled()
    other = people.come(forced_colors="active")
    start(other, **GOMOKU)
    has_theme(other, "marks")


@pytest.mark.parametrize("game", [GOMOKU, CONNECT_FOUR], ids=["stones", "discs"])
def test_theme_passes_axe(people: People, game: dict[str, Any]) -> None:
    page = people.come()
    start(page, **game)
    play(page, (6, 3))
    for path in (page.url, "/"):
        page.goto(path)
        check(page)


CONTRAST = """([one, other]) => {
  const light = (name) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    const drawing = document.querySelector("noughts-board .drawing");
    const owner = drawing.querySelector(name.split(" ")[1] ?? ".plate");
    canvas.fillStyle = getComputedStyle(owner).getPropertyValue(name.split(" ")[0]);
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
  };
  const [a, b] = [light(one), light(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""
EDGES = {
    "stones": [
        ("--ruling", "--plate"),  # the lines, and the rims of white stones
        ("--face .face.p1", "--plate"),
        ("--mark .face.p1", "--plate"),  # the frame of the last move
        ("--mark .face.p2", "--plate"),
        ("--cut .face.p1", "--face .face.p1"),
        ("--mark .face.p2", "--face .face.p2"),
    ],
    "discs": [
        ("--ruling", "--ground"),  # the rims of holes
        ("--mark .face.p1", "--ground"),
        ("--mark .face.p2", "--ground"),
        ("--cut", "--mark .face.p1"),
        ("--cut", "--mark .face.p2"),
    ],
}


@pytest.mark.parametrize("name", EDGES)
def test_theme_has_enough_contrast(people: People, name: str) -> None:
    """Require a contrast of 3, as WCAG 2.2 does in criterion 1.4.11."""
    page = people.come(before=kept(name))
    start(page, **GOMOKU)
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        for edge in EDGES[name]:
            assert page.evaluate(CONTRAST, edge) >= 3, (scheme, edge)


@pytest.mark.parametrize("name", THEMES)
def test_marks_differ_for_colour_blind_players(people: People, name: str) -> None:
    """Mark every stone and disc with its player's cross or ring, whatever its colour."""
    page = people.come(before=kept(name))
    start(page, opponent="self")
    play(page, (1, 1), (1, 2), (3, 3))
    session = page.context.new_cdp_session(page)
    for deficiency in ("protanopia", "deuteranopia", "tritanopia", "achromatopsia"):
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
        first, second = (
            Image.open(BytesIO(cell(page, 1, col).screenshot())).convert("L") for col in (1, 2)
        )
        second = second.resize(first.size)
        assert ImageStat.Stat(ImageChops.difference(first, second)).mean[0] > 8, deficiency


def test_disc_drops_when_played(people: People) -> None:
    page = people.come(reduced_motion="no-preference")
    start(page, **CONNECT_FOUR)
    cell(page, 1, 4).click()
    expect(page.locator(".fresh")).to_have_css("animation-name", "drop")
    expect(cell(page, 6, 4)).to_have_accessible_name("D6, X, last move")
    path = page.locator(".fresh path")
    expect(path).to_have_attribute("d", "M307 507h86v86h-86z")
    expect(path).to_have_css("fill", 'url("#face1")')
