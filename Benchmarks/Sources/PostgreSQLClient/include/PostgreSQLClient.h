#ifndef POSTGRESQL_CLIENT_H
#define POSTGRESQL_CLIENT_H

#include <stdint.h>

/// What a C program does with a server by libpq: the arms to which workloads with PostgreSQL stores are compared.
typedef struct ServerConnection ServerConnection;

/// Connects; NULL without memory. A connection that failed has an error.
ServerConnection *server_connect(const char *url);
void server_close(ServerConnection *connection);

/// The message of the last failure; NULL if nothing has failed.
const char *server_error(ServerConnection *connection);

/// Executes statements. All functions that return `int` return 0 after a failure.
int server_execute(ServerConnection *connection, const char *text);

/// The integer that a statement answers.
int server_integer(ServerConnection *connection, const char *text, int64_t *value);

/// Reads the rows of a prepared statement one by one, in binary form.
///
/// @param columns The number of columns with integers of 64 bits behind the key, which is the first one.
/// @param sum The sum of all integers except the keys.
int server_read_rows(ServerConnection *connection, const char *text, int columns, int64_t *sum);

/// Executes a statement with arrays as parameters, in binary form, for parts of the rows.
///
/// The first parameter has the keys, the others the values. The value of a column in a row is
/// `row * (column * column + 1) - column`.
int server_insert_arrays(
    ServerConnection *connection, const char *text, int64_t first_key, int rows, int columns, int rows_of_part);

/// Executes a COPY with rows in binary form: key, entity, version 1 and the values.
int server_copy_rows(
    ServerConnection *connection, const char *text, int64_t first_key, int32_t entity, int rows, int columns);

#endif
