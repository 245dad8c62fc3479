// SPDX-License-Identifier: Apache-2.0

#include <sqlite3.h>

/* sqlite3_db_config is variadic, which Swift does not import. While resetting is on, VACUUM makes the database one
   without tables, whatever it contains. */
static inline int opencoredata_sqlite3_set_resetting(sqlite3 *connection, int on) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_RESET_DATABASE, on, (int *)0);
}

/* sqlite3_vtab_config is variadic, too. The virtual table that is being connected can't be read by triggers and views. */
static inline int opencoredata_sqlite3_set_direct_only(sqlite3 *connection) {
    return sqlite3_vtab_config(connection, SQLITE_VTAB_DIRECTONLY);
}
