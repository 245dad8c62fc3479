/// The values that an observed object had after the last event. Belongs to the context's queue; its `deinit` may run on
/// any thread.
final class ObservedValues {
    private let layout: EntityLayout
    private let cells: Cells
    private var relationships: [Int: Members] = [:]

    /// What is known of a to-many relationship, as keys.
    private struct Members: Equatable {
        let isLoaded: Bool
        let members: Set<ObjectReference>
        let order: [ObjectReference]
        let added: Set<ObjectReference>
        let removed: Set<ObjectReference>

        init(_ content: ToManyContent) {
            func reference(_ object: NSManagedObject) -> ObjectReference {
                ObjectReference(key: object.primaryKey, layout: object.layout.number)
            }
            isLoaded = content.isLoaded
            members = isLoaded ? Set(content.members.map(reference)) : []
            order = content.order.map(reference)
            added = Set(content.added.map(reference))
            removed = Set(content.removed.map(reference))
        }

        /// Content that was only read now has no other members for that.
        func isOther(than earlier: Members) -> Bool {
            earlier.isLoaded == isLoaded ? self != earlier : added != earlier.added || removed != earlier.removed
        }

        var hasChanges: Bool { !added.isEmpty || !removed.isEmpty }
    }

    init(_ object: NSManagedObject) {
        layout = object.layout
        object.fireFaultIfNeeded()
        cells = Cells.allocate(capacity: max(layout.cellCount, 1))
        layout.copy(object.cells, to: cells)
        takeContents(of: object)
    }

    deinit {
        layout.destroy(cells)
        cells.deallocate()
    }

    /// The properties that have other values than before, which are taken for the next time. A fault is fired.
    func takeChanges(of object: NSManagedObject) -> Set<String> {
        object.fireFaultIfNeeded()
        var keys: Set<String> = []
        let earlier = relationships
        takeContents(of: object)
        for slot in layout.properties where slot.kind != .fetched {
            let isChanged =
                if slot.kind == .toMany {
                    isOther(earlier[slot.index], relationships[slot.index])
                } else {
                    slot.cell >= 0 && !slot.isEqual(object.cells, cells)
                }
            if isChanged { keys.insert(slot.name) }
        }
        layout.destroy(cells)
        layout.copy(object.cells, to: cells)
        return keys
    }

    /// Notes the keys that related objects have now.
    func takeReferences(of object: NSManagedObject) {
        takeContents(of: object)
        guard !object.flags.contains(.fault) else { return }
        for index in layout.toOneProperties { layout.properties[index].copy(from: object.cells, to: cells) }
    }

    private func isOther(_ earlier: Members?, _ now: Members?) -> Bool {
        switch (earlier, now) {
        case (nil, nil): false
        case (nil, let now?): now.hasChanges
        // The content went with the former values: others may have changed it.
        case (let earlier?, nil): earlier.isLoaded || earlier.hasChanges
        case (let earlier?, let now?): now.isOther(than: earlier)
        }
    }

    private func takeContents(of object: NSManagedObject) {
        relationships = [:]
        guard object.links != nil else { return }
        for index in layout.relationshipProperties {
            let slot = layout.properties[index]
            guard slot.kind == .toMany, let content = object.link(slot.link) as? ToManyContent else { continue }
            relationships[slot.index] = Members(content)
        }
    }
}
