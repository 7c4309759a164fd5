# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The lines that the last move of a won game completed; `noughts.bulk.arrays` is the door to it.

On up to 64 cells the winner's marks are a word of bits, and so is each line: `small_lines`. On any
board, no board is needed: seen from the last cell, each other mark of the winner either lies on a
line through it, some steps away in some direction, or does not matter: `winning_lines`.
"""

import cython

if not cython.compiled:
    raise ImportError("noughts.kernels.winning has not been compiled")

from cython.cimports.libc.stdlib import calloc, free, realloc
from cython.cimports.noughts.kernels.games import Integer

MAX_K = 2**20  # eight bytes for each step in each way
MAX_SMALL = 64  # cells whose marks fit in a word
OTHER_GAMES = "the verdicts are not on these games"


def small_lines(
    values: cython.const[Integer][::1],
    offsets: cython.const[cython.longlong][:],
    winner: cython.const[cython.schar][:],
    ply: cython.const[cython.int][:],
    players: cython.int,
    masks: cython.const[cython.ulonglong][:, ::1],
    cells: cython.const[cython.longlong][:, :, ::1],
    ends: cython.longlong[::1],
    found: cython.longlong[:, ::1],
):
    """Find the completed lines of every won game on a board of at most 64 cells.

    How long a game was and what was played decide no branch, since those are guessed wrong so often
    that it would take longer than all the rest.

    Args:
        values: as for `winning_lines`, but of any integer type.
        offsets, winner, ply: as for `winning_lines`.
        players: how many take turns.
        masks: the lines through each cell, by a bit for each of their cells; where there are fewer
            than through others, all bits are set.
        cells: the same by the numbers of their cells, an array of cells × lines × k.
        ends: room for how many lines were found up to the end of each game.
        found: room for the lines, of k cells each; for each won game as many as there may be
            through a cell.

    Returns:
        How many lines were found.

    Raises:
        ValueError: a game's moves are not there, not on the board or complete no line; or there is
            no room.
    """
    squares: cython.ulonglong = masks.shape[0]
    games: cython.Py_ssize_t = offsets.shape[0] - 1
    through: cython.Py_ssize_t = masks.shape[1]
    k: cython.Py_ssize_t = min(cells.shape[2], found.shape[1])
    count: cython.Py_ssize_t = 0
    longest: cython.longlong = 0
    turns: cython.longlong
    _turn: cython.longlong
    game: cython.Py_ssize_t
    begin: cython.longlong
    end: cython.longlong
    plies: cython.longlong
    at: cython.longlong
    line: cython.Py_ssize_t
    cell: cython.ulonglong
    last: cython.ulonglong
    marks: cython.ulonglong
    off_board: cython.bint
    complete = cython.declare(cython.Py_ssize_t[64])
    completed: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    if players < 1 or min(winner.shape[0], ply.shape[0], ends.shape[0]) < games:
        raise ValueError(f"there are no verdicts on all of the {games} games")
    if not 0 < masks.shape[0] <= MAX_SMALL or through > MAX_SMALL:
        raise ValueError(f"no lines on {masks.shape[0]} cells are found here")
    if cells.shape[0] != masks.shape[0] or cells.shape[1] != through:
        raise ValueError("masks and cells are not of the same lines")
    for game in range(games):
        longest = max(longest, ply[game])
    turns = (min(longest, masks.shape[0]) + players - 1) // players
    for game in range(games):
        if winner[game] <= 0:
            ends[game] = count
            continue
        begin, end, plies = offsets[game], offsets[game + 1], ply[game]
        if not (0 <= begin <= end <= values.shape[0] and 1 <= plies <= end - begin):
            raise ValueError(f"{OTHER_GAMES}: the moves of game {game} are not there")
        end = begin + plies - 1
        last = cython.cast(cython.ulonglong, values[end])
        marks = 0
        off_board = last >= squares
        at = end
        for _turn in range(turns):
            cell = cython.cast(cython.ulonglong, values[at])
            off_board |= cell >= squares
            marks |= cython.cast(cython.ulonglong, 1) << (cell & 63)
            at -= players
            at = at if at >= begin else end  # a mark seen twice does no harm
        if off_board:
            raise ValueError(f"{OTHER_GAMES}: game {game} was played on another board")
        completed = 0
        for line in range(through):
            complete[completed] = line  # which stays if the line is complete
            completed += masks[last, line] & ~marks == 0
        if completed == 0:
            raise ValueError(f"{OTHER_GAMES}: the last move of game {game} completes no line")
        if completed > found.shape[0] - count:
            raise ValueError(f"no room for more than {count} lines")
        for i in range(completed):
            for j in range(k):
                found[count, j] = cells[last, complete[i], j]
            count += 1
        ends[game] = count
    return count


def winning_lines(values, offsets, winner, ply, shape: tuple, k: int, players: int, deltas: list):
    """The completed lines of every won game, game by game, in the order of the directions.

    Args:
        values, offsets: the moves of game i are values[offsets[i]:offsets[i + 1]]; buffers of
            int64, the values contiguous.
        winner, ply: the verdicts on the games; buffers of int8 and int32.
        shape, k, players: the rules; k at most 2**20.
        deltas: the directions, each a tuple of -1, 0 and 1 of which the first not 0 is 1.

    Returns:
        One bytes object of int64s, three for each line: its game, its first cell, its direction.

    Raises:
        ValueError: a game's moves are not there. MemoryError: there is no room for the lines.
    """
    finder = _Finder(shape, k, players, deltas)
    finder.search(values, offsets, winner, ply)
    return finder.found[: finder.count * 3 * 8]


@cython.cclass
class _Finder:
    """The rules, the room to work in, and the lines found."""

    sides: cython.int
    stride: cython.longlong[8]
    k: cython.longlong
    players: cython.int
    directions: cython.int
    ways: cython.int  # 3 ** sides: a way is a direction or its opposite, in base 3
    way: cython.pointer[cython.int]  # of each direction
    reach: cython.pointer[cython.longlong]  # of each direction, from a cell's number to the next
    seen: cython.pointer[cython.longlong]  # [way, steps]: the last game whose winner has that cell
    found: cython.pointer[cython.char]
    room: cython.Py_ssize_t
    count: cython.Py_ssize_t

    def __cinit__(self, shape, k, players, deltas):
        if not (1 <= len(shape) <= 8 and min(shape) >= 1 and 1 <= k <= MAX_K and players >= 2):
            raise ValueError(f"no lines of {k} cells on a board of {shape} are found here")
        if any(len(delta) != len(shape) or not {-1, 0, 1}.issuperset(delta) for delta in deltas):
            raise ValueError("a direction is a step of -1, 0 or 1 along each side")
        self.sides, self.k, self.players = len(shape), k, players
        self.directions = len(deltas)
        self.ways = 1
        for _ in shape:
            self.ways *= 3
        self.way = cython.cast(
            cython.pointer[cython.int], calloc(len(deltas) + 1, cython.sizeof(cython.int))
        )
        self.reach = cython.cast(
            cython.pointer[cython.longlong],
            calloc(len(deltas) + 1, cython.sizeof(cython.longlong)),
        )
        self.seen = cython.cast(
            cython.pointer[cython.longlong], calloc(self.ways * k, cython.sizeof(cython.longlong))
        )
        if self.way == cython.NULL or self.reach == cython.NULL or self.seen == cython.NULL:
            raise MemoryError("no room to find lines in")
        stride = 1
        for axis in reversed(range(len(shape))):
            self.stride[axis] = stride
            stride *= shape[axis]
        for i, delta in enumerate(deltas):
            for axis in range(len(shape)):
                self.way[i] = self.way[i] * 3 + delta[axis] + 1
                self.reach[i] += delta[axis] * self.stride[axis]

    def __dealloc__(self):
        free(self.way)
        free(self.reach)
        free(self.seen)
        free(self.found)

    @cython.cfunc
    def search(
        self,
        values: cython.const[cython.longlong][::1],
        offsets: cython.const[cython.longlong][:],
        winner: cython.const[cython.schar][:],
        ply: cython.const[cython.int][:],
    ) -> cython.void:
        games: cython.Py_ssize_t = offsets.shape[0] - 1
        game: cython.Py_ssize_t
        if winner.shape[0] < games or ply.shape[0] < games:
            raise ValueError(f"there are no verdicts on all of the {games} games")
        for game in range(games):
            if winner[game] <= 0:
                continue
            if offsets[game] < 0 or ply[game] < 1 or offsets[game] > values.shape[0] - ply[game]:
                raise ValueError(f"the moves of game {game} are not there")
            self.search_game(game, cython.address(values[offsets[game]]), ply[game])

    @cython.cfunc
    def search_game(
        self,
        game: cython.longlong,
        moves: cython.pointer[cython.const[cython.longlong]],
        plies: cython.Py_ssize_t,
    ) -> cython.void:
        last: cython.longlong = moves[plies - 1]
        direction: cython.int
        behind: cython.longlong
        ahead: cython.longlong
        self.see(game + 1, moves, plies)
        for direction in range(self.directions):
            behind = self.run(game + 1, self.ways - 1 - self.way[direction])
            ahead = self.run(game + 1, self.way[direction])
            while behind + ahead >= self.k - 1:  # as many lines as there are windows of k
                self.keep(game, last - behind * self.reach[direction], direction)
                behind -= 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def see(
        self,
        stamp: cython.longlong,
        moves: cython.pointer[cython.const[cython.longlong]],
        plies: cython.Py_ssize_t,
    ) -> cython.void:
        """Stamp the winner's cells that lie straight from the last one, less than k steps off."""
        last = cython.declare(cython.longlong[8])
        axis: cython.int
        way: cython.longlong
        steps: cython.longlong
        away: cython.longlong
        rest: cython.longlong = moves[plies - 1]
        ply: cython.Py_ssize_t = plies - 1 - self.players
        for axis in range(self.sides):
            last[axis] = rest // self.stride[axis]
            rest -= last[axis] * self.stride[axis]
        while ply >= 0:
            rest = moves[ply]
            way = steps = 0
            for axis in range(self.sides):
                away = rest if self.stride[axis] == 1 else rest // self.stride[axis]
                rest -= away * self.stride[axis]
                away -= last[axis]
                way = way * 3 + 1
                if away != 0:
                    way += 1 if away > 0 else -1
                    away = away if away > 0 else -away
                    steps = away if steps == 0 or steps == away else self.k
            if 0 < steps < self.k:
                self.seen[way * self.k + steps] = stamp
            ply -= self.players

    @cython.cfunc
    @cython.exceptval(check=False)
    def run(self, stamp: cython.longlong, way: cython.longlong) -> cython.longlong:
        """How many cells in a row bear the stamp this way."""
        length: cython.longlong = 0
        while length < self.k - 1 and self.seen[way * self.k + length + 1] == stamp:
            length += 1
        return length

    @cython.cfunc
    def keep(
        self, game: cython.longlong, first: cython.longlong, direction: cython.longlong
    ) -> cython.void:
        line: cython.pointer[cython.longlong]
        more: cython.pointer[cython.char]
        if self.count == self.room:
            more = cython.cast(
                cython.pointer[cython.char],
                realloc(self.found, (2 * self.room + 1024) * 3 * cython.sizeof(cython.longlong)),
            )
            if more == cython.NULL:
                raise MemoryError(f"no room for more than {self.count} lines")
            self.found = more
            self.room = 2 * self.room + 1024
        line = cython.cast(cython.pointer[cython.longlong], self.found) + 3 * self.count
        line[0], line[1], line[2] = game, first, direction
        self.count += 1
