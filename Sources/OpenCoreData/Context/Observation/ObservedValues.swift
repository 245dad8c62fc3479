// SPDX-License-Identifier: Apache-2.0

/// The values of an observed object after the last event. Used on the context's queue; its `deinit` may run on any
/// thread.
final class ObservedValues {
    private let layout: EntityLayout
    private let cells: Cells
    /// The contents of to-many relationships that were read, by index of the relationship.
    private var relationships: [Int: Members] = [:]

    /// The contents of a to-many relationship, as object references.
    private struct Members: Equatable {
        let isLoaded: Bool
        let members: Set<ObjectReference>
        let order: [ObjectReference]
        let added: Set<ObjectReference>
        let removed: Set<ObjectReference>

        init(_ content: ToManyContent) {
            isLoaded = content.isLoaded
            let list = content.members.map(\.reference)
            members = Set(list)
            order = content.isOrdered ? list : []
            added = Set(content.additions.map(\.reference))
            removed = Set(content.removals.map(\.reference))
        }

        /// Whether the members differ. Contents that were loaded between have the same members.
        func differ(from earlier: Members) -> Bool {
            earlier.isLoaded == isLoaded ? self != earlier : added != earlier.added || removed != earlier.removed
        }

        var hasChanges: Bool { !added.isEmpty || !removed.isEmpty }
    }

    init(_ object: NSManagedObject) {
        layout = object.layout
        object.fireFaultIfNeeded()
        cells = Cells.allocate(layout)
        layout.copy(object.cells, to: cells)
        updateRelationships(from: object)
    }

    deinit {
        layout.destroy(cells)
        cells.deallocate()
    }

    /// Replaces the values by the object's current ones. Fires a fault.
    ///
    /// - Returns: the names of the properties whose values were replaced by different values.
    func update(from object: NSManagedObject) -> Set<String> {
        object.fireFaultIfNeeded()
        var keys: Set<String> = []
        let earlier = relationships
        updateRelationships(from: object)
        for slot in layout.properties where slot.kind != .fetched {
            let isChanged =
                if slot.kind == .toMany {
                    differ(earlier[slot.index], relationships[slot.index])
                } else {
                    slot.cell >= 0 && !slot.isEqual(object.cells, cells)
                }
            if isChanged { keys.insert(slot.name) }
        }
        layout.destroy(cells)
        layout.copy(object.cells, to: cells)
        return keys
    }

    /// Replaces the keys of related objects by the current ones.
    func updateReferences(from object: NSManagedObject) {
        updateRelationships(from: object)
        guard !object.flags.contains(.fault) else { return }
        for index in layout.toOneProperties { layout.properties[index].copy(from: object.cells, to: cells) }
    }

    private func differ(_ earlier: Members?, _ current: Members?) -> Bool {
        switch (earlier, current) {
        case (nil, nil): false
        case (nil, let current?): current.hasChanges
        // A refresh has discarded the contents. The members in the store may differ.
        case (let earlier?, nil): earlier.isLoaded || earlier.hasChanges
        case (let earlier?, let current?): current.differ(from: earlier)
        }
    }

    private func updateRelationships(from object: NSManagedObject) {
        relationships = [:]
        guard object.links != nil else { return }
        for index in layout.relationshipProperties {
            let slot = layout.properties[index]
            guard slot.kind == .toMany, let content = object.link(slot.link) as? ToManyContent else { continue }
            relationships[slot.index] = Members(content)
        }
    }
}
