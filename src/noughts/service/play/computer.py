"""The computer: it thinks in a process of its own, so that nobody waits for it."""

from __future__ import annotations

import asyncio
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from os import _exit
from threading import Thread

from noughts.game import Game
from noughts.geometry import Cell
from noughts.opponent import advise
from noughts.rules import Rules

SECONDS = 1.0  # of thought a move, at most


class Computer:
    """The computer, which seeks one move at a time; the others queue."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def move(self, game: Game, level: str) -> Cell:
        """The cell that the computer plays in this game."""
        question = game.rules, game.history, level
        loop, pool = asyncio.get_running_loop(), self._started()
        try:
            return await loop.run_in_executor(pool, think, *question)
        except BrokenProcessPool:  # somebody ended the process: a new one thinks again
            if self._pool is pool:  # the first of those who waited for it
                self._pool = None
            return await loop.run_in_executor(self._started(), think, *question)

    def _started(self) -> ProcessPoolExecutor:
        """The process, started with the first question."""
        if self._pool is None:
            context = get_context("spawn")  # a fork of a server with threads may hang
            self._pool = ProcessPoolExecutor(1, context, _begin)
        return self._pool

    def close(self) -> None:
        """End the process, once it has finished its thought."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)


def think(rules: Rules, moves: tuple[Cell, ...], level: str) -> Cell:
    """The cell to play after these moves."""
    return advise(Game.replay(rules, moves), level=level, seconds=SECONDS).cell


def _begin() -> None:
    """Leave Ctrl-C to the server, and end with it, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        _exit(0)

    Thread(target=follow, daemon=True).start()
