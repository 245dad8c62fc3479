// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The state of an object on the server.
public struct SyncObjectState: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable {
        /// The object exists, with these values.
        case put
        /// The object was deleted.
        case dead
    }

    public var object: UUID
    public var entity: String
    public var kind: Kind
    /// The number of times that an object with this UUID was inserted.
    public var life: Int64
    /// The values of properties: those that changed since the replica's position, or all.
    public var values: [String: SyncValue]

    public init(object: UUID, entity: String, kind: Kind, life: Int64, values: [String: SyncValue]) {
        self.object = object
        self.entity = entity
        self.kind = kind
        self.life = life
        self.values = values
    }
}

/// A page of the changes since a position.
///
/// A replica keeps the pages until one is the last, and then applies all of them in one save. Together they are the net
/// change up to the position of the last page. An object may be in several pages: the last one counts.
public struct SyncChanges: Codable, Hashable, Sendable {
    /// The position up to which the pages have all changes.
    public var position: SyncPosition
    public var isLast: Bool
    public var objects: [SyncObjectState]
    /// The number of the newest push of the replica that the server has answered.
    public var answeredPush: Int64

    public init(position: SyncPosition, isLast: Bool, objects: [SyncObjectState], answeredPush: Int64) {
        self.position = position
        self.isLast = isLast
        self.objects = objects
        self.answeredPush = answeredPush
    }
}
