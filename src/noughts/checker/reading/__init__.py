"""Reading a solution: which classes and functions its file defines, and with which signatures."""

from noughts.checker.reading import python
from noughts.checker.reading.source import Class, Enum, Function, Parameter, Source

__all__ = ["Class", "Enum", "Function", "Parameter", "Source", "read_source"]


def read_source(text: str, language: str) -> Source:
    """Return what a file defines.

    Args:
        text: the text of the file.
        language: the key of its language, such as "python" or "c_sharp".

    Raises:
        MissingExtra: the grammar of the language is not installed.
    """
    if language == "python":
        return python.read(text)
    from noughts.checker.reading import grammars  # Python needs no grammar

    return grammars.read(text, language)
