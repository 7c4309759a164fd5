"""JavaScript on the last screen of the lesson: the checker judges it as the command does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from noughts.checker.submissions import Submission
from noughts.checker.submissions import judge as judge_file
from noughts.service.http.assets import JAVASCRIPT, JAVASCRIPT_FILES
from noughts.service.http.middleware import POLICY
from page.browsing import People, hear, visiting
from page.test_access import SHAPES, check
from page.test_class import link, teacher
from page.test_screens import PHONE, width
from page.test_turn import PASTING
from service.serving import Server, speaking_to

RIGHT = """class TicTacToe {
  constructor(n) {
    this.n = n;
    this.rows = Array(n).fill(0);
    this.cols = Array(n).fill(0);
    this.diagonal = 0;
    this.antiDiagonal = 0;
  }
  move(row, col, player) {
    const mark = player === 1 ? 1 : -1;
    this.rows[row] += mark;
    this.cols[col] += mark;
    if (row === col) this.diagonal += mark;
    if (row + col === this.n - 1) this.antiDiagonal += mark;
    const lines = [this.rows[row], this.cols[col], this.diagonal, this.antiDiagonal];
    return lines.some((sum) => Math.abs(sum) === this.n) ? player : 0;
  }
}
"""
WRONG = RIGHT.replace("this.n - 1", "this.n")
MOVING = "move(row, col, player) {"
ROWS = {
    "right": RIGHT,
    "wrong": WRONG,
    "make_move": RIGHT.replace(MOVING, "makeMove(row, col, player) {"),
    "no class": "const board = [];\n",
    "no n": RIGHT.replace("constructor(n) {", "constructor() {\n    const n = 3;").replace(
        "this.n = n", "this.n = 3"
    ),
    "letters": RIGHT.replace("player === 1", "player === 'X'"),
    "syntax error": RIGHT.replace("this.n = n;", "this.n = = n;"),
    "endless loop": RIGHT.replace(MOVING, f"{MOVING} while (true);"),
    "throws at the top level": f"{RIGHT}throw new Error('stop');\n",
    "prints 10 MB": f"{RIGHT}for (let i = 0; i < 100; i++) console.log('x'.repeat(100_000));\n",
    "umlauts before a wrong line": RIGHT.replace("class", "/* ÄÖÜ 🎲 */ class").replace(
        "this.n = n;", "this.n = = n; // ß"
    ),
}
JUDGING = """async (texts) => {
  const python = new Worker("/page/learn/python.js", { type: "module" });
  const ask = (request) => new Promise((end) => {
    python.onmessage = ({ data }) => "doing" in data || "loaded" in data || end(data);
    python.postMessage(request);
  });
  await ask({}); // until it is ready
  const { prepare } = await import("/page/learn/javascript/files.js");
  await prepare(ask);
  const reports = [];
  for (const judge of texts) {
    const { report, failed } = await ask({ judge, language: "javascript" });
    reports.push(report ?? failed);
  }
  return reports;
}"""
REACHING = """
const found = [];
const names = ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "caches", "indexedDB",
  "localStorage", "sessionStorage", "cookieStore", "document", "window", "self", "parent", "top",
  "navigator", "location", "Worker", "postMessage", "importScripts", "WebAssembly", "process",
  "require", "Deno", "std", "os"];
const worlds = [globalThis, Function("return this")(), (0, eval)("this")];
for (const given of [console.log, performance.now])
  worlds.push(given.constructor("return globalThis")());
for (const world of worlds)
  for (const name of names) if (name in world) found.push(name);
import("/page/learn/judge.js").then(() => console.log("imported"), () => console.log("refused"));
"""


pytestmark = pytest.mark.usefixtures("pyodide")


@pytest.fixture(scope="module")
def page(browser: Browser, page_server: Server) -> Iterator[Page]:
    """Return the screen with JavaScript chosen and loaded."""
    with visiting(browser, page_server) as people:
        yield there(people.come("/learn#turn"))


def there(page: Page) -> Page:
    """Choose JavaScript and return the page once it has loaded."""
    page.locator("#turn-language").select_option("javascript")
    expect(page.locator("#turn-editor")).to_be_visible()
    expect(page.locator("#turn-doing")).to_have_text("JavaScript is ready.", timeout=90_000)
    return page


def editor(page: Page) -> Locator:
    """Return the editor."""
    return page.get_by_role("textbox", name="Your class, in JavaScript")


def judge(page: Page, text: str) -> Locator:
    """Check this class and return the report."""
    editor(page).click()
    page.keyboard.press("ControlOrMeta+a")
    editor(page).evaluate(PASTING, text)
    page.keyboard.press("ControlOrMeta+Enter")
    hear(page, "Checking your class…")
    expect(page.locator("#turn:not([data-running])")).to_be_attached(timeout=90_000)
    return page.get_by_role("region", name="Checker’s verdict")


# Verdicts


@pytest.mark.usefixtures("unmeasured")
def test_browser_says_the_same_as_command(
    browser: Browser, page_server: Server, tmp_path: Path
) -> None:
    with visiting(browser, page_server) as people:
        page = people.come("/docs")
        page.set_default_timeout(600_000)
        reports = page.evaluate(JUDGING, [*ROWS.values()])
    file = tmp_path / "solution.js"
    for (name, text), seen in zip(ROWS.items(), reports, strict=True):
        file.write_text(text)
        told = judge_file(Submission(file.name, file), None, growth=False)
        assert said(seen) == said(vars_of(told)), name


def vars_of(report: Any) -> dict[str, Any]:
    """Return the fields of a report that are compared."""
    names = ("verdict", "message", "what", "diagnosis", "notes", "found")
    return {name: getattr(report, name) for name in names}


def said(report: dict[str, Any]) -> list[Any]:
    """Return what a report says, without how many games there was time for."""
    message = re.sub(r"in [\d,]+ games: .*", "in … games", report["message"])
    names = ("verdict", "what", "diagnosis")
    return [message, *(report[name] for name in names), [*report["notes"]], [*report["found"]]]


def test_wrong_class_is_explained_and_right_one_confirmed(page: Page) -> None:
    told = judge(page, WRONG)
    hear(page, "Wrong: wrong on 2×2 after 3 moves (no shorter game fails)")
    expect(told).to_contain_text("class with this mistake:Uses row + col == n")
    expect(told.locator(".costs")).to_contain_text("Time and memory are not measured here")
    told.get_by_role("button", name="Back").click()
    hear(page, re.compile("^Move 2 of 3"))
    check(page, "#turn")
    told = judge(page, RIGHT.replace("this.n = n", "this.n = n; console.log('made', [n])"))
    expect(told).to_contain_text("✓ Correct")
    told.get_by_text("Output").click()
    expect(told.locator("pre")).to_contain_text("made [1]\nmade [2]")
    page.get_by_role("button", name="Compare with a solution").click()
    expect(page.locator(".writing .code")).to_contain_text("this.antiDiagonal += mark")


def test_syntax_error_is_shown_at_its_line(page: Page) -> None:
    told = judge(page, ROWS["syntax error"])
    expect(told).to_contain_text("Line 3 of solution.js is not valid JavaScript")
    expect(page.locator(".cm-lintRange-error")).to_have_text("this.n = = n;")
    expect(page.locator("#turn-doing")).to_have_text("JavaScript is ready.")
    told.get_by_role("button", name="Go to line 3").click()
    expect(page.locator(".cm-activeLine")).to_have_text("    this.n = = n;")


def test_whole_game_is_judged_as_a_task(people: People) -> None:
    form = teacher(people)
    form.get_by_label("Problem").select_option("tictactoe")
    page = there(people.come(link(form)))
    expect(editor(page)).to_contain_text("function tictactoe(moves) {")
    told = judge(page, "function tictactoe(moves) { return 'Pending'; }\n")
    expect(told).to_contain_text("Wrong on 3×3 after 5 moves")


def test_javascript_is_handed_in_and_judged_again(people: People, tmp_path: Path) -> None:
    student = there(people.come("/learn#turn"))
    judge(student, WRONG)
    student.get_by_text("Hand in", exact=True).click()
    with student.expect_download() as saved:
        student.get_by_role("button", name="Save a file").click()
    assert saved.value.suggested_filename == "solution.js"
    file = tmp_path / "solution.js"
    saved.value.save_as(file)
    text = file.read_text()
    assert text.startswith("// Handed in with noughts, not verified:\n// verdict: wrong\n")
    file.write_text(text.replace("verdict: wrong", "verdict: right"))
    table = teacher(people)
    table.get_by_label("Files").set_input_files(file)
    expect(table.locator("#class tbody tr")).to_have_count(1, timeout=90_000)
    expect(table.locator("#class [data-forged]")).to_contain_text("Uses row + col == n")


# Limits


def test_javascript_reaches_nothing(page: Page) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    reach = RIGHT.replace(MOVING, f"{MOVING} throw new Error(`found: [${{found}}]`);")
    told = judge(page, REACHING + reach)
    expect(told).to_contain_text("Error: found: []")
    assert not [url for url in requests if not url.endswith("/handin.js")]  # after a first check


def test_bad_solutions_end_with_a_verdict(page: Page) -> None:
    """Also what cannot be caught: the page stays as it was, and judges the next."""
    deep = ROWS["right"].replace(MOVING, f"{MOVING} return this.move(row, col, player);")
    expect(judge(page, deep)).to_contain_text("Wrong on 1×1 after 1 move")
    nested = "let a = []; for (let i = 0; i < 100_000; i++) a = [a];\nJSON.stringify(a);\n"
    expect(judge(page, nested + RIGHT)).to_contain_text("Its calls within calls are too many")
    hog = RIGHT.replace(
        "this.n = n;", "for (this.all = []; ; ) this.all.push(Array(9999).fill(1));"
    )
    expect(judge(page, hog)).to_contain_text("It ran out of memory")
    loop = "for (;;) try { for (;;); } finally { continue; }\n"
    expect(judge(page, RIGHT + loop)).to_contain_text("It did not answer within 5 s")
    page.get_by_role("button", name="Run").click()
    hear(page, "Checking your class…")
    page.get_by_role("button", name="Stop").click()
    hear(page, "Stopped.")
    expect(page.locator("#turn-doing")).to_have_text("Stopped.", timeout=90_000)
    expect(judge(page, WRONG)).to_contain_text("Wrong on 2×2 after 3 moves")


# Languages, storage and loading


def test_each_language_keeps_its_code_and_history(people: People) -> None:
    page = there(people.come("/learn#turn"))
    expect(editor(page)).to_contain_text("constructor(n) {")
    editor(page).click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("mine();")
    page.locator("#turn-language").select_option("python")
    expect(page.get_by_role("textbox", name="Your class, in Python")).to_contain_text("def move(")
    page.locator("#turn-language").select_option("javascript")
    expect(editor(page)).to_have_text("mine();")
    editor(page).press("ControlOrMeta+z")
    expect(editor(page)).not_to_contain_text("mine();")
    editor(page).press("ControlOrMeta+Shift+z")
    page.reload()
    expect(page.locator("#turn-language")).to_have_value("javascript")
    expect(editor(page)).to_have_text("mine();")
    page.get_by_role("button", name="Copy a link to this code").click()
    hear(page, re.compile("^(Link copied|The link is)"))
    friend = people.come("/docs")
    friend.goto(page.url)
    expect(editor(friend)).to_have_text("mine();")
    page.get_by_role("button", name="Reset").click()
    expect(editor(page)).to_contain_text("class TicTacToe {")


def test_lines_are_indented_as_in_javascript(people: People) -> None:
    page = there(people.come("/learn#turn"))
    editor(page).click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("class A {\nmove() {\nreturn 0;\n}\n}")
    lines = page.locator(".cm-line")
    expect(lines).to_have_text(["class A {", "  move() {", "    return 0;", "  }", "}"])


def test_javascript_loads_only_when_chosen(people: People) -> None:
    page = people.come("/docs")
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.removeprefix(people.server.url)))
    page.goto("/learn#turn")
    expect(page.locator("#turn-doing")).to_have_text("Python is ready.", timeout=90_000)
    assert not [each for each in loaded if "javascript/" in each]
    there(page)
    assert {*JAVASCRIPT_FILES} <= {*loaded}


def test_load_that_fails_can_be_repeated(people: People) -> None:
    people.expected.append("ERR_FAILED|quickjs.wasm")
    page = people.come("/learn#turn")
    expect(page.locator("#turn-doing")).to_have_text("Python is ready.", timeout=90_000)
    page.route("**/quickjs.wasm", lambda route: route.abort())
    page.locator("#turn-language").select_option("javascript")
    hear(page, re.compile("^Couldn’t load JavaScript"))
    page.unroute("**/quickjs.wasm")
    page.locator("#turn-language").select_option("python")
    expect(page.locator("#turn-doing")).to_have_text("Python is ready.", timeout=90_000)
    expect(judge(there(page), WRONG)).to_contain_text("Wrong on 2×2 after 3 moves")


def test_policy_of_the_page_stays_as_it_is(page_server: Server) -> None:
    with speaking_to(page_server) as client:
        for path in ("/learn", f"{JAVASCRIPT}/judging.js", f"{JAVASCRIPT}/quickjs.wasm"):
            assert client.get(path).headers["Content-Security-Policy"] == POLICY
        assert (
            client.get(f"{JAVASCRIPT}/quickjs.wasm").headers["Content-Type"] == "application/wasm"
        )


def test_javascript_works_offline_after_first_use(people: People) -> None:
    people.expected.append("net::ERR_|Failed to fetch|network error")
    page = there(people.come("/learn#turn", service_workers="allow"))
    kept = """(heavy) => Promise.all(heavy.map((address) => caches.match(address)))
      .then((found) => found.every(Boolean))"""
    page.wait_for_function(kept, arg=[*JAVASCRIPT_FILES])
    page.wait_for_function(kept, arg=["/page/learn/checker.zip"])
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("#turn-doing")).to_have_text("JavaScript is ready.", timeout=90_000)
    expect(judge(page, WRONG)).to_contain_text("Wrong on 2×2 after 3 moves")


@pytest.mark.parametrize(
    ("locale", "name"), [("de-DE", "Deine Klasse"), ("es-ES", "Tu clase"), ("zh-CN", "你的类")]
)
def test_phone_in_other_languages(people: People, locale: str, name: str) -> None:
    page = people.come("/learn#turn", locale=locale, color_scheme="dark", **PHONE)
    page.locator("#turn-language").select_option("javascript")
    expect(page.locator("#turn-editor")).to_be_visible()
    named = page.get_by_role("textbox", name=re.compile(f"^{name}.*JavaScript"))
    expect(named).to_contain_text("constructor(n) {")
    check(page, "#turn", media=SHAPES)
    assert width(page) == 360
