struct node { int value; struct node *next; };

static void *build(const char *kind, size_t n) {
    if (!strcmp(kind, "ints")) return malloc(n * sizeof(int));
    if (!strcmp(kind, "zeros")) return calloc(n, sizeof(int));
    if (!strcmp(kind, "grown")) {
        int *one = NULL;
        for (size_t i = 1; i <= n; i++) one = realloc(one, i * sizeof *one);
        return one;
    }
    if (!strcmp(kind, "grid")) {
        int **rows = malloc(n * sizeof *rows);
        for (size_t i = 0; i < n; i++) rows[i] = malloc(n * sizeof **rows);
        return rows;
    }
    if (!strcmp(kind, "freed")) {
        void *one = malloc(n), *other = aligned_alloc(64, 64 * n), *third;
        char *text = strndup("a text", 3), *printed;
        if (posix_memalign(&third, 64, n) || asprintf(&printed, "%d", 5) < 0) abort();
        free(one), free(other), free(third), free(text), free(printed);
        return reallocarray(NULL, n, 0);
    }
    if (!strcmp(kind, "list")) {
        struct node *first = NULL;
        for (size_t i = 0; i < n; i++) {
            struct node *next = malloc(sizeof *next);
            next->next = first, first = next;
        }
        return first;
    }
    if (!strcmp(kind, "bits")) return calloc(n, 1);
    if (!strcmp(kind, "text")) {
        char text[n + 1];
        memset(text, 'x', n), text[n] = 0;
        return strdup(text);
    }
    abort();
}

int main(int count, char **kinds) {
    for (size_t n = 8; n <= 512; n *= 8)
        for (int i = 1; i < count; i++) {
            long long before = noughts_live_bytes();
            void *volatile kept = build(kinds[i], n);
            printf("%s %d %lld\n", kinds[i], (int) n, noughts_live_bytes() - before);
            (void) kept;
        }
    int *fresh = malloc(sizeof *fresh);
    return *fresh == 0; // allocated memory is not 0 by luck
}
