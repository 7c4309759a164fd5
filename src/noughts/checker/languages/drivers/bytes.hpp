// Counts the bytes that a program has allocated and not freed. Allocated bytes are not 0 by luck.
#include "bytes.h"

#include <new>

inline void *noughts_new(std::size_t size) {
    void *found = noughts_malloc(size ? size : 1);
    if (found == nullptr) throw std::bad_alloc();
    return found;
}

void *operator new(std::size_t size) { return noughts_new(size); }
void *operator new[](std::size_t size) { return noughts_new(size); }
void *operator new(std::size_t size, const std::nothrow_t &) noexcept { return noughts_malloc(size); }
void *operator new[](std::size_t size, const std::nothrow_t &) noexcept { return noughts_malloc(size); }
void operator delete(void *old) noexcept { noughts_free(old); }
void operator delete[](void *old) noexcept { noughts_free(old); }
void operator delete(void *old, std::size_t) noexcept { noughts_free(old); }
void operator delete[](void *old, std::size_t) noexcept { noughts_free(old); }
