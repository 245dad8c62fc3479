#include "Counters.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

// The executable's malloc comes before glibc's malloc, for the shared libraries of Swift and SQLite, too. These are the
// names under which glibc offers its functions to such a malloc.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *pointer);

static int counting;
static _Atomic int64_t allocations;
static _Atomic int64_t live;
static _Atomic int64_t peak;

static void add(void *pointer) {
    if (!pointer) return;
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    int64_t size = (int64_t)malloc_usable_size(pointer);
    int64_t now = atomic_fetch_add_explicit(&live, size, memory_order_relaxed) + size;
    int64_t before = atomic_load_explicit(&peak, memory_order_relaxed);
    while (now > before && !atomic_compare_exchange_weak(&peak, &before, now)) {
    }
}

static void subtract(void *pointer) {
    if (pointer) atomic_fetch_sub_explicit(&live, (int64_t)malloc_usable_size(pointer), memory_order_relaxed);
}

void *malloc(size_t size) {
    void *pointer = __libc_malloc(size);
    if (__builtin_expect(counting, 0)) add(pointer);
    return pointer;
}

void *calloc(size_t count, size_t size) {
    void *pointer = __libc_calloc(count, size);
    if (__builtin_expect(counting, 0)) add(pointer);
    return pointer;
}

void *realloc(void *pointer, size_t size) {
    if (__builtin_expect(!counting, 1)) return __libc_realloc(pointer, size);
    int64_t before = pointer ? (int64_t)malloc_usable_size(pointer) : 0;
    void *result = __libc_realloc(pointer, size);
    if (result || size == 0) atomic_fetch_sub_explicit(&live, before, memory_order_relaxed);
    add(result);
    return result;
}

void free(void *pointer) {
    if (__builtin_expect(counting, 0)) subtract(pointer);
    __libc_free(pointer);
}

void *memalign(size_t alignment, size_t size) {
    void *pointer = __libc_memalign(alignment, size);
    if (__builtin_expect(counting, 0)) add(pointer);
    return pointer;
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *pointer = memalign(alignment, size);
    if (!pointer) return ENOMEM;
    *result = pointer;
    return 0;
}

void allocation_counter_start(void) {
    atomic_store(&allocations, 0);
    atomic_store(&live, 0);
    atomic_store(&peak, 0);
    counting = 1;
}

AllocationCounts allocation_counter_counts(void) {
    AllocationCounts counts = {atomic_load(&allocations), atomic_load(&live), atomic_load(&peak)};
    return counts;
}

void allocation_counter_stop(void) { counting = 0; }

__attribute__((noinline)) void measured_region(void (*function)(void *), void *context) {
    function(context);
    // Keeps the call from becoming a jump, with which callgrind would not see the return.
    __asm__ volatile("");
}
