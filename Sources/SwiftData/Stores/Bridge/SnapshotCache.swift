// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The snapshots that a custom store has returned and that contexts have not used yet.
///
/// Each context has the snapshots of its last fetch. The values of a row are taken once. From then on the row cache has
/// them, and a later request asks for newer values.
final class SnapshotCache: Sendable {
    private struct Entry {
        let row: SnapshotRow
        var isRowTaken = false
    }

    // Snapshots are never changed.
    private struct Entries: @unchecked Sendable { var byKey: [Int64: Entry] = [:] }

    private let contexts = Locked<[ObjectIdentifier: Entries]>([:])

    /// Replaces the snapshots of a context.
    func replace(_ rows: [SnapshotRow], of context: NSManagedObjectContext?) {
        guard let context else { return }
        contexts.withLock { $0[ObjectIdentifier(context)] = nil }
        add(rows, of: context)
    }

    /// Adds snapshots for a context.
    func add(_ rows: [SnapshotRow], of context: NSManagedObjectContext?) {
        guard let context else { return }
        contexts.withLock { contexts in
            for row in rows {
                contexts[ObjectIdentifier(context), default: Entries()].byKey[row.objectID.key] = Entry(row: row)
            }
        }
    }

    /// The snapshot of an object.
    ///
    /// - Parameter takesRow: whether the values of the row are used, which happens once.
    func row(_ key: Int64, of context: NSManagedObjectContext, takesRow: Bool) -> SnapshotRow? {
        contexts.withLock { contexts in
            guard let entry = contexts[ObjectIdentifier(context)]?.byKey[key], !takesRow || !entry.isRowTaken else {
                return nil
            }
            if takesRow { contexts[ObjectIdentifier(context)]?.byKey[key]?.isRowTaken = true }
            return entry.row
        }
    }

    /// Forgets the snapshots of objects that were saved.
    func forget(_ keys: [Int64]) {
        contexts.withLock { contexts in
            for context in contexts.keys { for key in keys { contexts[context]?.byKey[key] = nil } }
        }
    }

    func forget(_ context: NSManagedObjectContext) {
        _ = contexts.withLock { $0.removeValue(forKey: ObjectIdentifier(context)) }
    }
}
