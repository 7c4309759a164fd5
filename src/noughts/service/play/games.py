"""The games of a store: what is asked about them and done in them.

Games are in memory while they are used, but the log decides: an event is written only if its place
in the log is free. If it is taken, the game catches up with the log and the decision is made again.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from noughts.service.metrics import THINKING
from noughts.service.play import decisions
from noughts.service.play.backlog import Backlog
from noughts.service.play.computer import STRONG, Computer
from noughts.service.play.deadlines import Deadlines
from noughts.service.play.decisions import Act, Decide
from noughts.service.play.events import (
    Change,
    Event,
    NewGame,
    Seats,
    digest,
    id_of,
    new_id,
    new_secret,
    now,
    token_of,
)
from noughts.service.play.groups import Groups
from noughts.service.play.live import LiveGame, Thought
from noughts.service.play.memory import Memory
from noughts.service.play.refusal import Refused
from noughts.service.play.state import Acted, State
from noughts.service.play.storage import PAGE, DamagedGame, Storage, StoreError, ask
from noughts.service.play.watch import Watchers
from noughts.service.play.writer import Writer

LOADED = 20  # games that are read together, a page of each
ASKED = 500  # games or tokens that are asked about together
LONG = 2  # games of more than one page that are read at the same time

log: logging.Logger = logging.getLogger("noughts")


class Seated(NamedTuple):
    """What a player who has taken a seat gets."""

    state: State
    token: str  # proves that the player holds the seats
    seats: tuple[int, ...]
    secret: str  # what a browser keeps: its tokens are derived from it
    invite: str | None = None  # what a friend joins by
    new: bool = False  # whether the game was made just now


class Games:
    """All games of a store, in the view of one server."""

    def __init__(self, store: Storage, watchers: Watchers, computer: Computer, keep: float) -> None:
        """Games that nobody has touched for `keep` milliseconds are forgotten."""
        self._store = store
        self._watchers = watchers
        self._computer = computer
        self.backlog: Backlog = Backlog(store)  # events that are no longer in memory
        self._long = asyncio.Semaphore(LONG)
        self._writer = Writer(store, self._committed)
        self._live = Memory(keep)
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}
        self._loads = Groups[str, LiveGame | None](lambda ids: ask(store, self._read, ids), LOADED)
        self._tokens = Groups(self._read_seats, ASKED)
        self._behind = Groups(self._read_news, ASKED)
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self.deadlines: Deadlines = Deadlines(self._end_overdue)  # ends games whose time is up
        self._recovered = False
        self._logged: set[str] = set()  # damaged games

    async def close(self) -> None:
        """Finish what is being written; computers make their moves after the next start."""
        for task in self._thinking.values():
            task.cancel()
        await self._writer.close()
        if self._store.notifications:
            await self._store.notifications.close()
        self._computer.close()

    # Queries

    async def state(self, id: str) -> LiveGame:
        """The game as it is now; it follows the log for as long as it is held.

        Raises:
            Refused: there is no such game.
        """
        live = await self._get(id)
        if self._store.notifications:
            await self._catch_up(live)
        return live

    async def seats(self, live: LiveGame, token: str | None) -> tuple[int, ...]:
        """The seats of this game that the token holds; none for a spectator."""
        if token is None:
            return ()
        try:
            return await self._required_seats(live, token)
        except Refused:
            return ()

    async def open_games(self) -> list[NewGame]:
        """The listed games that wait for somebody to join, the newest first."""
        return await ask(self._store, self._store.open_games)

    async def live_games(self) -> list[LiveGame]:
        """The latest listed games that are being played and that a player has open."""
        begun = await ask(self._store, self._store.begun_games)
        here = [id for id in begun if any(self._watchers.here(id).here)]
        return [live for live in await self._several(here) if live.status == "playing"]

    # Commands

    async def create(
        self, game: NewGame, who: str, secret: str | None, key: str | None = None
    ) -> Seated:
        """Make this game, with an invitation for a friend; take a seat, or both to play alone.

        The player is at the address `who`; their browser may have a `secret` from an earlier game.
        Under the same key the game is made once: its id and its invitation follow from the key.
        """
        key, secret, invite = key or new_secret(), secret or new_secret(), None
        game = game._replace(id=self._in_database(id_of(key)))
        if game.opponent == "friend":
            invite = token_of(key, "invitation")
            game = game._replace(invite=digest(invite))
        hashed = digest(token_of(secret, game.id))
        change = decisions.create(game, hashed)
        new = await self._writer.commit(change)
        if new:
            live = self._live.add(LiveGame(game))
            if live.deadline is not None:
                self.deadlines.set(live.id, live.deadline)
        else:
            live = await self._get(game.id)
            held = await self.seats(live, token_of(secret, game.id))
            change = decisions.create_again(live, game, held, hashed)
            await self._writer.commit(change)
        live.who = who
        return _seated(live, secret, change, invite)._replace(new=new)

    async def made_under(self, key: str) -> int:
        """When a game was made here under this key, in milliseconds since 1970; 0 if none was."""
        try:
            return (await self.state(self._in_database(id_of(key)))).made.at
        except Refused:
            return 0

    def _in_database(self, id: str) -> str:
        """This random id, with its first characters replaced by the prefix of the database."""
        if self._store.prefix is None:
            raise StoreError("the database has not answered yet")
        return self._store.prefix + id[len(self._store.prefix) :]

    async def join(
        self, id: str, invite: str | None, name: str | None, key: str | None, secret: str | None
    ) -> Seated:
        """Take the free seat of a game; under the same key, take it again.

        A player who holds the other seat by the same secret then holds both.
        """
        live, key = await self._get(id), key or new_id()
        held = await self.seats(live, token_of(secret, id)) if secret else ()
        secret = secret or new_secret()
        hashed = digest(token_of(secret, id))
        join = partial(decisions.join, invite=invite, name=name, token_hash=hashed)
        return _seated(live, secret, await self._change(live, join, held, key))

    async def act(
        self, id: str, token: str | None, who: str, seq: int, key: str, decide: Decide
    ) -> tuple[Acted, bool]:
        """Do what a player asks, see `Act`; return the answer, and whether anything was done now.

        A rematch that is withdrawn is withdrawn from the game before, too.

        Raises:
            Refused: as `decide`; there is no such game, or the token holds no seat in it.
        """
        live = await self._get(id)
        seats = await self._required_seats(live, token)
        live.who = who
        if seq > live.seq:
            await self._catch_up(live)
        change = await self._change(live, decide, seats, key, seq)
        if live.status == "aborted" and live.made.before:
            withdraw = partial(decisions.withdraw_rematch, aborted=id)
            seat = 3 - live.made.seat  # of the same player, as a rematch swaps the seats
            with suppress(Refused):  # the game before may be forgotten
                await self._change(await self.state(live.made.before), withdraw, (seat,), new_id())
        return live.answer(seats, key), change is not None

    async def rematch(self, id: str, token: str | None, who: str, secret: str | None) -> Seated:
        """Play again, with the seats swapped: who asks first makes the game, the other joins."""
        live = await self.state(id)
        seats, key = await self._required_seats(live, token), new_id()
        next_id, kept = self._in_database(new_id()), secret or new_secret()
        known = await self.state(live.rematch) if live.rematch else None
        aborted = known.id if known and known.status == "aborted" else None
        hashed = digest(token_of(kept, next_id))
        make = partial(decisions.rematch, id=next_id, token_hash=hashed, aborted=aborted)
        made = await self._change(live, make, seats, key)
        following = await self._get(live.rematch or next_id)
        hashed = digest(token_of(kept, following.id))
        join = partial(decisions.join_rematch, before=live, token_hash=hashed)
        following.who = who
        return _seated(following, kept, made or await self._change(following, join, seats, key))

    async def _change(
        self,
        live: LiveGame,
        decide: Decide,
        seats: tuple[int, ...] = (),
        key: str = "",
        seq: int | None = None,
    ) -> Change | None:
        """Decide and write the change; decide again as long as another change comes first.

        A player with these seats asks for it under this key, knowing this seq or all events.
        """
        async with live.lock:
            while change := decide(live, Act(seats, live.seq if seq is None else seq, key, now())):
                if await self._writer.commit(change):
                    return change
                await self._catch_up(live)
        return None

    async def _required_seats(self, live: LiveGame, token: str | None) -> tuple[int, ...]:
        """The seats of this game that the token holds; at least one."""
        if token is None:
            raise Refused("no_token")
        hashed = digest(token)
        found = live.seats.get(hashed) or await self._tokens.ask(hashed)
        if found is None:
            raise Refused("unknown_token")
        if found.game != live.id:
            raise Refused("not_your_seat")
        live.seats[hashed] = found
        return found.seats

    async def _read_seats(self, tokens: list[bytes]) -> list[Seats | None]:
        """The seats of the tokens with these SHA-256; None of one that is unknown."""
        found = {seats.token: seats for seats in await ask(self._store, self._store.seats, tokens)}
        return [found.get(token) for token in tokens]

    # Computers

    def _think(self, id: str) -> None:
        """Have the computer make its moves in this game, unless it is thinking there already."""
        if id not in self._thinking:
            self._thinking[id] = asyncio.create_task(self._move_computer(id))

    async def _move_computer(self, id: str) -> None:
        """Make the computer's moves until it is not its turn."""
        try:
            while (live := await self.state(id)).computer_to_move:
                seq, level, seconds = live.seq, live.made.level or STRONG, live.time_to_think(now())
                with THINKING.track_inprogress():
                    advice = await self._computer.advise(live.game, live.who, level, seconds)
                move = partial(decisions.computer_move, cell=advice.cell)
                change = await self._change(live, move, (live.game.turn,), f"computer {seq}", seq)
                if change and change.event and change.event.kind == "move":
                    live.thought = Thought(change.event.seq, advice)
                    self._watchers.wake(id)
        except (StoreError, Refused) as error:
            log.warning("the computer's move in game %s waits: %s", id, error)
        except Exception:  # of any kind: the move stays due
            log.exception("the computer has failed in game %s", id)
        finally:
            del self._thinking[id]

    async def think_overdue(self, late: int) -> None:
        """Start the computers whose move is this many ms late: servers may have ended."""
        for id in await ask(self._store, self._store.claim, now() - late):
            self._think(id)

    # Clocks

    async def _end_overdue(self, ids: list[str]) -> dict[str, int]:
        """End the games whose time is up; return the deadlines of those that go on."""
        begun = now()
        games = await self._several(ids)
        if self._store.notifications:
            await self.look(ids)
        await asyncio.gather(*map(self._end_if_overdue, games))
        running = {live.id: live.deadline for live in games if live.deadline is not None}
        if self._store.notifications and running:  # other servers look after them, too
            earliest = {live.id: live.earliest(begun) for live in games if live.id in running}
            await ask(self._store, self._store.put_off, earliest)
        return running

    async def _end_if_overdue(self, live: LiveGame) -> None:
        """End this game if its time is up; forget the clock of one that is over."""
        ended = await self._change(live, lambda state, act: decisions.timeout(state, act.at))
        if ended is None and live.deadline is None:  # now: a change may have set a new one
            await self._writer.commit(Change(clock=(live.id, None)))

    async def recover_clocks(self) -> None:
        """Look after the clocks of all games: servers may have ended. Alone, it does so once."""
        if not self._recovered:
            for id, at in await ask(self._store, self._store.clocks):
                self.deadlines.set(id, at)
            self._recovered = self._store.notifications is None

    # In memory

    async def _get(self, id: str) -> LiveGame:
        """The game; if it is not in memory, it is loaded once for all who ask."""
        if live := self._live.get(id):
            return self._live.use(live)
        if id not in self._loading:
            self._loading[id] = asyncio.create_task(self._load(id))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> LiveGame:
        """The game, read from the store together with others."""
        try:
            # PostgreSQL allows no NUL in a text.
            live = None if "\0" in id else await self._loads.ask(id)
            if live is None:
                raise Refused("no_game")
            more = live.seq == PAGE
            while more:
                async with self._long:
                    more = await ask(self._store, self._replay, live)
            if self._live.is_forgotten(live):
                raise Refused("no_game")
            return self._live.add(live)
        finally:
            del self._loading[id]

    def _read(self, ids: list[str]) -> list[LiveGame | Exception | None]:
        """These games with the first page of their logs, in a thread: nobody else has them yet."""
        found: dict[str, LiveGame | Exception] = {}
        for made in self._store.games(ids):
            damaged = isinstance(made, DamagedGame)
            found[made.id] = self._damaged(made.id, made) if damaged else LiveGame(made)
        for event in self._store.events(dict.fromkeys(found, 0)) if found else ():
            live = found[event.game]
            try:
                if isinstance(live, LiveGame):
                    live.apply(event)
            except Exception as error:  # of any kind: the other games are read
                found[event.game] = self._damaged(event.game, error)
        return [found.get(id) for id in ids]

    def _damaged(self, id: str, error: Exception) -> Refused:
        """Log once why this game cannot be read, and return the error of requests about it."""
        if id not in self._logged:
            self._logged.add(id)
            known = isinstance(error, DamagedGame)
            log.error("%s", error if known else DamagedGame(id, 0, error), exc_info=not known)
        return Refused("damaged")

    def _replay(self, live: LiveGame) -> bool:
        """Follow a page of the log, in a thread; return whether there may be more."""
        events = self._store.events({live.id: live.seq})
        try:
            for event in events:
                live.apply(event)
        except Exception as error:
            raise self._damaged(live.id, error) from None
        return len(events) == PAGE

    async def _several(self, ids: list[str]) -> list[LiveGame]:
        """These games, without damaged and forgotten ones."""
        games = []
        found = await asyncio.gather(*map(self._get, ids), return_exceptions=True)
        for id, game in zip(ids, found, strict=True):
            if isinstance(game, LiveGame):
                games.append(game)
            elif isinstance(game, StoreError):
                raise game
            elif not isinstance(game, Refused):
                log.error("game %s has failed", id, exc_info=game)
        return games

    async def forget(self) -> None:
        """Forget the games that nobody has touched for too long, and end their streams."""
        for id in self._live.forget():
            self._watchers.wake(id)

    # Following the log

    async def _catch_up(self, live: LiveGame) -> None:
        """Follow what others have written."""
        while await self._behind.ask(live):
            pass

    async def _read_news(self, games: list[LiveGame]) -> list[bool | Exception]:
        """Follow a page of what others have written in these games; say whether there may be more.

        Where a game is damaged, its answer is the error.
        """
        news = await ask(self._store, self._store.events, {live.id: live.seq for live in games})
        failed = self._follow_all(news)
        read = Counter(event.game for event in news)
        return [failed.get(live.id, read[live.id] == PAGE) for live in games]

    def _follow(self, live: LiveGame, event: Event) -> None:
        """Follow an event, unless the game has it already."""
        if event.seq == live.seq + 1:
            live.apply(event)
            live.recent.append(live.told(event))
            if (deadline := live.deadline) is not None:
                self.deadlines.set(live.id, deadline)
            self._watchers.wake(live.id)

    def _committed(self, changes: list[Change]) -> None:
        """Follow what this server has written, and start computers."""
        for change in changes:
            if change.event and (live := self._live.get(change.event.game)):
                self._follow(live, change.event)
            if change.due and change.due[1]:
                self._think(change.due[0])

    async def heard(self, news: list[Event]) -> None:
        """Follow these events of other servers; read those that were not heard before them."""
        self._follow_all(news)
        await self.look(event.game for event in news if self._lacks(event))

    def _lacks(self, event: Event) -> bool:
        """Whether this event's game is in memory without it."""
        live = self._live.get(event.game)
        return live is not None and live.seq < event.seq

    async def look(self, ids: Iterable[str] | None = None) -> None:
        """Catch up with these games, or with all that are watched, in case a hint was lost."""
        ids = self._watchers.watched() if ids is None else ids
        if games := [live for id in ids if (live := self._live.get(id))]:
            await self._read_news(games)

    def _follow_all(self, events: Iterable[Event]) -> dict[str, Exception]:
        """Follow these events where their games are in memory; return what has failed, by game."""
        failed: dict[str, Exception] = {}
        for event in events:
            try:
                if (live := self._live.get(event.game)) and live.id not in failed:
                    self._follow(live, event)
            except Exception as error:  # of any kind: the other games go on
                failed[event.game] = self._damaged(event.game, error)
        return failed


def _seated(
    live: LiveGame, secret: str, change: Change | None, invite: str | None = None
) -> Seated:
    """What the player gets who takes a seat by this change."""
    assert change is not None  # taking a seat always makes a token
    (given,) = change.seats
    live.seats[given.token] = given
    return Seated(live, token_of(secret, live.id), given.seats, secret, invite)
