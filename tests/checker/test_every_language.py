"""Right, wrong and hostile solutions in every language that has a compiler here."""

import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from shutil import which

import pytest

from noughts.checker import Report
from noughts.checker.languages import LANGUAGES, open_solution
from noughts.checker.sandbox import DEFAULT
from noughts.checker.solution import Failed
from noughts.checker.trial import check

pytestmark = pytest.mark.tier2("compiler")
SOLUTIONS = Path(__file__).parents[2] / "lab" / "complexity" / "solutions"
SUFFIXES = ("py", "java", "kt", "c", "cpp", "rs", "go", "cs", "js", "ts")
Judge = Callable[..., Report]


@pytest.fixture
def judged(tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch) -> Judge:
    """Provide a function that judges a text, on boards up to 4×4 and for a few seconds."""
    monkeypatch.setattr(import_module("noughts.checker.trial"), "PATIENCE", 2.0)

    def judge(suffix: str, text: str, *, seconds: float = 60.0, memory: int = 1 << 30) -> Report:
        path = tmp_path / f"solution.{suffix}"
        path.write_text(text)
        limits = replace(DEFAULT, seconds=seconds, memory=memory)
        try:
            return check(open_solution(path, limits=limits), growth=False)
        except Failed as failed:
            pytest.fail(f"{failed}: {failed.output}")

    return judge


def source(name: str, suffix: str) -> str:
    """Return a solution; skip the test if its language cannot be run here."""
    for commands, package in LANGUAGES[f".{suffix}"].tools:
        if not any(map(which, commands)) and suffix != "ts":
            pytest.skip(f"{' or '.join(commands)} is not installed ({package})")
    return (SOLUTIONS / f"{name}.{suffix}").read_text()


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", ["sums", "lines", "board"])
def test_right_solution_is_right(judged: Judge, name: str, suffix: str) -> None:
    report = judged(suffix, source(name, suffix))
    assert report.right, report
    assert report.games > 1_000


# What is replaced in the scan of lines, by what, and the mistake.
CELL = r"board\[{}(\]\[|, ){}\]"
MISTAKES = {
    "no-rows": (CELL.format("row", "i"), r"board[i\1col]"),
    "no-columns": (CELL.format("i", "col"), r"board[row\1i]"),
    "no-diagonal": (CELL.format("i", "i"), r"board[row\1i]"),
    "no-diagonals": (CELL.format("i", "(?:i|n ?- ?1 ?- ?i)"), r"board[row\1i]"),
    "first-cell-left-out": (r"\b(i = |i := |in )0", r"\g<1>1"),
    "one-for-either-player": (r"(\? |return |won\) |\{ )player\b", r"\g<1>1"),
}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("mistake", MISTAKES)
def test_wrong_solution_is_diagnosed(judged: Judge, mistake: str, suffix: str) -> None:
    pattern, replacement = MISTAKES[mistake]
    text = source("lines", suffix)
    if suffix == "py" and mistake == "first-cell-left-out":
        pattern, replacement = r"range\(n\):\n( +)across", r"range(1, n):\n\1across"
    wrong = re.sub(pattern, replacement, text)
    assert wrong != text
    report = judged(suffix, wrong)
    assert (report.verdict, report.diagnosis) == ("wrong", mistake), report


LOOPS = {"py": "while True: pass", "rs": "loop {}", "go": "for {}", "c": "for (;;);",
         "cpp": "for (volatile int x = 0;; x = x);"}  # fmt: skip
MEMORY = {
    "py": "self.all = [bytearray(1 << 24) for _ in range(1 << 20)]",
    "java": "long[][] all = new long[9999][]; "
    "for (int x = 0; x < 9999; x++) all[x] = new long[9999999];",
    "kt": "val all = ArrayList<LongArray>(); while (n > 0) all.add(LongArray(9999999))",
    "c": "for (;;) memset(malloc(1 << 24), 1, 1 << 24);",
    "cpp": "for (;;) memset(new char[1 << 24], 1, 1 << 24);",
    "rs": "let mut all = Vec::new(); loop { all.push(vec![1u8; 1 << 24]); }",
    "go": "all := [][]byte{}; for { all = append(all, make([]byte, 1<<24)); "
    "for i := range all[len(all)-1] { all[len(all)-1][i] = 1 } }",
    "cs": "var all = new List<long[]>(); while (n > 0) { all.Add(new long[9999999]); "
    "for (int x = 0; x < 9999999; x += 99) all[all.Count - 1][x] = x; }",
    "js": "for (const all = [];;) all.push(new Array(1e6).fill(0));",
}
FORGED = {
    "py": "import os; os.write(4, b'1\\n')",
    "java": 'try { new java.io.FileOutputStream("/dev/fd/4").write("1\\n".getBytes()); } '
    "catch (Exception error) { throw new RuntimeException(error); }",
    "kt": 'java.io.FileOutputStream("/dev/fd/4").write("1\\n".toByteArray())',
    "c": 'write(4, "1\\n", 2);',
    "cpp": 'write(4, "1\\n", 2);',
    "rs": '{ use std::io::Write; std::fs::OpenOptions::new().write(true).open("/dev/fd/4")'
    '.unwrap().write_all(b"1\\n").unwrap(); }',
    "cs": 'using (var file = new System.IO.FileStream("/dev/fd/4", System.IO.FileMode.Open, '
    "System.IO.FileAccess.Write)) { file.WriteByte(49); file.WriteByte(10); }",
    "js": "globalThis.Deno ? Deno.stdout.writeSync(new Uint8Array([49, 10])) "
    ": process.stdout.write('1\\n');",
}
PROCESSES = {
    "py": "import os\n        while True: os.spawnlp(os.P_NOWAIT, 'sleep', 'sleep', '60')",
    "java": 'while (n > 0) try { new ProcessBuilder("sleep", "60").start(); } '
    "catch (Exception error) { throw new RuntimeException(error); }",
    "kt": 'while (n > 0) ProcessBuilder("sleep", "60").start()',
    "c": "for (;;) if (fork() == 0) sleep(60);",
    "cpp": "for (;;) if (fork() == 0) sleep(60);",
    "rs": 'loop { std::process::Command::new("sleep").arg("60").spawn().unwrap(); }',
    "cs": 'while (n > 0) System.Diagnostics.Process.Start("sleep", "60");',
    "js": "for (;;) require('child_process').spawn('sleep', ['60']);",
}
MARKED = re.compile(r"( *|\t)board\[row(?:\]\[|, )col\] = player;?\n")


def hostile(suffix: str, statements: dict[str, str]) -> str:
    """Return a solution whose moves do this, too."""
    statement = statements.get(suffix, statements.get("js" if suffix == "ts" else "", ""))
    if not statement:
        pytest.skip("not possible in this language without an import")
    text = source("lines", suffix)
    return MARKED.sub(lambda found: f"{found[0]}{found[1]}{statement}\n", text, count=1)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_endless_loop_is_ended(judged: Judge, suffix: str) -> None:
    loops = dict.fromkeys(SUFFIXES, "while (n > 0) {}") | LOOPS
    report = judged(suffix, hostile(suffix, loops), seconds=1.0)
    assert report.verdict == "timeout", report


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_too_much_memory_is_refused(judged: Judge, suffix: str) -> None:
    report = judged(suffix, hostile(suffix, MEMORY), memory=512 << 20)
    assert report.verdict in ("memory", "crashed"), report


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_forged_answers_do_not_help(judged: Judge, suffix: str) -> None:
    report = judged(suffix, hostile(suffix, FORGED))
    assert report.verdict in ("crashed", "wrong", "timeout"), report


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_started_processes_are_ended(judged: Judge, suffix: str) -> None:
    report = judged(suffix, hostile(suffix, PROCESSES), seconds=10.0)
    assert report.verdict in ("crashed", "wrong", "timeout", "memory"), report
