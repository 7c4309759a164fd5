"""The example judges each kind of table that is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled("noughts.bulk._judge")


def test_every_kind_is_judged_alike() -> None:
    example = Path(__file__).parents[2] / "examples" / "tables.py"
    done = subprocess.run([sys.executable, example], check=True, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert len(lines) >= 8
    assert all(line.endswith(" won draw illegal") for line in lines)
