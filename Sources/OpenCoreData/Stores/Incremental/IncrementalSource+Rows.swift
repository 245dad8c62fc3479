// SPDX-License-Identifier: Apache-2.0

/// The rows of objects, made of the nodes of the program.
extension IncrementalSource {
    func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        if let known = store.rowCache.row(layout, key: key) { return known }
        let generation = store.rowCache.generation.current
        guard let found = try readRow(key, layout) else { return nil }
        store.rowCache.add([found.buffer], readIn: generation)
        return found
    }

    func rows(layout: EntityLayout, keys: [Int64], properties: Set<Int>?) throws -> RowList {
        // Other contexts may save while the program makes the nodes.
        let generation = store.rowCache.generation.current
        // A row is read as a whole, whatever its properties.
        var list = RowList(layout: layout, includesSubentities: true, expected: keys.count)
        for key in keys {
            guard let found = try readRow(key, layout) else { continue }
            let own = layout.model[found.row.layoutNumber]
            let row = list.bufferForAppending().appendUninitialized(
                primaryKey: key, version: found.row.version, layout: own)
            own.copy(found.row.cells, to: row.cells)
        }
        store.rowCache.add(list.buffers, readIn: generation)
        return list
    }

    func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference] {
        let owner = objectID(key, ownerLayout)
        guard let relationship = owner.entity.relationshipsByName[slot.name] else { return [] }
        let value = try store.newValue(forRelationship: relationship, forObjectWith: owner, with: context)
        let question = "the relationship \(ownerLayout.name).\(slot.name)"
        if value is NSNull { return [] }
        guard let members = Self.elements(value) else { throw misfit(question, value, "an array of IDs") }
        return try members.map { try member($0, slot, ownerLayout, question) }
    }

    func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64]) throws -> StoreContents {
        let members = try keys.flatMap { key in
            try destinations(of: slot, ownerLayout: ownerLayout, key: key).map { (owner: key, member: $0) }
        }
        let destination = ownerLayout.model[slot.destination]
        return StoreContents(
            rows: try rows(layout: destination, keys: Array(Set(members.map(\.member.key))), properties: nil),
            members: members)
    }

    /// How many times an object is read again because another save or read has ended during the read.
    private static let readLimit = 100

    /// Asks the program for the values of an object. Asks again if a save or another read of the object ends before the
    /// answer: the answer may be older than that save or read, and must not get its row version.
    private func readNode(_ id: NSManagedObjectID) throws -> NSIncrementalStoreNode {
        for _ in 1..<Self.readLimit {
            let mark = store.versions.mark(id.key)
            let node = try store.newValuesForObject(with: id, with: context)
            if store.versions.mark(id.key) == mark { return node }
        }
        return try store.newValuesForObject(with: id, with: context)
    }

    /// The row of an object of an entity or its subentities; nil if the key belongs to an object of another entity.
    private func readRow(_ key: Int64, _ layout: EntityLayout) throws -> RetainedRow? {
        let id = objectID(key, layout)
        return layout.contains(id.layout.number) ? try readRow(id) : nil
    }

    /// The row of an object, with the values that the program gives.
    ///
    /// - Returns: nil if the object no longer exists.
    private func readRow(_ id: NSManagedObjectID) throws -> RetainedRow? {
        let node: NSIncrementalStoreNode
        do {
            node = try readNode(id)
        } catch let error as NSError
            where error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectReferentialIntegrityError
        {
            store.versions.didMiss(id.key)
            return nil
        }
        let layout = id.layout
        let buffer = RowBuffer(layout: layout, includesSubentities: false, capacity: 1)
        let row = buffer.append(
            primaryKey: id.key, version: store.versions.row(id.key, node: node.version), layout: layout)
        layout.resetTransientValues(row.cells)
        for slot in layout.properties where !slot.isTransient && slot.kind != .fetched && slot.kind != .toMany {
            guard let property = layout.entity.propertiesByName[slot.name] else { continue }
            let value = node.value(for: property)
            if slot.kind == .toOne {
                try setReference(value, slot, id, row.cells)
            } else if let value, !(value is NSNull) {
                guard slot.accepts(value) else {
                    throw misfit("\(layout.name).\(slot.name)", value, "a value of the attribute")
                }
                slot.write(value, to: row.cells, entity: layout.name)
            }
        }
        return RetainedRow(buffer: buffer, row: row)
    }

    /// Sets a to-one relationship. If the node has no value, the program is asked for it.
    private func setReference(_ given: Any?, _ slot: PropertySlot, _ id: NSManagedObjectID, _ cells: Cells) throws {
        guard let relationship = slot.relationship else { return }
        let value =
            try given ?? store.newValue(forRelationship: relationship, forObjectWith: id, with: context)
        if value is NSNull { return }
        let member = try member(value, slot, id.layout, "the relationship \(id.layout.name).\(slot.name)")
        cells.setReference(member.key, layout: member.layout, at: slot.cell)
    }

    private func member(_ value: Any, _ slot: PropertySlot, _ layout: EntityLayout, _ question: String) throws
        -> ObjectReference
    {
        guard let member = (value as? NSManagedObjectID).flatMap(reference),
            layout.model[member.layout].isKind(of: layout.model[slot.destination])
        else { throw misfit(question, value, "IDs of the destination entity in the same store") }
        return member
    }
}
