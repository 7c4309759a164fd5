"""The advisor: hints and analyses by the computer, for those who may ask."""

import asyncio
from collections import OrderedDict

from noughts.game.geometry import Cell
from noughts.opponent import Advice, Finding
from noughts.service.play import decisions
from noughts.service.play.computer import Computer
from noughts.service.play.databases import Databases
from noughts.service.play.events import now
from noughts.service.play.refusal import Refused

ANALYSED = 225  # moves of a game: as many as a board for go-moku has cells
KEPT = 100  # analyses in memory


class Advisor:
    """Gives hints and analyses games; each analysis is made once and kept for a while."""

    def __init__(self, databases: Databases, computer: Computer) -> None:
        self._databases = databases
        self._computer = computer
        self._analyses: OrderedDict[tuple[str, tuple[Cell, ...]], asyncio.Task[list[Finding]]] = (
            OrderedDict()
        )

    async def hint(self, id: str, token: str | None, who: str) -> tuple[int, Advice]:
        """The seq of a game against the computer, and the best move of its player there.

        Raises:
            Refused: the opponent is not the computer, the token holds no seat in the game, it is
                not being played, or it is the computer's turn.
        """
        games = self._databases[id]
        live = await games.state(id)
        seats = await games.seats(live, token)
        if live.made.opponent != "computer":
            raise Refused("no_hints")
        if not seats:
            raise Refused("no_token")
        decisions.check_playing(live, now())
        if live.game.turn not in seats:
            raise Refused("wrong_turn", seq=live.seq)
        return live.seq, await self._computer.advise(live.game, who)

    async def analysis(self, id: str, who: str) -> list[Finding]:
        """What each move of a finished game gave away.

        Raises:
            Refused: the game is not over, or it is too long.
        """
        live = await self._databases[id].state(id)
        if live.status in {"waiting", "playing"}:
            raise Refused("not_over", "an analysis comes after the end of the game", live.seq)
        if live.game.ply > ANALYSED:
            raise Refused("too_long", f"only games of up to {ANALYSED} moves are analysed")
        key = live.id, live.game.history
        if key not in self._analyses:
            analyse = self._computer.analyse(live.game.copy(), who)
            self._analyses[key] = asyncio.create_task(analyse)
            while len(self._analyses) > KEPT:
                self._analyses.popitem(last=False)
        try:
            return await asyncio.shield(self._analyses[key])
        except Exception:
            self._analyses.pop(key, None)
            raise

    def close(self) -> None:
        """Cancel the analyses that are being made."""
        for task in self._analyses.values():
            task.cancel()
