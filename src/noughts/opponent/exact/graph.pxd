# cython: language_level=3, cdivision=True
"""A graph for proof-number search: positions up to symmetry, their moves and proof numbers.

A position's *proof* number is the minimum number of leaves to prove in order to prove that the
attacker wins; its *disproof* number is the minimum number to disprove. If the attacker is to move,
one proved child is enough; if the defender is to move, all children must be proved. (L. V. Allis, M. van der Meulen and H. J. van den
Herik, Proof-number search, 1994.)
"""

from libc.stdlib cimport free
from libc.string cimport memset

from noughts.opponent.exact.bitboards cimport Cells, mix, zeros

cdef enum:
    MAX_WIDTH = 64  # children of a position
    NEVER = 1000000000  # the proof or disproof number if it is impossible
    NODE_BYTES = 65  # 40 of a node, at most 15 of edges and 10 of slots
    SPARE = 4  # one extra edge per this many nodes, as some have two parents

# A position of the graph, up to symmetry. It is expanded once its children are known.
cdef struct Node:
    Cells[2] marks  # the attacker's, the defender's
    unsigned int proof, disproof
    unsigned int children  # the first edge to a child; the other edges follow
    unsigned int parents  # the first edge from a parent
    unsigned char width  # number of children
    unsigned char attacking, expanded
    unsigned char idle  # the attacker, who has moved, does not threaten to win by threats

# From a position to one of its children.
cdef struct Edge:
    unsigned int parent, child
    unsigned int next  # the next edge to the same child

# The number 0 is unused.
cdef struct Graph:
    unsigned int capacity, slots
    unsigned int nodes_used, edges_used
    Node* nodes
    unsigned int* slot  # a hash table of node numbers
    Edge* edges


cdef inline int make_graph(Graph* self, unsigned long long memory) except -1:
    """Create an empty graph of this many bytes."""
    self.capacity = min(memory // NODE_BYTES, <unsigned long long> 1 << 30) + 1
    self.slots = 2
    while self.slots < most_edges(self):
        self.slots *= 2
    self.nodes = <Node*> zeros(self.capacity, sizeof(Node))
    self.slot = <unsigned int*> zeros(self.slots, sizeof(unsigned int))
    self.edges = <Edge*> zeros(most_edges(self), sizeof(Edge))
    clear(self)
    return 0


cdef inline void free_graph(Graph* self) noexcept:
    """Free its memory."""
    free(self.nodes)
    free(self.slot)
    free(self.edges)


cdef inline unsigned int most_edges(const Graph* self) noexcept nogil:
    """Return the maximum number of edges."""
    return self.capacity + self.capacity // SPARE


cdef inline void clear(Graph* self) noexcept nogil:
    """Forget all positions."""
    memset(self.slot, 0, self.slots * sizeof(unsigned int))
    self.nodes_used = self.edges_used = 1


cdef inline bint has_room(const Graph* self) noexcept nogil:
    """Return whether one more position can be expanded."""
    return (
        self.nodes_used + MAX_WIDTH < self.capacity
        and self.edges_used + MAX_WIDTH < most_edges(self)
    )


cdef inline unsigned int most_proving(Graph* self, unsigned int number) noexcept nogil:
    """Return the leaf that contributes most to solving this position, which is not solved yet.

    It exists: `weigh` took the number compared here from a child; it is neither 0 nor NEVER, so that
    child is not solved either.
    """
    cdef Node* node = self.nodes + number
    cdef Node* child
    cdef unsigned int best, tie, i
    while node.expanded:
        best = 0
        for i in range(node.children, node.children + node.width):
            child = self.nodes + self.edges[i].child
            if node.attacking:
                if child.proof == node.proof and (best == 0 or child.disproof > tie):
                    best, tie = self.edges[i].child, child.disproof
            elif child.disproof == node.disproof and (best == 0 or child.proof < tie):
                best, tie = self.edges[i].child, child.proof
        number = best
        node = self.nodes + number
    return number


cdef inline void add_child(Graph* self, unsigned int number, unsigned int child) noexcept nogil:
    """Add a child unless it is already one: symmetric moves lead to the same child."""
    cdef Node* node = self.nodes + number
    cdef Edge* edge = self.edges + self.edges_used
    cdef unsigned int i
    for i in range(node.children, node.children + node.width):
        if self.edges[i].child == child:
            return
    edge.parent, edge.child, edge.next = number, child, self.nodes[child].parents
    self.nodes[child].parents = self.edges_used
    self.edges_used += 1
    node.width += 1


cdef inline void weigh(Graph* self, Node* node) noexcept nogil:
    """Compute proof and disproof from the children."""
    cdef long long proof = 0, disproof = 0
    cdef unsigned int least_proof = NEVER, least_disproof = NEVER
    cdef Node* child
    cdef unsigned int i
    for i in range(node.children, node.children + node.width):
        child = self.nodes + self.edges[i].child
        proof += child.proof
        disproof += child.disproof
        least_proof = min(least_proof, child.proof)
        least_disproof = min(least_disproof, child.disproof)
    # one is NEVER only if the other is 0, however large the sums are
    if node.attacking:
        node.proof, node.disproof = least_proof, min(disproof, NEVER - (least_proof > 0))
    else:
        node.proof, node.disproof = min(proof, NEVER - (least_disproof > 0)), least_disproof


cdef inline void update_parents(Graph* self, unsigned int number) noexcept nogil:
    """Update the numbers of this position's ancestors."""
    cdef unsigned int edge = self.nodes[number].parents
    cdef unsigned int proof, disproof
    cdef Node* parent
    while edge:
        parent = self.nodes + self.edges[edge].parent
        proof, disproof = parent.proof, parent.disproof
        weigh(self, parent)
        if parent.proof != proof or parent.disproof != disproof:
            update_parents(self, self.edges[edge].parent)
        edge = self.edges[edge].next


cdef inline unsigned int node_of(Graph* self, const Cells* marks, bint attacking) noexcept nogil:
    """Return the node of these marks, a new leaf if there is none."""
    cdef unsigned int place = slot_of(self, marks, attacking)
    cdef Node* node
    if self.slot[place] == 0:
        self.slot[place] = self.nodes_used
        node = self.nodes + self.nodes_used
        self.nodes_used += 1
        memset(node, 0, sizeof(Node))
        node.marks[0], node.marks[1] = marks[0], marks[1]
        node.proof = node.disproof = 1
        node.attacking = attacking
    return self.slot[place]


cdef inline unsigned int slot_of(Graph* self, const Cells* marks, bint attacking) noexcept nogil:
    """Return the slot of this position's node, which may be free."""
    cdef unsigned int place = mix(marks[0] + attacking, marks[1]) >> 32 & (self.slots - 1)
    cdef Node* node
    while self.slot[place]:
        node = self.nodes + self.slot[place]
        if (
            node.marks[0] == marks[0]
            and node.marks[1] == marks[1]
            and node.attacking == attacking
        ):
            break
        place = (place + 1) & (self.slots - 1)
    return place
