"""The opponent without proofs: go-moku, three players, three dimensions, and the casual levels."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from noughts import Game, Rules
from noughts.engines import Match
from noughts.opponent import LEVELS, advise
from noughts.opponent.exact.position import Position, tables_of
from noughts.opponent.search.lookahead import look_ahead
from oracle import Cell, board, winning_lines

GOMOKU = Rules((15, 15), k=5)
DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def winners(match: Match) -> list[int | None]:
    """Return the winner of each game: 0 or 1, or None for a draw."""
    return [game.winner for game in match.play()]


@pytest.mark.usefixtures("unmeasured")
def test_strong_beats_random_at_gomoku() -> None:
    """Run ``noughts match strong random --rules 15,k=5`` for a hundred games."""
    assert winners(Match(GOMOKU, ("strong", "random"), 10, seed=5, nodes=2000)) == [0] * 10


def with_a_row_of(length: int, start: Cell, direction: Cell, seed: int) -> Game | None:
    """Create a game in which player 2 has an open row and player 1, to move, has no three."""
    cells = [
        (start[0] + i * direction[0], start[1] + i * direction[1]) for i in range(-2, length + 2)
    ]
    if not all(0 <= at < 15 for cell in cells for at in cell):
        return None
    others = [(row, col) for row in range(0, 15, 4) for col in range(0, 15, 3)]
    others = [cell for cell in others if cell not in cells]
    moves = list[Cell]()
    for own, other in zip(Random(seed).sample(others, length), cells[2:-2], strict=True):
        moves += [own, other]
    return Game.replay(GOMOKU, moves)


def forks(game: Game) -> list[Cell]:
    """Return the moves after which the mover could complete a line in two places."""
    found = []
    for cell in list(game.legal_moves):
        player = game.turn
        if game.play(cell) is None and len(game.threats(player)) > 1:
            found.append(cell)
        game.undo()
    return found


starts = st.tuples(st.integers(0, 14), st.integers(0, 14))


@settings(max_examples=40)
@given(start=starts, direction=st.sampled_from(DIRECTIONS), seed=st.integers(0, 1000))
def test_strong_stops_an_open_three(start: Cell, direction: Cell, seed: int) -> None:
    game = with_a_row_of(3, start, direction, seed)
    if game is not None:
        game.play(advise(game, seed=seed, nodes=5000, seconds=60).cell)
        assert not forks(game)


@settings(max_examples=40)
@given(
    start=starts,
    direction=st.sampled_from(DIRECTIONS),
    hole=st.integers(0, 4),
    seed=st.integers(0, 1000),
)
def test_strong_stops_a_four(start: Cell, direction: Cell, hole: int, seed: int) -> None:
    """Leave the fifth cell of the four at an end or between its marks."""
    five = [(start[0] + i * direction[0], start[1] + i * direction[1]) for i in range(5)]
    if not all(0 <= at < 15 for cell in five for at in cell):
        return
    around = [(five[0][0] - direction[0], five[0][1] - direction[1])]
    around += [(five[4][0] + direction[0], five[4][1] + direction[1])]
    own = [cell for cell in around if all(0 <= at < 15 for at in cell)]
    rest = [(row, col) for row in range(0, 15, 4) for col in range(0, 15, 3)]
    rest = Random(seed).sample([cell for cell in rest if cell not in five + own], 4)
    missing = five.pop(hole)
    moves = [cell for pair in zip((own + rest)[:4], five, strict=True) for cell in pair]
    game = Game.replay(GOMOKU, moves)
    assert game.threats(2) == {missing}
    assert advise(game, seed=seed, nodes=5000, seconds=60).cell == missing


def test_strong_finds_a_double_threat() -> None:
    game = Game.replay(GOMOKU, [(7, 7), (0, 0), (7, 8), (0, 2), (8, 6), (0, 4), (9, 6), (2, 0)])
    game = Game.replay(GOMOKU, [*game.history, (10, 6), (14, 14), (7, 9), (14, 0)])
    advice = advise(game, seed=1, seconds=60)
    assert (advice.value, advice.proof) == (1, "search")


def test_strong_answers_without_time() -> None:
    game = Game.replay(GOMOKU, [(7, 7), (7, 8)])
    assert game.is_legal(advise(game, seconds=0).cell)


def test_look_ahead_after_its_deadline_leaves_the_game_unchanged() -> None:
    game = Game.replay(GOMOKU, [(7, 7), (7, 8), (8, 8)])
    before = game.copy()
    assert look_ahead(game, deadline=0.0)
    assert game == before


@given(
    seed=st.integers(0, 2**32),
    rules=st.sampled_from(
        [
            Rules(),
            Rules((4, 5), k=3),
            Rules((3, 3, 3)),
            Rules((6,), k=2, players=4),
            Rules((3, 3), k=1, players=3),
            Rules((4, 4), k=3, players=3),
        ]
    ),
)
def test_position_has_the_live_lines_of_the_game(seed: int, rules: Rules) -> None:
    random, game = Random(seed), Game(rules)
    while game.outcome is None:
        game.play(random.choice(list(game.legal_moves)))
        position = Position(game)
        for player in range(1, rules.players + 1):
            live = position.live[player]
            assert len(live) == game.live_lines(player)
            tallies = game.tallies(player)
            assert tallies == [list(live.values()).count(tally) for tally in range(len(tallies))]
            assert max(live.values(), default=0) < len(tallies)


def test_tables_contain_all_winning_lines() -> None:
    for rules in [Rules(), Rules((3, 5), k=3), Rules((2, 3, 4), k=2), Rules((5,), k=1), GOMOKU]:
        tables, cells = tables_of(rules), board(rules.shape)
        lines = [frozenset(cells[line]) for line in tables.lines]
        assert len(lines) == len(set(lines))
        assert set(lines) == winning_lines(rules.shape, rules.k)
        for number, through in enumerate(tables.through):
            assert {lines[line] for line in through} == {
                line for line in lines if cells[number] in line
            }


BOARDS = [
    Rules((4, 4), k=3, players=3),
    Rules((5, 5), k=4, players=3),
    Rules((3, 4), k=3, players=4),
    Rules((6,), k=2, players=4),
    Rules((2, 2), players=8),
    Rules((3, 3), players=3, early_draw=True),
    Rules((3, 3, 3)),
    Rules((3, 3, 3), players=3),
    Rules((2, 3, 4), k=3, players=3),
    Rules((4, 4, 4), k=4),
    Rules((2, 2, 2, 2), players=3),
    Rules((4, 4), k=3, gravity=True),
    Rules((3, 3, 3), gravity=True),
    Rules((4, 5), k=3, players=3, gravity=True),
    Rules((2, 3, 4), k=3, players=4, gravity=True),
    Rules((4, 4), k=3, variant="standard"),
    Rules((4, 4), k=3, players=3, variant="standard", gravity=True),
    Rules((4, 5), k=3, variant="caro"),
    Rules((4, 4), k=3, players=3, variant="caro"),
    Rules((3, 3), variant="misere"),
    Rules((4, 4), k=3, variant="misere", gravity=True),
    Rules((2, 3, 4), k=3, variant="misere"),
    Rules((6, 6), k=5, variant="renju"),
]


class OpponentMachine(RuleBasedStateMachine):
    """Games of every kind, in which any level can choose any move."""

    @initialize(rules=st.sampled_from(BOARDS))
    def begin(self, rules: Rules) -> None:
        self.game = Game(rules)

    @precondition(lambda self: self.game.outcome is None)
    @rule(level=st.sampled_from([*LEVELS]), seed=st.integers(0, 100))
    def take_advice(self, level: str, seed: int) -> None:
        before, threats = repr(self.game), self.game.threats(self.game.turn)
        # no time at all or plenty, so that the result does not depend on the speed of the machine
        seconds = 0 if self.game.rules.players == 2 else 60
        advice = advise(self.game, level=level, seed=seed, seconds=seconds, nodes=1)
        assert repr(self.game) == before
        assert self.game.is_legal(advice.cell)
        assert (advice.proof == "line") == (advice.cell in threats and level != "random")
        if level == "strong" and threats:
            avoids = self.game.rules.variant == "misere" and threats < {*self.game.legal_moves}
            assert (advice.cell in threats) != avoids
        self.game.play(advice.cell)

    @precondition(lambda self: self.game.outcome is None)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        self.game.play(data.draw(st.sampled_from(list(self.game.legal_moves))))

    @precondition(lambda self: self.game.ply)
    @rule()
    def undo(self) -> None:
        self.game.undo()


OpponentMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=25)
TestOpponent = pytest.mark.usefixtures("unmeasured")(OpponentMachine.TestCase)


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_casual_levels_see_most_lines(level: str) -> None:
    completed = blocked = 0
    for seed in range(200):
        game = Game.replay(GOMOKU, [(7, 7), (0, 0), (7, 8), (0, 2), (7, 9), (0, 4), (7, 10)])
        blocked += advise(game, level=level, seed=seed).cell in {(7, 6), (7, 11)}
        game.play((14, 14))
        completed += advise(game, level=level, seed=seed).cell in {(7, 6), (7, 11)}
    assert completed >= 170
    assert blocked >= 130


@pytest.mark.parametrize(("better", "worse"), [("medium", "easy"), ("easy", "random")])
def test_each_level_beats_the_one_below(better: str, worse: str) -> None:
    results = winners(Match(Rules((6, 6), k=4), (better, worse), 60, seed=1))
    assert results.count(0) > 2 * results.count(1)


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_strong_beats_the_casual_levels(level: str) -> None:
    results = winners(Match(Rules(), ("strong", level), 60, seed=1))
    assert results.count(0) > 5
    assert not results.count(1)


def test_match_rejects_three_players() -> None:
    with pytest.raises(ValueError, match="two players, got 3"):
        Match(Rules((3, 3), players=3), ("easy", "easy"), 1)


@pytest.mark.parametrize("level", ["easy", "medium", "strong"])
@pytest.mark.parametrize("last", [(20, 20), (1, 35)])
def test_advice_is_near_the_last_move(level: str, last: Cell) -> None:
    """On a large board people would otherwise lose sight of their own move."""
    game = Game.replay(Rules((40, 40), k=5), [last])
    for seed in range(5):
        cell = advise(game, level=level, seed=seed, nodes=300).cell
        assert max(abs(one - other) for one, other in zip(cell, last, strict=True)) <= 4
