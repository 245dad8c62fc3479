#include "PostgreSQLClient.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

enum { MAXIMUM_COLUMNS = 32, ARRAY_HEADER = 20, COPY_BUFFER = 65536, BIGINT = 20 };

struct ServerConnection {
    PGconn *handle;
    char *error;
};

static int fail(ServerConnection *connection) {
    free(connection->error);
    connection->error = strdup(PQerrorMessage(connection->handle));
    return 0;
}

/// Frees a result, and answers whether it has a status.
static int finish(ServerConnection *connection, PGresult *result, ExecStatusType status) {
    int succeeded = PQresultStatus(result) == status;
    if (!succeeded) fail(connection);
    PQclear(result);
    return succeeded;
}

/// Reads all further results.
static int drain(ServerConnection *connection) {
    int succeeded = 1;
    for (PGresult *result; (result = PQgetResult(connection->handle));) {
        if (!finish(connection, result, PGRES_COMMAND_OK)) succeeded = 0;
    }
    return succeeded;
}

ServerConnection *server_connect(const char *url) {
    ServerConnection *connection = calloc(1, sizeof *connection);
    if (!connection) return NULL;
    connection->handle = PQconnectdb(url);
    if (PQstatus(connection->handle) != CONNECTION_OK) fail(connection);
    return connection;
}

void server_close(ServerConnection *connection) {
    PQfinish(connection->handle);
    free(connection->error);
    free(connection);
}

const char *server_error(ServerConnection *connection) { return connection->error; }

int server_execute(ServerConnection *connection, const char *text) {
    PGresult *result = PQexec(connection->handle, text);
    ExecStatusType status = PQresultStatus(result) == PGRES_TUPLES_OK ? PGRES_TUPLES_OK : PGRES_COMMAND_OK;
    return finish(connection, result, status);
}

int server_integer(ServerConnection *connection, const char *text, int64_t *value) {
    PGresult *result = PQexec(connection->handle, text);
    if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) > 0) {
        *value = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    }
    return finish(connection, result, PGRES_TUPLES_OK);
}

// MARK: Reading

static int64_t read_integer(const char *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return (int64_t)be64toh(value);
}

int server_read_rows(ServerConnection *connection, const char *text, int columns, int64_t *sum) {
    PGconn *handle = connection->handle;
    if (!finish(connection, PQprepare(handle, "", text, 0, NULL), PGRES_COMMAND_OK)) return 0;
    if (!PQsendQueryPrepared(handle, "", 0, NULL, NULL, NULL, 1)) return fail(connection);
    if (!PQsetSingleRowMode(handle)) return fail(connection);
    int succeeded = 1;
    uint64_t total = 0;
    for (PGresult *result; (result = PQgetResult(handle));) {
        ExecStatusType status = PQresultStatus(result);
        if (status == PGRES_SINGLE_TUPLE) {
            for (int column = 1; column <= columns; column++) {
                if (!PQgetisnull(result, 0, column)) total += (uint64_t)read_integer(PQgetvalue(result, 0, column));
            }
        } else if (status != PGRES_TUPLES_OK) {
            succeeded = fail(connection);
        }
        PQclear(result);
    }
    *sum = (int64_t)total;
    return succeeded;
}

// MARK: Writing

static int64_t value(int64_t row, int column) { return row * ((int64_t)column * column + 1) - column; }

static char *put16(char *bytes, int16_t value) {
    uint16_t swapped = htobe16((uint16_t)value);
    memcpy(bytes, &swapped, sizeof swapped);
    return bytes + sizeof swapped;
}

static char *put32(char *bytes, int32_t value) {
    uint32_t swapped = htobe32((uint32_t)value);
    memcpy(bytes, &swapped, sizeof swapped);
    return bytes + sizeof swapped;
}

static char *put64(char *bytes, int64_t value) {
    uint64_t swapped = htobe64((uint64_t)value);
    bytes = put32(bytes, sizeof swapped);
    memcpy(bytes, &swapped, sizeof swapped);
    return bytes + sizeof swapped;
}

int server_insert_arrays(
    ServerConnection *connection, const char *text, int64_t first_key, int rows, int columns, int rows_of_part
) {
    if (columns >= MAXIMUM_COLUMNS) return 0;
    PGconn *handle = connection->handle;
    if (!finish(connection, PQprepare(handle, "", text, 0, NULL), PGRES_COMMAND_OK)) return 0;
    char *values[MAXIMUM_COLUMNS];
    int lengths[MAXIMUM_COLUMNS], formats[MAXIMUM_COLUMNS];
    for (int column = 0; column <= columns; column++) {
        values[column] = malloc(ARRAY_HEADER + (size_t)rows_of_part * 12);
        formats[column] = 1;
    }
    int succeeded = 1;
    for (int start = 0; start < rows && succeeded; start += rows_of_part) {
        int count = rows - start < rows_of_part ? rows - start : rows_of_part;
        for (int column = 0; column <= columns; column++) {
            // One dimension, no nulls, its type, its length and the index of the first element.
            char *bytes = put32(put32(put32(values[column], 1), 0), BIGINT);
            bytes = put32(put32(bytes, count), 1);
            for (int row = start; row < start + count; row++) {
                bytes = put64(bytes, column == 0 ? first_key + row : value(row, column - 1));
            }
            lengths[column] = (int)(bytes - values[column]);
        }
        PGresult *result =
            PQexecPrepared(handle, "", columns + 1, (const char *const *)values, lengths, formats, 1);
        succeeded = finish(connection, result, PGRES_COMMAND_OK);
    }
    for (int column = 0; column <= columns; column++) free(values[column]);
    return succeeded;
}

int server_copy_rows(
    ServerConnection *connection, const char *text, int64_t first_key, int32_t entity, int rows, int columns
) {
    PGconn *handle = connection->handle;
    if (!finish(connection, PQexec(handle, text), PGRES_COPY_IN)) return 0;
    static const char header[19] = "PGCOPY\n\377\r\n";
    char *buffer = malloc(COPY_BUFFER + 1024);
    memcpy(buffer, header, sizeof header);
    char *bytes = buffer + sizeof header;
    int succeeded = 1;
    for (int row = 0; row < rows && succeeded; row++) {
        bytes = put64(put16(bytes, (int16_t)(columns + 3)), first_key + row);
        bytes = put32(put32(bytes, 4), entity);
        bytes = put32(put32(bytes, 4), 1);
        for (int column = 0; column < columns; column++) bytes = put64(bytes, value(row, column));
        if (bytes - buffer < COPY_BUFFER) continue;
        succeeded = PQputCopyData(handle, buffer, (int)(bytes - buffer)) == 1;
        bytes = buffer;
    }
    bytes = put16(bytes, -1);
    if (succeeded) succeeded = PQputCopyData(handle, buffer, (int)(bytes - buffer)) == 1;
    free(buffer);
    if (!succeeded || PQputCopyEnd(handle, NULL) != 1) return fail(connection);
    return drain(connection);
}
