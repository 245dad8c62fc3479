/// Following the context: each change notification becomes one edit of the content.
extension FetchedResults {
    /// Without a delegate nothing is followed: the content stays as it was fetched.
    func contextDidChange(_ notification: Notification) {
        guard delegate != nil, let content, let selection, let userInfo = notification.userInfo else { return }
        if userInfo[NSInvalidatedAllObjectsKey] != nil {
            refetch(from: content, identity: \.objectID) { _ in true }
            return
        }
        let changed = changedObjects(userInfo, selection)
        if changed.present.isEmpty && changed.removed.isEmpty { return }
        if fetched.fetchLimit > 0 || fetched.fetchOffset > 0 {
            // Objects beyond the window may come into it: only the stores know them.
            refetch(from: content, identity: { ObjectIdentifier($0) }) {
                changed.identifiers.contains(ObjectIdentifier($0))
            }
            return
        }
        let touched = touched(changed, in: content, selection)
        guard !touched.isEmpty else { return }
        var merge = FetchedMerge(touched, into: content, selection: selection, sectionName: sectionName)
        apply(merge.edit())
    }

    private struct Changed {
        var present: [NSManagedObject] = []
        var removed: [NSManagedObject] = []
        var identifiers: Set<ObjectIdentifier> = []
    }

    private func changedObjects(_ userInfo: [AnyHashable: Any], _ selection: FetchedSelection) -> Changed {
        var changed = Changed()
        func take(_ key: String, into list: WritableKeyPath<Changed, [NSManagedObject]>) {
            guard let objects = userInfo[key] as? Set<NSManagedObject> else { return }
            for object in objects
            where selection.concerns(object) && changed.identifiers.insert(ObjectIdentifier(object)).inserted {
                changed[keyPath: list].append(object)
            }
        }
        for key in [NSDeletedObjectsKey, NSInvalidatedObjectsKey] { take(key, into: \.removed) }
        for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey] { take(key, into: \.present) }
        return changed
    }

    /// The changed objects that are, or were, among the results.
    private func touched(_ changed: Changed, in content: FetchedContent, _ selection: FetchedSelection) -> [FetchedMerge
        .Touched]
    {
        let positions = Self.positions(of: changed.identifiers, in: content.objects)
        readFaults(changed.present)
        var touched = changed.removed.compactMap { object in
            positions[ObjectIdentifier(object)].map { FetchedMerge.Touched(object: object, old: $0, isHeld: false) }
        }
        for object in changed.present {
            let old = positions[ObjectIdentifier(object)]
            let isHeld = selection.holds(object)
            if isHeld || old != nil { touched.append(FetchedMerge.Touched(object: object, old: old, isHeld: isHeld)) }
        }
        return touched
    }

    private static func positions(of objects: Set<ObjectIdentifier>, in list: [NSManagedObject]) -> [ObjectIdentifier:
        Int]
    {
        if objects.count == 1, let only = objects.first {
            return list.firstIndex { ObjectIdentifier($0) == only }.map { [only: $0] } ?? [:]
        }
        var positions: [ObjectIdentifier: Int] = [:]
        for (position, object) in list.enumerated() where objects.contains(ObjectIdentifier(object)) {
            positions[ObjectIdentifier(object)] = position
        }
        return positions
    }

    /// Refreshed objects are faults: their rows are read with one fetch instead of one by one.
    private func readFaults(_ objects: [NSManagedObject]) {
        let faults = objects.filter { $0.isFault && $0.row == nil && $0.primaryKey > 0 }
        guard faults.count > 1 else { return }
        let request = NSFetchRequest<NSManagedObject>(entityName: fetched.entityName ?? "")
        request.predicate = NSPredicate(format: "SELF IN %@", faults)
        request.includesPendingChanges = false
        do {
            _ = try context.fetch(request)
        } catch {
            // Each fault is read by itself then, and tells what goes wrong.
            CoreDataLog.error(
                """
                The changed objects of entity '\(fetched.entityName ?? "")' can't be fetched at once: \
                \(error.localizedDescription)
                """
            )
        }
    }

    /// Fetches anew and tells how the result differs.
    private func refetch<Identity: Hashable>(
        from content: FetchedContent, identity: (NSManagedObject) -> Identity, isChanged: (NSManagedObject) -> Bool
    ) {
        let new: FetchedContent
        do {
            new = try fetchedContent(usesCache: false)
        } catch {
            CoreDataLog.error(
                """
                An NSFetchedResultsController can't follow its context, and keeps its objects: \
                \(error.localizedDescription)
                """
            )
            return
        }
        apply(FetchedEdit(from: content, to: new, identity: identity, isChanged: isChanged))
    }

    private func apply(_ edit: FetchedEdit) {
        let changes = FetchedChanges(edit)
        guard !changes.isEmpty else { return }
        if !changes.insertedSections.isEmpty, let error = orderError(edit.new) {
            CoreDataLog.error(error.localizedDescription)
        }
        tell(changes)
    }
}
