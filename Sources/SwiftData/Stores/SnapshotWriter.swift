// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Writes snapshots into the managed objects of a context.
struct SnapshotWriter {
    private let context: ModelContext
    /// The new objects by the identifiers of their snapshots.
    private(set) var inserted: [PersistentIdentifier: ModelObject] = [:]

    init(_ context: ModelContext) { self.context = context }

    /// Makes the object of a new snapshot, without values.
    mutating func insert(_ snapshot: DefaultSnapshot) throws {
        let entities = context.managed.schemaModel.entitiesByName
        guard let entity = entities[snapshot.persistentIdentifier.entityName] else { throw missing(snapshot) }
        inserted[snapshot.persistentIdentifier] = ModelObject(entity: entity, insertInto: context.managed)
    }

    /// Sets the values of a snapshot's object.
    func update(_ snapshot: DefaultSnapshot) throws {
        guard let object = object(snapshot.persistentIdentifier) else { throw missing(snapshot) }
        for property in SnapshotProperty.all(of: object.modelType) {
            guard let slot = object.layout.slot(named: property.name) else { continue }
            let value = snapshot.values[property.name]
            switch property.kind {
            case .attribute: object.setSlotValue(try value.flatMap { try property.stored($0) }, slot)
            case .toOne:
                let destination = try (value as? PersistentIdentifier).map { try related($0, snapshot) }
                if object.relatedObject(slot) !== destination { object.setRelatedObject(destination, slot) }
            case .toMany:
                let members = try (value as? [PersistentIdentifier] ?? []).map { try related($0, snapshot) }
                if object.relatedObjects(slot) != members { object.setRelatedObjects(members, slot) }
            }
        }
    }

    /// Deletes the object of a snapshot. One that is deleted already is no error.
    func delete(_ snapshot: DefaultSnapshot) throws {
        if let object = object(snapshot.persistentIdentifier) { context.managed.delete(object) }
    }

    private func object(_ identifier: PersistentIdentifier) -> ModelObject? {
        inserted[identifier] ?? context.existingObject(for: identifier)
    }

    private func related(_ identifier: PersistentIdentifier, _ snapshot: DefaultSnapshot) throws -> ModelObject {
        if let object = object(identifier) { return object }
        throw SwiftDataError(
            .modelValidationFailure,
            "The snapshot of \(snapshot.persistentIdentifier) leads to \(identifier), which the store doesn't have.")
    }

    private func missing(_ snapshot: DefaultSnapshot) -> SwiftDataError {
        SwiftDataError(
            .modelValidationFailure,
            "The store doesn't have the model \(snapshot.persistentIdentifier) of a snapshot.")
    }
}
