"""Environments for Gymnasium: one player learns, and the environment plays the others.

``import noughts.learning`` registers both classes as ``noughts/KInARow-v0``.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.arguments import integer
from noughts.errors import IllegalMove, short_repr
from noughts.extras import require_extra
from noughts.game.game import Game
from noughts.game.rules import Rules, as_rules
from noughts.learning.encoding import action_mask, cell_of, planes
from noughts.learning.rendering import FPS, MODES, RenderedGame
from noughts.learning.vector import VectorGame, as_actions, num_actions
from noughts.opponent import LEVELS, advise

with require_extra("this environment", "Gymnasium", "learn"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

Policy = Callable[[NDArray[np.int8], NDArray[np.int8]], Any]
"""An opponent: a function from planes (games × players × shape) and masks (games × actions) to one
action per game."""

ILLEGAL = ("lose", "ignore", "error")


class KInARow(RenderedGame, gymnasium.Env[Any, Any]):
    """A game against opponents.

    Observations are the planes of `VectorGame.observe` from the learner's seat; an action is the
    number of a cell, or with gravity of a column. The reward is 1 for a win, -1 for a loss, else 0.
    The mask of legal actions is ``info["action_mask"]``, int8, or `action_masks()`, bool. If the
    opponents end a game before the learner's first move, as with k = 1, the learner's first step
    reports the end and ignores its action.

    Args:
        rules: the rules of the game.
        opponent: "random", one of `noughts.opponent.LEVELS`, or a `Policy`, which gets arrays with
            one game. With more than two players it plays all others.
        seat: the learner's seat; 1 moves first. None chooses a random seat for each game.
        illegal: the effect of an illegal action. "lose" ends the game with a reward of -1, "ignore"
            changes nothing, "error" raises IllegalMove.
        mask_in_observation: whether an observation is a dict of ``"observation"`` and
            ``"action_mask"``.
        render_mode: None, "ansi", "rgb_array", or "human", which needs pygame.

    Raises:
        TypeError, ValueError: an argument is invalid.
        ModuleNotFoundError: pygame is needed and missing.
    """

    metadata: dict[str, Any] = {"render_modes": MODES, "render_fps": FPS}  # noqa: RUF012  # the base class has it, too

    def __init__(
        self,
        rules: Rules | str = Rules(),  # noqa: B008  # Rules are immutable
        opponent: str | Policy = "random",
        *,
        seat: int | None = None,
        illegal: str = "lose",
        mask_in_observation: bool = False,
        render_mode: str | None = None,
    ) -> None:
        rules = as_rules(rules)
        super().__init__(rules, render_mode)
        self._over = True
        self._opponent, self._fixed_seat, self._illegal = validated(rules, opponent, seat, illegal)
        self._masked = mask_in_observation
        self.action_space: spaces.Space[Any] = spaces.Discrete(num_actions(rules))
        self.observation_space: spaces.Space[Any] = observation_space(rules, mask_in_observation)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a game, and play for the opponents who move before the learner."""
        super().reset(seed=seed)
        self._game, self._over = Game(self._game.rules), False
        players = self._game.rules.players
        self._seat = self._fixed_seat or int(self.np_random.integers(players)) + 1
        self._answer()
        return self._seen()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make the learner's move and the opponents' replies.

        Raises:
            ResetNeeded: the game is over. TypeError: the action is not an integer.
            IllegalMove: the action is illegal, and `illegal` is "error".
        """
        if self._over:
            raise gymnasium.error.ResetNeeded("the game is over: call reset() first")
        action = integer(action, "action")
        if self._game.outcome is None:
            try:
                self._game.play(cell_of(self._game, action))
            except IllegalMove:
                if self._illegal == "error":
                    raise
                self._over = self._illegal == "lose"
                observation, info = self._seen()
                return observation, -1.0 if self._over else 0.0, self._over, False, info
            self._answer()
        outcome = self._game.outcome
        self._over = outcome is not None
        winner = outcome.winner if outcome else None
        reward = 0.0 if winner is None else 1.0 if winner == self._seat else -1.0
        observation, info = self._seen()
        return observation, reward, self._over, False, info

    def _answer(self) -> None:
        """Play for the opponents until the learner is to move."""
        game = self._game
        while game.outcome is None and game.turn != self._seat:
            if self._opponent == "random":
                action = self.np_random.choice(np.flatnonzero(action_mask(game)))
                game.play(cell_of(game, int(action)))
            elif isinstance(self._opponent, str):
                seed = int(self.np_random.integers(2**62))
                game.play(advise(game, level=self._opponent, seed=seed).cell)
            else:
                answers = self._opponent(planes(game, game.turn)[None], action_mask(game)[None])
                game.play(cell_of(game, integer(np.asarray(answers).flat[0], "an answer")))
        if self.render_mode == "human":
            self.render()

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        mask, seen = self._mask(), planes(self._game, self._seat)
        return {"observation": seen, "action_mask": mask} if self._masked else seen, {
            "action_mask": mask.copy()
        }

    def _mask(self) -> NDArray[np.int8]:
        mask = action_mask(self._game)
        return np.zeros_like(mask) if self._over else mask

    def action_masks(self) -> NDArray[np.bool_]:
        """Return whether each action is legal; sb3-contrib calls this."""
        return self._mask().astype(np.bool_)


class KInARowVector(VectorEnv[Any, Any, Any]):
    """Many games of `KInARow` at once, on `VectorGame`.

    Args:
        num_envs: number of games.
        rules, seat, illegal, mask_in_observation: as in `KInARow`.
        opponent: "random", or a `Policy`, which gets all games in which it is to move.
        autoreset_mode: when a new game starts after one has ended. With SAME_STEP,
            ``info["final_obs"]`` and ``info["final_info"]`` describe the old game, everything else
            the new one. With DISABLED, call ``reset(options={"reset_mask": …})``.
        threads: as in `VectorGame`.
        render_mode: None; only `KInARow` can be rendered.

    Raises:
        TypeError, ValueError: an argument is invalid.
        MemoryError: memory is short.
    """

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = Rules(),  # noqa: B008  # Rules are immutable
        opponent: str | Policy = "random",
        *,
        seat: int | None = None,
        illegal: str = "lose",
        mask_in_observation: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"render_mode must be None here, got {short_repr(render_mode)}")
        rules = as_rules(rules)
        self._opponent, self._fixed_seat, self._illegal = validated(rules, opponent, seat, illegal)
        if isinstance(opponent, str) and opponent != "random":
            raise ValueError(
                f"level {opponent!r} plays one game at a time;"
                ' use make_vec(…, vectorization_mode="sync")'
            )
        self._games = VectorGame(rules, num_envs, autoreset="Disabled", threads=threads)
        self._masked = mask_in_observation
        self.autoreset_mode: AutoresetMode = AutoresetMode(autoreset_mode)
        self.metadata: dict[str, Any] = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.num_envs: int = self._games.num_games
        self.single_action_space: spaces.Space[Any] = spaces.Discrete(self._games.num_actions)
        self.single_observation_space: spaces.Space[Any] = observation_space(
            rules, mask_in_observation
        )
        self.action_space: spaces.Space[Any] = batch_space(self.single_action_space, self.num_envs)
        self.observation_space: spaces.Space[Any] = batch_space(
            self.single_observation_space, self.num_envs
        )
        self._seats = np.ones(self.num_envs, np.int8)
        self._over = np.ones(self.num_envs, np.bool_)
        self._forfeits = False  # whether an illegal action may have ended a game
        self._replies = np.empty(self.num_envs, np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start all games, or the games selected by ``options["reset_mask"]``, bool."""
        super().reset(seed=seed)
        chosen = (options or {}).get("reset_mask")
        if seed is not None or chosen is None:
            self._games.seed(int(self.np_random.integers(2**62)))
        chosen = np.ones(self.num_envs, np.bool_) if chosen is None else np.asarray(chosen)
        if chosen.dtype != np.bool_:
            raise TypeError(f"reset_mask must be bool, not {chosen.dtype}")
        self._begin(chosen)
        self._answer(chosen)
        return self._seen()

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Make the learner's move in each game and the opponents' replies.

        Raises:
            TypeError, ValueError: the actions are not integers, or not one per game.
            IllegalMove: an action is illegal, and `illegal` is "error"; no game has changed.
        """
        games, over, mode = self._games, self._over, self.autoreset_mode
        moving = ~over
        chosen = as_actions(actions, self.num_envs)
        if self._illegal == "error":
            self._require_legal(chosen, moving & ~games.done)
        if self._forfeits:
            chosen = np.where(moving, chosen, -1)
        illegal = games.step(chosen) & moving
        if mode == AutoresetMode.NEXT_STEP:
            self._begin(over)
            self._answer(~illegal)
        else:
            self._answer(moving & ~illegal)
        ended = moving & games.done
        won = ended & (games.winner == self._seats)
        lost = (ended & (games.winner != 0)) ^ won
        rewards = won.astype(np.float64) - lost
        if self._illegal == "lose" and np.count_nonzero(illegal):
            self._forfeits = True
            ended |= illegal
            rewards[illegal] = -1.0
        self._over = self._over | ended
        final: dict[str, Any] = {}
        if mode == AutoresetMode.SAME_STEP and ended.any():
            final = self._final(ended)
            self._begin(ended)
            self._answer(ended)
        observation, info = self._seen()
        return observation, rewards, ended, np.zeros(self.num_envs, np.bool_), info | final

    def _require_legal(self, chosen: NDArray[Any], moving: NDArray[np.bool_]) -> None:
        """Raise IllegalMove if an action is illegal in a game that is moving."""
        inside = (chosen >= 0) & (chosen < self._games.num_actions)
        legal = self._games.legal[np.arange(self.num_envs), np.where(inside, chosen, 0)]
        wrong = np.flatnonzero(moving & ~(inside & legal))
        if len(wrong):
            raise IllegalMove(f"action {chosen[wrong[0]]} is illegal in game {wrong[0]}")

    def _begin(self, chosen: NDArray[np.bool_]) -> None:
        """Start these games, without the opponents' first moves."""
        (begun,) = chosen.nonzero()  # indices are three times as fast as bools
        if not len(begun):
            return
        self._games.reset(chosen)
        self._over = self._over > chosen  # over and not chosen
        seats: Any = self._fixed_seat
        if seats is None:  # `random` is almost twice as fast as `integers`
            share = self.np_random.random(len(begun))
            seats = 1 + (self._games.rules.players * share).astype(np.int8)
        self._seats[begun] = seats

    def _answer(self, games: NDArray[np.bool_]) -> None:
        """Play for the opponents in these games until the learner is to move."""
        vector = self._games
        for _ in range(vector.rules.players - 1):
            waiting = (games > vector.done) & (vector.turn != self._seats)  # `>`: and not
            if not np.count_nonzero(waiting):
                return
            if self._opponent == "random":
                vector.step(vector.random_actions(self._replies, waiting))
            elif callable(self._opponent):
                seen, masks = vector.observe()[waiting], vector.legal[waiting].astype(np.int8)
                actions = np.full(self.num_envs, -1)
                actions[waiting] = self._opponent(seen, masks)
                if (vector.step(actions) & waiting).any():
                    raise IllegalMove("the opponent's policy returned an illegal action")

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        games = self._games
        mask = self.action_masks().view(np.int8)
        seen = games.observe(players=self._seats)
        info = {"action_mask": mask, "_action_mask": np.ones(self.num_envs, np.bool_)}
        return {"observation": seen, "action_mask": mask.copy()} if self._masked else seen, info

    def _final(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the last observations and masks of ended games in Gymnasium's form."""
        seen, info = self._seen()
        observations = np.full(self.num_envs, None, np.object_)
        for i in np.flatnonzero(ended):
            observations[i] = {k: v[i] for k, v in seen.items()} if self._masked else seen[i]
        masks = {"action_mask": info["action_mask"], "_action_mask": ended.copy()}
        final = {"final_obs": observations, "final_info": masks}
        return final | {f"_{name}": ended.copy() for name in final}

    def random_actions(self) -> NDArray[np.int64]:
        """Draw a legal action for each game, all equally likely; 0 for games that are over.

        Random opponents draw from the same stream.
        """
        going_on = ~self._over if self._forfeits else None
        actions = self._games.random_actions(games=going_on)
        return np.maximum(actions, 0, out=actions)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return whether each action is legal, games × actions."""
        masks = self._games.legal.copy()
        if self._forfeits:
            masks[self._over] = False
        return masks


def observation_space(rules: Rules, masked: bool) -> spaces.Space[Any]:
    """Return the space of the observations of one game."""
    box = partial(spaces.Box, 0, 1, dtype=np.int8)
    seen = box((rules.players, *rules.shape))
    if not masked:
        return seen
    return spaces.Dict({"observation": seen, "action_mask": box((num_actions(rules),))})


def validated(
    rules: Rules, opponent: str | Policy, seat: int | None, illegal: str
) -> tuple[str | Policy, int | None, str]:
    """Return the options that both environments have, raising their errors."""
    if not callable(opponent) and opponent not in LEVELS:
        raise ValueError(
            f"opponent must be {', '.join(LEVELS)} or a function, got {short_repr(opponent)}"
        )
    if illegal not in ILLEGAL:
        raise ValueError(f"illegal must be {', '.join(ILLEGAL)}, got {short_repr(illegal)}")
    if seat is not None and not 1 <= (seat := integer(seat, "seat")) <= rules.players:
        raise ValueError(f"seat must be 1 to {rules.players} or None, got {short_repr(seat)}")
    return opponent, seat, illegal
