"""Rules are text at every boundary: whatever takes `Rules` takes their text, too."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from noughts import Game, InvalidRules, Rules
from noughts.bulk import judge, judge_batch, judge_record, winning_lines
from noughts.engines import Engine
from noughts.engines.match import Match, read_openings
from noughts.engines.played_game import play_game
from noughts.learning import VectorGame, symmetries
from noughts.opponent import solve
from noughts.opponent.exact.solver import Solver
from noughts.records import Record, read_records

MOVES = np.array([[0, 3, 1, 4, 2]], np.int8)
CELLS = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]


def openspiel_rules(rules: Any) -> Rules:
    openspiel = pytest.importorskip("noughts.learning.openspiel", exc_type=ImportError)
    found: Rules = openspiel.rules_of(openspiel.parameters_of(rules))
    return found


def pettingzoo_rules(rules: Any) -> Rules:
    pettingzoo = pytest.importorskip("noughts.learning.pettingzoo", exc_type=ImportError)
    found: Rules = pettingzoo.env(rules).unwrapped._game.rules
    return found


def gymnasium_rules(rules: Any, name: str) -> Rules:
    environments = pytest.importorskip("noughts.learning.gymnasium", exc_type=ImportError)
    if name == "KInARow":
        found: Rules = environments.KInARow(rules)._game.rules
        return found
    many: Rules = environments.KInARowVector(2, rules)._games.rules
    return many


def game_read(rules: Any) -> Rules:
    (record,) = read_records(BytesIO(b"a1b2"), "games.pos", rules)
    assert isinstance(record, Record)
    return record.rules


ENTRANCES: dict[str, Callable[[Any], object]] = {
    "Game": Game,
    "Game.replay": lambda rules: Game.replay(rules, CELLS),
    "judge": lambda rules: judge(MOVES, rules).status.tolist(),
    "winning_lines": lambda rules: winning_lines(MOVES, rules, judge(MOVES))[0].tolist(),
    "VectorGame": lambda rules: VectorGame(rules, 2, seed=1).rules,
    "symmetries": lambda rules: symmetries(rules)[1].tolist(),
    "solve": lambda rules: (solve(rules).value, solve(rules).best),
    "Solver": lambda rules: Solver(rules).rules,
    "play_game": lambda rules: play_game(rules, ("easy", "easy"), 1.0).record.rules,
    "Match": lambda rules: Match(rules, ("easy", "strong"), 2).rules,
    "read_openings": lambda rules: read_openings(["a1b2"], "openings.txt", rules),
    "read_records": game_read,
    "Gymnasium": lambda rules: gymnasium_rules(rules, "KInARow"),
    "Gymnasium's vector": lambda rules: gymnasium_rules(rules, "KInARowVector"),
    "PettingZoo": pettingzoo_rules,
    "OpenSpiel": openspiel_rules,
}


@pytest.mark.parametrize("name", ENTRANCES)
def test_entrance_takes_rules_and_their_text_alike(name: str) -> None:
    entrance = ENTRANCES[name]
    assert entrance("3x3") == entrance(Rules())


@pytest.mark.parametrize("name", ENTRANCES)
def test_entrance_rejects_unknown_rules(name: str) -> None:
    with pytest.raises(InvalidRules, match=r"unknown rules 'gomuko'; did you mean 'gomoku'\?"):
        ENTRANCES[name]("gomuko")


@pytest.mark.parametrize("name", ENTRANCES)
def test_entrance_rejects_values_of_the_wrong_type(name: str) -> None:
    with pytest.raises(TypeError, match=r"(rules|a position) must be (Rules or text|a Game)"):
        ENTRANCES[name]((3, 3))


def test_engine_takes_text() -> None:
    engine = Engine("no-such-engine")
    engine.check("renju")
    with pytest.raises(ValueError, match="does not support connect-four"):
        engine.check("connect-four")


def test_record_takes_text() -> None:
    assert Record("3x3", tuple(CELLS)) == Record(Rules(), tuple(CELLS))  # type: ignore[arg-type]
    assert judge_record(Record("3x3", tuple(CELLS))).status == "won"  # type: ignore[arg-type]


def test_json_line_takes_text() -> None:
    line = b'{"rules":"connect-four","moves":[[5,3]]}'
    (record,) = read_records(BytesIO(line), "games.jsonl")
    assert record == Record(Rules.connect_four(), ((5, 3),))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ('"rules":"gomuko"', "did you mean 'gomoku'?"),
        ('"rules":3', "rules must be text such as 'renju', not 3"),
        ('"rules":"renju","n":15', 'a game with "rules" cannot have "n"'),
        ('"rules":"renju","k":5', 'a game with "rules" cannot have "k"'),
        ('"rules":"9x9,k=4","gravity":true', 'a game with "rules" cannot have "gravity"'),
    ],
)
def test_json_line_reports_wrong_rules(fields: str, message: str) -> None:
    (error,) = read_records(BytesIO(f'{{{fields},"moves":[]}}'.encode()), "games.jsonl")
    assert message in str(error)


def test_batch_takes_text() -> None:
    moves, rules = [[0, 3, 1, 4, 2], [0], [0]], ["3x3", "gomuko", "connect-four"]
    verdicts = judge_batch(pa.record_batch({"rules": rules, "moves": moves})).to_pylist()
    assert [verdict["status"] for verdict in verdicts] == ["won", None, "illegal"]
    assert "did you mean 'gomoku'?" in verdicts[1]["message"]
