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

pytest_plugins = ["tiers"]  # tests/tiers.py: the tests of the first tier and of the second

ROOT = Path(__file__).parent
# Coverage is not measured here: it would take most of the time, and each command has its own tests.
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")} | {
    "COLUMNS": "80"
}


@cache
def set_up() -> None:
    """Create .venv now, so that no command reports it."""
    subprocess.run([ROOT / "script" / "setup", "run"], check=True)


def check_console_session(example: Example) -> str | None:
    """Run each ``$ command`` in the repository's root; its output must follow it."""
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
    """Return the output without trailing blanks, which editors strip from the pages."""
    return "\n".join(line.rstrip() for line in output.splitlines()).rstrip() + "\n"


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), CodeBlockParser("console", check_console_session)],
    patterns=["*.md"],
).pytest()
