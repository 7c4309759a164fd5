"""The games: every request about a game comes here, is checked, written down, then answered.

The state of a game is kept in memory while it is used, but no decision rests on that: an event is
written only if its place in the log is free, and whoever finds it taken reads on and decides anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy.exc import SQLAlchemyError

from noughts.errors import NoughtsError
from noughts.geometry import Cell
from noughts.service.metrics import THINKING
from noughts.service.play.computer import Computer
from noughts.service.play.events import Change, Event, Kind, NewGame, Opponent, Seats, now
from noughts.service.play.refusal import Refused
from noughts.service.play.secrecy import digest, new_id, new_secret, same
from noughts.service.play.state import Open, State
from noughts.service.play.watch import Watchers
from noughts.service.store.hints import Teller
from noughts.service.store.store import Store, in_time
from noughts.service.store.writer import Writer

FEW = 20  # events of a game that are read together with those of others
KEPT = 2000  # games in memory, besides those that somebody uses
log = logging.getLogger("noughts")
P = ParamSpec("P")
T = TypeVar("T")
Decision = Callable[[State, tuple[int, ...]], Change]


@dataclass(frozen=True, slots=True)
class Seated:
    """A game, and what one needs to play in it.

    Attributes:
        state: the game's.
        token: the secret that stands for the seats.
        seats: 1, 2 or both.
        invite: the secret with which a friend may join.
    """

    state: State
    token: str
    seats: tuple[int, ...]
    invite: str | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """The game that somebody wants to play; the fields are those of `NewGame`."""

    rows: int
    cols: int
    k: int
    opponent: Opponent = "friend"
    level: str | None = None
    seat: int = 1
    name: str | None = None
    listed: bool = False


class Games:
    """All games of a store, as one server sees them.

    Args:
        store: where they are kept.
        watchers: who is told of news.
        computer: who plays where nobody sits.
    """

    def __init__(self, store: Store, watchers: Watchers, computer: Computer) -> None:
        self._store = store
        self._watchers = watchers
        self._computer = computer
        self._writer = Writer(store, self._committed)
        self._teller = Teller(store) if store.shared else None
        self._open: WeakValueDictionary[str, Open] = WeakValueDictionary()
        self._recent: OrderedDict[str, Open] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Open]] = {}
        self._thinking: dict[str, asyncio.Task[None]] = {}

    async def close(self) -> None:
        """Finish what is being written; what computers think of comes after the next start."""
        for task in self._thinking.values():
            task.cancel()
        await self._writer.close()
        if self._teller:
            await self._teller.close()
        self._computer.close()

    # What is asked

    async def state(self, id: str) -> State:
        """The game's state, as it is now.

        Raises:
            Refused: there is no such game.
        """
        return (await self.current(id)).state

    async def current(self, id: str) -> Open:
        """The game as it is now; it is followed for as long as this is held.

        Raises:
            Refused: there is no such game.
        """
        opened = await self._opened(id)
        if self._store.shared:
            await self._catch_up(opened.state)
        return opened

    async def seats(self, id: str, token: str | None) -> tuple[int, ...]:
        """The seats of this game that the token stands for; none for a spectator."""
        if token is None:
            return ()
        return await self._seats(await self._opened(id), token)

    async def open_games(self) -> list[NewGame]:
        """The listed games that wait for somebody, the newest first."""
        return await _ask(self._store.open_games)

    # What is done

    async def create(self, wish: Wish) -> Seated:
        """Make a game."""
        secret = new_secret() if wish.opponent == "friend" else None
        return await self._make(wish, digest(secret) if secret else None, secret)

    async def join(
        self, id: str, invite: str | None, name: str | None, key: str | None = None
    ) -> Seated:
        """Take the free seat of a game; under the same key, take it again.

        Raises:
            Refused: there is no such game, the seat is taken, or the invitation is wrong.
        """
        token = new_secret()
        opened = await self._opened(id)
        seat = 3 - opened.state.made.seat
        given = (Seats(digest(token), id, (seat,)),)

        def decide(state: State, _: tuple[int, ...]) -> Change:
            made = state.made
            welcome = made.listed or (invite and made.invite and same(invite, made.invite))
            if state.players[seat].joined:
                done, _answer = state.answers.get((seat, key or ""), (None, None))
                if welcome and done and done.kind == "joined":
                    return Change(seats=given)
                raise Refused("seat_taken", "both seats are taken", state.seq)
            if not welcome:
                raise Refused("wrong_invite", "this invitation is not for this game")
            event = _event(state, "joined", seat, key=key or new_id(), text=name)
            return Change(event, seats=given)

        await self._change(opened, (), decide)
        opened.seats[digest(token)] = (seat,)
        return Seated(opened.state, token, (seat,))

    async def move(
        self, id: str, token: str | None, cell: Cell, seq: int, key: str
    ) -> tuple[dict[str, Any], bool]:
        """Make a move; the answer, and whether it is new.

        Args:
            id: the game's.
            token: what the player holds.
            cell: where to.
            seq: the latest event that the player knows of.
            key: what is sent again under it is one move.

        Raises:
            Refused: see docs/server.md.
        """

        def decide(state: State, seats: tuple[int, ...]) -> Change:
            seat = state.check_move(seats, cell)
            return Change(_event(state, "move", seat, key, cell=state.number(cell)))

        return await self._act(id, token, seq, key, ("move",), decide, cell)

    async def resign(
        self, id: str, token: str | None, seq: int, key: str
    ) -> tuple[dict[str, Any], bool]:
        """Give up the game; as `move`."""

        def decide(state: State, seats: tuple[int, ...]) -> Change:
            state.check_playing()
            seat = state.game.turn if len(seats) == 2 else seats[0]
            return Change(_event(state, "resigned", seat, key))

        return await self._act(id, token, seq, key, ("resigned",), decide)

    async def takeback(
        self, id: str, token: str | None, seq: int, key: str, accept: bool = True
    ) -> tuple[dict[str, Any], bool]:
        """Take the last move back; against a friend, offer that, or answer an offer; as `move`.

        Against the computer and oneself it is done at once, even after the last move.
        """

        def decide(state: State, seats: tuple[int, ...]) -> Change:
            seat = seats[0]
            if state.made.opponent == "friend":
                state.check_playing()
                if state.offer == 3 - seat:
                    if not accept:
                        return Change(_event(state, "declined", seat, key))
                    ply = state.takeback_ply(3 - seat)
                    return Change(_event(state, "takeback", seat, key, ply=ply))
                if not accept:
                    raise Refused("nothing_to_decline", "no takeback is offered", state.seq)
                state.takeback_ply(seat)
                return Change(_event(state, "offer", seat, key))
            if state.resigned or state.rematch:
                state.check_playing()
            return Change(_event(state, "takeback", seat, key, ply=state.takeback_ply(seat)))

        kinds: tuple[Kind, ...] = ("takeback", "offer", "declined")
        return await self._act(id, token, seq, key, kinds, decide)

    async def rematch(self, id: str, token: str | None) -> Seated:
        """The next game between the same players, with the seats swapped.

        Whoever asks first makes it; the other one joins it.

        Raises:
            Refused: the game is not over, or the token stands for no seat in it.
        """
        opened = await self.current(id)
        seats = await self._seated(opened, token)
        made = opened.state.made
        seat = seats[0]
        next_id, next_token = new_id(), new_secret()
        swapped = seats if len(seats) == 2 else (3 - seat,)
        game = replace(
            made,
            id=next_id,
            seat=swapped[0],
            name=opened.state.players[seat].name,
            listed=False,
            invite=None,
            at=now(),
        )

        def decide(state: State, _: tuple[int, ...]) -> Change:
            if not state.over:
                raise Refused("not_over", "a rematch comes after the end of the game", state.seq)
            if state.rematch:
                raise _Exists(state.rematch)
            event = _event(state, "rematch", seat, new_secret(), text=next_id)
            given = (Seats(digest(next_token), next_id, swapped),)
            return Change(event, game, given, due=_due(State(game)))

        try:
            await self._change(opened, seats, decide)
        except _Exists as exists:
            return await self._rejoin(exists.id, seat, opened.state.players[seat].name)
        following = await self._opened(next_id)
        self._after(following.state)
        return Seated(following.state, next_token, swapped)

    async def _rejoin(self, id: str, seat: int, name: str | None) -> Seated:
        """Take a seat in the rematch that exists: again, if it was taken before."""
        opened = await self._opened(id)
        token, made = new_secret(), opened.state.made
        seats = (1, 2) if made.opponent == "self" else (3 - seat,)

        def decide(state: State, _: tuple[int, ...]) -> Change:
            given = (Seats(digest(token), id, seats),)
            if state.players[seats[0]].joined:
                return Change(seats=given)
            return Change(_event(state, "joined", seats[0], new_id(), text=name), seats=given)

        await self._change(opened, (), decide)
        return Seated(opened.state, token, seats)

    # How

    async def _make(self, wish: Wish, invite: bytes | None, secret: str | None) -> Seated:
        token = new_secret()
        seats = (1, 2) if wish.opponent == "self" else (wish.seat,)
        fields = {name: getattr(wish, name) for name in Wish.__slots__}
        game = NewGame(id=new_id(), invite=invite, at=now(), **fields)
        state = State(game)
        change = Change(game=game, seats=(Seats(digest(token), game.id, seats),), due=_due(state))
        await self._writer.commit(change)
        opened = self._keep(Open(state))
        opened.seats[digest(token)] = seats
        self._after(state)
        return Seated(state, token, seats, secret)

    async def _act(
        self,
        id: str,
        token: str | None,
        seq: int,
        key: str,
        kinds: tuple[Kind, ...],
        decide: Decision,
        cell: Cell | None = None,
    ) -> tuple[dict[str, Any], bool]:
        """Have a player do something, once for each key; the answer, and whether it is new."""
        opened = await self._opened(id)
        seats = await self._seated(opened, token)

        def check(state: State, seats: tuple[int, ...]) -> Change:
            for seat in seats:
                if (seat, key) in state.answers:
                    done, answer = state.answers[seat, key]
                    where = None if done.cell is None else state.cell(done.cell)
                    if done.kind not in kinds or where != cell:
                        raise Refused("key_used", "this key was used for something else", state.seq)
                    raise _Answered(answer)
            if seq != state.seq:
                message = f"the game is at seq {state.seq}, not {seq}"
                raise Refused("stale", message, state.seq)
            return decide(state, seats)

        if seq > opened.state.seq:
            await self._catch_up(opened.state)
        try:
            event = await self._change(opened, seats, check)
        except _Answered as before:
            return before.answer, False
        assert event is not None  # whatever a player does is one
        return opened.state.answers[event.seat, event.key][1], True

    async def _change(self, opened: Open, seats: tuple[int, ...], decide: Decision) -> Event | None:
        """Decide on a change and write it, anew as long as another one comes first; its event."""
        state = opened.state
        async with opened.lock:
            while True:
                change = decide(state, seats)
                if change.event is None:
                    await self._writer.commit(change)
                    return None
                if change.due is None and state.made.opponent == "computer":
                    change = replace(change, due=_due(state, change.event))
                if await self._writer.commit(change):
                    return change.event
                await self._catch_up(state)

    async def _seats(self, opened: Open, token: str) -> tuple[int, ...]:
        """The seats of this game that the token stands for, from memory if they were asked for."""
        kept = digest(token)
        if kept not in opened.seats:
            found = await _ask(self._store.seats, kept)
            if found is None or found.game != opened.state.id or not same(token, found.token):
                return ()
            opened.seats[kept] = found.seats
        return opened.seats[kept]

    async def _seated(self, opened: Open, token: str | None) -> tuple[int, ...]:
        """The seats that the token stands for.

        Raises:
            Refused: there is no token, nobody knows it, or it is for another game.
        """
        if token is None:
            raise Refused("no_token", "this needs the token of a seat: Authorization: Bearer TOKEN")
        seats = await self._seats(opened, token)
        if not seats:
            if await _ask(self._store.seats, digest(token)):
                raise Refused("not_your_seat", "this token is for another game")
            raise Refused("unknown_token", "nobody knows this token")
        return seats

    async def _opened(self, id: str) -> Open:
        """The game in memory, read from the store if need be, once for all who ask."""
        if opened := self._open.get(id):
            return self._keep(opened)
        if "\0" in id:  # PostgreSQL has no such text
            raise Refused("no_game", "there is no such game")
        task = self._loading.get(id)
        if task is None:
            task = self._loading[id] = asyncio.create_task(self._load(id))
            task.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(task)

    async def _load(self, id: str) -> Open:
        made = await _ask(self._store.game, id)
        if made is None:
            raise Refused("no_game", "there is no such game")
        state = State(made)
        await self._catch_up(state)
        return self._keep(Open(state))

    def _keep(self, opened: Open) -> Open:
        """Keep a game in memory until others have been used more lately, and nobody holds it."""
        id = opened.state.id
        opened = self._open.setdefault(id, opened)
        self._recent[id] = opened
        self._recent.move_to_end(id)
        if len(self._recent) > KEPT:
            self._recent.popitem(last=False)
        return opened

    async def _catch_up(self, state: State) -> None:
        """Follow what others have written."""
        self._follow(state, await _ask(self._store.events, state.id, state.seq))

    def _follow(self, state: State, events: list[Event]) -> None:
        """Follow these events, those aside that are known."""
        before = state.seq
        for event in events:
            if event.seq == state.seq + 1:
                state.apply(event)
        if state.seq > before:
            self._watchers.wake(state.id)

    def _committed(self, changes: list[Change]) -> None:
        """Follow what was just written, have computers think, and tell other servers."""
        for change in changes:
            if change.event and (opened := self._open.get(change.event.game)):
                self._follow(opened.state, [change.event])
                self._after(opened.state)
        if self._teller:
            self._teller.tell(changes)

    # Computers, and other servers

    def _after(self, state: State) -> None:
        """Have the computer think, where it is its turn."""
        if state.computer_s_turn and state.id not in self._thinking:
            task = self._thinking[state.id] = asyncio.create_task(self._think(state.id))
            task.add_done_callback(partial(self._thought, state.id))

    async def _think(self, id: str) -> None:
        """Make the computer's moves, until it is not its turn."""
        while (opened := await self._opened(id)).state.computer_s_turn:
            seq, level = opened.state.seq, opened.state.made.level
            with THINKING.track_inprogress():
                cell = await self._computer.move(opened.state.game, level or "perfect")
            decide = partial(_computer_moves, cell=cell, seq=seq)
            with suppress(_Answered):
                await self._change(opened, (), decide)

    def _thought(self, id: str, task: asyncio.Task[None]) -> None:
        """Report a computer that failed; its turn stays due."""
        del self._thinking[id]
        if not task.cancelled() and (error := task.exception()):
            log.error("the computer failed in game %s: %r", id, error)

    async def think_overdue(self, since: int) -> None:
        """Have computers think whose turn was left for that many ms: servers may have ended."""
        for id in await _ask(self._store.claim, now() - since):
            with _others_go_on(id):
                self._after(await self.state(id))

    async def heard(self, hints: dict[str, int]) -> None:
        """Catch up with these games, so far as they are in memory and behind the seq given."""
        places: list[tuple[str, int]] = []
        for id, seq in hints.items():
            known = opened.state.seq if (opened := self._open.get(id)) else seq
            if opened and seq - known > FEW:
                with _others_go_on(id):
                    await self._catch_up(opened.state)
            else:
                places += [(id, missed) for missed in range(known + 1, seq + 1)]
        for event in await _ask(self._store.at, places) if places else ():
            if opened := self._open.get(event.game):
                with _others_go_on(event.game):
                    self._follow(opened.state, [event])

    async def look(self) -> None:
        """Catch up with every game that is watched, in case a hint was lost."""
        watched = self._watchers.watched()
        if watched:
            await self.heard(await _ask(self._store.latest, watched))


async def _ask(question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Ask the store in a thread."""
    return await in_time(asyncio.to_thread(question, *args, **kwargs))


@contextmanager
def _others_go_on(id: str) -> Iterator[None]:
    """Log what fails in one game, so that a chore goes on with the others.

    A database that does not answer fails them all: that is left to the caller.
    """
    try:
        yield
    except SQLAlchemyError:
        raise
    except Exception:
        log.exception("game %s has failed", id)


class _Answered(Exception):
    """The same was done before, and so answered, or need not be done any more."""

    def __init__(self, answer: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.answer = answer or {}


class _Exists(NoughtsError):
    """There is a rematch already."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.id = id


def _event(
    state: State,
    kind: Kind,
    seat: int,
    key: str,
    *,
    cell: int | None = None,
    ply: int | None = None,
    text: str | None = None,
) -> Event:
    """The next event of a game."""
    return Event(state.id, state.seq + 1, kind, seat, key, now(), cell, ply, text)


def _computer_moves(state: State, _: tuple[int, ...], cell: Cell, seq: int) -> Change:
    """The computer's move, unless the one it answers was taken back meanwhile."""
    if state.seq != seq:
        raise _Answered
    seat = state.game.turn
    return Change(_event(state, "move", seat, f"computer {seq}", cell=state.number(cell)))


def _due(state: State, event: Event | None = None) -> bool | None:
    """Whether a computer is to move after this event; None if none plays."""
    if state.made.opponent != "computer":
        return None
    if event is None:
        return state.computer_s_turn
    if event.kind == "takeback":
        return event.ply is not None and event.ply % 2 != state.made.seat - 1
    if event.kind != "move" or event.cell is None or event.seat != state.made.seat:
        return False
    goes_on = state.game.play(state.cell(event.cell)) is None
    state.game.undo()
    return goes_on
