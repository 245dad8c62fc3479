// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// For whom states are made: which objects an account may have, and the version of the model that its replica knows.
struct SyncAudience {
    /// Everything, as the server has it.
    static var server: SyncAudience { SyncAudience(visibility: nil, version: nil) }

    /// Nil for all objects.
    let visibility: SyncVisibility?
    /// Nil for the server's own.
    let version: SyncVersion?

    /// Whether the replica can have objects of an entity.
    func knows(_ entityName: String) -> Bool { version?.has(entityName) ?? true }

    /// A value as the replica can have it; nil for a property that its version doesn't know.
    func value(_ value: SyncValue, of property: String, _ entityName: String) -> SyncValue? {
        version == nil ? value : version?.value(value, of: property, entityName)
    }

    /// The state of an object that the audience hasn't got, whether the server has it or not.
    func absent(_ identity: UUID) -> SyncObjectState {
        SyncObjectState(object: identity, entity: "", kind: visibility == nil ? .dead : .gone, life: 0, values: [:])
    }
}
