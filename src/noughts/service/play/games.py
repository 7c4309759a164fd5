"""The games of a store, and of all the databases of a server.

Games are in memory while they are used, but the log decides: an event is written only if its place
in the log is free. If it is taken, the game catches up with the log and the decision is made again.

Each database has games of its own, and the id of a game names its database. Databases share no
batch, transaction or thread, so one that is down or hangs does not affect the others.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain
from math import inf
from typing import NamedTuple, TypeVar

from noughts.service.metrics import DOWN, THINKING
from noughts.service.play import decisions
from noughts.service.play.api_errors import APIError
from noughts.service.play.computer import STRONG, Computer
from noughts.service.play.decisions import Act, Decide
from noughts.service.play.events import (
    MARK,
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
from noughts.service.play.game_cache import Backlog, GameCache, LiveGame, Thought
from noughts.service.play.scheduling import Batches, Deadlines, Writer
from noughts.service.play.state import Acted, State
from noughts.service.play.storage import PAGE, SHOWN, DamagedGame, Storage, StoreError, ask
from noughts.service.play.subscriptions import Streams, Subscriptions

LOADED = 20  # games that are read together, one page each
ASKED = 500  # games or tokens that are looked up together
LONG = 2  # games of several pages that are read at the same time

log: logging.Logger = logging.getLogger("noughts")


class Seated(NamedTuple):
    """The result of taking a seat."""

    state: State
    token: str  # proves that the player holds the seats
    seats: tuple[int, ...]
    secret: str  # kept by the browser; its tokens are derived from it
    invite: str | None = None  # with which a friend joins
    new: bool = False  # whether the game was created just now


class Games:
    """All games of a store, as seen by one server."""

    def __init__(
        self, store: Storage, subscriptions: Subscriptions, computer: Computer, keep: float
    ) -> None:
        """Open the games of a store; forget those idle for `keep` milliseconds."""
        self._store = store
        self._subscriptions = subscriptions
        self._computer = computer
        self.backlog: Backlog = Backlog(store)  # events that are no longer in memory
        self._long = asyncio.Semaphore(LONG)
        self._writer = Writer(store, self._committed)
        self._live = GameCache(keep)
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}
        self._loads = Batches[str, LiveGame | None](lambda ids: ask(store, self._read, ids), LOADED)
        self._tokens = Batches(self._read_seats, ASKED)
        self._behind = Batches(self._read_news, ASKED)
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self.deadlines: Deadlines = Deadlines(self._end_overdue)  # ends games whose time is up
        self._recovered = False
        self._logged: set[str] = set()  # damaged games

    async def close(self) -> None:
        """Finish pending writes; moves of the computer are left for the next start."""
        for task in self._thinking.values():
            task.cancel()
        await self._writer.close()
        if self._store.notifications:
            await self._store.notifications.close()
        self._computer.close()

    async def state(self, id: str) -> LiveGame:
        """Return the game as it is now; it follows the log while in use. Raises APIError."""
        unread = not self._live.get(id) and id not in self._loading
        live = await self._get(id)
        if self._store.notifications and not unread:
            await self._catch_up(live)
        return live

    async def seats(self, live: LiveGame, token: str | None) -> tuple[int, ...]:
        """Return the seats of this game that the token holds; none for a spectator."""
        if token is None:
            return ()
        try:
            return await self._required_seats(live, token)
        except APIError:
            return ()

    async def open_games(self) -> list[NewGame]:
        """Return the listed games that are waiting for a player, the newest first."""
        return await ask(self._store, self._store.open_games)

    async def live_games(self) -> list[LiveGame]:
        """Return the latest listed games that are being played and that a player has open."""
        begun = await ask(self._store, self._store.begun_games)
        here = [id for id in begun if any(self._subscriptions.here(id).here)]
        return [live for live in await self._several(here) if live.status == "playing"]

    async def create(
        self, game: NewGame, who: str, secret: str | None, key: str | None = None
    ) -> Seated:
        """Create this game and take a seat in it, or both seats to play alone.

        The id of the game and the invitation for a friend follow from the idempotency key, so under
        one key a game is created once. `game` has neither yet. The player at the address `who` may
        have a secret from an earlier game in the same browser.
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
        """Return when a game was created here under this key (Unix ms), or 0 if none was."""
        try:
            return (await self.state(self._in_database(id_of(key)))).made.at
        except APIError:
            return 0

    def _in_database(self, id: str) -> str:
        """Return this random id with its first characters replaced by the database's prefix."""
        if self._store.prefix is None:
            raise StoreError("the database has not responded yet")
        return self._store.prefix + id[len(self._store.prefix) :]

    async def join(
        self, id: str, invite: str | None, name: str | None, key: str | None, secret: str | None
    ) -> Seated:
        """Take the free seat of a game, or take it again under the same key.

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
        """Perform a player's action; return the answer, and whether anything was done now.

        A rematch that is cancelled is also removed from the game before it. Raises APIError if
        there is no such game, the token holds no seat in it, or `decide` raises it.
        """
        live = await self._get(id)
        seats = await self._required_seats(live, token)
        live.who = who
        if seq > live.seq:
            await self._catch_up(live)
            seats = await self._required_seats(live, token)
        change = await self._change(live, decide, seats, key, seq)
        if live.status == "aborted" and live.made.before:
            withdraw = partial(decisions.withdraw_rematch, aborted=id)
            seat = 3 - live.made.seat  # of the same player, as a rematch swaps the seats
            with suppress(APIError):  # the game before may have been forgotten
                await self._change(await self.state(live.made.before), withdraw, (seat,), new_id())
        return live.answer(seats, key), change is not None

    async def rematch(self, id: str, token: str | None, who: str, secret: str | None) -> Seated:
        """Play again with the seats swapped; the first to ask creates the game, the other joins."""
        live = await self.state(id)
        seats, key = await self._required_seats(live, token), new_id()
        next_id, kept = self._in_database(new_id()), secret or new_secret()
        known = await self.state(live.rematch) if live.rematch else None
        aborted = known.id if known and known.status == "aborted" else None
        hashed = digest(token_of(kept, next_id))
        make = partial(decisions.rematch, id=next_id, token_hash=hashed, aborted=aborted)
        made = await self._change(live, make, seats, key)
        following = await self._get(live.rematch or next_id)
        token = token_of(kept, following.id)
        held = await self.seats(following, token)
        join = partial(decisions.join_rematch, before=live, held=held, token_hash=digest(token))
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

        Where servers share the store, a refusal counts only if the log has nothing new.

        The request is from a player with these seats, under this key, who has seen the events up to
        this seq, or all events.
        """
        async with live.lock:
            while True:
                known = live.seq
                try:
                    change = decide(live, Act(seats, known if seq is None else seq, key, now()))
                except APIError:
                    if self._store.notifications is None:
                        raise
                    await self._catch_up(live)  # it may have been done at another server
                    if live.seq == known:
                        raise
                    continue
                if change is None or await self._writer.commit(change):
                    return change
                await self._catch_up(live)

    async def _required_seats(self, live: LiveGame, token: str | None) -> tuple[int, ...]:
        """Return the seats of this game that the token holds, at least one."""
        if token is None:
            raise APIError("no_token")
        hashed, known = digest(token), live.seats  # which `_follow_all` replaces
        found = known.get(hashed) or await self._tokens.ask(hashed)
        if found is None:
            raise APIError("unknown_token")
        if found.game != live.id:
            raise APIError("not_your_seat")
        return known.setdefault(hashed, found).seats

    async def _read_seats(self, tokens: list[bytes]) -> list[Seats | None]:
        """Return the seats of the tokens with these SHA-256 values; None if one is unknown."""
        found = {seats.token: seats for seats in await ask(self._store, self._store.seats, tokens)}
        return [found.get(token) for token in tokens]

    def _think(self, id: str) -> None:
        """Start the computer in this game, unless it is already thinking there."""
        if id not in self._thinking:
            self._thinking[id] = asyncio.create_task(self._move_computer(id))

    async def _move_computer(self, id: str) -> None:
        """Play the computer's moves until it is not its turn."""
        try:
            while (live := await self.state(id)).computer_to_move:
                seq, level, seconds = live.seq, live.made.level or STRONG, live.time_to_think(now())
                with THINKING.track_inprogress():
                    advice = await self._computer.advise(live.game, live.who, level, seconds)
                move = partial(decisions.computer_move, cell=advice.cell)
                change = await self._change(live, move, (live.game.turn,), f"computer {seq}", seq)
                if change and change.event and change.event.kind == "move":
                    live.thought = Thought(change.event.seq, advice)
                    self._subscriptions.wake(id)
        except (StoreError, APIError) as error:
            log.warning("the computer's move in game %s is delayed: %s", id, error)
        except Exception:  # the move stays due
            log.exception("the computer failed in game %s", id)
        finally:
            del self._thinking[id]

    async def think_overdue(self, late: int) -> None:
        """Start the computers whose move is this many ms late, as other servers may have ended."""
        for id in await ask(self._store, self._store.claim, now() - late):
            self._think(id)

    async def _end_overdue(self, ids: list[str]) -> dict[str, int]:
        """End the games whose time is up; return the deadlines of those that go on."""
        begun = now()
        games = await self._several(ids)
        if self._store.notifications:
            await self.refresh(ids)
        await asyncio.gather(*map(self._end_if_overdue, games))
        running = {live.id: live.deadline for live in games if live.deadline is not None}
        if self._store.notifications and running:  # other servers check them, too
            earliest = {live.id: live.earliest(begun) for live in games if live.id in running}
            await ask(self._store, self._store.put_off, earliest)
        return running

    async def _end_if_overdue(self, live: LiveGame) -> None:
        """End this game if its time is up; remove the clock of a game that is over."""
        ended = await self._change(live, lambda state, act: decisions.timeout(state, act.at))
        if ended is None and live.deadline is None:  # which the change may just have set
            await self._writer.commit(Change(clock=(live.id, None)))

    async def recover_clocks(self) -> None:
        """Check the clocks of all games, as other servers may have ended; without others, once."""
        if not self._recovered:
            for id, at in await ask(self._store, self._store.clocks):
                self.deadlines.set(id, at)
            self._recovered = self._store.notifications is None

    async def _get(self, id: str) -> LiveGame:
        """Return the game; load it if it is not in memory, once for all requests."""
        if live := self._live.get(id):
            return self._live.use(live)
        if id not in self._loading:
            self._loading[id] = asyncio.create_task(self._load(id))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> LiveGame:
        """Read the game from the store, together with others."""
        try:
            # PostgreSQL does not allow NUL in text.
            live = None if "\0" in id else await self._loads.ask(id)
            if live is None:
                raise APIError("no_game")
            more = live.seq == PAGE
            while more:
                async with self._long:
                    more = await ask(self._store, self._replay, live)
            if self._live.is_forgotten(live):
                raise APIError("no_game")
            return self._live.add(live)
        finally:
            del self._loading[id]

    def _read(self, ids: list[str]) -> list[LiveGame | Exception | None]:
        """Read these games with the first page of their logs; called in a thread."""
        found: dict[str, LiveGame | Exception] = {}
        for each in self._store.load(ids):
            if isinstance(each, DamagedGame):
                found[each.id] = self._damaged(each.id, each)
                continue
            live = found[each.made.id] = LiveGame(each.made)
            try:
                for event in each.events:
                    live.apply(event)
            except Exception as error:  # one damaged game must not stop the others
                found[live.id] = self._damaged(live.id, error)
        return [found.get(id) for id in ids]

    def _damaged(self, id: str, error: Exception) -> APIError:
        """Log once why this game cannot be read, and return the error of requests about it."""
        if id not in self._logged:
            self._logged.add(id)
            known = isinstance(error, DamagedGame)
            log.error("%s", error if known else DamagedGame(id, 0, error), exc_info=not known)
        return APIError("damaged")

    def _replay(self, live: LiveGame) -> bool:
        """Apply a page of the log; return whether there may be more; called in a thread."""
        events = self._store.events({live.id: live.seq})
        try:
            for event in events:
                live.apply(event)
        except Exception as error:
            raise self._damaged(live.id, error) from None
        return len(events) == PAGE

    async def _several(self, ids: list[str]) -> list[LiveGame]:
        """Return these games, without damaged and forgotten ones."""
        games = []
        found = await asyncio.gather(*map(self._get, ids), return_exceptions=True)
        for id, game in zip(ids, found, strict=True):
            if isinstance(game, LiveGame):
                games.append(game)
            elif isinstance(game, StoreError):
                raise game
            elif not isinstance(game, APIError):
                log.error("game %s failed", id, exc_info=game)
        return games

    async def forget(self) -> None:
        """Forget the games idle for too long, and end their streams."""
        for id in self._live.forget():
            self._subscriptions.wake(id)

    async def _catch_up(self, live: LiveGame) -> None:
        """Apply the events that other servers have written."""
        while await self._behind.ask(live):
            pass

    async def _read_news(self, games: list[LiveGame]) -> list[bool | Exception]:
        """Apply a page of new events to each of these games; return whether there may be more.

        For a damaged game, the answer is the error.
        """
        news = await ask(self._store, self._store.events, {live.id: live.seq for live in games})
        failed = self._follow_all(news)
        read = Counter(event.game for event in news)
        return [failed.get(live.id, read[live.id] == PAGE) for live in games]

    def _follow(self, live: LiveGame, event: Event) -> None:
        """Apply an event, unless the game already has it."""
        if event.seq == live.seq + 1:
            live.apply(event)
            live.recent.append(live.encode(event))
            if (deadline := live.deadline) is not None:
                self.deadlines.set(live.id, deadline)
            self._subscriptions.wake(live.id)

    def _committed(self, changes: list[Change]) -> None:
        """Apply the changes that this server has written, and start computers."""
        for change in changes:
            if change.event and (live := self._live.get(change.event.game)):
                self._follow(live, change.event)
            if change.due and change.due[1]:
                self._think(change.due[0])

    async def heard(self, news: list[Event]) -> None:
        """Apply these events of other servers; read events before them that were not received."""
        self._follow_all(news)
        games = [(event, live) for event in news if (live := self._live.hear(event.game))]
        await self.refresh(live.id for event, live in games if live.seq < event.seq)

    async def refresh(self, ids: Iterable[str] | None = None) -> None:
        """Catch up with these games, or all watched ones, in case a notification was lost."""
        ids = self._subscriptions.watched() if ids is None else ids
        if games := [live for id in ids if (live := self._live.get(id))]:
            await self._read_news(games)

    def _follow_all(self, events: Iterable[Event]) -> dict[str, Exception]:
        """Apply these events to the games in memory; return errors by game."""
        failed: dict[str, Exception] = {}
        for event in events:
            try:
                if (live := self._live.get(event.game)) and live.id not in failed:
                    if event.kind == "joined":  # a token may now hold both seats
                        live.seats = {}
                    self._follow(live, event)
            except Exception as error:  # one failing game must not stop the others
                failed[event.game] = self._damaged(event.game, error)
        return failed


def _seated(
    live: LiveGame, secret: str, change: Change | None, invite: str | None = None
) -> Seated:
    """Return the result for the player who takes a seat by this change."""
    assert change is not None  # taking a seat always creates a token
    (given,) = change.seats
    live.seats[given.token] = given
    return Seated(live, token_of(secret, live.id), given.seats, secret, invite)


T = TypeVar("T")


class Databases:
    """The games of each database, as seen by one server."""

    def __init__(
        self,
        stores: Iterable[Storage],
        subscriptions: Subscriptions,
        computer: Computer,
        keep: float = inf,  # as for `Games`
    ) -> None:
        self.all: dict[Storage, Games] = {
            store: Games(store, subscriptions, computer, keep) for store in stores
        }
        self._up = set(self.all)  # those that answered the last request
        self._by_prefix: dict[str | None, Games] = {}  # databases that have ever answered

    def __getitem__(self, id: str) -> Games:
        """Return the games of the database that this id names; a single database has all games.

        Raises APIError if none has it, and StoreError if one that may has not responded yet.
        """
        if len(self.all) == 1:
            return next(iter(self.all.values()))
        if games := self._by_prefix.get(id[: id.find(MARK) + 1]):
            return games
        if len(self._by_prefix) < len(self.all):
            raise StoreError("not all databases have responded yet")
        raise APIError("no_game")

    async def check(self, store: Storage) -> None:
        """Check that this database answers. Raises StoreError if it does not."""
        games, up = self.all[store], False
        try:
            await ask(store, store.alive)
            up = self._by_prefix.setdefault(store.prefix, games) is games  # not a copy
        except StoreError as error:
            raise StoreError(f"{store.url}: {error}") from error
        finally:
            (self._up.add if up else self._up.discard)(store)
            DOWN.labels(store.url).set(not up)

    async def alive(self) -> None:
        """Check that a database answers, or that one of several did last. Raises StoreError."""
        if len(self.all) == 1:
            await self.check(*self.all)
        elif not self._up:
            raise StoreError("none of the databases is responding")

    async def create(
        self, game: NewGame, who: str, secret: str | None, key: str | None = None
    ) -> Seated:
        """Create this game in a database that answers; under one key, all servers choose the same.

        A game stays where it was created, even if a database has come back or was added since. If
        two were created under the key, as the first could not be reached, the later one counts.
        """
        if len(self.all) == 1:
            return await self[""].create(game, who, secret, key)
        known = key or new_secret()

        async def made(store: Storage) -> tuple[int, bytes, Games]:
            games = self._by_prefix.get(store.prefix, self.all[store])  # never the games of a copy
            return await games.made_under(known), digest(f"{store.prefix}{known}"), games

        *_, games = max(await self._each(made))
        return await games.create(game, who, secret, known)

    async def open_games(self) -> list[NewGame]:
        """Return the listed games that are waiting for a player, the newest first."""
        found = chain(*await self._each(lambda store: self.all[store].open_games()))
        return sorted(found, key=lambda game: -game.at)[:SHOWN]

    async def live_games(self) -> list[LiveGame]:
        """Return the latest listed games that are being played and that a player has open."""
        return [*chain(*await self._each(lambda store: self.all[store].live_games()))]

    async def _each(self, question: Callable[[Storage], Awaitable[T]]) -> list[T]:
        """Return the answers of the databases that respond. Raises StoreError if none does."""
        stores, failed = [*(self._up or self.all)], list[StoreError]()

        async def answer(store: Storage) -> list[T]:
            try:
                return [await question(store)]
            except StoreError as error:
                self._up.discard(store)
                failed.append(error)
                return []

        answers = await asyncio.gather(*map(answer, stores))
        if len(failed) == len(stores):
            raise failed[0]
        return [*chain(*answers)]

    def announce(self, streams: Mapping[str, Streams]) -> None:
        """Notify the other servers of the event streams of these games soon."""
        for store, games in self.all.items():
            own = {id: each for id, each in streams.items() if self[id] is games}
            if store.notifications and own:
                store.notifications.announce(own)
