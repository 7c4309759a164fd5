"""examples/learn.py learns never to lose."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

LEARN = Path(__file__).parents[2] / "examples" / "learn.py"


@pytest.mark.tier2("long")
@pytest.mark.compiled("noughts.learning._vector")
def test_learn_ends_unbeaten(tmp_path: Path) -> None:
    curve = tmp_path / "curve.svg"
    run = subprocess.run(
        [sys.executable, LEARN, curve], capture_output=True, timeout=180, check=True
    )
    bar, verdict = run.stdout.decode().rstrip().split("\n")
    ways = [int(each.split()[-5]) for each in bar.split("\r")[1:]]
    assert ways[0] > 100 > ways[-1] == 0
    assert verdict == "It never loses: every reply was tried, from both seats."
    assert "ways to beat it" in "".join(ElementTree.parse(curve).getroot().itertext())
