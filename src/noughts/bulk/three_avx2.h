/* Judging 32 games on the 3x3 board at a time, with the AVX2 instructions of x86-64. */

#include "three_games.h"

#ifdef NOUGHTS_X86

#define TARGET __attribute__((target("avx2")))
#define JUDGE_ROUND judge_32
#define Bytes __m256i
#define Games __m256i
#define BYTES(number) _mm256_set1_epi8((char)(number))
#define TABLE(...) _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__))
#define LOOK_UP(table, numbers) _mm256_shuffle_epi8(table, _mm256_min_epu8(numbers, BYTES(15)))
#define EQUAL _mm256_cmpeq_epi8
#define ABOVE _mm256_cmpgt_epi8
#define NOT_ZERO(bytes) (~_mm256_cmpeq_epi8(bytes, BYTES(0)))
#define CHOOSE(games, these, others) _mm256_blendv_epi8(others, these, games)
#define COUNT _mm256_sub_epi8
#define WRITE(where, bytes) _mm256_storeu_si256((__m256i *)(where), bytes)
#define WRITE_INTS write_32_ints

TARGET static inline void write_32_ints(int *where, __m256i bytes) {
    __m128i quarters[4] = {
        _mm256_castsi256_si128(bytes), _mm_srli_si128(_mm256_castsi256_si128(bytes), 8),
        _mm256_extracti128_si256(bytes, 1), _mm_srli_si128(_mm256_extracti128_si256(bytes, 1), 8)};
    for (int i = 0; i < 4; i++)
        _mm256_storeu_si256((__m256i *)(where + 8 * i), _mm256_cvtepi8_epi32(quarters[i]));
}

#include "three_round.h"

#define AVX2 __attribute__((target("avx2")))

static int has_avx2(void) {
    return __builtin_cpu_supports("avx2") != 0;
}

/* Transpose: one vector per ply, with a byte per game. */
AVX2 static inline void by_ply(const unsigned char *const games[32], __m256i plies[READ]) {
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

/* Judge the games after `done` others, as many as there are full rounds with valid offsets; return the
   number of all that are done. */
AVX2 static ptrdiff_t judge_with_avx2(const ThreeGames *all, ptrdiff_t done) {
    const unsigned char *games[32];
    unsigned char lengths[32];
    __m256i plies[READ];
    memset(lengths, 9, sizeof lengths);
    for (; all->count - done >= 32 && locate(all, done, 32, games, lengths); done += 32) {
        by_ply(games, plies);
        __m256i length = _mm256_loadu_si256((const __m256i *)lengths);
        if (all->padded)
            judge_32(plies, length, 1, all, done);
        else
            judge_32(plies, length, 0, all, done);
    }
    return done;
}

#else
static int has_avx2(void) {
    return 0;
}
static ptrdiff_t judge_with_avx2(const ThreeGames *all, ptrdiff_t done) {
    (void)all;
    return done;
}
#endif
