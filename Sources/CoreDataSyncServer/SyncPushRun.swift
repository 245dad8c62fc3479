// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire
import Digests

/// The work for one push. It saves all groups at once; if the store refuses that, group by group. Each save contains
/// the results so far, so that a push that the server's end interrupts goes on where it was.
struct SyncPushRun {
    private let service: SyncService
    private let push: SyncPush
    private let digest: Data
    private let request: SyncPushRequest
    private let account: SyncAccount
    private let version: SyncVersion?
    private var context: NSManagedObjectContext { service.context }

    /// - Throws: ``SyncFailure`` for bytes that aren't a push.
    init(
        _ service: SyncService, _ request: SyncPushRequest, _ account: SyncAccount, _ version: SyncVersion?
    ) throws {
        (self.account, self.version) = (account, version)
        let bytes = request.body
        guard bytes.count <= service.limits.pushBytes else {
            throw SyncFailure(
                .tooLarge,
                "The push has \(bytes.count) bytes, and the server takes \(service.limits.pushBytes): save less at "
                    + "once, or raise the limit `pushBytes` of the server.")
        }
        do {
            var push = try JSONDecoder().decode(SyncPush.self, from: bytes)
            if let former = service.versions.version(ofBody: request) { push.groups = push.groups.map(former.upgraded) }
            self.push = push
        } catch {
            throw SyncFailure(.badRequest, "The message isn't a push: \(error)")
        }
        self.service = service
        self.request = request
        digest = Data(SHA256.hash(bytes))
    }

    /// The answer, which is stored, or the large values that the push needs.
    ///
    /// - Throws: ``SyncFailure`` for a number that the replica can't use, and errors of the store.
    func answer() throws -> SyncResponse {
        do {
            return .push(number: push.number, try savedAnswer())
        } catch let missing as SyncMissingBlobs {
            service.undo()
            return .needsBlobs(number: push.number, missing.blobs)
        }
    }

    private func savedAnswer() throws -> SyncPushAnswer {
        let replica = try replica()
        var (results, isKnown) = try storedResults(replica)
        if isKnown, results.count == push.groups.count {
            guard service.variant.contains(.forgetsAnswers) else { return try finished(results) }
            results = []
        }
        if !isKnown {
            guard push.number > replica.answeredPush else {
                throw SyncFailure(.replicaForked, "The push \(push.number) was answered long ago.")
            }
            guard push.number == replica.answeredPush + 1 else {
                throw SyncFailure(.missingPush, "The next push of the replica is \(replica.answeredPush + 1).")
            }
        }
        let missing = try missingBlobs(behind: results)
        guard missing.isEmpty else { throw SyncMissingBlobs(blobs: missing) }
        // Changes of one object come one after another: the server decides on each.
        if results.isEmpty, request.attempt < 2, push.groups.repeatedObject == nil,
            case .saved(let all) = try attempt(push.groups, results)
        {
            return try finished(all)
        }
        for group in push.groups.dropFirst(results.count) {
            if try isPoison(results) {
                results.append(.refused(SyncRefusal(reason: .poison, text: "The server couldn't save the group.")))
                continue
            }
            switch try attempt([group], results) {
            case .saved(let next): results = next
            case .refused(let refusal): results.append(.refused(refusal))
            }
        }
        try save(results)
        return try finished(results)
    }

    /// The large values of groups without result that the account hasn't got on the server.
    private func missingBlobs(behind results: [SyncGroupResult]) throws -> [SyncBlob] {
        let blobs = Set(push.groups.dropFirst(results.count).flatMap(\.blobs))
        guard !blobs.isEmpty, !(service.variant.contains(.trustsUploads) && request.attempt > 1) else { return [] }
        let visibility = try service.visibility(account)
        return try blobs.filter { try !service.hasContents($0, account, visibility) }
            .sorted { $0.digest.lexicographicallyPrecedes($1.digest) }
    }

    // MARK: Attempts

    private enum Attempt {
        /// The results with those of the groups.
        case saved([SyncGroupResult])
        /// A group is refused, and the context is as before.
        case refused(SyncRefusal)
    }

    /// Applies and saves groups.
    private func attempt(_ groups: [SyncGroup], _ results: [SyncGroupResult]) throws -> Attempt {
        var merged = try sameObjects(groups)
        while true {
            try service.noteOtherWriters()
            var application = try SyncGroupApplication(
                service, replica: try replica(), newestBase: request.newestBase, account: account, merged: merged)
            let refusal: SyncRefusal
            do {
                return .saved(try attempt(groups, results, &application))
            } catch let error as SyncRefusal {
                refusal = error
            } catch let error as CocoaError where SyncRefusal.isRule(error) {
                let count = merged.count
                if groups.count == 1, !service.variant.contains(.refusesDuplicates) {
                    merged.merge(try application.merging(SyncRefusal.conflicts(of: error))) { one, _ in one }
                }
                if merged.count > count {
                    service.forget()
                    continue
                }
                refusal = try self.refusal(error)
            }
            service.forget()
            return .refused(refusal)
        }
    }

    /// Inserted objects that have the identifying value of another one whose UUID was made by a version of the model
    /// with another hierarchy, and those objects.
    private func sameObjects(_ groups: [SyncGroup]) throws -> [UUID: UUID] {
        var others: [UUID: [UUID]] = [:]
        for change in groups.flatMap(\.changes) where change.kind == .insert {
            guard let entity = service.schema.entities[change.entity], let key = entity.identityAttribute,
                let name = entity.names([key]).first, case .value(let value)? = change.properties[name]?.change,
                let property = entity.properties[name]
            else { continue }
            let found = service.versions.identities(entity, try? property.value(value, entity: entity.name))
            guard found.contains(change.object) else { continue }
            others[change.object] = found.filter { $0 != change.object }
        }
        guard !others.isEmpty else { return [:] }
        let records = try service.records(others.flatMap { [$0.key] + $0.value }).filter { $0.value.isAlive }
        return others.compactMapValues { all in all.first { records[$0] != nil } }.filter { records[$0.key] == nil }
    }

    private func attempt(
        _ groups: [SyncGroup], _ results: [SyncGroupResult], _ application: inout SyncGroupApplication
    ) throws -> [SyncGroupResult] {
        try application.load(groups)
        for group in groups {
            try service.at(.beforeGroup(group))
            try application.apply(group)
        }
        let position = try service.takePosition()
        try application.finish(at: position)
        try application.finishMerges(at: position)
        // The values that the groups met may have changed since the last look, and bases don't tell.
        guard !service.isChangedSinceLook() || service.variant.contains(.overlooksWriters) else {
            throw SyncService.ChangedMeanwhile()
        }
        let all = results + groups.map { _ in SyncGroupResult.saved }
        try save(all)
        return all
    }

    private func refusal(_ error: CocoaError) throws -> SyncRefusal {
        let isConstraint = error.code == .managedObjectConstraintMerge || error.code.rawValue == 133021
        let errors = (error.userInfo[NSDetailedErrorsKey] as? [CocoaError]) ?? [error]
        let object = errors.lazy.compactMap { $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject }.first
        let identity = try object.flatMap { try service.records(of: [$0.objectID])[$0.objectID]?.identity }
        // Another object may be one that the account may not have.
        let isNamed = push.groups.contains { $0.changes.contains { $0.object == identity } }
        if service.scopes != nil, !isNamed {
            return SyncRefusal(reason: isConstraint ? .notUnique : .invalid, text: "A rule of the server refuses it.")
        }
        return SyncRefusal(
            reason: isConstraint ? .notUnique : .invalid, object: identity,
            property: errors.first?.userInfo[NSValidationKeyErrorKey] as? String,
            text: isConstraint ? "Another object has the value." : error.localizedDescription)
    }

    // MARK: Answers

    private func replica() throws -> SyncReplicaRecord {
        if let known = try service.replicaRecord(push.replica) { return known }
        let state = try service.state()
        state.replicaCount += 1
        let new = try service.make(SyncReplicaRecord.self, "SyncReplica")
        new.setValue(push.replica, forKey: "replica")
        new.number = state.replicaCount
        return new
    }

    private func answerRecord(_ replica: SyncReplicaRecord) throws -> SyncAnswerRecord? {
        try service.answerRecord(replica.number, push: push.number)
    }

    private func storedResults(_ replica: SyncReplicaRecord) throws -> (results: [SyncGroupResult], isKnown: Bool) {
        guard let record = try answerRecord(replica) else { return ([], false) }
        guard record.digest == digest else {
            throw SyncFailure(
                .replicaForked, "The replica has sent another push with the number \(push.number): it was copied.")
        }
        return (try JSONDecoder().decode([SyncGroupResult].self, from: record.body), true)
    }

    /// Saves the context with the results so far.
    private func save(_ results: [SyncGroupResult]) throws {
        let replica = try replica()
        let record = try answerRecord(replica) ?? service.makeAnswerRecord(replica.number, push: push.number)
        record.setValue(digest, forKey: "digest")
        record.setValue(try JSONEncoder().encode(results), forKey: "body")
        if results.count == push.groups.count {
            replica.answeredPush = push.number
            try service.forgetUploads(of: push, account)
            record.position = try service.state().number
        }
        record.tries = 0
        try service.at(.beforeSave)
        try service.saveNoted()
        try service.at(.afterSave)
    }

    /// Counts the tries of the next group, if the replica has sent the push for the third time.
    ///
    /// - Returns: whether the group was begun often enough.
    private func isPoison(_ results: [SyncGroupResult]) throws -> Bool {
        guard request.attempt > 2 else { return false }
        let replica = try replica()
        if try storedResults(replica).results.count < results.count || answerRecord(replica) == nil {
            try save(results)
        }
        guard let record = try answerRecord(replica) else { return false }
        record.tries += 1
        try service.saveNoted()
        return record.tries > service.limits.tries
    }

    /// The answer, with the present state of what isn't as the replica asked: objects of refused groups whole,
    /// otherwise the properties that others have changed or that are merged, and the life of each object.
    private func finished(_ results: [SyncGroupResult]) throws -> SyncPushAnswer {
        service.forget()
        let state = try service.state()
        let number = try service.replicaRecord(push.replica)?.number ?? 0
        var (whole, saved): (Set<UUID>, [UUID: Set<String>]) = ([], [:])
        let properties = service.schema.entities.mapValues { Set($0.properties.keys) }
        for (group, result) in zip(push.groups, results) {
            for change in group.changes {
                if result == .saved, change.kind != .delete {
                    // An insertion asks for null where it says nothing.
                    saved[change.object, default: []].formUnion(
                        change.kind == .insert ? properties[change.entity] ?? [] : Set(change.properties.keys))
                } else {
                    whole.insert(change.object)
                }
            }
        }
        let audience = SyncAudience(visibility: try service.visibility(account), version: version)
        var corrections = try audience.visibility.map { try lostStates(&saved, $0, number) } ?? []
        var partly: [SyncRecord: Set<String>] = [:]
        let records = try service.records(saved.keys.filter { !whole.contains($0) })
        for (identity, names) in saved where !whole.contains(identity) {
            guard let record = records[identity], record.isAlive, record.target == nil,
                let entity = service.schema.entities[record.entityName]
            else {
                whole.insert(identity)
                continue
            }
            let stamps = record.stamps
            partly[record] = names.filter { stamps[$0].replica != number || entity.properties[$0]?.isMerged ?? true }
        }
        corrections += try service.states(partly.filter { !$0.value.isEmpty }, audience)
        for (record, names) in partly where names.isEmpty {
            corrections.append(
                SyncObjectState(
                    object: record.identity, entity: record.entityName, kind: .kept, life: record.life, values: [:]))
        }
        corrections += try service.states(of: whole, audience)
        corrections.sort { $0.object < $1.object }
        return SyncPushAnswer(position: state.position, results: results, corrections: corrections)
    }

    /// Takes the objects out of the saved changes that the account may not have, and tells their states. An object that
    /// the push itself took out of the scopes is gone. Another one was, for the account, dead before the push: the
    /// replica keeps the changes as a problem.
    private func lostStates(
        _ saved: inout [UUID: Set<String>], _ visibility: SyncVisibility, _ replica: Int64
    ) throws -> [SyncObjectState] {
        let former = try service.answerRecord(replica, push: push.number - 1)?.position ?? 0
        let records = try service.records(Array(saved.keys))
        let visible = try visibility.visible(Array(records.values))
        var states: [SyncObjectState] = []
        for (identity, names) in saved where records[identity]?.target == nil {
            if let record = records[identity], visible.contains(record) { continue }
            saved[identity] = nil
            let stamps = records[identity].flatMap { $0.isAlive ? $0.stamps : nil }
            let isOwn = names.contains { name in
                stamps.map { $0[name].replica == replica && $0[name].position > former } ?? false
            }
            var state = SyncAudience(visibility: visibility, version: version).absent(identity)
            if !isOwn { state.kind = .dead }
            states.append(state)
        }
        return states
    }
}

extension SyncRefusal: Error {
    static func needsObject(_ change: SyncObjectChange) -> SyncRefusal {
        SyncRefusal(
            reason: .needsObject, object: change.object,
            text: "The object was deleted: the server needs all of it to have it again.")
    }

    static func conflicts(of error: CocoaError) -> [NSConstraintConflict] {
        error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
    }

    /// Whether an error of a save comes from a rule of the model, not from the store.
    static func isRule(_ error: CocoaError) -> Bool {
        (1550...1680).contains(error.errorCode) || error.errorCode == 133021
    }
}

extension SyncGroup {
    /// An object that the group changes more than once, as no replica does; nil if there is none.
    var repeatedObject: UUID? { [self].repeatedObject }
}

extension [SyncGroup] {
    /// An object that is changed more than once; nil if there is none.
    var repeatedObject: UUID? {
        var seen: Set<UUID> = []
        return lazy.flatMap(\.changes).map(\.object).first { !seen.insert($0).inserted }
    }
}
