/* Judging 16 games on the 3x3 board at a time, with the vectors that GCC and Clang offer on any
   processor. They have no operation that looks up bytes in a table, so each of the nine cells is
   compared. */

#include "three_games.h"

#ifdef NOUGHTS_VECTORS

typedef signed char Vector __attribute__((vector_size(16)));

#define TARGET
#define JUDGE_ROUND judge_16
#define Bytes Vector
#define Games Vector
#define BYTES(number) ((Vector){0} + (signed char)(number))
#define TABLE(...) ((Vector){__VA_ARGS__})
#define LOOK_UP look_up
#define EQUAL(some, others) ((Vector)((some) == (others)))
#define ABOVE(some, others) ((Vector)((some) > (others)))
#define NOT_ZERO(bytes) ((Vector)((bytes) != BYTES(0)))
#define CHOOSE(games, these, others) (((these) & (games)) | ((others) & ~(games)))
#define COUNT(bytes, games) ((bytes) - (games))
#define WRITE(where, bytes) write_16(where, bytes)
#define WRITE_INTS write_16_ints

static inline Vector look_up(Vector table, Vector numbers) {
    Vector found = BYTES(0);
#pragma GCC unroll 9
    for (int cell = 0; cell < 9; cell++)
        found |= EQUAL(numbers, BYTES(cell)) & table[cell];
    return found;
}

static inline void write_16(void *where, Vector bytes) {
    memcpy(where, &bytes, sizeof bytes);
}

static inline void write_16_ints(int *where, Vector bytes) {
    signed char each[16];
    write_16(each, bytes);
    for (int i = 0; i < 16; i++)
        where[i] = each[i];
}

#include "three_round.h"

/* The same as `judge_with_avx2`. */
static ptrdiff_t judge_with_vectors(const ThreeGames *all, ptrdiff_t done) {
    const unsigned char *games[16];
    unsigned char lengths[16], bytes[SHOWN][16];
    Vector plies[SHOWN], length;
    memset(lengths, 9, sizeof lengths);
    for (; all->count - done >= 16 && locate(all, done, 16, games, lengths); done += 16) {
        for (int i = 0; i < 16; i++)
#pragma GCC unroll 10
            for (int t = 0; t < SHOWN; t++)
                bytes[t][i] = games[i][t];
        memcpy(plies, bytes, sizeof plies);
        memcpy(&length, lengths, sizeof length);
        if (all->padded)
            judge_16(plies, length, 1, all, done);
        else
            judge_16(plies, length, 0, all, done);
    }
    return done;
}

#else
static ptrdiff_t judge_with_vectors(const ThreeGames *all, ptrdiff_t done) {
    (void)all;
    return done;
}
#endif
