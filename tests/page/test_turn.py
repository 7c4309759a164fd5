"""The last screen of the lesson, where Python in the browser checks a class."""

from __future__ import annotations

import inspect
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from noughts.checker.catalogue import CATALOGUE, right
from noughts.service.http.assets import CHECKER, HEAVY, JAVASCRIPT_FILES, PAGE, PYTHON
from noughts.service.http.assets import PUBLIC_PYODIDE_URL as PUBLIC
from noughts.service.http.assets import PYODIDE_FILES as FILES
from noughts.service.http.assets import PYODIDE_URL as ADDRESS
from noughts.service.http.assets import installed_pyodide as installed
from noughts.service.http.middleware import POLICY
from page.browsing import People, hear, visiting
from page.measuring import WATCH
from page.test_access import SHAPES, check
from page.test_screens import PHONE, width
from service.serving import Server, missing, serving, speaking_to

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples/solutions"
TOOLS = ROOT / "script/page/node_modules"
SUMS = (EXAMPLES / "sums.py").read_text()
WRONG = (EXAMPLES / "off_by_one.py").read_text()
IDLE = "class TicTacToe:\n    def __init__(self, n): {}\n    def move(self, row, col, player): {}\n"
JUDGING = """(texts) => new Promise((end) => {
  const python = new Worker("/page/learn/python.js", { type: "module" });
  python.postMessage({});
  const reports = [];
  python.onmessage = ({ data: { ready, report, failed } }) => {
    if (failed) end(failed);
    if (report) reports.push(report);
    if (reports.length === texts.length) end(reports);
    else if (ready || report) python.postMessage({ judge: texts[reports.length] });
  };
})"""

PASTING = """(editor, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const paste = { clipboardData, bubbles: true, cancelable: true, composed: true };
  editor.dispatchEvent(new ClipboardEvent("paste", paste));
}"""


pytestmark = pytest.mark.usefixtures("pyodide")


def text_of(solution: Any) -> str:
    """Return the source of a solution and its base classes, renamed TicTacToe."""
    own = {cls: None for cls in reversed(solution.__mro__) if cls.__module__ != right.__name__}
    parts = [inspect.getsource(cls) for cls in own if cls is not object]
    text = "".join([inspect.getsource(right), "\n_Sums, _Board = Sums, Board\n", *parts])
    names = "from collections import Counter, defaultdict\nfrom typing import *\n"
    return f"{names}{text}\nclass TicTacToe({solution.__name__}):\n    pass\n"


def written(page: Page, text: str) -> Page:
    """Paste text into the editor and return the page."""
    editor(page).click()
    page.keyboard.press("ControlOrMeta+a")
    editor(page).evaluate(PASTING, text)
    return page


def editor(page: Page) -> Locator:
    """Return the editor."""
    return page.get_by_role("textbox", name="Your class, in Python")


def report(page: Page) -> Locator:
    """Return the region with the verdict."""
    return page.get_by_role("region", name="Checker’s verdict")


def judge(page: Page, text: str) -> Locator:
    """Check this class and return the report."""
    written(page, text)
    page.keyboard.press("ControlOrMeta+Enter")
    hear(page, "Checking your class…")
    expect(page.locator("#turn:not([data-running])")).to_be_attached(timeout=240_000)  # measured
    return report(page)


@pytest.fixture(scope="module")
def page(browser: Browser, page_server: Server) -> Iterator[Page]:
    """Return the screen with Python loaded, which takes as long as most checks."""
    with visiting(browser, page_server) as people:
        people.expected.append("unsafe-eval")  # one solution tries to escape
        yield there(people.come("/learn#turn"))


def shown(page: Page) -> Page:
    """Return the page once the editor has loaded."""
    expect(page.locator("#turn-editor")).to_be_visible()
    return page


def there(page: Page) -> Page:
    """Return the page once the editor and Python have loaded."""
    expect(shown(page).locator("#turn-doing")).to_have_text("Python is ready.", timeout=90_000)
    return page


# Verdicts


@pytest.mark.usefixtures("unmeasured")
def test_browser_verdicts_match_command(browser: Browser, page_server: Server) -> None:
    """Check a few known mistakes; test_catalogue.py runs the same code on all of them."""
    mistakes = CATALOGUE["TicTacToe"][::16]
    with visiting(browser, page_server) as people:
        page = people.come("/docs")
        page.set_default_timeout(600_000)
        told = page.evaluate(JUDGING, [text_of(each.solution) for each in mistakes])
    said = [(each["verdict"], each["diagnosis"]) for each in told]
    assert said == [("wrong", each.name) for each in mistakes]


def test_wrong_class_is_explained(page: Page) -> None:
    told = judge(page, WRONG)
    hear(page, "Wrong: wrong on 2×2 after 3 moves (no shorter game fails)")
    expect(told).to_contain_text("Wrong on 2×2 after 3 moves (no shorter game fails).")
    expect(told).to_contain_text("class with this mistake:Uses row + col == n")
    expect(told.locator(".cost")).to_have_text(
        [
            re.compile("^Time per move"),
            re.compile("^Creating an object"),
            re.compile(r"^MemoryO\(n"),
        ]
    )
    told.get_by_role("button", name="Back").click()
    hear(page, re.compile("^Move 2 of 3"))
    check(page, "#turn")


def test_correct_class_shows_its_output(page: Page) -> None:
    told = judge(page, SUMS.replace("self.n = n", "self.n = n; print('made', n)"))
    expect(told).to_contain_text("✓ Correct")
    expect(told).to_contain_text(re.compile(r"Right in [\d,]+ games: every game up to 3×3"))
    told.get_by_text("Output").click()
    expect(told.locator("pre")).to_contain_text("made 1\nmade 2")


def test_python_errors_are_shown_at_their_line(page: Page) -> None:
    told = judge(page, "class TicTacToe:\n    x = 1\n    def move(self\n")
    expect(told).to_contain_text("It cannot be run")
    told.get_by_role("button", name="Go to line 3").click()
    expect(page.locator(".cm-activeLine")).to_have_text("    def move(self")
    raising = IDLE.format("pass", "\n        a = []\n        return a[row]")
    told = judge(page, raising)
    expect(told).to_contain_text("IndexError: list index out of range")
    expect(told.get_by_role("button", name="Go to line 5")).to_be_visible()
    expect(page.locator(".cm-lintRange-error")).to_have_text("return a[row]")
    told.get_by_role("button", name="Go to line 5").click()
    page.keyboard.type("#")
    expect(page.locator(".cm-lintRange-error")).to_have_count(0)
    expect(told).to_have_attribute("data-old", "")  # the report is about other code


def test_typing_replaces_everything_and_focus_can_leave(people: People) -> None:
    """Consoles stay empty, too: browsers style what replaces a whole text, against the policy."""
    page = without_python(people)
    for text in ("class A:", "class B:"):
        editor(page).click()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(text)
        expect(editor(page)).to_have_text(text)
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.locator("#turn-run")).to_be_focused()


def test_problem_has_hints_and_solution_after_attempt(people: People) -> None:
    page = without_python(people)
    hints, more = page.locator("#turn-hints li"), page.locator("#turn-hint")
    for count in (1, 2, 3):
        more.click()
        expect(hints.locator("visible=true")).to_have_count(count)
    expect(more).to_be_hidden()
    expect(page.locator("#turn-solution")).to_be_hidden()


def test_verdict_is_in_view_and_focused(browser: Browser, page_server: Server) -> None:
    """Check a class in German on a phone: the verdict is a sheet at the foot of the window."""
    with visiting(browser, page_server) as people:
        page = people.come("/learn#turn", locale="de-DE", color_scheme="dark", **PHONE)
        editor = page.get_by_role("textbox", name="Deine Klasse, in Python")
        expect(page.locator("#turn-editor")).to_be_visible()
        editor.tap()
        page.keyboard.press("ControlOrMeta+a")
        editor.evaluate(PASTING, WRONG)
        page.locator("#turn-run").tap()
        verdict = page.locator("#turn-report")
        expect(page.locator("#turn-report[data-told]")).to_be_attached(timeout=90_000)
        expect(verdict).to_be_focused()
        expect(verdict.locator(".judgement")).to_be_in_viewport()
        check(page, "#turn-report", media=SHAPES)
        verdict.press("Escape")
        expect(page.locator("#turn-run")).to_be_focused()
        page.locator("#turn-solution").tap()
        expect(page.locator(".writing .code")).to_contain_text("self.anti_diagonal += mark")
        assert width(page) == 360


def test_verdict_makes_room(browser: Browser, page_server: Server) -> None:
    """On a phone, the sheet closes when its link is followed, and when the code changes."""
    with visiting(browser, page_server) as people:
        page = people.come("/learn#turn", **PHONE)
        for leave in (
            lambda verdict: verdict.get_by_role("link").tap(),
            lambda verdict: editor(page).type(" "),
        ):
            verdict = judge(page, WRONG)
            expect(verdict).to_have_css("position", "fixed")
            leave(verdict)
            expect(verdict).not_to_have_css("position", "fixed")


# Limits


def test_bad_solutions_cannot_break_page(page: Page) -> None:
    written(page, IDLE.format("pass", "\n        while True: pass"))
    page.get_by_role("button", name="Run").click()
    hear(page, "Checking your class…")
    page.get_by_role("button", name="Stop").click()
    hear(page, "Stopped.")
    expect(page.locator("#turn-doing")).to_have_text("Stopped.", timeout=90_000)
    told = judge(page, IDLE.format("print('x' * 100_000)", "return 0"))
    expect(told).to_contain_text("Wrong on 1×1 after 1 move")
    expect(told.locator("pre")).to_have_text(re.compile("^x{65536}$"))
    hog = "\n        self.all = []\n        while True: self.all.append(bytes(1 << 24))"
    expect(judge(page, IDLE.format(hog, "return 0"))).to_contain_text("It took too much memory")
    expect(judge(page, WRONG)).to_contain_text("Wrong on 2×2 after 3 moves")


def test_solution_cannot_reach_network(page: Page) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    reaching = """
import sys
found = []
def walk():
    import js, pyodide.code
    for name in ("fetch", "XMLHttpRequest", "WebSocket", "caches", "indexedDB", "Worker"):
        if hasattr(js, name):
            found.append(name)
    for run in (lambda: pyodide.code.run_js("fetch('/healthz')"),
                lambda: js.Object.constructor("return fetch('/healthz')")(),
                lambda: __import__("urllib.request").request.urlopen("/healthz")):
        try:
            found.append(run())
        except BaseException:
            pass
walk()
""" + IDLE.format("pass", "raise ValueError(found)")
    expect(judge(page, reaching)).to_contain_text("ValueError: []")
    assert not [url for url in requests if not url.endswith("/handin.js")]  # after a first check


# Storage


def without_python(people: People) -> Page:
    """Return the screen without Python, which is not needed to write a class."""
    people.expected.append("net::ERR_FAILED")
    page = people.come("/docs")
    page.route(f"**{ADDRESS}*", lambda route: route.abort())
    page.goto("/learn#turn")
    return shown(page)


def test_code_is_kept_and_shared_by_link(people: People) -> None:
    page = written(without_python(people), "mine = 1\n")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url + (request.post_data or "")))
    page.reload()
    expect(editor(page)).to_have_text("mine = 1")
    page.get_by_role("button", name="Copy a link to this code").click()
    hear(page, re.compile("^(Link copied|The link is)"))
    assert re.search(r"/learn#turn=[\w-]+$", page.url)
    assert not [each for each in requests if "mine" in each or "turn=" in each]
    friend = written(without_python(people), "theirs = 2\n")
    friend.goto("/docs")
    friend.goto(page.url)
    expect(editor(friend)).to_have_text("mine = 1")
    friend.get_by_role("button", name="Back to my code").click()
    expect(editor(friend)).to_have_text("theirs = 2")
    friend.get_by_role("button", name="Reset").click()
    expect(editor(friend)).to_contain_text("class TicTacToe:")
    editor(friend).press("ControlOrMeta+z")
    expect(editor(friend)).to_have_text("theirs = 2")


def test_checker_works_offline_after_first_use(people: People) -> None:
    people.expected.append("net::ERR_|Failed to fetch|network error")
    page = people.come("/learn#turn", service_workers="allow")
    there(page)
    heavy = [*(HEAVY - JAVASCRIPT_FILES), *(ADDRESS + name for name in FILES)]
    kept = """(heavy) => Promise.all(heavy.map((address) => caches.match(address)))
      .then((found) => found.every(Boolean))"""
    page.wait_for_function(kept, arg=heavy)
    page.context.set_offline(True)
    page.reload()
    expect(judge(there(page), WRONG)).to_contain_text("Wrong on 2×2 after 3 moves")


# Loading


def test_python_loads_only_when_needed(people: People) -> None:
    page = people.come("/docs", before=WATCH)
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.removeprefix(people.server.url)))
    page.goto("/learn")
    expect(page.locator("#question-board")).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.locator("#turn-plain")).to_have_value(re.compile("^class TicTacToe:"))
    assert not [each for each in loaded if each in HEAVY or "pyodide" in each or each == PYTHON]
    page.locator(".contents").get_by_role("link", name="Your turn").click()
    there(page)
    assert {*(HEAVY - JAVASCRIPT_FILES), PYTHON, f"{ADDRESS}pyodide.asm.wasm"} <= {*loaded}
    assert page.evaluate("shifts") == 0


def test_pyodide_is_served_locally_or_from_public_server(
    page_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with speaking_to(page_server) as client:
        for name, media_type in FILES.items():
            answer = client.get(ADDRESS + name)
            assert answer.headers["Content-Type"] == media_type.decode()
            assert "immutable" in answer.headers["Cache-Control"]
        packed = client.get(f"{ADDRESS}pyodide.asm.wasm")
        assert packed.headers["Content-Encoding"] == "gzip"
        assert packed.content == (installed() / "pyodide.asm.wasm").read_bytes()
        assert client.get(f"{ADDRESS}package.json").status_code == 404
        assert client.get(CHECKER).headers["Content-Type"] == "application/zip"
        assert client.get("/learn").headers["Content-Security-Policy"] == POLICY
        policy = client.get(PYTHON).headers["Content-Security-Policy"]
        assert policy == POLICY.replace("script-src", "script-src 'wasm-unsafe-eval'")
        assert ADDRESS in client.get(PYTHON).text
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # where Pyodide is not installed
    with serving(f"sqlite:///{tmp_path}/g.db") as server, speaking_to(server) as client:
        assert client.get("/learn").headers["Content-Security-Policy"] == POLICY
        policy = client.get(PYTHON).headers["Content-Security-Policy"]
        assert policy.count(PUBLIC) == 2
        assert PUBLIC in client.get(PYTHON).text
        assert client.get(f"{ADDRESS}pyodide.mjs").status_code == 404
        assert "pyodide" not in client.get("/worker.js").text.partition("FIXED")[0]
    with pytest.raises(RuntimeError, match="does not contain the files of Pyodide"):
        Server(f"sqlite:///{tmp_path}/g.db", "--pyodide", str(tmp_path))


@pytest.mark.tier2("compiler")
def test_bundles_are_reproducible(tmp_path: Path) -> None:
    if not (TOOLS / ".bin/esbuild").exists():
        missing("what script/page/check installs")
    subprocess.run([ROOT / "script/page/bundle", tmp_path], check=True)
    made = [path for path in tmp_path.rglob("*.*") if path.is_file()]
    assert len(made) == 2 + len(JAVASCRIPT_FILES)
    for path in made:
        assert path.read_bytes() == (PAGE / path.relative_to(tmp_path)).read_bytes()
