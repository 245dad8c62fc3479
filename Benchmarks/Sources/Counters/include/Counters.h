#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdint.h>

/// What a stretch of the program took from the heap: malloc, calloc, realloc and their aligned forms, by any library.
typedef struct {
    int64_t allocations;
    /// Bytes that were allocated and not freed, as glibc rounds them.
    int64_t live;
    /// The largest value of `live`.
    int64_t peak;
} AllocationCounts;

/// Sets all counts to zero and begins to count. Memory that was allocated before and is freed now counts negative.
void allocation_counter_start(void);

AllocationCounts allocation_counter_counts(void);

/// Ends counting. A program that doesn't count pays one branch for each allocation.
void allocation_counter_stop(void);

/// Counts the statements of all connections to SQLite that are opened from now on.
void statement_counter_start(void);

int64_t statement_counter_count(void);

/// Calls the function. `valgrind --tool=callgrind --toggle-collect=measured_region` counts the instructions in here.
void measured_region(void (*function)(void *), void *context);

#endif
