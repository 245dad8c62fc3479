// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataSync
import OpenCoreData

/// The JSON form of the state of a store that syncs.
struct SyncStatusDocument: Encodable {
    struct Position: Encodable {
        let epoch: Int64
        let number: Int64
    }

    struct Lease: Encodable {
        let process: String
        let until: String
        /// Whether the process syncs now.
        let held: Bool
    }

    struct Notice: Encodable {
        let kind: String
        let text: String
    }

    struct EntityCount: Encodable {
        let entity: String
        let insertions: Int
        let changes: Int
        let deletions: Int
    }

    struct Object: Encodable {
        let identity: String
        let entity: String
        /// The short ID and the label; nil for an object that the store hasn't got.
        let id: String?
        let label: String?

        init(_ object: SyncStoreStatus.Object, _ names: SyncObjectNames) {
            identity = object.identity.uuidString
            entity = object.entityName
            label = names.label(of: object)
            id = label == nil ? nil : object.id.map { ObjectIDText($0).short }
        }
    }

    struct Change: Encodable {
        let object: Object
        let kind: String
        let properties: [String]
        let time: String
        let push: Int64?
    }

    struct Save: Encodable {
        let transaction: Int64
        let timestamp: String
        let author: String?
    }

    struct Push: Encodable {
        let number: Int64
        let objects: Int
        let attempts: Int64
        let answered: Bool
    }

    struct Page: Encodable {
        let objects: Int
        let last: Bool
    }

    struct Held: Encodable {
        let object: Object
        let reason: String
    }

    struct LargeValue: Encodable {
        let object: Object
        let property: String
        let size: Int64?
        let received: Int64
        /// Whether an import waits for the value.
        let blocksImport: Bool
    }

    struct Problem: Encodable {
        let object: Object
        let kind: String
        let properties: [String]
        let reason: String
    }

    let store: String
    let sideStore: String
    let replica: String?
    let account: String?
    let begun: Bool
    let position: Position?
    /// Tells the scopes of the objects apart.
    let scopes: Int64?
    let lease: Lease?
    let notices: [Notice]
    let pendingCount: Int
    let pending: [EntityCount]
    let changes: [Change]
    let saves: [Save]
    let pushes: [Push]
    let pages: [Page]
    let held: [Held]
    let largeValues: [LargeValue]
    let problemCount: Int
    let problems: [Problem]
}

extension SyncStatusDocument {
    init(
        _ store: String, _ sideStore: String, _ status: SyncStoreStatus, changes: [SyncStoreStatus.Change],
        _ names: SyncObjectNames
    ) {
        self.store = store
        self.sideStore = sideStore
        replica = status.replica?.uuidString
        account = status.account
        begun = !status.notices.contains(.notBegun)
        position = status.position.map { Position(epoch: $0.epoch, number: $0.number) }
        scopes = status.scopes
        lease = status.lease.map {
            Lease(process: $0.owner.uuidString, until: DateText.text(of: $0.until), held: $0.isHeld)
        }
        notices = status.notices.map { Notice(kind: $0.rawValue, text: $0.text) }
        pendingCount = status.pendingCount
        pending = status.pending.map {
            EntityCount(
                entity: $0.entityName, insertions: $0.insertions, changes: $0.changes, deletions: $0.deletions)
        }
        self.changes = changes.map {
            Change(
                object: Object($0.object, names), kind: $0.kind.rawValue, properties: $0.keys,
                time: DateText.text(of: $0.time), push: $0.push)
        }
        saves = status.saves.map {
            Save(transaction: $0.transaction, timestamp: DateText.text(of: $0.time), author: $0.author)
        }
        pushes = status.pushes.map {
            Push(number: $0.number, objects: $0.objectCount, attempts: $0.attempts, answered: $0.isAnswered)
        }
        pages = status.pages.map { Page(objects: $0.objectCount, last: $0.isLast) }
        held = status.held.map { Held(object: Object($0.object, names), reason: $0.reason) }
        largeValues = status.largeValues.map {
            LargeValue(
                object: Object($0.object, names), property: $0.key, size: $0.size, received: $0.received,
                blocksImport: !$0.isLater)
        }
        problemCount = status.problems.count
        problems = status.problems.map {
            Problem(
                object: Object($0.object, names), kind: $0.kind.rawValue, properties: $0.keys, reason: $0.reason)
        }
    }
}
