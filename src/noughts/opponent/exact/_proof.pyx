# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Proofs that a player wins, for boards that are too large to search to the end.

Most moves can be skipped. After a move of the attacker that threatens to win by threats (see
`forcing`), every reply that leaves such a win is refuted at once, and few replies remain. These are
searched by proof-number search (see `graph`), which always expands the position with the fewest
replies left to refute; a position is as hard as the number of its replies that threats do not refute.
In this way L. V. Allis and P. N. A. Schoo (Qubic solved again, 1992) confirmed the proof of
O. Patashnik (Qubic: 4×4×4 tic-tac-toe, 1980) that the first player wins on 4×4×4 cells.

Proofs are sound, as every reply is refuted to the end. But not all moves of the attacker are tried,
so a failed search proves nothing.
"""

from libc.stdlib cimport free

from itertools import islice

from noughts.game.geometry import Geometry, automorphisms
from noughts.opponent.exact.bitboards cimport (
    MAX_CELLS, PAUSE, Cells, Images, bit, count_bits, free_images, lowest_bit, make_images, plain,
    several, take_least_image, zeros,
)
from noughts.opponent.exact.forcing cimport (
    ATTACKER, DEFENDER, MAX_K, MAX_LINES, Forcing, Lines, Position, Sequence, empty_of, empty_on,
    live, position_of, put, still_wins, threats, wins_by_threats,
)
from noughts.opponent.exact.graph cimport (
    NEVER, Graph, Node, add_child, clear, free_graph, has_room, make_graph, most_proving, node_of,
    slot_of, update_parents, weigh,
)

cdef enum:
    MAX_SYMMETRIES = 192  # as many as 4×4×4 has; any others are not used
    OPEN = 2  # weight of a reply if the attacker threatens nothing, as all replies are then open
    FAILED_SHARE = 12  # one part in this many of the memory is for positions without a win by threats
    IDLE_K = 4  # longer lines allow too many moves before the first threat

# A threatening move of the attacker.
cdef struct Candidate:
    unsigned int node
    Cells open  # the replies that the sequence does not refute
    Sequence sequence


cdef class Prover:
    """A search for proofs that a player wins positions of one game, for rules that it `takes`.

    It raises the same errors as `noughts.opponent.exact._solver.Prover`. The graph and the table of
    positions without a win by threats take `memory` bytes.
    """

    cdef readonly long long visited
    """Number of positions visited, over all questions so far."""

    cdef bint busy  # it answers one question at a time
    cdef Forcing forcing
    cdef Images images
    cdef long long pause  # number of positions at the next call of `check`

    cdef Graph graph
    cdef Candidate[MAX_CELLS] candidates

    def __cinit__(self, rules, unsigned long long memory):
        cdef int i, cell
        rules = plain(rules)
        if not takes(rules):
            raise ValueError(f"cannot prove wins for {rules}")
        self.pause = PAUSE
        geometry = Geometry(rules)
        self.forcing.k = rules.k
        self.forcing.everywhere = ~<Cells> 0 >> (MAX_CELLS - <int> rules.cells)
        for i, line in enumerate(geometry):
            for cell in geometry.numbers(line):
                self.forcing.line[i] |= bit(cell)
                self.forcing.through[cell] |= <Lines> 1 << i
        self.forcing.failures = 1
        while 4 * sizeof(Cells) * self.forcing.failures <= memory // FAILED_SHARE:
            self.forcing.failures *= 2
        self.forcing.failed = <Cells*> zeros(self.forcing.failures, 2 * sizeof(Cells))
        make_images(&self.images, list(islice(automorphisms(rules), MAX_SYMMETRIES)))
        make_graph(&self.graph, memory - memory // FAILED_SHARE)

    def __dealloc__(self):
        free_images(&self.images)
        free(self.forcing.failed)
        free_graph(&self.graph)

    def wins(self, int player, Cells first, Cells second, check):
        """Search for a proof that `player` wins; False proves nothing.

        The arguments and errors are those of `wins` in `noughts.opponent.exact._solver`. The search
        ends when it finds a proof or runs out of memory or of moves that could lead to one.
        """
        cdef bint attacking = player == count_bits(first) - count_bits(second)
        cdef Cells[2] marks
        if player not in (0, 1):
            raise ValueError(f"player must be 0 or 1, not {player}")
        if self.busy:
            raise RuntimeError("a search answers one question at a time")
        marks[ATTACKER], marks[DEFENDER] = (second, first) if player else (first, second)
        if self.is_proved(marks, attacking):
            return True
        self.busy = True
        try:
            if 2 * self.graph.nodes_used > self.graph.capacity:
                clear(&self.graph)
            return self.proves(marks, attacking, check)
        finally:
            self.visited = self.forcing.visited
            self.busy = False

    def proved(self, int player, Cells first, Cells second):
        """Return whether `wins`, with the same arguments, would return True without a search."""
        cdef Cells[2] marks
        marks[ATTACKER], marks[DEFENDER] = (second, first) if player else (first, second)
        return self.is_proved(marks, player == count_bits(first) - count_bits(second))

    def winning_move(self, Cells first, Cells second):
        """Return a winning move of the player to move, which has just been proved to win."""
        cdef bint swap = count_bits(first) > count_bits(second)
        cdef Cells[2] marks
        cdef Cells[2] after
        cdef Cells empty
        cdef Position position
        marks[ATTACKER], marks[DEFENDER] = (second, first) if swap else (first, second)
        position = position_of(&self.forcing, marks)
        if wins_by_threats(&self.forcing, &position):
            return self.forcing.found.moves[0]
        empty = empty_of(&self.forcing, &position)
        while empty:
            self.take_move(&position, empty & -empty, after)
            if self.has_proof(after, False):
                return lowest_bit(empty)
            empty &= empty - 1
        raise ValueError("the player to move has not been proved to win")

    cdef bint is_proved(self, Cells* marks, bint attacking) noexcept:
        """Implement `proved` for these marks, which are replaced by their least image."""
        cdef Position position = position_of(&self.forcing, marks)
        if attacking:
            if wins_by_threats(&self.forcing, &position):
                return True
        elif self.is_open(&position) and not self.replies_to(&position):
            return True
        take_least_image(&self.images, marks)
        return self.has_proof(marks, attacking)

    cdef bint has_proof(self, const Cells* marks, bint attacking) noexcept:
        """Return whether the graph contains a proof for these marks, a least image."""
        cdef unsigned int number = self.graph.slot[slot_of(&self.graph, marks, attacking)]
        return number != 0 and self.graph.nodes[number].proof == 0

    cdef bint proves(self, const Cells* marks, bint attacking, check) except -1:
        """Search for a proof from the least image of the attacker's and defender's marks."""
        cdef unsigned int root, leaf
        if not has_room(&self.graph):
            return False
        root = node_of(&self.graph, marks, attacking)
        while self.graph.nodes[root].proof and self.graph.nodes[root].disproof:
            if not has_room(&self.graph):
                return False
            self.visited = self.forcing.visited
            if self.visited >= self.pause:
                self.pause = self.visited + PAUSE
                check()
            leaf = most_proving(&self.graph, root)
            self.expand(leaf)
            update_parents(&self.graph, leaf)
        return self.graph.nodes[root].proof == 0

    cdef void expand(self, unsigned int number) noexcept:
        """Find the moves of this position and update its numbers."""
        cdef Node* node = self.graph.nodes + number
        cdef Position position = position_of(&self.forcing, node.marks)
        cdef Cells* marks = node.marks
        cdef Cells[2] after
        cdef Cells replies
        node.expanded = True
        node.children = self.graph.edges_used
        if node.attacking:
            self.expand_attack(number, &position)
        elif not self.is_open(&position):
            node.proof, node.disproof = NEVER, 0
            return
        else:
            replies = self.replies_to(&position)
            while replies:
                after[ATTACKER] = marks[ATTACKER]
                after[DEFENDER] = marks[DEFENDER] | replies & -replies
                take_least_image(&self.images, after)
                add_child(&self.graph, number, node_of(&self.graph, after, True))
                replies &= replies - 1
        weigh(&self.graph, node)

    cdef bint is_open(self, const Position* position) noexcept:
        """Return whether the defender, to move, has a move but cannot complete a line."""
        return empty_of(&self.forcing, position) and not threats(&self.forcing, position, DEFENDER)

    cdef Cells replies_to(self, const Position* position) noexcept:
        """Return the replies that threats do not refute."""
        cdef Cells empty = empty_of(&self.forcing, position)
        cdef Cells forced = threats(&self.forcing, position, ATTACKER)
        cdef Cells open = empty
        cdef Sequence sequence
        if several(forced):
            return 0
        if forced:
            return 0 if self.wins_after(position, lowest_bit(forced)) else forced
        if not wins_by_threats(&self.forcing, position):
            return empty
        sequence = self.forcing.found
        self.sieve(position, &sequence, &open)
        return self.unrefuted(position, &sequence, &open, MAX_CELLS)

    cdef bint wins_after(self, const Position* position, int reply) noexcept:
        """Return whether the attacker wins by threats after this reply."""
        cdef Position after = position[0]
        put(&self.forcing, &after, DEFENDER, reply)
        return wins_by_threats(&self.forcing, &after)

    cdef void sieve(
        self, const Position* position, const Sequence* sequence, Cells* replies
    ) noexcept:
        """Remove the replies that this sequence refutes."""
        cdef Cells left = replies[0]
        cdef Position after
        while left:
            after = position[0]
            put(&self.forcing, &after, DEFENDER, lowest_bit(left))
            if still_wins(&self.forcing, &after, sequence):
                replies[0] &= ~(left & -left)
            left &= left - 1

    cdef Cells unrefuted(
        self, const Position* position, Sequence* sequence, Cells* open, int most
    ) noexcept:
        """Return the open replies that nothing refutes; after `most` of them, the rest stay open.

        Cells of the sequence are tried first: only taking one of them or a threat can stop it.
        """
        cdef Cells unrefuted = 0
        cdef int ply, reply
        while open[0] and count_bits(unrefuted) < most:
            reply = lowest_bit(open[0])
            for ply in range(sequence.length):
                if open[0] >> sequence.moves[ply] & 1:
                    reply = sequence.moves[ply]
                    break
                if sequence.replies[ply] < MAX_CELLS and open[0] >> sequence.replies[ply] & 1:
                    reply = sequence.replies[ply]
                    break
            open[0] &= ~bit(reply)
            if self.wins_after(position, reply):
                sequence[0] = self.forcing.found
                self.sieve(position, sequence, open)
            else:
                unrefuted |= bit(reply)
        return unrefuted

    cdef void expand_attack(self, unsigned int number, const Position* position) noexcept:
        """Add the attacker's forced move, or else the threatening moves.

        Threats do not win here, or the position would not be expanded. If no move threatens to win,
        all moves are added, as long as there are too few marks for threats.
        """
        cdef Cells block = threats(&self.forcing, position, DEFENDER)
        cdef Cells quiet = empty_of(&self.forcing, position)
        cdef Cells left
        cdef Cells[2] after
        cdef unsigned int child, used
        quiet &= ~empty_on(&self.forcing, live(position, ATTACKER, self.forcing.k - 2), position)
        if several(block):
            return
        if block:
            self.take_move(position, block, after)
            add_child(&self.graph, number, node_of(&self.graph, after, False))
            return
        if self.add_threatening(number, position, quiet):
            return
        if count_bits(position.marks[ATTACKER]) + 1 < self.forcing.k <= IDLE_K:
            left = empty_of(&self.forcing, position)
            while quiet:
                self.take_move(position, quiet & -quiet, after)
                used = self.graph.nodes_used
                child = node_of(&self.graph, after, False)
                if child == used:
                    self.graph.nodes[child].idle = True
                    self.graph.nodes[child].proof = max(1, OPEN * count_bits(left & (left - 1)))
                add_child(&self.graph, number, child)
                quiet &= quiet - 1

    cdef bint add_threatening(
        self, unsigned int number, const Position* position, Cells quiet
    ) noexcept:
        """Add the moves that threaten to win by threats, and return whether there are any.

        Replies are counted only until another move is known to leave fewer.
        """
        cdef Candidate* candidate
        cdef Node* child
        cdef Cells[2] after
        cdef Position then
        cdef int[MAX_CELLS] order
        cdef unsigned int known
        cdef unsigned int fewest = MAX_CELLS
        cdef int count = 0
        cdef int i, promise
        while quiet and fewest:
            self.take_move(position, quiet & -quiet, after)
            quiet &= quiet - 1
            known = self.graph.slot[slot_of(&self.graph, after, False)]
            candidate = self.candidates + count
            if known == 0:
                then = position_of(&self.forcing, after)
                if not wins_by_threats(&self.forcing, &then):
                    continue
                candidate.sequence = self.forcing.found
                candidate.open = empty_of(&self.forcing, &then)
                self.sieve(&then, &candidate.sequence, &candidate.open)
                candidate.node = node_of(&self.graph, after, False)
                promise = count_bits(candidate.open)
                self.graph.nodes[candidate.node].proof = max(1, promise)
                i = count
                while i > 0 and count_bits(self.candidates[order[i - 1]].open) > promise:
                    order[i] = order[i - 1]
                    i -= 1
                order[i] = count
                count += 1
            elif not self.graph.nodes[known].idle:
                add_child(&self.graph, number, known)
                fewest = min(fewest, self.graph.nodes[known].proof)
        for i in range(count):
            candidate = self.candidates + order[i]
            child = self.graph.nodes + candidate.node
            if fewest == 0:
                break
            then = position_of(&self.forcing, child.marks)
            self.count_replies(child, &then, candidate, fewest)
            fewest = min(fewest, child.proof)
            add_child(&self.graph, number, candidate.node)
        return self.graph.nodes[number].width > 0

    cdef void count_replies(
        self, Node* node, const Position* position, Candidate* candidate, int most
    ) noexcept:
        """Estimate the difficulty of proving a move by the replies that threats do not refute."""
        cdef Cells unrefuted = self.unrefuted(
            position, &candidate.sequence, &candidate.open, most
        )
        # about a third of the replies that were not tried would be refuted
        node.proof = count_bits(unrefuted) + (2 * count_bits(candidate.open) + 2) // 3
        if node.proof == 0:
            node.disproof = NEVER
            node.expanded = True

    cdef void take_move(self, const Position* position, Cells cell, Cells* after) noexcept:
        """Set `after` to the marks after a move of the attacker, up to symmetry."""
        after[ATTACKER] = position.marks[ATTACKER] | cell
        after[DEFENDER] = position.marks[DEFENDER]
        take_least_image(&self.images, after)
        self.forcing.visited += 1


def takes(rules):
    """Return whether proofs are possible for these rules."""
    return (
        rules.players == 2
        and rules.variant == "freestyle"
        and not rules.gravity
        and rules.cells <= MAX_CELLS
        and 3 <= rules.k <= MAX_K
        and Geometry(rules).count <= MAX_LINES
    )
