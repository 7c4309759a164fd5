"""The list of open games and of those to watch, made once for all who poll it."""

import asyncio
from math import inf
from time import monotonic

import msgspec

from noughts.service.http import models
from noughts.service.http.files import tag
from noughts.service.play.databases import Databases
from noughts.service.play.watch import Watchers

FRESH = 1.0  # seconds for which all who poll get the same list
LIVE = 12  # games to watch


class Listing:
    """The list as JSON, and the tag by which a client knows it."""

    def __init__(self, databases: Databases, watchers: Watchers) -> None:
        self._databases = databases
        self._watchers = watchers
        self._made = -inf  # when the making of the list began
        self._list = b"", ""
        self._making = asyncio.Lock()

    async def read(self, fresh: bool) -> tuple[bytes, str]:
        """The list and its tag: made now if `fresh`, otherwise at most `FRESH` seconds old."""
        oldest = monotonic() - (0 if fresh else FRESH)
        if self._made < oldest:
            async with self._making:
                if self._made < oldest:  # unless it was just made for another reader
                    begun = monotonic()
                    self._list = await self._make()
                    self._made = begun
        return self._list

    async def _make(self) -> tuple[bytes, str]:
        here = self._watchers.here
        waiting = await self._databases.open_games()
        playing = [(here(live.id).watchers, live) for live in await self._databases.live_games()]
        playing.sort(key=lambda one: -one[0])
        answer = models.OpenGamesAnswer(
            [models.OpenGameAnswer.of(game, here(game.id)) for game in waiting],
            [models.LiveGameAnswer.of(live, count) for count, live in playing[:LIVE]],
        )
        body = msgspec.json.encode(answer)
        return body, tag(body)
