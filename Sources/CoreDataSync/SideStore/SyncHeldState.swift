// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// A state of the server that the app's store can't have yet, or not whole. Each import tries again.
final class SyncHeldState: NSManagedObject {
    var identity: UUID { value(forKey: "identity") as? UUID ?? UUID() }
    var text: String { value(forKey: "text") as? String ?? "" }
    var state: SyncObjectState? { SyncJSON.decode(SyncObjectState.self, value(forKey: "body") as? Data) }

    func hold(_ state: SyncObjectState, because text: String) {
        setValue(state.object, forKey: "identity")
        setValue(SyncJSON.encode(state), forKey: "body")
        setValue(text, forKey: "text")
    }
}

/// A change of the program that the server refused, with its values.
final class SyncProblemRecord: NSManagedObject {
    var identity: UUID { value(forKey: "identity") as? UUID ?? UUID() }
    var text: String { value(forKey: "text") as? String ?? "" }
    var change: SyncObjectChange? { SyncJSON.decode(SyncObjectChange.self, value(forKey: "body") as? Data) }

    func set(_ change: SyncObjectChange, because text: String) {
        setValue(change.object, forKey: "identity")
        setValue(SyncJSON.encode(change), forKey: "body")
        setValue(text, forKey: "text")
    }
}
