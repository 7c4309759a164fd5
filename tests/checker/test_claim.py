"""What a file from the lesson's page says of itself, beside what the checker finds."""

import json
from pathlib import Path

import pytest

from checker.solutions import RIGHT
from commands import noughts
from noughts.checker.browser import judged
from noughts.checker.claim import Claim, read_claim

HEAD = """# Handed in with noughts, not verified:
# name: Ada
# verdict: right
# attempts: 3
# seconds: 412
"""
WRONG = RIGHT.replace("col == self.n - 1", "col == self.n")


def test_claim_is_read_from_the_first_comments() -> None:
    assert read_claim(HEAD + RIGHT) == Claim("right", "Ada", 3, 412)
    assert read_claim("\ufeff" + HEAD) == Claim("right", "Ada", 3, 412)
    assert read_claim(HEAD.replace("#", "//")) == Claim("right", "Ada", 3, 412)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("", None),
        (RIGHT, None),
        (RIGHT + HEAD, None),
        (HEAD.replace("right", "perfect"), None),
        (HEAD.replace("# verdict: right\n", ""), None),
        (HEAD.replace("3", "-3").replace("412", "4e99"), Claim("right", "Ada")),
        (HEAD.replace("# name: Ada\n", ""), Claim("right", "", 3, 412)),
        (HEAD.replace("3", "9" * 300), Claim("right", "Ada")),
    ],
)
def test_claims_are_read_only_as_the_page_writes_them(text: str, claim: Claim | None) -> None:
    assert read_claim(text) == claim


def test_sentence_compares_claim_with_verdict() -> None:
    claim = Claim("right", "Ada", 1, 61)
    assert claim.sentence("right") == "handed in as right; 1 attempt and 2 min, not verified"
    assert claim.sentence("wrong").startswith("handed in as right, which it is not; 1 attempt")
    assert Claim("wrong").sentence("wrong") == "handed in as wrong"


def test_class_with_forged_verdicts_is_judged_again(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"s{number}.py").write_text(HEAD + (WRONG if number in (2, 5) else RIGHT))
    page = tmp_path / "class.html"
    command = ["check", str(tmp_path), "--games=50", f"--html={page}"]
    done = noughts(*command)
    assert done.exit_code == 1
    table = done.stdout.splitlines()[-7:]
    assert table[-1] == "4 of 6 right"
    assert [("✓ right" in row, "(handed in as right)" in row) for row in table[:-1]] == [
        (number not in (2, 5), number in (2, 5)) for number in range(6)
    ]
    assert "handed in as right; 3 attempts and 7 min, not verified" in done.stdout
    assert page.read_text().count('<span class="soft">handed in as right</span>') == 2 * 2
    done = noughts(*command, "--json")
    claims = [json.loads(line)["claim"] for line in done.stdout.splitlines()]
    assert claims == [{"verdict": "right", "name": "Ada", "attempts": 3, "seconds": 412}] * 6


def test_browser_reports_claims_too() -> None:
    report = json.loads(judged(HEAD + WRONG))
    assert (report["verdict"], report["claim"]["verdict"]) == ("wrong", "right")
    assert report["claim"]["name"] == "Ada"
