import OpenCoreData

extension Stage {
    /// Does what the program of the case does when it is called.
    ///
    /// - Parameter object: the object that is called; nil where none is.
    func act(_ action: Action, _ object: NSManagedObject?) {
        let object = object?.managedObjectContext === context ? object : owner
        let target = isUsable(object) ? object : nil
        switch action {
        case .refresh: target.map { context.refresh($0, mergeChanges: false) }
        case .refreshMerging: target.map { context.refresh($0, mergeChanges: true) }
        case .refreshOwner: if isUsable(owner) { context.refresh(owner!, mergeChanges: false) }
        case .refreshAll: context.refreshAllObjects()
        case .reset: context.reset()
        case .rollback: context.rollback()
        // A nested undo is a mistake of the program, which stops.
        case .undo: if context.undoManager?.isUndoing == false, !context.undoManager!.isRedoing { context.undo() }
        case .redo: if context.undoManager?.isUndoing == false, !context.undoManager!.isRedoing { context.redo() }
        case .delete: target.map(context.delete)
        case .deleteOther: (items + [owner!]).first { $0 !== object && isUsable($0) }.map(context.delete)
        case .setText: target?.setValue(Stage.text + "action", forKey: "text")
        case .setRelationship: if isUsable(owner), let item = items.last(where: isUsable) { setMembers([item]) }
        case .clearRelationship: if isUsable(owner) { setMembers([]) }
        case .addMember: changeMembers { $0 + [make("Item")] }
        case .removeMember: changeMembers { Array($0.dropFirst()) }
        case .replaceMembers: changeMembers { _ in [make("Item"), make("Item")] }
        case .insert: make("Owner")
        case .save: try? context.save()
        case .fetch:
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.shouldRefreshRefetchedObjects = true
            _ = try? context.fetch(request)
        case .process: context.processPendingChanges()
        case .obtainIDs: try? context.obtainPermanentIDs(for: Array(context.insertedObjects))
        case .merge:
            let ids = ([owner!] + items).map(\.objectID).filter { !$0.isTemporaryID }
            deleteElsewhere(items.last)
            context.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSave, object: nil,
                    userInfo: [NSUpdatedObjectIDsKey: Set(ids.dropLast()), NSDeletedObjectIDsKey: Set(ids.suffix(1))]))
        case .externalChange:
            // Within a save the store is locked.
            changeElsewhere()
        case .removeUndoManager: context.undoManager = nil
        case .childSave: saveChild()
        case .readAll:
            for object in context.registeredObjects {
                _ = object.value(forKey: "text")
                _ = object.value(forKey: "thing")
                _ = Stage.objects(object.value(forKey: object.entity.name == "Owner" ? "rel" : "back")).count
            }
        }
    }

    private func changeMembers(_ change: ([NSManagedObject]) -> [NSManagedObject]) {
        guard isUsable(owner) else { return }
        setMembers(change(Stage.objects(owner!.value(forKey: "rel"))))
    }
}
