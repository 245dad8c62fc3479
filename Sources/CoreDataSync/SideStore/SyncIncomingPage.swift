// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// A page of the server's changes that isn't in the app's store yet.
final class SyncIncomingPage: NSManagedObject {
    var sequence: Int64 {
        get { integer("sequence") }
        set { setValue(newValue, forKey: "sequence") }
    }
    /// The page without its objects.
    var head: SyncChanges? { SyncJSON.decode(SyncChanges.self, value(forKey: "head") as? Data) }
    var objects: [SyncObjectState] {
        var reader = SyncByteReader(bytes("body") ?? Data())
        return reader.states()
    }

    /// - Parameter last: the page before; nil for the first one.
    func set(_ changes: SyncChanges, behind last: SyncIncomingPage?) {
        sequence = (last?.sequence ?? 0) + 1
        var head = changes
        head.objects = []
        setValue(SyncJSON.encode(head), forKey: "head")
        setBytes(SyncStates.data(changes.objects), "body")
    }
}
