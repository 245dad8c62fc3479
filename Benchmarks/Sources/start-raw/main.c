// Opens a store's file, reads one row and ends: the program that `start-coredata` is compared with.
#include <sqlite3.h>
#include <stdio.h>

int main(int count, char **arguments) {
    if (count != 2) return 64;
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    if (sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) return 1;
    if (sqlite3_prepare_v2(database, "SELECT Z_PK, ZVALUE1 FROM ZREADING LIMIT 1", -1, &statement, NULL) != SQLITE_OK)
        return 1;
    if (sqlite3_step(statement) != SQLITE_ROW) return 1;
    printf("%lld\n", (long long)sqlite3_column_int64(statement, 1));
    sqlite3_finalize(statement);
    return sqlite3_close(database) == SQLITE_OK ? 0 : 1;
}
