// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// A replica goes on when a backup has taken its place, or the server's.
extension SyncReplica {
    /// Compares what the replica and the server know of each other.
    func compare(with session: SyncSession, _ state: SyncReplicaState) throws {
        state.needsSession = false
        // The server has answers to pushes that this store doesn't know: the store was restored, or is a copy.
        if session.answeredPush > state.lastPush { state.isCopied = true }
        let isKnown = state.position.map { $0 == session.common } ?? true
        let isAnswered = try session.answeredPush >= answeredPush(state)
        guard !isKnown || !isAnswered else { return }
        let common = session.common?.number ?? 0
        for push in try pushes() where push.endTime != nil && push.replica != state.replica {
            guard let position = push.answerPosition?.number, position > common else { continue }
            try thaw(push)
            side.delete(push)
        }
        if !isAnswered { try offerAgain(after: session.answeredPush, common, state) }
        try beginAgain(from: common)
        state.isRestored = true
        settings.report(.serverRestored)
    }

    /// Offers pushes again that the server had answered before it was restored. Their changes are pending again.
    private func offerAgain(after number: Int64, _ common: Int64, _ state: SyncReplicaState) throws {
        let lost = try pushes().filter { $0.number > number && $0.replica == state.replica }
        for push in lost {
            push.answer = nil
            push.attempts = 0
            push.newestBase = min(push.newestBase ?? .max, common)
            guard push.endTime != nil else { continue }
            push.endTime = nil
            for row in try makePending(of: push) { row.push = push.number }
        }
        // A push that the replica has forgotten was in a backup once. The later ones need another name.
        if let first = lost.first, first.number != number + 1 { try takeNewName() }
    }

    /// Makes unsent changes of a push.
    private func makePending(of push: SyncOutgoingPush) throws -> [SyncPendingObject] {
        let state = try state()
        returnCount += 1
        var rows: [SyncPendingObject] = []
        for group in SyncJSON.decode(SyncPush.self, push.body)?.groups ?? [] {
            state.lastGroup += 1
            for change in group.changes {
                let row = insert(SyncPendingObject.self, "PendingObject")
                row.identity = change.object
                row.entityName = change.entity
                row.kind = change.kind
                row.time = change.time - state.timeOffset
                row.bases = change.properties.mapValues(\.base)
                if change.kind == .delete {
                    row.bases = [SyncPendingObject.everyProperty: push.newestBase ?? state.base]
                }
                row.group = state.lastGroup
                row.push = -1
                rows.append(row)
            }
        }
        return rows
    }

    /// Asks for all objects at the next request, over what the app's store has.
    ///
    /// - Parameter common: the number of the newest position whose changes the app's store and the server have.
    func beginAgain(from common: Int64) throws {
        let state = try state()
        try forgetPages()
        for held in try side.fetch(NSFetchRequest<SyncHeldState>(entityName: "HeldState")) { side.delete(held) }
        state.position = nil
        state.common = common
        state.positions = state.positions.filter { $0.number <= common }
        for row in try pending(NSPredicate(format: "push == 0")) {
            let bases = row.bases
            let clipped = bases.mapValues { min($0, common) }
            if clipped != bases { row.bases = clipped }
        }
    }

    /// Takes a new name: the old one is that of another store, of which this one is a copy. What the server hasn't
    /// answered becomes pending, and is sent anew.
    func takeNewName() throws {
        let state = try state()
        for push in try pushes() where push.endTime == nil && push.answerPosition == nil {
            try thaw(push)
            side.delete(push)
        }
        state.replica = settings.makeUUID()
        state.lastPush = 0
        askedBlobs = nil
        state.isCopied = false
        settings.report(.copied)
    }

    /// Makes the changes of a push unsent.
    private func thaw(_ push: SyncOutgoingPush) throws {
        try unmerge(push)
        returnCount += 1
        let rows =
            push.endTime == nil
            ? try pending(NSPredicate(format: "push == %ld", push.number)) : try makePending(of: push)
        for row in rows {
            row.push = 0
            try joinUnsent(row)
        }
    }

    /// Makes one of two unsent changes of an object, and one of their groups.
    func joinUnsent(_ row: SyncPendingObject) throws {
        let others = try pending(NSPredicate(format: "identity == %@ AND push == 0", row.identity as NSUUID))
        guard let later = others.first(where: { $0 != row }) else { return }
        var bases = later.bases.merging(row.bases) { min($0, $1) }
        if later.kind != .delete { bases[SyncPendingObject.everyProperty] = nil }
        later.bases = bases
        if later.kind == .update, row.kind == .insert { later.kind = .insert }
        if later.kind == .insert, row.kind == .delete { later.kind = .update }
        let former = row.group
        side.delete(row)
        for other in try pending(NSPredicate(format: "push == 0 AND group == %ld", former)) {
            other.group = later.group
        }
    }

    /// Takes the changes of a push out of the merged values that the server is thought to have.
    private func unmerge(_ push: SyncOutgoingPush) throws {
        let former = push.former
        let rows = try known(former.keys)
        for change in SyncJSON.decode(SyncPush.self, push.body)?.groups.flatMap(\.changes) ?? [] {
            guard let row = rows[change.object] else { continue }
            for (name, new) in change.properties {
                switch (new.change, row.merged[name]) {
                case (.value, _): break
                case (.difference(let difference), let merged?):
                    row.merged[name] = SyncProperty.difference(merged, difference)
                case (.members(let added, let removed), .objects(let merged)?):
                    row.merged[name] = .objects(Set(merged).subtracting(added).union(removed).sorted())
                default: row.merged[name] = former[change.object]?[name]
                }
            }
        }
    }
}

extension SyncPosition {
    /// Positions in their order with the newest ones, and fewer and fewer of the older ones.
    static func thinned(_ positions: [SyncPosition]) -> [SyncPosition] {
        var (result, gap): ([SyncPosition], Int64) = ([], 1)
        for position in positions {
            if result.count < 8 {
                result.append(position)
            } else if let last = result.last, last.number - position.number >= gap {
                result.append(position)
                gap *= 2
            }
        }
        return Array(result.prefix(48))
    }
}
