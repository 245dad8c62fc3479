/// The calls of a delegate.
extension FetchedResults {
    /// Puts the new content in place and tells what has changed.
    func tell(_ changes: FetchedChanges) {
        let edit = changes.edit
        guard let delegate, let owner else {
            show(edit.new)
            return
        }
        let controller = owner.delegated
        if sectionName == nil, mayTakeDifference {
            show(edit.new)
            delegate.controller(controller, didChangeContentWith: changes.difference)
            if mayTakeDifference { return }
            show(edit.old)
        }
        delegate.controllerWillChangeContent(controller)
        let oldSections = sections ?? []
        show(edit.new)
        let newSections = sections ?? []
        for index in changes.deletedSections {
            delegate.controller(controller, didChange: oldSections[index], atSectionIndex: index, for: .delete)
        }
        for index in changes.insertedSections {
            delegate.controller(controller, didChange: newSections[index], atSectionIndex: index, for: .insert)
        }
        func tell(_ type: NSFetchedResultsChangeType, old: Int?, new: Int?) {
            let object = new.map { edit.new.objects[$0] } ?? old.map { edit.old.objects[$0] }
            delegate.controller(
                controller, didChange: object as Any, at: old.map(edit.old.indexPath), for: type,
                newIndexPath: new.map(edit.new.indexPath))
        }
        for position in changes.deleted { tell(.delete, old: position, new: nil) }
        for position in changes.inserted { tell(.insert, old: nil, new: position) }
        for pair in changes.moved { tell(.move, old: pair.old, new: pair.new) }
        for pair in changes.updated { tell(.update, old: pair.old, new: pair.new) }
        delegate.controllerDidChangeContent(controller)
    }
}

extension FetchedChanges {
    /// The changes of objects by ID; what has moved or changed is a removal and an insertion of one object.
    var difference: CollectionDifference<NSManagedObjectID> {
        typealias Change = CollectionDifference<NSManagedObjectID>.Change
        var list: [Change] = deleted.map {
            .remove(offset: $0, element: edit.old.objects[$0].objectID, associatedWith: nil)
        }
        list += inserted.map { .insert(offset: $0, element: edit.new.objects[$0].objectID, associatedWith: nil) }
        for pair in moved + updated {
            list.append(
                .remove(offset: pair.old, element: edit.old.objects[pair.old].objectID, associatedWith: pair.new))
            list.append(
                .insert(offset: pair.new, element: edit.new.objects[pair.new].objectID, associatedWith: pair.old))
        }
        guard let difference = CollectionDifference(list) else {
            preconditionFailure("positions of fetched results are unique and in pairs")
        }
        return difference
    }
}
