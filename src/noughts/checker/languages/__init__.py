"""The languages of solutions, one per file."""

from pathlib import Path

from noughts.checker.isolated import IsolatedSolution
from noughts.checker.languages import cpp, java, javascript, python
from noughts.checker.sandbox import DEFAULT, Limits
from noughts.checker.solution import Failed, Solution

LANGUAGES = {
    ".py": python,
    ".java": java,
    ".cpp": cpp,
    ".cc": cpp,
    ".js": javascript,
    ".mjs": javascript,
}
"""Language modules by file suffix."""


def open_solution(path: Path, name: str | None = None, limits: Limits = DEFAULT) -> Solution:
    """Start the solution in a file, in the language of its suffix.

    Args:
        path: the file.
        name: the class or function to judge, where the file defines several.
        limits: the limits of its process.

    Raises:
        Failed: it cannot be started or read; "unreadable" if the language is not known.
    """
    language = LANGUAGES.get(path.suffix)
    if language is None:
        raise Failed("unreadable", f"cannot check {path.name}: expected {', '.join(LANGUAGES)}")
    return IsolatedSolution(language.program(path.resolve(), name, limits))
