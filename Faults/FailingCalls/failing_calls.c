#define _GNU_SOURCE
#include "include/failing_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int active;
/* Whether the process makes loops. */
static atomic_int is_used;
static long wanted;
static atomic_long counted;
static atomic_long failed;
static char folder[PATH_MAX];
static char description[PATH_MAX + 64];

void failing_calls_begin(enum failing_calls_kind kind, long number, const char *watched) {
    wanted = number;
    counted = 0;
    failed = 0;
    description[0] = 0;
    snprintf(folder, sizeof folder, "%s", watched);
    active = kind;
}

long failing_calls_end(void) {
    active = 0;
    return failed;
}

const char *failing_calls_description(void) { return description; }

/* Counts a call. Returns whether it fails. */
static int counts(const char *call, const char *path) {
    long number = ++counted;
    int kind = active;
    if (number != wanted && (number < wanted || kind == failing_calls_once || kind == failing_calls_memory)) return 0;
    if (failed++ == 0) snprintf(description, sizeof description, "%s %s", call, path);
    return 1;
}

/* Whether a call on a path fails. Sets errno. */
static int fails(const char *call, const char *path, int needs_space) {
    int kind = active;
    if (!kind || kind == failing_calls_memory || (kind == failing_calls_full && !needs_space)) return 0;
    if (!path || strncmp(path, folder, strlen(folder)) != 0 || !counts(call, path)) return 0;
    errno = kind == failing_calls_full ? ENOSPC : EIO;
    return 1;
}

/* The path of an open file. */
static const char *path_of(int file, char *buffer) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, buffer, PATH_MAX - 1);
    if (length < 0) return NULL;
    buffer[length] = 0;
    return buffer;
}

static int file_fails(const char *call, int file, int needs_space) {
    char buffer[PATH_MAX];
    if (!active || active == failing_calls_memory) return 0;
    return fails(call, path_of(file, buffer), needs_space);
}

/* A path that may be relative to an open folder. */
static int path_fails(const char *call, int parent, const char *path, int needs_space) {
    char buffer[PATH_MAX], whole[2 * PATH_MAX];
    if (!active || active == failing_calls_memory) return 0;
    if (path[0] == '/') return fails(call, path, needs_space);
    if (parent == AT_FDCWD ? !getcwd(buffer, sizeof buffer) : !path_of(parent, buffer)) return 0;
    snprintf(whole, sizeof whole, "%s/%s", buffer, path);
    return fails(call, whole, needs_space);
}

/* The function of the C library. */
#define NEXT(name) \
    static __typeof__(name) *next; \
    if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        NEXT(name); \
        va_list rest; \
        va_start(rest, flags); \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; \
        va_end(rest); \
        return path_fails(#name, AT_FDCWD, path, flags & O_CREAT && access(path, F_OK) != 0) ? -1 \
                                                                                           : next(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int parent, const char *path, int flags, ...) { \
        NEXT(name); \
        va_list rest; \
        va_start(rest, flags); \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; \
        va_end(rest); \
        return path_fails(#name, parent, path, flags & O_CREAT && faccessat(parent, path, F_OK, 0) != 0) \
                   ? -1 \
                   : next(parent, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

/* A call on an open file: FILE_CALL(result, name, needs space, (parameters), (arguments)). */
#define FILE_CALL(type, name, needs_space, parameters, arguments) \
    type name parameters { \
        NEXT(name); \
        return file_fails(#name, file, needs_space) ? (type)-1 : next arguments; \
    }
FILE_CALL(ssize_t, read, 0, (int file, void *bytes, size_t count), (file, bytes, count))
FILE_CALL(ssize_t, pread, 0, (int file, void *bytes, size_t count, off_t offset), (file, bytes, count, offset))
FILE_CALL(ssize_t, pread64, 0, (int file, void *bytes, size_t count, off64_t offset), (file, bytes, count, offset))
FILE_CALL(ssize_t, write, 1, (int file, const void *bytes, size_t count), (file, bytes, count))
FILE_CALL(ssize_t, pwrite, 1, (int file, const void *bytes, size_t count, off_t offset), (file, bytes, count, offset))
FILE_CALL(ssize_t, pwrite64, 1, (int file, const void *bytes, size_t count, off64_t offset),
          (file, bytes, count, offset))
FILE_CALL(int, ftruncate, 0, (int file, off_t size), (file, size))
FILE_CALL(int, ftruncate64, 0, (int file, off64_t size), (file, size))
FILE_CALL(int, fallocate, 1, (int file, int mode, off_t offset, off_t size), (file, mode, offset, size))
FILE_CALL(int, fallocate64, 1, (int file, int mode, off64_t offset, off64_t size), (file, mode, offset, size))
FILE_CALL(int, fchmod, 0, (int file, mode_t mode), (file, mode))

/* The loops don't wait for the disk: what a crash of the system leaves is not their question. */
#define SYNC(name) \
    int name(int file) { \
        NEXT(name); \
        return file_fails(#name, file, 0) ? -1 : is_used ? 0 : next(file); \
    }
SYNC(fsync)
SYNC(fdatasync)

/* posix_fallocate returns the number of the error. */
#define POSIX_FALLOCATE(name, offset_type) \
    int name(int file, offset_type offset, offset_type size) { \
        NEXT(name); \
        return file_fails(#name, file, 1) ? errno : next(file, offset, size); \
    }
POSIX_FALLOCATE(posix_fallocate, off_t)
POSIX_FALLOCATE(posix_fallocate64, off64_t)

#define MAP(name, offset_type) \
    void *name(void *address, size_t size, int protection, int flags, int file, offset_type offset) { \
        NEXT(name); \
        return file >= 0 && file_fails(#name, file, 0) ? MAP_FAILED \
                                                       : next(address, size, protection, flags, file, offset); \
    }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

ssize_t copy_file_range(int source, off64_t *from, int file, off64_t *to, size_t count, unsigned flags) {
    NEXT(copy_file_range);
    return file_fails("copy_file_range", file, 1) ? -1 : next(source, from, file, to, count, flags);
}

ssize_t sendfile(int file, int source, off_t *offset, size_t count);
ssize_t sendfile(int file, int source, off_t *offset, size_t count) {
    NEXT(sendfile);
    return file_fails("sendfile", file, 1) ? -1 : next(file, source, offset, count);
}

/* A call on a path: PATH_CALL(name, folder of the path, path, needs space, (parameters), (arguments)). */
#define PATH_CALL(name, parent, path, needs_space, parameters, arguments) \
    int name parameters { \
        NEXT(name); \
        return path_fails(#name, parent, path, needs_space) ? -1 : next arguments; \
    }
PATH_CALL(rename, AT_FDCWD, to, 0, (const char *from, const char *to), (from, to))
PATH_CALL(renameat, folder_of_to, to, 0, (int folder_of_from, const char *from, int folder_of_to, const char *to),
          (folder_of_from, from, folder_of_to, to))
PATH_CALL(renameat2, folder_of_to, to, 0,
          (int folder_of_from, const char *from, int folder_of_to, const char *to, unsigned flags),
          (folder_of_from, from, folder_of_to, to, flags))
PATH_CALL(link, AT_FDCWD, to, 1, (const char *from, const char *to), (from, to))
PATH_CALL(linkat, folder_of_to, to, 1,
          (int folder_of_from, const char *from, int folder_of_to, const char *to, int flags),
          (folder_of_from, from, folder_of_to, to, flags))
PATH_CALL(unlink, AT_FDCWD, path, 0, (const char *path), (path))
PATH_CALL(unlinkat, parent, path, 0, (int parent, const char *path, int flags), (parent, path, flags))
PATH_CALL(rmdir, AT_FDCWD, path, 0, (const char *path), (path))
PATH_CALL(mkdir, AT_FDCWD, path, 1, (const char *path, mode_t mode), (path, mode))
PATH_CALL(mkdirat, parent, path, 1, (int parent, const char *path, mode_t mode), (parent, path, mode))
PATH_CALL(chmod, AT_FDCWD, path, 0, (const char *path, mode_t mode), (path, mode))
PATH_CALL(truncate, AT_FDCWD, path, 0, (const char *path, off_t size), (path, size))

/* SQLite's allocations. */

static sqlite3_mem_methods original;

static int allocation_fails(void) { return active == failing_calls_memory && counts("allocation", "of SQLite"); }
static void *allocate(int size) { return allocation_fails() ? NULL : original.xMalloc(size); }
static void *reallocate(void *memory, int size) {
    return allocation_fails() ? NULL : original.xRealloc(memory, size);
}

int failing_calls_replace_allocator(void) {
    is_used = 1;
    int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original);
    if (code != SQLITE_OK) return code;
    sqlite3_mem_methods methods = original;
    methods.xMalloc = allocate;
    methods.xRealloc = reallocate;
    code = sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    /* Small allocations would come out of memory that each connection has in advance. */
    return code != SQLITE_OK ? code : sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}

/* In another program, by LD_PRELOAD: the environment has the kind, the number, the folder, and a file for the report. */

__attribute__((constructor)) static void begin_by_environment(void) {
    const char *kind = getenv("FAILING_CALLS_KIND"), *number = getenv("FAILING_CALLS_NUMBER");
    const char *watched = getenv("FAILING_CALLS_FOLDER");
    if (!kind || !number || !watched) return;
    failing_calls_replace_allocator();
    failing_calls_begin(atoi(kind), atol(number), watched);
}

__attribute__((destructor)) static void report_by_environment(void) {
    const char *path = getenv("FAILING_CALLS_REPORT");
    if (!path) return;
    failing_calls_end();
    FILE *file = fopen(path, "w");
    if (!file) return;
    fputs(description, file);
    fclose(file);
}
