// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The large values that objects, or an import, wait for.
extension SyncSideStoreReader {
    func largeValues(_ identity: UUID?) throws -> [SyncStoreStatus.LargeValue] {
        try laterValues(identity) + valuesOfImport(identity)
    }

    /// The values that come after their objects.
    private func laterValues(_ identity: UUID?) throws -> [SyncStoreStatus.LargeValue] {
        let rows = try rows(SyncLaterBlob.self, "LaterBlob", of: identity)
        let known = try known(rows.map(\.identity))
        return try rows.compactMap { row in
            guard let object = known[row.identity], object.key != 0 else { return nil }
            let blob = object.blobs[row.name]
            // The program has given the object another value since.
            if let blob, !blob.isLater { return nil }
            return SyncStoreStatus.LargeValue(
                object: self.object(row.identity, object.entityName, known),
                key: schema.entities[object.entityName]?.properties[row.name]?.key ?? row.name, size: blob?.blob.size,
                received: try blob.map { try parts($0.blob).received } ?? 0, isLater: true)
        }
    }

    /// The values without which an import doesn't begin: all its pages are there.
    private func valuesOfImport(_ identity: UUID?) throws -> [SyncStoreStatus.LargeValue] {
        guard try pages().last?.head?.isLast ?? false else { return [] }
        let states = try statesOfImport().filter { identity == nil || $0.key == identity }
        let known = try known(Array(states.keys))
        return try states.sorted { $0.key < $1.key }.flatMap { try values(of: $1, known) }
    }

    private func values(
        of state: SyncObjectState, _ known: [UUID: SyncKnownObject]
    ) throws -> [SyncStoreStatus.LargeValue] {
        let pending = try rows(SyncPendingObject.self, "PendingObject", of: state.object)
        let masked = pending.reduce(into: Set<String>()) { $0.formUnion($1.maskedNames) }
        var found: [SyncStoreStatus.LargeValue] = []
        for (name, value) in state.values.sorted(by: { $0.key < $1.key }) {
            guard case .blob(let blob) = value, !masked.contains(name),
                let property = schema.entities[state.entity]?.properties[name],
                try isNeeded(blob, property, known[state.object])
            else { continue }
            found.append(
                SyncStoreStatus.LargeValue(
                    object: object(state.object, state.entity, known), key: property.key, size: blob.size,
                    received: try parts(blob).received, isLater: false))
        }
        return found
    }

    private func isNeeded(_ blob: SyncBlob, _ property: SyncProperty, _ object: SyncKnownObject?) throws -> Bool {
        guard property.mayBeBlob, !property.isLater else { return false }
        if let known = object?.blobs[property.name], known.blob == blob, !known.isLater { return false }
        let outgoing = NSFetchRequest<SyncOutgoingBlob>(entityName: "OutgoingBlob")
        outgoing.predicate = blob.predicate
        return try !parts(blob).isComplete && side.count(for: outgoing) == 0
    }

    /// The newest states of the pages, and of the objects that the store couldn't have before, with large values.
    private func statesOfImport() throws -> [UUID: SyncObjectState] {
        let held = try rows(SyncHeldState.self, "HeldState", of: nil).compactMap(\.state)
        var result: [UUID: SyncObjectState] = [:]
        for state in try held + pages().flatMap(\.objects) {
            guard var merged = result[state.object], merged.kind == state.kind else {
                result[state.object] = state
                continue
            }
            merged.values.merge(state.values) { _, new in new }
            result[state.object] = merged
        }
        return result.filter { $0.value.kind == .put && !$0.value.blobs.isEmpty }
    }

    private func parts(_ blob: SyncBlob) -> SyncBlobParts { SyncBlobParts(blob, "IncomingPart", in: side) }
}
