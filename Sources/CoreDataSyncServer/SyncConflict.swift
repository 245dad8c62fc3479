// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// Two changes of a property whose replicas didn't know of each other, for the function of a program that decides about
/// properties with the policy `hook`.
public struct SyncConflict: Sendable {
    /// The UUID of the object.
    public let object: UUID
    /// The name of its entity in messages.
    public let entity: String
    /// The name of the property in messages.
    public let property: String
    /// The value that the server has.
    public let serverValue: SyncValue
    /// When it was set: seconds since the reference date.
    public let serverTime: Double
    /// The value that a replica sends.
    public let replicaValue: SyncValue
    /// When its program set it: seconds since the reference date, by the server's clock.
    public let replicaTime: Double

    /// The value that a property gets.
    public enum Resolution: Sendable {
        /// The value of the server.
        case server
        /// The value of the replica.
        case replica
        /// A third value, which all replicas get.
        case value(SyncValue)
    }

    /// Decides about a conflict. It is called on the queue of the server's context, may be called again for the same
    /// conflict, and must do nothing else. An error counts as one of the server: the group is tried again, and refused
    /// in the end.
    public typealias Hook = @Sendable (SyncConflict) throws -> Resolution
}
