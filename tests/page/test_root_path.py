"""The page of a server that a proxy serves below a path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from page.browsing import NAME, People, hear, play, standing, visiting
from service.serving import served, unmeasured_processes

ROOT = "/games"
ACTIVE = """async () => {
  const { active } = await navigator.serviceWorker.ready;
  while (active.state !== "activated")
    await new Promise((go) => active.addEventListener("statechange", go, { once: true }));
}"""


@pytest.fixture(scope="module")
def below(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    """Yield people who visit a server below a path."""
    folder: Path = tmp_path_factory.mktemp("below")
    options = f"--root-path={ROOT}", "--host-name", NAME
    with (
        unmeasured_processes(),
        served(folder, *options) as (server, _),
        visiting(browser, server) as people,
    ):
        yield people


def come(people: People, path: str) -> tuple[Page, list[str]]:
    """Open a page, and note what it requests outside the path of the server."""
    page, outside = people.come(path, service_workers="allow"), list[str]()

    def note(request: Request) -> None:
        at = urlsplit(request.url)
        if at.scheme == "http" and not at.path.startswith(f"{ROOT}/"):
            outside.append(request.url)

    page.context.on("request", note)
    return page, outside


def test_friends_play_below_a_path(below: People) -> None:
    ada, by_ada = come(below, f"{ROOT}/")
    ada.get_by_text("A friend").click()
    ada.get_by_role("button", name="Play", exact=True).click()
    link = ada.get_by_label("Link").input_value()
    assert urlsplit(link).path.startswith(f"{ROOT}/g/")
    bo, by_bo = come(below, link)
    bo.get_by_role("button", name="Join the game").click()
    hear(ada, re.compile("joined. Your turn."))
    for player, cell in ((ada, (1, 1)), (bo, (2, 1)), (ada, (1, 2)), (bo, (2, 2)), (ada, (1, 3))):
        play(player, cell)
    expect(standing(ada)).to_have_text("You win")
    first = ada.url
    ada.get_by_role("button", name="Rematch").click()
    bo.get_by_role("button", name="Play a rematch").click()
    for page in (ada, bo):
        expect(page).not_to_have_url(first)
        assert urlsplit(page.url).path.startswith(f"{ROOT}/g/")
    assert not by_ada + by_bo


def test_pages_below_a_path_work_offline(below: People) -> None:
    below.expected.append("net::ERR_|Failed to fetch|network error")
    page, outside = come(below, f"{ROOT}/docs")  # which has no worker
    page.evaluate(
        "Promise.all(['noughts-at-the-root', 'of-another-page'].map((n) => caches.open(n)))"
    )
    page.goto(f"{ROOT}/")
    page.evaluate(ACTIVE)
    caches = page.evaluate("caches.keys()")
    (ours,) = (name for name in caches if name.startswith(f"noughts{ROOT}/-"))
    assert {*caches} == {ours, "noughts-at-the-root", "of-another-page"}
    page.context.set_offline(True)
    page.goto(f"{ROOT}/learn#race")
    expect(page.locator("#race[data-done]")).to_be_visible()
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    assert not outside


@pytest.mark.parametrize("path", ["/", "/learn", "/docs", "/nowhere/at/all"])
def test_links_stay_below_a_path(below: People, path: str) -> None:
    below.expected.append("404")
    page, outside = come(below, f"{ROOT}{path}")
    linked = [str(link.get_attribute("href")) for link in page.locator("a").all()]
    assert linked
    assert all(to.startswith(("#", f"{ROOT}/", "https://")) for to in linked), linked
    assert not outside
