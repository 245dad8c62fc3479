/// The unsaved changes of a context, and of those above it, that bear on one fetch.
struct PendingOverlay {
    private let own: ConcernedChanges
    private let ancestors: [AncestorChange]
    private let predicate: NSPredicate?
    private let context: NSManagedObjectContext

    init(_ plan: FetchPlan, context: NSManagedObjectContext) {
        predicate = plan.predicate
        self.context = context
        guard plan.description.includesPendingChanges else {
            own = ConcernedChanges()
            ancestors = []
            return
        }
        own = ConcernedChanges(plan, context: context)
        ancestors = context.changesOfAncestors(plan, except: own)
    }

    /// Whether the store's answer alone would be wrong.
    var isNeeded: Bool { !own.isEmpty || !ancestors.isEmpty }

    /// The greatest number of the store's results that may be none any more.
    var leavingCount: Int { own.updated.count + own.deleted.count + ancestors.count }

    /// The IDs of the stored objects whose rows don't tell any more whether they match.
    var changedIDs: [NSManagedObjectID] {
        let changed = (own.updated + own.deleted).map(\.objectID) + ancestors.map(\.id)
        return changed.filter { !$0.isTemporaryID }
    }

    /// The objects that match as they are now: changed ones and new ones.
    ///
    /// An object with a permanent ID but no row yet is only in the list of the inserted.
    private var matching: [NSManagedObject] {
        own.updated.filter(matches) + own.inserted.filter(matches)
            + ancestors.filter(\.matches).map { context.objectOrFault($0.id) }
    }

    /// Has known objects that match by a change of a context above take the values that they have there.
    func refreshMatching() throws {
        for change in ancestors where change.matches {
            guard let object = context.object(registeredAs: change.id), let table = object.table,
                object.flags.isDisjoint(with: [.fault, .inserted, .updated, .deleted, .detached]),
                let found = try context.rowOfParent(object.layout, key: object.primaryKey, store: table.store)
            else { continue }
            context.refresh(object, from: found.row, buffer: found.buffer)
        }
    }

    /// The number of the objects that match as they are now.
    var matchingCount: Int {
        own.updated.count(where: matches) + own.inserted.count(where: matches) + ancestors.count(where: \.matches)
    }

    /// The store's objects without the deleted and those that no longer match, and with those that match now in their
    /// places.
    func apply(to stored: [NSManagedObject], plan: FetchPlan) -> [NSManagedObject] {
        let matching = matching
        let changedAbove = Set(ancestors.compactMap { context.object(registeredAs: $0.id) }.map(ObjectIdentifier.init))
        guard plan.isSorted else {
            let wanted = Set(matching.map(ObjectIdentifier.init))
            var present: Set<ObjectIdentifier> = []
            var result = stored.filter { object in
                guard object.flags.isDisjoint(with: [.deleted, .detached]) else { return false }
                guard object.flags.contains(.updated) || changedAbove.contains(ObjectIdentifier(object)) else {
                    return true
                }
                present.insert(ObjectIdentifier(object))
                return wanted.contains(ObjectIdentifier(object))
            }
            result += matching.filter { !present.contains(ObjectIdentifier($0)) }
            return result
        }
        let unchanged = stored.filter {
            $0.flags.isDisjoint(with: [.deleted, .detached, .updated]) && !changedAbove.contains(ObjectIdentifier($0))
        }
        return plan.inserting(plan.sorted(matching), into: unchanged)
    }

    private func matches(_ object: NSManagedObject) -> Bool { predicate?.evaluate(with: PendingObject(object)) ?? true }
}

/// The unsaved changes of one context in the entity, and in the stores, of a fetch.
struct ConcernedChanges {
    private(set) var inserted: [NSManagedObject] = []
    private(set) var updated: [NSManagedObject] = []
    /// Objects that are deleted here, and that stores, or contexts above, have.
    private(set) var deleted: [NSManagedObject] = []

    init() {}

    init(_ plan: FetchPlan, context: NSManagedObjectContext) {
        context.processChanges()
        guard context.hasChanges else { return }
        let layout = plan.query.layout
        let stores = plan.affectedStores ?? []
        func concerned(_ list: inout ChangeList) -> [NSManagedObject] {
            let objects = list.objects(of: layout, includingSubentities: plan.query.includesSubentities)
            return stores.isEmpty
                ? objects : objects.filter { object in stores.contains { $0 === context.store(of: object) } }
        }
        inserted = concerned(&context.inserted)
        updated = concerned(&context.updated)
        deleted = concerned(&context.deleted).filter { !$0.flags.contains(.inserted) }
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension NSManagedObjectContext {
    /// The store that holds an object, or will hold it when it is saved; nil if none would take it.
    fileprivate final func store(of object: NSManagedObject) -> NSPersistentStore? {
        if let store = object.table?.store?.store { return store }
        do {
            return try handle.coordinator?.storeForInserting(object.layout, assigned: assignedStore(of: object))
        } catch {
            // Saving tells why.
            return nil
        }
    }
}
