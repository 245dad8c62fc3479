// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The numbers of entities in the records of CloudKit's mirror, which Apple's framework keeps in a store.
enum SQLiteMirroredEntityNumbers {
    /// Gives the records of a store the numbers that its entities have after a migration: otherwise a record would name
    /// an object of another entity. Records of entities that the new model doesn't have are removed.
    ///
    /// - Parameter numbers: the number before and after the migration of each entity that stays.
    /// - Throws: errors of the file. A store without a mirror, or with one of another form, stays as it is.
    static func renumber(_ numbers: [(source: Int, destination: Int)], on connection: SQLiteConnection) throws {
        let found = try connection.tables().first { $0.key.uppercased() == "ANSCKRECORDMETADATA" }
        guard let (name, columns) = found, let column = columns.first(where: { $0.uppercased() == "ZENTITYID" }),
            columns.contains(where: { $0.uppercased() == "ZENTITYPK" })
        else { return }
        let (table, entity) = (SQLiteText.identifier(name), SQLiteText.identifier(column))
        let staying = numbers.map { SQLValue.integer(Int64($0.source)) }
        let places = Array(repeating: "?", count: staying.count).joined(separator: ", ")
        try connection.run(
            "DELETE FROM \(table) WHERE typeof(\(entity)) = 'integer' AND \(entity) NOT IN (\(places))", staying)
        // The pairs of number and key are unique, also while the numbers of two entities change places.
        for number in numbers where number.source != number.destination {
            try connection.run(
                "UPDATE \(table) SET \(entity) = ? WHERE \(entity) = ?",
                [.integer(-Int64(number.destination)), .integer(Int64(number.source))])
        }
        try connection.run(
            "UPDATE \(table) SET \(entity) = -\(entity) WHERE typeof(\(entity)) = 'integer' AND \(entity) < 0")
    }
}
