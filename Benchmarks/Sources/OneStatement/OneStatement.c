// What a program in C reaches if one statement does the work of all rows: SQLite asks a virtual table for the rows that are
// written, and gives an aggregate function the rows that are read. Few programs do so.

#include "OneStatement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    sqlite3_vtab base;
    const IntegerRows *rows;
} Table;

typedef struct {
    sqlite3_vtab_cursor base;
    const IntegerRows *rows;
    int64_t row;
} Cursor;

static int connect(sqlite3 *connection, void *rows, int count, const char *const *arguments, sqlite3_vtab **result,
                   char **message) {
    char sql[200] = "CREATE TABLE x(c0";
    for (int column = 1; column < ((const IntegerRows *)rows)->width; column++) {
        size_t length = strlen(sql);
        snprintf(sql + length, sizeof sql - length, ", c%d", column);
    }
    strcat(sql, ")");
    int code = sqlite3_declare_vtab(connection, sql);
    if (code != SQLITE_OK) return code;
    Table *table = calloc(1, sizeof *table);
    if (!table) return SQLITE_NOMEM;
    table->rows = rows;
    *result = &table->base;
    return SQLITE_OK;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *plan) {
    plan->estimatedCost = 1000;
    return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *table) {
    free(table);
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **result) {
    Cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor) return SQLITE_NOMEM;
    cursor->rows = ((Table *)table)->rows;
    *result = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor) {
    free(cursor);
    return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *cursor, int number, const char *text, int count, sqlite3_value **values) {
    ((Cursor *)cursor)->row = 0;
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor) {
    ((Cursor *)cursor)->row++;
    return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *cursor) { return ((Cursor *)cursor)->row >= ((Cursor *)cursor)->rows->count; }

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
    Cursor *cursor = (Cursor *)base;
    sqlite3_result_int64(context, cursor->rows->cells[cursor->row * cursor->rows->width + column]);
    return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor *cursor, sqlite3_int64 *number) {
    *number = ((Cursor *)cursor)->row;
    return SQLITE_OK;
}

int integer_rows_install(sqlite3 *connection, const IntegerRows *rows) {
    static const sqlite3_module module = {
        .xConnect = connect, .xBestIndex = best_index, .xDisconnect = disconnect, .xOpen = open_cursor,
        .xClose = close_cursor, .xFilter = filter, .xNext = next, .xEof = is_at_end, .xColumn = column,
        .xRowid = row_number,
    };
    return sqlite3_create_module(connection, "integer_rows", &module, (void *)rows);
}

static void add(sqlite3_context *context, int count, sqlite3_value **values) {
    uint64_t *sum = sqlite3_aggregate_context(context, sizeof *sum);
    if (!sum || sqlite3_value_int64(values[0]) <= 0) return sqlite3_result_error_code(context, SQLITE_NOMEM);
    for (int index = 1; index < count; index++) *sum += (uint64_t)sqlite3_value_int64(values[index]);
}

static void finish(sqlite3_context *context) {
    uint64_t *sum = sqlite3_aggregate_context(context, 0);
    sqlite3_result_int64(context, sum ? (int64_t)*sum : 0);
}

int integer_sum_install(sqlite3 *connection) {
    return sqlite3_create_function(connection, "integer_sum", -1, SQLITE_UTF8, NULL, NULL, add, finish);
}
