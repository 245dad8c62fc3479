// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The rows of large values.
extension SyncReplica {
    // MARK: Values of pushes

    /// Keeps a large value with a push, a plan or a problem.
    ///
    /// - Parameter key: says which of them the owner is.
    func keep(_ data: Data, _ blob: SyncBlob, for owner: NSManagedObject, _ key: String) {
        let row = insert(SyncOutgoingBlob.self, "OutgoingBlob")
        row.setValue(owner, forKey: key)
        row.blob = blob
        row.bytes = data
    }

    /// The bytes of a large value of a push.
    func outgoing(_ blob: SyncBlob) throws -> Data? {
        let request = NSFetchRequest<SyncOutgoingBlob>(entityName: "OutgoingBlob")
        request.predicate = blob.predicate
        request.fetchLimit = 1
        return try side.fetch(request).first?.bytes
    }

    /// Gives a problem the bytes of its large values, which a plan or a push has.
    func keepBlobs(of change: SyncObjectChange, for problem: SyncProblemRecord) throws {
        for blob in Set(change.blobs) {
            let request = NSFetchRequest<SyncOutgoingBlob>(entityName: "OutgoingBlob")
            request.predicate = blob.predicate
            let rows = try side.fetch(request)
            if let row = rows.first(where: { $0.value(forKey: "plan") != nil }) {
                row.setValue(nil, forKey: "plan")
                row.setValue(problem, forKey: "problem")
            } else if let row = rows.first {
                keep(row.bytes, blob, for: problem, "problem")
            }
        }
    }

    // MARK: Values of the server

    /// The parts that the replica has of a value.
    func parts(_ blob: SyncBlob) -> SyncBlobParts { SyncBlobParts(blob, "IncomingPart", in: side) }

    /// The bytes of a value that is there as a whole.
    func incoming(_ blob: SyncBlob) throws -> Data? {
        let parts = parts(blob)
        return try parts.isComplete ? parts.contents() : nil
    }

    /// Forgets the parts of all values, apart from those that objects and held states wait for: an import has what it
    /// needs of them.
    func forgetParts(except held: [SyncBlob]) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "IncomingPart")
        request.includesPropertyValues = false
        guard try side.count(for: request) > 0 else { return }
        let later = NSFetchRequest<SyncLaterBlob>(entityName: "LaterBlob")
        let waiting = try side.fetch(later).compactMap(\.digest) + held.map(\.digest)
        request.predicate = NSPredicate(format: "NOT digest IN %@", waiting)
        for part in try side.fetch(request) { side.delete(part) }
    }

    // MARK: Values that objects wait for

    /// Notes the large values of objects, as an import has left them: those that are there, and those that objects wait
    /// for.
    func note(_ blobs: [UUID: [String: SyncKnownBlob?]], of rows: [UUID: SyncKnownObject]) throws {
        guard !blobs.isEmpty else { return }
        let request = NSFetchRequest<SyncLaterBlob>(entityName: "LaterBlob")
        request.predicate = NSPredicate(format: "identity IN %@", Array(blobs.keys))
        let waiting = Dictionary(grouping: try side.fetch(request), by: \.identity)
        for (identity, values) in blobs {
            guard let row = rows[identity] else { continue }
            note(values, of: row, waiting[identity] ?? [])
        }
    }

    private func note(_ values: [String: SyncKnownBlob?], of row: SyncKnownObject, _ waiting: [SyncLaterBlob]) {
        var blobs = row.blobs
        let identity = row.identity
        var waiting = Dictionary(waiting.map { ($0.name, $0) }) { one, _ in one }
        for (name, known) in values {
            blobs[name] = known
            let later = waiting.removeValue(forKey: name)
            if let known, known.isLater {
                let row = later ?? insert(SyncLaterBlob.self, "LaterBlob")
                row.setValue(identity, forKey: "identity")
                row.setValue(name, forKey: "name")
                row.setValue(known.blob.digest, forKey: "digest")
            } else if let later {
                side.delete(later)
            }
        }
        if blobs != row.blobs { row.blobs = blobs }
    }
}
