// SPDX-License-Identifier: Apache-2.0

internal import SQLiteLibrary

extension SQLiteConnection {
    /// Replaces the whole database by a copy of another connection's, in one transaction.
    ///
    /// The copy is what the source's open transaction reads, or else its newest state. Other connections see the old
    /// database or the new one.
    ///
    /// - Throws: 134090 for a file that stays locked, and the errors of reading and writing.
    func copyDatabase(from source: SQLiteConnection) throws {
        // SQLite can't change the page size of a database with a write-ahead log, so both are compared before.
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw error(sqlite3_extended_errcode(handle), sql: nil)
        }
        let code = sqlite3_backup_step(backup, -1)
        let finished = sqlite3_backup_finish(backup)
        if code != SQLITE_DONE { throw error(finished == SQLITE_OK ? code : finished, sql: nil) }
    }
}
