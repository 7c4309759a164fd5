"""The environment for PettingZoo: every player learns, and they take turns (AEC).

PettingZoo 1.26 and later have a registry; importing this module adds ``noughts/KInARow-v0`` to it.
"""

from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.arguments import integer
from noughts.extras import require_extra
from noughts.game.game import Game
from noughts.game.rules import Rules, as_rules
from noughts.learning.encoding import action_mask, cell_of, planes
from noughts.learning.gymnasium import observation_space
from noughts.learning.rendering import FPS, MODES, RenderedGame
from noughts.learning.vector import num_actions

with require_extra("this environment", "PettingZoo", "learn"):
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers


def env(
    rules: Rules | str = Rules(),  # noqa: B008  # Rules are immutable
    render_mode: str | None = None,
) -> Any:
    """Return `raw_env` in the usual wrappers: an illegal action costs 1 and ends the game."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(rules, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


# PettingZoo has no types, so the base class is Any; `raw_env` is its name for a bare environment.
class raw_env(RenderedGame, AECEnv[str, Any, Any], EzPickle):  # type: ignore[misc]  # noqa: N801
    """A game without wrappers.

    The agents are ``"player_1"`` and so on, in the order of their turns. An observation is a dict:
    ``"observation"`` has the planes of `VectorGame.observe` from the agent's seat, and
    ``"action_mask"``, int8, is all zeros for agents who are not to move. At the end the winner gets
    1 and all others -1; in a draw everyone gets 0.

    Args:
        rules: the rules of the game.
        render_mode: None, "ansi", "rgb_array", or "human", which needs pygame.

    Raises:
        TypeError, ValueError: an argument is invalid.
        ModuleNotFoundError: pygame is needed and missing.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # PettingZoo reads it from the class
        "name": "noughts_v0",
        "render_modes": MODES,
        "is_parallelizable": False,
        "render_fps": FPS,
    }

    def __init__(
        self,
        rules: Rules | str = Rules(),  # noqa: B008  # Rules are immutable
        render_mode: str | None = None,
    ) -> None:
        rules = as_rules(rules)
        EzPickle.__init__(self, rules, render_mode)
        super().__init__(rules, render_mode)
        self.possible_agents = agents = [f"player_{i + 1}" for i in range(rules.players)]
        self._action_spaces = {agent: spaces.Discrete(num_actions(rules)) for agent in agents}
        self._observation_spaces = {agent: observation_space(rules, True) for agent in agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space, which is equal for all agents."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space, which is equal for all agents."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. The seed has no effect, as nothing is random."""
        self._game = Game(self._game.rules)
        self.agents: list[str] = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        over = self._game.outcome is not None
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, over)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection: str = self.agents[0]

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        """Return what `agent` can observe now."""
        mask = action_mask(self._game)
        return {
            "observation": planes(self._game, self.possible_agents.index(agent) + 1),
            "action_mask": mask if agent == self.agent_selection else np.zeros_like(mask),
        }

    def step(self, action: Any) -> None:
        """Make the selected agent's move.

        Args:
            action: the number of a cell, or with gravity of a column; None if the game is over.

        Raises:
            IllegalMove: the action is illegal; nothing has changed. `env` ends the game instead.
            TypeError: the action is not an integer.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        outcome = self._game.play(cell_of(self._game, integer(action, "action")))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.agent_selection = self.possible_agents[self._game.turn - 1]
        if outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            if outcome.winner:
                self.rewards = dict.fromkeys(self.agents, -1.0)
                self.rewards[self.possible_agents[outcome.winner - 1]] = 1.0
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()


with suppress(ImportError):
    from pettingzoo import register

    register("aec", "noughts/KInARow-v0", "noughts.learning.pettingzoo:env")
