"""Replays of Kaggle's ConnectX and tic-tac-toe, JSON with one action per step.

``configuration`` holds ``rows``, ``columns`` and ``inarow``. Each of the ``steps`` lists the
agents; the one whose status was ``ACTIVE`` in the step before has moved. An action is a column, or
a cell of tic-tac-toe, counted from 0.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from noughts.arguments import integer
from noughts.errors import InvalidRecord, short_repr
from noughts.game.geometry import geometry_of
from noughts.game.rules import Rules
from noughts.records.moves import drop_columns
from noughts.records.record import Record


def is_replay(fields: dict[str, Any]) -> bool:
    """Return whether a JSON object is a replay."""
    return "steps" in fields and "moves" not in fields


def record_of_replay(fields: dict[str, Any]) -> Record:
    """Create a record from the fields of a replay.

    Raises:
        InvalidRecord, InvalidRules, TypeError: the replay lacks something, or is of another game.
    """
    game = fields.get("name", "connectx")
    if game not in ("connectx", "tictactoe"):
        raise InvalidRecord(f"expected a replay of connectx or tictactoe, got {short_repr(game)}")
    settings = fields.get("configuration") or {}
    steps = fields["steps"]
    if not isinstance(steps, list) or not isinstance(settings, dict):
        raise InvalidRecord("steps must be a list, and configuration an object")
    if game == "tictactoe":
        rules = Rules()
    else:
        sides = [integer(settings.get(name, usual), name) for name, usual in _SIDES.items()]
        rules = Rules((sides[0], sides[1]), sides[2], gravity=True)
    actions = list(_actions(steps))
    cell = geometry_of(rules).cell
    moves = drop_columns(actions, rules) if rules.gravity else tuple(map(cell, actions))
    given = fields.get("info")
    info: dict[str, Any] = given if isinstance(given, dict) else {}
    names = info.get("TeamNames") or []
    names = (
        tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else ()
    )
    name = info.get("EpisodeId", fields.get("id"))
    name = name if isinstance(name, str | int) and not isinstance(name, bool) else None
    return Record(rules, moves, name, _result(fields.get("rewards")), names[:2])


_SIDES = {"rows": 6, "columns": 7, "inarow": 4}


def _actions(steps: list[Any]) -> Iterator[int]:
    """Yield the action of each agent that was to move."""
    for before, after in pairwise(steps):
        if not (isinstance(before, list) and isinstance(after, list) and before and after):
            raise InvalidRecord("each step must be a list of agents")
        active = [
            at
            for at, agent in enumerate(before)
            if isinstance(agent, dict) and agent.get("status") == "ACTIVE"
        ]
        if len(active) != 1 or active[0] >= len(after) or not isinstance(after[active[0]], dict):
            return
        action = after[active[0]].get("action")
        if type(action) is not int:  # an agent that failed has no action
            return
        yield action


def _result(rewards: object) -> int | None:
    """Return the result that the rewards claim; None if an agent failed or the game goes on."""
    if not isinstance(rewards, list) or len(rewards) != 2:
        return None
    if any(type(reward) not in (int, float) for reward in rewards):
        return None
    first, second = rewards
    return 0 if first == second else 1 if first > second else 2
