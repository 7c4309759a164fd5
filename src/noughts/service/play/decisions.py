"""What may be done in a game. Each decision is a pure function of the game's state.

Most decisions answer a player's request: they are given the state, who asks (`Act`) and what they
ask, and raise `Refused` where it may not be done. `create` makes the game, so it has no state yet;
`timeout` is what the server does by itself. Each returns the change to write, or None where there
is nothing to write, as its docstring says. None reads a clock or a store or makes a secret:
whatever it needs is an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hmac import compare_digest
from typing import Any, NamedTuple

from noughts.errors import Foul
from noughts.game.geometry import Cell
from noughts.service.play.events import Change, Event, NewGame, Seats, digest
from noughts.service.play.refusal import Refused
from noughts.service.play.state import State


class Act(NamedTuple):
    """A request of a player, or of the computer.

    Attributes:
        seats: those that the player holds: 1, 2 or both. Whoever joins may hold none yet.
        seq: the latest event that the player knows of.
        key: the idempotency key: what is sent again under it is done once.
        at: when, in milliseconds since 1970.
    """

    seats: tuple[int, ...]
    seq: int
    key: str
    at: int


Decide = Callable[[State, Act], Change | None]
"""A decision about a request of a player; None if it was done before under the same key."""

# Making a game and taking a seat


def create(game: NewGame, token_hash: bytes) -> Change:
    """Make a game. The token holds its maker's seat, or both if they play alone."""
    seats = (1, 2) if game.opponent == "self" else (game.seat,)
    due = (game.id, game.seat == 2) if game.opponent == "computer" else None
    clock = game.first_deadline(game.at) if game.opponent != "friend" else None
    return Change(game=game, seats=(Seats(token_hash, game.id, seats),), due=due, clock=clock)


def join(state: State, act: Act, invite: str | None, name: str | None, token_hash: bytes) -> Change:
    """Take the free seat. Asked again under the same key, it gives the seat another token.

    Raises:
        Refused: the seat is taken, the invitation is wrong, or the game was aborted.
    """
    made, seat = state.made, 3 - state.made.seat
    invited = invite and made.invite and compare_digest(digest(invite), made.invite)
    welcome = made.listed or invited
    if state.players[seat].joined:
        before = state.answers.get((seat, act.key))
        if not (welcome and before and before[0].kind == "joined"):
            raise Refused("seat_taken", seq=state.seq)
    elif not welcome:
        raise Refused("wrong_invite")
    return _take_seats(state, act, tuple(sorted({*act.seats, seat})), seat, name, token_hash)


def abort(state: State, act: Act) -> Change | None:
    """Withdraw a game that nobody has joined; None if that was done before under the same key.

    Raises:
        Refused: `key_used` or `stale`; the game does not wait for anybody.
    """
    if _is_repeated(state, act, ("aborted",)):
        return None
    _check_fresh(state, act)
    if state.status != "waiting":
        raise Refused("not_waiting", seq=state.seq)
    return _change(state, act, "aborted", act.seats[0])


def rematch(
    state: State, act: Act, id: str, token_hash: bytes, aborted: str | None = None
) -> Change | None:
    """Make the next game, with this id, between the same players with the seats swapped.

    Returns None if there is a rematch already, unless it was `aborted`: see `join_rematch`.

    Raises:
        Refused: the game is not over, or was never begun.
    """
    if state.status in {"waiting", "playing", "aborted"}:
        raise Refused("not_over", seq=state.seq)
    if state.rematch not in (None, aborted):
        return None
    made, seat = state.made, act.seats[0]
    game = made._replace(
        id=id,
        seat=made.seat if made.opponent == "self" else 3 - seat,
        name=state.players[seat].name,
        listed=False,
        invite=None,
        at=act.at,
        before=state.id,
    )
    event = _change(state, act, "rematch", seat, text=id).event
    return create(game, token_hash)._replace(event=event)


def withdraw_rematch(state: State, act: Act, aborted: str) -> Change | None:
    """Note that the rematch with this id was aborted; None if it is no longer the game's."""
    if state.rematch != aborted:
        return None
    return _change(state, act, "rematch", act.seats[0])


def join_rematch(state: State, act: Act, before: State, token_hash: bytes) -> Change:
    """Take one's seat in the rematch of the game before; again, if it was taken before."""
    swapped = act.seats if len(act.seats) == 2 else (3 - act.seats[0],)
    name = before.players[act.seats[0]].name
    return _take_seats(state, act, swapped, swapped[0], name, token_hash)


def _take_seats(
    state: State, act: Act, seats: tuple[int, ...], new: int, name: str | None, token_hash: bytes
) -> Change:
    """Give out a token for these seats; a player's first token for the new one makes them join."""
    given = (Seats(token_hash, state.id, seats),)
    if state.players[new].joined:
        return Change(seats=given)
    if state.status == "aborted":
        raise _not_played(state)
    joined = _change(state, act, "joined", new, text=name)
    return joined._replace(seats=given, clock=state.made.first_deadline(act.at))


# Playing


def move(state: State, act: Act, cell: Cell) -> Change | None:
    """Make a move; None if it was made before under the same key.

    Raises:
        Refused: `key_used` or `stale`; the cell is off the board, the game is not being played,
            the time is up, it is another player's turn, the cell is taken, the mark would fall, or
            the move is a foul; the first of these that holds.
    """
    number = state.geometry.number(cell)
    if _is_repeated(state, act, ("move",), number):
        return None
    _check_fresh(state, act)
    seat = state.game.turn if state.game.turn in act.seats else act.seats[0]
    illegal = state.game.why_illegal(cell, seat)
    if illegal is None or illegal.code != "off_board":  # no state of a game makes that a move
        check_playing(state, act.at)
    if illegal is not None:
        kind = illegal.kind if isinstance(illegal, Foul) else None
        raise Refused(illegal.code, str(illegal), state.seq, kind=kind)
    return _change(state, act, "move", seat, cell=number)


def resign(state: State, act: Act) -> Change | None:
    """Give up the game; None if that was done before under the same key.

    Who plays both seats gives it up for the side to move.

    Raises:
        Refused: `key_used` or `stale`; the game is not being played, or the time is up.
    """
    if _is_repeated(state, act, ("resigned",)):
        return None
    _check_fresh(state, act)
    check_playing(state, act.at)
    seat = state.game.turn if len(act.seats) == 2 else act.seats[0]
    return _change(state, act, "resigned", seat)


def takeback(state: State, act: Act, accept: bool) -> Change | None:
    """Take the last move back; None if that was done before under the same key.

    Against a friend this offers to do so, or answers the friend's offer: `accept` agrees to it,
    and declines it if false. Against the computer and oneself it is done at once, even after the
    last move; so it is for whoever holds both seats of a game between friends, until its end.
    No time is given back.

    Raises:
        Refused: `key_used` or `stale`; the game is not being played, the time is up, there is no
            move to take back, or no offer to decline.
    """
    if _is_repeated(state, act, ("takeback", "offer", "declined")):
        return None
    _check_fresh(state, act)
    seat, other = act.seats[0], 3 - act.seats[0]
    if state.made.opponent != "friend":
        if state.status not in {"won", "draw"} or state.rematch:  # a last move may be taken back
            check_playing(state, act.at)
        change = _change(state, act, "takeback", seat, ply=_takeback_ply(state, seat))
        return change._replace(clock=(state.id, act.at) if state.clock else None)
    check_playing(state, act.at)
    if len(act.seats) == 2:
        last = 2 - state.game.ply % 2  # the seat that has moved last
        return _change(state, act, "takeback", seat, ply=_takeback_ply(state, last))
    if state.offer != other:
        if not accept:
            raise Refused("nothing_to_decline", seq=state.seq)
        _takeback_ply(state, seat)  # refuses where there is nothing to take back
        return _change(state, act, "offer", seat)
    if not accept:
        return _change(state, act, "declined", seat)
    return _change(state, act, "takeback", seat, ply=_takeback_ply(state, other))


def draw(state: State, act: Act, accept: bool) -> Change | None:
    """Offer a draw; None if that was done before under the same key.

    This answers the other player's offer, if there is one: `accept` agrees to it, and declines it
    if false. Whoever holds both seats agrees with themselves.

    Raises:
        Refused: `key_used` or `stale`; the game is not being played, the time is up, the opponent
            is a computer, which does not answer, or there is no offer to decline.
    """
    if _is_repeated(state, act, ("draw", "agreed", "declined")):
        return None
    _check_fresh(state, act)
    check_playing(state, act.at)
    if state.made.opponent == "computer":
        raise Refused("no_draw", seq=state.seq)
    offered = state.draw == 3 - act.seats[0]
    if not accept and not offered:
        raise Refused("nothing_to_decline", seq=state.seq)
    answer = "agreed" if accept else "declined"
    answers = offered or len(act.seats) == 2
    return _change(state, act, answer if answers else "draw", act.seats[0])


def react(state: State, act: Act, reaction: str) -> Change | None:
    """Show the others a reaction; None if that was done before under the same key.

    It changes nothing else, so it is never stale, and makes nothing else stale.

    Raises:
        Refused: `key_used`; the game has not begun.
    """
    if _is_repeated(state, act, ("reaction",), text=reaction):
        return None
    if state.status in {"waiting", "aborted"}:
        raise _not_played(state)
    return _change(state, act, "reaction", act.seats[0], text=reaction)


def timeout(state: State, at: int) -> Change | None:
    """End the game if the clock of the player to move has run out at this time; else None."""
    if state.deadline is None or at < state.deadline:
        return None
    act = Act((state.game.turn,), state.seq, f"timeout {state.seq}", at)
    change = _change(state, act, "timeout", state.game.turn)
    return change._replace(clock=(state.id, None))


def computer_move(state: State, act: Act, cell: Cell) -> Change | None:
    """Make the move that the computer found at this seq; None if the game has gone on since.

    Raises:
        IllegalMove: the computer is at fault; nothing illegal may come into the log.
    """
    if state.settled > act.seq:
        return None
    if late := timeout(state, act.at):
        return late
    if illegal := state.game.why_illegal(cell):
        raise illegal
    return _change(state, act, "move", state.game.turn, cell=state.geometry.number(cell))


# What they share


def _check_fresh(state: State, act: Act) -> None:
    """Raise unless the player knows all events that matter."""
    if not state.settled <= act.seq <= state.seq:
        raise Refused("stale", f"the game is at seq {state.seq}, not {act.seq}", state.seq)


def _is_repeated(
    state: State,
    act: Act,
    kinds: Sequence[str],
    cell: int | None = None,
    text: str | None = None,
) -> bool:
    """Whether the same was done before under the same key."""
    for seat in act.seats:
        if before := state.answers.get((seat, act.key)):
            event, _ = before
            if event.kind not in kinds or (event.cell, event.text) != (cell, text):
                raise Refused("key_used", seq=state.seq)
            return True
    return False


def check_playing(state: State, at: int) -> None:
    """Raise unless the game is being played and nobody's time is up."""
    if state.deadline is not None and at >= state.deadline:
        raise Refused("timeout", seq=state.seq)
    if state.status != "playing":
        raise _not_played(state)


def _not_played(state: State) -> Refused:
    """The refusal where the game is not being played: it waits, was aborted or is over."""
    if state.status == "waiting":
        return Refused("waiting", seq=state.seq)
    if state.status == "aborted":
        return Refused("game_over", "the game was aborted", state.seq)
    result = f"player {state.winner} has won" if state.winner else "it is a draw"
    return Refused("game_over", f"the game is over: {result}", state.seq)


def _takeback_ply(state: State, seat: int) -> int:
    """The ply that a takeback by this seat goes back to: before its own last move."""
    ply = state.game.ply
    its_own = state.made.opponent == "self" or ply % 2 == seat % 2  # moves alternate, from seat 1
    ply -= 1 if its_own else 2
    if ply < 0:
        raise Refused("nothing_to_take_back", seq=state.seq)
    return ply


def _change(state: State, act: Act, kind: str, seat: int, **what: Any) -> Change:
    """The next event, and whether the computer is to move after it."""
    event = Event(state.id, state.seq + 1, kind, seat, act.key, act.at, **what)
    due = (state.id, _is_due(state, event)) if state.made.opponent == "computer" else None
    return Change(event, due=due)


def _is_due(state: State, event: Event) -> bool:
    """Whether the computer is to move after this event of a game that it plays."""
    if event.ply is not None:  # a takeback
        return event.ply % 2 + 1 != state.made.seat
    if event.cell is None or event.seat != state.made.seat:
        return False
    after = state.game.copy()
    return after.play(state.geometry.cell(event.cell)) is None
