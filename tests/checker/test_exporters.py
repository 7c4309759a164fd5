"""Reports as JSON, JUnit XML, Gradescope results and HTML."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

from noughts.checker import Complexity, Counterexample, Report
from noughts.checker.exporters import gradescope, html_page, json_line, junit

MOVES = ((0, 1, 1), (0, 0, 2), (1, 0, 1))
TOLD = Counterexample(2, MOVES, "1", "!ValueError: <b>&\x1b[31m\ud800", "X has B1 A2")
LINEAR = Complexity("O(n)", tuple((n, 1e-7 * n) for n in (8, 16, 32, 64)))
SUMS = Report("sums.py", "class TicTacToe", "TicTacToe", "Python", "right", "right in 9 games",
              games=9, time=Complexity("O(1)", ((8, 1e-7), (64, 1e-7))), memory=LINEAR,
              seconds=1.5)  # fmt: skip
WRONG = replace(SUMS, solution="<i>.py", verdict="wrong", message="wrong on 2×2",
                counterexample=TOLD, diagnosis="anti-diagonal-off-by-one", output="hello\x00",
                time=LINEAR)  # fmt: skip
LATE = replace(SUMS, solution="late.js", verdict="timeout", message="it did not answer in time",
               time=Complexity(None), make=Complexity(None), memory=Complexity(None))  # fmt: skip
UNREAD = replace(LATE, solution="a.rb", verdict="unusable", message="only .py can be judged")
CLASS = [SUMS, WRONG, LATE, UNREAD]


def test_json_line_has_all_fields() -> None:
    assert json.loads(json_line(SUMS)) == {
        "solution": "sums.py",
        "problem": "TicTacToe",
        "language": "Python",
        "verdict": "right",
        "games": 9,
        "counterexample": None,
        "diagnosis": None,
        "time": "O(1)",
        "memory": "O(n)",
        "message": "right in 9 games",
    }
    line = json_line(WRONG)
    line.encode()
    assert "\n" not in line
    told = json.loads(line)
    assert told["counterexample"] == {
        "n": 2,
        "moves": [list(move) for move in MOVES],
        "expected": "1",
        "answered": "!ValueError: <b>&\x1b[31m�",
        "message": "X has B1 A2",
    }
    assert told["diagnosis"] == "anti-diagonal-off-by-one"
    assert json.loads(json_line(LATE))["time"] is None


def test_junit_counts_failures_and_errors() -> None:
    (suite,) = ElementTree.fromstring(junit(CLASS).encode())
    counts = ("tests", "failures", "errors", "skipped")
    assert [suite.get(each) for each in counts] == ["4", "2", "1", "0"]
    right, wrong, late, unread = suite
    assert (right.get("name"), right.get("time"), list(right)) == ("sums.py", "1.500", [])
    failure, printed = wrong
    assert (failure.tag, failure.get("type")) == ("failure", "wrong")
    assert "the anti-diagonal" in (failure.text or "")
    assert printed.text == "hello�"
    assert (late[0].get("message"), unread[0].tag) == ("it did not answer in time", "error")


def test_gradescope_shares_points() -> None:
    results = json.loads(gradescope(CLASS, 20))
    assert results["score"] == 5
    assert [test["status"] for test in results["tests"]] == ["passed", *["failed"] * 3]
    assert {test["max_score"] for test in results["tests"]} == {5}
    assert json.loads(gradescope([SUMS], 7.5))["score"] == 7.5
    assert json.loads(gradescope([]))["score"] == 0


class Elements(HTMLParser):
    """The tags, links, anchors and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str | None] = []
        self.places: list[str | None] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("href", "src")]
        self.places += [value for name, value in attrs if name == "id"]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html_page_is_self_contained() -> None:
    text = html_page(CLASS)
    text.encode()
    found = Elements(text)
    assert not {"script", "link", "img", "i", "b"} & set(found.tags)
    assert found.links == [f"#{place}" for place in found.places]
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_html_page_has_rows_picture_and_plots() -> None:
    found = Elements(html_page(CLASS))
    assert found.tags.count("tr") == 1 + len(CLASS)
    assert (
        found.tags.count("svg") == 1 + 2 + 2
    )  # one board, and two plots for each of two solutions
    for words in (
        "800 ns",
        "6.4 µs",
        "1 of 4 right",
        "<i>.py",
        "3. X plays A2",
        "uses row + col == n",
        "O(1)",
    ):
        assert words in found.text


def test_html_page_names_languages_and_skipped_files() -> None:
    text = html_page(CLASS, {"tests": ["test_<mine>.py", "conftest.py"]})
    assert "<td>Python</td>" in text
    assert "Skipped (tests): test_&lt;mine&gt;.py, conftest.py" in text


def test_html_page_without_reports() -> None:
    assert "0 of 0 right" in html_page([])
