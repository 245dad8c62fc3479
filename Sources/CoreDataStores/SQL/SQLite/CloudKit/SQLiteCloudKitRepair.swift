// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Mends CloudKit's mirror of a SQLite store that no program has open: all mistakes, or none.
///
/// Only rows of the mirror's tables are removed, and numbers in `Z_PRIMARYKEY` are set.
package struct SQLiteCloudKitRepair {
    /// Each round may leave rows that nothing refers to any more. Their references are not deeper than this.
    private static let mostRounds = 20

    private let connection: SQLiteConnection
    private let model: NSManagedObjectModel?

    /// Mends the mirror in one transaction.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - model: the model that made the store; nil if it isn't known.
    /// - Returns: the number of rows and tables that were removed or changed.
    /// - Throws: 134060 if something can't be mended: the file is as before. 259 for a damaged file, and errors of
    ///   opening and writing it.
    package static func run(at path: String, model: NSManagedObjectModel?) throws -> Int {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.restrictForeignSchema()
        // A file may have other programs' foreign keys and triggers, which would change other tables.
        try connection.setPragma("foreign_keys", "0")
        return try connection.withTransaction {
            try SQLiteCloudKitRepair(connection: connection, model: model).run()
        }
    }

    private func run() throws -> Int {
        try dropTriggers()
        var changed = 0
        for _ in 0..<Self.mostRounds {
            let report = try SQLiteCloudKitCheck.report(on: connection, model: model)
            if let finding = report.problems.first(where: { !$0.isMendable }) { throw unmendable(finding) }
            guard !report.problems.isEmpty else { return changed }
            let schema = try SQLiteCloudKitCheck.schema(on: connection, model)
            guard let mirror = try SQLiteCloudKitMirror(connection, schema) else { return changed }
            changed += try mend(mirror)
        }
        let report = try SQLiteCloudKitCheck.report(on: connection, model: model)
        guard let finding = report.problems.first else { return changed }
        throw unmendable(finding)
    }

    private func mend(_ mirror: SQLiteCloudKitMirror) throws -> Int {
        if try mirror.isEmpty { return try dropTables(mirror) }
        var changed = 0
        for rule in try mirror.recordRules + mirror.rowRules() { changed += try rule.mend(on: connection) }
        for (table, highest, _) in try mirror.lowHighestKeys() {
            try mirror.setHighestKey(highest, of: table)
            changed += 1
        }
        return changed
    }

    private func dropTables(_ mirror: SQLiteCloudKitMirror) throws -> Int {
        connection.clearStatementCache()
        for table in mirror.tables.values {
            try connection.run("DROP TABLE \(table.sql)")
            try connection.run("DELETE FROM Z_PRIMARYKEY WHERE UPPER('A' || Z_NAME) = ?", [.text(table.key)])
        }
        return mirror.tables.count
    }

    /// Removes triggers from the tables that change: Apple's framework makes none there.
    private func dropTriggers() throws {
        let triggers = try connection.uncachedStatement(
            """
            SELECT name FROM sqlite_master WHERE type = 'trigger' \
            AND (tbl_name LIKE ? OR UPPER(tbl_name) = 'Z_PRIMARYKEY')
            """)
        try triggers.bind([.text(SQLiteCloudKitMirror.prefix + "%")])
        var names: [String] = []
        while try triggers.step() { if let name = triggers.text(at: 0) { names.append(name) } }
        triggers.reset()
        for name in names {
            try connection.run("DROP TRIGGER \"\(name.replacingOccurrences(of: "\"", with: "\"\""))\"")
        }
    }

    private func unmendable(_ finding: CloudKitFinding) -> NSError {
        let reason = "In CloudKit\u{2019}s mirror \(finding.text)"
        return SQLiteErrors.storeError(
            NSCoreDataError, path: connection.path, reason: reason,
            suggestion: "Restore the store from a backup. Nothing was changed.",
            userInfo: [
                NSLocalizedDescriptionKey:
                    "The store \u{201c}\(connection.path)\u{201d} can\u{2019}t be mended. \(reason)"
            ])
    }
}
