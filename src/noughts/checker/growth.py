"""How the time of a move, of making an object, and the memory grow with n.

A cost is measured on larger and larger boards until its order is clear, or until the next board
would take too long. Times are measured against a yardstick, a small solution that is timed before
and after: a machine that other work makes slower for a while makes both slower.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import inf, isnan, log
from time import perf_counter

from noughts.checker.calls import timed
from noughts.checker.findings import Growth
from noughts.checker.solution import Failed, Move, Solution

REPEATS = 3
PASSES = 4  # a cost whose order is not the same twice is measured again, so often at most
SECONDS = 0.4  # what the largest board is expected to take in a pass, at most
BYTES = 160 << 20  # what a new object may take while moves are timed
NEAR = 16 << 20  # what it may take where moves go all over the board
WARM = 1 << 20  # what stays in a cache, even of a busy machine
MISSES = 300e-9  # what three misses of the cache cost: on a larger object a move may take
COLD = 1.2e-6  # so much longer, and still be O(1); in Python it visits several objects
NOISE = 1.1  # what a cost may seem to fall by from one board to the next, though it grows
SEEN = 4 << 20  # what an object may take while it is measured: that visits all its parts
FLAT = 1.8  # what has grown less on boards `WIDE` times as large, or larger, is O(1)
WIDE = 16
STEP = 3.0  # what has grown less on boards `VAST` times as large is O(1): a cache has ended
VAST = 8192
CLEAR = 6.0  # what has grown more, and as a power of n, need not be followed further

_MADE = (32, 64, 128, 256, 512, 1024, 2048, 4096, 16384)

Games = Callable[[int], list[list[Move]]]
"""For an n, the games whose moves are timed."""

Points = dict[int, float]
"""For each n, the least cost measured."""


def measure(solution: Solution) -> tuple[Growth, Growth, Growth]:
    """How the time of a move, of making an object, and the memory grow.

    The time is that of moves beside lines one short of complete, where no loop stops early. For
    ``tictactoe(moves)`` there is no n, and nothing grows. Takes one to three seconds.
    """
    if solution.problem == "tictactoe":
        return Growth(None), Growth(None), Growth(None)
    if solution.language != "Python":  # others may compile what is called often, and only then
        for moves in _lines(64):
            solution.seconds(64, moves, 200)
    timer = _Timer(solution, _sizes(solution, lambda _: [], (16, 64, 256), Growth(None)))
    try:
        time = _time(timer)
        if time.order != "O(1)":  # measured anew before it is said: other work makes a time longer
            time = min(time, _time(timer), key=lambda growth: growth.order or "unknown")
        make = timer.growth(lambda _: [[]], _MADE, NEAR)
        if make.order == "O(n)" and timer.new.order == "O(n^2)":  # so much had to be written
            make = Growth("O(n^2)", make.points)
        return time, make, _memory(timer.solution, time)
    finally:
        if timer.solution is not solution:
            timer.solution.close()


def _time(timer: "_Timer") -> Growth:
    """How the time of a move grows."""
    sides = (4, 8, 16, 32, 64, 128, 256, 512, 1024)
    time = timer.growth(_lines, sides, NEAR)
    warm = _as_growth({n: cost for n, cost in time.points if _expected(timer.new, n) <= WARM})
    if _added(time.points) < COLD or (time.order, warm.order) == ("O(n^2)", "O(n)"):
        time = warm
    if time.order == "O(n)":
        full = timer.growth(_full, (6, 12, 24, 48))
        return Growth("O(n^2)", full.points) if _is_steep(full.points) else time
    if time.order != "O(n^2)" and time.points and time.points[-1][0] >= 128:
        # Built-ins that loop in C may show on vast boards alone.
        far = timer.growth(_far, (256, 512, 1024, 2048, 4096, 8192, 32768, 131072))
        if len(far.points) > 3 and _grown(far.points) >= FLAT and _added(far.points) >= MISSES:
            return Growth("O(n)", far.points)  # n squared would have shown before
    return time


class _Yardstick:
    """A solution whose moves always take the same."""

    def __init__(self, n: int) -> None:
        self.sums = [0] * n

    def move(self, row: int, col: int, player: int) -> int:
        """Count a mark in its row."""
        self.sums[row] += 1 if player == 1 else -1
        return 0


_YARD = [(place % 8, 0, 1 + place % 2) for place in range(48)]


class _Timer:
    """Times the moves of a solution, and the making of its objects."""

    def __init__(self, solution: Solution, new: Growth) -> None:
        self.solution = solution
        self.new = new
        self._pace = self._fastest = inf  # what the yardstick takes, in seconds
        self._due = 0.0  # when it is to be timed again

    def _paced(self) -> float:
        """How long the yardstick takes now; a tenth of the time goes into it, at most."""
        start = perf_counter()
        if start >= self._due:
            self._pace = timed(_Yardstick, 8, _YARD, 3)[1]
            self._fastest = min(self._pace, self._fastest)
            self._due = 10 * perf_counter() - 9 * start
        return self._pace

    def growth(self, games: Games, sides: Iterable[int], room: int = BYTES) -> Growth:
        """How the time of a move in these games grows on boards with these sides.

        Of games without a move, it is the time to make an object. A new object may take `room`
        bytes.
        """
        told: dict[tuple[int, int], list[float]] = {}  # of each n, of each game: in yardsticks
        found = Growth(None)
        for _ in range(PASSES):
            self._climb(games, sides, told, room)
            costs: Points = {}
            for (n, _), times in told.items():
                costs[n] = max(_typical(times) * self._fastest, costs.get(n, 0.0))
            before, found = found, _as_growth(costs)
            if before.order == found.order is not None:
                break
        return found

    def _climb(
        self,
        games: Games,
        sides: Iterable[int],
        told: dict[tuple[int, int], list[float]],
        room: int,
    ) -> None:
        """Measure each board once more, as long as it is worth it."""
        costs: Points = {}
        before, played, spent = 1, 1, 0.0  # of the board before: its n, moves, seconds a repeat
        for n in sides:
            asked = games(n)
            moves_ahead = sum(map(len, asked))
            ahead = spent * n / before * max(n / before, moves_ahead / played)
            if _expected(self.new, n) > room or ahead > SECONDS:
                break
            repeats = max(1, min(REPEATS, int(SECONDS / max(ahead, 1e-3))))
            before, played, spent = n, max(1, moves_ahead), 0.0
            now = self._paced()
            try:
                for game, moves in enumerate(asked):
                    for _ in range(repeats):
                        make, play = self.solution.seconds(n, moves, 1)
                        if isnan(make + play):  # it cannot be measured
                            return
                        then, now = now, self._paced()
                        pace = min(then, now)
                        spent += (make + play) / pace * self._fastest / repeats
                        cost = (play / len(moves) if moves else make) / pace
                        told.setdefault((n, game), []).append(cost)
                    costs[n] = max(_typical(told[n, game]) * self._fastest, costs.get(n, 0.0))
            except Failed:  # as a recursion that is too deep may
                self.solution.close()
                self.solution = self.solution.fresh()
                break
            if _is_clear(costs):
                break


def _expected(growth: Growth, n: int) -> float:
    """What a cost is expected to be on this board; it is n squared if little is known."""
    if not growth.points:
        return 16.0 * n * n
    side, cost = growth.points[-1]
    return cost * (n / side) ** {"O(1)": 0, "O(n)": 1}.get(growth.order or "", 2)


def _typical(times: Sequence[float]) -> float:
    """The lower quartile: what disturbs a time nearly always makes it longer."""
    return sorted(times)[len(times) // 4]


def _as_growth(costs: Points) -> Growth:
    """Name the order of times, by the last four boards."""
    points = tuple(sorted(costs.items()))
    if len(points) < 4:
        return Growth(None, points)
    (first, _), *_, (half, less), (last, cost) = points
    if len(points) > 4 and cost / less > (last / half) ** 2.3:  # a step, as at the end of a cache
        return Growth(_as_growth(dict(points[:-1])).order, points)
    if _grown(points) < FLAT:
        return Growth("O(1)" if last >= WIDE * first else None, points)
    if _grown(points) < CLEAR:  # n squared would have grown more
        if last >= VAST * first and _grown(points) < STEP:
            return Growth("O(1)", points)
        least, latest = min(costs.values()), [cost for _, cost in points[-4:]]
        rises = all(one < NOISE * next_one for one, next_one in pairwise(latest))
        steady = less - least > (cost - least) * half / last / 2 and rises
        return Growth("O(n)" if steady else None, points)
    linear, square = _misfits(points[-4:])
    squared = square < linear and cost / less > (last / half) ** 1.4
    return Growth("O(n^2)" if squared else "O(n)", points)


def _grown(points: Sequence[tuple[int, float]]) -> float:
    """How many times the least cost the last one is."""
    return points[-1][1] / min(cost for _, cost in points) if points else 0.0


def _added(points: Sequence[tuple[int, float]]) -> float:
    """How much more than the least cost the last one is."""
    return points[-1][1] - min(cost for _, cost in points) if points else 0.0


def _is_steep(points: Sequence[tuple[int, float]]) -> bool:
    """Whether costs grow faster than n; what grows as n does, besides a constant, grows slower."""
    if len(points) < 3:
        return False
    (side, cost), _, (last, latest) = points[-3:]
    return latest / cost > last / side


def _is_clear(costs: Points) -> bool:
    """Whether larger boards would tell nothing new."""
    points = sorted(costs.items())
    if len(points) < 4 or _grown(points) < CLEAR:
        return False
    low, high = sorted(_misfits(points[-4:]))
    return 4 * low < high


def _misfits(points: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """How far a constant and a multiple of n, or of n squared, are from these costs at best.

    The sums of the squares of the relative errors, by least squares.
    """
    misfits = []
    for power in (1, 2):
        rows = [(1 / cost, n**power / cost) for n, cost in points]
        xx, xy = sum(x * x for x, _ in rows), sum(x * y for x, y in rows)
        yy, x1, y1 = sum(y * y for _, y in rows), sum(x for x, _ in rows), sum(y for _, y in rows)
        both = xx * yy - xy * xy
        constant, factor = (x1 * yy - y1 * xy) / both, (y1 * xx - x1 * xy) / both
        misfits.append(sum((1 - constant * x - factor * y) ** 2 for x, y in rows))
    return misfits[0], misfits[1]


def _memory(solution: Solution, time: Growth) -> Growth:
    """The highest order of two: of full boards, and of vast boards that are nearly empty.

    Small boards may be full: that shows what is kept for each move. Vast ones show what is kept
    for each line, though it be a bit for each cell.
    """
    full = _sizes(solution, lambda n: _full(n)[0], (4, 16, 64), time)
    edges = _sizes(solution, _edges, (8, 32, 128, 512, 2048), time)
    return max((full, edges), key=lambda growth: growth.order or "")


def _sizes(
    solution: Solution, game: Callable[[int], list[Move]], sides: Iterable[int], time: Growth
) -> Growth:
    """How the size of an object grows; each side is four times the one before.

    Sizes are exact, so what they grow by tells the order, whatever an empty object takes.
    """
    sizes: Points = {}
    for n in sides:
        moves = game(n)
        late = moves and time.points and len(moves) * _expected(time, n) > SECONDS
        if late or 16 * max(sizes.values(), default=0) > SEEN:
            break
        size = solution.size(n, moves)
        if size is None:
            break
        sizes[n] = size
    points = tuple(sizes.items())
    if len(points) < 3:
        return Growth(None, points)
    (_, first), (_, second), (_, third) = points[-3:]
    if third - first <= 64:
        return Growth("O(1)", points)
    power = log((third - second) / (second - first)) / log(4) if first < second < third else 0.0
    order = None if not 0.5 < power < 2.5 else "O(n)" if power < 1.45 else "O(n^2)"
    return Growth(order, points)


def _lines(n: int) -> list[list[Move]]:
    """Games in which each player fills a line but for its last cell: no loop along it stops early.

    Rows, columns and diagonals (n is even, so they do not meet), each from both its ends.
    """
    steps = range(n - 1)
    rows = [move for i in steps for move in ((0, i, 1), (1, i, 2))]
    diagonals = [move for i in steps for move in ((i, i, 1), (i, n - 1 - i, 2))]
    games = [rows, [(col, row, player) for row, col, player in rows], diagonals]
    return games + [[(n - 1 - row, n - 1 - col, who) for row, col, who in game] for game in games]


def _full(n: int) -> list[list[Move]]:
    """A full board: all columns are one short of complete, all rows half one player's."""
    moves: list[Move] = []
    for row in range(n):
        left, right = (1, 2) if row < n - 1 else (2, 1)
        for col in range(n // 2):
            two = [(row, col, left), (row, n // 2 + col, right)]
            moves += two if left == 1 else reversed(two)
    return [moves]


def _far(n: int) -> list[list[Move]]:
    """Moves in the corner farthest from the origin, where bits and texts of a line are longest."""
    cols = range(n - 129, n - 1)
    return [[move for col in cols for move in ((n - 1, col, 1), (n - 2, col, 2))]]


def _edges(n: int) -> list[Move]:
    """The last column and the last row, the players in turn: it touches every row and column."""
    cells = [(row, n - 1) for row in range(n)] + [(n - 1, col) for col in range(n - 1)]
    return [(row, col, 1 + place % 2) for place, (row, col) in enumerate(cells)]
