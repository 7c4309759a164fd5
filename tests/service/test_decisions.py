"""What may be done in a game: decisions are tried on a state, without a server or a database."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from noughts import Rules
from noughts.errors import OffBoard
from noughts.service.http.models import StateAnswer
from noughts.service.play import decisions
from noughts.service.play.api_errors import APIError
from noughts.service.play.decisions import Act
from noughts.service.play.events import Change, Event, NewGame, Opponent, Seats, digest
from noughts.service.play.state import Acted, State

TOKEN = digest("token")
Decide = Callable[..., Change | None]


def new_game(opponent: Opponent = "friend", **fields: Any) -> NewGame:
    invite = digest("come") if opponent == "friend" else None
    return NewGame("id", Rules(), opponent, None, 1, "Ada", False, invite, 0)._replace(**fields)


def after(state: State, decide: Decide, *asked: Any) -> Change:
    """The change that is decided on, which the state follows."""
    change = decide(state, *asked)
    assert change is not None
    if change.event:
        state.apply(change.event)
    return change


def act(state: State, *seats: int, key: str = "", seq: int | None = None) -> Act:
    """The request of somebody who knows all events, under a key of its own."""
    return Act(seats or (1, 2), state.seq if seq is None else seq, key or f"key {state.seq}", at=9)


def thought(seq: int, at: int = 7) -> Act:
    """The request of the computer, which has thought about its move since this seq."""
    return Act((1,), seq, f"computer {seq}", at)


def play(state: State, *cells: tuple[int, int]) -> State:
    """The same, after moves of whoever's turn it is."""
    for cell in cells:
        after(state, decisions.move, act(state, state.game.turn), cell)
    return state


def alone() -> State:
    return State(new_game("self"))


def friends() -> State:
    state = State(new_game())
    after(state, decisions.join, Act((), 0, "bob", 5), "come", "Bob", TOKEN)
    return state


def computer(seat: int = 1) -> State:
    return State(new_game("computer", level="easy", seat=seat))


def won() -> State:
    return play(alone(), (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))


def error_response(state: State, decide: Decide, *asked: Any) -> str:
    """Why this is refused, which changes nothing."""
    before = deepcopy(StateAnswer.of(state))
    with pytest.raises(APIError) as refused:
        decide(state, *asked)
    assert StateAnswer.of(state) == before
    return refused.value.code


def event(change: Change | None) -> Event:
    assert change is not None
    assert change.event is not None
    return change.event


# Making a game and taking a seat


@pytest.mark.parametrize(
    ("opponent", "seat", "seats", "due"),
    [
        ("friend", 2, (2,), None),
        ("self", 1, (1, 2), None),
        ("computer", 1, (1,), ("id", False)),
        ("computer", 2, (2,), ("id", True)),
    ],
)
def test_whoever_makes_a_game_gets_a_seat_or_both(
    opponent: Opponent, seat: int, seats: tuple[int, ...], due: tuple[str, bool] | None
) -> None:
    game = new_game(opponent, seat=seat)
    given = (Seats(TOKEN, "id", seats),)
    assert decisions.create(game, TOKEN) == Change(game=game, seats=given, due=due)


@pytest.mark.parametrize(
    ("opponent", "held", "seats"),
    [
        ("friend", (), (2,)),
        ("friend", (1, 2), (1, 2)),  # as its maker has joined it, too
        ("self", (), (1, 2)),
        ("computer", (2,), (2,)),
    ],
)
def test_whoever_makes_a_game_again_gets_the_seat_again(
    opponent: Opponent, held: tuple[int, ...], seats: tuple[int, ...]
) -> None:
    game = new_game(opponent, seat=2)
    again = decisions.create_again(State(game), game._replace(at=9), held, TOKEN)
    assert again == Change(seats=(Seats(TOKEN, "id", seats),))


def test_another_game_is_not_made_under_the_same_key() -> None:
    for other in (new_game(seat=2), new_game(name="Eve"), new_game("self")):
        assert (
            error_response(State(new_game()), decisions.create_again, other, (), TOKEN)
            == "key_used"
        )


def test_a_friend_takes_the_free_seat() -> None:
    state = State(new_game(seat=2))
    change = decisions.join(state, Act((), 0, "k", 5), "come", "Bob", TOKEN)
    joined = Event("id", 1, "joined", 1, "k", 5, text="Bob")
    assert change == Change(joined, seats=(Seats(TOKEN, "id", (1,)),))


def test_to_join_needs_the_invitation_or_a_listed_game() -> None:
    state = State(new_game())
    for invite in (None, "", "go"):
        code = error_response(state, decisions.join, Act((), 0, "k", 5), invite, None, TOKEN)
        assert code == "wrong_invite"
    listed = State(new_game(listed=True, invite=None))
    assert event(decisions.join(listed, Act((), 0, "k", 5), None, None, TOKEN)).kind == "joined"


def test_a_taken_seat_is_taken_again_under_the_same_key_alone() -> None:
    state, other = friends(), digest("other")
    again = decisions.join(state, Act((), 0, "bob", 6), "come", "Bob", other)
    assert again == Change(seats=(Seats(other, "id", (2,)),))
    for invite, key in (("come", "else"), ("go", "bob")):
        code = error_response(state, decisions.join, Act((), 0, key, 6), invite, "Eve", other)
        assert code == "seat_taken"


def test_nobody_joins_a_computer_even_under_its_key() -> None:
    state = computer(seat=2)
    after(state, decisions.computer_move, thought(0, 5), (1, 1))
    assert (
        error_response(state, decisions.join, Act((), 0, "computer 0", 6), None, None, TOKEN)
        == "seat_taken"
    )


# Playing


def test_a_move_is_an_event_of_the_seat_whose_turn_it_is() -> None:
    state = alone()
    change = decisions.move(state, Act((1, 2), 0, "k", 7), (1, 2))
    assert change == Change(Event("id", 1, "move", 1, "k", 7, cell=5))
    play(state, (1, 2))
    assert event(decisions.move(state, act(state), (0, 0))).seat == 2


def test_a_move_is_refused_for_the_first_reason_that_holds() -> None:
    def tried(state: State, seat: int, cell: tuple[int, int]) -> str:
        return error_response(state, decisions.move, act(state, seat), cell)

    assert tried(State(new_game()), 1, (3, 0)) == "off_board"
    assert tried(State(new_game()), 1, (0, 0)) == "waiting"
    assert tried(play(friends(), (0, 0)), 1, (0, 0)) == "wrong_turn"
    assert tried(play(friends(), (0, 0)), 2, (0, 0)) == "cell_taken"
    assert tried(won(), 2, (0, 0)) == "game_over"
    assert tried(won(), 2, (3, 0)) == "off_board"


def test_the_same_request_is_done_once() -> None:
    state = alone()
    after(state, decisions.move, act(state, key="k"), (0, 0))
    for seq in (0, 1, 99):  # even from one who does not know that it was done
        assert decisions.move(state, act(state, key="k", seq=seq), (0, 0)) is None
    assert state.answer((1, 2), "k") == Acted(seq=1, ply=1, status="playing")


def test_a_key_stands_for_one_request() -> None:
    state = alone()
    after(state, decisions.move, act(state, key="k"), (0, 0))
    again = act(state, key="k")
    assert error_response(state, decisions.move, again, (0, 1)) == "key_used"
    assert error_response(state, decisions.resign, again) == "key_used"
    assert error_response(state, decisions.takeback, again, True) == "key_used"


def test_whoever_does_not_know_the_latest_event_is_refused() -> None:
    state = play(alone(), (0, 0))
    for seq in (0, 2):
        stale = act(state, seq=seq)
        assert error_response(state, decisions.move, stale, (1, 1)) == "stale"
        assert error_response(state, decisions.resign, stale) == "stale"
        assert error_response(state, decisions.takeback, stale, True) == "stale"


def test_a_player_resigns_whoever_s_turn_it_is() -> None:
    assert event(decisions.resign(play(friends(), (0, 0)), Act((1,), 2, "k", 7))) == Event(
        "id", 3, "resigned", 1, "k", 7
    )
    state = play(alone(), (0, 0))
    assert event(decisions.resign(state, act(state))).seat == 2
    assert error_response(won(), decisions.resign, act(won())) == "game_over"
    assert (
        error_response(State(new_game()), decisions.resign, act(State(new_game()), 1)) == "waiting"
    )


# Takebacks


def takeback(*seats: int, accept: bool = True) -> Decide:
    return lambda state: decisions.takeback(state, act(state, *seats), accept)


def test_a_friend_is_offered_a_takeback_and_accepts_it() -> None:
    state = play(friends(), (0, 0), (1, 1))
    assert event(after(state, takeback(1))).kind == "offer"
    done = event(after(state, takeback(2)))
    assert (done.kind, done.seat, done.ply) == ("takeback", 2, 0)  # before player 1's own move
    assert state.game.history == ()


def test_a_friend_declines_a_takeback() -> None:
    state = play(friends(), (0, 0))
    after(state, takeback(1))
    assert event(after(state, takeback(2, accept=False))).kind == "declined"
    assert state.offer is None
    assert error_response(state, takeback(2, accept=False)) == "nothing_to_decline"


def test_an_offer_is_repeated_but_not_accepted_by_whoever_made_it() -> None:
    state = play(friends(), (0, 0))
    after(state, takeback(1))
    assert event(after(state, takeback(1))).kind == "offer"
    assert error_response(state, takeback(1, accept=False)) == "nothing_to_decline"


def test_friends_take_nothing_back_before_they_moved_or_after_the_end() -> None:
    assert error_response(State(new_game()), takeback(1)) == "waiting"
    assert error_response(play(friends(), (0, 0)), takeback(2)) == "nothing_to_take_back"
    over = play(friends(), (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
    assert error_response(over, takeback(1)) == "game_over"


def test_alone_the_last_move_is_taken_back_even_if_it_won() -> None:
    assert event(decisions.takeback(won(), act(won()), accept=True)).ply == 4
    assert error_response(alone(), takeback()) == "nothing_to_take_back"
    resigned = play(alone(), (0, 0))
    after(resigned, decisions.resign, act(resigned))
    assert error_response(resigned, takeback()) == "game_over"


def test_a_game_with_a_rematch_stays_as_it_is() -> None:
    state = won()
    after(state, decisions.rematch, Act((1, 2), 0, "k", 8), "next", TOKEN)
    assert error_response(state, takeback()) == "game_over"


# Computers


def test_a_computer_moves_unless_the_game_has_gone_on() -> None:
    state = computer(seat=2)
    with pytest.raises(OffBoard):  # the computer's fault, which must not come into the log
        decisions.computer_move(state, thought(0), (3, 3))
    move = Event("id", 1, "move", 1, "computer 0", 7, cell=4)
    assert decisions.computer_move(state, thought(0), (1, 1)) == Change(move, due=("id", False))
    state.apply(move)
    assert decisions.computer_move(state, thought(0), (1, 1)) is None


def test_a_computer_is_due_after_a_move_that_does_not_end_the_game() -> None:
    state = computer()
    assert after(state, decisions.move, act(state, 1), (0, 0)).due == ("id", True)
    after(state, decisions.computer_move, thought(1), (1, 0))
    play(state, (0, 1), (1, 1))
    before = deepcopy(StateAnswer.of(state))
    last = decisions.move(state, act(state, 1), (0, 2))
    assert last is not None
    assert last.due == ("id", False)
    assert StateAnswer.of(state) == before  # to decide changes nothing


def test_a_computer_is_due_after_a_takeback_of_the_first_move() -> None:
    state = computer(seat=2)
    after(state, decisions.computer_move, thought(0), (1, 1))
    play(state, (0, 0))
    change = after(state, takeback(2))
    assert (event(change).ply, change.due) == (1, ("id", False))
    assert error_response(state, takeback(2)) == "nothing_to_take_back"
    first = play(computer(), (0, 0))
    assert after(first, takeback(1)).due == ("id", False)
    after(state, decisions.resign, act(state, 2))
    assert not state.computer_to_move


def test_no_computer_is_due_where_none_plays() -> None:
    for state in (alone(), friends()):
        assert after(state, decisions.move, act(state, 1), (0, 0)).due is None


# Rematches


def test_a_rematch_swaps_the_seats() -> None:
    state = play(friends(), (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
    change = decisions.rematch(state, Act((2,), 0, "k", 8), "next", TOKEN)
    game = new_game(id="next", seat=1, name="Bob", invite=None, at=8, before="id")
    rematch = Event("id", 7, "rematch", 2, "k", 8, text="next")
    assert change == Change(rematch, game, (Seats(TOKEN, "next", (1,)),))


def test_the_other_player_joins_the_rematch_and_each_of_them_again() -> None:
    state = play(friends(), (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
    made = after(state, decisions.rematch, Act((2,), 0, "k", 8), "next", TOKEN)
    assert decisions.rematch(state, Act((1,), 0, "k", 9), "other", TOKEN) is None
    assert made.game is not None
    following = State(made.game)
    change = after(following, decisions.join_rematch, Act((1,), 0, "k", 9), state, TOKEN)
    joined = Event("next", 1, "joined", 2, "k", 9, text="Ada")
    assert change == Change(joined, seats=(Seats(TOKEN, "next", (2,)),))
    for seat in (1, 2):
        again = decisions.join_rematch(following, Act((seat,), 0, "k", 10), state, TOKEN)
        assert again == Change(seats=(Seats(TOKEN, "next", (3 - seat,)),))


def test_alone_and_against_a_computer_a_rematch_needs_nobody() -> None:
    state = won()
    change = after(state, decisions.rematch, Act((1, 2), 0, "k", 8), "next", TOKEN)
    assert change.seats == (Seats(TOKEN, "next", (1, 2)),)
    again = decisions.join_rematch(State(new_game("self")), Act((1, 2), 0, "k", 9), state, TOKEN)
    assert again.seats == (Seats(TOKEN, "id", (1, 2)),)
    lost = computer()
    after(lost, decisions.resign, act(lost, 1))
    change = after(lost, decisions.rematch, Act((1,), 0, "k", 8), "next", TOKEN)
    assert change.game is not None
    assert (change.game.seat, change.due) == (2, ("next", True))  # the computer begins


def test_a_rematch_comes_after_the_end() -> None:
    code = error_response(alone(), decisions.rematch, Act((1, 2), 0, "k", 8), "next", TOKEN)
    assert code == "not_over"


@pytest.mark.parametrize("known", [None, "next"])
def test_a_rematch_that_was_just_withdrawn_is_made_anew(known: str | None) -> None:
    state = won()
    after(state, decisions.rematch, Act((1, 2), 0, "k", 8), "next", TOKEN)
    after(state, decisions.withdraw_rematch, Act((1,), 0, "w", 9), "next")
    change = decisions.rematch(state, Act((1, 2), 0, "l", 10), "other", TOKEN, known)
    assert event(change).text == "other"
