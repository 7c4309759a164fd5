"""The log: one line for each request, so a line must cost little."""

from __future__ import annotations

import logging
from time import localtime, strftime

# What no line shows need not be found out for each (see "Optimization" in Python's logging HOWTO).
logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
logging._srcfile = None  # where in the source a line comes from


class Line(logging.Formatter):
    """A formatter that writes the date and time out once a second."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")
        self._second = 0
        self._written = ""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        """The time of a record, in the form that logging has by default."""
        second = int(record.created)
        if second != self._second:
            self._second, self._written = second, strftime("%Y-%m-%d %H:%M:%S", localtime(second))
        return f"{self._written},{int(record.msecs):03d}"


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": Line}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {"uvicorn": {"level": "WARNING"}, "alembic": {"level": "WARNING"}},
}
