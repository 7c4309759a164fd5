"""Decisions on a state, without a server or a database."""

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
    """Return the change of a decision, after applying it to the state."""
    change = decide(state, *asked)
    assert change is not None
    if change.event:
        state.apply(change.event)
    return change


def act(state: State, *seats: int, key: str = "", seq: int | None = None) -> Act:
    """Return a request of a player who has seen all events, under a new key."""
    return Act(seats or (1, 2), state.seq if seq is None else seq, key or f"key {state.seq}", at=9)


def thought(seq: int, at: int = 7) -> Act:
    """Return a request of the computer, which started to think at this seq."""
    return Act((1,), seq, f"computer {seq}", at)


def play(state: State, *cells: tuple[int, int]) -> State:
    """Return the state after these moves of alternating players."""
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


def error_code(state: State, decide: Decide, *asked: Any) -> str:
    """Return the error code of a decision that must fail and change nothing."""
    before = deepcopy(StateAnswer.of(state))
    with pytest.raises(APIError) as refused:
        decide(state, *asked)
    assert StateAnswer.of(state) == before
    return refused.value.code


def event(change: Change | None) -> Event:
    assert change is not None
    assert change.event is not None
    return change.event


# Creating a game and taking a seat


@pytest.mark.parametrize(
    ("opponent", "seat", "seats", "due"),
    [
        ("friend", 2, (2,), None),
        ("self", 1, (1, 2), None),
        ("computer", 1, (1,), ("id", False)),
        ("computer", 2, (2,), ("id", True)),
    ],
)
def test_create_gives_a_seat_or_both(
    opponent: Opponent, seat: int, seats: tuple[int, ...], due: tuple[str, bool] | None
) -> None:
    game = new_game(opponent, seat=seat)
    given = (Seats(TOKEN, "id", seats),)
    assert decisions.create(game, TOKEN) == Change(game=game, seats=given, due=due)


@pytest.mark.parametrize(
    ("opponent", "held", "seats"),
    [
        ("friend", (), (2,)),
        ("friend", (1, 2), (1, 2)),  # as its creator has joined it, too
        ("self", (), (1, 2)),
        ("computer", (2,), (2,)),
    ],
)
def test_create_again_gives_the_seat_again(
    opponent: Opponent, held: tuple[int, ...], seats: tuple[int, ...]
) -> None:
    game = new_game(opponent, seat=2)
    again = decisions.create_again(State(game), game._replace(at=9), held, TOKEN)
    assert again == Change(seats=(Seats(TOKEN, "id", seats),))


def test_create_again_refuses_another_game() -> None:
    for other in (new_game(seat=2), new_game(name="Eve"), new_game("self")):
        assert error_code(State(new_game()), decisions.create_again, other, (), TOKEN) == "key_used"


def test_join_takes_the_free_seat() -> None:
    state = State(new_game(seat=2))
    change = decisions.join(state, Act((), 0, "k", 5), "come", "Bob", TOKEN)
    joined = Event("id", 1, "joined", 1, "k", 5, text="Bob")
    assert change == Change(joined, seats=(Seats(TOKEN, "id", (1,)),))


def test_join_needs_an_invitation_or_a_listed_game() -> None:
    state = State(new_game())
    for invite in (None, "", "go"):
        code = error_code(state, decisions.join, Act((), 0, "k", 5), invite, None, TOKEN)
        assert code == "wrong_invite"
    listed = State(new_game(listed=True, invite=None))
    assert event(decisions.join(listed, Act((), 0, "k", 5), None, None, TOKEN)).kind == "joined"


def test_join_repeats_only_under_the_same_key() -> None:
    state, other = friends(), digest("other")
    again = decisions.join(state, Act((), 0, "bob", 6), "come", "Bob", other)
    assert again == Change(seats=(Seats(other, "id", (2,)),))
    for invite, key in (("come", "else"), ("go", "bob")):
        code = error_code(state, decisions.join, Act((), 0, key, 6), invite, "Eve", other)
        assert code == "seat_taken"


def test_join_never_takes_the_seat_of_the_computer() -> None:
    state = computer(seat=2)
    after(state, decisions.computer_move, thought(0, 5), (1, 1))
    assert (
        error_code(state, decisions.join, Act((), 0, "computer 0", 6), None, None, TOKEN)
        == "seat_taken"
    )


# Playing


def test_move_is_an_event_of_the_seat_to_move() -> None:
    state = alone()
    change = decisions.move(state, Act((1, 2), 0, "k", 7), (1, 2))
    assert change == Change(Event("id", 1, "move", 1, "k", 7, cell=5))
    play(state, (1, 2))
    assert event(decisions.move(state, act(state), (0, 0))).seat == 2


def test_move_is_refused_for_the_first_reason_that_holds() -> None:
    def tried(state: State, seat: int, cell: tuple[int, int]) -> str:
        return error_code(state, decisions.move, act(state, seat), cell)

    assert tried(State(new_game()), 1, (3, 0)) == "off_board"
    assert tried(State(new_game()), 1, (0, 0)) == "waiting"
    assert tried(play(friends(), (0, 0)), 1, (0, 0)) == "wrong_turn"
    assert tried(play(friends(), (0, 0)), 2, (0, 0)) == "cell_taken"
    assert tried(won(), 2, (0, 0)) == "game_over"
    assert tried(won(), 2, (3, 0)) == "off_board"


def test_repeated_request_is_done_once() -> None:
    state = alone()
    after(state, decisions.move, act(state, key="k"), (0, 0))
    for seq in (0, 1, 99):  # even from a player who does not know that it was done
        assert decisions.move(state, act(state, key="k", seq=seq), (0, 0)) is None
    assert state.answer((1, 2), "k") == Acted(seq=1, ply=1, status="playing")


def test_key_of_a_request_is_refused_for_another() -> None:
    state = alone()
    after(state, decisions.move, act(state, key="k"), (0, 0))
    again = act(state, key="k")
    assert error_code(state, decisions.move, again, (0, 1)) == "key_used"
    assert error_code(state, decisions.resign, again) == "key_used"
    assert error_code(state, decisions.takeback, again, True) == "key_used"


def test_stale_request_is_refused() -> None:
    state = play(alone(), (0, 0))
    for seq in (0, 2):
        stale = act(state, seq=seq)
        assert error_code(state, decisions.move, stale, (1, 1)) == "stale"
        assert error_code(state, decisions.resign, stale) == "stale"
        assert error_code(state, decisions.takeback, stale, True) == "stale"


def test_resign_is_allowed_on_either_turn() -> None:
    assert event(decisions.resign(play(friends(), (0, 0)), Act((1,), 2, "k", 7))) == Event(
        "id", 3, "resigned", 1, "k", 7
    )
    state = play(alone(), (0, 0))
    assert event(decisions.resign(state, act(state))).seat == 2
    assert error_code(won(), decisions.resign, act(won())) == "game_over"
    assert error_code(State(new_game()), decisions.resign, act(State(new_game()), 1)) == "waiting"


# Takebacks


def takeback(*seats: int, accept: bool = True) -> Decide:
    return lambda state: decisions.takeback(state, act(state, *seats), accept)


def test_takeback_is_offered_and_accepted() -> None:
    state = play(friends(), (0, 0), (1, 1))
    assert event(after(state, takeback(1))).kind == "offer"
    done = event(after(state, takeback(2)))
    assert (done.kind, done.seat, done.ply) == ("takeback", 2, 0)  # before player 1's own move
    assert state.game.history == ()


def test_takeback_is_declined() -> None:
    state = play(friends(), (0, 0))
    after(state, takeback(1))
    assert event(after(state, takeback(2, accept=False))).kind == "declined"
    assert state.offer is None
    assert error_code(state, takeback(2, accept=False)) == "nothing_to_decline"


def test_repeated_takeback_offer_is_not_an_agreement() -> None:
    state = play(friends(), (0, 0))
    after(state, takeback(1))
    assert event(after(state, takeback(1))).kind == "offer"
    assert error_code(state, takeback(1, accept=False)) == "nothing_to_decline"


def test_takeback_needs_a_move_and_a_game_in_progress() -> None:
    assert error_code(State(new_game()), takeback(1)) == "waiting"
    assert error_code(play(friends(), (0, 0)), takeback(2)) == "nothing_to_take_back"
    over = play(friends(), (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
    assert error_code(over, takeback(1)) == "game_over"


def test_takeback_alone_undoes_even_a_winning_move() -> None:
    assert event(decisions.takeback(won(), act(won()), accept=True)).ply == 4
    assert error_code(alone(), takeback()) == "nothing_to_take_back"
    resigned = play(alone(), (0, 0))
    after(resigned, decisions.resign, act(resigned))
    assert error_code(resigned, takeback()) == "game_over"


def test_takeback_is_refused_after_a_rematch() -> None:
    state = won()
    after(state, decisions.rematch, Act((1, 2), 0, "k", 8), "next", TOKEN)
    assert error_code(state, takeback()) == "game_over"


# Computers


def test_computer_move_is_dropped_if_the_game_went_on() -> None:
    state = computer(seat=2)
    with pytest.raises(OffBoard):  # a bug of the computer, which must not get into the log
        decisions.computer_move(state, thought(0), (3, 3))
    move = Event("id", 1, "move", 1, "computer 0", 7, cell=4)
    assert decisions.computer_move(state, thought(0), (1, 1)) == Change(move, due=("id", False))
    state.apply(move)
    assert decisions.computer_move(state, thought(0), (1, 1)) is None


def test_computer_is_due_after_a_move_that_does_not_end_the_game() -> None:
    state = computer()
    assert after(state, decisions.move, act(state, 1), (0, 0)).due == ("id", True)
    after(state, decisions.computer_move, thought(1), (1, 0))
    play(state, (0, 1), (1, 1))
    before = deepcopy(StateAnswer.of(state))
    last = decisions.move(state, act(state, 1), (0, 2))
    assert last is not None
    assert last.due == ("id", False)
    assert StateAnswer.of(state) == before  # deciding changes nothing


def test_computer_stays_due_after_a_reaction() -> None:
    state = State(new_game("computer"))
    assert after(state, decisions.move, act(state, 1), (0, 0)).due == ("id", True)
    assert after(state, decisions.react, act(state, 1), "gg").due is None


def test_computer_is_due_after_a_takeback_of_its_first_move() -> None:
    state = computer(seat=2)
    after(state, decisions.computer_move, thought(0), (1, 1))
    play(state, (0, 0))
    change = after(state, takeback(2))
    assert (event(change).ply, change.due) == (1, ("id", False))
    assert error_code(state, takeback(2)) == "nothing_to_take_back"
    first = play(computer(), (0, 0))
    assert after(first, takeback(1)).due == ("id", False)
    after(state, decisions.resign, act(state, 2))
    assert not state.computer_to_move


def test_computer_is_never_due_in_other_games() -> None:
    for state in (alone(), friends()):
        assert after(state, decisions.move, act(state, 1), (0, 0)).due is None


# Rematches


def test_rematch_swaps_the_seats() -> None:
    state = play(friends(), (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
    change = decisions.rematch(state, Act((2,), 0, "k", 8), "next", TOKEN)
    game = new_game(id="next", seat=1, name="Bob", invite=None, at=8, before="id")
    rematch = Event("id", 7, "rematch", 2, "k", 8, text="next")
    assert change == Change(rematch, game, (Seats(TOKEN, "next", (1,)),))


def test_rematch_can_be_joined_repeatedly_by_both_players() -> None:
    state = play(friends(), (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
    made = after(state, decisions.rematch, Act((2,), 0, "k", 8), "next", TOKEN)
    assert decisions.rematch(state, Act((1,), 0, "k", 9), "other", TOKEN) is None
    assert made.game is not None
    following = State(made.game)
    change = after(following, decisions.join_rematch, Act((1,), 0, "k", 9), state, (), TOKEN)
    joined = Event("next", 1, "joined", 2, "k", 9, text="Ada")
    assert change == Change(joined, seats=(Seats(TOKEN, "next", (2,)),))
    for seat in (1, 2):
        again = decisions.join_rematch(following, Act((seat,), 0, "k", 10), state, (), TOKEN)
        assert again == Change(seats=(Seats(TOKEN, "next", (3 - seat,)),))


def test_rematch_alone_or_with_the_computer_starts_at_once() -> None:
    state = won()
    change = after(state, decisions.rematch, Act((1, 2), 0, "k", 8), "next", TOKEN)
    assert change.seats == (Seats(TOKEN, "next", (1, 2)),)
    alone = State(new_game("self"))
    again = decisions.join_rematch(alone, Act((1, 2), 0, "k", 9), state, (), TOKEN)
    assert again.seats == (Seats(TOKEN, "id", (1, 2)),)
    lost = computer()
    after(lost, decisions.resign, act(lost, 1))
    change = after(lost, decisions.rematch, Act((1,), 0, "k", 8), "next", TOKEN)
    assert change.game is not None
    assert (change.game.seat, change.due) == (2, ("next", True))  # the computer begins


def test_rematch_needs_a_finished_game() -> None:
    code = error_code(alone(), decisions.rematch, Act((1, 2), 0, "k", 8), "next", TOKEN)
    assert code == "not_over"


@pytest.mark.parametrize("known", [None, "next"])
def test_rematch_replaces_a_cancelled_one(known: str | None) -> None:
    state = won()
    after(state, decisions.rematch, Act((1, 2), 0, "k", 8), "next", TOKEN)
    after(state, decisions.withdraw_rematch, Act((1,), 0, "w", 9), "next")
    change = decisions.rematch(state, Act((1, 2), 0, "l", 10), "other", TOKEN, known)
    assert event(change).text == "other"
