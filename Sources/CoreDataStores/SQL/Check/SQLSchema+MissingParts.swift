// SPDX-License-Identifier: Apache-2.0

/// A table or a column that a database lacks.
package struct MissingSchemaPart {
    package let table: String
    /// Nil for the whole table.
    package let column: String?
    /// An entity whose rows the table has; nil for a table of another kind.
    let entityName: String?

    /// "Its table BOOK has no column TITLE", as a part of a sentence about a store.
    package var finding: String {
        column.map { "Its table \(table) has no column \($0)" } ?? "It has no table \(table)"
    }
}

extension SQLSchema {
    /// The tables that a database lacks, and the columns that its other tables lack. It may have further ones.
    ///
    /// - Parameters:
    ///   - existing: the columns of the tables of the database.
    ///   - stored: gives a name of a table or a column as `existing` has it.
    package func missingParts(
        in existing: [String: Set<String>], stored: (String) -> String
    ) -> [MissingSchemaPart] {
        let required =
            tables.map { ($0.name, $0.root.name as String?, $0.columns.map(\.name)) }
            + joinTables.map { ($0.name, $0.owner.name, $0.columns) }
        return required.flatMap { table, entity, columns in
            MissingSchemaPart.parts(of: table, columns, entity, in: existing, stored: stored)
        }
    }
}

extension MissingSchemaPart {
    /// A table that a database lacks, or the columns that its table lacks.
    static func parts(
        of table: String, _ columns: [String], _ entityName: String? = nil, in existing: [String: Set<String>],
        stored: (String) -> String
    ) -> [MissingSchemaPart] {
        guard let found = existing[stored(table)] else {
            return [MissingSchemaPart(table: table, column: nil, entityName: entityName)]
        }
        return columns.filter { !found.contains(stored($0)) }.map {
            MissingSchemaPart(table: table, column: $0, entityName: entityName)
        }
    }
}
