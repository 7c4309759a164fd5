
/* Plays the solution above; noughts.checker.isolated describes the protocol. */
static FILE *noughts_out;

static void noughts_int(long long answer) { fprintf(noughts_out, "%lld", answer); }
static void noughts_bool(int answer) { fputs(answer ? "true" : "false", noughts_out); }
static void noughts_char(int answer) { fprintf(noughts_out, answer ? "'%c'" : "''", answer); }
static void noughts_double(double answer) { fprintf(noughts_out, "double %g", answer); }
static void noughts_text(const char *answer) {
    if (answer == NULL) fputs("null", noughts_out);
    else fprintf(noughts_out, "'%.200s'", answer);
}
#define NOUGHTS_WRITE(answer) _Generic((answer), bool: noughts_bool, char: noughts_char, char *: noughts_text, \
    const char *: noughts_text, float: noughts_double, double: noughts_double, default: noughts_int)(answer)

static $object noughts_make(int n) {
    return (void) n, $make;
}

static void noughts_move($object game, int n, int row, int col, int player, bool writes) {
    (void) n, (void) game;
    $act
    if (writes) NOUGHTS_WRITE($answer);
    else (void) ($answer);
}

static void noughts_moves($object game, const int *marks, int count, bool writes) {
    for (int at = 1; at + 2 < count; at += 3) {
        if (writes && at > 1) fputc('\t', noughts_out);
        noughts_move(game, marks[0], marks[at], marks[at + 1], marks[at + 2], writes);
    }
}

static double noughts_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static void noughts_serve(char verb, const int *game, int count) {
    static $object objects[64];
    if (verb == 'o') objects[game[0]] = noughts_make(game[1]);
    else if (verb == 'm') noughts_move(objects[game[0]], game[1], game[2], game[3], game[4], true);
    else if (verb == 'p') noughts_moves(noughts_make(game[0]), game, count, true);
    else {
        long long before = noughts_live_bytes();
        double start = noughts_clock();
        $object object = noughts_make(game[0]);
        double ready = noughts_clock();
        noughts_moves(object, game, count, false);
        double end = noughts_clock();
        if (verb == 't') fprintf(noughts_out, "%.9f %.9f", ready - start, end - ready);
        else fprintf(noughts_out, "%lld", noughts_live_bytes() - before);
    }
    if (verb != 'o') fputc('\n', noughts_out);
}

int main(void) {
    FILE *in = fdopen(3, "r");
    char *line = NULL;
    size_t room = 0;
    int *game = NULL;
    noughts_out = fdopen(4, "w");
    fputs("[]\n", noughts_out);
    fflush(noughts_out);
    for (ssize_t length; (length = getline(&line, &room, in)) > 0;) {
        int count = 0;
        game = (int *) realloc(game, (size_t) length * sizeof *game);
        for (char *at = strtok(line + 1, " \n"); at != NULL; at = strtok(NULL, " \n")) game[count++] = atoi(at);
        if (count > 0) noughts_serve(line[0], game, count);
        else fflush(stdout), fflush(noughts_out);
    }
    return 0;
}
