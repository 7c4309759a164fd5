"""People with browsers: fixtures for the tests of the page. conftest.py hands them on."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from noughts.picture import cell_name
from service.serving import Server, missing, serving, unmeasured_processes

if TYPE_CHECKING:
    from playwright.sync_api import (
        Browser,
        BrowserContext,
        ConsoleMessage,
        Locator,
        Page,
        Playwright,
        Request,
    )

NAME = "noughts.test"  # of the server in a network, for the browser alone
# The first has no windows: with one for each profile, which nobody sees, a page takes three times
# the processor's time.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PATIENCE = 30_000  # milliseconds that a page may take: what counts is what comes, not how soon

# Keeps whatever the live region says, however soon it says something else.
LISTENING = """
window.heard = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes)
    if (target.role === "status") for (const { textContent } of addedNodes) heard.push(textContent);
}).observe(document, { childList: true, subtree: true });
"""

# The browser may say that it is offline while it still connects: it is said again once it does not.
CUT_OFF = """async () => {
  while (await fetch("/healthz").then(() => true, () => false));
  dispatchEvent(new Event("offline"));
}"""

# What the page shows in passing, for some seconds, stays until a test calls `pass`.
LASTING = """
const passing = [];
window.pass = () => passing.splice(0).forEach((go) => go());
window.setTimeout = ((later) => (go, ms, ...rest) =>
  ms < 5000 || ms > 8000 ? later(go, ms, ...rest) : passing.push(go) && 0)(setTimeout);
"""


class People:
    """Whoever opens the page: each with a browser profile, and none with anything to complain of.

    A message on the console, an error on the page, a request to another server and whatever the
    content security policy forbids is a complaint, unless a pattern of `expected` matches it.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.server = server
        self.complaints: list[str] = []
        self.expected: list[str] = []

    def come(self, path: str = "/", *, before: str = "", **profile: Any) -> Page:
        """A new person, at a page of the server; each of their pages runs a script `before` all."""
        profile.setdefault("reduced_motion", "reduce")
        profile.setdefault("viewport", {"width": 1280, "height": 800})
        profile.setdefault("service_workers", "block")  # each would keep the whole page
        context = self._browser.new_context(base_url=self.server.url, **profile)
        self._contexts.append(context)
        context.add_init_script(LISTENING + before)
        page = context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", self._request)
        page.goto(path)
        return page

    def unexpected(self) -> list[str]:
        """The complaints that nothing explains."""
        explained = re.compile("|".join(self.expected) or r"(?!)")
        return [complaint for complaint in self.complaints if not explained.search(complaint)]

    def leave(self) -> None:
        """Close all that was opened."""
        for context in self._contexts:
            context.close()

    def _console(self, message: ConsoleMessage) -> None:
        # What the policy forbids the browser reports here, as an error.
        if message.type in {"error", "warning"} and "blocked by Playwright" not in message.text:
            self.complaints.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        at = urlsplit(request.url)
        if at.scheme not in {"blob", "data"} and at.port != self.server.port:
            self.complaints.append(f"request: {request.url}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        yield browser
        browser.close()


def chromium(playwright: Playwright) -> Browser:
    """The Chromium of this machine."""
    found = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if found is None:
        missing("Chromium")
    # Without the process that stands in for a graphics card: a quarter of all the time; and with
    # one process for all pages: a fifth of the rest.
    quick = ["--disable-gpu", "--renderer-process-limit=1"]
    arguments = ["--no-sandbox", *quick, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    return playwright.chromium.launch(executable_path=found, args=arguments)


@pytest.fixture(scope="session")
def page_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of the page. What of it would be measured, other tests reach too."""
    database: Path = tmp_path_factory.mktemp("page") / "games.db"
    with ExitStack() as stack:
        with unmeasured_processes():
            server = stack.enter_context(serving(f"sqlite:///{database}", "--host-name", NAME))
        yield server


@pytest.fixture
def people(browser: Browser, page_server: Server) -> Iterator[People]:
    """People, and in the end the question whether they had anything to complain of."""
    with visiting(browser, page_server) as people:
        yield people


@contextmanager
def visiting(browser: Browser, server: Server) -> Iterator[People]:
    """People, who must have nothing to complain of in the end."""
    people = People(browser, server)
    yield people
    people.leave()
    unexpected = people.unexpected()
    assert not unexpected, "\n".join(unexpected)


def make(page: Page, **wish: Any) -> dict[str, Any]:
    """Make a game as the start page would: what the server answers."""
    made: dict[str, Any] = page.evaluate(
        """async (wish) => {
          const { createGame } = await import("/page/shared/api.js");
          const { remember } = await import("/page/shared/recent.js");
          const made = await createGame(wish);
          remember(made);
          return made;
        }""",
        wish if "shape" in wish else {"n": 3, **wish},
    )
    return made


def start(page: Page, **wish: Any) -> str:
    """Make a game as the start page would, and open it; its id."""
    id = str(make(page, **wish)["id"])
    page.goto(f"/g/{id}")
    standing(page).wait_for()
    return id


def cell(page: Page, row: int, col: int) -> Locator:
    """The cell in a row and a column, both counted from 1, as a screen reader tells it."""
    name = cell_name((row - 1, col - 1))
    return page.get_by_role("gridcell", name=re.compile(rf"^{name},"))


def standing(page: Page) -> Locator:
    """Where the page says how the game stands."""
    return page.locator("#standing")


def announcer(page: Page) -> Locator:
    """The one live region."""
    return page.get_by_role("status")


def hear(page: Page, text: str | re.Pattern[str]) -> None:
    """Wait until the live region says this, after what was heard before."""
    from playwright.sync_api import TimeoutError

    wanted = text.pattern if isinstance(text, re.Pattern) else f"^{re.escape(text)}$"
    try:
        page.wait_for_function(
            """(wanted) => {
              const at = heard.findIndex((said) => new RegExp(wanted).test(said));
              heard.splice(0, at + 1);
              return at >= 0;
            }""",
            arg=wanted,
            timeout=PATIENCE,
        )
    except TimeoutError:
        pytest.fail(f"{text!r} was not announced, but {page.evaluate('heard')}")


def play(page: Page, *cells: tuple[int, int]) -> None:
    """Play cells, one after the other, each as soon as it can be played."""
    from playwright.sync_api import expect

    for row, col in cells:
        expect(page.locator("noughts-board")).to_have_class(re.compile("playable"))
        cell(page, row, col).click()
        expect(cell(page, row, col)).not_to_have_accessible_name(re.compile("empty|being sent"))


def cut_off(page: Page) -> None:
    """Cut the network of a page, which notices it."""
    page.context.set_offline(True)
    page.evaluate(CUT_OFF)
    page.locator("#lost").wait_for()


def friends(
    people: People, *, before: str = "", profile: Mapping[str, Any] = {}, **wish: Any
) -> tuple[Page, Page]:
    """Ada, who has made this game and plays X, and Bo, who has joined it."""
    ada = people.come(before=before, **profile)
    start(ada, name="Ada", **wish)
    link = ada.get_by_label("Link").first.input_value()
    bo = people.come(link, before=before, **profile)
    bo.get_by_label("Your name").fill("Bo")
    bo.get_by_role("button", name="Join the game").click()
    hear(ada, "Bo has joined. Your turn.")
    return ada, bo
