/// The unsaved changes of a context that bear on one fetch.
struct PendingOverlay {
    private let inserted: [NSManagedObject]
    private let updated: [NSManagedObject]
    /// Stored objects that are deleted.
    private let deleted: [NSManagedObject]
    private let predicate: NSPredicate?

    init(_ plan: FetchPlan, context: NSManagedObjectContext) {
        predicate = plan.predicate
        guard plan.description.includesPendingChanges else {
            inserted = []
            updated = []
            deleted = []
            return
        }
        context.processPendingChanges()
        let layout = plan.query.layout
        let exact = !plan.query.includesSubentities
        let stores = plan.affectedStores ?? []
        func concerns(_ object: NSManagedObject) -> Bool {
            (exact ? object.layout === layout : object.layout.isKind(of: layout))
                && (stores.isEmpty || stores.contains { $0 === context.store(of: object) })
        }
        inserted = context.inserted.objects.filter(concerns)
        updated = context.updated.objects.filter(concerns)
        deleted = context.deleted.objects.filter { $0.primaryKey > 0 && concerns($0) }
    }

    /// Whether the store's answer alone would be wrong.
    var isNeeded: Bool { !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty }

    /// The greatest number of the store's results that may be none any more.
    var leavingCount: Int { updated.count + deleted.count }

    /// The IDs of the stored objects whose rows don't tell any more whether they match.
    var changedIDs: [NSManagedObjectID] { updated.map(\.objectID) + deleted.map(\.objectID) }

    /// The objects that match as they are now: changed ones and new ones.
    ///
    /// An object with a permanent ID but no row yet is only in the list of the inserted.
    var matching: [NSManagedObject] { updated.filter(matches) + inserted.filter(matches) }

    /// The store's objects without the deleted and those that no longer match, and with those that match now in their places.
    func apply(to stored: [NSManagedObject], plan: FetchPlan) -> [NSManagedObject] {
        guard plan.isSorted else {
            var result = stored.filter { object in
                guard object.flags.isDisjoint(with: [.deleted, .gone]) else { return false }
                return object.flags.contains(.updated) ? matches(object) : true
            }
            let present = Set(stored.filter { $0.flags.contains(.updated) })
            result += matching.filter { !present.contains($0) }
            return result
        }
        let unchanged = stored.filter { $0.flags.isDisjoint(with: [.deleted, .gone, .updated]) }
        return plan.inserting(plan.sorted(matching), into: unchanged)
    }

    private func matches(_ object: NSManagedObject) -> Bool { predicate?.evaluate(with: PendingObject(object)) ?? true }
}

extension NSManagedObjectContext {
    /// The store that holds an object, or will hold it when it is saved; nil if none would take it.
    fileprivate final func store(of object: NSManagedObject) -> NSPersistentStore? {
        if let store = object.table?.store?.store { return store }
        do {
            return try handle.coordinator?.storeForInserting(object.layout, assigned: assignedStores[ObjectIdentifier(object)])
        } catch {
            // Saving tells why.
            return nil
        }
    }
}
