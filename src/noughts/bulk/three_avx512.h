/* Judging 64 games on the 3x3 board at a time, with the AVX-512 instructions of x86-64 and their
   extensions BW and VBMI. */

#include "three_games.h"

#ifdef NOUGHTS_X86

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vbmi")))
#define JUDGE_ROUND judge_64
#define Bytes __m512i
#define Games __mmask64
#define BYTES(number) _mm512_set1_epi8((char)(number))
#define TABLE(...) _mm512_broadcast_i32x4(_mm_setr_epi8(__VA_ARGS__))
#define LOOK_UP(table, numbers) _mm512_shuffle_epi8(table, _mm512_min_epu8(numbers, BYTES(15)))
#define EQUAL _mm512_cmpeq_epi8_mask
#define ABOVE _mm512_cmpgt_epi8_mask
#define NOT_ZERO(bytes) _mm512_test_epi8_mask(bytes, bytes)
#define CHOOSE(games, these, others) _mm512_mask_mov_epi8(others, games, these)
#define COUNT(bytes, games) _mm512_mask_add_epi8(bytes, games, bytes, BYTES(1))
#define WRITE(where, bytes) _mm512_storeu_si512(where, bytes)
#define WRITE_INTS write_64_ints

TARGET static inline void write_64_ints(int *where, __m512i bytes) {
    __m128i quarters[4] = {
        _mm512_castsi512_si128(bytes), _mm512_extracti32x4_epi32(bytes, 1),
        _mm512_extracti32x4_epi32(bytes, 2), _mm512_extracti32x4_epi32(bytes, 3)};
    for (int i = 0; i < 4; i++)
        _mm512_storeu_si512(where + 16 * i, _mm512_cvtepi8_epi32(quarters[i]));
}

#include "three_round.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))

static int has_avx512(void) {
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi");
}

/* Judge as many games as there are full rounds; return their number. They are rows of nine bytes, one
   after the other, which two permutations bring into order; AVX2 judges games elsewhere in memory. */
AVX512 static ptrdiff_t judge_with_avx512(const ThreeGames *all) {
    unsigned char order[64], ninths[64];
    for (int game = 0; game < 8; game++)
        for (int ply = 0; ply < 8; ply++) {
            int at = 9 * game + ply; /* in the first 64 bytes of eight games, or in the last 64 */
            order[8 * ply + game] = (unsigned char)(at < 64 ? at : 64 + at - 8);
            ninths[8 * ply + game] = (unsigned char)(9 * game);
        }
    const __m512i by_ply = _mm512_loadu_si512(order), ninth = _mm512_loadu_si512(ninths);
    const __m512i low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    ptrdiff_t done = 0;
    for (; all->count - done >= 64; done += 64) {
        __m512i plies[10], mixed[8];
        plies[8] = plies[9] = _mm512_setzero_si512();
        for (int i = 0; i < 8; i++) {
            const unsigned char *eight = all->moves + 9 * (done + 8 * i);
            __m512i first = _mm512_loadu_si512(eight), last = _mm512_loadu_si512(eight + 8);
            plies[i] = _mm512_permutex2var_epi8(first, by_ply, last);
            plies[8] = _mm512_mask_permutexvar_epi8(plies[8], 255ull << 8 * i, ninth, last);
        }
#pragma GCC unroll 3
        for (int pass = 0; pass < 3; pass++) { /* each interleaves the first four with the others */
#pragma GCC unroll 4
            for (int i = 0; i < 4; i++) {
                mixed[2 * i] = _mm512_permutex2var_epi64(plies[i], low, plies[i + 4]);
                mixed[2 * i + 1] = _mm512_permutex2var_epi64(plies[i], high, plies[i + 4]);
            }
#pragma GCC unroll 8
            for (int i = 0; i < 8; i++)
                plies[i] = mixed[i];
        }
        judge_64(plies, _mm512_set1_epi8(9), all->padded, all, done);
    }
    return done;
}

#else
static int has_avx512(void) {
    return 0;
}
static ptrdiff_t judge_with_avx512(const ThreeGames *all) {
    (void)all;
    return 0;
}
#endif
