/* Games on the 3x3 board that are judged many at a time: where they are in memory, and their verdicts. */

#ifndef NOUGHTS_THREE_GAMES_H
#define NOUGHTS_THREE_GAMES_H

#include <stddef.h>
#include <string.h>

/* The fields have the meaning of `Layout` and `Verdicts`. */
typedef struct {
    const unsigned char *moves;
    ptrdiff_t count, row, width;
    int padded;
    const long long *offsets;
    signed char *status, *winner, *code, *ended;
    int *ply;
    unsigned char *lines; /* or NULL */
} ThreeGames;

/* As in layout.pxd and moves.pxd. */
enum { WON = 1, DRAW = 2, ILLEGAL = 3, OFF_BOARD = 1, CELL_TAKEN = 2, GAME_OVER = 3 };

#ifdef __GNUC__
#define NOUGHTS_VECTORS
#if defined(__x86_64__) && !defined(NOUGHTS_PORTABLE)
#define NOUGHTS_X86
#include <immintrin.h>
#endif

enum { MOST = 32 }; /* games that `locate` finds at once */
/* Bytes that are readable at the beginning of each game, and moves that count: one more than cells. */
enum { READ = 16, SHOWN = 10 };

/* Find the games of a round, and their lengths unless they are rows; return whether READ bytes of each
   may be read. Offsets are checked although they have been: another thread may have changed them. */
__attribute__((always_inline)) static inline int locate( /* so that `round` is known */
    const ThreeGames *all, ptrdiff_t first, int round, const unsigned char **games,
    unsigned char *lengths) {
    if (!all->offsets) {
        for (int i = 0; i < round; i++)
            games[i] = all->moves + (first + i) * all->row;
        return first + round < all->count; /* the bytes after a row are in the next one */
    }
    long long ends[MOST + 1], wrong = 0;
    for (int i = 0; i <= round; i++)
        ends[i] = all->offsets[first + i];
    for (int i = 0; i < round; i++) {
        long long length = ends[i + 1] - ends[i];
        wrong |= length | ends[i];
        lengths[i] = (unsigned char)(length < SHOWN ? length : SHOWN);
        games[i] = all->moves + ends[i];
    }
    return wrong >= 0 && ends[round] <= all->width && ends[round - 1] + READ <= all->width;
}
#endif

#endif
