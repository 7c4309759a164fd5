"""`Game`, driven at random against a board that rescans everything."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from noughts import (
    CellTaken,
    Floating,
    Game,
    GameOver,
    IllegalMove,
    OffBoard,
    Rules,
    UnknownPlayer,
    WrongTurn,
)
from oracle import Cell, NaiveGame, board, observed

BOARDS = [
    Rules(),
    Rules.square(1),
    Rules.square(2),
    Rules.square(4),
    Rules((4, 4), k=3),
    Rules((5, 5), k=4),
    Rules((3, 5), k=3),
    Rules((2, 6), k=4),  # k fits along one side only
    Rules((3, 3), k=1),
    Rules((3, 3, 3)),
    Rules((2, 3, 4), k=3, players=3),
    Rules((2, 2, 2, 2), players=3),
    Rules((8,), k=3),
    Rules((6,), k=2, players=4),
    Rules((4, 4), k=3, players=3),
    Rules((3, 4), k=3, players=4),
    Rules((2, 2), players=8),
    Rules((4, 5), k=3, gravity=True),
    Rules((3, 2, 3), k=2, players=3, gravity=True),
    Rules((4, 6), k=3, variant="standard"),
    Rules((2, 3, 4), k=2, players=3, variant="standard", gravity=True),
    Rules((3, 9), k=3, variant="caro"),
    Rules((5, 4), k=2, players=3, variant="caro"),
    Rules((4, 4), k=3, variant="misere"),
    Rules((3, 3, 3), variant="misere", gravity=True),
    Rules((5, 6), k=5, variant="renju"),
]


class GameMachine(RuleBasedStateMachine):
    """The game, its naive twin, and the originals of copies with their former states."""

    @initialize(rules=st.sampled_from(BOARDS), early_draw=st.booleans())
    def begin(self, rules: Rules, early_draw: bool) -> None:
        falls, variant = rules.gravity, rules.variant
        rules = Rules(
            rules.shape, rules.k, rules.players, early_draw, gravity=falls, variant=variant
        )
        self.game = Game(rules)
        self.naive = NaiveGame(rules)
        self.originals: list[tuple[Game, dict[str, object]]] = []

    def play_on(self, cell: Cell, player: int | None) -> None:
        outcome = self.game.play(cell, player)
        self.naive = self.naive.played(cell)
        assert outcome == self.game.outcome

    @precondition(lambda self: not self.naive.ending)
    @rule(data=st.data(), told=st.booleans())
    def play(self, data: st.DataObject, told: bool) -> None:
        cell = data.draw(st.sampled_from(self.naive.legal_moves))
        self.play_on(cell, self.naive.turn if told else None)

    @precondition(lambda self: not self.naive.ending and self.naive.threats(self.naive.turn))
    @rule(data=st.data())
    def complete_a_line(self, data: st.DataObject) -> None:
        threats = sorted(self.naive.threats(self.naive.turn))
        self.play_on(data.draw(st.sampled_from(threats)), None)
        assert self.game.outcome is not None
        won = self.game.outcome.winner == self.naive.player_at(self.naive.ply - 1)
        assert won == (self.naive.rules.variant != "misere")

    @precondition(lambda self: self.naive.ply)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        for _ in range(data.draw(st.integers(1, min(self.naive.ply, 3)))):
            assert self.game.undo() == self.naive.history[-1]
            self.naive = self.naive.undone()

    @precondition(lambda self: not self.naive.ply)
    @rule()
    def undo_nothing(self) -> None:
        with pytest.raises(IndexError):
            self.game.undo()

    @rule()
    def go_on_with_a_copy(self) -> None:
        self.originals = [*self.originals[-2:], (self.game, observed(self.naive))]
        self.game = self.game.copy()
        assert self.game == self.originals[-1][0]

    @rule(replayed=st.booleans())
    def go_on_with_a_duplicate(self, replayed: bool) -> None:
        if replayed:
            twin = Game.replay(self.game.rules, self.game.history)
        else:
            twin = pickle.loads(pickle.dumps(self.game))
        assert twin == self.game
        assert twin.outcome == self.game.outcome
        self.game = twin

    def refused(self, reason: type[IllegalMove], cell: Cell, player: int | None = None) -> None:
        announced = self.game.why_illegal(cell, player)
        assert type(announced) is reason
        with pytest.raises(reason) as caught:
            self.game.play(cell, player)
        assert str(caught.value) == str(announced)
        assert not self.game.is_legal(cell, player)

    @rule(data=st.data())
    def try_an_unknown_player(self, data: st.DataObject) -> None:
        players = self.naive.rules.players
        player = data.draw(st.sampled_from([-1, 0, players + 1, players + 2]))
        self.refused(
            UnknownPlayer, data.draw(st.sampled_from(board(self.naive.rules.shape))), player
        )

    @rule(data=st.data())
    def try_a_cell_off_the_board(self, data: st.DataObject) -> None:
        shape = self.naive.rules.shape
        axis = data.draw(st.integers(0, len(shape) - 1))
        cell = list(data.draw(st.sampled_from(board(shape))))
        cell[axis] = data.draw(st.sampled_from([-1, -shape[axis], shape[axis], shape[axis] + 1]))
        self.refused(OffBoard, tuple(cell))

    @precondition(lambda self: self.naive.ending)
    @rule(data=st.data())
    def try_a_move_after_the_end(self, data: st.DataObject) -> None:
        self.refused(GameOver, data.draw(st.sampled_from(board(self.naive.rules.shape))))

    @precondition(lambda self: not self.naive.ending)
    @rule(data=st.data())
    def try_a_move_out_of_turn(self, data: st.DataObject) -> None:
        others = [player for player in self.naive.players if player != self.naive.turn]
        cell = data.draw(st.sampled_from(board(self.naive.rules.shape)))
        self.refused(WrongTurn, cell, data.draw(st.sampled_from(others)))

    @precondition(lambda self: self.naive.ply and not self.naive.ending)
    @rule(data=st.data())
    def try_a_taken_cell(self, data: st.DataObject) -> None:
        self.refused(CellTaken, data.draw(st.sampled_from(self.naive.history)))

    @precondition(lambda self: self.naive.rules.gravity and not self.naive.ending)
    @rule(data=st.data())
    def try_a_floating_cell(self, data: st.DataObject) -> None:
        floating = [cell for cell in self.naive.empty if self.naive.falls(cell)]
        if floating:
            self.refused(Floating, data.draw(st.sampled_from(floating)))

    @invariant()
    def game_agrees_with_the_naive_game(self) -> None:
        assert observed(self.game) == observed(self.naive)
        for cell in self.naive.legal_moves:
            assert self.game.is_legal(cell)

    @invariant()
    def originals_are_unchanged(self) -> None:
        for game, seen in self.originals:
            assert observed(game) == seen


@pytest.mark.usefixtures("unmeasured", "board_of_games")
def test_game_always_agrees_with_the_naive_game() -> None:
    run_state_machine_as_test(
        GameMachine, settings=settings(max_examples=150, stateful_step_count=40)
    )
