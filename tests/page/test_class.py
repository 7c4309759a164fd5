"""Tasks that a teacher makes, and what a class hands in."""

from __future__ import annotations

from pathlib import Path
from secrets import token_urlsafe
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from noughts.checker.catalogue import CATALOGUE
from page.browsing import NAME, People, hear, link_in_code, serving_files, visiting
from page.test_access import SHAPES, check
from page.test_screens import PHONE, width
from page.test_turn import SUMS, WRONG, judge, text_of, there
from service.serving import serving

ROOT = Path(__file__).parents[2]
HEAD = "# Handed in with noughts, not verified:\n"

# Damages the snapshot from which the checker's next Python would start.
DAMAGING = """
window.damaged = 0;
Worker.prototype.postMessage = ((post) => function (message) {
  if (message.snapshot) {
    message = { snapshot: new Uint8Array(8) };
    damaged++;
  }
  post.call(this, message);
})(Worker.prototype.postMessage);
"""


def teacher(people: People, **profile: Any) -> Page:
    """Return the section for teachers."""
    page = people.come("/learn#class", **profile)
    expect(page.get_by_role("heading", name="For teachers")).to_be_visible()
    return page


def link(page: Page) -> str:
    """Return the link to the teacher's task."""
    expect(page.locator("noughts-link")).to_have_attribute("aria-busy", "false")
    return page.get_by_role("textbox", name="Link").input_value()


def test_task_reaches_students_and_is_kept(people: People) -> None:
    page = teacher(people)
    page.get_by_label("Text").fill("Use sums.\n\n<b>No</b> dictionaries.")
    page.get_by_label("Code to begin with").fill("class TicTacToe:  # yours\n    pass\n")
    page.get_by_label("Time per move").select_option("O(n)")
    page.get_by_role("switch", name="Hints and a solution").uncheck()
    student = people.come(link(page))
    expect(student.locator("#turn-own-task")).to_be_visible()
    expect(student.locator("#turn-statement p")).to_have_text(
        ["Use sums.", "<b>No</b> dictionaries."]
    )
    expect(student.locator("#turn-goal")).to_have_text("Goal: At most O(n) per move.")
    expect(student.locator("#turn-hint")).to_be_hidden()
    expect(student.locator("#turn-editor")).to_contain_text("class TicTacToe: # yours")
    student.goto("/learn#turn")
    expect(student.locator("#turn-statement p").first).to_have_text("Use sums.")
    student.get_by_role("button", name="Show the lesson’s own").click()
    expect(student.locator("#turn-statement p").first).to_contain_text("Two players mark cells")
    expect(student.locator("#turn-own-task")).to_be_hidden()
    expect(student.locator("#turn-editor")).not_to_contain_text("yours")


def test_task_can_be_scanned(people: People) -> None:
    people.expected.append("Cross-Origin-Opener-Policy")  # needs HTTPS or a loopback address
    page = teacher(people)
    page.goto(f"http://{NAME}:{people.server.port}/learn#class")
    page.get_by_label("Text").fill("Use sums. " * 40)
    url = link(page)
    assert link_in_code(page) == url
    page.get_by_label("Code to begin with").fill("# " + token_urlsafe(3_000))
    expect(page.get_by_text("This link is too long for a QR code.")).to_be_visible()
    expect(page.get_by_role("img", name="QR code for the link")).to_have_count(0)


def test_another_task_leaves_nothing_of_the_first(people: People) -> None:
    page = teacher(people)
    second = link(page)
    page.get_by_label("Text").fill("Use sums.")
    student = people.come(link(page))
    expect(student.locator("#turn-statement p").first).to_have_text("Use sums.")
    student.goto(second)  # the same page, with another hash
    expect(student.locator("#turn-statement p").first).to_contain_text("Two players mark cells")
    expect(student.locator("#turn-own-task")).to_be_visible()


@pytest.mark.usefixtures("pyodide")
def test_code_for_another_problem_is_refused(people: People) -> None:
    page = teacher(people)
    page.get_by_label("Problem").select_option("tictactoe")
    told = judge(there(people.come(link(page))), SUMS)
    expect(told).to_contain_text("The task asks for tictactoe, and this is class TicTacToe")


def test_other_problems_have_their_own_text_and_code(people: People) -> None:
    page = teacher(people)
    page.get_by_label("Problem").select_option("check_winner")
    expect(page.get_by_label("Time per move")).to_be_disabled()  # only the class's is measured
    student = people.come(link(page))
    expect(student.locator("#turn-statement")).to_contain_text("who has three in a row, or None")
    expect(student.locator("#turn-editor")).to_contain_text("def check_winner(board")
    for hidden in ("guaranteed", "goal", "hint"):
        expect(student.locator(f"#turn-{hidden}")).to_be_hidden()


@pytest.mark.parametrize("damaged", ["", "AAAA", "q1YqKMpPyknNVbJSCslMDkl"])
def test_damaged_task_shows_own_problem(people: People, damaged: str) -> None:
    page = people.come(f"/learn#task={damaged}")
    page.locator("#turn-task").scroll_into_view_if_needed()
    expect(page.locator("#turn-editor")).to_be_visible()
    expect(page.locator("#turn-statement p").first).to_contain_text("Two players mark cells")
    expect(page.locator("#turn-own-task")).to_be_hidden()


@pytest.mark.usefixtures("pyodide")
def test_results_are_checked_again(people: People, tmp_path: Path) -> None:
    student = there(people.come("/learn#turn"))
    judge(student, WRONG)
    student.get_by_text("Hand in", exact=True).click()
    student.get_by_label("Your name").fill("Ada  Lovelace")
    with student.expect_download() as saved:
        student.get_by_role("button", name="Save a file").click()
    assert saved.value.suggested_filename == "Ada_Lovelace.py"
    file = tmp_path / "Ada_Lovelace.py"
    saved.value.save_as(file)
    text = file.read_text()
    assert text.startswith(f"{HEAD}# name: Ada Lovelace\n# verdict: wrong\n# attempts: 1\n")
    assert text.endswith(WRONG)

    (tmp_path / "forged.py").write_text(text.replace("verdict: wrong", "verdict: right"))
    (tmp_path / "sums.py").write_text("import colorsys  # the checker does not\n" + SUMS)
    (tmp_path / "Sums.java").write_text("class Sums {}")
    reaching = "import noughts.checker.browser as checker\nchecker.json_fields = None\n"
    (tmp_path / "a_first.py").write_text(reaching + SUMS)  # it can break only its own verdict
    page = teacher(people)
    page.get_by_label("Files").set_input_files(sorted(tmp_path.iterdir()))
    rows = page.locator("#class tbody tr")
    expect(rows).to_have_count(5, timeout=180_000)
    hear(page, "1 of 5 correct")
    expect(rows.locator("td:nth-child(2)")).to_have_text(
        ["✗ Wrong", "✗ It cannot be run", "✗ It crashed", "✗ Wrong", "✓ Correct"]
    )
    expect(rows.locator("td:nth-child(4)")).to_have_text(["Wrong", "", "", "Correct", ""])
    expect(rows.first).to_contain_text("Ada_Lovelace.py (Ada Lovelace)")
    expect(page.locator("#class [data-forged]")).to_have_count(1)
    expect(page.locator("#class [data-forged]")).to_contain_text("Ada Lovelace")
    expect(rows.first).to_contain_text("Uses row + col == n for the anti-diagonal")


@pytest.mark.usefixtures("pyodide")
def test_damaged_snapshot_of_python_is_replaced(people: People, tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(WRONG)
    page = teacher(people, before=DAMAGING)
    page.get_by_label("Files").set_input_files(sorted(tmp_path.iterdir()))
    verdicts = page.locator("#class tbody td:nth-child(2)")
    expect(verdicts).to_have_text(["✗ Wrong", "✗ Wrong"], timeout=180_000)
    assert page.evaluate("damaged") == 1


def test_section_for_teachers_passes_axe_and_fits(people: People) -> None:
    page = teacher(people, **PHONE)
    check(page, "#class", media=SHAPES)
    assert width(page) == PHONE["viewport"]["width"]


def test_screen_can_be_embedded_where_allowed(browser: Browser, tmp_path: Path) -> None:
    """Embed it in a page of two origins, of which the server allows one."""
    database = f"sqlite:///{tmp_path}/g.db"
    with (
        serving_files(tmp_path) as school,
        serving(database, f"--frame-ancestors={school.url}") as server,
        visiting(browser, server) as people,
    ):
        people.expected.append("frame-ancestors|ERR_BLOCKED_BY_RESPONSE|embed.html")
        example = (ROOT / "examples/embed.html").read_text()
        (tmp_path / "embed.html").write_text(example.replace("http://127.0.0.1:8000", server.url))
        page = people.come()
        page.goto(f"{school.url}/embed.html")
        lesson = page.frame_locator("iframe")
        expect(lesson.get_by_role("heading", name="The race")).to_be_visible()
        expect(lesson.locator("#race[data-done]")).to_be_attached(timeout=90_000)
        expect(lesson.get_by_role("heading", name="Who has won?")).to_be_hidden()
        expect(lesson.get_by_role("navigation")).to_have_count(0)
        page.goto(f"{school.url}/embed.html".replace("127.0.0.1", "localhost"))
        expect(lesson.get_by_role("heading", name="The race")).to_have_count(0)


def test_projector_shows_one_screen_at_a_time(people: People) -> None:
    page = people.come("/learn?projector")
    headings = page.locator("main :is(h1, h2):visible")
    expect(headings).to_have_text(["Who has won?"])
    for key, name in (
        ("ArrowRight", "Three referees"),
        ("PageDown", "The race"),
        ("ArrowLeft", "Three referees"),
        ("ArrowLeft", "Who has won?"),
        ("ArrowLeft", "Who has won?"),
        ("Shift+ArrowRight", "Who has won?"),
    ):
        page.keyboard.press(key)
        expect(headings).to_have_text([name])
    page.get_by_role("link", name="What goes wrong").click()
    expect(headings.first).to_have_text("What goes wrong")
    assert width(page) == 1280


@pytest.mark.usefixtures("pyodide")
@pytest.mark.tier2("long")
def test_class_of_thirty_is_checked_again_in_one_step(people: People, tmp_path: Path) -> None:
    """Check thirty results, two of which claim another verdict than they deserve."""
    known = CATALOGUE["TicTacToe"]
    mistakes = [text_of(each.solution) for each in known[:: len(known) // 13][:13]]
    script = (ROOT / "lab/complexity/solutions/sums.js").read_text()
    handed_in = [  # name, code, claimed verdict, verdict
        *((f"right_{at}.py", SUMS, "right", "right") for at in range(2)),
        *((f"script_{at}.js", script, "right", "right") for at in range(2)),
        *((f"wrong_{at:02}.py", code, "wrong", "wrong") for at, code in enumerate(mistakes)),
        *((f"syntax_{at}.py", f"class TicTacToe{at}(:\n", *2 * ["unusable"]) for at in range(11)),
        ("forged_1.py", WRONG, "right", "wrong"),
        ("forged_2.py", "", "right", "unusable"),
    ]
    assert len(handed_in) == 30
    for name, code, claimed, _ in handed_in:
        head = f"{HEAD}# name: {name}\n# verdict: {claimed}\n# attempts: 3\n# seconds: 400\n"
        (tmp_path / name).write_text(head.replace("#", "//" if ".js" in name else "#") + code)
    page = teacher(people)
    page.get_by_label("Files").set_input_files([tmp_path / name for name, *_ in handed_in])
    rows = page.locator("#class tbody tr")
    expect(rows).to_have_count(30, timeout=480_000)
    hear(page, "4 of 30 correct")
    words = {"right": "✓ Correct", "wrong": "✗ Wrong", "unusable": "✗ It cannot be run"}
    expect(rows.locator("td:nth-child(2)")).to_have_text([words[each[3]] for each in handed_in])
    expect(page.locator("#class [data-forged] th")).to_have_text(
        ["forged_1.py (forged_1.py)", "forged_2.py (forged_2.py)"]
    )
    expect(rows.locator("td:nth-child(5)")).to_have_text(30 * ["3"])
    expect(rows.locator("td:nth-child(6)")).to_have_text(30 * ["7"])
    unverified = page.locator("#class thead").get_by_text("(not verified)")
    expect(unverified).to_have_text(["Checks (not verified)", "Minutes (not verified)"])
