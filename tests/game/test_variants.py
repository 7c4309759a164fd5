"""New variants are judged, searched and learned correctly as soon as they are described.

These tests describe two invented variants. In one, lines along the border do not count. In the
other, a line with an opponent's mark next to it does not count, so that some lines of a longer run
win and others do not.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from random import Random
from typing import Any

import numpy as np
import pytest

from bulk.judging import Verdict, listed, random_games, replayed, table
from noughts import Game, InvalidRules, Outcome, Rules, Termination
from noughts.bulk import judge, judge_record, winning_lines
from noughts.game.geometry import Cell, counted_of, geometry_of
from noughts.game.rules import VARIANTS, Variant
from noughts.learning import VectorGame
from noughts.opponent import LEVELS, advise
from noughts.records import Record
from oracle import board
from oracle import winning_lines as lines_of

pytestmark = pytest.mark.compiled(
    "noughts.bulk._judge", "noughts.learning._vector", "noughts.opponent.search._engine"
)


def lies_inside(shape: tuple[int, ...], ends: tuple[Cell, Cell]) -> bool:
    sides = zip(*ends, shape, strict=True)
    return not any(one == other and one in (0, side - 1) for one, other, side in sides)


def is_free(player: int, before: int, after: int) -> bool:
    return before in (0, player) and after in (0, player)


NEW = [
    Variant(
        "inside",
        "Inside",
        "{k} inside",
        "{k} or more win, not along the border.",
        counts=lies_inside,
    ),
    Variant(
        "free", "Free", "{k} free", "{k} win with no foreign mark next to them.", decides=is_free
    ),
    Variant(
        "free misere",
        "Free misère",
        "{k} free lose",
        "{k} lose with no foreign mark next to them.",
        decides=is_free,
        loses=True,
        players=2,
    ),
]
SHAPES = [((4, 5), 3, False), ((7, 9), 4, False), ((6, 7), 4, True), ((3, 4, 3), 3, False)]
RULES = [(variant.name, shape, k, gravity) for variant in NEW for shape, k, gravity in SHAPES]


@pytest.fixture(autouse=True)
def described(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the new variants."""
    for variant in NEW:
        monkeypatch.setitem(VARIANTS, variant.name, variant)


def outcome_by_definition(rules: Rules, history: tuple[Cell, ...]) -> Outcome | None:
    """Return how a game ends that was still open before the last of these moves."""
    marks = {cell: ply % rules.players + 1 for ply, cell in enumerate(history)}
    mover, found = marks[history[-1]], set()
    for line in map(sorted, lines_of(rules.shape, rules.k)):
        if history[-1] not in line or any(marks.get(cell) != mover for cell in line):
            continue
        step = [two - one for one, two in zip(line[0], line[1], strict=True)]
        before = tuple(at - by for at, by in zip(line[0], step, strict=True))
        after = tuple(at + by for at, by in zip(line[-1], step, strict=True))
        if rules.variant == "inside":
            wins = lies_inside(rules.shape, (before, after))
        else:
            wins = {marks.get(before, mover), marks.get(after, mover)} == {mover}
        if wins:
            found.add(tuple(line))
    if found:
        winner = 3 - mover if rules.variant == "free misere" else mover
        return Outcome(Termination.LINE, winner, tuple(found))
    return Outcome(Termination.FULL_BOARD) if len(history) == rules.cells else None


def test_counted_lines_match_the_description() -> None:
    rules = Rules((4, 5), 3, variant="inside")
    geometry, counted = geometry_of(rules), counted_of(rules)
    assert counted is not None
    for line in geometry:
        assert counted[line] == lies_inside(rules.shape, geometry.ends(line))
    assert 0 < sum(counted) < geometry.count
    assert counted_of(Rules((4, 5), 3)) is None


def same(one: Outcome | None, other: Outcome | None) -> bool:
    """Return whether two outcomes are equal, regardless of the order of lines and cells."""
    if one is None or other is None:
        return one is other
    lines = ({frozenset(line) for line in outcome.lines} for outcome in (one, other))
    return one[:2] == other[:2] and next(lines) == next(lines)


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.usefixtures("board_of_games")
@pytest.mark.parametrize(("variant", "shape", "k", "gravity"), RULES)
def test_game_follows_the_description(
    variant: str, shape: tuple[int, ...], k: int, gravity: bool
) -> None:
    rules, random = Rules(shape, k, gravity=gravity, variant=variant), Random(1)
    ends = set()
    for _ in range(150):
        game = Game(rules)
        while not game.outcome:
            cell = random.choice(list(game.legal_moves))
            is_threat = cell in game.threats(game.turn)
            outcome = game.play(cell)
            assert same(outcome, outcome_by_definition(rules, game.history))
            assert is_threat == bool(outcome and outcome.lines)
        ends.add(game.outcome.termination)
        assert judge_record(Record(rules, game.history)).lines == game.outcome.lines
    assert Termination.LINE in ends


@pytest.mark.parametrize(("variant", "shape", "k", "gravity"), RULES)
def test_judge_follows_the_description(
    variant: str, shape: tuple[int, ...], k: int, gravity: bool
) -> None:
    rules = Rules(shape, k, gravity=gravity, variant=variant)
    games = random_games(rules, 300)
    verdicts = judge(table(games), rules)
    expected: list[Verdict] = [replayed(cells, rules) for cells in games]
    assert listed(verdicts) == expected
    lines, offsets = winning_lines(table(games), rules, verdicts)
    number = geometry_of(rules).number
    for game, cells in enumerate(games):
        if verdicts.winner[game]:
            played = [geometry_of(rules).cell(cell) for cell in cells[: verdicts.ply[game]]]
            outcome = Game.replay(rules, played).outcome
            assert outcome is not None
            found = lines[offsets[game] : offsets[game + 1]].tolist()
            assert found == [list(map(number, line)) for line in outcome.lines]


@pytest.mark.parametrize(("variant", "shape", "k", "gravity"), RULES)
def test_environment_follows_the_description(
    variant: str, shape: tuple[int, ...], k: int, gravity: bool
) -> None:
    rules = Rules(shape, k, gravity=gravity, variant=variant)
    games = VectorGame(rules, 50, seed=1, autoreset="Disabled")
    ours, cells = [Game(rules) for _ in range(50)], board(shape)
    while not games.done.all():
        actions, before = games.random_actions(), games.done.copy()
        games.step(actions)
        for game, action in enumerate(actions.tolist()):
            if not before[game]:
                legal = (cell for cell in ours[game].legal_moves if rules.gravity)
                columns = {cells.index(cell) % games.num_actions: cell for cell in legal}
                ours[game].play(columns[action] if gravity else cells[action])
    outcomes = [game.outcome for game in ours]
    assert games.winner.tolist() == [outcome.winner or 0 for outcome in outcomes if outcome]


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(("variant", "shape", "k", "gravity"), RULES)
def test_levels_play_described_variants(
    variant: str, shape: tuple[int, ...], k: int, gravity: bool
) -> None:
    rules = Rules(shape, k, gravity=gravity, variant=variant)
    for level in LEVELS:
        game = Game(rules)
        while not game.outcome:
            ends = game.threats(game.turn)
            advice = advise(game, level=level, seconds=0.01, seed=game.ply)
            if ends and level == "strong" and not VARIANTS[variant].loses:
                assert advice.cell in ends
            game.play(advice.cell)


def test_variant_with_counted_lines_limits_the_board() -> None:
    with pytest.raises(InvalidRules, match="inside needs a board of at most 4,194,304 lines"):
        Rules((2000, 2000), 5, variant="inside")


def test_fouls_need_two_players_and_a_flat_board_without_gravity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    variant = Variant("strict", "Strict", "{k} strictly", "{k} win.", fouls=True)
    monkeypatch.setitem(VARIANTS, variant.name, variant)
    usual: dict[str, Any] = {"shape": (5, 5), "k": 3, "variant": "strict"}
    for options in ({"gravity": True}, {"players": 3}, {"shape": (3, 3, 3)}):
        with pytest.raises(InvalidRules, match="strict has fouls"):
            Rules(**usual | options)


@pytest.mark.parametrize("board", ["noughts.game.board", "noughts.game._board"])
def test_boards_pass_the_same_marks_to_decides(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def decides(player: int, before: int, after: int) -> bool:
        seen.append((player, before, after))
        return 3 - player not in (before, after)

    variant = Variant("wary", "Wary", "{k} wary", "{k} win.", decides=decides, players=2)
    monkeypatch.setitem(VARIANTS, variant.name, variant)
    played = import_module(board).Board(Rules((2, 9), 3, variant="wary"))
    outcomes = [played.play(cell) for cell in [(1, 0), (0, 2), (0, 1), (0, 3), (1, 8), (0, 4)]]
    assert outcomes == [None] * 6
    assert {mark for marks in seen for mark in marks} <= {0, 1, 2}


def test_variants_are_described_in_full() -> None:
    for name, variant in VARIANTS.items():
        assert name == variant.name
        assert "{k}" in variant.about or variant.k
        assert variant.about.endswith(".")


def test_opponents_marks_count_alike() -> None:
    rules = Rules((1, 9), 3, players=4, variant="free")
    played = [[4, 0, 8, 7, 5, 1, 3, 2, 6]]
    assert listed(judge(np.array(played), rules)) == [replayed(played[0], rules)]


def test_variant_without_five_on_a_flat_board_names_no_rules() -> None:
    script = (
        "from noughts.game.rules import VARIANTS, Variant\n"
        "for more in ({'k': 4}, {'players': 3}, {'sides': 3}):\n"
        "    name = str(more)\n"
        "    VARIANTS[name] = Variant(name, name, '{k}', '{k} win.', **more)\n"
        "from noughts.game.rules import NAMED\n"
        "print(*NAMED)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.split() == ["connect-four", "gomoku", "standard", "caro", "misere", "renju"]
