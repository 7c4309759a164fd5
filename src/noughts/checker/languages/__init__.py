"""The languages of solutions, one per file."""

import re
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from noughts.checker.isolated import IsolatedSolution
from noughts.checker.languages.c import C
from noughts.checker.languages.c_sharp import CSharp
from noughts.checker.languages.cpp import Cpp
from noughts.checker.languages.go import Go
from noughts.checker.languages.java import Java
from noughts.checker.languages.javascript import JavaScript, TypeScript
from noughts.checker.languages.kotlin import Kotlin
from noughts.checker.languages.language import Language
from noughts.checker.languages.python import Python
from noughts.checker.languages.rust import Rust
from noughts.checker.languages.swift import Swift
from noughts.checker.problems import choose
from noughts.checker.sandbox import DEFAULT, Limits
from noughts.checker.solution import Failed, Solution
from noughts.checker.worker import cleaned_text

KNOWN: tuple[type[Language], ...] = (
    *(Python, Java, C, Cpp, Rust, Go, CSharp, Kotlin, JavaScript, TypeScript, Swift),
)
LANGUAGES: dict[str, Language] = {suffix: known() for known in KNOWN for suffix in known.suffixes}
"""Languages by file suffix."""

DEEPEST = 1000  # brackets within brackets; the time of the parsers grows with the square


def open_solution(
    path: Path,
    name: str | None = None,
    limits: Limits = DEFAULT,
    players: Sequence[str] = (),
    python: str | None = None,
) -> Solution:
    """Start the solution in a file, in the language of its suffix.

    Args:
        path: the file.
        name: the class or function to judge, where the file defines several.
        limits: the limits of its process.
        players: the values of the players as text, if they cannot be read: ``("X", "O")``.
        python: the Python that runs Python solutions; None for this one.

    Raises:
        Failed: it cannot be started or read; "unusable" if the language is not known.
    """
    language = LANGUAGES.get(path.suffix.lower())
    if language is None:
        raise Failed("unusable", f"cannot check {path.name}: expected {', '.join(LANGUAGES)}")
    if python and isinstance(language, Python):
        language = Python(python)
    text = path.read_bytes().decode(errors="replace")
    return open_text(language, path, text, name, limits, players)


def open_text(
    language: Language,
    path: Path,
    text: str,
    name: str | None = None,
    limits: Limits = DEFAULT,
    players: Sequence[str] = (),
) -> IsolatedSolution:
    """Start the solution in a text of this language; `path` names it. See `open_solution`."""
    text = cleaned_text(text)
    if "\0" in text:
        raise Failed("unusable", f"{path.name} is not text in UTF-8: save it in that encoding")
    if _depth(text) > DEEPEST:
        raise Failed("unusable", f"{path.name} nests brackets more than {DEEPEST:,} deep")
    source = language.read(text)
    if source.error and isinstance(language, C):  # problem sites name files of C++ .c as well
        cpp = LANGUAGES[Cpp.suffixes[0]]
        if not (as_cpp := cpp.read(text)).error:
            language, source = cpp, as_cpp
    try:
        candidate = choose(source, name, players, text)
    except Failed:
        if source.error:
            raise language.syntax_error(path, *source.error) from None
        raise
    program = language.program(path.resolve(), text, candidate, limits)
    try:
        return IsolatedSolution(program)
    except Failed as failed:
        if source.error and failed.verdict == "crashed":  # at once
            raise language.syntax_error(path, *source.error) from None
        raise


def _depth(text: str) -> int:
    """Return how deep brackets are nested in a text, strings and comments included."""
    steps = (1 if bracket in "([{" else -1 for bracket in re.findall(r"[][(){}]", text))
    return max(accumulate(steps, lambda deep, step: max(0, deep + step)), default=0)
