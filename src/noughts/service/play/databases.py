"""The databases of a server: each has games of its own, and the id of a game says which.

They share no group, no transaction and no thread, so one that is down or hangs holds back no other.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from itertools import chain
from math import inf
from typing import TypeVar

from noughts.service.metrics import DOWN
from noughts.service.play.computer import Computer
from noughts.service.play.events import MARK, NewGame, digest, new_secret
from noughts.service.play.games import Games, Seated
from noughts.service.play.live import LiveGame
from noughts.service.play.presence import Streams
from noughts.service.play.refusal import Refused
from noughts.service.play.storage import SHOWN, Storage, StoreError, ask
from noughts.service.play.watch import Watchers

T = TypeVar("T")


class Databases:
    """The games of each database, in the view of one server."""

    def __init__(
        self,
        stores: Iterable[Storage],
        watchers: Watchers,
        computer: Computer,
        keep: float = inf,  # as for `Games`
    ) -> None:
        self.all: dict[Storage, Games] = {
            store: Games(store, watchers, computer, keep) for store in stores
        }
        self._up = set(self.all)  # those that answered when they were last asked
        self._by_prefix: dict[str | None, Games] = {}  # of those that have ever answered

    def __getitem__(self, id: str) -> Games:
        """The games of the database that this id tells; one database alone has all.

        Raises:
            Refused: there is no such game.
            StoreError: a database that may have it has not answered yet.
        """
        if len(self.all) == 1:
            return next(iter(self.all.values()))
        if games := self._by_prefix.get(id[: id.find(MARK) + 1]):
            return games
        if len(self._by_prefix) < len(self.all):
            raise StoreError("not all databases have answered yet")
        raise Refused("no_game")

    async def look(self, store: Storage) -> None:
        """See whether this database answers. Raises StoreError if it does not."""
        games, up = self.all[store], False
        try:
            await ask(store, store.alive)
            up = self._by_prefix.setdefault(store.prefix, games) is games  # it is no copy
        except StoreError as error:
            raise StoreError(f"{store.url}: {error}") from error
        finally:
            (self._up.add if up else self._up.discard)(store)
            DOWN.labels(store.url).set(not up)

    async def alive(self) -> None:
        """Check that a database answers; of several, that one did when they were last looked at.

        Raises:
            StoreError: none does.
        """
        if len(self.all) == 1:
            await self.look(*self.all)
        elif not self._up:
            raise StoreError("none of the databases answers")

    async def create(
        self, game: NewGame, who: str, secret: str | None, key: str | None = None
    ) -> Seated:
        """Make this game in a database that answers: under one key in the same, at all servers.

        It stays where it was made, whether a database came back since or is new. Of two that were
        made under the key, as the first could not be seen then, the latter is meant.
        """
        if len(self.all) == 1:
            return await self[""].create(game, who, secret, key)
        known = key or new_secret()

        async def made(store: Storage) -> tuple[int, bytes, Games]:
            games = self._by_prefix.get(store.prefix, self.all[store])  # never those of a copy
            return await games.made_under(known), digest(f"{store.prefix}{known}"), games

        *_, games = max(await self._each(made))
        return await games.create(game, who, secret, known)

    async def open_games(self) -> list[NewGame]:
        """The listed games that wait for somebody to join, the newest first."""
        found = chain(*await self._each(lambda store: self.all[store].open_games()))
        return sorted(found, key=lambda game: -game.at)[:SHOWN]

    async def live_games(self) -> list[LiveGame]:
        """The latest listed games that are being played and that a player has open."""
        return [*chain(*await self._each(lambda store: self.all[store].live_games()))]

    async def _each(self, question: Callable[[Storage], Awaitable[T]]) -> list[T]:
        """The answers of the databases that answer. Raises StoreError if none does."""
        stores, failed = [*(self._up or self.all)], list[StoreError]()

        async def hear(store: Storage) -> list[T]:
            try:
                return [await question(store)]
            except StoreError as error:
                self._up.discard(store)
                failed.append(error)
                return []

        answers = await asyncio.gather(*map(hear, stores))
        if len(failed) == len(stores):
            raise failed[0]
        return [*chain(*answers)]

    def announce(self, streams: Mapping[str, Streams]) -> None:
        """Inform the other servers of the event streams of these games, soon."""
        for store, games in self.all.items():
            own = {id: told for id, told in streams.items() if self[id] is games}
            if store.notifications and own:
                store.notifications.announce(own)
