"""The game for OpenSpiel: ``import noughts.learning.openspiel`` registers ``python_noughts``.

It has the parameters of `Rules`: ``shape`` is a string such as ``6x7``, and a ``k`` of 0 stands for
the whole side. The parameter ``rules``, a string such as ``connect-four``, replaces all others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.errors import InvalidRules, short_repr
from noughts.extras import require_extra
from noughts.game.game import Game
from noughts.game.rules import MAX_PLAYERS, OPTIONS, Rules, as_rules, options_of
from noughts.learning.encoding import action_mask, cell_of, planes
from noughts.learning.vector import num_actions
from noughts.picture import text
from noughts.picture.cells import cell_name

with require_extra("the OpenSpiel game", "open_spiel"):
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

NAME = "python_noughts"
PARAMETERS: dict[str, Any] = {"rules": "", "shape": "3x3", "k": 0} | {
    name: option.usual for name, option in OPTIONS.items()
}
TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="noughts: k in a row",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


def parameters_of(rules: Rules | str) -> dict[str, Any]:
    """Return the parameters for these rules: ``pyspiel.load_game("python_noughts", parameters)``.

    >>> parameters_of(Rules.connect_four())["shape"]
    '6x7'
    """
    rules = as_rules(rules)
    return {"shape": "x".join(map(str, rules.shape)), "k": rules.k} | options_of(rules)


def rules_of(parameters: dict[str, Any]) -> Rules:
    """Return the rules that these parameters describe.

    Raises:
        InvalidRules: the parameters are invalid.
    """
    given = PARAMETERS | parameters
    if given["rules"]:
        return Rules.parse(given["rules"])
    sides = given["shape"].split("x")
    if not all(side.isascii() and side.isdigit() and len(side) < 12 for side in sides):
        raise InvalidRules(f"shape must be like 6x7, got {short_repr(given['shape'])}")
    options = {name: given[name] for name in OPTIONS}
    return Rules(tuple(map(int, sides)), given["k"] or None, **options)


class NoughtsGame(pyspiel.Game):  # type: ignore[misc]  # it has no types
    """A k-in-a-row game. The winner gets 1; the other players share a loss of 1."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.rules: Rules = rules_of(params)
        if params.get("rules"):  # may contain commas, which separate parameters in OpenSpiel
            params = parameters_of(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=num_actions(self.rules),
            max_chance_outcomes=0,
            num_players=self.rules.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.cells,
        )
        super().__init__(TYPE, info, params)

    def new_initial_state(self, state: Any = None) -> NoughtsState:
        """Return the empty board."""
        if state is not None:
            raise ValueError("a game starts on an empty board: apply actions instead")
        return NoughtsState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return an observer for tensors and strings."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.rules, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class NoughtsState(pyspiel.State):  # type: ignore[misc]
    """A position, with the moves that led to it. Players are counted from 0."""

    def __init__(self, game: NoughtsGame) -> None:
        super().__init__(game)
        self.game: Game = Game(game.rules)

    def current_player(self) -> int:
        """Return the player to move, counted from 0."""
        if self.game.outcome is not None:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.game.turn - 1

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in np.flatnonzero(action_mask(self.game))]

    def _apply_action(self, action: int) -> None:
        self.game.play(cell_of(self.game, action))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{player + 1}:{cell_name(cell_of(self.game, action))}"

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.game.outcome is not None

    def returns(self) -> list[float]:
        """Return each player's reward so far."""
        players = self.game.rules.players
        winner = self.game.outcome.winner if self.game.outcome else None
        if winner is None:
            return [0.0] * players
        return [1.0 if player == winner else -1 / (players - 1) for player in range(1, players + 1)]

    def __str__(self) -> str:
        return text(self.game)


class Observer:
    """An observer whose tensor has the planes of `VectorGame.observe` from a player's seat."""

    def __init__(self, rules: Rules, params: Any) -> None:
        if params:
            raise ValueError(f"observations take no parameters, got {short_repr(params)}")
        shape = (rules.players, *rules.shape)
        self.tensor: NDArray[np.float32] = np.zeros(rules.players * rules.cells, np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: NoughtsState, player: int) -> None:
        """Write a player's view of the state to the tensor."""
        self.dict["observation"][:] = planes(state.game, player + 1)

    def string_from(self, state: NoughtsState, player: int) -> str:
        """Return the board as text, which is equal for all players."""
        return text(state.game)


pyspiel.register_game(TYPE, NoughtsGame)
