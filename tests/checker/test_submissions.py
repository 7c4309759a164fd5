"""Which files of a folder are solutions, and what becomes of the others."""

import json
from pathlib import Path

import pytest

from checker.solutions import RIGHT
from noughts.checker.submissions import find_submissions, judge
from noughts.cli.app import application


def test_folder_has_solutions_and_files_that_are_none(tmp_path: Path) -> None:
    files = ["a/solution.py", "b/Solution.java", "test_solution.py", "solution_test.go"]
    files += ["conftest.py", "SolutionTest.java", "a/s.test.ts", "notes.txt", ".hidden.py"]
    files += ["_old.py", "node_modules/x.js", "target/Y.java", "latest.py"]
    for name in files:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(RIGHT)
    found, skipped = find_submissions([tmp_path])
    assert [each.name for each in found] == ["a/solution.py", "b/Solution.java", "latest.py"]
    assert dict(skipped) == {
        "test_solution.py": "tests",
        "solution_test.go": "tests",
        "conftest.py": "tests",
        "SolutionTest.java": "tests",
        "a/s.test.ts": "tests",
        "notes.txt": "no known suffix",
        ".hidden.py": "hidden",
        "_old.py": "hidden",
        "node_modules/x.js": "in a build folder",
        "target/Y.java": "in a build folder",
    }


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("test_mine.py", RIGHT.encode(), "test_mine.py looks like tests: check them with"),
        ("large.py", b"#" * (2 << 20), "large.py is larger than 1 MB"),
        ("binary.py", bytes(range(256)) * 9, "binary.py is not valid Python"),
        ("wide.java", RIGHT.encode("utf-16"), "line 1 of wide.java is not valid Java"),
        ("empty.go", b"", "no class was found"),
        ("missing.py", None, "No such file"),
        ("unknown.pas", b"begin end.", "cannot check unknown.pas: expected .py"),
    ],
)
def test_what_cannot_be_judged_is_explained(
    tmp_path: Path, name: str, content: bytes | None, says: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    [submission], _ = find_submissions([path])
    report = judge(submission, None)
    assert report.verdict == "unusable"
    assert says in report.message


def test_empty_submission_earns_no_points(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, results = tmp_path / "submission", tmp_path / "results.json"
    folder.mkdir()
    (folder / "notes.txt").write_text("I did not finish")
    with pytest.raises(SystemExit) as left:
        application(["check"]).main(["check", "--gradescope", str(results), str(folder)])
    assert left.value.code == 2
    assert json.loads(results.read_text()) == {
        "score": 0,
        "execution_time": 0,
        "tests": [],
        "output": "The submission has no solution that can be checked.",
    }
    said = capsys.readouterr().err
    assert "skipped (no known suffix): notes.txt" in said
    assert "there is no solution in what was given" in said
