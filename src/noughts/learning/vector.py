"""Thousands of games, advanced by a move with one call, as NumPy arrays.

`noughts.learning._vector` does the work, without the GIL.
"""

import threading
from typing import Any

from noughts.arguments import integer
from noughts.compiled import required
from noughts.errors import shown
from noughts.extras import needing
from noughts.game.game import Game
from noughts.game.geometry import symmetries as symmetries_of
from noughts.game.rules import Rules

with needing('learning needs NumPy: pip install "noughts[learn]"'):
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

AUTORESET = ("SameStep", "NextStep", "Disabled")
MAX_GAMES = 2**31 - 1
MAX_THREADS = 1024
BOOL, INT8, INT64 = np.dtype(np.bool_), np.dtype(np.int8), np.dtype(np.int64)


class VectorGame:
    """Many games of the same rules, advanced together.

    An action is the row-major number of a cell; with gravity it is the number of a column, 0 to 6
    in Connect Four (in more than two dimensions, the row-major number of all coordinates but the
    first). Every game equals `Game`, move by move.

    Args:
        rules: what is played, with at most 65,536 actions.
        num_games: how many games.
        seed: for `random_actions`; the same seed gives the same games, with any number of threads.
        autoreset: when a new game begins after one has ended, in Gymnasium's words.

            * "SameStep": with the same step. `done` and `winner` are of the game that ended, all
              else of the new one.
            * "NextStep": with the next step, which ignores the action.
            * "Disabled": when `reset` is called; until then steps ignore the game.
        threads: how many threads share the games.

    Attributes, all read-only, with a row for each game; they change in place with every call:
        legal: bool, games × num_actions: which actions are legal; none once a game is over.
        turn: int8, the player to move, counted from 1; after the end, the player who would be next.
        done: bool, whether the game is over.
        winner: int8, who has won; 0 for nobody.
        ply: int32, how many moves have been made.

    Raises:
        TypeError, ValueError: an argument is invalid; or with early draws, nobody can win even
            before the first move.
        ModuleNotFoundError: `_vector` was not compiled.
        MemoryError: there is not enough memory. A game takes 2 · players - 1 bytes a cell, 3 an
            action, with gravity 7, and 8 a player; on boards of more than some 60 cells also a bit
            for each cell, player and direction, and once 4 bytes for each cell and direction. With
            early draws and in renju it takes the tallies of `Game`, some 32 bytes a line.

    Cost: docs/learning.md has nanoseconds a step. Threads may share the object: one call is done
    before the next begins.

    >>> games = VectorGame(Rules(), 2, autoreset="Disabled")
    >>> for cells in ([0, 4], [3, 4], [1, 4], [4, 4], [2, 4]):
    ...     illegal = games.step(cells)
    >>> games.winner.tolist(), games.done.tolist(), games.ply.tolist(), illegal.tolist()
    ([1, 0], [True, False], [5, 1], [False, True])
    """

    legal: NDArray[np.bool_]
    turn: NDArray[np.int8]
    done: NDArray[np.bool_]
    winner: NDArray[np.int8]
    ply: NDArray[np.int32]

    def __init__(
        self,
        rules: Rules,
        num_games: int,
        seed: int | None = None,
        *,
        autoreset: str = "SameStep",
        threads: int = 1,
    ) -> None:
        self.num_games: int = integer(num_games, "num_games")
        if not 1 <= self.num_games <= MAX_GAMES:
            raise ValueError(f"num_games must be 1 to {MAX_GAMES:,}, not {shown(num_games)}")
        self.rules = rules
        self.num_actions: int = num_actions(rules)
        if autoreset not in AUTORESET:
            raise ValueError(f"autoreset must be {', '.join(AUTORESET)}, not {shown(autoreset)}")
        self.autoreset = autoreset
        threads = integer(threads, "threads")
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"threads must be 1 to {MAX_THREADS:,}, not {shown(threads)}")
        if rules.early_draw and Game(rules).outcome is not None:
            raise ValueError(
                f"nobody can win under {rules}: the game is over before the first move"
            )
        compiled = required("noughts.learning._vector", "many games move by move")
        count = self.num_games
        self._random = np.zeros(count, np.uint64)
        legal = np.zeros((count, self.num_actions), np.uint8)
        turn, winner = np.zeros(count, np.int8), np.zeros(count, np.int8)
        done, illegal = np.zeros(count, np.uint8), np.zeros(count, np.uint8)
        ply = np.zeros(count, np.int32)
        arrays = (legal, turn, winner, done, ply, illegal, self._random)
        self._games = compiled.Vector(rules, autoreset, min(threads, count), *arrays)
        self._lock = threading.Lock()
        self._seen = (count, rules.players, *rules.shape)
        self.legal, self.turn = _read_only(legal, np.bool_), _read_only(turn)
        self.done, self.winner = _read_only(done, np.bool_), _read_only(winner)
        self.ply, self._refused = _read_only(ply), _read_only(illegal, np.bool_)
        self.seed(seed)

    def seed(self, seed: int | None) -> None:
        """Seed `random_actions`; None for a different stream each time.

        After the same `seed` and a `reset` the same actions are drawn.

        Raises:
            TypeError, ValueError: it is not an integer, or less than 0.
        """
        seed = None if seed is None else integer(seed, "seed")
        if seed is not None and seed < 0:
            raise ValueError(f"seed must be 0 or more, not {shown(seed)}")
        with self._lock:
            self._random[:] = np.random.SeedSequence(seed).generate_state(self.num_games, np.uint64)

    def step(self, actions: ArrayLike) -> NDArray[np.bool_]:
        """Make a move in every game that is not over.

        Args:
            actions: one for each game, integers of any type.

        Returns:
            bool, in which games the action was illegal: these have not changed. Read-only; the next
            step overwrites it.

        Raises:
            TypeError, ValueError: the actions are not integers, or not one for each game.
            MemoryError: only with early draws and in renju; the object cannot be used any more.
        """
        chosen = as_actions(actions, self.num_games)
        with self._lock:
            self._games.step(chosen)
        return self._refused

    def reset(self, games: ArrayLike | None = None) -> None:
        """Begin new games: all, or those of a bool for each.

        Raises:
            TypeError, ValueError: there is not a bool for each game. MemoryError: as `step`.
        """
        games = np.ones(self.num_games, BOOL) if games is None else games
        chosen = self._each("games", games, BOOL).view(np.uint8)
        with self._lock:
            self._games.reset(chosen)

    def random_actions(
        self, out: NDArray[np.int64] | None = None, games: ArrayLike | None = None
    ) -> NDArray[np.int64]:
        """A legal action for each game, each equally likely; -1 for games that are over.

        Args:
            out: where to write; None for a new array.
            games: a bool for each game, False for -1; None for all.

        Raises:
            TypeError, ValueError: `out` is not a C-contiguous, writeable int64 array of this shape,
                or `games` is not a bool for each game.
            MemoryError: as `step`.
        """
        actions = _output(out, INT64, (self.num_games,))
        chosen = None if games is None else self._each("games", games, BOOL).view(np.uint8)
        with self._lock:
            self._games.draw(actions, chosen)
        return actions

    def observe(
        self, out: NDArray[np.int8] | None = None, players: ArrayLike | None = None
    ) -> NDArray[np.int8]:
        """What a player sees in every game.

        Args:
            out: where to write; None for a new array.
            players: int8, a player for each game, counted from 1; None for the player to move.

        Returns:
            int8, (num_games, players, *shape): 1 where the player of a plane has a mark. The first
            plane is the observer's, the second that of the player who moves next, and so on.

        Raises:
            TypeError, ValueError: `out` is not a C-contiguous, writeable int8 array of this shape,
                or `players` is not a player for each game.
            MemoryError: as `step`.
        """
        planes = _output(out, INT8, self._seen)
        seats = None if players is None else self._each("players", players, INT8)
        if seats is not None and not 1 <= seats.min() <= seats.max() <= self.rules.players:
            raise ValueError(f"players must be 1 to {self.rules.players}")
        with self._lock:
            self._games.observe(planes, seats)
        return planes

    def _each(self, name: str, values: ArrayLike, dtype: np.dtype[Any]) -> NDArray[Any]:
        """An argument with a value of this type for each game, as `_vector` takes it."""
        found = np.asarray(values)
        if found.dtype != dtype or found.shape != (self.num_games,):
            raise _other(name, found, dtype.name, (self.num_games,))
        return np.ascontiguousarray(found)

    def __len__(self) -> int:
        """How many games there are."""
        return self.num_games

    def __repr__(self) -> str:
        return f"<VectorGame of {self.num_games} games, {self.rules!r}>"


def num_actions(rules: Rules) -> int:
    """How many actions there are: the cells, or with gravity the columns.

    >>> num_actions(Rules()), num_actions(Rules.connect_four())
    (9, 7)
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {shown(rules)}")
    return rules.cells // rules.shape[0] if rules.gravity else rules.cells


def as_actions(actions: ArrayLike, count: int) -> NDArray[np.int64]:
    """The actions of so many games, as `_vector` takes them; raises as `VectorGame.step`.

    Integers that are too large for int64 become negative, which no action is.
    """
    found = np.asarray(actions)
    if found.dtype.kind not in "iu" or found.shape != (count,):
        raise _other("actions", found, "integers", (count,))
    return np.require(found, np.int64, ["C", "A"])


def symmetries(rules: Rules) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The symmetries of the board, to learn from one position several times.

    Returns:
        (cells, actions), both int64: symmetries × cells and symmetries × num_actions. A position
        with the planes ``p`` and the policy ``q`` is equivalent, for every i, to one with the
        planes ``p.reshape(-1, rules.cells)[:, cells[i]]`` and the policy ``q[actions[i]]``. The
        first symmetry changes nothing.

    >>> [len(symmetries(rules)[0]) for rules in (Rules(), Rules.connect_four(), Rules((3, 3, 3)))]
    [8, 2, 48]
    """
    cells = np.array(list(symmetries_of(rules)), np.int64)
    if not rules.gravity:
        return cells, cells
    floor = rules.cells - num_actions(rules)
    return cells, cells[:, floor:] - floor


def _output(out: NDArray[Any] | None, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """The array to write to: a new one, or `out` if it is right."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array, not {shown(out)}")
    if out.dtype != dtype or out.shape != shape:
        raise _other("out", out, dtype.name, shape)
    if not out.flags.carray:
        raise ValueError("out must be C-contiguous, aligned and writeable")
    return out


def _read_only(array: NDArray[Any], dtype: Any = None) -> NDArray[Any]:
    """A view that nobody can make writeable, perhaps as another type of the same size."""
    view = np.asarray(array.data.toreadonly())
    return view if dtype is None else view.view(dtype)


def _other(name: str, found: NDArray[Any], what: str, shape: tuple[int, ...]) -> Exception:
    """The error for an array of the wrong type or shape."""
    message = f"{name} must be {what} of shape {shape}, not {found.dtype} of shape {found.shape}"
    return ValueError(message) if found.shape != shape else TypeError(message)
