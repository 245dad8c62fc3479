// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The state of an object on the server.
public struct SyncObjectState: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable {
        /// The object exists, with these values.
        case put
        /// The object exists, as the replica asked: an answer to a push has no values of it.
        case kept
        /// The object was deleted.
        case dead
        /// The object isn't, or is no longer, in the scopes of the replica, or doesn't exist.
        case gone
        /// The object was inserted with a unique value of another one, and is that one.
        case merged
    }

    public var object: UUID
    public var entity: String
    public var kind: Kind
    /// The number of times that an object with this UUID was inserted.
    public var life: Int64
    /// The values of properties: those that changed since the replica's position, or all.
    public var values: [String: SyncValue]
    /// The object that a merged one is.
    public var target: UUID?

    public init(
        object: UUID, entity: String, kind: Kind, life: Int64, values: [String: SyncValue], target: UUID? = nil
    ) {
        self.target = target
        self.object = object
        self.entity = entity
        self.kind = kind
        self.life = life
        self.values = values
    }
}

/// The end of a page: a place in the order of positions and, within a position, of UUIDs.
public struct SyncCursor: Codable, Hashable, Sendable {
    public var position: SyncPosition
    /// The last object of the page that changed at the position.
    public var object: UUID

    public init(position: SyncPosition, object: UUID) {
        self.position = position
        self.object = object
    }
}

/// A page of the changes since a position.
///
/// A replica keeps the pages until one is the last, and then applies all of them in one save. Together they are the net
/// change up to the position of the last page. An object may be in several pages: the last one counts.
public struct SyncChanges: Codable, Hashable, Sendable {
    /// The newest position of the server when the page was made.
    public var position: SyncPosition
    /// Where the next page begins; nil for the last page.
    public var cursor: SyncCursor?
    public var objects: [SyncObjectState]
    /// The number of the newest push of the replica that a backup of the server has. The replica may forget it and
    /// those before it.
    public var keptPush: Int64
    /// Tells which scopes the objects are of; nil for a server without scopes. The next request says it.
    public var scopes: Int64?

    public var isLast: Bool { cursor == nil }

    public init(
        position: SyncPosition, cursor: SyncCursor?, objects: [SyncObjectState], keptPush: Int64, scopes: Int64? = nil
    ) {
        self.scopes = scopes
        self.position = position
        self.cursor = cursor
        self.objects = objects
        self.keptPush = keptPush
    }
}
