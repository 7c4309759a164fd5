# cython: language_level=3, cdivision=True
"""Wins by threes and fours against every reply.

This is depth-first proof-number search (A. Nagai, *Df-pn algorithm for searching AND/OR trees and its
applications*, 2002). It next expands the position nearest to a proof, by the number of positions still
to be won. Results are kept, so that a later search of the same or a related position continues where
this one stopped. A three threatens a series of fours; every reply that could prevent it is tried, and
every four of the defender. An attack ends with a series of fours, see `threats`.
"""

from noughts.opponent.search.position cimport (
    MAKES_FOUR, MAX_MOVES, THREE, Moves, Position, hash_with, insert, is_legal, make, pass_move, unmake,
    worth_to,
)
from noughts.opponent.search.threats cimport (
    ANY, FOURS, LACKS_TWO, LINE, MAX_REPLIES, PLACES, Known, Threats, defences, question, replies_to,
    spend, win_by_fours, winning_cells,
)
from noughts.opponent.search.patterns cimport CARO, Bits

cdef enum:
    ENDLESS = 1 << 28  # the proof number of an unprovable position
    COST = 4  # of each move of the attacker, so that short wins come first
    SHARE = 16  # this many replies count as one more position to be won
    SPREAD = 64 - 17  # bits of a key that do not select one of the PLACES
    DEEPEST = 80  # plies
    FOURS_NODES = 200  # for the series that ends an attack
    THREAT_NODES = 1000  # for the series that a three threatens


cdef inline int win_by_threes(
    Position* position, Threats* threats, long long nodes, int* move
) noexcept nogil:
    """Return in how many plies the player to move wins by threes and fours, or 0 if none is found.

    `move` is set to the first move; `nodes` limits the number of positions visited.
    """
    cdef Bits asked = question(position.hash, position.to_move, 1)
    cdef Known known = recall(threats, asked, 1)
    if known.proof and known.disproof:
        threats.left = nodes
        attack(position, threats, ENDLESS, ENDLESS, 0)
        known = recall(threats, asked, 1)
    move[0] = known.move
    return known.plies if not known.proof else 0


cdef inline Known recall(const Threats* threats, Bits asked, unsigned int proof) noexcept nogil:
    """Return the entry of a position; a new one has this proof number."""
    cdef Known known = threats.known[asked >> SPREAD]
    if known.asked != asked:
        known.asked, known.proof, known.disproof, known.move, known.plies = asked, proof, 1, -1, 0
    return known


cdef inline void keep(
    Threats* threats, Known* known, unsigned int proof, unsigned int disproof
) noexcept nogil:
    """Store the numbers of a position."""
    known.proof, known.disproof = min(proof, ENDLESS), min(disproof, ENDLESS)
    threats.known[known.asked >> SPREAD] = known[0]


cdef inline bint is_over(Threats* threats) noexcept nogil:
    """Return whether the search must end."""
    return threats.left < 0 or threats.budget.stopped


cdef inline void win(Threats* threats, Known* known, int plies, int move) noexcept nogil:
    """Store a win of the attacker."""
    known.plies, known.move = plies, move
    keep(threats, known, 0, ENDLESS)


cdef inline void attack(
    Position* position, Threats* threats, unsigned int proofs, unsigned int disproofs, int depth
) noexcept nogil:
    """Search a position, with the attacker to move, until it reaches one of these numbers."""
    cdef int me = position.to_move
    cdef int[LINE] line
    cdef int[2] dangers
    cdef Known[MAX_MOVES] after
    cdef Moves moves
    cdef Known known = recall(threats, question(position.hash, position.to_move, 1), 1)
    cdef int danger, i, cell, plies, best, count, open
    cdef unsigned int proof, second, disproof
    if known.move < 0:
        plies = win_by_fours(position, threats, FOURS, FOURS_NODES, LACKS_TWO, line)
        if plies:
            win(threats, &known, plies, line[0])
            return
        if is_over(threats):
            return
    danger = winning_cells(position, 1 - me, dangers)
    moves.count = count = 0
    if danger:
        if danger == 1 and position.variant != CARO:
            insert(&moves, dangers[0], 0)
    elif depth < DEEPEST:
        for i in range(position.now.actives):
            cell = position.active[i]
            if position.marks[cell] or position.level[me][cell] < THREE or moves.count == MAX_MOVES:
                continue
            insert(&moves, cell, worth_to(position, cell, me) + 100 * position.level[me][cell])
    for i in range(moves.count):
        cell = moves.cell[i]
        if is_legal(position, cell):
            proof = 1 if position.level[me][cell] >= MAKES_FOUR else 2
            after[count] = recall(threats, question(hash_with(position, cell, me), 1 - me, 3), proof)
            moves.cell[count] = cell
            count += 1
    while not is_over(threats):
        proof, second, disproof, best, open = ENDLESS, ENDLESS, 0, 0, 0
        for i in range(count):
            disproof = max(disproof, after[i].disproof)
            open += after[i].disproof > 0
            if after[i].proof < proof:
                proof, second, best = after[i].proof, proof, i
            elif after[i].proof < second:
                second = after[i].proof
        if not proof:
            win(threats, &known, after[best].plies + 1, moves.cell[best])
            return
        proof = min(ENDLESS, proof + COST)
        disproof = min(ENDLESS, disproof + max(open, 1) - 1)
        known.move = moves.cell[best] if count else 0
        keep(threats, &known, proof, disproof)
        if proof >= proofs or disproof >= disproofs or not disproof:
            return
        threats.left -= 1
        if not spend(threats.budget):
            return
        make(position, moves.cell[best])
        after[best] = defend(
            position, threats, min(proofs - COST, second + second // 4 + 1),
            min(ENDLESS, disproofs - disproof + after[best].disproof), depth + 1
        )
        unmake(position)


cdef inline Known defend(
    Position* position, Threats* threats, unsigned int proofs, unsigned int disproofs, int depth
) noexcept nogil:
    """Search a position, with the defender to move, like `attack`; return its entry."""
    cdef int me = position.to_move
    cdef int[MAX_REPLIES] replies
    cdef int[LINE] line
    cdef int[2] wins
    cdef Known[MAX_REPLIES] after
    cdef Known known = recall(threats, question(position.hash, me, 3), 1)
    cdef int count, i, plies, best, open, legal = 0
    cdef unsigned int proof, second, disproof
    count = winning_cells(position, 1 - me, wins)
    if winning_cells(position, me, replies):
        count = 0
    elif count:
        count = replies_to(position, wins, count, replies)
        if not count:
            win(threats, &known, 2, wins[0])
            return known
    else:
        pass_move(position)
        plies = win_by_fours(position, threats, FOURS // 2, THREAT_NODES, ANY, line)
        pass_move(position)
        if is_over(threats):
            return known
        count = defences(position, threats, line, plies, replies) if plies else 0
    for i in range(count):
        if is_legal(position, replies[i]):
            after[legal] = recall(threats, question(hash_with(position, replies[i], me), 1 - me, 1), 1)
            replies[legal] = replies[i]
            legal += 1
    if not legal:
        keep(threats, &known, ENDLESS, 0)
        return known
    while True:
        proof, second, disproof, best = 0, ENDLESS, ENDLESS, 0
        plies = open = 0
        for i in range(legal):
            proof = max(proof, after[i].proof)
            open += after[i].proof > 0
            plies = max(plies, after[i].plies if not after[i].proof else 0)
            if after[i].disproof < disproof:
                disproof, second, best = after[i].disproof, disproof, i
            elif after[i].disproof < second:
                second = after[i].disproof
        if not proof:
            win(threats, &known, plies + 1, replies[0])
            return known
        proof = min(ENDLESS, proof + (open - 1) // SHARE)
        known.move = replies[best]
        keep(threats, &known, proof, disproof)
        if proof >= proofs or disproof >= disproofs or not disproof or is_over(threats):
            return known
        make(position, replies[best])
        attack(
            position, threats, min(ENDLESS, proofs - proof + after[best].proof),
            min(disproofs, second + second // 4 + 1), depth + 1
        )
        after[best] = recall(threats, question(position.hash, position.to_move, 1), after[best].proof)
        unmake(position)
