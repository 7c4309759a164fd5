/* Counts the bytes that a program has allocated and not freed; for C and C++.
 *
 * The program's own malloc takes the place of the C library's, so that everything is counted which
 * ends there: new in all its forms, strdup, getline, containers. Blocks count with what the
 * allocator gave, which is a few bytes more than was asked for. Their bytes are not 0 by luck.
 * glibc offers its allocator under second names; other C libraries are asked for the next malloc. */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#define NOUGHTS_THROWS noexcept
extern "C" {
#else
#define NOUGHTS_THROWS
#endif
#define NOUGHTS_ALLOCATOR __attribute__((noinline, visibility("default")))

#ifdef __GLIBC__
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t), __libc_free(void *);
#define NOUGHTS_LIBRARY(name) __libc_##name
#define NOUGHTS_ALIGNED __libc_memalign
#else
#include <dlfcn.h>
#define NOUGHTS_LIBRARY(name) ((__typeof__(&name)) dlsym(RTLD_NEXT, #name))
#define NOUGHTS_ALIGNED NOUGHTS_LIBRARY(aligned_alloc) /* memalign may call the one below */
#endif

static long long noughts_live; /* bytes */

/* Returns the bytes that are allocated now. */
static inline long long noughts_live_bytes(void) { return __atomic_load_n(&noughts_live, __ATOMIC_RELAXED); }

static void *noughts_counted(void *found, long long before) {
    if (found != NULL) __atomic_fetch_add(&noughts_live, (long long) malloc_usable_size(found) - before, __ATOMIC_RELAXED);
    return found;
}

NOUGHTS_ALLOCATOR void *malloc(size_t size) NOUGHTS_THROWS {
    void *found = noughts_counted(NOUGHTS_LIBRARY(malloc)(size), 0);
    return found == NULL ? NULL : memset(found, 0xA5, size);
}

NOUGHTS_ALLOCATOR void *calloc(size_t count, size_t size) NOUGHTS_THROWS {
    void *found = NOUGHTS_LIBRARY(calloc)(count, size);
#ifdef __GLIBC__ /* musl's has called the malloc above */
    noughts_counted(found, 0);
#endif
    return found;
}

NOUGHTS_ALLOCATOR void free(void *old) NOUGHTS_THROWS {
    if (old != NULL) __atomic_fetch_sub(&noughts_live, (long long) malloc_usable_size(old), __ATOMIC_RELAXED);
    NOUGHTS_LIBRARY(free)(old);
}

NOUGHTS_ALLOCATOR void *realloc(void *old, size_t size) NOUGHTS_THROWS {
    if (old != NULL && size == 0) return free(old), (void *) NULL;
    long long before = old == NULL ? 0 : (long long) malloc_usable_size(old);
    return noughts_counted(NOUGHTS_LIBRARY(realloc)(old, size), before);
}

NOUGHTS_ALLOCATOR void *memalign(size_t alignment, size_t size) NOUGHTS_THROWS {
    return noughts_counted(NOUGHTS_ALIGNED(alignment, size), 0);
}

NOUGHTS_ALLOCATOR void *aligned_alloc(size_t alignment, size_t size) NOUGHTS_THROWS { return memalign(alignment, size); }

NOUGHTS_ALLOCATOR int posix_memalign(void **found, size_t alignment, size_t size) NOUGHTS_THROWS {
    void *made = memalign(alignment, size);
    if (made != NULL) *found = made;
    return made == NULL ? ENOMEM : 0;
}

/* Standard output would allocate its buffer with what is printed first. */
__attribute__((constructor)) static void noughts_buffer_output(void) {
    static char buffer[BUFSIZ];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
}

#ifdef __cplusplus
}
#endif
