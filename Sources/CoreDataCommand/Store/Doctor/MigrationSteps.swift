// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPostgreSQL
import OpenCoreData

/// The steps of the lightweight migration of a store, for `coredata store doctor --steps`.
struct MigrationSteps {
    private let steps: [SQLMigrationStep]

    /// Plans the migration. The store is only read.
    init(of location: StoreLocation, from source: NSManagedObjectModel, to destination: NSManagedObjectModel) throws {
        steps =
            try location.isOnServer
            ? PostgreSQLClosedMigration(at: location.url).steps(from: source, to: destination)
            : SQLiteMigrationSteps.steps(at: location.text, from: source, to: destination)
    }

    /// Each step in words, with its statements and their values below.
    var lines: [String] {
        steps.enumerated().flatMap { index, step in
            ["  \(index + 1). \(step.description)"]
                + step.statements.flatMap { statement in
                    var lines = statement.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                    if !statement.bindings.isEmpty { lines[lines.count - 1] += " -- " + Self.values(statement) }
                    return lines.map { "     \($0)" }
                }
        }
    }

    private static func values(_ statement: SQLStatement) -> String {
        statement.bindings.map(\.description).joined(separator: ", ")
    }
}

extension MigrationSteps: Encodable {
    private struct Entry: Encodable {
        struct Statement: Encodable {
            let sql: String
            let values: [String]
        }

        let step: String
        let statements: [Statement]
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(
            steps.map { step in
                Entry(
                    step: step.description,
                    statements: step.statements.map {
                        Entry.Statement(sql: $0.text, values: $0.bindings.map(\.description))
                    })
            })
    }
}
