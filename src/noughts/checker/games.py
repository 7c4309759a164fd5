"""Games of every kind, each with its expected answers.

All moves are legal, the players alternate, either may begin, and no move follows a win.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from random import Random

from noughts.checker.solution import Answer, Flat, Game, How, Move, Played
from noughts.referee import SignedSums

SIDES = (*range(2, 11), 16, 25, 50, 64, 99, 100)
SMALL = range(11)  # board sizes where each line is played in every way; above, once per player


class Wrong(Exception):
    """A wrong answer.

    Attributes:
        game: the game up to this answer.
        answered: the answer.
        before: games that other objects played earlier or at the same time.
    """

    def __init__(
        self, game: Game, answers: tuple[Answer, ...], before: Sequence[Game] = ()
    ) -> None:
        pairs = zip(answers, game.right, strict=True)
        call = next(at for at, (given, right) in enumerate(pairs) if given != right)
        each = len(game.right) == len(game.moves)  # `tictactoe` gives one answer for all moves
        moves = game.moves[: call + 1] if each else game.moves
        self.game: Game = Game(game.n, moves, game.right[: call + 1])
        self.answered: Answer = answers[call]
        self.before: tuple[Game, ...] = tuple(before)
        super().__init__(self.game, self.answered)


def first_wrong(games: Sequence[Game], played: Sequence[Played], how: How = "play") -> Wrong | None:
    """Return the first wrong answer, or None if all are right."""
    for at, (game, each) in enumerate(zip(games, played, strict=True)):
        if each.answers != game.right:
            others = games[at + 1 :] if how == "together" else ()
            return Wrong(game, each.answers, [*games[:at], *others])
    return None


def judged(n: int, moves: Iterable[Move]) -> Game:
    """Return the game of these moves up to the first win, with the referee's answers."""
    referee = SignedSums(n)
    kept, right = [], []
    for move in moves:
        answer = referee.move(*move)
        kept.append(move)
        right.append(str(answer))
        if answer:
            break
    return Game(n, tuple(kept), tuple(right))


def alternately(cells: Iterable[Flat], begins: int) -> list[Move]:
    """Return the cells as moves of two alternating players."""
    return [(*cell, begins if ply % 2 == 0 else 3 - begins) for ply, cell in enumerate(cells)]


def in_turn(mine: Sequence[Flat], theirs: Sequence[Flat], player: int) -> list[Move]:
    """Return the moves of alternating players; the last one is the last of `mine`, by `player`.

    The other player has as many moves and begins, or has one move fewer.
    """
    if len(mine) == len(theirs):
        return alternately(chain.from_iterable(zip(theirs, mine, strict=True)), 3 - player)
    cells = chain.from_iterable(zip(mine, theirs, strict=False))
    return alternately([*cells, mine[-1]], player)


@cache
def lines(n: int) -> list[list[Flat]]:
    """Return every line of the board: the diagonals, then the rows and the columns."""
    return [
        [(i, i) for i in range(n)],
        [(i, n - 1 - i) for i in range(n)],
        *([(i, j) for j in range(n)] for i in range(n)),
        *([(j, i) for j in range(n)] for i in range(n)),
    ]


class Games:
    """A generator of games on one board size; equal seeds give equal games."""

    def __init__(self, n: int, seed: object) -> None:
        self.n = n
        self.random: Random = Random(f"{seed} {n}")
        self.cells: list[tuple[int, int]] = [(row, col) for row in range(n) for col in range(n)]
        self.random.shuffle(self.cells)
        self.lines: list[list[Flat]] = lines(n)

    def others(self, count: int, but: Sequence[Flat]) -> list[Flat]:
        """Return cells for the other player that are not in `but`."""
        taken, at = set(but), self.random.randrange(len(self.cells))
        found: list[Flat] = []
        while len(found) < count:
            cell = self.cells[at % len(self.cells)]
            if cell not in taken:
                found.append(cell)
            at += 1
        return found

    def shuffled(self, cells: Sequence[Flat]) -> list[Flat]:
        """Return the cells in random order."""
        return self.random.sample(cells, len(cells))

    def complete(self, line: Sequence[Flat], player: int) -> Game:
        """Return a game in which `player` takes only these cells, completing a line at the end."""
        fewer = self.random.randrange(2)
        fewer = max(fewer, 2 * len(line) - self.n**2)  # small boards have no more cells
        theirs = self.others(len(line) - fewer, line)
        return judged(self.n, in_turn(line, theirs, player))

    def each_line(self) -> Iterator[Game]:
        """Yield every line by each player: forwards, backwards or in random order."""
        for number, line in enumerate(self.lines):
            for player in (1, 2):
                if self.n in SMALL:
                    yield self.complete(line, player)
                if self.n in SMALL or number % 2 == player % 2:
                    yield self.complete(self.shuffled(line), player)
                else:
                    yield self.complete(line if number % 4 < 2 else line[::-1], player)

    def near_misses(self, least: int) -> Iterator[Game]:
        """Yield lines whose last cell the opponent takes, followed by a few more moves."""
        for line in self.some_lines(least):
            player = self.random.choice((1, 2))
            *mine, last = self.shuffled(line)
            rest = self.others(len(mine) + 3, line)
            theirs = [*rest[: len(mine) - 1], last]
            more = alternately(rest[len(mine) - 1 :], player)
            yield judged(self.n, [*in_turn(theirs, mine, 3 - player), *more])

    def mixed(self, least: int) -> Iterator[Game]:
        """Yield lines that both players fill."""
        for line in self.some_lines(least):
            yield judged(self.n, alternately(self.shuffled(line), self.random.choice((1, 2))))

    def some_lines(self, least: int) -> list[list[Flat]]:
        """Return both diagonals and at least this many other lines, or all."""
        rest = self.lines[2:]
        return [*self.lines[:2], *self.random.sample(rest, min(least, len(rest)))]

    def several(self, times: int) -> Iterator[Game]:
        """Yield games whose last move completes two to four lines."""
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

    def full(self, times: int) -> Iterator[Game]:
        """Yield full boards, without a complete line where possible."""
        for number in range(times):
            for _ in range(20):
                game = judged(self.n, alternately(self.shuffled(self.cells), 1 + number % 2))
                if game.right[-1] == "0":
                    break
            yield game

    def last_cell(self, times: int) -> Iterator[Game]:
        """Yield games in which the last free cell completes a line."""
        for line in self.some_lines(2) * times:
            for _ in range(20):
                cells = self.shuffled(line)
                rest = self.shuffled([cell for cell in self.cells if cell not in line])
                size = (len(self.cells) + 1) // 2
                mine = [*self.shuffled([*cells[1:], *rest[: size - len(cells)]]), cells[0]]
                theirs = rest[size - len(cells) :]
                game = judged(self.n, in_turn(mine, theirs, self.random.choice((1, 2))))
                if len(game.right) == len(self.cells):
                    break
            yield game

    def at_random(self, times: int, longest: int) -> Iterator[Game]:
        """Yield random games, to their end or to a maximum number of moves."""
        for number in range(times):
            cells = self.random.sample(self.cells, min(longest, len(self.cells)))
            yield judged(self.n, alternately(cells, 1 + number % 2))

    def together(self, times: int) -> Iterator[list[Game]]:
        """Yield games for two to four simultaneous objects, mostly of this size and none larger."""
        for number in range(times):
            sides = [self.n] * (2 + number % 2)
            sides += [self.random.randint(2, self.n)] * (number % 3 - 1)
            each = [self if n == self.n else Games(n, self.random.random()) for n in sides]
            yield [
                games.complete(games.shuffled(self.random.choice(games.lines)), 1 + number % 2)
                for games in each
            ]


def larger(n: int, seed: int, games: int) -> Iterator[Game]:
    """Yield all kinds of games on an n×n board; on 3×3 only random ones, as the rest is exhaustive.

    On 3×3 there are twice as many random games as `games`, on larger boards a fraction of them.
    """
    made = Games(n, seed)
    if n <= 3:
        yield from made.at_random(2 * games * (n == 3), 9)
        return
    small = n <= 10
    yield from made.each_line()
    yield from made.near_misses(2 * n if small else 4)
    yield from made.mixed(2 * n if small else 4)
    yield from made.several(2 if small else 1)
    if n <= 50:
        yield from made.full(6 if small else 1)
    if n <= 16:
        yield from made.last_cell(2 if small else 1)
    yield from made.at_random(games // 20 if small else games // 100, 4 * n + 9)


def together(n: int, seed: int) -> Iterator[list[Game]]:
    """Yield games for several simultaneous objects, at least one of them on an n×n board."""
    return Games(n, f"together {seed}").together(8 if n <= 10 else 2)
