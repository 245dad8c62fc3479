// SPDX-License-Identifier: Apache-2.0

/* Without this macro the header of SQLCipher is that of SQLite. */
#ifndef SQLITE_HAS_CODEC
#define SQLITE_HAS_CODEC 1
#endif
#include <sqlcipher/sqlite3.h>

#if SQLITE_VERSION_NUMBER < 3038000
#error "SQLCipher 4.5.2 or newer is needed. Debian 13 has it as libsqlcipher-dev."
#endif
