"""The examples in the Markdown pages run as tests: Python sessions and console sessions."""

from __future__ import annotations

import os
import re
import subprocess
from doctest import ELLIPSIS, OutputChecker
from functools import cache
from pathlib import Path

from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

ROOT = Path(__file__).parent
# Without coverage, which would take most of the time: each command has tests of its own.
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")} | {
    "COLUMNS": "80"
}


@cache
def set_up() -> None:
    """Make .venv now, so that no command tells of it."""
    subprocess.run([ROOT / "script" / "setup", "run"], check=True)


def check_console_session(example: Example) -> str | None:
    """Run each ``$ command`` in the root of the repository; what it prints must follow it."""
    set_up()
    for session in re.split(r"^(?=\$ )", example.parsed, flags=re.MULTILINE)[1:]:
        command, _, expected = session.partition("\n")
        done = subprocess.run(
            command.removeprefix("$ "),
            shell=True,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=ENVIRONMENT,
        )
        if not OutputChecker().check_output(
            expected.rstrip() + "\n", trimmed(done.stdout), ELLIPSIS
        ):
            return f"{command}\nexpected:\n{expected}\ngot:\n{done.stdout}"
    return None


def trimmed(output: str) -> str:
    """The output without blanks at the ends of lines, as pages are kept."""
    return "\n".join(line.rstrip() for line in output.splitlines()).rstrip() + "\n"


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), CodeBlockParser("console", check_console_session)],
    patterns=["*.md"],
).pytest()
