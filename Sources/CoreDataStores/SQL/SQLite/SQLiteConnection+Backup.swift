// SPDX-License-Identifier: Apache-2.0

internal import SQLiteLibrary

extension SQLiteConnection {
    /// Replaces the whole database by a copy of another connection's database, in one transaction.
    ///
    /// The copy has the state that the source's open transaction reads, or else the newest state. Other connections see
    /// the old database or the new one.
    ///
    /// - Parameter check: called when the connection has the lock of its file, before anything is copied. Its errors
    ///   end the copy.
    /// - Throws: 134090 for a file that stays locked, and the errors of reading and writing.
    func copyDatabase(from source: SQLiteConnection, check: () throws -> Void = {}) throws {
        // SQLite can't change the page size of a database with a write-ahead log, so both are compared before.
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw error(sqlite3_extended_errcode(handle), sql: nil)
        }
        // No page is copied by the first call, which locks the file.
        var code = sqlite3_backup_step(backup, 0)
        if code == SQLITE_OK {
            do {
                try check()
            } catch {
                sqlite3_backup_finish(backup)
                throw error
            }
            code = sqlite3_backup_step(backup, -1)
        }
        let finished = sqlite3_backup_finish(backup)
        if code != SQLITE_DONE { throw error(finished == SQLITE_OK ? code : finished, sql: nil) }
    }
}
