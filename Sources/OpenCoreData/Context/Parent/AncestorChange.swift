/// An unsaved change of a context above, as it bears on a fetch.
struct AncestorChange {
    let id: NSManagedObjectID
    /// Whether the object, as it is there, belongs to the results.
    let matches: Bool
}

/// What the contexts above have changed, for the fetches of a child.
extension NSManagedObjectContext {
    /// The changes of the contexts above that bear on a fetch, but for those of objects that this context has changed
    /// itself.
    final func changesOfAncestors(_ plan: FetchPlan, except own: RelevantChanges) -> [AncestorChange] {
        guard parentContext != nil else { return [] }
        // A predicate that can't be evaluated is an error of the stores' fetch.
        if let predicate = plan.query.predicate, !PredicateCheck.passes(predicate, layout: plan.query.layout) {
            return []
        }
        let nearer = Set((own.inserted + own.updated + own.deleted).map(\.objectID))
        guard let predicate = plan.query.predicate, let inner = predicate.replacingStoredFetches() else {
            return askParent { $0.changes(plan, matching: plan.query.predicate, except: nearer) } ?? []
        }
        // Fetches inside the predicate are run only if there is anything to compare their results with.
        guard let changes = askParent({ $0.changes(plan, matching: nil, except: nearer) }), !changes.isEmpty else {
            return []
        }
        let known = PredicateObjects.replacingObjects(inner)
        return askParent { $0.changes(plan, matching: known, except: nearer) } ?? []
    }

    /// On the queue of the context that answers.
    private func changes(_ plan: FetchPlan, matching predicate: NSPredicate?, except nearer: Set<NSManagedObjectID>)
        -> [AncestorChange]
    {
        let own = RelevantChanges(plan, context: self)
        var changes: [AncestorChange] = []
        func add(_ objects: [NSManagedObject], _ matches: (NSManagedObject) -> Bool) {
            for object in objects where !nearer.contains(object.objectID) {
                changes.append(AncestorChange(id: object.objectID, matches: matches(object)))
            }
        }
        let matches = { (object: NSManagedObject) in predicate?.evaluate(with: PendingObject(object)) ?? true }
        add(own.updated, matches)
        add(own.inserted, matches)
        add(own.deleted) { _ in false }
        guard parentContext != nil else { return changes }
        let decided = nearer.union(changes.map(\.id))
        return changes + (askParent { $0.changes(plan, matching: predicate, except: decided) } ?? [])
    }

    /// The store that a new object was assigned to, here or in a context above.
    final func assignedStore(of object: NSManagedObject) -> NSPersistentStore? {
        if let store = assignedStores[ObjectIdentifier(object)] { return store }
        guard parentContext != nil, !object.flags.contains(.inserted) else { return nil }
        return askParent { parent in
            parent.object(registeredAs: object.objectID).flatMap { parent.assignedStore(of: $0) }
        } ?? nil
    }
}

extension NSPredicate {
    /// The predicate with the results of the fetches that a store would run inside its statement; nil if it has none.
    fileprivate func replacingStoredFetches() -> NSPredicate? {
        var hasFetches = false
        let replaced = replacingExpressions { expression in
            guard let node = expression.node as? StoredFetchNode else { return nil }
            hasFetches = true
            return NSExpression(forConstantValue: node.value(for: nil, bindings: nil))
        }
        return hasFetches ? replaced : nil
    }
}
