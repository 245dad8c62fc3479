// SPDX-License-Identifier: Apache-2.0

/// The descriptions of work for the observer of a coordinator.
extension NSPersistentStoreCoordinator {
    /// The description of a fetch.
    final func event(_ kind: StoreEvent.Kind, _ scope: FetchScope) -> StoreEvent {
        StoreEvent(kind, [scope.layout.name], stores(for: scope.layout, among: scope.affectedStores))
    }

    /// The description of a save.
    final func event(_ parts: [SavePlan.Part]) -> StoreEvent {
        var entities: Set<String> = []
        var (inserted, updated, deleted) = (0, 0, 0)
        for part in parts {
            for objects in [part.insertedObjects, part.updatedObjects, part.deletedObjects] {
                for object in objects { entities.insert(object.layout.name) }
            }
            inserted += part.insertedObjects.count
            updated += part.updatedObjects.count
            deleted += part.deletedObjects.count
        }
        var event = StoreEvent(.save, entities.sorted(), parts.map(\.store))
        (event.inserted, event.updated, event.deleted) = (inserted, updated, deleted)
        return event
    }

    /// The description of a batch request.
    final func event(_ parts: [BatchPart]) -> StoreEvent {
        StoreEvent(.batch, Set(parts.map(\.batch.entityName)).sorted(), parts.map(\.store))
    }

    /// Tells the observer of the conflicts of a save.
    final func report(_ conflicts: [Any]) {
        activity.report(Self.reports(conflicts))
    }

    private static func reports(_ conflicts: [Any]) -> [StoreConflictReport] {
        var versions: [String: Int] = [:]
        var constraints: [String: Int] = [:]
        for conflict in conflicts {
            if let conflict = conflict as? NSMergeConflict {
                versions[conflict.sourceObject.layout.name, default: 0] += 1
            } else if let conflict = conflict as? NSConstraintConflict,
                let object = conflict.conflictingObjects.first ?? conflict.databaseObject
            {
                constraints[object.layout.name, default: 0] += 1
            }
        }
        return versions.map { StoreConflictReport(entity: $0.key, isConstraint: false, count: $0.value) }
            + constraints.map { StoreConflictReport(entity: $0.key, isConstraint: true, count: $0.value) }
    }
}
