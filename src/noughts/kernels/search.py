# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, auto_pickle=False
"""Exact search: does this player win this position? `noughts.opponent.solver` is the door to it.

Compiled where there is a compiler, the same file runs as plain Python where there is none; only
its speed differs.

A position is a pair of bitboards, the cells that each of two players holds. The search asks one
question with two answers, "does the attacker complete a line before the defender does, whatever
the defender plays?", which is far cheaper than a value out of three: everything that is no win
counts alike, and one good reply settles it. It goes depth first and stops at a position

* where the player to move completes a line;
* where the other player threatens to complete lines with two different cells, and so will;
* where the attacker's potential proves that the defender can stop every line (Erdős and Selfridge,
  On a combinatorial game, 1973; see `_cannot_win`);
* that has been settled before, up to the board's symmetries.

A single threat leaves a single move. Otherwise moves are tried by the weight of the live lines
through their cell, and cells without any are left out: a mark there changes nothing, and an own
mark elsewhere can only help.

The table of settled positions is bounded. It compares whole positions, never their hashes alone,
so that a value is a proof. When it is full, the position nearer to the end of the game gives way,
as it cost less to settle.
"""

from __future__ import annotations

from array import array
from mmap import ACCESS_COPY, mmap

try:
    import cython
except ImportError:
    from noughts.kernels import standin as cython

COMPILED = cython.compiled
MAX_CELLS = cython.declare(cython.int, 64)
PLAYERS = cython.declare(cython.int, 2)

# An entry of the table, in words: the cells of each player; then what is known, two bits for each
# attacker (1 he wins, 2 he does not), and above them the number of empty cells. An unused entry
# is 0, as if it were nearer to the end than any other.
ENTRY = cython.declare(cython.int, 3)
BUCKET = cython.declare(cython.int, 6)  # two entries: a position may be in either
WORD = cython.declare(cython.int, 8)  # bytes

# How many visited positions lie between two calls of `check`: some milliseconds.
PAUSE = cython.declare(cython.int, 16384 if cython.compiled else 256)

# With more marks than this, looking for symmetric positions costs more than it saves.
SYMMETRIC_PLIES = cython.declare(cython.int, 12)

# Lines with more empty cells than this weigh as if they had this many, to keep sums in 64 bits.
# A line's weight still at most doubles with a mark, which is all that the theorem needs.
LIGHTEST = cython.declare(cython.int, 40)


@cython.cclass
class Search:
    """Settles positions of one game: a board of up to 64 cells, its lines, two players.

    Args:
        cells: how many cells the board has; they are numbered from 0.
        lines: the lines that win, each the numbers of its k different cells.
        symmetries: permutations of the cells that map lines to lines, the identity among them.
        memory: bytes for the table of settled positions; at least one bucket is made.

    Raises:
        ValueError: there are too many cells, no lines, or cells that do not exist.
        OSError: there is not so much memory.
    """

    nodes: cython.longlong
    gave_way: cython.longlong
    idle: cython.bint  # ready for a question: it has been made, and answers no other

    # the board
    cells: cython.int
    lines: cython.int
    k: cython.int
    everywhere: cython.ulonglong  # a bit for each cell
    bit: cython.ulonglong[::1]  # of each cell
    cell_of: cython.int[::1]  # the cell of each bit, at the bit modulo 67: all 64 differ there
    line_bits: cython.ulonglong[::1]  # the cells of each line
    line_cells: cython.int[::1]  # the same, k numbers a line
    through: cython.int[::1]  # the lines through each cell, cell after cell
    through_from: cython.int[::1]  # where those of each cell begin, and the end of all
    weight: cython.longlong[::1]  # of a live line, by its tally
    complete: cython.longlong  # the weight of a complete line: 1 in the theorem
    symmetries: cython.int
    image: cython.ulonglong[::1]  # for each symmetry, the bit that each cell's bit becomes

    # the position and the question
    attacker: cython.int
    ply: cython.int
    marks: cython.ulonglong[::1]  # each player's cells
    tally: cython.int[::1]  # each player's marks on each line
    potential: cython.longlong[::1]  # the weight of each player's live lines
    threats: cython.ulonglong[::1]  # cells of live lines that lack one mark; taken ones remain
    order: cython.int[::1]  # the moves to try, 64 places for each ply
    gain: cython.longlong[::1]  # what the attacker would gain by each cell
    worth: cython.longlong[::1]  # how promising each cell is

    # the table
    buckets: cython.ulonglong
    table: cython.ulonglong[::1]
    key: cython.ulonglong[::1]  # the position looked for, as the table has it
    scatter: cython.ulonglong
    word: cython.ulonglong  # all bits, to overflow alike in Python
    pause: cython.longlong  # how many nodes there are when `check` is called next
    check: object

    def __init__(
        self, cells: cython.int, lines: object, symmetries: object, memory: cython.ulonglong
    ) -> None:
        if cython.compiled and self.cells:
            raise RuntimeError("a search is made once")
        if not 1 <= cells <= MAX_CELLS:
            raise ValueError(f"a search takes 1 to {MAX_CELLS} cells, not {cells}")
        if not lines or not lines[0] or any(len(line) != len(lines[0]) for line in lines):
            raise ValueError("a search needs lines, all of the same length")
        if any(sorted(set(line)) != sorted(line) for line in lines):
            raise ValueError("the cells of a line must differ")
        if any(not 0 <= cell < cells for line in lines for cell in line):
            raise ValueError(f"the cells of a line must be 0 to {cells - 1}")
        if any(sorted(symmetry) != list(range(cells)) for symmetry in symmetries):
            raise ValueError("a symmetry must be a permutation of the cells")
        self._set_board(cells, lines, symmetries)
        self._set_table(cells, memory)
        self.marks = array("Q", [0] * PLAYERS)
        self.tally = array("i", [0] * PLAYERS * len(lines))
        self.potential = array("q", [0] * PLAYERS)
        self.threats = array("Q", [0] * PLAYERS)
        self.order = array("i", [0] * MAX_CELLS * (MAX_CELLS + 1))
        self.gain = array("q", [0] * MAX_CELLS)
        self.worth = array("q", [0] * MAX_CELLS)
        self.nodes = self.gave_way = 0
        self.pause = PAUSE
        self.idle = True

    def _set_board(self, cells: object, lines: object, symmetries: object) -> None:
        """Lay down what stays the same in all positions."""
        k = len(lines[0])
        lightest = min(k, LIGHTEST)
        cell_of = [0] * 67
        for cell in range(MAX_CELLS):
            cell_of[_power(cell) % 67] = cell
        through = [[i for i, line in enumerate(lines) if cell in line] for cell in range(cells)]
        self.cells, self.lines, self.k = cells, len(lines), k
        self.everywhere = _power(cells) - 1
        self.bit = array("Q", [_power(cell) for cell in range(MAX_CELLS)])
        self.cell_of = array("i", cell_of)
        self.line_bits = array("Q", [_bits(line) for line in lines])
        self.line_cells = array("i", [cell for line in lines for cell in line])
        self.through = array("i", [line for here in through for line in here])
        self.through_from = array("i", [sum(map(len, through[:i])) for i in range(cells + 1)])
        self.weight = array("q", [_power(max(0, lightest - k + had)) for had in range(k + 1)])
        self.complete = _power(lightest)
        self.symmetries = len(symmetries)
        self.image = array("Q", [_power(cell) for turned in symmetries for cell in turned])

    def _set_table(self, cells: object, memory: object) -> None:
        """Make the table, private to this process; it takes up memory only where it is used."""
        buckets = max(1, min(memory // (BUCKET * WORD), 3**cells))
        self.buckets = buckets
        self.table = memoryview(mmap(-1, buckets * BUCKET * WORD, access=ACCESS_COPY)).cast("Q")
        self.key = array("Q", [0] * PLAYERS)
        self.scatter = 0x9E3779B97F4A7C15  # 2^64 / golden ratio, Knuth's
        self.word = _power(64) - 1

    @property
    def visited(self) -> int:
        """How many positions have been visited, in all questions so far."""
        return self.nodes

    @property
    def discarded(self) -> int:
        """How many positions had to give way to others in the table, in all questions so far."""
        return self.gave_way

    @property
    def entries(self) -> int:
        """How many positions the table holds at most."""
        return 2 * self.buckets

    def wins(
        self,
        player: cython.int,
        first: cython.ulonglong,
        second: cython.ulonglong,
        check: object,
    ) -> bool:
        """Whether `player` wins the position by best play; False for a draw too.

        Args:
            player: 0, who moves first, or 1.
            first: the cells of player 0, as the bits of an integer.
            second: the cells of player 1: as many, or one less.
            check: called every few milliseconds. What it raises ends the search and is passed on.

        Raises:
            ValueError: there is no such position, or a line is complete in it.
            RuntimeError: a question is still being answered, in another thread or by `check`.
        """
        if player not in (0, 1):
            raise ValueError(f"player must be 0 or 1, not {player}")
        self._enter(first, second)
        try:
            self.attacker = player
            self.check = check
            return self._wins() == 1
        finally:
            self.check = None
            self.idle = True

    def moves(self, first: cython.ulonglong, second: cython.ulonglong) -> list[int]:
        """The empty cells on live lines, the most promising first; otherwise as `wins`."""
        self._enter(first, second)
        try:
            self.attacker = self.ply % 2
            self._weigh()
            place: cython.int = MAX_CELLS * self.ply
            return list(self.order[place : place + self._sort()])
        finally:
            self.idle = True

    def _enter(self, first: object, second: object) -> None:
        """Set the position up, if no other is being worked on."""
        if not self.idle:
            raise RuntimeError("a search answers one question at a time")
        if first & second or (first | second) >> self.cells:
            raise ValueError("there is no such position")
        if first.bit_count() - second.bit_count() not in (0, 1):
            raise ValueError("the players have not taken turns")
        if any(line & ~first == 0 or line & ~second == 0 for line in self.line_bits):
            raise ValueError("the game is over: a line is complete")
        self.idle = False
        self.ply = 0
        for i in range(PLAYERS * self.lines):
            self.tally[i] = 0
        for player in range(PLAYERS):
            self.marks[player] = 0
            self.potential[player] = self.weight[0] * self.lines
            self.threats[player] = self.everywhere if self.k == 1 else 0
        for cell in range(self.cells):
            if first >> cell & 1:
                self._play(0, cell)
            elif second >> cell & 1:
                self._play(1, cell)

    @cython.cfunc
    @cython.exceptval(-1)
    def _wins(self) -> cython.int:
        """1 if the attacker wins the position, else 0. The position is as before afterwards."""
        mover: cython.int = self.ply & 1
        other: cython.int = 1 - mover
        attacking: cython.bint = mover == self.attacker
        empty: cython.ulonglong = self.everywhere & ~(self.marks[0] | self.marks[1])
        block: cython.ulonglong = self.threats[other] & empty
        place: cython.int = MAX_CELLS * self.ply
        won: cython.int
        i: cython.int
        self._count()
        if self.threats[mover] & empty:
            return attacking
        if block:
            if block & (block - 1):  # two cells
                return not attacking
            return self._wins_after(self.cell_of[block % 67])
        if self._cannot_win(attacking):
            return 0
        won = self._known()
        if won >= 0:
            return won
        won = 0
        if self._weigh():
            for i in range(place, place + self._sort()):
                won = self._wins_after(self.order[i])
                if won == attacking:
                    break
        self._remember(won)
        return won

    @cython.cfunc
    @cython.exceptval(-1)
    def _wins_after(self, cell: cython.int) -> cython.int:
        """What `_wins` says after this move, which is taken back."""
        mover: cython.int = self.ply & 1
        threats: cython.ulonglong = self.threats[mover]
        won: cython.int
        self._play(mover, cell)
        won = self._wins()
        self._take_back(mover, cell)
        self.threats[mover] = threats
        return won

    @cython.cfunc
    @cython.exceptval(check=False)
    def _cannot_win(self, attacking: cython.bint) -> cython.bint:
        """Whether the attacker's potential alone proves that the defender can stop every line.

        A live line with e empty cells weighs 2^-e, and P is the sum. If P < 1 with the defender
        to move, he can keep it so to the end by always taking the cell of the greatest weight w:
        that takes w out, and the attacker's reply at most doubles what is left of the lines
        through a cell, none of which weighs more than w. A complete line would weigh 1. With the
        attacker to move, P + w < 1 is what it takes; w is P at most here, and `_weigh` is exact.
        """
        return (self.potential[self.attacker] << attacking) < self.complete

    @cython.cfunc
    @cython.exceptval(check=False)
    def _play(self, player: cython.int, cell: cython.int) -> cython.void:
        """Put a mark, and count it on the lines through the cell."""
        mine: cython.int = player * self.lines
        theirs: cython.int = self.lines - mine
        line: cython.int
        had: cython.int
        i: cython.int
        for i in range(self.through_from[cell], self.through_from[cell + 1]):
            line = self.through[i]
            had = self.tally[mine + line]
            self.tally[mine + line] = had + 1
            if self.tally[theirs + line] == 0:
                self.potential[player] += self.weight[had + 1] - self.weight[had]
                if had + 2 == self.k:
                    self.threats[player] |= self.line_bits[line]
            if had == 0:
                self.potential[1 - player] -= self.weight[self.tally[theirs + line]]
        self.marks[player] |= self.bit[cell]
        self.ply += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _take_back(self, player: cython.int, cell: cython.int) -> cython.void:
        """Undo `_play`, but for the threats."""
        mine: cython.int = player * self.lines
        theirs: cython.int = self.lines - mine
        line: cython.int
        had: cython.int
        i: cython.int
        for i in range(self.through_from[cell], self.through_from[cell + 1]):
            line = self.through[i]
            had = self.tally[mine + line] - 1
            self.tally[mine + line] = had
            if self.tally[theirs + line] == 0:
                self.potential[player] -= self.weight[had + 1] - self.weight[had]
            if had == 0:
                self.potential[1 - player] += self.weight[self.tally[theirs + line]]
        self.marks[player] &= ~self.bit[cell]
        self.ply -= 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _weigh(self) -> cython.bint:
        """Weigh every cell; False if the attacker, to move, cannot win (see `_cannot_win`)."""
        mine: cython.int = self.attacker * self.lines
        theirs: cython.int = self.lines - mine
        most: cython.longlong = 0
        line: cython.int
        cell: cython.int
        i: cython.int
        for cell in range(self.cells):
            self.gain[cell] = self.worth[cell] = 0
        for line in range(self.lines):
            if self.tally[theirs + line] == 0:
                for i in range(self.k * line, self.k * line + self.k):
                    self.gain[self.line_cells[i]] += self.weight[self.tally[mine + line]]
            if self.tally[mine + line] == 0:
                for i in range(self.k * line, self.k * line + self.k):
                    self.worth[self.line_cells[i]] += self.weight[self.tally[theirs + line]]
        for cell in range(self.cells):
            self.worth[cell] += 2 * self.gain[cell]
            if not (self.marks[0] | self.marks[1]) & self.bit[cell]:
                most = max(most, self.gain[cell])
        if self.ply & 1 != self.attacker:
            return True
        return self.potential[self.attacker] + most >= self.complete

    @cython.cfunc
    @cython.exceptval(check=False)
    def _sort(self) -> cython.int:
        """Put the empty cells that weigh anything in order, the greatest first; how many."""
        place: cython.int = MAX_CELLS * self.ply
        taken: cython.ulonglong = self.marks[0] | self.marks[1]
        count: cython.int = 0
        cell: cython.int
        i: cython.int
        for cell in range(self.cells):
            if self.worth[cell] == 0 or taken & self.bit[cell]:
                continue
            i = place + count
            while i > place and self.worth[self.order[i - 1]] < self.worth[cell]:
                self.order[i] = self.order[i - 1]
                i -= 1
            self.order[i] = cell
            count += 1
        return count

    @cython.cfunc
    @cython.exceptval(-1)
    def _count(self) -> cython.int:
        """Count a visited position; from time to time, let the caller have a look."""
        self.nodes += 1
        if self.nodes >= self.pause:
            self.pause = self.nodes + PAUSE
            self.check()
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _known(self) -> cython.int:
        """What the table says: 1 the attacker wins, 0 he does not, -1 nothing."""
        at: cython.ulonglong = self._find()
        known: cython.ulonglong
        if not self._holds(at):
            return -1
        known = self.table[at + 2] >> (2 * self.attacker) & 3
        return known == 1 if known else -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _remember(self, won: cython.int) -> cython.void:
        """Enter into the table what has been found out."""
        at: cython.ulonglong = self._find()
        known: cython.ulonglong = 1 if won else 2
        left: cython.ulonglong = self.cells - self.ply
        known <<= 2 * self.attacker
        if self._holds(at):
            self.table[at + 2] |= known
            return
        if self.table[at + 2]:
            self.gave_way += 1
        self.table[at] = self.key[0]
        self.table[at + 1] = self.key[1]
        self.table[at + 2] = left << 4 | known

    @cython.cfunc
    @cython.exceptval(check=False)
    def _find(self) -> cython.ulonglong:
        """The entry that holds the position, or else the one it may take."""
        hashed: cython.ulonglong
        at: cython.ulonglong
        self._set_key()
        hashed = self.key[0] * self.scatter & self.word
        hashed = (hashed ^ hashed >> 32 ^ self.key[1]) * self.scatter & self.word
        at = (hashed ^ hashed >> 29) % self.buckets * BUCKET
        if self._holds(at):
            return at
        if self._holds(at + ENTRY) or self.table[at + 2] > self.table[at + ENTRY + 2]:
            return at + ENTRY
        return at

    @cython.cfunc
    @cython.exceptval(check=False)
    def _holds(self, at: cython.ulonglong) -> cython.bint:
        """Whether this entry is about the position; an unused one has no marks, nor a ply."""
        return (
            self.table[at] == self.key[0]
            and self.table[at + 1] == self.key[1]
            and self.table[at + 2] != 0
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def _set_key(self) -> cython.void:
        """Take the least of the position's images, so that symmetric ones have the same key."""
        first: cython.ulonglong
        second: cython.ulonglong
        i: cython.int
        self.key[0] = self.marks[0]
        self.key[1] = self.marks[1]
        if self.ply > SYMMETRIC_PLIES:
            return
        for i in range(self.symmetries):
            first = self._image(i, self.marks[0])
            if first <= self.key[0]:
                second = self._image(i, self.marks[1])
                if first < self.key[0] or second < self.key[1]:
                    self.key[0] = first
                    self.key[1] = second

    @cython.cfunc
    @cython.exceptval(check=False)
    def _image(self, symmetry: cython.int, marks: cython.ulonglong) -> cython.ulonglong:
        """These cells under a symmetry."""
        turned: cython.ulonglong = 0
        rest: cython.ulonglong = marks
        while rest:
            turned |= self.image[symmetry * self.cells + self.cell_of[(rest & (~rest + 1)) % 67]]
            rest &= rest - 1
        return turned


def _power(exponent: object) -> object:
    """2 to the power of `exponent`, as an integer of Python, which never overflows."""
    return 1 << exponent


def _bits(cells: object) -> object:
    """A set of cells as the bits of an integer."""
    return sum(map(_power, cells))
