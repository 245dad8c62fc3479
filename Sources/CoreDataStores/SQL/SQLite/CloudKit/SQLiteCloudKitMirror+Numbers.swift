// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension SQLiteCloudKitMirror {
    /// Gives the records of a store the numbers that its entities have after a migration: otherwise a record would name
    /// an object of another entity. Records of entities that the new model doesn't have are removed.
    ///
    /// - Parameter numbers: the number before and after the migration of each entity that stays.
    /// - Throws: errors of the file. A store without a mirror stays as it is.
    static func renumber(_ numbers: [(source: Int, destination: Int)], on connection: SQLiteConnection) throws {
        guard let table = try SQLiteCloudKitMirror(connection, nil)?.recordTable,
            let entity = table.column("ZENTITYID")
        else { return }
        let staying = numbers.map { SQLValue.integer(Int64($0.source)) }
        try connection.run(
            """
            DELETE FROM \(table.sql) WHERE typeof(\(entity)) = 'integer' \
            AND \(entity) NOT IN (\(places(staying.count)))
            """, staying)
        // The pairs of number and key are unique, also while the numbers of two entities change places.
        for number in numbers where number.source != number.destination {
            try connection.run(
                "UPDATE \(table.sql) SET \(entity) = ? WHERE \(entity) = ?",
                [.integer(-Int64(number.destination)), .integer(Int64(number.source))])
        }
        try connection.run(
            "UPDATE \(table.sql) SET \(entity) = -\(entity) WHERE typeof(\(entity)) = 'integer' AND \(entity) < 0")
    }
}
