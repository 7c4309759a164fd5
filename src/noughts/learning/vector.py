"""Thousands of games, advanced by a move with one call, as NumPy arrays.

`noughts.learning._vector` does the work, without the GIL.
"""

import threading
from collections.abc import Sequence
from typing import Any

from noughts.arguments import integer, thread_count
from noughts.compiled import required
from noughts.errors import short_repr
from noughts.extras import require_extra
from noughts.game.game import Game
from noughts.game.geometry import symmetries as symmetries_of
from noughts.game.rules import Rules, as_rules
from noughts.learning.arrays import as_actions, as_histories, as_output, mismatch, read_only

with require_extra("learning", "NumPy", "learn"):
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

AUTORESET = ("SameStep", "NextStep", "Disabled")
MAX_GAMES = 2**31 - 1
BRANCH = np.uint64(0xD1B54A32D192ED03)  # what sets the random streams of branches apart
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
        rules: Rules | str,
        num_games: int,
        seed: int | None = None,
        *,
        autoreset: str = "SameStep",
        threads: int = 1,
    ) -> None:
        self._open(rules, num_games, autoreset, threads)
        self.seed(seed)

    def _open(self, rules: Rules | str, num_games: int, autoreset: str, threads: int) -> None:
        """Begin all games. The random numbers, whose seeds take ten times as long, are still 0."""
        self.num_games: int = integer(num_games, "num_games")
        if not 1 <= self.num_games <= MAX_GAMES:
            raise ValueError(f"num_games must be 1 to {MAX_GAMES:,}, not {short_repr(num_games)}")
        self.rules = rules = as_rules(rules)
        self.num_actions: int = num_actions(rules)
        if autoreset not in AUTORESET:
            raise ValueError(
                f"autoreset must be {', '.join(AUTORESET)}, not {short_repr(autoreset)}"
            )
        self.autoreset = autoreset
        threads = thread_count(threads)
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
        self._threads = min(threads, count)
        self._games = compiled.Vector(rules, autoreset, self._threads, *arrays)
        self._lock = threading.Lock()
        self._seen = (count, rules.players, *rules.shape)
        self.legal, self.turn = read_only(legal, np.bool_), read_only(turn)
        self.done, self.winner = read_only(done, np.bool_), read_only(winner)
        self.ply, self._refused = read_only(ply), read_only(illegal, np.bool_)

    def seed(self, seed: int | None) -> None:
        """Seed `random_actions`; None for a different stream each time.

        After the same `seed` and a `reset` the same actions are drawn.

        Raises:
            TypeError, ValueError: it is not an integer, or less than 0.
        """
        seed = None if seed is None else integer(seed, "seed")
        if seed is not None and seed < 0:
            raise ValueError(f"seed must be 0 or more, not {short_repr(seed)}")
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
        actions = as_output(out, INT64, (self.num_games,))
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
        planes = as_output(out, INT8, self._seen)
        seats = None if players is None else self._each("players", players, INT8)
        if seats is not None and not 1 <= seats.min() <= seats.max() <= self.rules.players:
            raise ValueError(f"players must be 1 to {self.rules.players}")
        with self._lock:
            self._games.observe(planes, seats)
        return planes

    def copy(self, games: ArrayLike | None = None, *, autoreset: str | None = None) -> "VectorGame":
        """New games that stand where these stand, and go on without them.

        Args:
            games: numbers of games, counted from 0, also repeated: game ``i`` of the copy is a copy
                of ``games[i]``. So one game branches into many. None for all.
            autoreset: of the copy; None for the same. "Disabled" is the one to search with. Where
                these let a game begin anew at once, it is the new game that is copied.

        Random actions: the copy of all games draws what these would draw; with `games`, every game
        draws by itself, so that branches differ, and the same each time.

        Raises:
            TypeError, ValueError: the numbers are not integers of one dimension, at least one, or
                there is no such game; or an argument is none of `AUTORESET`. MemoryError: as
                `VectorGame`.

        Cost: docs/performance.md has nanoseconds a cell; `restore` needs no new memory.

        >>> games = VectorGame(Rules(), 2)
        >>> illegal = games.step([4, 0])
        >>> tries = games.copy([0] * 9)
        >>> tries.step(range(9)).tolist().index(True), tries.ply.tolist(), games.ply.tolist()
        (4, [2, 2, 2, 2, 1, 2, 2, 2, 2], [1, 1])
        """
        rows = self._rows(games, self.num_games)
        twin = self._new(len(rows), self.autoreset if autoreset is None else autoreset)
        with self._lock:
            twin._take(self, rows, branch=games is not None)
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> "VectorGame":
        return self.copy()

    def state(self) -> "State":
        """Where all games stand now, for `restore`. Cost: as `copy`."""
        return State(self)

    def restore(self, state: "State", games: ArrayLike | None = None) -> None:
        """Go back to a state, of these games or of others with the same rules.

        The same moves give the same everything again, random actions too. How games begin anew
        stays as it is here: with "SameStep" a game that was over in the state has begun anew.

        Args:
            state: what `state` has returned.
            games: numbers of games of the state, one for each game here, also repeated, as in
                `copy`; None for the same ones.

        Raises:
            TypeError, ValueError: it is no such state, it has other rules or another number of
                games, or there is no such game. MemoryError: as `step`.
        """
        if not isinstance(state, State):
            raise TypeError(f"state must be what state() returns, not {short_repr(state)}")
        if state.rules != self.rules:
            raise ValueError(f"the state is of games of {state.rules}, not of {self.rules}")
        rows = self._rows(games, len(state))
        if len(rows) != self.num_games:
            what = "the state" if games is None else "games"
            raise ValueError(f"{what} must have {self.num_games:,} games, not {len(rows):,}")
        with self._lock:
            self._take(state._games, rows, branch=games is not None)

    def play_from(self, histories: Sequence[ArrayLike] | NDArray[Any]) -> None:
        """Set every game to what its history leads to, from the beginning.

        Args:
            histories: for each game its actions so far; integers, in lists of any lengths or in an
                array in which -1 fills the rows up.

        Raises:
            TypeError, ValueError: they are not integers, not a list for each game, or an action is
                illegal; the message says in which game and at which move. Nothing has changed.
            MemoryError: as `step`.

        Cost: that of the steps. `random_actions` goes on as before.

        >>> games = VectorGame(Rules(), 2)
        >>> games.play_from([[4], [0, 4, 8]])
        >>> games.turn.tolist(), games.ply.tolist()
        ([2, 2], [1, 3])
        """
        fresh = self._new(self.num_games, "Disabled")
        for ply, actions in enumerate(as_histories(histories, self.num_games).T):
            wrong = fresh.done & (actions != -1)
            wrong |= fresh.step(actions) & (actions != -1)
            if wrong.any():
                game = int(wrong.argmax())
                why = "the game is over" if fresh.done[game] else "it is illegal"
                raise ValueError(f"game {game}, move {ply}: no action {actions[game]}, {why}")
        rows = self._rows(None, self.num_games)
        with self._lock:
            self._games.take(fresh._games, rows)

    def symmetric(
        self, observations: NDArray[Any], masks: NDArray[Any], actions: ArrayLike
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]:
        """The same positions under every symmetry of the board (see `symmetries`).

        Args:
            observations: any number of them, as of `observe`, of any type.
            masks: as many, as `legal`, or policies: anything with a value for each action.
            actions: as many; -1 for none stays -1.

        Returns:
            The three, each with a new first axis: one entry for every symmetry, the first of which
            changes nothing. Whoever plays the moved actions sees the moved observations.

        Raises:
            TypeError, ValueError: a shape or type is another, or there is no such action.
        """
        actions = np.asarray(actions)
        count = len(actions) if actions.ndim else 0
        moved = np.append(as_actions(actions, count), -1)
        if not -1 <= moved.min() <= moved.max() < self.num_actions:
            raise ValueError(f"actions must be -1 to {self.num_actions - 1}")
        given = (
            ("observations", observations, self._seen[1:]),
            ("masks", masks, (self.num_actions,)),
        )
        for name, array, shape in given:
            if np.shape(array) != (count, *shape):
                raise mismatch(name, np.asarray(array), "an array", (count, *shape))
        cells, ways = symmetries(self.rules)
        flat = np.reshape(observations, (count, self.rules.players, self.rules.cells))
        turned = np.moveaxis(flat[:, :, cells], 2, 0).reshape(len(cells), *np.shape(observations))
        went = np.argsort(ways, axis=1)[:, moved[:-1]]
        went[:, moved[:-1] == -1] = -1
        return turned, np.moveaxis(np.asarray(masks)[:, ways], 1, 0), went

    def _new(self, count: int, autoreset: str) -> "VectorGame":
        """So many new games with the same rules, which have no random numbers yet."""
        twin = object.__new__(VectorGame)
        twin._open(self.rules, count, autoreset, self._threads)
        return twin

    def _rows(self, games: ArrayLike | None, count: int) -> NDArray[np.int64]:
        """Numbers of games, below `count`, in an array that nobody else has."""
        if games is None:
            return np.arange(count)
        found = np.asarray(games)
        rows = as_actions(found, found.size, "games").copy()
        if not rows.size:
            raise ValueError("games must be at least one number of a game")
        for row in (rows.min(), rows.max()):
            if not 0 <= row < count:
                raise ValueError(f"games must be numbers from 0 to {count - 1}, not {row}")
        return rows

    def _take(self, other: "VectorGame", rows: NDArray[np.int64], *, branch: bool) -> None:
        """Become copies of these games of another object. The caller has the locks."""
        self._games.take(other._games, rows)
        self._random[:] = other._random[rows]
        if branch:
            self._random += np.arange(len(rows), dtype=np.uint64) * BRANCH

    def _each(self, name: str, values: ArrayLike, dtype: np.dtype[Any]) -> NDArray[Any]:
        """An argument with a value of this type for each game, as `_vector` takes it."""
        found = np.asarray(values)
        if found.dtype != dtype or found.shape != (self.num_games,):
            raise mismatch(name, found, dtype.name, (self.num_games,))
        return np.ascontiguousarray(found)

    def __len__(self) -> int:
        """How many games there are."""
        return self.num_games

    def __repr__(self) -> str:
        return f"<VectorGame of {self.num_games} games, {self.rules!r}>"


class State:
    """Where the games of a `VectorGame` stood, for `VectorGame.restore`; nothing changes it."""

    __slots__ = ("_games",)

    def __init__(self, games: VectorGame) -> None:
        if not isinstance(games, VectorGame):
            raise TypeError(f"games must be a VectorGame, not {short_repr(games)}")
        self._games = games.copy()

    @property
    def rules(self) -> Rules:
        """The rules of all games."""
        return self._games.rules

    def __len__(self) -> int:
        """How many games there are."""
        return len(self._games)

    def __repr__(self) -> str:
        return f"<State of {len(self)} games, {self.rules!r}>"


def num_actions(rules: Rules | str) -> int:
    """How many actions there are: the cells, or with gravity the columns.

    >>> num_actions(Rules()), num_actions(Rules.connect_four())
    (9, 7)
    """
    rules = as_rules(rules)
    return rules.cells // rules.shape[0] if rules.gravity else rules.cells


def symmetries(rules: Rules | str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The symmetries of the board, to learn from one position several times.

    Returns:
        (cells, actions), both int64: symmetries × cells and symmetries × num_actions. A position
        with the planes ``p`` and the policy ``q`` is equivalent, for every i, to one with the
        planes ``p.reshape(-1, rules.cells)[:, cells[i]]`` and the policy ``q[actions[i]]``. The
        first symmetry changes nothing.

    >>> [len(symmetries(rules)[0]) for rules in (Rules(), Rules.connect_four(), Rules((3, 3, 3)))]
    [8, 2, 48]
    """
    rules = as_rules(rules)
    cells = np.array(list(symmetries_of(rules)), np.int64)
    if not rules.gravity:
        return cells, cells
    floor = rules.cells - num_actions(rules)
    return cells, cells[:, floor:] - floor
