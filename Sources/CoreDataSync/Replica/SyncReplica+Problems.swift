// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The changes of the program that aren't on the server.
extension SyncReplica {
    /// The numbers of the objects with pending changes, and of the problems.
    ///
    /// - Parameter notesSaves: whether saves that weren't noted count. Only the process that syncs may note them.
    func counts(noting notesSaves: Bool) throws -> (pending: Int, problems: Int) {
        try onQueue {
            if notesSaves { try drainHistory() }
            let pending = NSFetchRequest<NSDictionary>(entityName: "PendingObject")
            pending.resultType = .dictionaryResultType
            pending.propertiesToFetch = ["identity"]
            pending.returnsDistinctResults = true
            return (
                try side.fetch(pending).count,
                try side.count(for: NSFetchRequest<NSManagedObject>(entityName: "Problem"))
            )
        }
    }

    func problems() throws -> [SyncProblem] {
        try onQueue {
            let request = NSFetchRequest<SyncProblemRecord>(entityName: "Problem")
            let records = try side.fetch(request).sorted {
                SyncObjectKey.key(of: $0.objectID) < SyncObjectKey.key(of: $1.objectID)
            }
            return try records.map(problem)
        }
    }

    private func problem(_ record: SyncProblemRecord) throws -> SyncProblem {
        guard let change = record.change else {
            return SyncProblem(
                id: record.objectID.uriRepresentation(), kind: .change, entityName: "", objectID: nil,
                reason: record.text, values: [:])
        }
        let entity = schema.entities[change.entity]
        var values: [String: Any] = [:]
        for (name, change) in change.properties {
            guard let property = entity?.properties[name] else { continue }
            // A value that the present version of the model can't have isn't shown.
            values[property.key] = try? shownValue(change.change, property, change.change.objects)
        }
        return SyncProblem(
            id: record.objectID.uriRepresentation(), kind: SyncProblem.Kind(change.kind),
            entityName: entity?.modelName ?? change.entity,
            objectID: try known([change.object])[change.object].flatMap { try object($0)?.objectID },
            reason: record.text, values: values)
    }

    /// A value for programs: see ``SyncProblem/value(forKey:)``.
    private func shownValue(
        _ change: SyncPropertyChange.Change, _ property: SyncProperty, _ identities: [UUID]
    ) throws -> Any {
        guard case .attribute = property.kind else {
            let known = try known(identities)
            let ids = try identities.compactMap { try known[$0].flatMap { try object($0)?.objectID } }
            return property.kind == .toOne ? ids.first ?? NSNull() : ids
        }
        switch change {
        case .value(.blob(let blob)): return try outgoing(blob) ?? NSNull()
        case .value(let value), .difference(let value): return try property.value(value, entity: "") ?? NSNull()
        case .members, .moves: return NSNull()
        }
    }

    private func problemRecord(_ id: URL) throws -> SyncProblemRecord? {
        guard let id = side.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: id),
            id.entity.name == "Problem"
        else { return nil }
        return try side.objectIfPresent(id) as? SyncProblemRecord
    }

    func dropProblem(_ id: URL) throws {
        try onQueue {
            guard let record = try problemRecord(id) else { return }
            side.delete(record)
            try side.save()
        }
    }

    /// Makes the change again in a context of its own, whose author isn't the replica's. Refused insertions that refer
    /// to each other are made together, so that their relationships stay.
    ///
    /// - Throws: ``SyncReplicaError/unrepeatable(_:)`` if the object isn't in the store; errors of the stores.
    func repeatProblem(_ id: URL) throws {
        try onQueue {
            guard let record = try problemRecord(id), record.change != nil else { return }
            let records = try related(to: record)
            let repetition = try SyncRepetition(self, records.compactMap(\.change))
            try repetition.save(coordinator)
            for record in records { side.delete(record) }
            try side.save()
        }
    }

    /// A problem, with the insertions among the problems to which relationships lead from it, or which lead to it.
    private func related(to record: SyncProblemRecord) throws -> [SyncProblemRecord] {
        var rest = try side.fetch(NSFetchRequest<SyncProblemRecord>(entityName: "Problem"))
            .compactMap { record in record.change.map { (record: record, change: $0) } }
            .filter { $0.record !== record && $0.change.kind == .insert }
        var found = [record]
        guard let first = record.change, first.kind != .delete else { return found }
        var identities: Set<UUID> = first.kind == .insert ? [first.object] : []
        var targets = Set(first.targets)
        while let index = rest.firstIndex(where: { other in
            targets.contains(other.change.object) || other.change.targets.contains(where: identities.contains)
        }) {
            let next = rest.remove(at: index)
            found.append(next.record)
            identities.insert(next.change.object)
            targets.formUnion(next.change.targets)
        }
        return found
    }
}

extension SyncObjectChange {
    /// The objects that the change refers to.
    fileprivate var targets: [UUID] { properties.values.flatMap(\.change.objects) }
}
