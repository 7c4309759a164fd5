"""The engine: true wins, limits, threads, signals and invalid arguments."""

from __future__ import annotations

import signal
from contextlib import suppress
from threading import Event, Thread, active_count
from time import thread_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import TRIES
from lab.bench.positions import positions
from noughts import Game, Rules
from noughts.compiled import load
from noughts.game.geometry import geometry_of
from noughts.opponent import advise, solve
from noughts.opponent.search.move_selection import best_moves
from opponent.exact.test_solver import minimax, minimax_values
from oracle import random_game

compiled: Any = load("noughts.opponent.search._engine")
pytestmark = pytest.mark.compiled("noughts.opponent.search._engine")

SMALL = [
    Rules((3, 4), k=3),
    Rules((10,), k=3),
    Rules((2, 2, 3), k=3),
    Rules((4, 3), k=3, gravity=True),
    Rules((3, 4), k=2, gravity=True),
    Rules((2, 3, 2), k=2, gravity=True),
    Rules((3, 4), k=3, variant="standard"),
    Rules((3, 4), k=2, variant="standard"),
    Rules((12,), k=3, variant="standard"),
    Rules((4, 3), k=3, variant="standard", gravity=True),
    Rules((3, 4), k=3, variant="caro"),
    Rules((12,), k=3, variant="caro"),
    Rules((3, 4), k=2, variant="caro", gravity=True),
    Rules((3, 4), k=3, variant="misere"),
    Rules((2, 5), k=2, variant="misere"),
    Rules((3, 4), k=3, variant="misere", gravity=True),
    Rules((2, 6), k=5, variant="renju"),
    Rules((11,), k=4, variant="standard"),
]


def think(
    game: Game, seconds: float = 60.0, nodes: int = 0
) -> tuple[int, int, int, bool, int, int, list[int]]:
    """Return the thoughts of a new engine."""
    number = geometry_of(game.rules).number
    history = [number(cell) for cell in game.history]
    result: tuple[int, int, int, bool, int, int, list[int]] = compiled.Engine(
        game.rules, 2**20
    ).think(history, seconds, nodes)
    return result


def unfinished(rules: Rules, seed: int, plies: int) -> Game:
    """Play a random game and undo its last move if it is over."""
    game = random_game(rules, seed, plies)
    if game.outcome is not None:
        game.undo()
    return game


@settings(max_examples=100)
@given(rules=st.sampled_from(SMALL), seed=st.integers(0, 2**32), left=st.integers(1, 9))
def test_search_to_the_end_returns_the_value(rules: Rules, seed: int, left: int) -> None:
    game = unfinished(rules, seed, max(0, rules.cells - left))
    cell, _, plies, proved, _, _, line = think(game)
    assert proved
    assert (plies > 0) - (plies < 0) == minimax(game)
    best = geometry_of(rules).cell(cell)
    assert minimax_values(game)[best] == minimax(game)
    assert line[0] == cell


@pytest.mark.parametrize("rules", [Rules((6, 6), k=4), Rules((6, 5), k=4)], ids=repr)
def test_wins_by_threats_agree_with_exact_search(rules: Rules) -> None:
    found = 0
    for seed in range(60):
        game = unfinished(rules, seed, 6 + seed % 10)
        _, _, plies, proved, _, _, _ = think(game, nodes=20000)
        if proved and plies > 1:
            found += 1
            assert solve(game, seconds=60).value == 1
    assert found > 10


# Marks by row and column from 0. Player 1 is to move and wins in this number of plies.
TEXTBOOK = {
    "a straight four": ([(7, 7), (7, 8), (7, 9)], [(0, 0), (0, 2), (0, 4)], 3),
    "fours to a double four": (
        [(7, 4), (7, 5), (7, 6), (3, 8), (4, 8), (5, 8)],
        [(7, 3), (2, 8), (0, 0), (0, 14), (14, 0), (14, 14)],
        3,
    ),
    "two threes": ([(7, 6), (7, 8), (6, 7), (8, 7)], [(0, 0), (0, 14), (14, 0), (14, 14)], 5),
}


@pytest.mark.parametrize("name", TEXTBOOK)
@pytest.mark.parametrize("variant", ["freestyle", "standard"])
def test_textbook_wins_are_proved(name: str, variant: str) -> None:
    one, two, plies = TEXTBOOK[name]
    moves = [cell for pair in zip(one, two, strict=True) for cell in pair]
    game = Game.replay(Rules.gomoku(variant), moves)
    advice = advise(game, nodes=20000, seconds=60)
    assert (advice.value, advice.proof) == (1, "search")
    assert think(game, nodes=20000)[2] <= plies + 2


@pytest.mark.tier2("time")
@pytest.mark.usefixtures("unmeasured")
def test_advise_keeps_its_time_limit() -> None:
    for rules in [Rules((100, 100), k=5), Rules.gomoku("renju"), Rules((30, 30), 6, gravity=True)]:
        game = unfinished(rules, 1, 5)
        taken = list[float]()
        while len(taken) < TRIES and min(taken, default=1.0) >= 0.6:
            begun = thread_time()  # processor time, so that other processes do not matter
            advice = advise(game, seconds=0.2)
            taken.append(thread_time() - begun)
            assert game.is_legal(advice.cell)
        assert min(taken) < 0.6


@pytest.mark.parametrize("rules", [Rules.gomoku(), Rules.gomoku("caro"), Rules.connect_four()])
def test_search_with_a_node_limit_is_repeatable(rules: Rules) -> None:
    game = unfinished(rules, 3, 6)
    assert think(game, nodes=20000) == think(game, nodes=20000)
    advice = advise(game, nodes=5000, seconds=60)
    again = advise(game, nodes=5000, seconds=60)
    assert (advice, advice.line, advice.chance) == (again, again.line, again.chance)


def test_think_accepts_a_pass() -> None:
    rules, pair, others = Rules.gomoku(), [112, 113, 114], [0, 30, 224]
    moves = [cell for both in zip(pair, others, strict=True) for cell in both]
    engine = compiled.Engine(rules, 2**20)
    won = engine.think(moves, 60, 20_000)
    assert won[3]
    assert won[2] > 0
    assert engine.think([*moves, -1, -1], 60, 20_000) == won
    assert compiled.Engine(rules, 2**20).think([*moves, -1], 60, 20_000)[2] <= 0


def test_partner_shares_its_table() -> None:
    rules, moves = Rules.gomoku(), [112, 113, 96, 97]
    alone, partner = compiled.Engine(rules, 2**24), compiled.Engine(rules, 2**24)
    helper = compiled.Engine(rules, 0, None, partner)
    helper.think(moves, 600.0, 0, 4, Event())
    visited = [engine.think(moves, 600.0, 0, 4)[5] for engine in (partner, alone)]
    assert visited[0] < visited[1]
    del partner  # the table lives as long as any engine uses it
    assert helper.think(moves, 600.0, 0, 4)[5] < visited[1]
    with pytest.raises(ValueError, match="the partner has the rules Rules"):
        compiled.Engine(Rules(), 0, None, helper)


def test_helper_stops_when_halted() -> None:
    partner, halted = compiled.Engine(Rules.gomoku(), 2**20), Event()
    helper = compiled.Engine(Rules.gomoku(), 0, None, partner)
    thread = Thread(target=helper.think, args=([112, 113], 600.0, 0, 0, halted))
    thread.start()
    halted.set()
    thread.join()
    assert helper.think([112], 0.01)  # it thinks again


@pytest.mark.tier2("time")
@pytest.mark.parametrize(
    "rules", [Rules.gomoku(), Rules((3, 4), k=3, variant="misere"), Rules.gomoku("renju")]
)
def test_advise_with_threads_agrees_with_one_thread(rules: Rules) -> None:
    game, before = unfinished(rules, 1, 4), active_count()
    assert game.is_legal(advise(game, seconds=0.2, threads=4).cell)
    assert active_count() == before
    assert advise(game, seconds=0.2, threads=4).value == advise(game, seconds=0.2).value
    with pytest.raises(ValueError, match="threads must be 1 to 1,024, got 0"):
        advise(game, threads=0)
    with pytest.raises(ValueError, match="nodes needs threads=1"):
        advise(game, threads=2, nodes=100)


@pytest.mark.tier2("time")
@pytest.mark.parametrize("threads", [1, 3])
def test_signal_handler_interrupts_a_search(threads: int) -> None:
    game = Game.replay(Rules.gomoku(), [(7, 7), (7, 8)])

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    begun, running = thread_time(), active_count()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(KeyboardInterrupt):
            advise(game, seconds=600, threads=threads)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert thread_time() - begun < 5
    assert active_count() == running


@pytest.mark.tier2("time")
def test_optimum_stops_a_search_with_a_stable_best_move() -> None:
    """Without `optimum`, the search would visit all 10,000,000 positions."""
    engine = compiled.Engine(Rules((15, 15), k=5), 2**20)
    *_, depth, visited, _ = engine.think([112], 600, 10_000_000, optimum=0.01)
    assert depth >= 1
    assert visited < 10_000_000


anything = st.one_of(st.none(), st.integers(), st.text(max_size=3), st.floats(max_value=0.01))


@given(
    rules=st.sampled_from([*SMALL, Rules((9, 9), k=5), Rules.gomoku("renju"), Rules((40,), k=16)]),
    moves=st.one_of(anything, st.lists(st.one_of(st.integers(-3, 300), anything), max_size=12)),
    seconds=st.one_of(anything, st.just(0.01)),
    nodes=st.one_of(anything, st.integers(-5, 300)),
    optimum=st.one_of(anything, st.floats()),
)
def test_engine_survives_arbitrary_arguments(
    rules: Rules, moves: Any, seconds: Any, nodes: Any, optimum: Any
) -> None:
    engine = compiled.Engine(rules, 0)
    with suppress(TypeError, ValueError, OverflowError):
        engine.think(moves, seconds, nodes)
    with suppress(TypeError, ValueError, OverflowError):
        engine.think(moves, seconds, nodes, optimum=optimum)
    with suppress(TypeError, ValueError, OverflowError):
        engine.wins_by_fours(moves, seconds)


def test_engine_rejects_unsupported_rules_and_moves() -> None:
    for rules in (Rules(players=3), Rules((2,) * 4), Rules((40,), k=30), Rules.square(2000)):
        assert not compiled.plays(rules)
        with pytest.raises(ValueError, match="does not support"):
            compiled.Engine(rules, 0)
    with pytest.raises(TypeError, match="rules must be Rules"):
        compiled.Engine(None, 0)
    with pytest.raises(ValueError, match="cell 0 cannot be played as ply 2"):
        compiled.Engine(Rules(), 0).think([0, 0], 1)
    with pytest.raises(ValueError, match="the game ends with ply 5"):
        compiled.Engine(Rules(), 0).think([0, 3, 1, 4, 2], 1)


def test_best_moves_avoid_lines_in_misere() -> None:
    """Use four dimensions, which the engine does not support."""
    game = Game(Rules((3, 3, 3, 3), variant="misere"))
    for cell in [(0, 0, 0, 0), (2, 2, 2, 2), (0, 0, 0, 1), (2, 2, 2, 1)]:
        game.play(cell)
    best = best_moves(game, seconds=1)
    assert (0, 0, 0, 2) not in {advice.cell for advice in best}
    assert {advice.value for advice in best} == {None}
    lost = Game(Rules((3, 1, 1, 1), k=2, variant="misere"))
    for cell in [(0, 0, 0, 0), (2, 0, 0, 0)]:
        lost.play(cell)
    (only,) = best_moves(lost, seconds=1)
    assert (only.cell, only.value, only.proof) == ((1, 0, 0, 0), -1, "search")


@pytest.mark.tier2("long")
def test_strong_finds_single_defences_within_a_node_limit() -> None:
    """In each of 200 positions one move holds; 173 are found without removing lost root moves."""
    found = 0
    for record in positions("defence"):
        game = Game.replay(record.rules, record.moves[:-1])
        found += advise(game, seconds=600, nodes=20_000).cell == record.moves[-1]
    assert found >= 175
