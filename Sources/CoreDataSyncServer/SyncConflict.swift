// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// Two changes of a property whose replicas didn't know of each other, for the function of a program that decides about
/// properties with the policy `hook`.
package struct SyncConflict: Sendable {
    let object: UUID
    let entity: String
    let property: String
    /// The value that the server has, and when it was set: seconds since the reference date.
    package let serverValue: SyncValue
    let serverTime: Double
    /// The value that a replica sends, and when its program set it, by the server's clock.
    package let replicaValue: SyncValue
    let replicaTime: Double

    /// The value that a property gets.
    package enum Resolution: Sendable {
        case server
        case replica
        /// A third value, which all replicas get.
        case value(SyncValue)
    }

    /// Decides about a conflict. It is called on the queue of the server's context, may be called again for the same
    /// conflict, and must do nothing else. An error counts as one of the server: the group is tried again, and refused
    /// in the end.
    package typealias Hook = @Sendable (SyncConflict) throws -> Resolution
}
