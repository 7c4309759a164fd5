"""How a server process ends: event streams first, then requests, and at last whatever hangs."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from threading import Timer
from types import FrameType
from typing import Any

from noughts.service.play.watch import Watchers

GRACE = 0.5  # seconds between the end of the event streams and that of the server
LAST = 9  # seconds from the signal until the process ends, whatever it still waits for

log = logging.getLogger("noughts")


def end_streams_first(watchers: Watchers) -> None:
    """Have SIGTERM and SIGINT end the event streams, then do what they did; called in the loop.

    uvicorn waits for open connections when it ends, and an event stream would not end by itself.
    A second signal does not wait.
    """
    loop = asyncio.get_running_loop()

    def drain(number: int, frame: FrameType | None) -> None:
        end = endings[number]
        if watchers.closing:
            end(number, frame)
        else:
            end_at_last()
            loop.call_soon_threadsafe(watchers.close)
            loop.call_soon_threadsafe(loop.call_later, GRACE, end, number, frame)

    endings: dict[int, Any] = {}
    for number in (signal.SIGTERM, signal.SIGINT):
        ending = signal.getsignal(number)
        if callable(ending):
            endings[number] = ending
            signal.signal(number, drain)


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
