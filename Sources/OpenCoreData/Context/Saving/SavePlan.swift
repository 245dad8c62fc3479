// SPDX-License-Identifier: Apache-2.0

/// The changes of a context, split by store: row operations and relationship changes for the stores, and the objects
/// that they come from for the context.
struct SavePlan {
    /// The changes of one store. An object, because each loop over the parts would copy the many references of a value.
    final class Part {
        // Unchecked: used on the context's queue, and changed by the plan alone.
        let store: any SnapshotStore
        @exclusivity(unchecked) fileprivate(set) var changes: StoreChanges
        /// The objects of the rows, in the rows' order.
        @exclusivity(unchecked) fileprivate(set) var insertedObjects: [NSManagedObject] = []
        @exclusivity(unchecked) fileprivate(set) var updatedObjects: [NSManagedObject] = []
        @exclusivity(unchecked) fileprivate(set) var deletedObjects: [NSManagedObject] = []
        /// Members that were added although the context's copy of them already points to the owner. They have no change
        /// to write, so the save checks their row versions.
        @exclusivity(unchecked) fileprivate var membersWithoutChange: Set<NSManagedObject> = []

        fileprivate init(store: any SnapshotStore, changes: StoreChanges) {
            self.store = store
            self.changes = changes
        }
    }

    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private let hasSeveralStores: Bool
    private(set) var parts: [Part] = []
    private var insertionStores: [UInt32: any SnapshotStore] = [:]

    /// Assigns the changed objects of the context to the stores. No store, object or context changes.
    ///
    /// - Throws: the error of an object whose store is missing.
    init(context: NSManagedObjectContext, coordinator: NSPersistentStoreCoordinator) throws {
        self.context = context
        self.coordinator = coordinator
        hasSeveralStores = coordinator.hasSeveralStores
        try assignObjects()
    }

    private mutating func assignObjects() throws {
        // New objects come in runs of one entity, which go to one store.
        var last: (layout: EntityLayout, part: Int)?
        for object in context.unsavedChanges.inserted.objects {
            if let last, last.layout === object.layout, object.primaryKey < 0, !context.unsavedChanges.hasAssignedStores
            {
                parts[last.part].insertedObjects.append(object)
                continue
            }
            let index = try part(ofNew: object)
            if object.primaryKey < 0 { last = (object.layout, index) }
            parts[index].insertedObjects.append(object)
        }
        // Consecutive saved objects mostly have the same table, whose objects are in one store.
        var table: (table: IdentityTable, part: Int)?
        func partOfRun(_ object: NSManagedObject) throws -> Int {
            if let known = table, object.isRegistered(in: known.table) { return known.part }
            let index = try part(of: object)
            table = object.table.map { ($0, index) }
            return index
        }
        try context.unsavedChanges.updated.objects.forEachUnretained { _, object in
            let index = try partOfRun(object)
            parts[index].updatedObjects.append(object)
        }
        try context.unsavedChanges.deleted.objects.forEachUnretained { _, object in
            guard object.row != nil || object.primaryKey > 0 else { return }
            let index = try partOfRun(object)
            parts[index].deletedObjects.append(object)
        }
    }

    /// Whether no object that is written is a fault, or has left the context, since the plan was made.
    var hasValues: Bool {
        parts.allSatisfy { part in
            part.insertedObjects.allSatisfy { $0.flags.isDisjoint(with: [.fault, .detached]) }
                && part.updatedObjects.allSatisfy { $0.flags.isDisjoint(with: [.fault, .detached]) }
        }
    }

    /// Collects the changes of the objects, whose faults have fired. No object or context changes.
    ///
    /// - Throws: the errors that need no store: an object that can't be read, an object of a read-only store, a
    ///   reference into another store.
    mutating func collectChanges() throws {
        for part in parts { try fill(part) }
        // An object with unchanged relationships may belong to a read-only store.
        for part in parts where part.store.isReadOnly && !part.changes.isEmpty { throw SavePlan.readOnly(part) }
        parts.removeAll { $0.store.isReadOnly }
        try collectCheckedRows()
        // A store without changes writes its metadata.
        for store in coordinator.storesWithChangedMetadata { _ = index(of: store) }
    }

    /// Adds the rows that a save checks though the context hasn't changed them: see `detectConflicts(for:)`.
    private mutating func collectCheckedRows() throws {
        let objects = parts.reduce(context.unsavedChanges.checkedObjects) { $0.union($1.membersWithoutChange) }
        for object in objects where object.flags.isDisjoint(with: [.inserted, .deleted, .detached]) {
            guard let row = object.row, let store = object.table?.store?.store?.snapshotStore, !store.isReadOnly
            else { continue }
            let index = index(of: store)
            let isWritten = object.flags.contains(.updated) && parts[index].updatedObjects.contains { $0 === object }
            if !isWritten {
                parts[index].changes.checked.append(
                    .init(layout: object.layout, key: object.primaryKey, version: row.version))
                if store is any ObjectStore {
                    if parts[index].changes.objects == nil {
                        parts[index].changes.objects = .init(context: context, inserted: [], updated: [], deleted: [])
                    }
                    parts[index].changes.objects?.locked.append(object)
                }
            }
        }
    }

    /// Makes the row operations and relationship changes of one store.
    private func fill(_ part: Part) throws {
        // Rows of one entity follow one another, so that they share a prepared statement.
        part.insertedObjects = SavePlan.grouped(part.insertedObjects)
        part.updatedObjects = SavePlan.grouped(part.updatedObjects)
        part.changes.inserted.reserveCapacity(part.insertedObjects.count)
        try part.insertedObjects.forEachUnretained { _, object in
            try checkReferences(object, part.store)
            part.changes.inserted.append(
                .init(
                    layout: object.layout, key: object.primaryKey, cells: object.cells,
                    isReplacement: object.flags.contains(.replacing),
                    version: context.unsavedChanges.replacedVersion(of: object) &+ 1))
            try collectRelationshipChanges(object, part)
        }
        // Only objects with a row operation get a new committed snapshot.
        var written: [NSManagedObject] = []
        for object in part.updatedObjects {
            guard let row = object.row else { throw SavePlan.unreadable(object) }
            try checkReferences(object, part.store)
            let links = part.changes.relationships.count
            try collectRelationshipChanges(object, part)
            // An object whose values equal the committed values needs no statement.
            if part.changes.relationships.count > links || object.hasValueChanges {
                part.changes.updated.append(
                    .init(
                        layout: object.layout, key: object.primaryKey, version: row.version, cells: object.cells,
                        committed: row.cells))
                written.append(object)
            }
        }
        part.updatedObjects = written
        part.changes.deleted.reserveCapacity(part.deletedObjects.count)
        part.deletedObjects.forEachUnretained { _, object in
            guard object.hasRowToDelete else { return }
            part.changes.deleted.append(
                .init(layout: object.layout, key: object.primaryKey, version: object.row?.version ?? 0))
        }
        if part.store is any ObjectStore {
            part.changes.objects = .init(
                context: context, inserted: part.insertedObjects, updated: part.updatedObjects,
                deleted: part.deletedObjects.filter(\.hasRowToDelete))
        }
    }

    /// The plan with the parts of the stores that have committed.
    func committed(_ outcome: NSPersistentStoreCoordinator.SaveOutcome) -> SavePlan {
        var plan = self
        plan.parts = zip(parts, outcome.results).filter { $1 != nil }.map(\.0)
        return plan
    }

    /// The error of a changed object whose row could not be read when its fault was fired.
    ///
    /// - Parameter slot: the relationship that could not be read when it was changed; nil for the row.
    static func unreadable(_ object: NSManagedObject, _ slot: PropertySlot? = nil) -> NSError {
        CoreDataErrors.error(
            NSManagedObjectReferentialIntegrityError,
            "The changes of \(object.objectID.uriRepresentation().absoluteString) can't be saved.",
            reason: slot.map { "The objects of its relationship '\($0.name)' could not be read when it was changed." }
                ?? "Its stored values could not be read.",
            suggestion: "Refresh the object and make the change again.",
            userInfo: [NSAffectedObjectsErrorKey: [object]])
    }

    /// The error of changes in a read-only store: `CocoaError.fileWriteNoPermission` (513).
    private static func readOnly(_ part: Part) -> NSError {
        let objects = part.updatedObjects + part.deletedObjects
        let name = objects.first.map { "\($0.layout.name) \($0.objectID.uriRepresentation().absoluteString)" } ?? ""
        return CoreDataErrors.error(
            CocoaError.fileWriteNoPermission.rawValue, "The \(name) can't be saved.",
            reason: "Its store \(part.store.url?.storeText ?? "") was opened read-only.",
            userInfo: [NSAffectedObjectsErrorKey: objects, NSAffectedStoresErrorKey: [part.store]].merging(
                part.store.url?.errorInfo ?? [:]
            ) { own, _ in own })
    }

    /// Adds the changes of an object's to-many relationships.
    ///
    /// - Throws: 133000 for members that could not be read when they were changed.
    private func collectRelationshipChanges(_ object: NSManagedObject, _ part: Part) throws {
        guard object.links != nil else { return }
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            guard let content = object.changedContent(slot) else { continue }
            if content.hasUnreadChange { throw SavePlan.unreadable(object, slot) }
            let additions = content.additions
            collectMembersWithoutChange(additions, slot, part)
            part.changes.relationships.append(
                .init(
                    layout: object.layout, property: index, owner: object.primaryKey,
                    added: additions.map(\.reference), removed: content.removals.map(\.reference),
                    last: content.pendingAdditions.map(\.reference),
                    order: SavePlan.order(content), placements: SavePlan.placements(content)))
        }
    }

    private func collectMembersWithoutChange(
        _ additions: [NSManagedObject], _ slot: PropertySlot, _ part: Part
    ) {
        guard slot.inverse >= 0 else { return }
        for member in additions where !member.flags.contains(.inserted) {
            let inverse = member.layout.properties[slot.inverse]
            if inverse.kind == .toOne && !member.isChanged(inverse) { part.membersWithoutChange.insert(member) }
        }
    }

    private static func order(_ content: ToManyContent) -> StoreChanges.MemberList? {
        guard content.isOrdered && content.isLoaded else { return nil }
        let order = content.members
        return StoreChanges.MemberList { order.map(\.reference) }
    }

    private static func placements(_ content: ToManyContent) -> [StoreChanges.Placement]? {
        guard let ranges = content.placements else { return nil }
        let order = content.members
        return ranges.map { range in
            StoreChanges.Placement(
                members: order[range].map(\.reference),
                previous: range.lowerBound > 0 ? order[range.lowerBound - 1].reference : nil,
                next: range.upperBound < order.count ? order[range.upperBound].reference : nil)
        }
    }

    /// Checks that an object's relationships lead to objects of the same store.
    ///
    /// - Throws: `NSManagedObjectExternalRelationshipError` (133010), naming both stores.
    private func checkReferences(_ object: NSManagedObject, _ store: any SnapshotStore) throws {
        guard hasSeveralStores else { return }
        for (slot, destinations) in object.savedDestinations {
            // A deleted object without a row is nowhere.
            for destination in destinations
            where destination.primaryKey > 0 || !destination.flags.contains(.deleted) {
                let other =
                    destination.primaryKey < 0
                    ? try coordinator.storeForInserting(
                        destination.layout, assigned: context.unsavedChanges.assignedStore(of: destination))
                    : destination.table?.store?.store?.snapshotStore
                if let other, other !== store {
                    throw CoreDataErrors.error(
                        NSManagedObjectExternalRelationshipError,
                        """
                        The relationship \(object.layout.name).\(slot.name) leads from the store \
                        \(store.nameInErrors) into the store \(other.nameInErrors).
                        """,
                        reason: "Objects of different stores can't be related.",
                        suggestion: "Keep the other object's URI, or use a fetched property.",
                        userInfo: [NSAffectedObjectsErrorKey: [object, destination]])
                }
            }
        }
    }

    // MARK: Parts

    /// The part of the store that takes a new object.
    private mutating func part(ofNew object: NSManagedObject) throws -> Int {
        if object.primaryKey > 0 { return try part(of: object) }
        if let assigned = context.unsavedChanges.assignedStore(of: object) {
            return index(of: try coordinator.storeForInserting(object.layout, assigned: assigned))
        }
        if let known = insertionStores[object.layout.number] { return index(of: known) }
        let store = try coordinator.storeForInserting(object.layout, assigned: nil)
        insertionStores[object.layout.number] = store
        return index(of: store)
    }

    /// The part of the store of a saved object.
    ///
    /// - Throws: `NSPersistentStoreSaveError` (134030) if the store was removed.
    private mutating func part(of object: NSManagedObject) throws -> Int {
        guard let store = object.table?.store?.store?.snapshotStore, store.persistentStoreCoordinator === coordinator
        else {
            throw CoreDataErrors.error(
                NSPersistentStoreSaveError,
                "The object \(object.objectID.uriRepresentation().absoluteString) can't be saved.",
                reason: "The coordinator doesn't have its store, or has removed it.",
                suggestion: "Add it again before saving.",
                userInfo: [NSAffectedObjectsErrorKey: [object]])
        }
        return index(of: store)
    }

    private mutating func index(of store: any SnapshotStore) -> Int {
        if let index = parts.firstIndex(where: { $0.store === store }) { return index }
        let part = Part(store: store, changes: StoreChanges(coordinator.layouts))
        part.changes.origin = context.changeOrigin
        parts.append(part)
        return parts.count - 1
    }

    /// The objects, grouped by entity. Within an entity they keep their order.
    private static func grouped(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        guard let first = objects.first?.layoutNumber else { return objects }
        var isOneEntity = true
        objects.forEachUnretained { isOneEntity = isOneEntity && $1.layoutNumber == first }
        if isOneEntity { return objects }
        return objects.enumerated().sorted { left, right in
            left.element.layout.number == right.element.layout.number
                ? left.offset < right.offset : left.element.layout.number < right.element.layout.number
        }.map(\.element)
    }
}

extension NSManagedObject {
    /// Whether a save deletes the row of this deleted object. A row that was missing when the context read it stays:
    /// another context may have inserted it again.
    fileprivate final var hasRowToDelete: Bool { row != nil || flags.contains(.fault) }

    /// The contents of a to-many relationship that a save writes; nil if they have no change.
    fileprivate final func changedContent(_ slot: PropertySlot) -> ToManyContent? {
        guard slot.kind == .toMany, !slot.isTransient, let content = link(slot.link) as? ToManyContent,
            content.isChanged
        else { return nil }
        return content
    }

    /// Whether the row differs from the committed one, other than by derived attributes.
    fileprivate final var hasValueChanges: Bool {
        layout.properties.contains { !$0.isTransient && $0.cell >= 0 && $0.derivation == nil && isChanged($0) }
    }

    /// Whether a save writes the row: also for a change of its to-many relationships, which increases its version.
    final var hasRowChanges: Bool {
        hasValueChanges
            || links != nil
                && layout.relationshipProperties.contains { changedContent(layout.properties[$0]) != nil }
    }
}
