// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// The change of an object by a replica, about which the server's program decides.
public struct SyncWrite {
    /// Decides whether an account may make a change. It is called on the queue of the server's context, for objects
    /// that were or will be in the scopes of the account. An error ends the request, and the replica tries again.
    public typealias Authorization = @Sendable (SyncWrite) throws -> Bool

    /// The account that changes the object.
    public let account: SyncAccount
    /// Whether the object is inserted, changed or deleted.
    public let kind: SyncObjectChange.Kind
    /// The names of the changed properties.
    public let properties: Set<String>
    /// The object with the change; for a deletion as it was. Don't change it.
    public let object: NSManagedObject
}
