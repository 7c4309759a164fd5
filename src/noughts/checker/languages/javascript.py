"""JavaScript: the file is run by Node.js, as a script, by a harness that finds what it defines."""

from dataclasses import replace
from pathlib import Path

from noughts.checker.languages.compiling import tool
from noughts.checker.process import Limits
from noughts.checker.running import Program

LANGUAGE = "JavaScript"
HARNESS = Path(__file__).with_name("harness.js")


def program(path: Path, name: str | None, limits: Limits) -> Program:
    """How the file is run; see `noughts.checker.languages.open_solution`."""
    node = tool("node", LANGUAGE)
    words = (node, "--expose-gc", f"--max-old-space-size={limits.memory >> 21}", HARNESS, path)
    reads = (Path(node).resolve().parents[1], HARNESS, path)
    limits = replace(limits, addresses=None)  # it reserves far more than it uses
    return Program(path, name, LANGUAGE, [*map(str, words)], reads, limits)
