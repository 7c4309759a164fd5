"""JavaScript: Node.js runs the file as a script in a harness that finds its definitions."""

from dataclasses import replace
from pathlib import Path

from noughts.checker.isolated import Program
from noughts.checker.languages.compiling import tool
from noughts.checker.sandbox import Limits

LANGUAGE = "JavaScript"
HARNESS = Path(__file__).with_name("harness.js")


def program(path: Path, name: str | None, limits: Limits) -> Program:
    """Return how to run the file; see `noughts.checker.languages.open_solution`."""
    node = tool("node", LANGUAGE)
    words = (node, "--expose-gc", f"--max-old-space-size={limits.memory >> 21}", HARNESS, path)
    reads = (Path(node).resolve().parents[1], HARNESS, path)
    limits = replace(limits, addresses=None)  # Node.js reserves far more than it uses
    return Program(path, name, LANGUAGE, [*map(str, words)], reads, limits)
