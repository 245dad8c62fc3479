// SPDX-License-Identifier: Apache-2.0

/// The unsaved changes of a context: the objects that the next save inserts, updates and deletes, and the unchanged
/// objects whose row versions it checks.
///
/// An object with unsaved changes is in one of three lists. The flags that name its list change with the list. Used on
/// the context's queue alone.
final class UnsavedChanges {
    // Unchecked: no method of a list calls other code, and each change of an object changes a list.
    @exclusivity(unchecked) private(set) var inserted = ChangeList()
    @exclusivity(unchecked) private(set) var updated = ChangeList()
    @exclusivity(unchecked) private(set) var deleted = ChangeList(tracksUnprocessed: true)
    /// Objects that were inserted and deleted without a save in between, until they are unregistered.
    private var deletedInsertions: [NSManagedObject] = []
    /// The stores of `assign(_:to:)`, for objects that were not saved yet.
    @exclusivity(unchecked) private var assignedStores: [ObjectIdentifier: NSPersistentStore] = [:]
    /// The versions of the deleted rows that inserted objects replace, as far as they are known.
    @exclusivity(unchecked) private var replacedVersions: [ObjectIdentifier: Int32] = [:]
    /// The objects that the program has named for a check: see `detectConflicts(for:)`.
    private var namedObjects: Set<NSManagedObject> = []
    /// The objects whose relationships have contradicted the inverse side: see `checkVersionOnSave(ofContradicted:)`.
    private var contradictedObjects: Set<NSManagedObject> = []

    /// Whether no object is inserted, updated or deleted.
    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// Whether a save has changes to write, or row versions to check.
    var needSave: Bool { !isEmpty || !namedObjects.isEmpty || !contradictedObjects.isEmpty }

    /// Counts the changes of the lists.
    var serial: Int { inserted.serial &+ updated.serial &+ deleted.serial }

    /// The inserted, the updated and the deleted objects.
    var lists: [ContiguousArray<NSManagedObject>] { [inserted.objects, updated.objects, deleted.objects] }

    /// The inserted, updated and deleted objects of an entity.
    func objects(of layout: EntityLayout, includingSubentities: Bool) -> (
        inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject]
    ) {
        (
            inserted.objects(of: layout, includingSubentities: includingSubentities),
            updated.objects(of: layout, includingSubentities: includingSubentities),
            deleted.objects(of: layout, includingSubentities: includingSubentities)
        )
    }

    // MARK: Changing objects

    @inline(__always)
    func insert(_ object: NSManagedObject) {
        object.flags.insert(.inserted)
        inserted.append(object)
    }

    func update(_ object: NSManagedObject) {
        object.flags.insert(.updated)
        updated.append(object)
    }

    /// Adds an object to the deleted ones. An inserted object keeps its flag: it is unregistered without a save.
    func delete(_ object: NSManagedObject) {
        if object.flags.contains(.updated) {
            cancelUpdate(of: object)
        } else if object.flags.contains(.inserted) {
            inserted.remove(object)
        }
        object.flags.insert(.deleted)
        deleted.append(object)
    }

    /// Takes back a deletion: the object is inserted, as it was before, or updated.
    ///
    /// - Parameter isUpdated: whether an object that was saved before has unsaved changes.
    func undelete(_ object: NSManagedObject, isUpdated: Bool) {
        cancelDeletion(of: object)
        if object.flags.contains(.inserted) {
            inserted.append(object)
        } else if isUpdated {
            update(object)
        }
    }

    /// Makes an inserted object an update of a row that exists already.
    func convertToUpdate(_ object: NSManagedObject) {
        inserted.remove(object)
        forgetInsertion(of: object)
        object.flags.subtract([.inserted, .announced, .replacing])
        update(object)
    }

    /// Turns an updated object into an inserted object that replaces its deleted row.
    ///
    /// - Parameter version: the version of the row.
    func convertToInsertion(_ object: NSManagedObject, replacingVersion version: Int32) {
        cancelUpdate(of: object)
        object.flags.insert(.announced)
        markReplacing(object, version: version)
        insert(object)
    }

    /// Removes an object from the updated objects, if it is among them.
    func cancelUpdate(of object: NSManagedObject) {
        guard object.flags.contains(.updated) else { return }
        updated.remove(object)
        object.flags.remove(.updated)
    }

    /// Removes an object from the deleted objects, if it is among them.
    func cancelDeletion(of object: NSManagedObject) {
        guard object.flags.contains(.deleted) else { return }
        deleted.remove(object)
        object.flags.subtract([.deleted, .propagated])
    }

    /// Removes an object from its list: it has nothing to save.
    func remove(_ object: NSManagedObject) {
        if object.flags.contains(.deleted) {
            deleted.remove(object)
        } else if object.flags.contains(.inserted) {
            inserted.remove(object)
        } else if object.flags.contains(.updated) {
            updated.remove(object)
        }
        forgetInsertion(of: object)
        object.flags.subtract([.inserted, .updated, .deleted, .propagated])
    }

    // MARK: Delete propagation

    /// Whether deletion rules were not applied yet to all deleted objects.
    var hasUnprocessedDeletions: Bool { deleted.hasUnprocessed }

    /// The objects that were deleted since the last call. Objects that no store has are unregistered later: see
    /// `removeDeletedInsertions()`.
    func removeUnprocessedDeletions() -> [NSManagedObject] {
        let objects = deleted.removeUnprocessed().filter {
            $0.flags.contains(.deleted) && !$0.flags.contains(.detached)
        }
        deletedInsertions += objects.filter { $0.flags.contains(.inserted) }
        return objects
    }

    /// Puts deleted objects back, so that the next `removeUnprocessedDeletions()` returns them again.
    func appendUnprocessedDeletions(_ objects: [NSManagedObject]) { deleted.appendUnprocessed(objects) }

    /// Removes the objects that were inserted and deleted without a save in between, after their deletion rules were
    /// applied.
    func removeDeletedInsertions() -> [NSManagedObject] {
        guard !deletedInsertions.isEmpty else { return [] }
        defer { deletedInsertions = [] }
        let objects = deletedInsertions.filter { $0.flags.isSuperset(of: [.inserted, .deleted]) }
        for object in objects { deleted.remove(object) }
        return objects
    }

    // MARK: Replaced rows

    /// Inserts an object under an ID that it had before: in place of a deleted row, if the ID is permanent.
    ///
    /// - Parameter version: the version of the row: 0 if it isn't known; nil for an object that replaces none.
    func insert(_ object: NSManagedObject, replacingVersion version: Int32?) {
        if let version, object.primaryKey > 0 { markReplacing(object, version: version) }
        insert(object)
    }

    private func markReplacing(_ object: NSManagedObject, version: Int32) {
        object.flags.insert(.replacing)
        replacedVersions[ObjectIdentifier(object)] = version
    }

    /// The version of the deleted row that a new object replaces; 0 if there is none, or it isn't known.
    ///
    /// The version of the new row follows it, so that a context with the deleted row finds out that the row was
    /// replaced.
    @inline(__always)
    func replacedVersion(of object: NSManagedObject) -> Int32 {
        object.flags.contains(.replacing) ? replacedVersions[ObjectIdentifier(object)] ?? 0 : 0
    }

    private func forgetInsertion(of object: NSManagedObject) {
        assignedStores[ObjectIdentifier(object)] = nil
        replacedVersions[ObjectIdentifier(object)] = nil
    }

    // MARK: Stores of new objects

    /// Whether any new object was assigned to a store.
    var hasAssignedStores: Bool { !assignedStores.isEmpty }

    /// The store that a new object was assigned to.
    func assignedStore(of object: NSManagedObject) -> NSPersistentStore? { assignedStores[ObjectIdentifier(object)] }

    /// Assigns a new object to a store; nil for the store that the coordinator chooses.
    func assign(_ object: NSManagedObject, to store: NSPersistentStore?) {
        assignedStores[ObjectIdentifier(object)] = store
    }

    // MARK: Checked objects

    /// The objects whose row version the next save checks, unless it writes them.
    var checkedObjects: Set<NSManagedObject> { namedObjects.union(contradictedObjects) }

    /// Whether an unsaved change has found that the relationships of an object contradict the inverse side.
    func isContradicted(_ object: NSManagedObject) -> Bool {
        !contradictedObjects.isEmpty && contradictedObjects.contains(object)
    }

    /// Adds an object to the objects whose row version the next save checks.
    func check(_ object: NSManagedObject) { namedObjects.insert(object) }

    /// Adds an object to the objects whose row version the next save checks, until the changes are discarded.
    func check(contradicted object: NSManagedObject) { contradictedObjects.insert(object) }

    // MARK: Ending changes

    /// Removes all changes. The objects keep their flags, which the caller clears.
    func removeAll() {
        removeLists()
        namedObjects.removeAll()
        contradictedObjects.removeAll()
    }

    /// Removes all changes. The next save still checks the versions of checked objects, unless a discarded change was
    /// the reason. The objects keep their flags, which the caller clears.
    func discard() {
        removeLists()
        contradictedObjects.removeAll()
    }

    private func removeLists() {
        inserted.removeAll()
        updated.removeAll()
        deleted.removeAll()
        deletedInsertions = []
        assignedStores.removeAll()
        replacedVersions.removeAll()
    }

    // MARK: Incomplete saves

    /// Removes the changes that stores have not committed. The objects keep their flags.
    ///
    /// - Parameters:
    ///   - new: the inserted objects of these stores.
    ///   - isUncommitted: whether a saved object belongs to one of these stores.
    func removeUncommitted(_ new: Set<ObjectIdentifier>, _ isUncommitted: (NSManagedObject) -> Bool)
        -> RemainingChanges
    {
        let remaining = RemainingChanges(
            inserted: inserted.objects.filter { new.contains(ObjectIdentifier($0)) },
            updated: updated.objects.filter(isUncommitted), deleted: deleted.objects.filter(isUncommitted),
            assignedStores: assignedStores.filter { new.contains($0.key) },
            replacedVersions: replacedVersions.filter { new.contains($0.key) },
            namedObjects: namedObjects.filter(isUncommitted),
            contradictedObjects: contradictedObjects.filter(isUncommitted))
        for object in remaining.inserted { inserted.remove(object) }
        for object in remaining.updated { updated.remove(object) }
        for object in remaining.deleted { deleted.remove(object) }
        return remaining
    }

    /// Adds the changes again that a save has left.
    func restore(_ remaining: RemainingChanges) {
        for object in remaining.inserted { inserted.append(object) }
        for object in remaining.updated { updated.append(object) }
        for object in remaining.deleted { deleted.append(object) }
        // Their delete rules were applied before the save.
        _ = deleted.removeUnprocessed()
        assignedStores.merge(remaining.assignedStores) { own, _ in own }
        replacedVersions.merge(remaining.replacedVersions) { own, _ in own }
        namedObjects.formUnion(remaining.namedObjects)
        contradictedObjects.formUnion(remaining.contradictedObjects)
    }
}

/// The changes that remain unsaved after a save that only some stores have committed.
struct RemainingChanges {
    let inserted: [NSManagedObject]
    let updated: [NSManagedObject]
    let deleted: [NSManagedObject]
    let assignedStores: [ObjectIdentifier: NSPersistentStore]
    let replacedVersions: [ObjectIdentifier: Int32]
    let namedObjects: Set<NSManagedObject>
    let contradictedObjects: Set<NSManagedObject>

    var objects: [NSManagedObject] { inserted + updated + deleted }
}

// MARK: Invariants

extension UnsavedChanges {
    /// The violated invariants, for tests.
    ///
    /// - An object of a list has the flag of the list, has no flag that excludes it, and stores its index in the list.
    /// - Only new objects are assigned to stores.
    func checkInvariants() -> [String] {
        check(inserted, .inserted, excluded: [.deleted, .updated, .detached], "inserted")
            + check(updated, .updated, excluded: [.deleted, .inserted, .detached], "updated")
            + check(deleted, .deleted, excluded: [.updated, .detached], "deleted")
            + checkAssignedStores()
    }

    private func check(
        _ list: ChangeList, _ flag: NSManagedObject.Flags, excluded: NSManagedObject.Flags, _ name: String
    ) -> [String] {
        var violations: [String] = []
        for (index, object) in list.objects.enumerated() {
            func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
                if !condition { violations.append("\(object.diagnosticName): \(message())") }
            }
            expect(object.changeIndex == Int32(index), "has the index \(object.changeIndex), not \(index)")
            expect(object.flags.contains(flag), "is in the list of \(name) objects without the flag")
            expect(object.flags.isDisjoint(with: excluded), "has a flag that no \(name) object has")
        }
        return violations
    }

    private func checkAssignedStores() -> [String] {
        let new = Set(
            (inserted.objects + deleted.objects).filter { $0.flags.contains(.inserted) }.map(ObjectIdentifier.init))
        return assignedStores.keys.allSatisfy(new.contains) ? [] : ["An object that isn't new is assigned to a store."]
    }
}
