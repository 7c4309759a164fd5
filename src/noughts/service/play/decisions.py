"""Decisions: what players may do in a game. Each is a pure function of the game's state.

Most decisions answer a player's request (`Act`). They return the change to write, or None if the
same was done before under the same key. If the request is not allowed they raise `APIError`:
`key_used` if the key was used for something else, `stale` if the player has not seen the latest
events, or an error that the decision documents; the first that applies. No decision reads a clock
or a store or creates a secret: everything it needs is an argument.
"""

from collections.abc import Callable
from hmac import compare_digest
from typing import Any, NamedTuple

from noughts.errors import Foul
from noughts.game.geometry import Cell
from noughts.service.play.api_errors import APIError
from noughts.service.play.events import KINDS, Change, Event, NewGame, Seats, digest
from noughts.service.play.state import State


class Act(NamedTuple):
    """A request from a player, or from the computer."""

    seats: tuple[int, ...]  # that the player holds: 1, 2 or both; none before they join
    seq: int  # of the latest event that the player has seen
    key: str  # the idempotency key: a request repeated under it is done once
    at: int  # milliseconds since 1970


Decide = Callable[[State, Act], Change | None]


def create(game: NewGame, token_hash: bytes) -> Change:
    """Create a game. The token holds the creator's seat, or both if they play alone."""
    seats = (1, 2) if game.opponent == "self" else (game.seat,)
    due = (game.id, game.seat == 2) if game.opponent == "computer" else None
    clock = game.first_deadline(game.at) if game.opponent != "friend" else None
    return Change(game=game, seats=(Seats(token_hash, game.id, seats),), due=due, clock=clock)


def create_again(state: State, game: NewGame, held: tuple[int, ...], token_hash: bytes) -> Change:
    """Give the creator another token, as this game was created before under the same key.

    The token may already hold the seats in `held`. Raises APIError if a different game was created.
    """
    if state.made != game._replace(at=state.made.at):
        raise APIError("key_used", seq=state.seq)
    (given,) = create(game, token_hash).seats
    return Change(seats=(given._replace(seats=tuple(sorted({*held, *given.seats}))),))


def join(state: State, act: Act, invite: str | None, name: str | None, token_hash: bytes) -> Change:
    """Take the free seat. Repeated under the same key, give the seat another token.

    Raises APIError if the seat is taken, the invitation is invalid, or the game was aborted.
    """
    made, seat = state.made, 3 - state.made.seat
    invited = invite and made.invite and compare_digest(digest(invite), made.invite)
    welcome = made.listed or invited
    if state.players[seat].joined:
        before = state.answers.get((seat, act.key))
        if not (welcome and before and before[0].kind == "joined"):
            raise APIError("seat_taken", seq=state.seq)
    elif not welcome:
        raise APIError("wrong_invite")
    return _take_seats(state, act, tuple(sorted({*act.seats, seat})), seat, name, token_hash)


def abort(state: State, act: Act) -> Change | None:
    """Cancel a game that is waiting for its second player. Raises APIError if it is not."""
    if _is_repeated(state, act, "aborted"):
        return None
    if state.status != "waiting":
        raise APIError("not_waiting", seq=state.seq)
    return _change(state, act, "aborted", act.seats[0])


def rematch(
    state: State, act: Act, id: str, token_hash: bytes, aborted: str | None = None
) -> Change | None:
    """Create the next game, with this id, between the same players with the seats swapped.

    Returns None if there is a rematch other than `aborted`; see `join_rematch`. Raises APIError if
    the game is not over, or was never begun.
    """
    if state.status in {"waiting", "playing", "aborted"}:
        raise APIError("not_over", seq=state.seq)
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
    """Record that the rematch with this id was aborted; None if the game has another by now."""
    if state.rematch != aborted:
        return None
    return _change(state, act, "rematch", act.seats[0])


def join_rematch(
    state: State, act: Act, before: State, held: tuple[int, ...], token_hash: bytes
) -> Change:
    """Take the player's seat in the rematch of a game, or give it another token.

    `held` are the seats of the rematch that the player's token has already.
    """
    swapped = act.seats if len(act.seats) == 2 else (3 - act.seats[0],)
    seats = tuple(sorted({*held, *swapped}))
    name = before.players[act.seats[0]].name
    return _take_seats(state, act, seats, swapped[0], name, token_hash)


def _take_seats(
    state: State, act: Act, seats: tuple[int, ...], new: int, name: str | None, token_hash: bytes
) -> Change:
    """Issue a token for these seats; the first token for the new seat makes its player join."""
    given = (Seats(token_hash, state.id, seats),)
    if state.players[new].joined:
        return Change(seats=given)
    if state.status == "aborted":
        raise _not_played(state)
    joined = _change(state, act, "joined", new, text=name)
    return joined._replace(seats=given, clock=state.made.first_deadline(act.at))


def move(state: State, act: Act, cell: Cell) -> Change | None:
    """Play a move.

    Raises APIError if the cell is off the board, the time is up, the game is not being played, it
    is the other player's turn, the cell is taken, the mark would fall, or the move is a foul.
    """
    number = state.geometry.number(cell)
    if _is_repeated(state, act, "move", cell=number):
        return None
    seat = state.game.turn if state.game.turn in act.seats else act.seats[0]
    illegal = state.game.why_illegal(cell, seat)
    if illegal is None or illegal.code != "off_board":  # an error in any state of the game
        check_playing(state, act.at)
    if illegal is not None:
        kind = illegal.kind if isinstance(illegal, Foul) else None
        raise APIError(illegal.code, str(illegal), state.seq, kind=kind)
    return _change(state, act, "move", seat, cell=number)


def resign(state: State, act: Act) -> Change | None:
    """Resign; with both seats, for the side to move. Raises APIError unless the game is played."""
    if _is_repeated(state, act, "resigned"):
        return None
    check_playing(state, act.at)
    seat = state.game.turn if len(act.seats) == 2 else act.seats[0]
    return _change(state, act, "resigned", seat)


def takeback(state: State, act: Act, accept: bool) -> Change | None:
    """Take back the last move; the time it took is not given back.

    Against a friend this offers a takeback, or answers the friend's offer: `accept` is whether to
    agree. Against the computer or oneself the move is taken back at once, even after the end. So it
    is for a player who holds both seats of a game between friends, but not after the end.

    Raises APIError if the time is up, the game is not being played, there is no move to take back,
    or there is no offer to decline.
    """
    if _is_repeated(state, act, "takeback", "offer", "declined"):
        return None
    seat, other = act.seats[0], 3 - act.seats[0]
    if state.made.opponent != "friend":
        if state.status not in {"won", "draw"} or state.rematch:  # else also at the end
            check_playing(state, act.at)
        change = _change(state, act, "takeback", seat, ply=_takeback_ply(state, seat))
        return change._replace(clock=(state.id, act.at) if state.clock else None)
    check_playing(state, act.at)
    if len(act.seats) == 2:
        last = 2 - state.game.ply % 2  # the seat that moved last
        return _change(state, act, "takeback", seat, ply=_takeback_ply(state, last))
    if state.offer != other:
        if not accept:
            raise APIError("nothing_to_decline", seq=state.seq)
        _takeback_ply(state, seat)  # raises if there is no move to take back
        return _change(state, act, "offer", seat)
    if not accept:
        return _change(state, act, "declined", seat)
    return _change(state, act, "takeback", seat, ply=_takeback_ply(state, other))


def draw(state: State, act: Act, accept: bool) -> Change | None:
    """Offer a draw, or answer the other player's offer: `accept` is whether to agree.

    A player who holds both seats agrees at once. Raises APIError if the time is up, the game is not
    being played, the opponent is the computer, or there is no offer to decline.
    """
    if _is_repeated(state, act, "draw", "agreed", "declined"):
        return None
    check_playing(state, act.at)
    if state.made.opponent == "computer":
        raise APIError("no_draw", seq=state.seq)
    offered = state.draw == 3 - act.seats[0]
    if not accept and not offered:
        raise APIError("nothing_to_decline", seq=state.seq)
    answer = "agreed" if accept else "declined"
    answers = offered or len(act.seats) == 2
    return _change(state, act, answer if answers else "draw", act.seats[0])


def react(state: State, act: Act, reaction: str) -> Change | None:
    """Show a reaction, which makes no request stale. Raises APIError if the game has not begun."""
    if _is_repeated(state, act, "reaction", text=reaction):
        return None
    if state.status in {"waiting", "aborted"}:
        raise _not_played(state)
    return _change(state, act, "reaction", act.seats[0], text=reaction)


def timeout(state: State, at: int) -> Change | None:
    """End the game if the time of the player to move is up; return None otherwise."""
    if state.deadline is None or at < state.deadline:
        return None
    act = Act((state.game.turn,), state.seq, f"timeout {state.seq}", at)
    change = _change(state, act, "timeout", state.game.turn)
    return change._replace(clock=(state.id, None))


def computer_move(state: State, act: Act, cell: Cell) -> Change | None:
    """Play the move that the computer chose at this seq; None if the game has gone on since.

    Raises IllegalMove if the computer is wrong, so nothing illegal gets into the log.
    """
    if state.settled > act.seq:
        return None
    if late := timeout(state, act.at):
        return late
    if illegal := state.game.why_illegal(cell):
        raise illegal
    return _change(state, act, "move", state.game.turn, cell=state.geometry.number(cell))


def _is_repeated(
    state: State, act: Act, *kinds: str, cell: int | None = None, text: str | None = None
) -> bool:
    """Return whether the same was done before under the same key; raise if it is not allowed."""
    for seat in act.seats:
        if before := state.answers.get((seat, act.key)):
            event, _ = before
            if event.kind not in kinds or (event.cell, event.text) != (cell, text):
                raise APIError("key_used", seq=state.seq)
            return True
    if KINDS[kinds[0]].settles and not state.settled <= act.seq <= state.seq:
        raise APIError("stale", f"the game is at seq {state.seq}, not {act.seq}", state.seq)
    return False


def check_playing(state: State, at: int) -> None:
    """Raise an error unless the game is being played and the player to move has time left."""
    if state.deadline is not None and at >= state.deadline:
        raise APIError("timeout", seq=state.seq)
    if state.status != "playing":
        raise _not_played(state)


def _not_played(state: State) -> APIError:
    """Return the error for a game that is not being played: it waits, was aborted or is over."""
    if state.status == "waiting":
        return APIError("waiting", seq=state.seq)
    if state.status == "aborted":
        return APIError("game_over", "the game was aborted", state.seq)
    result = f"player {state.winner} has won" if state.winner else "it is a draw"
    return APIError("game_over", f"the game is over: {result}", state.seq)


def _takeback_ply(state: State, seat: int) -> int:
    """Return the ply that a takeback by this seat goes back to: before its own last move."""
    ply = state.game.ply
    its_own = state.made.opponent == "self" or ply % 2 == seat % 2  # moves alternate, from seat 1
    ply -= 1 if its_own else 2
    if ply < 0:
        raise APIError("nothing_to_take_back", seq=state.seq)
    return ply


def _change(state: State, act: Act, kind: str, seat: int, **what: Any) -> Change:
    """Return the change for the next event, and whether the computer is to move after it."""
    event = Event(state.id, state.seq + 1, kind, seat, act.key, act.at, **what)
    concerns = state.made.opponent == "computer" and KINDS[kind].settles  # the computer
    return Change(event, due=(state.id, _is_due(state, event)) if concerns else None)


def _is_due(state: State, event: Event) -> bool:
    """Return whether the computer is to move after this event of a game that it plays."""
    if event.ply is not None:  # a takeback
        return event.ply % 2 + 1 != state.made.seat
    if event.cell is None or event.seat != state.made.seat:
        return False
    after = state.game.copy()
    return after.play(state.geometry.cell(event.cell)) is None
