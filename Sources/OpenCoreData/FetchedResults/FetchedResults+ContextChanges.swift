// SPDX-License-Identifier: Apache-2.0

/// Updates the content: each change notification of the context becomes one edit.
extension FetchedResults {
    /// Without a delegate the content stays as it was fetched.
    func contextDidChange(_ notification: Notification) {
        guard delegate != nil, let content, let criteria, let userInfo = notification.userInfo else { return }
        // A reset of the context invalidates all results: the program fetches again.
        if userInfo[NSInvalidatedAllObjectsKey] != nil { return }
        let changed = changedObjects(userInfo, criteria)
        if changed.current.isEmpty && changed.removed.isEmpty { return }
        if fetchedRequest.fetchLimit > 0 || fetchedRequest.fetchOffset > 0 {
            // Objects outside the window can move into it. Only the stores know them.
            refetch(from: content) {
                changed.identifiers.contains(ObjectIdentifier($0)) ? criteria.change(of: $0) : .nothing
            }
            return
        }
        let results = changedResults(changed, in: content, criteria)
        guard !results.isEmpty else { return }
        var merge = FetchedContentMerge(results, into: content, criteria: criteria, sectionName: sectionName)
        apply(merge.edit())
    }

    /// The objects of a notification that the request may fetch.
    private struct ChangedObjects {
        /// Inserted, updated and refreshed objects.
        var current: [NSManagedObject] = []
        /// Deleted and invalidated objects.
        var removed: [NSManagedObject] = []
        var identifiers: Set<ObjectIdentifier> = []
    }

    private func changedObjects(_ userInfo: [AnyHashable: Any], _ criteria: FetchedResultsCriteria) -> ChangedObjects {
        var changed = ChangedObjects()
        func append(_ key: String, to list: WritableKeyPath<ChangedObjects, [NSManagedObject]>) {
            guard let objects = userInfo[key] as? Set<NSManagedObject> else { return }
            for object in objects
            where criteria.mayMatch(object) && changed.identifiers.insert(ObjectIdentifier(object)).inserted {
                changed[keyPath: list].append(object)
            }
        }
        for key in [NSDeletedObjectsKey, NSInvalidatedObjectsKey] { append(key, to: \.removed) }
        for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey] { append(key, to: \.current) }
        return changed
    }

    /// The changed objects that are, or were, among the results.
    private func changedResults(
        _ changed: ChangedObjects, in content: FetchedContent, _ criteria: FetchedResultsCriteria
    ) -> [FetchedContentMerge.ChangedResult] {
        typealias ChangedResult = FetchedContentMerge.ChangedResult
        let positions = Self.positions(of: changed.identifiers, in: content.objects)
        fetchRows(of: changed.current)
        var results = changed.removed.compactMap { object in
            positions[ObjectIdentifier(object)].map { ChangedResult(object: object, old: $0, matches: false) }
        }
        for object in changed.current {
            let old = positions[ObjectIdentifier(object)]
            let matches = criteria.matches(object)
            if matches || old != nil { results.append(ChangedResult(object: object, old: old, matches: matches)) }
        }
        return results
    }

    private static func positions(
        of objects: Set<ObjectIdentifier>, in results: [NSManagedObject]
    ) -> [ObjectIdentifier: Int] {
        if objects.count == 1, let identifier = objects.first {
            return results.firstIndex { ObjectIdentifier($0) == identifier }.map { [identifier: $0] } ?? [:]
        }
        var positions: [ObjectIdentifier: Int] = [:]
        for (position, object) in results.enumerated() where objects.contains(ObjectIdentifier(object)) {
            positions[ObjectIdentifier(object)] = position
        }
        return positions
    }

    /// Fetches the rows of refreshed objects, which are faults, with one request instead of one by one.
    private func fetchRows(of objects: [NSManagedObject]) {
        let faults = objects.filter { $0.isFault && $0.row == nil && $0.primaryKey > 0 }
        guard faults.count > 1 else { return }
        let request = NSFetchRequest<NSManagedObject>(entityName: fetchedRequest.entityName ?? "")
        request.predicate = NSPredicate(format: "SELF IN %@", faults)
        request.includesPendingChanges = false
        do {
            _ = try context.fetch(request)
        } catch {
            // The faults then fire one by one, and each reports its own error.
            CoreDataLog.error(
                """
                The changed objects of entity '\(fetchedRequest.entityName ?? "")' can't be fetched at once: \
                \(error.localizedDescription)
                """
            )
        }
    }

    /// Fetches again and reports the differences.
    private func refetch(from content: FetchedContent, change: (NSManagedObject) -> FetchedContentEdit.Change) {
        let new: FetchedContent
        do {
            new = try fetchContent(usesCache: false)
        } catch {
            CoreDataLog.error(
                """
                An NSFetchedResultsController can't fetch the changes of its context, and keeps its objects: \
                \(error.localizedDescription)
                """
            )
            return
        }
        apply(FetchedContentEdit(from: content, to: new, change: change))
    }

    private func apply(_ edit: FetchedContentEdit) {
        let changes = FetchedResultsChanges(edit)
        guard !changes.isEmpty else { return }
        if !changes.insertedSections.isEmpty, let error = sectionOrderError(edit.new) {
            CoreDataLog.error(error.localizedDescription)
        }
        apply(changes)
    }
}
