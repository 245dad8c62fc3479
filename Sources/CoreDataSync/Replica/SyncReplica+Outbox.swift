// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension SyncReplica {
    /// Makes a push of the pending changes, unless one is under way.
    ///
    /// The bytes are in the side store before they are sent, and never change: a push whose answer is lost is sent
    /// again, and the server knows it.
    ///
    /// - Returns: the push; nil if there is nothing to send.
    func freeze() throws -> SyncOutgoingPush? {
        if let push = try outgoing() {
            if push.answerPosition != nil { return nil }
            guard settings.variant.contains(.thawsPushes) else { return push }
            for pending in try pending(NSPredicate(format: "push == %ld", push.number)) { pending.push = 0 }
            let state = try state()
            state.lastPush -= 1
            side.delete(push)
        }
        if try state().isCopied { try takeNewName() }
        for attempt in 0... {
            try drainHistory()
            var groups = try nextGroups()
            // A program that saves all the time leaves no moment for a large push.
            if attempt > 0 { groups = Array(groups.prefix(max(1, groups.count >> attempt))) }
            var result = try freezeAtToken(groups, mostBytes: settings.pushBytes)
            while case .fits(let count) = result {
                groups = Array(groups.prefix(count))
                result = try freezeAtToken(groups, mostBytes: settings.pushBytes)
            }
            while case .needs(let numbers) = result {
                groups += try self.groups(NSPredicate(format: "push == 0 AND group IN %@", Array(numbers)))
                result = try freezeAtToken(groups, mostBytes: .max)
            }
            if result == .frozen { break }
        }
        return try outgoing()
    }

    private enum FreezeResult: Equatable {
        case frozen
        /// The groups refer to new objects of other ones, with these numbers, which have to go with them.
        case needs(Set<Int64>)
        /// A program saved meanwhile.
        case changedMeanwhile
        /// The bytes of several groups are more than a push should have. The first ones, with this number, may fit.
        case fits(Int)
    }

    /// The number of the first groups whose large values a push should have, 1 at least.
    private func fitting(_ groups: [[SyncPendingObject]], _ objects: [UUID: NSManagedObject]) -> Int {
        var bytes: Int64 = 0
        for (index, group) in groups.enumerated() {
            for pending in group where pending.kind != .delete {
                guard let object = objects[pending.identity], let entity = schema.entity(of: object) else { continue }
                for name in entity.blobNames {
                    guard let key = entity.properties[name]?.key, let value = object.value(forKey: key) as? Data,
                        pending.bases[name] != nil
                    else { continue }
                    bytes += Int64(value.count)
                }
            }
            if bytes > settings.pushBlobBytes, index > 0 { return index }
        }
        return groups.count
    }

    private func freezeAtToken(_ groups: [[SyncPendingObject]], mostBytes: Int) throws -> FreezeResult {
        let state = try state()
        guard !groups.isEmpty else { return .frozen }
        try at(.beforeFreeze)
        do {
            app.reset()
            let number = state.lastPush + (settings.variant.contains(.reusesNumbers) && state.lastPush > 0 ? 0 : 1)
            let rows = SyncRows(self)
            try rows.load(identities: groups.flatMap { $0.map(\.identity) })
            let living = try groups.joined().filter { $0.kind != .delete }.compactMap { try rows.known($0.identity) }
            let objects = try rows.objects(living)
            if mostBytes != .max {
                let fitting = self.fitting(groups, objects)
                guard fitting == groups.count else { return .fits(fitting) }
            }
            try rows.loadReferences(of: objects.values)
            var frozen: [SyncGroup] = []
            var (former, contents): ([UUID: [String: SyncValue]], [SyncBlob: Data]) = ([:], [:])
            for group in groups {
                frozen.append(
                    SyncGroup(
                        changes: try group.compactMap {
                            try change($0, objects[$0.identity], rows, state, &former, &contents)
                        }))
                for pending in group { pending.push = number }
            }
            if !settings.variant.contains(.leavesTargets) {
                let missing = try missingGroups(frozen)
                guard missing.isEmpty else {
                    side.rollback()
                    return .needs(missing)
                }
                frozen = SyncGroupOrder(frozen, schema).groups
            }
            guard !isChangedSinceDrain() else {
                side.rollback()
                return .changedMeanwhile
            }
            let push = SyncPush(replica: state.replica, number: number, groups: frozen)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let body = try encoder.encode(push)
            guard groups.count == 1 || body.count <= mostBytes else {
                side.rollback()
                return .fits(groups.count / 2)
            }
            let record = insert(SyncOutgoingPush.self, "OutgoingPush")
            record.number = number
            record.replica = state.replica
            record.model = schema.version
            record.body = body
            record.former = former
            for (blob, data) in contents { keep(data, blob, for: record, "push") }
            state.lastPush = number
            try side.save()
        } catch {
            side.rollback()
            throw error
        }
        try at(.afterFreeze)
        return .frozen
    }

    /// The numbers of the groups that have the new objects to which groups refer, apart from those groups themselves.
    private func missingGroups(_ groups: [SyncGroup]) throws -> Set<Int64> {
        let changes = groups.flatMap(\.changes)
        let targets = Set(changes.flatMap { $0.properties.values.flatMap(\.change.objects) })
            .subtracting(changes.map(\.object))
        guard !targets.isEmpty else { return [] }
        let rows = try pending(NSPredicate(format: "push == 0 AND identity IN %@", Array(targets)))
        return Set(rows.filter { $0.kind == .insert }.map(\.group))
    }

    /// Whether the app's store has a newer transaction than the last look at its history found.
    func isChangedSinceDrain() -> Bool {
        coordinator.currentPersistentHistoryToken(fromStores: stores) != seenToken
    }

    /// The groups of the next push, in the order of their last saves.
    private func nextGroups() throws -> [[SyncPendingObject]] {
        let request = NSFetchRequest<SyncPendingObject>(entityName: "PendingObject")
        request.predicate = NSPredicate(format: "push == 0")
        request.sortDescriptors = [NSSortDescriptor(key: "group", ascending: true)]
        request.fetchLimit = settings.pushObjects + 1
        var rows = try side.fetch(request)
        if rows.count > settings.pushObjects, let last = rows.last?.group {
            // Whole groups: the one in which the limit lies goes with this push if nothing else does.
            let whole = rows.filter { $0.group != last }
            rows = whole.isEmpty ? try pending(NSPredicate(format: "push == 0 AND group == %ld", last)) : whole
        }
        return Self.groups(rows)
    }

    private func groups(_ predicate: NSPredicate) throws -> [[SyncPendingObject]] {
        Self.groups(try pending(predicate))
    }

    private static func groups(_ rows: [SyncPendingObject]) -> [[SyncPendingObject]] {
        Dictionary(grouping: rows, by: \.group).sorted { $0.key < $1.key }.map(\.value)
    }

    /// The change of an object with its present values.
    private func change(
        _ pending: SyncPendingObject, _ object: NSManagedObject?, _ rows: SyncRows, _ state: SyncReplicaState,
        _ former: inout [UUID: [String: SyncValue]], _ contents: inout [SyncBlob: Data]
    ) throws -> SyncObjectChange? {
        guard let known = try rows.known(pending.identity) else { return nil }
        var change = SyncObjectChange(
            object: pending.identity, entity: pending.entityName, kind: pending.kind, life: known.life,
            time: pending.time + state.timeOffset, properties: [:])
        guard pending.kind != .delete, let object, let entity = schema.entity(of: object) else { return change }
        let values = try rows.values(of: object)
        known.digest = SyncDigest.of(values)
        var blobs = known.blobs
        let old = known.merged
        var merged = old
        let bases = pending.bases
        for (name, base) in bases {
            guard let property = entity.properties[name], let value = values[name] else { continue }
            if pending.kind == .insert, value == .null || value == .objects([]) { continue }
            let base = settings.variant.contains(.basesOfPush) ? state.position?.number ?? 0 : base
            guard let new = property.change(to: value, from: merged[name]) else { continue }
            if property.isMerged { merged[name] = value }
            if case .blob(let blob) = value {
                guard let data = object.value(forKey: property.key) as? Data, !data.isEmpty else {
                    // The object waits for a value that the server has lost with the object.
                    blobs[name] = nil
                    continue
                }
                contents[blob] = data
                blobs[name] = SyncKnownBlob(blob: blob)
            }
            change.properties[name] = SyncPropertyChange(base: base, change: new)
        }
        // A change that was taken back is no mask any more.
        if pending.kind == .update, change.properties.count < bases.count {
            pending.bases = bases.filter { change.properties[$0.key] != nil }
        }
        if blobs != known.blobs { known.blobs = blobs }
        if merged != old {
            former[pending.identity] = old
            known.merged = merged
        }
        return change
    }

    // MARK: Answers

    /// Keeps the answer to a push. The import of the changes up to its position ends it.
    func keep(_ answer: SyncPushAnswer, toPush number: Int64, _ request: SyncPushRequest) throws {
        guard let push = try outgoing(), push.number == number, push.body == request.body,
            push.answerPosition == nil, request.model == schema.version
        else { return }
        // The states of an older answer lack what an import has left out since, for the masks of the push. The server
        // gives the present ones when it meets the push again.
        guard try answer.position.number >= state().base || settings.variant.contains(.keepsOldAnswers) else { return }
        try at(.beforeAnswer)
        push.answer = answer
        if try hasAllPages {
            // Pages that wait for large values don't reach the position of the answer.
            try forgetPages()
        }
        try side.save()
        try at(.afterAnswer)
    }
}

extension SyncProperty {
    /// The change from the value that the server has to another one; nil if there is none.
    func change(to value: SyncValue, from old: SyncValue?) -> SyncPropertyChange.Change? {
        if kind == .members {
            guard case .objects(let new) = value else { return nil }
            var former: [UUID] = []
            if case .objects(let objects)? = old { former = objects }
            let (added, removed) = (Set(new).subtracting(former), Set(former).subtracting(new))
            return added.isEmpty && removed.isEmpty
                ? nil : .members(added: added.sorted(), removed: removed.sorted())
        }
        if kind == .order {
            guard case .objects(let new) = value else { return nil }
            var former: [UUID] = []
            if case .objects(let objects)? = old { former = objects }
            let moves = SyncMove.moves(from: former, to: new)
            return moves.isEmpty ? nil : .moves(moves)
        }
        if policy == .sum {
            guard let difference = Self.difference(value, old ?? .null) else {
                return value == old ? nil : .value(value)
            }
            return .difference(difference)
        }
        return .value(value)
    }
}
