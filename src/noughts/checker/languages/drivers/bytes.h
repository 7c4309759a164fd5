/* Counts the bytes that a program has allocated and not freed. Allocated bytes are not 0 by luck. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static long long noughts_live; /* bytes */

static void *noughts_malloc(size_t size) {
    void *found = malloc(size);
    if (found == NULL) return NULL;
    noughts_live += (long long) malloc_usable_size(found);
    return memset(found, 0xA5, size);
}

static void *noughts_calloc(size_t count, size_t size) {
    void *found = calloc(count, size);
    if (found != NULL) noughts_live += (long long) malloc_usable_size(found);
    return found;
}

static void noughts_free(void *old) {
    if (old != NULL) noughts_live -= (long long) malloc_usable_size(old);
    free(old);
}

static void *noughts_realloc(void *old, size_t size) {
    long long before = old != NULL ? (long long) malloc_usable_size(old) : 0;
    void *found = realloc(old, size);
    if (found != NULL) noughts_live += (long long) malloc_usable_size(found) - before;
    return found;
}

static char *noughts_strdup(const char *text) {
    return strcpy((char *) noughts_malloc(strlen(text) + 1), text);
}
