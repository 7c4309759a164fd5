"""The last resort of a server that is to end."""

from __future__ import annotations

import logging
import os
from threading import Timer

LAST = 9  # seconds from the signal until the process ends, whatever it still waits for

log = logging.getLogger("noughts")


def end_at_last() -> None:
    """End the process a little later, if it has not ended: threads may wait for a database.

    What was confirmed is written, and nothing else is lost by that.
    """

    def end() -> None:
        log.error("something hangs: ending without it")
        logging.shutdown()
        os._exit(1)

    last = Timer(LAST, end)
    last.daemon = True
    last.start()
