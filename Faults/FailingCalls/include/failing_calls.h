/* Calls of the operating system, and allocations of SQLite, that fail on demand.

   The functions of failing_calls.c stand before those of the C library: each call of SQLite, Foundation and this package
   on a watched file is counted, and the one with the chosen number fails. Nothing is counted before the first call of
   failing_calls_begin. */

enum failing_calls_kind {
    /* One call of any kind fails with EIO. */
    failing_calls_once = 1,
    /* One call, and each one after it, fails with EIO. */
    failing_calls_from = 2,
    /* From one call that needs space on, each such call fails with ENOSPC. */
    failing_calls_full = 3,
    /* One allocation of SQLite fails. */
    failing_calls_memory = 4
};

/* Prepares the process: replaces the allocator of SQLite, which must not be used before, and ends all waiting for the disk.
   Returns SQLite's result code. */
int failing_calls_replace_allocator(void);

/* Counts the calls on files below a folder, and has the one with the number fail. */
void failing_calls_begin(enum failing_calls_kind kind, long number, const char *folder);

/* Ends that. Returns the number of calls that have failed. */
long failing_calls_end(void);

/* The first call that has failed, and the file; an empty text if there is none. */
const char *failing_calls_description(void);
