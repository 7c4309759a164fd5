"""Judging arrays of moves with `noughts.bulk._judge`. Needs ``noughts[batch]``."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from noughts.arguments import MAX_THREADS, thread_count
from noughts.bulk.games import Games, games_of
from noughts.compiled import required
from noughts.extras import require_extra
from noughts.game.rules import VARIANTS, Rules, as_rules

if TYPE_CHECKING:
    from concurrent.futures import Executor

with require_extra("judging many games at once", "NumPy", "batch"):
    import numpy as np
    from numpy.typing import NDArray

BLOCK = 1 << 22  # moves per call of compiled code, unless a single game has more
LEAST = 1 << 18  # moves for which several threads pay on most boards


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """Verdicts on many games, in the order of the games.

    The class supports Arrow's C interface: `pl.DataFrame(verdicts)`, `pa.table(verdicts)` and
    similar calls create tables of these columns without copying.

    Attributes:
        status: int8 indices into `STATUSES`: 0 pending, 1 won, 2 draw, 3 illegal.
        winner: int8 numbers of the winning players; 0 if no player won or the game is illegal.
        ply: int32 numbers of legal moves; in an illegal game, those before the illegal move.
        code: int8 indices into `CODES`: 1 off_board, 2 cell_taken, 3 game_over, 4 floating,
            5 foul; 0 if the game is legal.
    """

    status: NDArray[np.int8]
    winner: NDArray[np.int8]
    ply: NDArray[np.int32]
    code: NDArray[np.int8]

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.status)

    def __getitem__(self, games: slice) -> Verdicts:
        """Return the verdicts on a slice of the games, as views."""
        return Verdicts(*(array[games] for array in self._arrays))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Export the verdicts as a table, by Arrow's C interface."""
        with require_extra("converting verdicts to Arrow", "PyArrow", "batch"):
            import pyarrow as pa
        table = pa.table({name: pa.array(getattr(self, name)) for name in self.__slots__})
        return table.__arrow_c_stream__(requested_schema)

    @property
    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.status, self.winner, self.ply, self.code


def judge(
    moves: object,
    rules: Rules | str = Rules(),  # noqa: B008  # immutable
    *,
    threads: int = 1,
) -> Verdicts:
    """Judge many games of the same rules, each up to its end or its first illegal move.

    A move is the row-major number of its cell, 0 to 8 on a 3×3 board. The verdicts are the
    same as by `Game`. A bad game does not affect the others.

    Args:
        moves: the games, as integers of any width in one of four forms.

            * A NumPy array or other buffer of two dimensions, games × plies. Trailing -1s of a row
              are padding; a -1 before a move is a cell off the board. Unsigned integers have no
              -1, so their games fill the row.
            * A pair (values, offsets) of one-dimensional arrays: the moves of game i are
              values[offsets[i]:offsets[i + 1]]. A -1 is a cell off the board.
            * A list of lists of moves, one per game. A -1 is a cell off the board.
            * A column of lists from any library that supports Arrow's C interface, contiguous or
              chunked, or a table with such a column ``moves``. A -1 or a null is a cell off the
              board; a null game counts as one such move. A reader can be read only once.
        rules: the rules of all games.
        threads: number of threads, 1 to 1,024. Few games are judged on one, since that is faster.

    Raises:
        TypeError: `moves` has another form or is not of integers, or `threads` is not an integer.
        InvalidRecord: the number of dimensions is wrong; an offset is negative, less than the one
            before it or beyond the end; a game has more than 2**31 - 1 plies; or a library cannot
            export its data as Arrow.
        ValueError: `threads` is less than 1 or more than 1,024.
        ModuleNotFoundError: `_judge` was not compiled, or PyArrow is needed and missing.
        MemoryError: there is not enough memory.

    Cost: moves are read in place, with any strides. Only lists, Arrow arrays with nulls, and arrays
    that are misaligned or of foreign byte order are copied. Apart from the verdicts, each thread
    needs up to 24 MiB, or 64 bytes per ply of the longest game if that is more; early draws need
    32 bytes per line with a mark.

    >>> verdicts = judge(np.array([[0, 3, 1, 4, 2], [0, 4, 4, -1, -1]], dtype=np.int8))
    >>> verdicts.status.tolist(), verdicts.ply.tolist()
    ([1, 3], [5, 2])
    """
    rules, threads = as_rules(rules), thread_count(threads)
    return _judge(games_of(moves), rules, threads, None)[0]


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Ends of games, as far as their `Verdicts` do not describe them.

    Attributes:
        winner: int8 numbers of the players who had won the games that go on after their end; 0 for
            a draw, and for all other games.
        lines: int8, the winning lines that judging found, as compiled code encodes them; 0 if there
            are none or they are not known.
    """

    winner: NDArray[np.int8]
    lines: NDArray[np.int8]


def judge_with_ends(batches: list[Games], rules: Rules, threads: int = 1) -> tuple[Verdicts, Ends]:
    """Judge games like `judge`; return also how they ended."""
    lines = np.zeros(sum(map(len, batches)), np.int8)
    verdicts, winner = _judge(batches, rules, threads, lines)
    return verdicts, Ends(winner, lines)


def _judge(
    batches: list[Games], rules: Rules, threads: int, lines: NDArray[np.int8] | None
) -> tuple[Verdicts, NDArray[np.int8]]:
    """Return the verdicts and `Ends.winner`; write `Ends.lines` into `lines` if it is given."""
    compiled = required("noughts.bulk._judge", "judging many games at once")
    count = sum(map(len, batches))
    status, winner, code, ended = (np.empty(count, np.int8) for _ in range(4))
    verdicts = Verdicts(status, winner, np.empty(count, np.int32), code)
    threads = _worth_starting(threads, batches, rules)
    todo = list(_blocks(batches, threads))
    blocks, threads = iter(todo), min(threads, max(1, len(todo)))

    def work() -> None:
        try:
            for games, part in blocks:
                out = (*verdicts[part]._arrays, ended[part])
                known = None if lines is None else lines[part]
                compiled.judge(games.moves, games.offsets, rules, out, known)
        finally:
            deque(blocks, maxlen=0)  # stop all threads after an error or Ctrl-C

    if threads == 1:
        work()
        return verdicts, ended
    from concurrent.futures import wait

    pool = _pool(os.getpid())
    others = [pool.submit(work) for _ in range(threads - 1)]
    try:
        work()  # in this thread, too: it already has a core, while others may first share one
    finally:
        others = [other for other in others if not other.cancel()]
        wait(others)
    for other in others:
        other.result()  # re-raise errors
    return verdicts, ended


def _worth_starting(threads: int, batches: list[Games], rules: Rules) -> int:
    """Return this number of threads, or 1 for so few games that it would be slower.

    With fewer, one thread takes less than a millisecond, and on a busy machine two took longer.
    """
    least = LEAST
    if rules.cells == Rules().cells:
        least *= 8  # judged in rounds
    elif rules.early_draw or VARIANTS[rules.variant].fouls:
        least //= 64  # judged on the board of `Game`
    return threads if sum(batch.size for batch in batches) >= least else 1


@lru_cache(maxsize=1)
def _pool(process: int) -> Executor:
    """Return the threads of this process, which stay: starting them takes five times as long."""
    from concurrent.futures import ThreadPoolExecutor  # slow to import, and rarely needed

    return ThreadPoolExecutor(MAX_THREADS, "judge")


def winning_lines(
    moves: object, rules: Rules | str, verdicts: Verdicts
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the lines that the last moves of won games completed.

    At most 10,000 cells are listed per game, or one line if it is longer.

    Args:
        moves: the games, as for `judge`.
        rules: the rules of all games.
        verdicts: the result of `judge` for these games.

    Returns:
        (lines, offsets), two int64 arrays. The lines of game i, in the order of `Outcome.lines`,
        are lines[offsets[i]:offsets[i + 1]]; each row holds the row-major numbers of k cells.

    Raises:
        ValueError: the verdicts do not belong to these games.
        TypeError, InvalidRecord, ModuleNotFoundError, MemoryError: as for `judge`.

    Cost: O(number of the winners' moves).

    >>> moves = np.array([[0, 3, 1, 4, 2], [0, 4, 1, 2, -1]], dtype=np.int8)
    >>> lines, offsets = winning_lines(moves, Rules(), judge(moves))
    >>> lines.tolist(), offsets.tolist()
    ([[0, 1, 2]], [0, 1, 1])
    """
    return lines_of(games_of(moves), as_rules(rules), verdicts)


def lines_of(
    batches: list[Games], rules: Rules, verdicts: Verdicts, ends: Ends | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find lines like `winning_lines`; with `ends`, in half the time on the 3×3 board."""
    compiled = required("noughts.bulk._judge", "finding the winning lines of many games")
    count = sum(map(len, batches))
    if count != len(verdicts):
        raise ValueError(f"expected verdicts on {count} games, got {len(verdicts)}")
    lines, offsets, done = bytearray(), np.zeros(count + 1, np.int64), 0
    for batch in batches:
        end = done + len(batch)
        winner = np.ascontiguousarray(verdicts.winner[done:end])
        ply = np.ascontiguousarray(verdicts.ply[done:end])
        known = None if ends is None else ends.lines[done:end]
        up_to = offsets[done + 1 : end + 1]
        given = batch.moves, batch.offsets, rules, (winner, ply)
        found = compiled.winning_lines(*given, up_to, known)
        up_to += offsets[done]
        lines = lines + found if lines else found
        done = end
    return np.frombuffer(lines, np.int64).reshape(-1, rules.k), offsets


def _blocks(batches: list[Games], threads: int) -> Iterator[tuple[Games, slice]]:
    """Yield blocks of equally many games, each with the slice of their verdicts.

    Each thread gets several blocks, so that no thread waits long for another. Blocks are short
    enough for Ctrl-C to take effect quickly.
    """
    done = 0
    for batch in batches:
        count = len(batch)
        share = -(-count // (4 * threads)) if threads > 1 else count
        step = max(1, min(share, BLOCK * count // max(1, batch.size)))
        for begin in range(0, count, step):
            end = min(begin + step, count)
            yield batch[begin:end], slice(done + begin, done + end)
        done += count
