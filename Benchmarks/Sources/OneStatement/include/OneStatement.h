#ifndef ONE_STATEMENT_H
#define ONE_STATEMENT_H

#include <sqlite3.h>
#include <stdint.h>

/// Rows of integers, one after the other.
typedef struct {
    const int64_t *cells;
    int64_t count;
    /// The number of columns, at most 16.
    int width;
} IntegerRows;

/// Makes rows a table `integer_rows` of a connection, with the columns c0, c1 and so on. The rows must outlive the connection.
///
/// @return SQLite's result code.
int integer_rows_install(sqlite3 *connection, const IntegerRows *rows);

/// Gives a connection the aggregate function `integer_sum`. It adds all of its arguments but the first one, the key, which it
/// reads too.
///
/// @return SQLite's result code.
int integer_sum_install(sqlite3 *connection);

#endif
