"""Arrays of moves in, arrays of verdicts out. Needs ``noughts[batch]``.

`noughts.bulk._judge` does the work, without the GIL.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from noughts.arguments import integer
from noughts.compiled import required
from noughts.errors import InvalidRecord, shown
from noughts.extras import needing
from noughts.game.rules import Rules

with needing('judging many games at once needs NumPy: pip install "noughts[batch]"'):
    import numpy as np
    from numpy.typing import NDArray

MAX_THREADS = 1024
BLOCK = 1 << 22  # moves judged in one go, or one game if that has more


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """The verdicts on many games, in their order.

    Attributes:
        status: int8, an index of `STATUSES`: 0 pending, 1 won, 2 draw, 3 illegal.
        winner: int8, the player who won; 0 if nobody did or the game is illegal.
        ply: int32, how many legal moves were made, in an illegal game before the illegal one.
        code: int8, an index of `CODES`: 1 off_board, 2 cell_taken, 3 game_over, 4 floating,
            5 foul; 0 if the game is legal.
    """

    status: NDArray[np.int8]
    winner: NDArray[np.int8]
    ply: NDArray[np.int32]
    code: NDArray[np.int8]

    def __len__(self) -> int:
        """How many games were judged."""
        return len(self.status)

    def __getitem__(self, games: slice) -> Verdicts:
        """The verdicts on some of the games, as views."""
        return Verdicts(*(array[games] for array in self._arrays))

    @property
    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.status, self.winner, self.ply, self.code


def judge(moves: object, rules: Rules = Rules(), *, threads: int = 1) -> Verdicts:  # noqa: B008
    """Referee many games of the same rules, each up to its end or its first illegal move.

    A move is the row-major number of its cell, on a 3×3 board 0 to 8. Every verdict is that of
    `Game`; a bad game does not spoil the others.

    Args:
        moves: the games, in one of three forms, of integers of any width.

            * A NumPy array, or another buffer, of two dimensions: games × plies. The -1s at the
              end of a row are not moves; a -1 before a move is a cell off the board. Unsigned
              integers have no -1: their games fill the row.
            * A pair (values, offsets) of arrays of one dimension: the moves of game i are
              values[offsets[i]:offsets[i + 1]]. A -1 is a cell off the board.
            * An Arrow array of lists or large lists, chunked or not, from PyArrow or any library
              with its C interface. A null move is a cell off the board; so is the first move of a
              game that is null.
        rules: what was played, the same in all games.
        threads: how many threads to judge with, up to `MAX_THREADS`; for all cores, their number.

    Raises:
        TypeError: moves is something else, or not of integers; threads is not an integer.
        InvalidRecord: the number of dimensions is wrong; an offset is negative, less than the one
            before it or beyond the end; or a game has more than 2**31 - 1 plies.
        ValueError: threads is less than 1 or more than `MAX_THREADS`.
        ModuleNotFoundError: `_judge` was not compiled, or PyArrow is needed and missing.
        MemoryError: there is not enough memory.

    Cost: moves are read in place, with any strides; copies are made only of arrays that are
    misaligned or of foreign byte order, and of Arrow arrays with nulls. A move on 3×3, and on
    larger squares where a whole side wins, takes a nanosecond or two; on other boards some ten; on
    boards that are vast, or far larger than the games are long, some fifty, and more if a player
    has long runs; early draws and renju take some ten for each line through the cell. Besides the
    verdicts each thread needs up to 24 MiB, or 64 bytes for each ply of the longest game if that is
    more; early draws need 32 bytes for each line with a mark.

    >>> verdicts = judge(np.array([[0, 3, 1, 4, 2], [0, 4, 4, -1, -1]], dtype=np.int8))
    >>> verdicts.status.tolist(), verdicts.ply.tolist()
    ([1, 3], [5, 2])
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {rules!r}")
    threads = integer(threads, "threads")
    if not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"threads must be 1 to {MAX_THREADS:,}, not {shown(threads)}")
    compiled = required("noughts.bulk._judge", "judging many games at once")
    batches = _batches(moves)
    count = sum(map(len, batches))
    status, winner, code = (np.empty(count, np.int8) for _ in range(3))
    verdicts = Verdicts(status, winner, np.empty(count, np.int32), code)
    todo = list(_blocks(batches, verdicts, threads))
    blocks, threads = iter(todo), min(threads, max(1, len(todo)))

    def work() -> None:
        try:
            for games, part in blocks:
                compiled.judge(games.moves, games.offsets, rules, part._arrays)
        finally:
            deque(blocks, maxlen=0)  # after an error or Ctrl-C every thread stops

    if threads == 1:
        work()
        return verdicts
    from concurrent.futures import ThreadPoolExecutor  # slow to import, and seldom needed

    # This thread works too: it has a core already, which new ones may share at first.
    with ThreadPoolExecutor(threads - 1) as pool:
        others = [pool.submit(work) for _ in range(threads - 1)]
        work()
    for other in others:
        other.result()  # raises what was raised there
    return verdicts


def winning_lines(
    moves: object, rules: Rules, verdicts: Verdicts
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The lines that the last moves of won games completed, of up to 10,000 cells in each game.

    Args:
        moves, rules: as for `judge`.
        verdicts: what `judge` returned for them.

    Returns:
        (lines, offsets), two int64 arrays. The lines of game i, in the order of `Outcome.lines`,
        are lines[offsets[i]:offsets[i + 1]]; each row is the row-major numbers of k cells.

    Raises:
        As `judge`; ValueError: the verdicts are not on these games.

    Cost: O(the moves of the winners), some 60 ns a game on 3×3.

    >>> moves = np.array([[0, 3, 1, 4, 2], [0, 4, 1, 2, -1]], dtype=np.int8)
    >>> lines, offsets = winning_lines(moves, Rules(), judge(moves))
    >>> lines.tolist(), offsets.tolist()
    ([[0, 1, 2]], [0, 1, 1])
    """
    compiled = required("noughts.bulk._judge", "finding the winning lines of many games")
    batches = _batches(moves)
    count = sum(map(len, batches))
    if count != len(verdicts):
        raise ValueError(f"there are verdicts on {len(verdicts)} games, not on {count}")
    lines, offsets, done = bytearray(), np.zeros(count + 1, np.int64), 0
    for batch in batches:
        end = done + len(batch)
        winner, ply = verdicts.winner[done:end], verdicts.ply[done:end]
        ends = offsets[done + 1 : end + 1]
        found = compiled.winning_lines(
            *(batch.moves, batch.offsets, rules),
            *((np.ascontiguousarray(winner), np.ascontiguousarray(ply)), ends),
        )
        ends += offsets[done]
        lines = lines + found if lines else found
        done = end
    return np.frombuffer(lines, np.int64).reshape(-1, rules.k), offsets


@dataclass(frozen=True, slots=True)
class _Games:
    """Games in one array: its rows, or the stretches between the offsets if there are any."""

    moves: NDArray[Any]
    offsets: NDArray[Any] | None = None

    def __len__(self) -> int:
        return len(self.moves) if self.offsets is None else len(self.offsets) - 1

    @property
    def size(self) -> int:
        """How many moves there are."""
        if self.offsets is None:
            return self.moves.size
        return int(self.offsets[-1]) - int(self.offsets[0])

    def __getitem__(self, games: slice) -> _Games:
        """Some of the games, as views."""
        if self.offsets is None:
            return _Games(self.moves[games])
        return _Games(self.moves, self.offsets[games.start : games.stop + 1])


def _batches(moves: object) -> list[_Games]:
    """The games, in the pieces in which they are in memory."""
    if isinstance(moves, tuple):
        if len(moves) != 2:
            raise TypeError(f"moves must be a pair (values, offsets), not a tuple of {len(moves)}")
        return [_ragged(*moves)]
    if hasattr(moves, "__arrow_c_array__") or hasattr(moves, "__arrow_c_stream__"):
        return _arrow(moves)
    return [_Games(_integers(moves, 2, "moves"))]


def _integers(array: object, dimensions: int, name: str) -> NDArray[Any]:
    """An array of integers with this many dimensions, in a form that compiled code can read."""
    expected = f"{name} must be an array of integers with {dimensions} dimension"
    expected += "s" if dimensions > 1 else ""
    if not isinstance(array, np.ndarray):
        try:
            array = np.asarray(memoryview(array))  # type: ignore[arg-type]  # that is the question
        except (TypeError, ValueError, NotImplementedError):
            raise TypeError(f"{expected}, not a {type(array).__name__}") from None
    ma = sys.modules.get("numpy.ma")  # slow to import; if nobody has, none is masked
    if isinstance(array, getattr(ma, "MaskedArray", ())):
        raise TypeError(f"{expected}, not a masked one")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{expected}, not of {array.dtype}")
    if array.ndim != dimensions:
        raise InvalidRecord(f"{expected}, not {array.ndim}")
    return np.require(array, array.dtype.newbyteorder("="), "A")


def _ragged(values: object, offsets: object) -> _Games:
    """The games between these offsets."""
    values = _integers(values, 1, "values")
    offsets = _integers(offsets, 1, "offsets")
    if not len(offsets):
        raise InvalidRecord("offsets must be one more than there are games, not none")
    if offsets[0] < 0:
        raise InvalidRecord(f"offsets must not be negative, as offsets[0] = {offsets[0]} is")
    falls = np.flatnonzero(offsets[1:] < offsets[:-1])
    if len(falls):
        i = int(falls[0])
        raise InvalidRecord(
            "offsets must not decrease, but"
            f" offsets[{i}] = {offsets[i]} and offsets[{i + 1}] = {offsets[i + 1]}"
        )
    if offsets[-1] > len(values):
        i = int(np.argmax(offsets > len(values)))
        raise InvalidRecord(
            f"offsets must be at most {len(values)}, the number of values,"
            f" but offsets[{i}] = {offsets[i]}"
        )
    return _Games(values, np.require(offsets, np.int64, ["C", "A"]))


def _arrow(moves: Any) -> list[_Games]:
    """The chunks of an Arrow array of lists."""
    with needing('judging Arrow arrays needs PyArrow: pip install "noughts[batch]"'):
        import pyarrow as pa
    if not isinstance(moves, pa.Array | pa.ChunkedArray):
        is_array = hasattr(moves, "__arrow_c_array__")
        moves = pa.array(moves) if is_array else pa.chunked_array(moves)
    kind = moves.type
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    if not is_list or not pa.types.is_integer(kind.value_type):
        raise TypeError(f"moves must be an Arrow array of lists of integers, not of {kind}")
    chunks = moves.chunks if isinstance(moves, pa.ChunkedArray) else [moves]
    return [_arrow_chunk(chunk) for chunk in chunks]


def _arrow_chunk(chunk: Any) -> _Games:
    """The games of an array of lists; nulls become -1, and games that are null one such move."""
    values = chunk.values  # of the whole buffer; the offsets know about slices
    if chunk.null_count or values.null_count:
        import pyarrow as pa
        import pyarrow.compute as pc  # slow to import, and most arrays do not need it

        kind = pa.large_list(pa.int64())  # larger integers become negative: no cells either
        chunk = pc.coalesce(chunk.cast(kind, safe=False), pa.scalar([-1], kind))
        values = chunk.values.fill_null(-1)
    return _ragged(values.to_numpy(), chunk.offsets.to_numpy())


def _blocks(
    batches: list[_Games], verdicts: Verdicts, threads: int
) -> Iterator[tuple[_Games, Verdicts]]:
    """Blocks of equally many games, and where the verdicts on each block go.

    Each thread has several blocks, so that none waits long for another; and no block is so long
    that Ctrl-C has to wait.
    """
    done = 0
    for batch in batches:
        count = len(batch)
        share = -(-count // (4 * threads)) if threads > 1 else count
        step = max(1, min(share, BLOCK * count // max(1, batch.size)))
        for begin in range(0, count, step):
            end = min(begin + step, count)
            yield batch[begin:end], verdicts[done + begin : done + end]
        done += count
