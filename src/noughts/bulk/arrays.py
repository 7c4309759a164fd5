"""Arrays of moves in, arrays of verdicts out. Needs ``noughts[batch]``.

`noughts.bulk._judge` does the work, without the GIL.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from noughts.arguments import thread_count
from noughts.bulk.games import Games, games_of
from noughts.compiled import required
from noughts.extras import require_extra
from noughts.game.rules import Rules, as_rules

with require_extra("judging many games at once", "NumPy", "batch"):
    import numpy as np
    from numpy.typing import NDArray

BLOCK = 1 << 22  # moves judged in one go, or one game if that has more


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """The verdicts on many games, in their order.

    They speak Arrow's C interface: `pl.DataFrame(verdicts)`, `pa.table(verdicts)` and the like are
    tables of these columns, without a copy.

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

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The verdicts as a table, for any library that speaks Arrow's C interface."""
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
    """Referee many games of the same rules, each up to its end or its first illegal move.

    A move is the row-major number of its cell, on a 3×3 board 0 to 8. Every verdict is that of
    `Game`; a bad game does not spoil the others.

    Args:
        moves: the games, in one of four forms, of integers of any width.

            * A NumPy array, or another buffer, of two dimensions: games × plies. The -1s at the
              end of a row are not moves; a -1 before a move is a cell off the board. Unsigned
              integers have no -1: their games fill the row.
            * A pair (values, offsets) of arrays of one dimension: the moves of game i are
              values[offsets[i]:offsets[i + 1]]. A -1 is a cell off the board.
            * A list with the list of each game's moves. A -1 is a cell off the board.
            * A column of lists from any library that speaks Arrow's C interface, in one piece or in
              chunks, or a table with such a column ``moves``. A -1 or a null is a cell off the
              board; so is the first move of a game that is null. A reader can be read only once.
        rules: what was played, the same in all games.
        threads: how many threads to judge with, up to 1,024; for all cores, their number.

    Raises:
        TypeError: moves is something else, or not of integers; threads is not an integer.
        InvalidRecord: the number of dimensions is wrong; an offset is negative, less than the one
            before it or beyond the end; a game has more than 2**31 - 1 plies; or a library cannot
            give its data as Arrow's.
        ValueError: threads is less than 1 or more than 1,024.
        ModuleNotFoundError: `_judge` was not compiled, or PyArrow is needed and missing.
        MemoryError: there is not enough memory.

    Cost: moves are read in place, with any strides; copies are made only of arrays that are
    misaligned or of foreign byte order, of Arrow arrays with nulls, and of lists, which takes some
    ten nanoseconds a move. A move on 3×3, and on
    larger squares where a whole side wins, takes a nanosecond or two; on other boards some ten; on
    boards that are vast, or far larger than the games are long, some fifty, and more if a player
    has long runs; early draws and renju take some ten for each line through the cell. Besides the
    verdicts each thread needs up to 24 MiB, or 64 bytes for each ply of the longest game if that is
    more; early draws need 32 bytes for each line with a mark.

    >>> verdicts = judge(np.array([[0, 3, 1, 4, 2], [0, 4, 4, -1, -1]], dtype=np.int8))
    >>> verdicts.status.tolist(), verdicts.ply.tolist()
    ([1, 3], [5, 2])
    """
    rules = as_rules(rules)
    threads = thread_count(threads)
    compiled = required("noughts.bulk._judge", "judging many games at once")
    batches = games_of(moves)
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
    moves: object, rules: Rules | str, verdicts: Verdicts
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
    rules = as_rules(rules)
    compiled = required("noughts.bulk._judge", "finding the winning lines of many games")
    batches = games_of(moves)
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


def _blocks(
    batches: list[Games], verdicts: Verdicts, threads: int
) -> Iterator[tuple[Games, Verdicts]]:
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
