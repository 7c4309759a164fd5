"""What may be done in a game. Each decision is a pure function of the game's state.

Most decisions answer a player's request (`Act`). They return the change to write, or None if the
same was done before under the same key, and raise `Refused` where it may not be done: `key_used` if
something else was done under this key, `stale` if the player does not know the latest events, and
for the reasons that each names. The first reason that holds is the one given. No decision reads a
clock or a store or makes a secret: whatever it needs is an argument.
"""

from collections.abc import Callable
from hmac import compare_digest
from typing import Any, NamedTuple

from noughts.errors import Foul
from noughts.game.geometry import Cell
from noughts.service.play.events import KINDS, Change, Event, NewGame, Seats, digest
from noughts.service.play.refusal import Refused
from noughts.service.play.state import State


class Act(NamedTuple):
    """A request of a player, or of the computer."""

    seats: tuple[int, ...]  # that the player holds: 1, 2 or both; none before they join
    seq: int  # of the latest event that the player knows
    key: str  # the idempotency key: what is sent again under it is done once
    at: int  # when, in milliseconds since 1970


Decide = Callable[[State, Act], Change | None]

# Making a game and taking a seat


def create(game: NewGame, token_hash: bytes) -> Change:
    """Make a game. The token holds its maker's seat, or both if they play alone."""
    seats = (1, 2) if game.opponent == "self" else (game.seat,)
    due = (game.id, game.seat == 2) if game.opponent == "computer" else None
    clock = game.first_deadline(game.at) if game.opponent != "friend" else None
    return Change(game=game, seats=(Seats(token_hash, game.id, seats),), due=due, clock=clock)


def create_again(state: State, game: NewGame, held: tuple[int, ...], token_hash: bytes) -> Change:
    """Give the seat, or both, another token, where this game was made before under its key.

    The player holds seats by this token already, or none.

    Raises:
        Refused: another game was made under the key.
    """
    if state.made != game._replace(at=state.made.at):
        raise Refused("key_used", seq=state.seq)
    (given,) = create(game, token_hash).seats
    return Change(seats=(given._replace(seats=tuple(sorted({*held, *given.seats}))),))


def join(state: State, act: Act, invite: str | None, name: str | None, token_hash: bytes) -> Change:
    """Take the free seat. Repeated under the same key, it gives the seat another token.

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
    """Withdraw a game that nobody has joined.

    Raises:
        Refused: somebody has joined, or it was withdrawn.
    """
    if _is_repeated(state, act, "aborted"):
        return None
    if state.status != "waiting":
        raise Refused("not_waiting", seq=state.seq)
    return _change(state, act, "aborted", act.seats[0])


def rematch(
    state: State, act: Act, id: str, token_hash: bytes, aborted: str | None = None
) -> Change | None:
    """Make the next game, with this id, between the same players with the seats swapped.

    Returns None if there is a rematch to join (`join_rematch`): one other than `aborted`.

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
    """Take your seat in the rematch of the game before, or get another token for it."""
    swapped = act.seats if len(act.seats) == 2 else (3 - act.seats[0],)
    name = before.players[act.seats[0]].name
    return _take_seats(state, act, swapped, swapped[0], name, token_hash)


def _take_seats(
    state: State, act: Act, seats: tuple[int, ...], new: int, name: str | None, token_hash: bytes
) -> Change:
    """Give out a token for these seats; the first token for the new seat makes its player join."""
    given = (Seats(token_hash, state.id, seats),)
    if state.players[new].joined:
        return Change(seats=given)
    if state.status == "aborted":
        raise _not_played(state)
    joined = _change(state, act, "joined", new, text=name)
    return joined._replace(seats=given, clock=state.made.first_deadline(act.at))


# Playing


def move(state: State, act: Act, cell: Cell) -> Change | None:
    """Make a move.

    Raises:
        Refused: the cell is off the board, the time is up, the game is not being played, it is
            another player's turn, the cell is taken, the mark would fall, or the move is a foul.
    """
    number = state.geometry.number(cell)
    if _is_repeated(state, act, "move", cell=number):
        return None
    seat = state.game.turn if state.game.turn in act.seats else act.seats[0]
    illegal = state.game.why_illegal(cell, seat)
    if illegal is None or illegal.code != "off_board":  # that is refused in any state of the game
        check_playing(state, act.at)
    if illegal is not None:
        kind = illegal.kind if isinstance(illegal, Foul) else None
        raise Refused(illegal.code, str(illegal), state.seq, kind=kind)
    return _change(state, act, "move", seat, cell=number)


def resign(state: State, act: Act) -> Change | None:
    """Give up the game. A player who holds both seats gives it up for the side to move.

    Raises:
        Refused: the time is up, or the game is not being played.
    """
    if _is_repeated(state, act, "resigned"):
        return None
    check_playing(state, act.at)
    seat = state.game.turn if len(act.seats) == 2 else act.seats[0]
    return _change(state, act, "resigned", seat)


def takeback(state: State, act: Act, accept: bool) -> Change | None:
    """Take the last move back. No time is given back.

    Against a friend this is an offer, or the answer to the friend's offer: `accept` says whether
    to agree. Against the computer and oneself the move is taken back at once, even after the end;
    for a player who holds both seats of a game between friends also at once, but not after the end.

    Raises:
        Refused: the time is up, the game is not being played, there is no move to take back, or no
            offer to decline.
    """
    if _is_repeated(state, act, "takeback", "offer", "declined"):
        return None
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
    """Offer a draw, or answer the other player's offer: `accept` says whether to agree.

    A player who holds both seats agrees at once.

    Raises:
        Refused: the time is up, the game is not being played, the opponent is a computer, or there
            is no offer to decline.
    """
    if _is_repeated(state, act, "draw", "agreed", "declined"):
        return None
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
    """Show the others a reaction. It is never stale, and makes nothing else stale.

    Raises:
        Refused: the game has not begun.
    """
    if _is_repeated(state, act, "reaction", text=reaction):
        return None
    if state.status in {"waiting", "aborted"}:
        raise _not_played(state)
    return _change(state, act, "reaction", act.seats[0], text=reaction)


def timeout(state: State, at: int) -> Change | None:
    """End the game if the time of the player to move is up; otherwise None."""
    if state.deadline is None or at < state.deadline:
        return None
    act = Act((state.game.turn,), state.seq, f"timeout {state.seq}", at)
    change = _change(state, act, "timeout", state.game.turn)
    return change._replace(clock=(state.id, None))


def computer_move(state: State, act: Act, cell: Cell) -> Change | None:
    """Make the move that the computer found at this seq; None if the game has gone on since.

    Raises:
        IllegalMove: the computer is wrong; the log holds nothing illegal.
    """
    if state.settled > act.seq:
        return None
    if late := timeout(state, act.at):
        return late
    if illegal := state.game.why_illegal(cell):
        raise illegal
    return _change(state, act, "move", state.game.turn, cell=state.geometry.number(cell))


# What they share


def _is_repeated(
    state: State, act: Act, *kinds: str, cell: int | None = None, text: str | None = None
) -> bool:
    """Whether the same was done before under the same key; raises if it may not be done now."""
    for seat in act.seats:
        if before := state.answers.get((seat, act.key)):
            event, _ = before
            if event.kind not in kinds or (event.cell, event.text) != (cell, text):
                raise Refused("key_used", seq=state.seq)
            return True
    if KINDS[kinds[0]].settles and not state.settled <= act.seq <= state.seq:
        raise Refused("stale", f"the game is at seq {state.seq}, not {act.seq}", state.seq)
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
