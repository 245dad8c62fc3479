import Synchronization

/// What takes one event back: registered with the undo manager as one action.
final class UndoEvent {
    let records: [UndoRecord]
    private let returning: ReturningObjects

    init(_ records: [UndoRecord], _ returning: ReturningObjects) {
        self.records = records
        self.returning = returning
        returning.add(records)
    }

    deinit { returning.remove(records) }
}

/// The objects that come and go by undo and redo: how many actions could bring each back.
///
/// Objects that are related hold each other; when one that has left can't return any more, it lets go of the others.
/// The lock guards the numbers.
final class ReturningObjects: Sendable {
    private let counts = Mutex<[ObjectIdentifier: Int]>([:])

    /// Whether some action could bring the object back.
    func mayReturn(_ object: NSManagedObject) -> Bool { counts.withLock { $0[ObjectIdentifier(object)] != nil } }

    fileprivate func add(_ records: [UndoRecord]) {
        counts.withLock { counts in
            for record in records where record.wasPresent != record.isPresent {
                counts[ObjectIdentifier(record.object), default: 0] += 1
            }
        }
    }

    fileprivate func remove(_ records: [UndoRecord]) {
        var lost: [NSManagedObject] = []
        counts.withLock { counts in
            for record in records where record.wasPresent != record.isPresent {
                let key = ObjectIdentifier(record.object)
                let count = counts[key] ?? 1
                counts[key] = count > 1 ? count - 1 : nil
                if count == 1, record.object.flags.contains(.detached) { lost.append(record.object) }
            }
        }
        for object in lost { object.releaseLinks() }
    }
}
