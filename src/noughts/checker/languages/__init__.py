"""The languages of solutions, one a file."""

from pathlib import Path

from noughts.checker.languages import cpp, java, javascript, python
from noughts.checker.process import DEFAULT, Limits
from noughts.checker.running import Running
from noughts.checker.solution import Failed, Solution

LANGUAGES = {
    ".py": python,
    ".java": java,
    ".cpp": cpp,
    ".cc": cpp,
    ".js": javascript,
    ".mjs": javascript,
}
"""The language of each ending; adding a language is adding a file, and its line here."""


def open_solution(path: Path, name: str | None = None, limits: Limits = DEFAULT) -> Solution:
    """Start the solution in a file, in the language that its ending says.

    Args:
        path: of the file.
        name: what is judged, where the file defines several.
        limits: what it may take.

    Raises:
        Failed: it cannot be started or read; "unreadable" where the language is not known.
    """
    language = LANGUAGES.get(path.suffix)
    if language is None:
        raise Failed("unreadable", f"{path.name}: only {', '.join(LANGUAGES)} files can be judged")
    return Running(language.program(path.resolve(), name, limits))
