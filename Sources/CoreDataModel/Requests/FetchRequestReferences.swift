// SPDX-License-Identifier: Apache-2.0

extension NSPersistentStoreRequest {
    /// Resolves the entity by name in a model. A request of a model that is immutable stays as it is.
    package final func resolveEntity(in model: NSManagedObjectModel) {
        guard let fetch = fetchDescriptionStorage, !belongsToImmutableModel, fetch.entity?.owningModel !== model,
            let name = fetch.entityName, let entity = model.entity(named: name)
        else { return }
        fetchDescriptionStorage?.entity = entity
    }

    final func freezeWithModel() {
        belongsToImmutableModel = true
        for column in (fetchDescriptionStorage?.propertiesToFetch ?? [])
            + (fetchDescriptionStorage?.propertiesToGroupBy ?? [])
        {
            (column as? NSExpressionDescription)?.freeze()
        }
    }

    /// Removes the entity, and stores its name instead.
    final func replaceEntityByName() {
        guard var fetch = fetchDescriptionStorage else { return }
        fetch.entityNameStorage = fetch.entityName
        fetch.entity = nil
        fetchDescriptionStorage = fetch
    }
}

extension NSFetchRequest {
    /// A mutable copy that refers to its entity by name.
    final func copyWithEntityName() -> NSFetchRequest<ResultType> {
        let copy = NSFetchRequest<ResultType>(copying: self)
        copy.replaceEntityByName()
        // The expressions of an immutable model are immutable too.
        copy.fetchDescriptionStorage?.propertiesToFetch = Self.copied(fetchDescription.propertiesToFetch)
        copy.fetchDescriptionStorage?.propertiesToGroupBy = Self.copied(fetchDescription.propertiesToGroupBy)
        return copy
    }

    private static func copied(_ columns: [Any]?) -> [Any]? {
        columns?.map { ($0 as? NSExpressionDescription)?.copy() ?? $0 }
    }
}

/// Whether two requests have equal options. Entities are compared by name.
func fetchRequestsAreEqual(_ left: NSPersistentStoreRequest?, _ right: NSPersistentStoreRequest?) -> Bool {
    if left === right { return true }
    guard let left = left?.fetchDescriptionStorage, let right = right?.fetchDescriptionStorage else { return false }
    return left.entityName == right.entityName && predicatesAreEqual(left.predicate, right.predicate)
        && valueListsAreEqual(left.sortDescriptors ?? [], right.sortDescriptors ?? [])
        && left.fetchLimit == right.fetchLimit && left.fetchOffset == right.fetchOffset
        && left.fetchBatchSize == right.fetchBatchSize && left.resultType == right.resultType
        && left.includesSubentities == right.includesSubentities
        && left.includesPropertyValues == right.includesPropertyValues
        && left.includesPendingChanges == right.includesPendingChanges
        && left.returnsObjectsAsFaults == right.returnsObjectsAsFaults
        && left.returnsDistinctResults == right.returnsDistinctResults
        && left.shouldRefreshRefetchedObjects == right.shouldRefreshRefetchedObjects
        && valueListsAreEqual(left.propertiesToFetch ?? [], right.propertiesToFetch ?? [])
        && valueListsAreEqual(left.propertiesToGroupBy ?? [], right.propertiesToGroupBy ?? [])
        && predicatesAreEqual(left.havingPredicate, right.havingPredicate)
        && left.relationshipKeyPathsForPrefetching == right.relationshipKeyPathsForPrefetching
}
