"""Which files of a folder are solutions, and what becomes of the others."""

import json
import os
from pathlib import Path

import pytest

from checker.solutions import RIGHT
from noughts.checker.exporters import gradescope, html_page, junit
from noughts.checker.submissions import Submission, find_submissions, judge
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


def test_links_and_special_files_are_skipped(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    deep = folder.joinpath(*["d"] * 900)
    deep.mkdir(parents=True)
    (deep / "deep.py").write_text(RIGHT)
    (tmp_path / "other.py").write_text(RIGHT)
    (folder / "stolen.py").symlink_to(tmp_path / "other.py")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.py")
    for name in ("notes.ipynb", "SUMS.PY", "two\nlines.py", "bytes\udcff.py"):
        (folder / name).write_text(RIGHT)
    found, skipped = find_submissions([folder])
    names = ["SUMS.PY", "bytes\\udcff.py", f"{'d/' * 900}deep.py", "two\\nlines.py"]
    assert [each.name[:200] for each in found] == [name[:200] for name in names]
    assert dict(skipped) == {
        "stolen.py": "a link",
        "loop": "a link",
        "pipe.py": "not a regular file",
        "notes.ipynb": "a notebook: export it as .py",
    }
    assert judge(found[0], None, growth=False, games=1).right
    pipe = judge(find_submissions([folder / "pipe.py"])[0][0], None)
    assert pipe.message == "pipe.py is not a regular file"
    loop = judge(find_submissions([folder / "stolen.py"])[0][0], None, growth=False, games=1)
    assert loop.right  # a file that was named


def test_file_names_cannot_break_any_report(tmp_path: Path) -> None:
    for name in ("bytes\udcff.py", "two\nlines.py"):
        (tmp_path / name).write_text("x = 1")
    reports = [judge(each, None) for each in find_submissions([tmp_path])[0]]
    for text in (junit(reports), gradescope(reports), html_page(reports)):
        assert "nlines.py" in text
        assert "two\nlines.py" not in text
        text.encode()


@pytest.mark.parametrize("suffix", [".py", ".js", ".c"])
def test_deeply_nested_brackets_are_refused_at_once(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"deep{suffix}"
    path.write_text(")" * 300_000 + "\nx = " + "(" * 300_000)
    report = judge(Submission(path.name, path), None)
    assert report.verdict == "unusable"
    assert report.message == f"deep{suffix} nests brackets more than 1,000 deep"


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("test_mine.py", RIGHT.encode(), "test_mine.py looks like tests: check them with"),
        ("large.py", b"#" * (2 << 20), "large.py is larger than 1 MB"),
        ("binary.py", bytes(range(256)) * 9, "binary.py is not text in UTF-8"),
        (
            "wide.java",
            RIGHT.encode("utf-16"),
            "wide.java is not text in UTF-8: save",
        ),
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
        application.main(["check", "--gradescope", str(results), str(folder)])
    assert left.value.code == 2
    assert json.loads(results.read_text()) == {
        "score": 0,
        "execution_time": 0,
        "tests": [],
        "output": "The submission has no solution that can be checked.",
    }
    said = capsys.readouterr().err
    assert "skipped (no known suffix): notes.txt" in said
    assert "no solutions found" in said
