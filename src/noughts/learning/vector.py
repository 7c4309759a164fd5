"""`VectorGame`: thousands of games as arrays, advanced one move per call.

`noughts.learning._vector` does the work, without the GIL, or on a GPU `noughts.learning.kernels`.
"""

from collections.abc import Sequence
from typing import Any, TypeVar, overload

from noughts.arguments import integer, thread_count
from noughts.errors import short_repr
from noughts.extras import require_extra
from noughts.game.game import Game
from noughts.game.geometry import symmetries as symmetries_of
from noughts.game.rules import Rules, as_rules
from noughts.learning.devices import PROCESSOR, UNUSABLE, device_of

with require_extra("learning", "NumPy", "learn"):
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

AUTORESET = ("SameStep", "NextStep", "Disabled")
MAX_GAMES = 2**31 - 1
BRANCH = 0xD1B54A32D192ED03  # separates the random streams of branches
NO_ACTION = 2**31  # larger than any action, and not negative after any conversion
T = TypeVar("T")
BOOL, INT8, INT64 = np.dtype(np.bool_), np.dtype(np.int8), np.dtype(np.int64)


class VectorGame:
    """Many games with the same rules, advanced together.

    An action is the row-major number of a cell; with gravity it is the number of a column, 0 to 6
    in Connect Four (in more than two dimensions, the row-major number of all coordinates except the
    first). Every game agrees with `Game` move by move.

    Args:
        rules: the rules of all games, with at most 65,536 actions.
        num_games: number of games.
        seed: for `random_actions`; the same seed gives the same games, with any number of threads.
        autoreset: when a new game starts after one has ended, in Gymnasium's terms.

            * "SameStep": in the same step. `done` and `winner` describe the game that ended, all
              other attributes the new one.
            * "NextStep": in the next step, which ignores the action.
            * "Disabled": when `reset` is called; until then steps ignore the game.
        threads: number of threads that share the games; 1 on a GPU.
        device: "cpu"; or "cuda" or "cuda:1", for games on an NVIDIA GPU, which requires CuPy and
            takes the rules that docs/learning.md lists. Arrays are then those of CuPy, and
            arguments may be arrays or tensors of other libraries on that GPU. The same seed gives
            the same games on every device.

    Attributes, all read-only, with one row per game. Every call changes them in place, so they are
    not shared with other libraries: `from_dlpack` needs a copy, such as ``legal.copy()``. Never
    pass them to ``torch.from_numpy`` or ``torch.as_tensor`` without ``copy()``: PyTorch only warns,
    and writing to its tensor would break the games. On a GPU they are neither protected nor kept
    from being shared: copy them there, too.

        legal: bool, games × num_actions: whether an action is legal; all False after the end.
        turn: int8, the player to move, counted from 1; after the end, the player who would be next.
        done: bool, whether the game is over.
        winner: int8, the winner; 0 if there is none.
        ply: int32, the number of moves made.

    Raises:
        TypeError, ValueError: an argument is invalid, or with early draws the game is over before
            the first move.
        InvalidRules: the device cannot play by these rules.
        ModuleNotFoundError: `_vector` was not compiled; or CuPy or a GPU is missing.
        MemoryError: memory is short. A game takes 2 · players - 1 bytes per cell, 3 per action (7
            with gravity) and 8 per player; on boards of more than about 60 cells also one bit per
            cell, player and direction, and all games together 4 bytes per cell and direction. With
            early draws and in renju it takes the tallies of `Game`, about 32 bytes per line.

    Cost: docs/performance.md has nanoseconds per step. Threads may share the object: each call is
    finished before the next one starts, on a GPU if the threads use the same stream.

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
        device: str = "cpu",
    ) -> None:
        self._open(rules, num_games, autoreset, threads, device_of(device))
        self.seed(seed)

    def _open(
        self, rules: Rules | str, num_games: int, autoreset: str, threads: int, device: Any
    ) -> None:
        """Start all games without seeding random numbers, which takes ten times as long."""
        self.num_games: int = integer(num_games, "num_games")
        if not 1 <= self.num_games <= MAX_GAMES:
            raise ValueError(f"num_games must be 1 to {MAX_GAMES:,}, got {short_repr(num_games)}")
        self.rules = rules = as_rules(rules)
        self.num_actions: int = num_actions(rules)
        if autoreset not in AUTORESET:
            raise ValueError(
                f"autoreset must be one of {', '.join(AUTORESET)}, got {short_repr(autoreset)}"
            )
        self.autoreset = autoreset
        threads = thread_count(threads)
        if rules.early_draw and Game(rules).outcome is not None:
            raise ValueError(f"no player can win with {rules}: it is a draw before the first move")
        count = self.num_games
        legal = device.zeros((count, self.num_actions), np.uint8)
        turn, winner = device.zeros(count, np.int8), device.zeros(count, np.int8)
        done, illegal = device.zeros(count, np.uint8), device.zeros(count, np.uint8)
        ply = device.zeros(count, np.int32)
        self._threads = min(threads, count)
        self._games = device.games(
            rules,
            AUTORESET.index(autoreset),
            self._threads,
            legal=legal,
            turn=turn,
            winner=winner,
            done=done,
            ply=ply,
            illegal=illegal,
            random=device.zeros(count, np.uint64),
        )
        self._device, self._shape = device, (count, rules.players, *rules.shape)
        self.legal, self.turn = device.read_only(legal, np.bool_), device.read_only(turn)
        self.done, self.winner = device.read_only(done, np.bool_), device.read_only(winner)
        self.ply, self._illegal = device.read_only(ply), device.read_only(illegal, np.bool_)

    @property
    def device(self) -> str:
        """The device of the games: "cpu", or, for example, "cuda:0"."""
        name: str = self._device.name
        return name

    def seed(self, seed: int | None) -> None:
        """Seed `random_actions`; after the same seed and a `reset` it draws the same actions.

        Args:
            seed: at least 0; None draws from a different stream each time.

        Raises:
            TypeError, ValueError: the seed is not an integer, or is negative.
        """
        seed = None if seed is None else integer(seed, "seed")
        if seed is not None and seed < 0:
            raise ValueError(f"seed must be at least 0, got {short_repr(seed)}")
        states = np.random.SeedSequence(seed).generate_state(self.num_games, np.uint64)
        self._games.seed(self._device.moved(states, np.uint64))

    def step(self, actions: ArrayLike) -> NDArray[np.bool_]:
        """Make a move in every game that is not over.

        Args:
            actions: one per game, integers of any type.

        Returns:
            bool, whether the action was illegal in each game, which is then unchanged. The next
            step overwrites the array, which is read-only on the CPU; only read it on a GPU, too.

        Raises:
            TypeError, ValueError: the actions are not integers, or not one per game; or they are on
                a GPU and their library does not share them.
            MemoryError: only with early draws and in renju; the object can no longer be used.
        """
        if not self._games.step(actions):
            moved = as_actions(actions, self.num_games, device=self._device)
            if not self._games.step(moved):
                raise ValueError(f"actions cannot be moved to {self.device}: {short_repr(actions)}")
        illegal: NDArray[np.bool_] = self._illegal
        return illegal

    def reset(self, games: ArrayLike | None = None) -> None:
        """Start new games.

        Args:
            games: bool, whether to restart each game; None restarts all.

        Raises:
            TypeError, ValueError: `games` is not one bool per game. MemoryError: as in `step`.
        """
        chosen = None if games is None else self._each("games", games, BOOL).view(np.uint8)
        self._games.reset(chosen)

    @overload
    def random_actions(
        self, out: None = None, games: ArrayLike | None = None
    ) -> NDArray[np.int64]: ...
    @overload
    def random_actions(self, out: T, games: ArrayLike | None = None) -> T: ...
    def random_actions(self, out: Any = None, games: ArrayLike | None = None) -> Any:
        """Draw a legal action for each game, all equally likely.

        Args:
            out: the array or tensor to write to; None creates an array.
            games: bool, whether to draw for each game; None draws for all.

        Returns:
            `out`, int64, one action per game; -1 where the game is over or `games` is False.

        Raises:
            TypeError, ValueError: `out` is not a C-contiguous, writeable int64 array of this shape
                on the device, or `games` is not one bool per game.
            MemoryError: as in `step`.
        """
        if out is None:
            out = self._device.empty(self.num_games, INT64)
        chosen = None if games is None else self._each("games", games, BOOL).view(np.uint8)
        if not self._games.draw(out, chosen):
            self._games.draw(as_output(out, ("int64",), (self.num_games,), self._device), chosen)
        return out

    @overload
    def observe(self, out: None = None, players: ArrayLike | None = None) -> NDArray[np.int8]: ...
    @overload
    def observe(self, out: T, players: ArrayLike | None = None) -> T: ...
    def observe(self, out: Any = None, players: ArrayLike | None = None) -> Any:
        """Return every game as one of its players sees it.

        Args:
            out: the array to write to, or a tensor of any library that supports DLPack; None
                creates an array.
            players: int8, the observer of each game, counted from 1; None for the player to move.

        Returns:
            `out`, (num_games, players, *shape): 1 where the player of a plane has a mark. The first
            plane belongs to the observer, the second to the player who moves after them, and so on.
            The type is int8; on a GPU `out` may also be float16, bfloat16 or float32.

        Raises:
            TypeError, ValueError: `out` is not a C-contiguous, writeable array of this type and
                shape on the device, or `players` is not one player per game.
            MemoryError: as in `step`.
        """
        if out is None:
            out = self._device.empty(self._shape, INT8)
        seats = None if players is None else self._each("players", players, INT8)
        if seats is not None:
            self._check("players must be", seats, 1, self.rules.players)
        if not self._games.observe(out, seats):
            self._games.observe(self._as_views(out), seats)
        return out

    @overload
    def step_random(self, out: None = None) -> NDArray[np.int8]: ...
    @overload
    def step_random(self, out: T) -> T: ...
    def step_random(self, out: Any = None) -> Any:
        """Make a random move in every game that is not over, and observe.

        It does the same as ``step(random_actions())`` and ``observe(out)``, on a GPU at once.

        Args:
            out: as in `observe`.

        Returns:
            `out`, as in `observe`.

        Raises:
            TypeError, ValueError: `out` does not fit, as in `observe`; no game has changed.
            MemoryError: as in `step`.

        >>> games = VectorGame(Rules(), 2, seed=1)
        >>> games.step_random().sum(axis=(1, 2, 3)).tolist(), games.ply.tolist()
        ([1, 1], [1, 1])
        """
        if out is None:
            out = self._device.empty(self._shape, INT8)
        if not self._games.step_random(out):
            self._games.step_random(self._as_views(out))
        return out

    def copy(self, games: ArrayLike | None = None, *, autoreset: str | None = None) -> "VectorGame":
        """Return an independent copy of the games.

        A copy of all games draws the random actions that these would draw. With `games`, every game
        has a random stream of its own, so that branches differ; equal calls give equal streams.

        Args:
            games: numbers of games, counted from 0: game ``i`` of the copy is a copy of
                ``games[i]``. A repeated number branches one game into many. None copies all.
            autoreset: the mode of the copy, "Disabled" for a search; None keeps the mode. With
                "SameStep" here, the copy of a finished game is the new game.

        Raises:
            TypeError, ValueError: the numbers are not integers in one dimension, there are none, or
                no game has such a number; or `autoreset` is unknown.
            MemoryError: as in `VectorGame`.

        Cost: docs/performance.md has nanoseconds per cell; `restore` needs no new memory.

        >>> games = VectorGame(Rules(), 2)
        >>> illegal = games.step([4, 0])
        >>> tries = games.copy([0] * 9)
        >>> tries.step(range(9)).tolist().index(True), tries.ply.tolist(), games.ply.tolist()
        (4, [2, 2, 2, 2, 1, 2, 2, 2, 2], [1, 1])
        """
        rows = self._rows(games, self.num_games)
        twin = self._new(len(rows), self.autoreset if autoreset is None else autoreset)
        twin._take(self, rows, branch=games is not None)
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> "VectorGame":
        return self.copy()

    def state(self) -> "State":
        """Return the current state of all games, for `restore`. Cost: as for `copy`."""
        return State(self)

    def restore(self, state: "State", games: ArrayLike | None = None) -> None:
        """Return to a state of these games, or of others with the same rules.

        The same calls then give the same results again, random actions included. The `autoreset`
        mode stays: with "SameStep", a game that was over in the state is a new one.

        Args:
            state: a result of `state`.
            games: numbers of games of the state, one per game here, as in `copy`; None restores
                every game to its own state.

        Raises:
            TypeError, ValueError: `state` is not a `State`, or has other rules or another number of
                games, or is on another device; or it has no game with such a number.
            MemoryError: as in `step`.
        """
        if not isinstance(state, State):
            raise TypeError(f"state must be a State, not {short_repr(state)}")
        if state.rules != self.rules:
            raise ValueError(f"the state has rules {state.rules}, these games have {self.rules}")
        if state._games.device != self.device:
            raise ValueError(f"the state is on {state._games.device}, these games on {self.device}")
        rows = self._rows(games, len(state))
        if len(rows) != self.num_games:
            name = "the state" if games is None else "games"
            raise ValueError(f"{name} must have {self.num_games:,} games, got {len(rows):,}")
        self._take(state._games, rows, branch=games is not None)

    def play_from(self, histories: Sequence[ArrayLike] | NDArray[Any]) -> None:
        """Set every game to the position that its history leads to.

        The random streams stay where they are.

        Args:
            histories: the actions of each game from the start; integers, in lists of any lengths or
                in an array whose rows end with -1 as padding, which may be on the games' GPU.

        Raises:
            TypeError, ValueError: the histories are not integers, or not one per game; or an action
                is illegal, and the message names the game and the move. No game has changed.
            MemoryError: as in `step`.

        Cost: as for the steps.

        >>> games = VectorGame(Rules(), 2)
        >>> games.play_from([[4], [0, 4, 8]])
        >>> games.turn.tolist(), games.ply.tolist()
        ([2, 2], [1, 3])
        """
        fresh, fetched = self._new(self.num_games, "Disabled"), self._device.fetched
        for ply, actions in enumerate(as_histories(fetched(histories), self.num_games).T):
            over = fetched(fresh.done).copy()
            wrong = (over | fetched(fresh.step(actions))) & (actions != -1)
            if wrong.any():
                game = int(wrong.argmax())
                why = "comes after the end of the game" if over[game] else "is illegal"
                raise ValueError(f"game {game}, move {ply}: action {actions[game]} {why}")
        rows = self._rows(None, self.num_games)
        self._games.take(fresh._games, rows, False, 0)

    def symmetric(
        self, observations: NDArray[Any], masks: NDArray[Any], actions: ArrayLike
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]:
        """Apply every symmetry of the board (see `symmetries`) to positions and actions.

        Args:
            observations: any number of observations, shaped as by `observe`, of any type.
            masks: one mask per observation, or a policy: any type with one value per action.
            actions: one per observation; -1 for no action stays -1.

        Returns:
            The three arguments, each with a new first axis: one entry per symmetry, the first of
            which changes nothing. The moved actions lead to the moved observations.

        Raises:
            TypeError, ValueError: an argument has the wrong shape or type, or an action does not
                exist.
        """
        device, xp = self._device, self._device.xp
        found, observations, masks = map(device.array, (actions, observations, masks))
        count = len(found) if found.ndim else 0
        chosen = as_actions(found, count, device=device)
        if count:
            self._check("actions must be", chosen, -1, self.num_actions - 1)
        for name, array, shape in (
            ("observations", observations, (count, *self._shape[1:])),
            ("masks", masks, (count, self.num_actions)),
        ):
            if array.shape != shape:
                raise mismatch(name, array, "an array", shape)
        cells, ways = symmetries(self.rules)
        went = np.argsort(ways, axis=1)
        with device.current:
            cells, ways, went = map(xp.asarray, (cells, ways, went))
            flat = xp.asarray(observations).reshape(count, self.rules.players, self.rules.cells)
            turned = xp.moveaxis(flat[:, :, cells], 2, 0).reshape(len(cells), *observations.shape)
            went = went[:, chosen]
            went[:, chosen == -1] = -1
            return turned, xp.moveaxis(xp.asarray(masks)[:, ways], 1, 0), went

    def _new(self, count: int, autoreset: str) -> "VectorGame":
        """Return new games with the same rules, whose random streams are not seeded."""
        twin = object.__new__(VectorGame)
        twin._open(self.rules, count, autoreset, self._threads, self._device)
        return twin

    def _rows(self, games: ArrayLike | None, count: int) -> NDArray[np.int64]:
        """Return numbers of games, which must be below `count`, in a new array."""
        if games is None:
            with self._device.current:
                every: NDArray[np.int64] = self._device.xp.arange(count)
            return every
        found = self._device.array(games)
        with self._device.current:
            rows = as_actions(found, found.size, "games", self._device).copy()
        if not rows.size:
            raise ValueError("games must contain at least one number")
        self._check("games must be numbers from", rows, 0, count - 1)
        return rows

    def _check(self, demand: str, numbers: NDArray[Any], first: int, last: int) -> None:
        """Raise ValueError unless all are from `first` to `last`; this waits for a GPU."""
        with self._device.current:
            for number in (numbers.min(), numbers.max()):
                if not first <= number <= last:
                    raise ValueError(f"{demand} {first} to {last}, got {number}")

    def _take(self, other: "VectorGame", rows: NDArray[np.int64], *, branch: bool) -> None:
        """Copy these games of another object, with random streams of their own if they branch."""
        self._games.take(other._games, rows, True, BRANCH if branch else 0)

    def _each(self, name: str, values: ArrayLike, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Return an argument with one value of this type per game as a contiguous array."""
        found = self._device.array(values)
        if found.dtype != dtype or found.shape != (self.num_games,):
            raise mismatch(name, found, dtype.name, (self.num_games,))
        moved: NDArray[Any] = self._device.moved(found, dtype)
        return moved

    def _as_views(self, out: Any) -> Any:
        """Return the memory of `out`, after checking that it can hold the observations."""
        return as_output(out, self._device.views, self._shape, self._device)

    def __len__(self) -> int:
        """Return the number of games."""
        return self.num_games

    def __repr__(self) -> str:
        return f"<VectorGame of {self.num_games} games, {self.rules!r}>"


class State:
    """An unchanging copy of the games of a `VectorGame`, for `VectorGame.restore`."""

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
        """Return the number of games."""
        return len(self._games)

    def __repr__(self) -> str:
        return f"<State of {len(self)} games, {self.rules!r}>"


def num_actions(rules: Rules | str) -> int:
    """Return the number of actions: of the cells, or with gravity of the columns.

    >>> num_actions(Rules()), num_actions(Rules.connect_four())
    (9, 7)
    """
    rules = as_rules(rules)
    return rules.cells // rules.shape[0] if rules.gravity else rules.cells


def symmetries(rules: Rules | str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the symmetries of the board, with which one position gives several to learn from.

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


def as_actions(
    actions: Any, count: int, name: str = "actions", device: Any = PROCESSOR
) -> NDArray[np.int64]:
    """Return the actions of `count` games as int64 on the device, raising the errors of `step`.

    Integers too large for int64 become negative, and are therefore illegal.
    """
    found = device.array(actions)
    if found.dtype.kind not in "iu" or found.shape != (count,):
        raise mismatch(name, found, "integers", (count,))
    moved: NDArray[np.int64] = device.moved(found, INT64).view(INT64)  # in the machine's byte order
    return moved


def as_histories(histories: Sequence[ArrayLike] | NDArray[Any], count: int) -> NDArray[np.int64]:
    """Return the histories of `count` games as padded rows, raising the errors of `play_from`."""
    if not isinstance(histories, Sequence | np.ndarray):
        raise TypeError(f"histories must be lists of actions, not {short_repr(histories)}")
    if len(histories) != count:
        raise ValueError(f"there must be {count} histories, one per game, got {len(histories)}")
    rows = [np.asarray(history) for history in histories]
    table = np.full((count, max(row.size for row in rows)), -1)
    for game, row in enumerate(rows):
        if row.ndim != 1 or (row.dtype.kind not in "iu" and row.size):
            raise mismatch(f"histories[{game}]", row, "integers", (row.size,))
        table[game, : row.size] = np.where(row > NO_ACTION, NO_ACTION, row.astype(np.int64))
    over = (table[:, :-1] == -1) & (table[:, 1:] != -1)
    if over.any():
        game, ply = np.argwhere(over)[0].tolist()
        raise ValueError(f"game {game}, move {ply}: action -1 before the end of the history")
    return table


def as_output(out: Any, types: tuple[str, ...], shape: tuple[int, ...], device: Any) -> Any:
    """Return the memory of `out` on the device, after checking that it fits."""
    found = device.output(out)
    if found.dtype.name not in types or not found.dtype.isnative or found.shape != shape:
        raise mismatch("out", found, " or ".join(types), shape)
    if not device.is_usable(found):
        raise ValueError(UNUSABLE)
    return found


def mismatch(name: str, found: NDArray[Any], kind: str, shape: tuple[int, ...]) -> Exception:
    """Return the error for an array of the wrong type or shape."""
    message = f"{name} must be {kind} of shape {shape}, not {found.dtype} of shape {found.shape}"
    return ValueError(message) if found.shape != shape else TypeError(message)
