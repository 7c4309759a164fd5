# cython: language_level=3, cdivision=True
"""Threads that share the work of successive short calls, without the GIL.

Waking a thread takes about 30 µs, as long as a step of thousands of games on 3×3. So an idle thread
checks for work `SPINS` times, for tens of microseconds, before it sleeps; and a call does not wait
for threads that are still asleep: the others take over their shares. Each thread starts with a share of
its own, which is the same in every call and therefore in its core's cache.

Every word that several threads can change is read and written by atomic operations.
"""

from libc.stdlib cimport calloc, free

cdef extern from "pythread.h":
    ctypedef void* PyThread_type_lock
    const int WAIT_LOCK, NOWAIT_LOCK
    const unsigned long NOT_STARTED "PYTHREAD_INVALID_THREAD_ID"
    unsigned long PyThread_start_new_thread(void (*)(void*) noexcept nogil, void*) noexcept nogil
    PyThread_type_lock PyThread_allocate_lock() noexcept nogil
    void PyThread_free_lock(PyThread_type_lock) noexcept nogil
    int PyThread_acquire_lock(PyThread_type_lock, int mode) noexcept nogil
    void PyThread_release_lock(PyThread_type_lock) noexcept nogil

cdef extern from *:
    """
    #define READ(word) __atomic_load_n(word, __ATOMIC_SEQ_CST)
    #define WRITE(word, value) __atomic_store_n(word, value, __ATOMIC_SEQ_CST)
    #define SWAP(word, value) __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST)
    #define COUNT_DOWN(word) __atomic_sub_fetch(word, 1, __ATOMIC_SEQ_CST)
    #define REPLACE(word, old, value) \\
        __atomic_compare_exchange_n(word, old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
    #if defined(__x86_64__) || defined(__i386__)
    #define PAUSE() __builtin_ia32_pause()
    #else
    #define PAUSE()
    #endif
    """
    unsigned int load "READ"(const unsigned int* word) noexcept nogil
    void store "WRITE"(unsigned int* word, unsigned int value) noexcept nogil
    unsigned int swap "SWAP"(unsigned int* word, unsigned int value) noexcept nogil
    unsigned int count_down "COUNT_DOWN"(unsigned int* word) noexcept nogil
    bint replace "REPLACE"(
        unsigned int* word, unsigned int* old, unsigned int value
    ) noexcept nogil
    void pause "PAUSE"() noexcept nogil

cdef enum:
    SPINS = 2000

ctypedef void (*Work)(void* context, Py_ssize_t first, Py_ssize_t last) noexcept nogil

cdef struct Member:
    Pool* pool
    unsigned int number, asleep
    PyThread_type_lock bell  # released by the thread that resets the sleeper's `asleep` to 0
    unsigned int begun  # the latest call in which a thread started its share
    char padding[64]  # keeps members on separate cache lines

cdef struct Pool:
    unsigned int threads
    unsigned int call, finished  # the number of the latest call, and of the latest finished one
    unsigned int unfinished  # number of shares of this call
    unsigned int users  # number of threads that use this memory
    unsigned int closed
    Work work
    void* context
    Py_ssize_t count
    Member* members  # the first is the calling thread


cdef inline Pool* open_pool(unsigned int threads) noexcept:
    """Return a pool of `threads` threads including the caller's, or NULL if memory is short.

    If the system refuses some of the threads, the others do their work.
    """
    cdef unsigned int i
    cdef Pool* self = <Pool*> calloc(1, sizeof(Pool))
    cdef Member* members = <Member*> calloc(threads, sizeof(Member))
    if self is NULL or members is NULL:
        free(self)
        free(members)
        return NULL
    self.users, self.threads, self.members = 1, threads, members
    for i in range(threads):
        members[i].pool, members[i].number = self, i
        members[i].bell = PyThread_allocate_lock()
        if members[i].bell is NULL:
            close_pool(self)
            return NULL
        PyThread_acquire_lock(members[i].bell, WAIT_LOCK)
    for i in range(1, threads):
        self.users += 1
        if PyThread_start_new_thread(serve, &members[i]) == NOT_STARTED:
            count_down(&self.users)
    return self


cdef inline void close_pool(Pool* self) noexcept nogil:
    """End all threads; the last one to end frees the memory."""
    cdef unsigned int i
    if self is NULL:
        return
    store(&self.closed, True)
    store(&self.call, self.call + 1)
    for i in range(1, self.threads):
        wake(&self.members[i])
    leave(self)


cdef inline void leave(Pool* self) noexcept nogil:
    """Free the memory if no other thread uses it."""
    cdef unsigned int i
    if count_down(&self.users):
        return
    for i in range(self.threads):
        if self.members[i].bell is not NULL:
            PyThread_free_lock(self.members[i].bell)
    free(self.members)
    free(self)


cdef inline void share(Pool* self, Work work, void* context, Py_ssize_t count) noexcept nogil:
    """Run `work` in parts that cover 0 to before `count`; return when all are done."""
    cdef unsigned int i
    cdef unsigned int call = self.call + 1
    self.work, self.context, self.count = work, context, count
    store(&self.unfinished, self.threads)
    store(&self.call, call)
    for i in range(1, self.threads):
        wake(&self.members[i])
    take_part(&self.members[0], call)
    wait(&self.members[0], &self.finished, call - 1)


cdef inline void serve(void* argument) noexcept nogil:
    """Take part in one call after another, until the pool is closed."""
    cdef Member* self = <Member*> argument
    cdef unsigned int call = 0
    while True:
        wait(self, &self.pool.call, call)
        call = load(&self.pool.call)
        if load(&self.pool.closed):
            leave(self.pool)
            return
        take_part(self, call)


cdef inline void take_part(Member* self, unsigned int call) noexcept nogil:
    """Do this thread's share of the work, and then the shares that no thread has started."""
    cdef Pool* pool = self.pool
    cdef Py_ssize_t number
    cdef unsigned int i, before
    for i in range(pool.threads):
        number = (self.number + i) % pool.threads
        before = call - 1
        if replace(&pool.members[number].begun, &before, call):
            pool.work(
                pool.context, number * pool.count // pool.threads,
                (number + 1) * pool.count // pool.threads,
            )
            if not count_down(&pool.unfinished):
                store(&pool.finished, call)
                wake(&pool.members[0])


cdef inline void wait(Member* self, const unsigned int* word, unsigned int old) noexcept nogil:
    """Wait until `word` differs from `old`."""
    cdef unsigned int spins = 0
    while load(word) == old:
        pause()
        spins += 1
        if spins == SPINS:
            spins = 0
            store(&self.asleep, True)
            if load(word) == old or not swap(&self.asleep, False):
                PyThread_acquire_lock(self.bell, WAIT_LOCK)


cdef inline void wake(Member* self) noexcept nogil:
    """Wake this thread if it sleeps, after a change of the word it waits for."""
    if swap(&self.asleep, False):
        PyThread_release_lock(self.bell)
