"""The computers' turns: in each game where a computer is to move, a task thinks and moves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from noughts.service.metrics import THINKING
from noughts.service.play import decisions
from noughts.service.play.computer import Computer
from noughts.service.play.events import Change, now
from noughts.service.play.live import LiveGame, LiveGames
from noughts.service.play.state import State

log = logging.getLogger("noughts")


class Thinking:
    """The games in which computers think at the moment.

    Args:
        computer: finds the moves.
        live: the games.
        change: makes a decision about a game and writes it.
    """

    def __init__(
        self,
        computer: Computer,
        live: LiveGames,
        change: Callable[[LiveGame, Callable[[], Change | None]], Awaitable[object]],
    ) -> None:
        self._computer = computer
        self._live = live
        self._change = change
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, state: State) -> None:
        """Have the computer think if it is its turn in this game, and it does not think yet."""
        if state.computer_to_move and state.id not in self._tasks:
            task = self._tasks[state.id] = asyncio.create_task(self._think(state.id))
            task.add_done_callback(partial(self._ended, state.id))

    def cancel(self) -> None:
        """End all; the moves stay due."""
        for task in self._tasks.values():
            task.cancel()

    async def _think(self, id: str) -> None:
        """Make the computer's moves until it is not its turn."""
        while (live := await self._live.get(id)).state.computer_to_move:
            state, seq = live.state, live.state.seq
            with THINKING.track_inprogress():
                cell = await self._computer.move(state.game, state.made.level or "perfect")
            await self._change(live, partial(decisions.computer_move, state, seq, cell, now()))

    def _ended(self, id: str, task: asyncio.Task[None]) -> None:
        """Report a computer that failed; its move stays due."""
        del self._tasks[id]
        if not task.cancelled() and (error := task.exception()):
            log.error("the computer failed in game %s: %r", id, error)
