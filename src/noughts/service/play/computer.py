"""The computer: it thinks in processes of its own, and its players take turns."""

import asyncio
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from os import _exit
from threading import Thread
from time import monotonic

from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.rules import Rules
from noughts.opponent import LEVELS, Advice, Finding, advise
from noughts.opponent.analysis import findings, positions
from noughts.service.play.turns import Turns
from noughts.system import processors

SECONDS = 1.0  # from the question to the move, if possible; see `time_for`
LEAST = 0.05  # seconds of thought
RESERVE = 0.05  # seconds of its clock for what comes before and after the thought
ANALYSIS = 6.0  # seconds of thought about all the positions of a game
STRONG = "strong"  # the level that gives hints and analyses games


class Computer:
    """The computer: one process for the levels that answer at once, the others for the strong one.

    So nobody waits for a level that they did not choose, and `Turns` keeps all other waits short.
    """

    def __init__(self) -> None:
        self._light = Thinkers(1)
        self._strong = Thinkers(max(1, processors() - 1))

    async def advise(
        self, game: Game, who: str, level: str = STRONG, seconds: float = SECONDS
    ) -> Advice:
        """The move of a level for a player at this address, and what the level knows of it."""
        thinkers = self._strong if LEVELS[level].searches else self._light
        return await thinkers.advise(game, level, who, seconds)

    async def analyse(self, game: Game, who: str) -> list[Finding]:
        """What each move of a game gave away; others have their turns between its positions."""
        seconds = min(SECONDS, ANALYSIS / (game.ply + 1))
        thoughts = [
            None if each.outcome else await self.advise(each, who, seconds=seconds)
            for each in positions(game)
        ]
        return list(findings(game, thoughts))

    def close(self) -> None:
        """End the processes, once they have finished their thoughts."""
        self._light.close()
        self._strong.close()


class Thinkers:
    """Some processes that seek moves, started with the first question."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._turns = Turns(processes)
        self._pool: ProcessPoolExecutor | None = None

    async def advise(self, game: Game, level: str, who: str, seconds: float) -> Advice:
        """The advice of a level in this game, when it is the turn of this address."""
        rules, moves = game.rules, game.history  # as the game may go on while this waits
        asked = monotonic()
        async with self._turns.turn(who) as waiting:
            question = rules, moves, level, time_for(seconds, monotonic() - asked, waiting)
            loop, pool = asyncio.get_running_loop(), self._started()
            try:
                return await loop.run_in_executor(pool, think, *question)
            except BrokenProcessPool:  # a process was killed: a new one thinks again
                if self._pool is pool:  # nobody else has dropped it
                    self._pool = None
                return await loop.run_in_executor(self._started(), think, *question)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = get_context("spawn")  # a fork of a server with threads may hang
            self._pool = ProcessPoolExecutor(self._processes, context, _begin)
        return self._pool

    def close(self) -> None:
        """End the processes, once they have finished their thoughts."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)


def time_for(seconds: float, waited: float, waiting: int) -> float:
    """The seconds of thought for a move that should come within `seconds`.

    The time already waited is subtracted, so that a server with many games answers all in time; and
    an address that is waiting for more moves has its time shared between them.
    """
    return max(LEAST, min(seconds - waited, seconds / (1 + waiting)))


def think(rules: Rules, moves: tuple[Cell, ...], level: str, seconds: float) -> Advice:
    """What to play after these moves."""
    return advise(Game.replay(rules, moves), level=level, seconds=seconds)


def _begin() -> None:
    """Leave Ctrl-C to the server; end with the server, even if that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        _exit(0)

    Thread(target=follow, daemon=True).start()
