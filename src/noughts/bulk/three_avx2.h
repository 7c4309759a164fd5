/* Judging 32 games on the 3x3 board at a time, with the AVX2 instructions of x86-64.

   `three.pxd` is the definition. It judges what is left over, and everything where the compiler or the
   processor lacks these instructions. It takes 8 times as long for legal games, and 28 times for
   illegal ones, which cost nothing extra here. */

#include <stddef.h>

/* Where games and verdicts are in memory; the fields have the meaning of `Layout` and `Verdicts`. */
typedef struct {
    const unsigned char *moves;
    ptrdiff_t count, row, width;
    int padded;
    const long long *offsets;
    signed char *status, *winner, *code, *ended;
    int *ply;
    unsigned char *lines; /* that the winners completed, as in `Three.lines_in`; or NULL */
} ThreeGames;

#if defined(__x86_64__) && defined(__GNUC__) && !defined(NOUGHTS_PORTABLE)
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2")))

/* As in layout.pxd and moves.pxd. */
enum { WON = 1, DRAW = 2, ILLEGAL = 3, OFF_BOARD = 1, CELL_TAKEN = 2, GAME_OVER = 3 };

/* Bytes that are readable at the beginning of each game: more than the nine moves that count. */
enum { ROUND = 32, READ = 16, SHOWN = 10 };

static int has_avx2(void) {
    return __builtin_cpu_supports("avx2") != 0;
}

/* Transpose: one vector per ply, with a byte per game. */
AVX2 static inline void by_ply(const unsigned char *const games[ROUND], __m256i plies[READ]) {
    __m256i mixed[READ];
    for (int i = 0; i < READ; i++)
        plies[i] = _mm256_inserti128_si256(
            _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)games[i])),
            _mm_loadu_si128((const __m128i *)games[i + READ]), 1);
#pragma GCC unroll 4
    for (int pass = 0; pass < 4; pass++) { /* each interleaves the lower half with the upper one */
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) {
            mixed[2 * i] = _mm256_unpacklo_epi8(plies[i], plies[i + 8]);
            mixed[2 * i + 1] = _mm256_unpackhi_epi8(plies[i], plies[i + 8]);
        }
#pragma GCC unroll 16
        for (int i = 0; i < READ; i++)
            plies[i] = mixed[i];
    }
}

/* Find the games of a round; return whether all of READ bytes of each may be read.
   Offsets are checked although they have been: another thread may have changed them since. */
AVX2 static inline int locate_32(
    const ThreeGames *all, ptrdiff_t first, const unsigned char *games[ROUND],
    unsigned char lengths[ROUND]) {
    if (!all->offsets) {
        for (int i = 0; i < ROUND; i++)
            games[i] = all->moves + (first + i) * all->row;
        return first + ROUND < all->count; /* the bytes after a row are in the next one */
    }
    long long ends[ROUND + 1], wrong = 0;
    for (int i = 0; i <= ROUND; i++)
        ends[i] = all->offsets[first + i];
    for (int i = 0; i < ROUND; i++) {
        long long length = ends[i + 1] - ends[i];
        wrong |= length | ends[i];
        lengths[i] = (unsigned char)(length < SHOWN ? length : SHOWN);
        games[i] = all->moves + ends[i];
    }
    return wrong >= 0 && ends[ROUND] <= all->width && ends[ROUND - 1] + READ <= all->width;
}

/* Judge a round, every ply of all games, and write the verdicts. */
AVX2 static inline void judge_32(
    const __m256i plies[READ], __m256i lengths, int padded, const ThreeGames *out,
    ptrdiff_t first) {
#define TABLE(...) _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__))
#define BYTES(number) _mm256_set1_epi8((char)(number))
#define EITHER _mm256_or_si256
#define BOTH _mm256_and_si256
#define WITHOUT(these, those) _mm256_andnot_si256(those, these)
#define LOOK_UP _mm256_shuffle_epi8 /* in a table, by the lower half of each byte */
    const __m256i none = _mm256_setzero_si256(), half = BYTES(15);
    const __m256i bits = TABLE(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i corner = TABLE(0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0);
    /* One bit per line, 012 345 678 036 147 258 048 246 from the lowest: which lines have all of their
       cells among 0 to 3 in a set of these, and the same for 4 to 7. The third needs no cell 8. */
    const __m256i low = TABLE(
        0x04, 0x44, 0x14, 0x54, -0x5C, -0x1C, -0x4C, -0x0B, 0x06, 0x4E, 0x16, 0x5E, -0x5A, -0x12,
        -0x4A, -1);
    const __m256i high = TABLE(
        0x01, 0x41, 0x21, 0x63, 0x09, -0x37, 0x29, -0x15, 0x01, 0x51, 0x21, 0x73, 0x0D, -0x23, 0x2D,
        -1);
    const __m256i elsewhere = BYTES(0x9B);
    __m256i marks[2] = {none, none}, corners[2] = {none, none}; /* cells 0 to 7, and cell 8 */
    __m256i alive = BYTES(-1), played = alive, ply = none, winner = none, off_board = none;
    __m256i completed = none;
#pragma GCC unroll 9
    for (int t = 0; t < 9; t++) {
        int player = t & 1;
        __m256i given = plies[t];
        if (padded)
            lengths = _mm256_max_epu8(
                lengths, WITHOUT(BYTES(t + 1), _mm256_cmpeq_epi8(given, BYTES(-1))));
        else
            given = EITHER(given, _mm256_cmpgt_epi8(BYTES(t + 1), lengths));
        __m256i cell = _mm256_min_epu8(given, BYTES(9));
        __m256i bit = LOOK_UP(bits, cell), in_corner = LOOK_UP(corner, cell);
        __m256i empty = EITHER(
            WITHOUT(bit, EITHER(marks[0], marks[1])),
            WITHOUT(in_corner, EITHER(corners[0], corners[1])));
        off_board = EITHER(off_board, BOTH(played, _mm256_cmpeq_epi8(cell, BYTES(9))));
        played = alive = WITHOUT(alive, _mm256_cmpeq_epi8(empty, none));
        marks[player] = EITHER(marks[player], BOTH(bit, played));
        corners[player] = EITHER(corners[player], BOTH(in_corner, played));
        ply = _mm256_sub_epi8(ply, played);
        if (t < 4)
            continue;
        __m256i lines = BOTH(
            BOTH(
                LOOK_UP(low, BOTH(marks[player], half)),
                LOOK_UP(high, BOTH(_mm256_srli_epi16(marks[player], 4), half))),
            EITHER(corners[player], elsewhere));
        completed = EITHER(completed, BOTH(lines, played));
        alive = BOTH(alive, _mm256_cmpeq_epi8(lines, none));
        winner = EITHER(winner, BOTH(WITHOUT(played, alive), BYTES(player + 1)));
    }
    if (!padded) { /* a tenth move */
        __m256i cell = _mm256_min_epu8(plies[9], BYTES(9));
        off_board = EITHER(off_board, BOTH(played, _mm256_cmpeq_epi8(cell, BYTES(9))));
    }
    __m256i more = _mm256_cmpgt_epi8(lengths, ply);
    __m256i goes_on = _mm256_cmpeq_epi8(winner, none), full = _mm256_cmpeq_epi8(ply, BYTES(9));
    __m256i over = EITHER(WITHOUT(BYTES(-1), goes_on), full);
    __m256i status = _mm256_blendv_epi8(BYTES(WON), BOTH(full, BYTES(DRAW)), goes_on);
    __m256i code = _mm256_blendv_epi8(
        _mm256_blendv_epi8(BYTES(CELL_TAKEN), BYTES(GAME_OVER), over), BYTES(OFF_BOARD), off_board);
#define WRITE(where, bytes) _mm256_storeu_si256((__m256i *)((where) + first), bytes)
    WRITE(out->status, _mm256_blendv_epi8(status, BYTES(ILLEGAL), more));
    WRITE(out->winner, WITHOUT(winner, more));
    WRITE(out->code, BOTH(code, more));
    WRITE(out->ended, BOTH(winner, WITHOUT(more, off_board)));
    if (out->lines)
        WRITE(out->lines, WITHOUT(completed, more));
    __m128i quarters[4] = {
        _mm256_castsi256_si128(ply), _mm_srli_si128(_mm256_castsi256_si128(ply), 8),
        _mm256_extracti128_si256(ply, 1), _mm_srli_si128(_mm256_extracti128_si256(ply, 1), 8)};
    for (int i = 0; i < 4; i++)
        WRITE(out->ply + 8 * i, _mm256_cvtepi8_epi32(quarters[i]));
}

/* Judge as many games as there are full rounds with valid offsets; return their number. */
AVX2 static ptrdiff_t judge_with_avx2(const ThreeGames *all) {
    const unsigned char *games[ROUND];
    unsigned char lengths[ROUND];
    __m256i plies[READ];
    ptrdiff_t done = 0;
    for (; all->count - done >= ROUND && locate_32(all, done, games, lengths); done += ROUND) {
        by_ply(games, plies);
        if (all->padded)
            judge_32(plies, _mm256_setzero_si256(), 1, all, done);
        else if (all->offsets)
            judge_32(plies, _mm256_loadu_si256((const __m256i *)lengths), 0, all, done);
        else
            judge_32(plies, _mm256_set1_epi8(9), 0, all, done);
    }
    return done;
}

#else
static int has_avx2(void) {
    return 0;
}
static ptrdiff_t judge_with_avx2(const ThreeGames *all) {
    (void)all;
    return 0;
}
#endif
