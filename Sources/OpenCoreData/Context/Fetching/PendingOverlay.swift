// SPDX-License-Identifier: Apache-2.0

/// The unsaved changes of a context and its ancestors that concern one fetch, laid over the rows of the stores.
struct PendingOverlay {
    private let own: RelevantChanges
    private let ancestors: [AncestorChange]
    private let predicate: NSPredicate?
    private let filter: PendingFilter?
    private let context: NSManagedObjectContext

    fileprivate init(
        _ plan: FetchPlan, context: NSManagedObjectContext, own: RelevantChanges, ancestors: [AncestorChange]
    ) {
        predicate = plan.predicate
        filter = own.isEmpty ? nil : PendingFilter(plan.predicate, layout: plan.query.layout)
        self.context = context
        self.own = own
        self.ancestors = ancestors
    }

    /// Whether the result of the stores needs changes.
    var isNeeded: Bool { !own.isEmpty || !ancestors.isEmpty }

    /// How many results of the stores the overlay may remove at most.
    var maximumRemovalCount: Int { own.updated.count + own.deleted.count + ancestors.count }

    /// The IDs of the saved objects that have unsaved changes: their present values decide whether they match, not
    /// their rows.
    var changedIDs: [NSManagedObjectID] {
        let changed = (own.updated + own.deleted).map(\.objectID) + ancestors.map(\.id)
        return changed.filter { !$0.isTemporaryID }
    }

    /// The objects with unsaved changes that match with their present values.
    ///
    /// An object with a permanent ID but no row yet is in the list of inserted objects alone.
    private var matching: [NSManagedObject] {
        matching(own.updated) + matching(own.inserted)
            + ancestors.filter(\.matches).map { context.objectOrFault($0.id) }
    }

    /// Refreshes the registered objects that match because of a change of an ancestor: they get the values of the
    /// ancestor.
    func refreshMatching() throws {
        for change in ancestors where change.matches {
            guard let object = context.object(registeredAs: change.id), let table = object.table,
                object.flags.isDisjoint(with: [.fault, .inserted, .updated, .deleted, .detached]),
                let found = try context.parentRow(object.layout, key: object.primaryKey, store: table.store)
            else { continue }
            context.refresh(object, from: found.row, buffer: found.buffer)
        }
    }

    /// The number of the objects with unsaved changes that match with their present values.
    var matchingCount: Int {
        matching(own.updated).count + matching(own.inserted).count + ancestors.count(where: \.matches)
    }

    /// The objects of the stores, without objects that are deleted or no longer match, and with the unsaved objects
    /// that match now.
    ///
    /// - Returns: the objects in the order of the fetch. Without sort descriptors additional objects come last.
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
        return plan.merging(plan.sorted(matching), into: unchanged)
    }

    /// The objects that match with their present values.
    private func matching(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        guard let predicate else { return objects }
        return (filter?.candidates(objects) ?? objects).filter { predicate.evaluate(with: PendingObject($0)) }
    }
}

/// The unsaved changes of one context in the entity, and in the stores, of a fetch.
struct RelevantChanges {
    private(set) var inserted: [NSManagedObject] = []
    private(set) var updated: [NSManagedObject] = []
    /// Deleted objects that a store or an ancestor has.
    private(set) var deleted: [NSManagedObject] = []

    init() {}

    fileprivate init(_ plan: FetchPlan, context: NSManagedObjectContext) {
        guard !context.unsavedChanges.isEmpty else { return }
        let stores = plan.scope.affectedStores ?? []
        func relevant(_ objects: [NSManagedObject]) -> [NSManagedObject] {
            stores.isEmpty ? objects : objects.filter { object in stores.contains { $0 === context.store(of: object) } }
        }
        let changes = context.unsavedChanges.objects(
            of: plan.query.layout, includingSubentities: plan.query.includesSubentities)
        inserted = relevant(changes.inserted)
        updated = relevant(changes.updated)
        deleted = relevant(changes.deleted).filter { !$0.flags.contains(.inserted) }
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension NSManagedObjectContext {
    /// The unsaved changes of this context and its ancestors that concern a fetch. Applies pending delete rules first.
    final func pendingOverlay(of plan: FetchPlan) -> PendingOverlay {
        guard plan.description.includesPendingChanges else {
            return PendingOverlay(plan, context: self, own: RelevantChanges(), ancestors: [])
        }
        let own = relevantChanges(to: plan)
        return PendingOverlay(plan, context: self, own: own, ancestors: ancestorChanges(plan, except: own))
    }

    /// The unsaved changes of this context that concern a fetch. Applies pending delete rules first.
    final func relevantChanges(to plan: FetchPlan) -> RelevantChanges {
        propagateDeletesBeforeFetch()
        return RelevantChanges(plan, context: self)
    }

    /// The store of an object, or the store that a save would insert it into; nil if there is none.
    fileprivate final func store(of object: NSManagedObject) -> NSPersistentStore? {
        if let store = object.table?.store?.store { return store }
        do {
            return try handle.coordinator?.storeForInserting(object.layout, assigned: assignedStore(of: object))
        } catch {
            // The save reports why.
            return nil
        }
    }
}

/// An unsaved object for the evaluation of predicates and sort descriptors: the keys of other entities of its hierarchy
/// are nil, as in a store. The object itself doesn't know these keys.
final class PendingObject: NSObject, KeyValueCoding, KeyPathInspecting, ComparableByIdentity {
    let object: NSManagedObject

    init(_ object: NSManagedObject) { self.object = object }

    func value(forKey key: String) -> Any? {
        guard let slot = object.layout.slot(named: key) else {
            return object.layout.hierarchyHasProperty(key) ? nil : object.value(forKey: key)
        }
        let value = object.value(forKey: key)
        switch value {
        case let destination as NSManagedObject where slot.kind == .toOne: return PendingObject(destination)
        case let members as NSOrderedSet where slot.kind == .toMany:
            return NSOrderedSet(array: members.array.map(Self.wrapped))
        case let members as NSSet where slot.kind == .toMany: return NSSet(array: members.allObjects.map(Self.wrapped))
        default: return value
        }
    }

    private static func wrapped(_ member: Any) -> Any { (member as? NSManagedObject).map(PendingObject.init) ?? member }

    func crossesToManyRelationship(_ path: ArraySlice<String>) -> Bool { object.crossesToManyRelationship(path) }

    var comparisonIdentity: NSObject { object.comparisonIdentity }

    override func isEqual(_ object: Any?) -> Bool { (object as? PendingObject)?.object === self.object }
    override var hash: Int { self.object.hash }
    override var description: String { object.description }
}

extension EntityLayout {
    /// Whether any entity of the hierarchy has a property with a name.
    func hierarchyHasProperty(_ key: String) -> Bool {
        let first = model[root]
        return (first.number...(first.number + first.span)).contains { model[$0].position(of: key) != nil }
    }
}
