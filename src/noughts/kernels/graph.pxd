# cython: language_level=3, cdivision=True
"""A graph for proof-number search: positions up to symmetry, their moves, and what is known of them.

A position's *proof* is how many leaves, at least, are to be proved so that the attacker is proved to
win it, its *disproof* how many are to be disproved. Where the attacker moves one child is enough,
where the defender does it takes all. (L. V. Allis, M. van der Meulen and H. J. van den Herik,
Proof-number search, 1994.)
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

ctypedef unsigned long long Cells  # a set of cells, a bit for each

cdef enum:
    MAX_WIDTH = 64  # children of a position
    NEVER = 1000000000  # the number of a proof, or disproof, that there is not
    NODE_BYTES = 72  # of a node with what belongs to it
    SPARE = 4  # there is a child, and a link, more for so many nodes: some have two parents

# A position of the graph, its marks up to symmetry. It is expanded once its children are known.
cdef struct Node:
    Cells[2] marks  # the attacker's, the defender's
    unsigned int proof, disproof  # as many leaves, at least, are to be proved or disproved
    unsigned int children  # where the first stands among all children
    unsigned int parents  # the first link to one
    unsigned char width  # how many children
    unsigned char attacking, expanded
    unsigned char idle  # the attacker, who has moved, does not threaten to win by threats

cdef struct Link:
    unsigned int parent, next

# Number 0 is nothing.
cdef struct Graph:
    unsigned int capacity, edges, slots
    unsigned int nodes_used, children_used, links_used
    Node* nodes
    unsigned int* slot  # hashed: the number of a node
    unsigned int* children
    Link* links


cdef inline bint make_graph(Graph* self, unsigned long long memory) noexcept:
    """Make an empty graph of so many bytes; False if there is no room.

    As calloc has it from the system, it takes up memory only where it is used.
    """
    self.capacity = min(memory // NODE_BYTES, <unsigned long long> 1 << 30) + 1
    self.edges = self.capacity + self.capacity // SPARE
    self.slots = 2
    while self.slots < self.edges:
        self.slots *= 2
    self.nodes = <Node*> calloc(self.capacity, sizeof(Node))
    self.slot = <unsigned int*> calloc(self.slots, sizeof(unsigned int))
    self.children = <unsigned int*> calloc(self.edges, sizeof(unsigned int))
    self.links = <Link*> calloc(self.edges, sizeof(Link))
    if not (self.nodes and self.slot and self.children and self.links):
        return False
    clear(self)
    return True


cdef inline void free_graph(Graph* self) noexcept:
    """Give its memory back."""
    free(self.nodes)
    free(self.slot)
    free(self.children)
    free(self.links)


cdef inline void clear(Graph* self) noexcept nogil:
    """Forget all positions."""
    memset(self.slot, 0, self.slots * sizeof(unsigned int))
    self.nodes_used = self.children_used = self.links_used = 1


cdef inline bint has_room(const Graph* self) noexcept nogil:
    """Whether one more position can be expanded."""
    return (
        self.nodes_used + MAX_WIDTH < self.capacity
        and self.links_used + MAX_WIDTH < self.edges
    )


cdef inline unsigned int most_proving(Graph* self, unsigned int number) noexcept nogil:
    """The leaf that does most to prove or disprove this position."""
    cdef Node* node = self.nodes + number
    cdef Node* child
    cdef unsigned int best, tie, i
    while node.expanded:
        best = 0
        for i in range(node.children, node.children + node.width):
            child = self.nodes + self.children[i]
            if node.attacking:
                if child.proof == node.proof and (best == 0 or child.disproof > tie):
                    best, tie = self.children[i], child.disproof
            elif child.disproof == node.disproof and (best == 0 or child.proof < tie):
                best, tie = self.children[i], child.proof
        number = best
        node = self.nodes + number
    return number


cdef inline void add_child(Graph* self, unsigned int number, unsigned int child) noexcept nogil:
    """Add a child, if it is not there already, as symmetric moves have the same."""
    cdef Node* node = self.nodes + number
    cdef unsigned int i
    for i in range(node.children, node.children + node.width):
        if self.children[i] == child:
            return
    self.children[self.children_used] = child
    self.children_used += 1
    node.width += 1
    self.links[self.links_used].parent = number
    self.links[self.links_used].next = self.nodes[child].parents
    self.nodes[child].parents = self.links_used
    self.links_used += 1


cdef inline void weigh(Graph* self, Node* node) noexcept nogil:
    """Work out proof and disproof from the children."""
    cdef long long proof = 0
    cdef long long disproof = 0
    cdef unsigned int least_proof = NEVER
    cdef unsigned int least_disproof = NEVER
    cdef Node* child
    cdef unsigned int i
    for i in range(node.children, node.children + node.width):
        child = self.nodes + self.children[i]
        proof += child.proof
        disproof += child.disproof
        least_proof = min(least_proof, child.proof)
        least_disproof = min(least_disproof, child.disproof)
    node.proof = least_proof if node.attacking else min(proof, NEVER)
    node.disproof = min(disproof, NEVER) if node.attacking else least_disproof


cdef inline void update_parents(Graph* self, unsigned int number) noexcept nogil:
    """Tell the parents of this position, and theirs, that its numbers have changed."""
    cdef unsigned int link = self.nodes[number].parents
    cdef unsigned int proof, disproof
    cdef Node* parent
    while link:
        parent = self.nodes + self.links[link].parent
        proof, disproof = parent.proof, parent.disproof
        weigh(self, parent)
        if parent.proof != proof or parent.disproof != disproof:
            update_parents(self, self.links[link].parent)
        link = self.links[link].next


cdef inline unsigned int node_of(Graph* self, const Cells* marks, bint attacking) noexcept nogil:
    """The node of these marks, a new leaf if there is none."""
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
    """Where the number of this position's node is kept, or would be."""
    cdef Cells mixed = (marks[0] + attacking) * 0x9E3779B97F4A7C15ULL  # 2^64 / golden ratio
    cdef unsigned int place
    cdef Node* node
    mixed = (mixed ^ mixed >> 29 ^ marks[1]) * 0xBF58476D1CE4E5B9ULL
    place = (mixed ^ mixed >> 32) * 0x9E3779B97F4A7C15ULL >> 32 & (self.slots - 1)
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
