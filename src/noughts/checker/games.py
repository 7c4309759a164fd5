"""What is played: games of every kind, each with its right answers.

The moves are legal, the players take turns, either may begin, and nothing follows a win.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from random import Random
from typing import NamedTuple, Self

from noughts.checker.solution import Answer, Flat, Move, Problem, Script
from noughts.referee import SignedSums, tictactoe

SIDES = (*range(2, 11), 16, 25, 50, 64, 99, 100)
SMALL = range(11)  # each line in every way; on larger boards once by each player


class Case(NamedTuple):
    """A script and what is right.

    Attributes:
        script: the calls.
        right: the answers.
    """

    script: Script
    right: tuple[Answer, ...]


class Wrong(Exception):
    """A wrong answer.

    Attributes:
        case: the case.
        call: the number of the call; for ``tictactoe`` that of the game, 0.
        answered: the answer.
    """

    def __init__(self, case: Case, call: int, answered: Answer) -> None:
        super().__init__(case, call, answered)
        self.case, self.call, self.answered = case, call, answered

    @classmethod
    def of(cls, case: Case, answers: tuple[Answer, ...]) -> Self:
        """The first wrong one of these answers."""
        pairs = zip(answers, case.right, strict=True)
        call = next(at for at, (given, right) in enumerate(pairs) if given != right)
        return cls(case, call, answers[call])

    @property
    def length(self) -> int:
        """How many calls it takes."""
        calls = self.case.script.calls
        return self.call + 1 if len(self.case.right) == len(calls) else len(calls)

    def cut(self) -> Self:
        """The same without the calls that follow."""
        script, right = self.case
        shorter = Script(script.sides, script.calls[: self.length])
        return type(self)(Case(shorter, right[: self.call + 1]), self.call, self.answered)


def right_answers(problem: Problem, script: Script) -> tuple[Answer, ...]:
    """What the referee says to a script. Cost: O(1) a move."""
    if problem == "tictactoe":
        return (repr(tictactoe([(row, col) for _, (row, col, _) in script.calls])),)
    referees = [SignedSums(n) for n in script.sides]
    return tuple(str(referees[number].move(*move)) for number, move in script.calls)


def case(sides: Sequence[int], calls: Sequence[tuple[int, Move]]) -> Case:
    """The case of these calls, without those that follow a win on their board."""
    referees: list[SignedSums | None] = [SignedSums(n) for n in sides]
    kept, right = [], []
    for call in calls:
        number, move = call
        if referee := referees[number]:
            answer = referee.move(*move)
            kept.append(call)
            right.append(str(answer))
            if answer:
                referees[number] = None
    return Case(Script(tuple(sides), tuple(kept)), tuple(right))


def single(n: int, moves: Sequence[Move]) -> Case:
    """The case of one game."""
    return case((n,), [(0, move) for move in moves])


def alternately(cells: Iterable[Flat], begins: int) -> list[Move]:
    """The cells as the moves of two players in turn."""
    return [(*cell, begins if ply % 2 == 0 else 3 - begins) for ply, cell in enumerate(cells)]


def in_turn(mine: Sequence[Flat], theirs: Sequence[Flat], player: int) -> list[Move]:
    """The moves of two players in turn, the last of them by `player`: the last of `mine`.

    The other has as many moves, and then begins, or one move less.
    """
    if len(mine) == len(theirs):
        return alternately(chain.from_iterable(zip(theirs, mine, strict=True)), 3 - player)
    cells = chain.from_iterable(zip(mine, theirs, strict=False))
    return alternately([*cells, mine[-1]], player)


def lines(n: int) -> list[list[Flat]]:
    """Every line of the board: the diagonals, then the rows and the columns."""
    return [
        [(i, i) for i in range(n)],
        [(i, n - 1 - i) for i in range(n)],
        *([(i, j) for j in range(n)] for i in range(n)),
        *([(j, i) for j in range(n)] for i in range(n)),
    ]


class Games:
    """The games on one board size; the same seed gives the same games."""

    def __init__(self, n: int, seed: object) -> None:
        self.n = n
        self.random = Random(f"{seed} {n}")
        self.cells = [(row, col) for row in range(n) for col in range(n)]
        self.random.shuffle(self.cells)
        self.lines = lines(n)

    def others(self, count: int, but: Sequence[Flat]) -> list[Flat]:
        """Cells for the other player, not among those of `but`."""
        taken, at = set(but), self.random.randrange(len(self.cells))
        found: list[Flat] = []
        while len(found) < count:
            cell = self.cells[at % len(self.cells)]
            if cell not in taken:
                found.append(cell)
            at += 1
        return found

    def shuffled(self, cells: Sequence[Flat]) -> list[Flat]:
        """The cells in a random order."""
        return self.random.sample(cells, len(cells))

    def complete(self, line: Sequence[Flat], player: int) -> Case:
        """A game in which `player` takes these cells and nothing else, with a line at the end."""
        fewer = self.random.randrange(2)
        fewer = max(fewer, 2 * len(line) - self.n**2)  # the board may have no room for more
        theirs = self.others(len(line) - fewer, line)
        return single(self.n, in_turn(line, theirs, player))

    def each_line(self) -> Iterator[Case]:
        """Every line by each player: first to last, last to first or in a random order."""
        for number, line in enumerate(self.lines):
            for player in (1, 2):
                if self.n in SMALL:
                    yield self.complete(line, player)
                if self.n in SMALL or number % 2 == player % 2:
                    yield self.complete(self.shuffled(line), player)
                else:
                    yield self.complete(line if number % 4 < 2 else line[::-1], player)

    def near_misses(self, least: int) -> Iterator[Case]:
        """A line of one player that lacks a cell, which the other takes; then some moves more."""
        for line in self.some_lines(least):
            player = self.random.choice((1, 2))
            *mine, last = self.shuffled(line)
            rest = self.others(len(mine) + 3, line)
            theirs = [*rest[: len(mine) - 1], last]
            more = alternately(rest[len(mine) - 1 :], player)
            yield single(self.n, [*in_turn(theirs, mine, 3 - player), *more])

    def mixed(self, least: int) -> Iterator[Case]:
        """A line that both fill."""
        for line in self.some_lines(least):
            yield single(self.n, alternately(self.shuffled(line), self.random.choice((1, 2))))

    def some_lines(self, least: int) -> list[list[Flat]]:
        """Both diagonals and at least this many others, or all."""
        rest = self.lines[2:]
        return [*self.lines[:2], *self.random.sample(rest, min(least, len(rest)))]

    def several(self, times: int) -> Iterator[Case]:
        """Two to four lines completed by one move."""
        n, middle = self.n, self.n // 2
        row, col = self.random.randrange(n), self.random.randrange(n)
        crossings: list[tuple[Flat, list[int]]] = [
            ((row, col), [2 + row, 2 + n + col]),
            ((row, row), [0, 2 + row]),
            ((row, row), [0, 2 + row, 2 + n + row]),
            ((row, n - 1 - row), [1, 2 + n + n - 1 - row]),
            ((row, n - 1 - row), [1, 2 + row, 2 + n + n - 1 - row]),
        ]
        if n % 2:
            crossings += [
                ((middle, middle), [0, 1]),
                ((middle, middle), [0, 1, 2 + middle, 2 + n + middle]),
            ]
        for last, numbers in crossings:
            for player in (1, 2) * times:
                mine = set(chain.from_iterable(self.lines[number] for number in numbers))
                if 2 * len(mine) - 1 <= n * n:
                    order = [*self.shuffled(sorted(mine - {last})), last]
                    yield self.complete(order, player)

    def full(self, times: int) -> Iterator[Case]:
        """Full boards, on which nobody has a line if that can be had."""
        for number in range(times):
            for _ in range(20):
                game = single(self.n, alternately(self.shuffled(self.cells), 1 + number % 2))
                if game.right[-1] == "0":
                    break
            yield game

    def last_cell(self, times: int) -> Iterator[Case]:
        """Lines that the last cell of the board completes."""
        for line in self.some_lines(2) * times:
            for _ in range(20):
                cells = self.shuffled(line)
                rest = self.shuffled([cell for cell in self.cells if cell not in line])
                size = (len(self.cells) + 1) // 2
                mine = [*self.shuffled([*cells[1:], *rest[: size - len(cells)]]), cells[0]]
                theirs = rest[size - len(cells) :]
                game = single(self.n, in_turn(mine, theirs, self.random.choice((1, 2))))
                if len(game.right) == len(self.cells):
                    break
            yield game

    def at_random(self, times: int, longest: int) -> Iterator[Case]:
        """Random games, to their end or to a number of moves."""
        for number in range(times):
            cells = self.random.sample(self.cells, min(longest, len(self.cells)))
            yield single(self.n, alternately(cells, 1 + number % 2))

    def together(self, times: int) -> Iterator[Case]:
        """Two to four objects alive at once, of this size and of others, their calls mixed."""
        for number in range(times):
            sides = [self.n] * (2 + number % 2)
            sides += [self.random.randint(2, 6)] * (number % 3 - 1)
            games = [self if n == self.n else Games(n, self.random.random()) for n in sides]
            scripts = [
                game.complete(game.shuffled(game.random.choice(game.lines)), 1 + number % 2).script
                for game in games
            ]
            waiting = [
                [(at, move) for _, move in script.calls][::-1] for at, script in enumerate(scripts)
            ]
            calls = []
            while any(waiting):
                queue = self.random.choice([queue for queue in waiting if queue])
                calls.append(queue.pop())
            yield case(sides, calls)


def larger(n: int, seed: int, games: int) -> Iterator[Case]:
    """All kinds of games on an n×n board, or what is left after every game up to 3×3.

    On 3×3 twice as many as `games` are played at random, on larger boards a part of them.
    """
    made = Games(n, seed)
    if n == 2:
        yield from made.together(8)
        return
    if n == 3:
        yield from made.at_random(2 * games, 9)
        yield from made.together(20)
        return
    small = n <= 10
    yield from made.each_line()
    yield from made.near_misses(2 * n if small else 4)
    yield from made.mixed(2 * n if small else 4)
    yield from made.several(2 if small else 1)
    yield from made.together(8 if small else 2)
    if n <= 50:
        yield from made.full(6 if small else 1)
    if n <= 16:
        yield from made.last_cell(2 if small else 1)
    yield from made.at_random(games // 20 if small else games // 100, 4 * n + 9)
