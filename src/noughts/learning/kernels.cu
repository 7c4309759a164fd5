/* The calls of a `VectorGame` on a GPU, after games.h: a kernel for each, with a thread for each game.

noughts.learning.kernels defines the constants: ROWS, COLS, K, GRAVITY, LOSES and DECIDES. */

#define CELLS (ROWS * COLS)
#define ACTIONS (GRAVITY ? COLS : CELLS)
#define KERNEL extern "C" __global__ void

typedef struct {
    Games games;
    unsigned int *marks; /* [game, player, row]: a bit for each column */
} Batch;

typedef struct {
    long long count; /* of games */
    Batch batch;
    void *array;        /* the caller's, with a row for each game */
    const void *choice; /* a byte for each game that selects games or seats, or NULL */
    Batch source;       /* to copy from, with the next two */
    long long streams;  /* whether the state of random numbers is copied, too */
    unsigned long long apart; /* what is added to it, times the number of the game */
    unsigned long long one;   /* the element of an observation for a mark */
} Call;

/* The games of one block of threads. */
typedef struct {
    Games games;
    unsigned int *marks;
    long long first; /* the first of them */
    int count;
    long long mine; /* the game of this thread, or -1 */
} Block;

EACH Block block_of(const Call &call)
{
    Block block;
    long long left;
    block.games = call.batch.games;
    block.games.actions = ACTIONS; /* this and the next are constants for the compiler */
    block.games.cells = CELLS;
    block.games.floor = CELLS - COLS;
    block.games.players = 2;
    block.games.gravity = GRAVITY;
    block.marks = call.batch.marks;
    block.first = (long long)blockIdx.x * blockDim.x;
    left = call.count - block.first;
    block.count = left < blockDim.x ? (int)left : (int)blockDim.x;
    block.mine = threadIdx.x < block.count ? block.first + threadIdx.x : -1;
    return block;
}

EACH void start_game(const Block &block, long long game)
{
    begin(&block.games, game);
    memset(block.marks + game * 2 * ROWS, 0, 2 * ROWS * sizeof(int));
}

/* Return whether the rows of a player have a mark on this place, which may be off the board. */
EACH int is_marked(const unsigned int *rows, int row, int col)
{
    return row >= 0 && row < ROWS && col >= 0 && col < COLS && rows[row] >> col & 1;
}

/* Return whether a player's new mark ends the game. */
EACH int has_line(const unsigned int *marks, int player, int row, int col)
{
    const unsigned int *own = marks + (player - 1) * ROWS, *other = marks + (2 - player) * ROWS;
    int way, by, along, above, before, after, i, j;
    for (way = 0; way < 4; way++) {
        by = way > 0;
        along = way ? way - 2 : 1;
        above = 1 - K;
        for (i = row - by, j = col - along; is_marked(own, i, j); i -= by, j -= along)
            above++;
        before = is_marked(other, i, j);
        for (i = row + by, j = col + along; is_marked(own, i, j); i += by, j += along)
            above++;
        after = is_marked(other, i, j);
        if (above < 0)
            continue;
        above = above < 2 ? above : 2;
        if (DECIDES >> (27 * (player - 1) + 9 * above + 3 * (2 * before) + 2 * after) & 1)
            return 1;
    }
    return 0;
}

/* Make a move in a game. */
EACH void advance(const Block &block, long long game, long long action)
{
    const Games *games = &block.games;
    unsigned int *marks = block.marks + game * 2 * ROWS;
    int player, row, col, ends, winner;
    long long cell;
    forget(games, game, game + 1);
    if (games->done[game]) {
        if (resumes(games, game))
            start_game(block, game);
        return;
    }
    player = games->turn[game];
    cell = land(games, game, action);
    if (cell < 0)
        return;
    row = (int)cell / COLS;
    col = (int)cell % COLS;
    marks[(player - 1) * ROWS + row] |= 1u << col;
    ends = has_line(marks, player, row, col);
    winner = !ends ? 0 : LOSES ? 3 - player : player;
    if (settle(games, game, player, ends) && conclude(games, game, winner))
        start_game(block, game);
}

/* Return a random action of a game, or -1 if it is over. */
EACH long long drawn(const Block &block, long long game)
{
    if (block.games.autoreset != SAME_STEP && block.games.done[game])
        return -1;
    return draw(&block.games, game, 0);
}

/* Return whether a place of the block's observations, counted from the first, shows a mark. */
EACH int is_seen(const Block &block, const signed char *seats, unsigned int at)
{
    const unsigned int line = at / COLS, col = at % COLS; /* a line is a row of a player's plane */
    const long long game = block.first + line / (2 * ROWS);
    const unsigned int player = ((seats[game] - 1) & 1) ^ (line / ROWS & 1); /* of wrong seats, too */
    return block.marks[(game * 2 + player) * ROWS + line % ROWS] >> col & 1;
}

/* Write the block's games as their players see them. The threads write aligned words of 8 bytes, one
next to the other; the first and the last word may be shared with other blocks. */
template <typename Element> EACH void show(const Call &call, const Block &block)
{
    const signed char *seats = call.choice ? (const signed char *)call.choice : block.games.turn;
    const unsigned int size = block.count * 2 * CELLS, in_word = 8 / sizeof(Element);
    Element *seen = (Element *)call.array + block.first * 2 * CELLS;
    const unsigned int before = (unsigned long long)seen % 8 / sizeof(Element); /* in its word */
    unsigned int word, i;
    for (word = threadIdx.x; word * in_word < before + size; word += blockDim.x) {
        const unsigned int first = word * in_word - before; /* above `size` if it wraps around */
        unsigned long long marks = 0;
        for (i = 0; i < in_word; i++)
            if (first + i < size && is_seen(block, seats, first + i))
                marks |= call.one << 8 * sizeof(Element) * i;
        if (first < size && first + in_word <= size)
            *(unsigned long long *)(seen + first) = marks;
        else
            for (i = 0; i < in_word; i++)
                if (first + i < size)
                    seen[first + i] = (Element)(marks >> 8 * sizeof(Element) * i);
    }
}

/* Copy rows of `size` bytes for the games of the block; row i of `rows` is the number of a row. */
EACH void copy_rows(
    const Block &block, void *target, const void *source, const long long *rows, unsigned int size)
{
    unsigned char *to = (unsigned char *)target + block.first * size;
    unsigned int i;
    for (i = threadIdx.x; i < block.count * size; i += blockDim.x)
        to[i] = ((const unsigned char *)source)[rows[block.first + i / size] * size + i % size];
}

KERNEL reset(Call call)
{
    Block block = block_of(call);
    const unsigned char *chosen = (const unsigned char *)call.choice;
    if (block.mine < 0 || (chosen && !chosen[block.mine]))
        return;
    renew(&block.games, block.mine);
    start_game(block, block.mine);
}

KERNEL step(Call call)
{
    Block block = block_of(call);
    if (block.mine >= 0)
        advance(block, block.mine, ((const long long *)call.array)[block.mine]);
}

KERNEL random_actions(Call call)
{
    Block block = block_of(call);
    const unsigned char *chosen = (const unsigned char *)call.choice;
    if (block.mine < 0)
        return;
    ((long long *)call.array)[block.mine] =
        chosen && !chosen[block.mine] ? -1 : drawn(block, block.mine);
}

KERNEL take(Call call)
{
    Block block = block_of(call);
    const Games *mine = &block.games, *theirs = &call.source.games;
    const long long *rows = (const long long *)call.array;
    copy_rows(block, mine->turn, theirs->turn, rows, 1);
    copy_rows(block, mine->winner, theirs->winner, rows, 1);
    copy_rows(block, mine->done, theirs->done, rows, 1);
    copy_rows(block, mine->ply, theirs->ply, rows, 4);
    copy_rows(block, mine->legal, theirs->legal, rows, ACTIONS);
    copy_rows(block, mine->order, theirs->order, rows, 2 * ACTIONS);
    copy_rows(block, mine->left, theirs->left, rows, 4);
    copy_rows(block, block.marks, call.source.marks, rows, 2 * 4 * ROWS);
    if (GRAVITY)
        copy_rows(block, mine->heights, theirs->heights, rows, 4 * ACTIONS);
    if (call.streams)
        copy_rows(block, mine->random, theirs->random, rows, 8);
    __syncthreads();
    if (block.mine < 0)
        return;
    if (call.streams)
        mine->random[block.mine] += call.apart * block.mine;
    if (adapt(mine, block.mine, theirs->autoreset))
        start_game(block, block.mine);
}

/* The calls that write observations, for elements of this many bits. */
#define VIEWS(bits, Element)                                                                         \
    KERNEL observe##bits(Call call)                                                                  \
    {                                                                                                \
        show<Element>(call, block_of(call));                                                         \
    }                                                                                                \
    KERNEL step_random##bits(Call call)                                                              \
    {                                                                                                \
        Block block = block_of(call);                                                                \
        if (block.mine >= 0)                                                                         \
            advance(block, block.mine, drawn(block, block.mine));                                    \
        __syncthreads();                                                                             \
        show<Element>(call, block);                                                                  \
    }

VIEWS(8, unsigned char)
VIEWS(16, unsigned short)
VIEWS(32, unsigned int)
