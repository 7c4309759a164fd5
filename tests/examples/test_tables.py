"""examples/tables.py judges each installed kind of table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled("noughts.bulk._judge")


def test_tables_get_the_same_verdicts() -> None:
    example = Path(__file__).parents[2] / "examples" / "tables.py"
    done = subprocess.run([sys.executable, example], check=True, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert len(lines) >= 8
    assert all(line.endswith(" won draw illegal") for line in lines)
