// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// The state of a store that syncs, as its side store and its history tell it: see ``SyncSideStoreReader``.
package struct SyncStoreStatus: Sendable {
    /// The name of the replica in its pushes; nil for a side store without rows.
    package let replica: UUID?
    /// The account of the store; nil before the first session.
    package let account: String?
    /// The position up to which the store has the server's changes; nil before the first import.
    package let position: SyncPosition?
    /// Tells the scopes of the objects apart; nil for a server without scopes.
    package let scopes: Int64?
    package let lease: Lease?
    /// The number of objects with changes that the server doesn't have yet.
    package let pendingCount: Int
    /// The changes that the server doesn't have yet, by entities, in the order of their names.
    package let pending: [EntityCount]
    /// The saves of programs at which the engine hasn't looked, the oldest first.
    package let saves: [Save]
    /// The pushes that haven't come to their end, by number.
    package let pushes: [Push]
    /// The pages of the server's changes that aren't in the store yet.
    package let pages: [Page]
    package let held: [Held]
    package let largeValues: [LargeValue]
    /// The changes that aren't on the server, the oldest first.
    package let problems: [Problem]
    package let notices: [Notice]

    /// An object of the store, or one that the store hasn't got.
    package struct Object: Hashable, Sendable {
        package let identity: UUID
        /// The entity in the model; the name in messages if the model hasn't got it.
        package let entityName: String
        /// The ID of the object; nil for one that was deleted, or that the store never had.
        package let id: NSManagedObjectID?
    }

    /// A process that syncs, or that ended without saying so.
    package struct Lease: Hashable, Sendable {
        package let owner: UUID
        /// The time until which it syncs, unless it says so again.
        package let until: Date
        /// Whether another process may not sync now.
        package let isHeld: Bool
    }

    /// The numbers of changes of an entity's objects.
    package struct EntityCount: Hashable, Sendable {
        package let entityName: String
        package internal(set) var insertions = 0
        package internal(set) var changes = 0
        package internal(set) var deletions = 0
    }

    /// A change of a program that the server doesn't have yet.
    package struct Change: Hashable, Sendable {
        package let object: Object
        package let kind: SyncProblem.Kind
        /// The names of the properties, sorted; none for a deletion.
        package let keys: [String]
        /// When the program saved it last.
        package let time: Date
        /// The number of the push that has the change; nil before it is frozen.
        package let push: Int64?
    }

    /// A transaction in the history of the store.
    package struct Save: Hashable, Sendable {
        package let transaction: Int64
        package let time: Date
        package let author: String?
    }

    /// A push whose bytes no longer change.
    package struct Push: Hashable, Sendable {
        package let number: Int64
        /// The number of changed objects.
        package let objectCount: Int
        /// How often it was sent.
        package let attempts: Int64
        /// Whether the answer is there. The import of the changes up to its position ends the push.
        package let isAnswered: Bool
    }

    /// A page of the server's changes.
    package struct Page: Hashable, Sendable {
        package let objectCount: Int
        /// Whether no further page follows. The pages then wait for large values, or the import was interrupted.
        package let isLast: Bool
    }

    /// A state of the server that the store can't have yet, or not whole.
    package struct Held: Hashable, Sendable {
        package let object: Object
        package let reason: String
    }

    /// A large value that an object or an import waits for.
    package struct LargeValue: Hashable, Sendable {
        package let object: Object
        package let key: String
        /// The number of bytes; nil if the side store doesn't tell it.
        package let size: Int64?
        /// The number of bytes that have arrived.
        package let received: Int64
        /// Whether the object is in the store without it. Otherwise the import waits.
        package let isLater: Bool
    }

    /// A change that isn't on the server: see ``SyncProblem``.
    package struct Problem: Hashable, Sendable {
        package let object: Object
        package let kind: SyncProblem.Kind
        /// The names of the properties that the program had set, sorted.
        package let keys: [String]
        package let reason: String
    }

    /// The part that concerns one object.
    package struct OfObject: Sendable {
        package let changes: [Change]
        package let held: [Held]
        package let largeValues: [LargeValue]
        package let problems: [Problem]
    }
}

extension SyncStoreStatus {
    /// A state of the stores that an exchange, or a program, has to end.
    package enum Notice: String, Sendable {
        case notBegun, firstImport, storesDiffer, noHistory, historyDeleted, serverRestored, copied, importUnderWay

        /// The state, and what ends it.
        package var text: String {
            switch self {
            case .notBegun:
                "The store hasn't begun to sync. SyncEngine.start() begins; for a store that has objects, the program "
                    + "says by SyncEngine.begin(_:) what becomes of them."
            case .firstImport: "The objects of the store are decided at the first import, which is still to come."
            case .storesDiffer:
                "The store and its side store don't belong together: one of them was restored. The program says by "
                    + "SyncEngine.begin(_:) what becomes of the objects."
            case .noHistory:
                "The store has no persistent history, so saves aren't found. Set NSPersistentHistoryTrackingKey of its "
                    + "description before it is loaded."
            case .historyDeleted:
                "The program has deleted history at which the engine hadn't looked. The engine compares all objects "
                    + "when it next syncs."
            case .serverRestored: "The server was restored from a backup. The engine compares the store with it."
            case .copied:
                "The store is a copy of one that syncs, or was copied. It takes another name before its next push."
            case .importUnderWay: "An import is under way, or was interrupted. The engine that syncs next ends it."
            }
        }
    }
}

extension SyncStoreStatus.EntityCount {
    mutating func add(_ kind: SyncProblem.Kind, _ count: Int) {
        switch kind {
        case .insertion: insertions += count
        case .change: changes += count
        case .deletion: deletions += count
        }
    }
}
