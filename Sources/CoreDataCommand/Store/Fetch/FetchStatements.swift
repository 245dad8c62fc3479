// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The SQL statements of a fetch, with SQLite's plans.
struct FetchStatements: Encodable {
    struct Statement: Encodable {
        let sql: String
        let plan: [String]
    }

    let statements: [Statement]

    /// Executes a fetch.
    ///
    /// - Throws: the errors of the fetch, and an error for a store that isn't a SQLite store.
    init(_ store: ReadOnlyStore, fetch: () throws -> [Any]) throws {
        let found = try store.context.performSynchronously {
            try store.coordinator.persistentStores.first?.collectingStatements { _ = try fetch() }
        }
        guard let found else {
            throw CommandError("\(store.path) isn't a SQLite store: there is no plan of its fetches.")
        }
        statements = found.map { Statement(sql: $0.sql, plan: $0.plan) }
    }

    func print(_ format: OutputFormat) throws {
        if format == .json { return try StandardStreams.output(JSONText.of(self)) }
        for statement in statements {
            try StandardStreams.outputText(statement.sql)
            for line in statement.plan { try StandardStreams.outputText("  \(line)") }
        }
    }
}
