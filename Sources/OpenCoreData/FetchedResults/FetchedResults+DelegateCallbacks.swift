// SPDX-License-Identifier: Apache-2.0

extension FetchedResults {
    /// Sets the new content and calls the delegate's methods.
    func apply(_ changes: FetchedResultsChanges) {
        let edit = changes.edit
        guard let delegate, let owner else {
            setContent(edit.new)
            return
        }
        let controller = owner.delegateArgument
        if sectionName == nil, delegateMayImplementDifference {
            setContent(edit.new)
            delegate.controller(controller, didChangeContentWith: changes.difference)
            if delegateMayImplementDifference { return }
            setContent(edit.old)
        }
        delegate.controllerWillChangeContent(controller)
        let oldSections = sections ?? []
        setContent(edit.new)
        let newSections = sections ?? []
        func notify(_ type: NSFetchedResultsChangeType, old: Int?, new: Int?) {
            let object = new.map { edit.new.objects[$0] } ?? old.map { edit.old.objects[$0] }
            delegate.controller(
                controller, didChange: object as Any, at: old.map(edit.old.indexPath), for: type,
                newIndexPath: new.map(edit.new.indexPath))
        }
        for position in changes.deleted { notify(.delete, old: position, new: nil) }
        for index in changes.deletedSections {
            let section = DeletedSectionInfo(oldSections[index])
            delegate.controller(controller, didChange: section, atSectionIndex: index, for: .delete)
        }
        for index in changes.insertedSections {
            delegate.controller(controller, didChange: newSections[index], atSectionIndex: index, for: .insert)
        }
        for position in changes.inserted { notify(.insert, old: nil, new: position) }
        for pair in changes.moved { notify(.move, old: pair.old, new: pair.new) }
        for pair in changes.updated { notify(.update, old: pair.old, new: pair.new) }
        delegate.controllerDidChangeContent(controller)
    }
}

extension FetchedResultsChanges {
    /// The changes by object ID. A moved or updated object is a removal and an insertion that are associated.
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
            preconditionFailure("the positions of fetched results must be unique, and moves must be in pairs")
        }
        return difference
    }
}
