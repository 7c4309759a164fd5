"""Measurement of how the time per move, the construction time and the memory grow with n.

A cost is measured on three board sizes in rounds. Each round times all three, one after another, so
that other work on the machine and just-in-time compilers affect them equally. The shortest time of
each size counts, because disturbances only make times longer. An order is named only if it follows
from all rounds, from the first half and from the second half, also from lower quartiles instead of
shortest times, and whatever the error of the clock.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from math import gcd, inf, isnan, log

from noughts.checker.report import Complexity
from noughts.checker.solution import Failed, Move, Solution

ROUNDS = (8, 16, 32)  # numbers of rounds after which an order may be named
SECONDS = 0.25  # maximum expected time of one round
ENOUGH = 1.5  # seconds after which no further rounds are added
QUICK = 0.005  # maximum time of a size that is timed several times while climbing
REPEATS = 3  # maximum number of runs of a game in one round
PLAYING = 1.0  # maximum expected time of the moves before an object's memory is measured
SEEN = 4 << 20  # maximum size in bytes of an object whose memory is measured: all parts are visited
SHARP = 1.2  # maximum ratio of the bounds that the clock's error gives to a cost
CLOCK = 0.1  # part of the time for reading the clock by which a measured time may be wrong

# Maximum sizes of a new object: one that stays in the cache even on a busy machine, one for moves
# all over the board, and one for moves in a corner
WARM, NEAR, VAST = 1 << 20, 16 << 20, 160 << 20
SMALL = 128 << 10  # maximum size for O(n²): larger objects overflow the fastest cache
# Additional seconds of an O(1) move on such objects that cache misses may explain. A move anywhere
# on a board visits several objects in Python.
MISSES = {WARM: 100e-9, NEAR: 1.2e-6, VAST: 300e-9}
FEW_MISSES = 50e-9  # additional seconds of a move in a corner that are not worth a doubt

FLAT = 1.4  # maximum ratio between costs that are O(1)
RISING = 2.0  # minimum ratio between costs that are O(n) or O(n²)
VISIBLE = 0.25  # minimum growth from the first size to the second, as part of the second cost
ERROR = 0.4  # maximum error of the power with which increments per n grow: 0 for O(n), 1 for O(n²)
STEEP = 1.25  # minimum ratio between a cost that is O(n²) and one that would be O(n)
FULL = 1.0, 1.1  # powers of n on full boards: below the first O(n), above the second O(n²)

# Board sizes to climb: about doubled each time, even, and no powers of two, whose columns share few
# places in a cache
SIDES = [(2 << power) + 2 for power in range(17)]

Games = Callable[[int], list[list[Move]]]  # returns the games whose moves are timed for a given n
Times = dict[int, list[float]]  # the shortest time of each game, by n
Costs = dict[int, float]  # by n
Rule = Callable[[Costs], str | None]  # names the order of three costs; None if it is not clear


def measure(
    solution: Solution, patience: float = 1.0, progress: Callable[[], None] = lambda: None
) -> tuple[Complexity, Complexity, Complexity]:
    """Measure how the time per move, the construction time and the memory grow.

    Moves are timed beside lines one short of complete, where no loop can stop early. Nothing is
    measured for solutions that judge whole games or boards of one size, because they have no n.

    Args:
        solution: the solution to measure.
        patience: a factor for the number of rounds and the time that each may take.
        progress: called before each round.

    Returns:
        The complexity of a move, of the constructor and of an object's memory. Its order is None
        unless the evidence is overwhelming.

    Raises:
        Failed: the solution crashes, hangs or exceeds a limit.
    """
    if solution.convention.n or solution.convention.whole:
        return Complexity(None), Complexity(None), Complexity(None)
    if solution.language != "Python":  # a just-in-time compiler needs many calls to warm up
        for moves in _lines(18):
            solution.seconds(18, moves, 200)
    new = _sizes(solution, lambda _: [], (4, 16, 64, 256), Complexity(None))
    meter = _Meter(solution, new, patience, progress)
    try:
        time = _time(meter)
        make = meter.growth(lambda _: [[]], SIDES[3:], WARM)
        if new.order == "O(n^2)" and make.points and make.order != "O(1)":
            make = Complexity("O(n^2)", make.points)  # n² bytes were written
        elif make.order == "O(n^2)":  # more likely, it was the allocator
            make = Complexity(None, make.points)
        return time, make, _memory(meter.solution, time)
    finally:
        if meter.solution is not solution:
            meter.solution.close()


def _time(meter: "_Meter") -> Complexity:
    """Measure the time per move on lines, then on the boards that could contradict the result."""
    sides = SIDES[:14]
    time = lines = meter.growth(_lines, sides, WARM, enough=512)
    if time.order in ("O(1)", None) and meter.bytes(sides[-1]) > WARM:
        lines = meter.growth(_lines, sides, NEAR)
        if lines.order == "O(n)":
            time = lines
        elif lines.order != "O(1)" and _added(lines) > MISSES[NEAR]:
            time = Complexity(None, lines.points)
    if time.order == "O(n)":
        # Loops over the whole board may stop early unless it is full.
        full = meter.growth(_full, (8, 12, 16, 24, 32, 48), WARM, rule=_order_on_full_boards)
        return time if full.order == "O(n)" else full
    if time.order == "O(1)":
        # Built-ins that loop in C may become visible only on vast boards; n² is visible earlier.
        sides = [n for n in SIDES[6:] if meter.bytes(n) <= VAST][-6:]
        rule = partial(_order_of_increments, misses=MISSES[VAST], linear=1.0)
        vast = meter.growth(_far, sides, VAST, rule=rule)
        if len(vast.points) < 5:  # its objects are too large, or its moves too slow
            return time if lines.points[-1][0] >= 128 else Complexity(None, time.points)
        if vast.order != "O(1)" and _added(vast) > FEW_MISSES:
            return vast
    return time


class _Meter:
    """A stopwatch for a solution's moves and constructor.

    Args:
        solution: the solution to measure.
        new: the sizes of its new objects.
        patience: see `measure`.
        progress: see `measure`.
    """

    def __init__(
        self, solution: Solution, new: Complexity, patience: float, progress: Callable[[], None]
    ) -> None:
        self.solution = solution
        self._new = new
        self._patience = patience
        self._progress = progress
        self._idle = inf  # shortest time measured without moves, which is that of the clock itself
        self._step = 0  # of the clock, in nanoseconds: the greatest common divisor of all times
        self._spent = 0.0  # seconds in which the solution was timed

    def bytes(self, n: int) -> float:
        """Return the expected size of a new object for an n×n board."""
        return _expected(self._new, n)

    def growth(
        self,
        games: Games,
        sides: Sequence[int],
        largest: int,
        *,
        enough: int | None = None,
        rule: Rule | None = None,
    ) -> Complexity:
        """Measure how the time per move of these games grows.

        Args:
            games: the games; if they have no moves, the construction is timed.
            sides: board sizes to climb until the order seems clear. The last one reached, the one
                two before it and the one four before it are then measured in rounds.
            largest: the maximum size of a new object, in bytes.
            enough: the board size up to which a cost must be constant to seem clear.
            rule: names the order from the three costs; by default from their increments.
        """
        games = lru_cache(games)
        rule = rule or partial(_order_of_increments, misses=MISSES[largest])
        climbed, chosen, measured = Times(), Times(), Times()
        order, points = None, Costs()
        for n, found in self._climb(games, sides, largest):
            climbed[n] = found
            points |= self._costs(games, {n: found})
            if len(climbed) < 5:
                continue
            chosen = {n: climbed[n] for n in [*climbed][-5::2]}
            first, _, third = self._costs(games, chosen).values()
            rises = third > RISING * first
            stays = n >= (enough or sides[-1]) and self._is_sharp(games, chosen)
            if rises or stays:
                measured = chosen
                order, times = self._measured(rule, games, [*chosen])
                points |= self._costs(games, times)
                if order == "O(1)" and n < (enough or sides[-1]):
                    order = None  # larger boards may show more
                if order or (stays and self._is_sharp(games, times)):
                    break
        if len(climbed) > 4 and chosen is not measured:
            order, times = self._measured(rule, games, [*chosen])
            points |= self._costs(games, times)
        return Complexity(order, tuple(points.items()))

    def _climb(
        self, games: Games, sides: Sequence[int], largest: int
    ) -> Iterator[tuple[int, list[float]]]:
        """Time each size once, until the next one would take too long."""
        before = spent = 0.0
        for n in sides:
            ahead = spent * min(10.0, spent / before) if before else 0.0
            if self.bytes(n) > largest or ahead > SECONDS * self._patience:
                return
            start = self._spent
            try:
                self._idle = min(self._idle, self._seconds(n, [], REPEATS)[1])
                found = self._round(games, [n], REPEATS if spent < QUICK else 1)[n]
            except Failed:  # for example, recursion that is too deep
                self._renew()
                return
            if isnan(sum(found)):  # the solution cannot be timed
                return
            before, spent = spent, self._spent - start
            yield n, found

    def _measured(self, rule: Rule, games: Games, sides: Sequence[int]) -> tuple[str | None, Times]:
        """Measure these sizes in rounds until their order is clear; return it with the times."""
        rounds, repeats, start = list[Times](), 1, self._spent
        for wanted in ROUNDS:
            while len(rounds) < wanted * self._patience:
                before = self._spent
                rounds.append(self._round(games, sides, repeats))
                spent = (self._spent - before) / repeats
                repeats = int(min(REPEATS, max(1, SECONDS / 4 / max(spent, 1e-9))))
            order = self._order(rule, games, rounds)
            if order or self._spent - start > ENOUGH * self._patience:
                break
        return order, _summary(rounds, min)

    def _round(self, games: Games, sides: Sequence[int], repeats: int) -> Times:
        """Time each game on each of these sizes, one size after another."""
        self._progress()
        found: Times = {n: [] for n in sides}
        for game in zip(*map(games, sides), strict=True):
            for n, moves in zip(sides, game, strict=True):
                make, play = self._seconds(n, moves, repeats)
                found[n].append(play if moves else make)
        return found

    def _renew(self) -> None:
        """Start the solution again."""
        self.solution.close()
        self.solution = self.solution.fresh()

    def _seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        """Return the shortest times to create an object and to play the moves."""
        try:
            make, play = self.solution.seconds(n, moves, repeats)
        except Failed:  # earlier objects, which it did not free, may have filled its memory
            self._renew()
            make, play = self.solution.seconds(n, moves, repeats)
        if not isnan(make + play):
            self._spent += (make + play) * repeats
            self._step = gcd(self._step, round(make * 1e9), round(play * 1e9))
        return make, play

    def _costs(self, games: Games, times: Times, error: float = 0.0) -> Costs:
        """Return the seconds per move, or per construction, in the worst game on each size.

        `error` is the share of the clock's error to add, from -1 to 1.
        """
        wrong = self._idle - error * (CLOCK * self._idle + self._step * 1e-9)
        return {
            n: max((time - wrong) / (len(moves) or 1)
                   for time, moves in zip(each, games(n), strict=True))
            for n, each in times.items()
        }  # fmt: skip

    def _is_sharp(self, games: Games, times: Times) -> bool:
        """Return whether the error of the clock is small in comparison with these times."""
        low, high = (self._costs(games, times, error) for error in (-1, 1))
        return all(high[n] < SHARP * low[n] for n in times)

    def _order(self, rule: Rule, games: Games, rounds: Sequence[Times]) -> str | None:
        """Return the order that follows from the rounds, from each half and within all errors."""
        half = len(rounds) // 2
        summaries = [
            _summary(part, typical)
            for part in (rounds, rounds[:half], rounds[half:])
            for typical in (min, _quartile)
        ]
        orders = {
            rule(self._costs(games, times, error)) for times in summaries for error in (-1, 1)
        }
        order = orders.pop() if len(orders) == 1 else None
        # Larger boards overflow the fastest cache, which makes O(n) look steeper.
        return None if order == "O(n^2)" and self.bytes(max(rounds[0])) > SMALL else order


def _quartile(times: Iterable[float]) -> float:
    """Return the lower quartile."""
    ordered = sorted(times)
    return ordered[len(ordered) // 4]


def _summary(rounds: Sequence[Times], typical: Callable[[Iterable[float]], float]) -> Times:
    """Return the shortest, or otherwise typical, time of each game in these rounds, by n."""
    return {
        n: [typical(times) for times in zip(*(each[n] for each in rounds), strict=True)]
        for n in rounds[0]
    }


def _order_of_increments(costs: Costs, misses: float, linear: float = ERROR) -> str | None:
    """Name the order of costs on three sizes from how their increments grow.

    A constant part of the cost does not change its increments.

    Args:
        costs: the costs.
        misses: additional seconds that cache misses may explain.
        linear: the maximum error of the power for O(n).
    """
    (small, first), (middle, second), (large, third) = costs.items()
    least = min(first, second, third)
    if least <= 0:
        return None
    if max(first, second, third) < FLAT * least:
        return "O(1)"
    if third - first < misses or third < RISING * first or second - first < VISIBLE * second:
        return None
    # Per unit of n, the increments of a linear cost are equal; those of n² grow like these sums.
    slopes = (second - first) / (middle - small), max(third - second, 0.0) / (large - middle)
    growth = log(max(slopes[1] / slopes[0], 1e-9), (large + middle) / (middle + small))
    if abs(growth) < linear:
        return "O(n)"
    steep = third / second > STEEP * large / middle  # a linear cost never grows by more than n
    return "O(n^2)" if abs(growth - 1) < ERROR and steep else None


def _order_on_full_boards(costs: Costs) -> str | None:
    """Name the order of costs on full boards, which are O(n) or O(n²).

    A linear cost with a constant part never grows faster than n. Without such a part it may seem
    to, as more of a larger board is far from the processor; then its increments decide.
    """
    (first, least), *_, (last, most) = costs.items()
    if least <= 0 or most <= 0:
        return None
    power = log(most / least, last / first)
    if FULL[0] <= power <= FULL[1]:
        order = _order_of_increments(costs, misses=0)
        return order if order == "O(n)" else None
    return "O(n)" if power < FULL[0] else "O(n^2)"


def _added(complexity: Complexity) -> float:
    """Return the difference between the last cost and the lowest of the last five."""
    costs = [cost for _, cost in complexity.points[-5:]]
    return costs[-1] - min(costs) if costs else 0.0


def _expected(complexity: Complexity, n: int) -> float:
    """Return the expected cost on an n×n board, assuming n² if little is known."""
    if not complexity.points:
        return 16.0 * n * n
    side, cost = complexity.points[-1]
    return cost * (n / side) ** {"O(1)": 0, "O(n)": 1}.get(complexity.order or "", 2)


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
    sizes: Costs = {}
    for n in sides:
        moves = game(n)
        late = moves and time.points and len(moves) * _expected(time, n) > PLAYING
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

    The lines are two rows, two columns and the diagonals, each from both ends. As n is even, the
    diagonals do not meet.
    """
    steps = range(n - 1)
    rows = [move for i in steps for move in ((0, i, 1), (1, i, 2))]
    diagonals = [move for i in steps for move in ((i, i, 1), (i, n - 1 - i, 2))]
    rows += _turned(rows, n)
    return [rows, [(col, row, who) for row, col, who in rows], diagonals, _turned(diagonals, n)]


def _turned(moves: Sequence[Move], n: int) -> list[Move]:
    """Return these moves on the board turned upside down."""
    return [(n - 1 - row, n - 1 - col, who) for row, col, who in moves]


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
