"""Measurement of how the time per move, the construction time and the memory grow with n.

A cost is measured on larger and larger boards until its order is clear or the next board would take
too long. Each measurement is compared with a reference workload, a small solution timed just before
and after it, because other work on the machine slows both equally.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import inf, isnan, log
from time import perf_counter

from noughts.checker.calls import timed
from noughts.checker.report import Complexity
from noughts.checker.solution import Failed, Move, Solution

REPEATS = 3
PASSES = 4  # maximum number of measurements of a cost whose order differs between passes
SECONDS = 0.4  # maximum expected time for the largest board in one pass
BYTES = 160 << 20  # maximum size of a new object while moves are timed
NEAR = 16 << 20  # the same for moves all over the board
WARM = 1 << 20  # objects up to this size stay in the cache, even on a busy machine
MISSES = 300e-9  # about three cache misses: extra time of an O(1) move on a large object
COLD = 1.2e-6  # the same for moves all over the board, which visit several objects in Python
NOISE = 1.1  # a growing cost may seem to fall by this factor from one board to the next
SEEN = 4 << 20  # maximum size of an object whose memory is measured, since all parts are visited
FLAT = 1.8  # a cost that grows by less on boards at least `WIDE` times as large is O(1)
WIDE = 16
STEP = 3.0  # the same on boards `VAST` times as large, where caches overflow
VAST = 8192
CLEAR = 6.0  # a cost that grows by more, as a power of n, needs no larger boards

Games = Callable[[int], list[list[Move]]]  # returns the games whose moves are timed for a given n
Points = dict[int, float]  # the lowest cost measured for each n


def measure(solution: Solution) -> tuple[Complexity, Complexity, Complexity]:
    """Measure how the time per move, the construction time and the memory grow.

    Moves are timed beside lines one short of complete, where no loop can stop early. The function
    ``tictactoe(moves)`` has no n, so nothing is measured for it. Takes one to three seconds.

    Returns:
        The complexity of a move, of the constructor and of an object's memory.

    Raises Failed if the solution crashes, hangs or exceeds a limit.
    """
    if solution.convention.n:
        return Complexity(None), Complexity(None), Complexity(None)
    if solution.language != "Python":  # a just-in-time compiler needs many calls to warm up
        for moves in _lines(64):
            solution.seconds(64, moves, 200)
    timer = _Timer(solution, _sizes(solution, lambda _: [], (16, 64, 256), Complexity(None)))
    try:
        time = _time(timer)
        if time.order != "O(1)":  # confirm it, because other work only makes times longer
            time = min(time, _time(timer), key=lambda complexity: complexity.order or "unknown")
        sides = (32, 64, 128, 256, 512, 1024, 2048, 4096, 16384)
        make = timer.complexity(lambda _: [[]], sides, NEAR)
        if make.order == "O(n)" and timer.new.order == "O(n^2)":  # n² bytes had to be written
            make = Complexity("O(n^2)", make.points)
        return time, make, _memory(timer.solution, time)
    finally:
        if timer.solution is not solution:
            timer.solution.close()


def _time(timer: "_Timer") -> Complexity:
    sides = (4, 8, 16, 32, 64, 128, 256, 512, 1024)
    time = timer.complexity(_lines, sides, NEAR)
    warm = _as_complexity({n: cost for n, cost in time.points if _expected(timer.new, n) <= WARM})
    if _added(time.points) < COLD or (time.order, warm.order) == ("O(n^2)", "O(n)"):
        time = warm
    if time.order == "O(n)":
        full = timer.complexity(_full, (6, 12, 24, 48))
        return Complexity("O(n^2)", full.points) if _is_steep(full.points) else time
    if time.order != "O(n^2)" and time.points and time.points[-1][0] >= 128:
        # Built-ins that loop in C may become visible only on vast boards.
        far = timer.complexity(_far, (256, 512, 1024, 2048, 4096, 8192, 32768, 131072))
        if len(far.points) > 3 and _grown(far.points) >= FLAT and _added(far.points) >= MISSES:
            return Complexity("O(n)", far.points)  # n² would have shown earlier
    return time


class _ReferenceSolution:
    """A reference workload, whose moves always take the same time."""

    def __init__(self, n: int) -> None:
        self.sums = [0] * n

    def move(self, row: int, col: int, player: int) -> int:
        """Count a mark in its row."""
        self.sums[row] += 1 if player == 1 else -1
        return 0


_REFERENCE_MOVES = [(place % 8, 0, 1 + place % 2) for place in range(48)]


class _Timer:
    """A timer for a solution's moves and constructor."""

    def __init__(self, solution: Solution, new: Complexity) -> None:
        self.solution = solution
        self.new = new
        self._pace = self._fastest = inf  # seconds that the reference workload takes
        self._due = 0.0  # time of the next reference measurement

    def _paced(self) -> float:
        """Time the reference workload, spending at most a tenth of all time on it."""
        start = perf_counter()
        if start >= self._due:
            self._pace = timed(
                _ReferenceSolution, lambda game, _: game.move, 8, _REFERENCE_MOVES, 3
            )[1]
            self._fastest = min(self._pace, self._fastest)
            self._due = 10 * perf_counter() - 9 * start
        return self._pace

    def complexity(self, games: Games, sides: Iterable[int], largest: int = BYTES) -> Complexity:
        """Measure how the time per move of these games grows, up to a `largest` object in bytes.

        For games without moves, this is the construction time.
        """
        samples: dict[tuple[int, int], list[float]] = {}  # by n and game, in reference workloads
        found = Complexity(None)
        for _ in range(PASSES):
            self._climb(games, sides, samples, largest)
            costs: Points = {}
            for (n, _), times in samples.items():
                costs[n] = max(_typical(times) * self._fastest, costs.get(n, 0.0))
            before, found = found, _as_complexity(costs)
            if before.order == found.order is not None:
                break
        return found

    def _climb(
        self,
        games: Games,
        sides: Iterable[int],
        samples: dict[tuple[int, int], list[float]],
        largest: int,
    ) -> None:
        """Measure each board once more, until larger boards would add nothing or take too long."""
        costs: Points = {}
        before, played, spent = 1, 1, 0.0  # of the previous board: n, moves, seconds per repeat
        for n in sides:
            asked = games(n)
            moves_ahead = sum(map(len, asked))
            ahead = spent * n / before * max(n / before, moves_ahead / played)
            if _expected(self.new, n) > largest or ahead > SECONDS:
                break
            repeats = max(1, min(REPEATS, int(SECONDS / max(ahead, 1e-3))))
            before, played, spent = n, max(1, moves_ahead), 0.0
            now = self._paced()
            try:
                for game, moves in enumerate(asked):
                    for _ in range(repeats):
                        make, play = self.solution.seconds(n, moves, 1)
                        if isnan(make + play):  # the solution cannot be timed
                            return
                        then, now = now, self._paced()
                        pace = min(then, now)
                        spent += (make + play) / pace * self._fastest / repeats
                        cost = (play / len(moves) if moves else make) / pace
                        samples.setdefault((n, game), []).append(cost)
                    costs[n] = max(_typical(samples[n, game]) * self._fastest, costs.get(n, 0.0))
            except Failed:  # for example, recursion that is too deep
                self.solution.close()
                self.solution = self.solution.fresh()
                break
            if _is_clear(costs):
                break


def _expected(complexity: Complexity, n: int) -> float:
    """Return the expected cost on an n×n board, assuming n² if little is known."""
    if not complexity.points:
        return 16.0 * n * n
    side, cost = complexity.points[-1]
    return cost * (n / side) ** {"O(1)": 0, "O(n)": 1}.get(complexity.order or "", 2)


def _typical(times: Sequence[float]) -> float:
    """Return the lower quartile, because disturbances nearly always make times longer."""
    return sorted(times)[len(times) // 4]


def _as_complexity(costs: Points) -> Complexity:
    """Name the order of times from the last four boards."""
    points = tuple(sorted(costs.items()))
    if len(points) < 4:
        return Complexity(None, points)
    (first, _), *_, (half, less), (last, cost) = points
    if len(points) > 4 and cost / less > (last / half) ** 2.3:  # a jump, as when a cache overflows
        return Complexity(_as_complexity(dict(points[:-1])).order, points)
    if _grown(points) < FLAT:
        return Complexity("O(1)" if last >= WIDE * first else None, points)
    if _grown(points) < CLEAR:  # n² would have grown more
        if last >= VAST * first and _grown(points) < STEP:
            return Complexity("O(1)", points)
        least, latest = min(costs.values()), [cost for _, cost in points[-4:]]
        rises = all(one < NOISE * next_one for one, next_one in pairwise(latest))
        steady = less - least > (cost - least) * half / last / 2 and rises
        return Complexity("O(n)" if steady else None, points)
    linear, square = _misfits(points[-4:])
    squared = square < linear and cost / less > (last / half) ** 1.4
    return Complexity("O(n^2)" if squared else "O(n)", points)


def _grown(points: Sequence[tuple[int, float]]) -> float:
    """Return the ratio of the last cost to the lowest."""
    return points[-1][1] / min(cost for _, cost in points) if points else 0.0


def _added(points: Sequence[tuple[int, float]]) -> float:
    """Return the difference between the last cost and the lowest."""
    return points[-1][1] - min(cost for _, cost in points) if points else 0.0


def _is_steep(points: Sequence[tuple[int, float]]) -> bool:
    """Return whether costs grow faster than n, which a linear cost with a constant never does."""
    if len(points) < 3:
        return False
    (side, cost), _, (last, latest) = points[-3:]
    return latest / cost > last / side


def _is_clear(costs: Points) -> bool:
    """Return whether larger boards would add no information."""
    points = sorted(costs.items())
    if len(points) < 4 or _grown(points) < CLEAR:
        return False
    low, high = sorted(_misfits(points[-4:]))
    return 4 * low < high


def _misfits(points: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """Fit a constant plus a multiple of n, or of n², and return both sums of squared errors."""
    misfits = []
    for power in (1, 2):
        rows = [(1 / cost, n**power / cost) for n, cost in points]
        xx, xy = sum(x * x for x, _ in rows), sum(x * y for x, y in rows)
        yy, x1, y1 = sum(y * y for _, y in rows), sum(x for x, _ in rows), sum(y for _, y in rows)
        both = xx * yy - xy * xy
        constant, factor = (x1 * yy - y1 * xy) / both, (y1 * xx - x1 * xy) / both
        misfits.append(sum((1 - constant * x - factor * y) ** 2 for x, y in rows))
    return misfits[0], misfits[1]


def _memory(solution: Solution, time: Complexity) -> Complexity:
    """Measure memory on full boards and on vast, nearly empty ones, and return the higher order.

    Full boards reveal what is stored per move; vast ones reveal what is stored per line, or even a
    single bit per cell.
    """
    full = _sizes(solution, lambda n: _full(n)[0], (4, 16, 64), time)
    edges = _sizes(solution, _edges, (8, 32, 128, 512, 2048), time)
    return max((full, edges), key=lambda complexity: complexity.order or "")


def _sizes(
    solution: Solution, game: Callable[[int], list[Move]], sides: Iterable[int], time: Complexity
) -> Complexity:
    """Measure how the size of an object grows; each side is four times the previous one.

    Sizes are exact, so their increments determine the order, whatever an empty object takes.
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
        return Complexity(None, points)
    (_, first), (_, second), (_, third) = points[-3:]
    if third - first <= 64:
        return Complexity("O(1)", points)
    power = log((third - second) / (second - first)) / log(4) if first < second < third else 0.0
    order = None if not 0.5 < power < 2.5 else "O(n)" if power < 1.45 else "O(n^2)"
    return Complexity(order, points)


def _lines(n: int) -> list[list[Move]]:
    """Return games that fill lines except for their last cells, so that no loop stops early.

    The lines are rows, columns and diagonals (n is even, so they do not meet), from both ends.
    """
    steps = range(n - 1)
    rows = [move for i in steps for move in ((0, i, 1), (1, i, 2))]
    diagonals = [move for i in steps for move in ((i, i, 1), (i, n - 1 - i, 2))]
    games = [rows, [(col, row, player) for row, col, player in rows], diagonals]
    return games + [[(n - 1 - row, n - 1 - col, who) for row, col, who in game] for game in games]


def _full(n: int) -> list[list[Move]]:
    """Return a full board whose columns are one short of complete, each row half and half."""
    moves: list[Move] = []
    for row in range(n):
        left, right = (1, 2) if row < n - 1 else (2, 1)
        for col in range(n // 2):
            two = [(row, col, left), (row, n // 2 + col, right)]
            moves += two if left == 1 else reversed(two)
    return [moves]


def _far(n: int) -> list[list[Move]]:
    """Return moves in the farthest corner, where bits or texts that encode a line are longest."""
    cols = range(n - 129, n - 1)
    return [[move for col in cols for move in ((n - 1, col, 1), (n - 2, col, 2))]]


def _edges(n: int) -> list[Move]:
    """Return moves along the last column and row, which touch every row and column."""
    cells = [(row, n - 1) for row in range(n)] + [(n - 1, col) for col in range(n - 1)]
    return [(row, col, 1 + place % 2) for place, (row, col) in enumerate(cells)]
