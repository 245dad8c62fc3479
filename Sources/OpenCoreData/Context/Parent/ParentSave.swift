/// The changes of a child, ready to be made in its parent: gathered on the child's queue, read on the parent's while
/// the child waits.
struct ParentSave {
    /// A new or changed object.
    struct Change {
        let object: NSManagedObject
        let id: NSManagedObjectID
        let isNew: Bool
        /// The attributes to be set.
        var values: [PropertySlot] = []
        var references: [Reference] = []
        var contents: [Content] = []

        var isEmpty: Bool { !isNew && values.isEmpty && references.isEmpty && contents.isEmpty }
    }

    struct Reference {
        let slot: PropertySlot
        let destination: NSManagedObjectID?
    }

    /// The change of a to-many relationship.
    struct Content {
        let slot: PropertySlot
        /// Whether members say themselves to whom they belong, by a to-one relationship.
        let isDecidedByMembers: Bool
        /// In order, if the relationship has one.
        let added: [NSManagedObjectID]
        let removed: [NSManagedObjectID]
        /// The whole content in order, unless the members added are simply its last ones.
        let order: [NSManagedObjectID]?
    }

    /// An object that the parent has as the child doesn't know it.
    struct Conflict {
        let object: NSManagedObject
        /// The parent's values; nil if the parent has the object no more.
        let newest: RetainedRow?
    }

    let child: NSManagedObjectContext
    private(set) var changes: [Change] = []
    private(set) var deleted: [NSManagedObjectID] = []
    private(set) var checked: [NSManagedObject] = []

    /// - Throws: 133000 for a changed object whose values could not be read.
    init(_ child: NSManagedObjectContext) throws {
        self.child = child
        for object in child.inserted.objects { changes.append(Self.change(of: object, isNew: true)) }
        for object in child.updated.objects {
            object.fireFaultIfNeeded()
            guard object.row != nil else { throw SavePlan.unreadable(object) }
            let change = Self.change(of: object, isNew: false)
            if !change.isEmpty { changes.append(change) }
        }
        deleted = child.deleted.objects.map(\.objectID)
        checked = child.checkedObjects.filter {
            $0.flags.isDisjoint(with: [.inserted, .deleted, .detached]) && $0.row != nil
        }
    }

    /// The new and the changed objects.
    var written: (new: [NSManagedObject], changed: [NSManagedObject]) {
        (changes.filter(\.isNew).map(\.object), changes.filter { !$0.isNew }.map(\.object))
    }

    private static func change(of object: NSManagedObject, isNew: Bool) -> Change {
        var change = Change(object: object, id: object.objectID, isNew: isNew)
        for slot in object.layout.properties where slot.kind != .fetched && (isNew || object.isChanged(slot)) {
            switch slot.kind {
            case .toOne:
                change.references.append(Reference(slot: slot, destination: object.destination(slot)?.idForParent))
            case .toMany:
                guard let content = object.link(slot.link) as? ToManyContent else { continue }
                // What left an ordered relationship and came back is told by the order of the whole.
                if content.hasReturned { _ = object.toManyContent(slot, loading: true) }
                content.change(of: slot, owner: object).map { change.contents.append($0) }
            default:
                // A derived value comes about when the root saves.
                if slot.cell >= 0 && slot.derivation == nil { change.values.append(slot) }
            }
        }
        return change
    }
}

extension ToManyContent {
    /// The change as a parent makes it; nil if it has nothing to do.
    fileprivate func change(of slot: PropertySlot, owner: NSManagedObject) -> ParentSave.Content? {
        let isDecidedByMembers =
            slot.inverse >= 0 && owner.layout.model[slot.destination].properties[slot.inverse].kind == .toOne
        let additions = additions
        // Members that are deleted say nothing any more.
        let leaving =
            isDecidedByMembers ? removed.filter { !$0.flags.isDisjoint(with: [.deleted, .detached]) } : removed
        var ordered: [NSManagedObject]?
        if isOrdered && isLoaded && isChanged {
            let appended = committed.filter { !removed.contains($0) } + additions
            if order != appended { ordered = order }
        }
        if isDecidedByMembers && leaving.isEmpty && ordered == nil && !(isOrdered && !additions.isEmpty) { return nil }
        if additions.isEmpty && leaving.isEmpty && ordered == nil { return nil }
        return ParentSave.Content(
            slot: slot, isDecidedByMembers: isDecidedByMembers, added: additions.compactMap(\.idForParent),
            removed: leaving.compactMap(\.idForParent),
            order: ordered?.compactMap(\.idForParent))
    }
}

extension NSManagedObject {
    /// The ID by which a parent may find the object; nil for one that was never saved and is no more.
    fileprivate final var idForParent: NSManagedObjectID? {
        primaryKey < 0 && flags.contains(.detached) ? nil : objectID
    }
}
