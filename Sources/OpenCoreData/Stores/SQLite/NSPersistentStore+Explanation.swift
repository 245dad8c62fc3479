// SPDX-License-Identifier: Apache-2.0

/// The statements of a fetch, for an explanation of it.
extension NSPersistentStore {
    /// Runs a body and collects the statements that the store's own connection executes during it.
    ///
    /// - Returns: the statements with their query plans; nil for a store that isn't a SQLite store.
    package final func collectingStatements(_ body: () throws -> Void) throws -> [(sql: String, plan: [String])]? {
        try (self as? SQLiteStore)?.database.collectingStatements(body)
    }
}
