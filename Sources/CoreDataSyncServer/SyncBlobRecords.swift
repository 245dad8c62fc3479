// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The name of a large value that an object has: to make it, all bytes are read.
final class SyncBlobRecord: NSManagedObject {
    var identity: UUID {
        get { value(forKey: "identity") as? UUID ?? UUID() }
        set { setValue(newValue, forKey: "identity") }
    }
    /// The name of the attribute in messages.
    var name: String {
        get { value(forKey: "name") as? String ?? "" }
        set { setValue(newValue, forKey: "name") }
    }
}

// MARK: Rows

extension SyncService {
    /// The names of the large values of objects, by the names of the attributes.
    func blobs(of records: some Sequence<SyncRecord>) throws -> [UUID: [String: SyncBlob]] {
        try blobRecords(of: records).mapValues { $0.mapValues(\.blob) }
    }

    private func blobRecords(of records: some Sequence<SyncRecord>) throws -> [UUID: [String: SyncBlobRecord]] {
        let identities = records.filter { schema.entities[$0.entityName]?.mayHaveBlobs ?? false }.map(\.identity)
        guard !identities.isEmpty else { return [:] }
        let request = NSFetchRequest<SyncBlobRecord>(entityName: "SyncBlob")
        request.predicate = NSPredicate(format: "identity IN %@", identities)
        return try context.fetch(request).reduce(into: [:]) { $0[$1.identity, default: [:]][$1.name] = $1 }
    }

    /// Notes the large values of objects that changed, as the context has them.
    ///
    /// - Parameters:
    ///   - changes: the changed properties by their names in messages; nil for all.
    ///   - objects: the objects of the records that are alive.
    ///   - known: the names of values, as far as they are known.
    func noteBlobs(
        _ changes: [SyncRecord: Set<String>?], _ objects: (SyncRecord) throws -> NSManagedObject?,
        known: [UUID: [String: SyncBlob]] = [:]
    ) throws {
        let changes = changes.filter { record, names in
            guard let all = schema.entities[record.entityName]?.blobNames, !all.isEmpty else { return false }
            return !record.isAlive || names.map { !$0.isDisjoint(with: all) } ?? true
        }
        // A new record has no values yet.
        let present = try blobRecords(of: changes.keys.filter { !$0.isInserted })
        for (record, names) in changes.sorted(by: { $0.key.identity < $1.key.identity }) {
            var values: [String: SyncBlob] = [:]
            let object = record.isAlive ? try objects(record) : nil
            let entity = schema.entities[record.entityName]
            for name in entity?.blobNames ?? [] where names?.contains(name) ?? true {
                guard let object, let property = entity?.properties[name] else { continue }
                let value = try property.value(of: object, blob: known[record.identity]?[name]) { _ in nil }
                if case .blob(let blob) = value { values[name] = blob }
            }
            for (name, row) in present[record.identity] ?? [:] where values[name] == nil {
                if names?.contains(name) ?? true || object == nil { context.delete(row) }
            }
            for (name, blob) in values {
                let row = try present[record.identity]?[name] ?? make(SyncBlobRecord.self, "SyncBlob")
                row.identity = record.identity
                row.name = name
                if row.blob != blob { row.blob = blob }
            }
        }
    }
}
