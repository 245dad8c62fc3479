// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension SQLiteExternalData {
    /// The names of the files that the rows of a store refer to.
    func fileNames(on connection: SQLiteConnection, _ schema: SQLSchema) throws -> Set<String> {
        var names: Set<String> = []
        for table in schema.tables {
            for column in table.columns where column.kind == .externalBinary {
                let name = SQLiteText.identifier(column.name)
                let statement = try connection.uncachedStatement(
                    "SELECT \(name) FROM \(SQLiteText.identifier(table.name)) WHERE LENGTH(\(name)) = ?")
                try statement.bind(Int64(Self.frameLength), at: 1)
                while try statement.step() {
                    if let file = statement.data(at: 0).flatMap(Self.fileName) { names.insert(file) }
                }
            }
        }
        return names
    }
}
