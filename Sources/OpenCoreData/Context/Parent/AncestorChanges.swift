// SPDX-License-Identifier: Apache-2.0

/// An unsaved change of an ancestor context that affects a fetch.
struct AncestorChange {
    let id: NSManagedObjectID
    /// Whether the object matches the fetch with its values in the ancestor.
    let matches: Bool
}

/// The unsaved changes of the ancestors, for the fetches of a child.
extension NSManagedObjectContext {
    /// The changes of the ancestors that affect a fetch, without changes of objects that this context has changed
    /// itself.
    final func ancestorChanges(_ plan: FetchPlan, except own: RelevantChanges) -> [AncestorChange] {
        guard hierarchy.parent != nil else { return [] }
        // The fetch from the stores throws the error of a predicate that can't be evaluated.
        if let predicate = plan.query.predicate, !PredicateCheck.passes(predicate, layout: plan.query.layout) {
            return []
        }
        let decided = Set((own.inserted + own.updated + own.deleted).map(\.objectID))
        guard let predicate = plan.query.predicate, let replaced = predicate.replacingStoredFetches() else {
            return performOnParent { $0.changes(plan, matching: plan.query.predicate, except: decided) } ?? []
        }
        // Fetches inside the predicate run only if there are changes to compare their results with.
        guard let changes = performOnParent({ $0.changes(plan, matching: nil, except: decided) }), !changes.isEmpty
        else { return [] }
        let evaluable = PredicateObjects.replacingObjects(replaced)
        return performOnParent { $0.changes(plan, matching: evaluable, except: decided) } ?? []
    }

    /// The changes of this context and of its ancestors. Runs on the queue of this context.
    ///
    /// - Parameter decided: the objects that a nearer context has changed: the values of that context count.
    private func changes(_ plan: FetchPlan, matching predicate: NSPredicate?, except decided: Set<NSManagedObjectID>)
        -> [AncestorChange]
    {
        let own = relevantChanges(to: plan)
        var changes: [AncestorChange] = []
        func add(_ objects: [NSManagedObject], _ matches: (NSManagedObject) -> Bool) {
            for object in objects where !decided.contains(object.objectID) {
                changes.append(AncestorChange(id: object.objectID, matches: matches(object)))
            }
        }
        let matches = { (object: NSManagedObject) in predicate?.evaluate(with: PendingObject(object)) ?? true }
        add(own.updated, matches)
        add(own.inserted, matches)
        add(own.deleted) { _ in false }
        guard hierarchy.parent != nil else { return changes }
        let allDecided = decided.union(changes.map(\.id))
        return changes + (performOnParent { $0.changes(plan, matching: predicate, except: allDecided) } ?? [])
    }

    /// The store that an inserted object was assigned to, in this context or in an ancestor.
    final func assignedStore(of object: NSManagedObject) -> NSPersistentStore? {
        if let store = unsavedChanges.assignedStore(of: object) { return store }
        guard hierarchy.parent != nil, !object.flags.contains(.inserted) else { return nil }
        return performOnParent { parent in
            parent.object(registeredAs: object.objectID).flatMap { parent.assignedStore(of: $0) }
        } ?? nil
    }
}

extension NSPredicate {
    /// The predicate with the results of the fetches that a store would run inside its statement; nil if there are no
    /// such fetches.
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
