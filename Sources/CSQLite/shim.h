// SPDX-License-Identifier: Apache-2.0

#include <sqlite3.h>

/* sqlite3_db_config is variadic, which Swift does not import. While resetting is on, VACUUM makes the database one
   without tables, whatever it contains. */
static inline int opencoredata_sqlite3_set_resetting(sqlite3 *connection, int on) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_RESET_DATABASE, on, (int *)0);
}
