"""The conversation of an engine with its manager; it can end while the engine thinks."""

import os
from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread
from time import perf_counter

from noughts.engines.brain import Brain, Thinker, think
from noughts.engines.protocol import Lines
from noughts.game.game import Game
from noughts.opponent import Advice

PIECE = 1 << 16  # bytes read at once


class _Ended(Exception):
    """The manager has ended the conversation."""


def converse(commands: int, say: Callable[[str], None], thinker: Thinker = think) -> None:
    """Answer a manager until END or the end of its commands.

    Commands before the end are still answered, up to the first that needs thought. If noughts is
    thinking, the process ends at once. `commands` is a file descriptor; `say` writes a line.
    """
    came = SimpleQueue[tuple[str, float] | None]()
    state = Lock()  # guards the next two
    ended = thinking = False

    def listen() -> None:
        nonlocal ended
        lines = Lines()
        # Not sys.stdin: the waiting thread would hold its lock when Python ends.
        while piece := os.read(commands, PIECE):
            now = perf_counter()
            for line in lines.of(piece):
                if line.split()[0].upper() == "END":
                    break
                came.put((line, now))
            else:
                continue
            break
        with state:
            ended = True
            if thinking:
                os._exit(0)
        came.put(None)

    def advice(game: Game, seconds: float, optimum: float | None, threads: int) -> Advice:
        nonlocal thinking
        with state:
            if ended:
                raise _Ended
            thinking = True
        try:
            return thinker(game, seconds, optimum, threads)
        finally:
            with state:
                thinking = False

    brain = Brain(advice)
    Thread(target=listen, daemon=True).start()
    while (command := came.get()) is not None:
        try:
            for line in brain.answer(*command):
                say(line)
        except _Ended:
            return
