"""Reading a solution: which classes and functions its file defines, and with which signatures."""

from noughts.checker.reading.source import Class, Enum, Function, Parameter, Source

__all__ = ["Class", "Enum", "Function", "Parameter", "Source"]
