#include "Counters.h"

#include <sqlite3.h>
#include <stdatomic.h>

static _Atomic int64_t statements;

static int count(unsigned event, void *context, void *statement, void *text) {
    // The statements of triggers are traced as comments.
    const char *sql = text;
    if (!(sql && sql[0] == '-' && sql[1] == '-')) atomic_fetch_add(&statements, 1);
    return 0;
}

static int trace(sqlite3 *connection, char **message, const struct sqlite3_api_routines *routines) {
    return sqlite3_trace_v2(connection, SQLITE_TRACE_STMT, count, 0);
}

void statement_counter_start(void) { sqlite3_auto_extension((void (*)(void))trace); }

int64_t statement_counter_count(void) { return atomic_load(&statements); }
