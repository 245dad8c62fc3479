// SPDX-License-Identifier: Apache-2.0

/* Functions of SQLite that are variadic, which Swift does not import. They are declared here, so that one file serves each
   library that has them: SQLite of the system, SQLite of a package, and SQLCipher. */

struct sqlite3;
extern int sqlite3_db_config(struct sqlite3 *, int, ...);
extern int sqlite3_vtab_config(struct sqlite3 *, int, ...);

/* Sets an option of a connection that is on or off. */
static inline int opencoredata_sqlite3_db_config(struct sqlite3 *connection, int option, int on) {
    return sqlite3_db_config(connection, option, on, (int *)0);
}

/* Sets an option of the virtual table that is being connected. */
static inline int opencoredata_sqlite3_vtab_config(struct sqlite3 *connection, int option) {
    return sqlite3_vtab_config(connection, option);
}
