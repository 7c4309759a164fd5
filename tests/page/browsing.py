"""Fixtures for the tests of the page: people with browsers. conftest.py exports them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import pytest
import zxingcpp
from PIL import Image

from noughts.picture import cell_name
from noughts.service.http.assets import installed_pyodide
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

NAME = "noughts.test"  # host name that only the browser resolves to the server
# The first opens no windows; invisible windows triple the processor time of a page.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PATIENCE = 30_000  # milliseconds; the tests check results, not speed

# Records every text of the live region, however soon the next one replaces it.
LISTENING = """
window.heard = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes)
    if (target.role === "status") for (const { textContent } of addedNodes) heard.push(textContent);
}).observe(document, { childList: true, subtree: true });
"""

# Browsers may report that they are offline while requests still succeed; repeat it once they fail.
CUT_OFF = """async () => {
  while (await fetch("/healthz").then(() => true, () => false));
  dispatchEvent(new Event("offline"));
}"""

# Texts that the page shows for a few seconds stay until a test calls `pass`.
LASTING = """
const passing = [];
window.pass = () => passing.splice(0).forEach((go) => go());
window.setTimeout = ((later) => (go, ms, ...rest) =>
  ms < 5000 || ms > 8000 ? later(go, ms, ...rest) : passing.push(go) && 0)(setTimeout);
"""


def link_in_code(page: Page) -> str:
    """Return the URL in the QR code that the page shows first."""
    code = page.get_by_role("img", name="QR code for the link").first
    code.locator("svg").wait_for()
    with Image.open(BytesIO(code.screenshot())) as picture:
        [found] = zxingcpp.read_barcodes(picture)
    return found.text


class People:
    """People who open the page, each with their own browser profile.

    Every console message, page error, request to another server and violation of the content
    security policy is recorded as a complaint, unless a pattern in `expected` matches it.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.server = server
        self.complaints: list[str] = []
        self.expected: list[str] = []

    def come(self, path: str = "/", *, before: str = "", **profile: Any) -> Page:
        """Open a page of the server as a new person.

        Args:
            path: the page to open.
            before: a script that runs first on each of their pages.
            profile: options of the browser context.
        """
        profile.setdefault("reduced_motion", "reduce")
        profile.setdefault("viewport", {"width": 1280, "height": 800})
        profile.setdefault("service_workers", "block")  # each worker would cache the whole page
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
        """Return the complaints that no expected pattern matches."""
        explained = re.compile("|".join(self.expected) or r"(?!)")
        return [complaint for complaint in self.complaints if not explained.search(complaint)]

    def leave(self) -> None:
        """Close every browser profile."""
        for context in self._contexts:
            context.close()

    def _console(self, message: ConsoleMessage) -> None:
        # Browsers report violations of the policy here, as errors.
        if "blocked by Playwright" not in message.text:
            self.complaints.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        at = urlsplit(request.url)
        if at.scheme not in {"blob", "data"} and at.port != self.server.port:
            self.complaints.append(f"request: {request.url}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Yield a real Chromium."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        yield browser
        browser.close()


def chromium(playwright: Playwright) -> Browser:
    """Launch the Chromium installed on this machine."""
    found = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if found is None:
        missing("Chromium")
    # Running no GPU process saves a quarter of the time, and one process for all pages a fifth of
    # the rest.
    quick = ["--disable-gpu", "--renderer-process-limit=1"]
    arguments = ["--no-sandbox", *quick, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    return playwright.chromium.launch(executable_path=found, args=arguments)


@pytest.fixture(scope="session")
def page_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield one server for all tests of the page; other tests measure the coverage of its code."""
    database: Path = tmp_path_factory.mktemp("page") / "games.db"
    with ExitStack() as stack:
        with unmeasured_processes():
            server = stack.enter_context(serving(f"sqlite:///{database}", "--host-name", NAME))
        yield server


@pytest.fixture(scope="session")
def pyodide() -> None:
    """Require Pyodide, as script/pyodide installs it."""
    if not installed_pyodide().is_dir():
        missing("Pyodide")


@pytest.fixture
def people(browser: Browser, page_server: Server) -> Iterator[People]:
    """Yield people, and check at the end that nothing unexpected happened."""
    with visiting(browser, page_server) as people:
        yield people


@contextmanager
def visiting(browser: Browser, server: Server) -> Iterator[People]:
    """Yield people, and check at the end that nothing unexpected happened."""
    people = People(browser, server)
    yield people
    people.leave()
    unexpected = people.unexpected()
    assert not unexpected, "\n".join(unexpected)


@contextmanager
def serving_files(folder: Path) -> Iterator[Server]:
    """Serve the files of a folder; of the server, only its URL and port are there."""
    handler = partial(SimpleHTTPRequestHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        thread = Thread(target=http.serve_forever)
        thread.start()
        port = http.server_port
        try:
            yield cast("Server", SimpleNamespace(url=f"http://127.0.0.1:{port}", port=port))
        finally:
            http.shutdown()
            thread.join()


def make(page: Page, **wish: Any) -> dict[str, Any]:
    """Create a game as the start page would and return the server's answer."""
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
    """Create a game as the start page would, open it and return its id."""
    id = str(make(page, **wish)["id"])
    page.goto(f"/g/{id}")
    standing(page).wait_for()
    return id


def cell(page: Page, row: int, col: int) -> Locator:
    """Return the cell in a row and column, both counted from 1, by its accessible name."""
    name = cell_name((row - 1, col - 1))
    return page.get_by_role("gridcell", name=re.compile(rf"^{name},"))


def standing(page: Page) -> Locator:
    """Return the element with the status of the game."""
    return page.locator("#standing")


def announcer(page: Page) -> Locator:
    """Return the only live region."""
    return page.get_by_role("status")


def hear(page: Page, text: str | re.Pattern[str]) -> None:
    """Wait until the live region announces this, after earlier announcements."""
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
    """Play cells one after the other, each as soon as the board allows it."""
    from playwright.sync_api import expect

    for row, col in cells:
        expect(page.locator("noughts-board")).to_have_class(re.compile("playable"))
        cell(page, row, col).click()
        expect(cell(page, row, col)).not_to_have_accessible_name(re.compile("empty|sending"))


def cut_off(page: Page) -> None:
    """Take a page offline and wait until it notices."""
    page.context.set_offline(True)
    page.evaluate(CUT_OFF)
    page.locator("#lost").wait_for()


def friends(
    people: People, *, before: str = "", profile: Mapping[str, Any] = {}, **wish: Any
) -> tuple[Page, Page]:
    """Return the pages of Ada, who created the game and plays X, and of Bo, who joined it."""
    ada = people.come(before=before, **profile)
    start(ada, name="Ada", **wish)
    link = ada.get_by_label("Link").first.input_value()
    bo = people.come(link, before=before, **profile)
    bo.get_by_label("Your name").fill("Bo")
    bo.get_by_role("button", name="Join the game").click()
    hear(ada, "Bo has joined. Your turn.")
    return ada, bo
