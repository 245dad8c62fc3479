// SPDX-License-Identifier: Apache-2.0

/// Values between managed objects, nodes and rows.
extension NSAtomicStore {
    /// Copies the stored values of an object into a node.
    final func copyValues(of object: NSManagedObject, to node: NSAtomicStoreCacheNode) {
        for slot in object.layout.properties where !slot.isTransient && slot.kind != .fetched {
            let value = object.value(forKey: slot.name)
            switch slot.kind {
            case .toOne:
                node.setValue((value as? NSManagedObject).flatMap(relatedNode), forKey: slot.name)
            case .toMany:
                let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
                let related = members.compactMap { ($0 as? NSManagedObject).flatMap(relatedNode) }
                node.setValue(
                    slot.isOrdered ? NSMutableOrderedSet(array: related) : NSMutableSet(set: Set(related)),
                    forKey: slot.name)
            default:
                node.setValue(value, forKey: slot.name)
            }
        }
    }

    /// The node of a related object, or a new node that the save is going to add. Nil for an object that the store
    /// doesn't have: a fault may have been made for any ID.
    private func relatedNode(_ object: NSManagedObject) -> NSAtomicStoreCacheNode? {
        object.flags.contains(.inserted) ? nodes.node(orNewFor: object.objectID) : nodes[object.objectID]
    }

    /// Makes the rows of all nodes.
    ///
    /// - Throws: `NSPersistentStoreOpenError` (134080) for a value of a wrong type, or a relationship that contains
    ///   anything but nodes of the store.
    final func makeRows() throws {
        var tables: [UInt32: MemoryDatabase.Table] = [:]
        for node in nodes.all {
            let id = node.objectID
            let layout = id.layout
            let buffer = RowBuffer(layout: layout, includesSubentities: false, capacity: 1)
            let row = buffer.append(primaryKey: id.key, version: 1, layout: layout)
            layout.resetTransientValues(row.cells)
            for slot in layout.properties where !slot.isTransient && slot.kind != .fetched {
                guard let value = node.value(forKey: slot.name) else { continue }
                switch slot.kind {
                case .toOne:
                    guard let member = try references(in: [value], slot, id).first else { continue }
                    row.cells.setReference(member.key, layout: member.layout, at: slot.cell)
                case .toMany:
                    let members = try references(in: try elements(value, slot, id), slot, id)
                    tables[layout.root, default: .init()].changeLink(.init(owner: id.key, property: slot.index)) {
                        $0 = MemoryRelationshipContents(members)
                    }
                default:
                    guard slot.accepts(value) else { throw misfit(value, slot, id) }
                    slot.write(value, to: row.cells, entity: layout.name)
                }
            }
            tables[layout.root, default: .init()].setRow(RetainedRow(buffer: buffer, row: row), for: id.key)
        }
        database.setContents(tables, lastKey: 0)
    }

    private func elements(_ value: Any, _ slot: PropertySlot, _ id: NSManagedObjectID) throws -> [Any] {
        switch value {
        case let set as NSOrderedSet: return set.array
        case let set as NSSet: return set.allObjects
        case let set as Set<NSAtomicStoreCacheNode>: return Array(set)
        case let array as [NSAtomicStoreCacheNode]: return array
        default: throw misfit(value, slot, id)
        }
    }

    private func references(in values: [Any], _ slot: PropertySlot, _ id: NSManagedObjectID) throws -> [ObjectReference]
    {
        try values.map { value in
            guard let other = (value as? NSAtomicStoreCacheNode)?.objectID ?? value as? NSManagedObjectID,
                other.storeIdentity === identity, other.layout.isKind(of: id.layout.model[slot.destination])
            else { throw misfit(value, slot, id) }
            return ObjectReference(key: other.key, layout: other.layout.number)
        }
    }

    private func misfit(_ value: Any, _ slot: PropertySlot, _ id: NSManagedObjectID) -> NSError {
        AtomicFileErrors.error(
            NSPersistentStoreOpenError, url?.path ?? "", .opening,
            reason: """
                The value of \(id.layout.name).\(slot.name) in the node of \(id.uriRepresentation().absoluteString) \
                doesn't fit the model: its type is \(Swift.type(of: value)).
                """,
            suggestion:
                "Set values as managed objects have them; the values of relationships are nodes or sets of them.")
    }
}
