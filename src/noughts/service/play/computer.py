"""The computer: it plays, gives hints and analyses games, in processes of its own."""

import asyncio
import signal
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.rules import Rules
from noughts.opponent import LEVELS, Advice, Finding, Solution, advise, solve
from noughts.opponent.analysis import findings, positions
from noughts.service.play import decisions
from noughts.service.play.api_errors import APIError
from noughts.service.play.events import monotonic, now
from noughts.service.play.scheduling import FairQueue
from noughts.service.play.state import State
from noughts.system import exit_with_parent, processors

Answer = TypeVar("Answer")

SECONDS = 1.0  # from request to move, if possible; see `time_for`
LEAST = 0.05  # seconds of thought
RESERVE = 0.05  # seconds of its clock for everything but thinking
ANALYSIS = 6.0  # seconds of thought about all positions of a game together
MEMORY = 128 * 2**20  # bytes for the table of solved positions
STRONG = "strong"  # the level that gives hints and analyses games


class Computer:
    """The computer: processes for the levels that answer at once, the strong level, and solving.

    No player waits for a level they did not choose, and `FairQueue` keeps all other waits short.
    """

    def __init__(self) -> None:
        self._light = Thinkers(1)
        self._strong = Thinkers(max(1, processors() - 1))
        self._exact = Thinkers(1)

    async def advise(
        self, game: Game, who: str, level: str = STRONG, seconds: float = SECONDS
    ) -> Advice:
        """Return the move of a level for a player at this address, and the reasons for it."""
        thinkers = self._strong if LEVELS[level].searches else self._light
        return await thinkers.ask(think, (game.rules, game.history, level), who, seconds)

    async def analyse(self, game: Game, who: str, total: float = ANALYSIS) -> list[Finding]:
        """Return the mistakes of a game; other requests get their turns between its positions."""
        seconds = min(SECONDS, total / (game.ply + 1))
        thoughts = [
            None if each.outcome else await self.advise(each, who, seconds=seconds)
            for each in positions(game)
        ]
        return list(findings(game, thoughts))

    async def solve(self, game: Game, who: str, seconds: float) -> Solution:
        """Return the exact value of a position, as far as it is found in time."""
        return await self._exact.ask(solve_position, (game.rules, game.history), who, seconds)

    def close(self) -> None:
        """End the processes when they have finished their current moves."""
        for thinkers in (self._light, self._strong, self._exact):
            thinkers.close()


class Thinkers:
    """Processes that choose moves or solve positions, started with the first request."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._turns = FairQueue(processes)
        self._pool: ProcessPoolExecutor | None = None

    async def ask(
        self, function: Callable[..., Answer], question: tuple[Any, ...], who: str, seconds: float
    ) -> Answer:
        """Call a function with these arguments and its seconds, when it is this client's turn."""
        asked = monotonic()
        async with self._turns.turn(who) as waiting:
            call = function, *question, time_for(seconds, monotonic() - asked, waiting)
            loop, pool = asyncio.get_running_loop(), self._started()
            try:
                return await loop.run_in_executor(pool, *call)
            except BrokenProcessPool:  # a process was killed, so a new one tries again
                if self._pool is pool:  # no other request has dropped it
                    self._pool = None
                return await loop.run_in_executor(self._started(), *call)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = get_context("spawn")  # a fork of a server with threads may hang
            self._pool = ProcessPoolExecutor(self._processes, context, _begin)
        return self._pool

    def close(self) -> None:
        """End the processes when they have finished their current moves."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)


def time_for(seconds: float, waited: float, waiting: int) -> float:
    """Return the seconds of thought for a move that should come within `seconds`.

    The time already waited is subtracted, so that a server with many games answers all in time. If
    the client is waiting for more moves, they share its time.
    """
    return max(LEAST, min(seconds - waited, seconds / (1 + waiting)))


def think(rules: Rules, moves: tuple[Cell, ...], level: str, seconds: float) -> Advice:
    """Choose a move after these moves, in a process of the computer."""
    return advise(Game.replay(rules, moves), level=level, seconds=seconds)


def solve_position(rules: Rules, moves: tuple[Cell, ...], seconds: float) -> Solution:
    """Solve the position after these moves, in a process of the computer."""
    return solve(Game.replay(rules, moves), seconds=seconds, memory=MEMORY, distance=True)


def _begin() -> None:
    """Leave Ctrl-C to the server, and end with the server even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    exit_with_parent()


LONGEST_ANALYSED = 225  # moves; a gomoku board has as many cells
TOO_LONG = f"only games of up to {LONGEST_ANALYSED} moves can be analysed"
KEPT_ANALYSES = 100  # analyses in memory


class Advisor:
    """Hints and analyses; each analysis is made once and kept for a while."""

    def __init__(self, computer: Computer) -> None:
        self._computer = computer
        self._analyses: OrderedDict[tuple[str, tuple[Cell, ...]], asyncio.Task[list[Finding]]] = (
            OrderedDict()
        )

    async def hint(self, state: State, seats: tuple[int, ...], who: str) -> Advice:
        """Return the best move in a game against the computer for the player with these seats.

        Raises APIError if the opponent is not the computer, the player has no seat, the game is not
        being played, or it is the computer's turn.
        """
        if state.made.opponent != "computer":
            raise APIError("no_hints")
        if not seats:
            raise APIError("no_token")
        decisions.check_playing(state, now())
        if state.game.turn not in seats:
            raise APIError("wrong_turn", seq=state.seq)
        return await self._computer.advise(state.game, who)

    async def analysis(self, state: State, who: str) -> list[Finding]:
        """Return the mistakes of a game. Raises APIError if it is not over, or too long."""
        if state.status in {"waiting", "playing"}:
            raise APIError("not_over", "only finished games can be analysed", state.seq)
        if state.game.ply > LONGEST_ANALYSED:
            raise APIError("too_long", TOO_LONG)
        key = state.id, state.game.history
        if key not in self._analyses:
            analyse = self._computer.analyse(state.game.copy(), who)
            self._analyses[key] = asyncio.create_task(analyse)
            while len(self._analyses) > KEPT_ANALYSES:
                self._analyses.popitem(last=False)
        try:
            return await asyncio.shield(self._analyses[key])
        except Exception:
            self._analyses.pop(key, None)
            raise

    def close(self) -> None:
        """Cancel the analyses in progress."""
        for task in self._analyses.values():
            task.cancel()
