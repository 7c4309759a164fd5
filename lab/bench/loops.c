/* Loops that play 3x3 and Connect Four one game after the other, checking every move: what a compiler
   makes of the obvious program. `limit.py` compiles them and compares noughts with them. */

#include <stdint.h>

static const int LINES[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
static uint8_t has_line[512];

void prepare(void) {
    for (int marks = 0; marks < 512; marks++)
        for (int line = 0; line < 8; line++)
            has_line[marks] |= (marks & LINES[line]) == LINES[line];
}

/* The status, winner and legal moves of a game of this many moves, as in `Verdicts`; if padded, moves
   of -1 in the end do not count. */
static inline void judge(
    const int8_t *moves, int count, int padded, int8_t *status, int8_t *winner, int32_t *ply) {
    int marks[2] = {0, 0}, played = 0, won = 0, illegal;
    for (; played < 9 && played < count && !won; played++) {
        int cell = moves[played], mover = played & 1;
        if (cell < 0 || cell > 8 || (marks[0] | marks[1]) >> cell & 1)
            break;
        marks[mover] |= 1 << cell;
        if (has_line[marks[mover]])
            won = mover + 1;
    }
    illegal = played < count;
    if (padded && illegal) {
        illegal = 0;
        for (int move = played; move < count; move++)
            illegal |= moves[move] != -1;
    }
    *ply = played;
    *status = illegal ? 3 : won ? 1 : played == 9 ? 2 : 0;
    *winner = illegal ? 0 : won;
}

void judge_rows(
    const int8_t *moves, long games, int8_t *status, int8_t *winner, int32_t *ply) {
    for (long game = 0; game < games; game++)
        judge(moves + 9 * game, 9, 1, status + game, winner + game, ply + game);
}

void judge_slices(
    const int8_t *moves, const int32_t *offsets, long games, int8_t *status, int8_t *winner,
    int32_t *ply) {
    for (long game = 0; game < games; game++)
        judge(
            moves + offsets[game], offsets[game + 1] - offsets[game], 0, status + game,
            winner + game, ply + game);
}

/* Many games at once: what `VectorGame` keeps and shows. */
typedef struct {
    uint64_t marks[2], random;
    int64_t ply;
} Game;

typedef struct {
    int8_t *planes;
    uint8_t *legal, *done;
    int8_t *turn, *winner;
    int32_t *ply;
} Shown;

/* One of these bits, all equally likely. */
static uint64_t drawn(Game *game, uint64_t bits) {
    game->random ^= game->random << 13;
    game->random ^= game->random >> 7;
    game->random ^= game->random << 17;
    int skipped = (int)((game->random >> 32) * (uint64_t)__builtin_popcountll(bits) >> 32);
    while (skipped--)
        bits &= bits - 1;
    return bits & -bits;
}

/* Write what is seen of a move, and begin again after the last one. */
static void show(Game *game, int won, int full, const Shown *shown, long i) {
    int mover = (int)(game->ply & 1);
    shown->done[i] = won || full;
    shown->winner[i] = (int8_t)(won ? mover + 1 : 0);
    game->ply++;
    if (won || full)
        game->marks[0] = game->marks[1] = 0, game->ply = 0;
    shown->turn[i] = (int8_t)((game->ply & 1) + 1);
    shown->ply[i] = (int32_t)game->ply;
}

void step_three(Game *games, long count, const Shown *arrays) {
    const Shown local = *arrays, *shown = &local; /* which no store can change */
    for (long i = 0; i < count; i++) {
        Game *game = games + i;
        uint64_t *own = game->marks + (game->ply & 1);
        *own |= drawn(game, 511 & ~(game->marks[0] | game->marks[1]));
        show(game, has_line[*own], (game->marks[0] | game->marks[1]) == 511, shown, i);
        uint64_t mine = game->marks[game->ply & 1], theirs = game->marks[~game->ply & 1];
        for (int cell = 0; cell < 9; cell++) {
            shown->planes[18 * i + cell] = mine >> cell & 1;
            shown->planes[18 * i + 9 + cell] = theirs >> cell & 1;
            shown->legal[9 * i + cell] = ~(mine | theirs) >> cell & 1;
        }
    }
}

/* Connect Four, with seven bits for each column of six, the lowest cell first. */
static uint64_t fours(uint64_t marks, int step) {
    uint64_t pairs = marks & marks >> step;
    return pairs & pairs >> 2 * step;
}

static int has_four(uint64_t marks) {
    return (fours(marks, 1) | fours(marks, 6) | fours(marks, 7) | fours(marks, 8)) != 0;
}

void step_four(Game *games, long count, const Shown *arrays) {
    const Shown local = *arrays, *shown = &local; /* which no store can change */
    const uint64_t bottom = 0x40810204081, board = 63 * bottom;
    for (long i = 0; i < count; i++) {
        Game *game = games + i;
        uint64_t *own = game->marks + (game->ply & 1);
        *own |= drawn(game, ((game->marks[0] | game->marks[1]) + bottom) & board);
        show(game, has_four(*own), (game->marks[0] | game->marks[1]) == board, shown, i);
        uint64_t mine = game->marks[game->ply & 1], theirs = game->marks[~game->ply & 1];
        for (int col = 0; col < 7; col++)
            shown->legal[7 * i + col] = ~(mine | theirs) >> (7 * col + 5) & 1;
        for (int row = 0; row < 6; row++)
            for (int col = 0; col < 7; col++) {
                shown->planes[84 * i + 7 * row + col] = mine >> (7 * col + 5 - row) & 1;
                shown->planes[84 * i + 42 + 7 * row + col] = theirs >> (7 * col + 5 - row) & 1;
            }
    }
}
