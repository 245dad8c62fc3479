// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The CloudKit record of an object, by CloudKit's mirror of a store.
package struct CloudKitRecord: Sendable {
    package let entityName: String
    package let primaryKey: Int64
    package let name: String

    /// Reads the records of the objects of a store. Records without a name wait for their upload, and are left out.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - model: the model that made the store.
    /// - Returns: nil for a store without a mirror.
    /// - Throws: 134060 for a mirror in which an object has several records, or a record several objects; 134100 for
    ///   another model; 259 for a damaged file, and errors of opening it.
    package static func read(at path: String, model: NSManagedObjectModel) throws -> [CloudKitRecord]? {
        try SQLiteStoreFile.withReader(at: path) { connection in
            try connection.restrictForeignSchema()
            let schema = try SQLiteCloudKitCheck.schema(on: connection, model)
            guard let mirror = try SQLiteCloudKitMirror(connection, schema) else { return nil }
            guard let schema = mirror.schema else {
                throw refusal(
                    NSPersistentStoreIncompatibleVersionHashError, path, "The model isn\u{2019}t the one that made it.")
            }
            let report = try SQLiteCloudKitCheck(mirror: mirror).report()
            let contradictions: Set<CloudKitFinding.Kind> = [.repeatedRecord, .repeatedRecordName, .foreignTable]
            if let finding = report.problems.first(where: { contradictions.contains($0.kind) }) {
                throw refusal(NSCoreDataError, path, "In CloudKit\u{2019}s mirror \(finding.text)")
            }
            return try schema.tables.flatMap { try mirror.records(of: $0) }
        }
    }

    private static func refusal(_ code: Int, _ path: String, _ reason: String) -> NSError {
        SQLiteErrors.storeError(
            code, path: path, reason: reason, suggestion: "See \u{201c}coredata store doctor\u{201d}.",
            userInfo: [
                NSLocalizedDescriptionKey:
                    "The CloudKit records of the store \u{201c}\(path)\u{201d} can\u{2019}t be read. \(reason)"
            ])
    }
}

extension SQLiteCloudKitMirror {
    /// The records with names of the objects of a table.
    fileprivate func records(of objects: SQLTable) throws -> [CloudKitRecord] {
        guard let table = recordTable, let key = table.column("ZENTITYPK"), let name = table.column("ZCKRECORDNAME")
        else { return [] }
        let one = isOf(objects, "N", table)
        let rows = try connection.uncachedStatement(
            """
            SELECT O.Z_ENT, O.Z_PK, N.\(name) FROM \(table.sql) AS N \
            JOIN \(SQLiteText.identifier(objects.name)) AS O ON O.Z_PK = N.\(key) \
            WHERE \(one.condition) AND typeof(N.\(name)) = 'text' AND N.\(name) <> '' ORDER BY O.Z_PK
            """)
        try rows.bind(one.values)
        var records: [CloudKitRecord] = []
        while try rows.step() {
            guard let entity = entityName(rows.int64(at: 0)), let text = rows.text(at: 2) else { continue }
            records.append(CloudKitRecord(entityName: entity, primaryKey: rows.int64(at: 1), name: text))
        }
        return records
    }
}
