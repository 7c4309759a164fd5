/* Judging a round of games on the 3x3 board, a game per byte of a vector: every ply of all games,
   without branches, so that illegal games cost nothing extra.

   Each instruction set includes this once. It defines as macros, which end with this file: the name of
   the function (JUDGE_ROUND), its TARGET, vectors (Bytes), sets of games (Games), and the operations
   that plain C lacks.

   `three.pxd` is the definition. It judges what is left over, and everything where the compiler has no
   vectors. Nanoseconds per legal game, and per illegal one, with three.pxd: 8.3 and 24; with vectors on
   any processor: 5.9 and 5.9; with AVX2: 1.5 and 1.5; with AVX-512: 1.0 and 1.0. */

TARGET static inline void JUDGE_ROUND(
    const Bytes *plies, Bytes lengths, int padded, const ThreeGames *out, ptrdiff_t first) {
    /* The bit of a cell, and the lines through it: 012 345 678 036 147 258 048 246, the lowest first.
       Cell 8 has no bit, since a byte has only eight; numbers that are no cells have neither. */
    const Bytes bit_of = TABLE(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    const Bytes lines_of = TABLE(
        0x49, 0x11, -0x5F, 0x0A, -0x2E, 0x22, -0x74, 0x14, 0x64, 0, 0, 0, 0, 0, 0, 0);
    /* By player, the lines with at least one of their marks, and with at least two. */
    Bytes once[2] = {BYTES(0), BYTES(0)}, twice[2] = {BYTES(0), BYTES(0)};
    Bytes empty = BYTES(-1), ply = BYTES(0), completed = BYTES(0), refused = BYTES(0);
    Games played = EQUAL(ply, ply), alive = played, empty_8 = played, more = played & ~played;
#pragma GCC unroll 9
    for (int t = 0; t < 9; t++) {
        Bytes given = plies[t];
        Bytes bit = LOOK_UP(bit_of, given), lines = LOOK_UP(lines_of, given);
        Games moved = padded ? ~EQUAL(given, BYTES(-1)) : ABOVE(lengths, BYTES(t));
        Games on_8 = EQUAL(given, BYTES(8));
        refused = CHOOSE(played, given, refused); /* unless it is played, too */
        played = alive = alive & moved & (NOT_ZERO(empty & bit) | (on_8 & empty_8));
        more |= moved & ~played;
        ply = COUNT(ply, played);
        empty &= ~bit;
        empty_8 &= ~on_8;
        if (t >= 4) {
            completed = CHOOSE(played, twice[t & 1] & lines, completed);
            alive &= ~NOT_ZERO(completed);
        }
        twice[t & 1] |= once[t & 1] & lines;
        once[t & 1] |= lines;
    }
    if (!padded) { /* a tenth move */
        refused = CHOOSE(played, plies[9], refused);
        more |= ABOVE(lengths, BYTES(9));
    }
    Games won = NOT_ZERO(completed), full = EQUAL(ply, BYTES(9));
    Games off_board = ~NOT_ZERO(LOOK_UP(lines_of, refused));
    Bytes none = BYTES(0), winner = CHOOSE(won, BYTES(2) - (ply & BYTES(1)), none);
    Bytes status = CHOOSE(won, BYTES(WON), CHOOSE(full, BYTES(DRAW), none));
    Bytes code = CHOOSE(won | full, BYTES(GAME_OVER), BYTES(CELL_TAKEN));
    code = CHOOSE(off_board, BYTES(OFF_BOARD), code);
    WRITE(out->status + first, CHOOSE(more, BYTES(ILLEGAL), status));
    WRITE(out->winner + first, CHOOSE(more, none, winner));
    WRITE(out->code + first, CHOOSE(more, code, none));
    WRITE(out->ended + first, CHOOSE(more & ~off_board, winner, none));
    if (out->lines)
        WRITE(out->lines + first, CHOOSE(more, none, completed));
    WRITE_INTS(out->ply + first, ply);
}

#undef JUDGE_ROUND
#undef TARGET
#undef Bytes
#undef Games
#undef BYTES
#undef TABLE
#undef LOOK_UP
#undef EQUAL
#undef ABOVE
#undef NOT_ZERO
#undef CHOOSE
#undef COUNT
#undef WRITE
#undef WRITE_INTS
