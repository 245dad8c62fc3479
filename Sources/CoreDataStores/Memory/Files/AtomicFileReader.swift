// SPDX-License-Identifier: Apache-2.0

/// Makes the rows of a store from the contents of its file, and checks them.
package struct AtomicFileReader {
    private let content: AtomicFileContent
    private let names: AtomicFileNames
    private let path: String
    private let trust: ArchiveTrust
    private var layouts: [Int64: EntityLayout] = [:]
    private var tables: [UInt32: MemoryDatabase.Table] = [:]

    package init(_ content: AtomicFileContent, names: AtomicFileNames, trust: ArchiveTrust, path: String) {
        self.content = content
        self.names = names
        self.path = path
        self.trust = trust
    }

    /// The rows and relationship contents.
    ///
    /// - Throws: 259 for contents that don't fit the model, `NSPersistentStoreOpenError` (134080) for an archive with a
    ///   class that isn't trusted.
    package mutating func read() throws -> [UInt32: MemoryDatabase.Table] {
        layouts.reserveCapacity(content.objects.count)
        for object in content.objects {
            guard let layout = names.entity(object.entity), !layout.isAbstract else {
                throw corrupt("The model has no entity \(object.entity) that objects can have.")
            }
            guard object.key > 0, object.key < content.nextKey, layouts.updateValue(layout, forKey: object.key) == nil
            else { throw corrupt("The key \(object.key) of an object is out of range, or two objects have it.") }
        }
        for object in content.objects { if let layout = layouts[object.key] { try read(object, layout) } }
        repairInverses()
        return tables
    }

    private func corrupt(_ reason: String) -> NSError { AtomicFileErrors.corrupt(path, reason) }

    private mutating func read(_ object: AtomicFileContent.Object, _ layout: EntityLayout) throws {
        let buffer = RowBuffer(layout: layout, includesSubentities: false, capacity: 1)
        let row = buffer.append(primaryKey: object.key, version: 1, layout: layout)
        layout.resetTransientValues(row.cells)
        for value in object.values {
            // Attributes that the model lacks exist in stores that are opened without a check of the version.
            guard let slot = names.property(value.name, of: layout) else { continue }
            guard !slot.isRelationship, AtomicFileValue.write(value.value, to: slot, row.cells, trust: trust) else {
                throw corrupt("The value of \(layout.name).\(value.name) of the object \(object.key) has a wrong type.")
            }
            try checkArchive(slot, row.cells)
        }
        for relationship in object.relationships {
            guard let slot = names.property(relationship.name, of: layout), slot.isRelationship else { continue }
            let members = try members(relationship, slot, layout)
            if slot.kind == .toOne {
                guard members.count <= 1 else {
                    throw corrupt("The to-one relationship \(layout.name).\(slot.name) has several objects.")
                }
                if let member = members.first {
                    row.cells.setReference(member.key, layout: member.layout, at: slot.cell)
                }
            } else if !members.isEmpty {
                tables[layout.root, default: .init()].changeLink(.init(owner: object.key, property: slot.index)) {
                    $0 = MemoryRelationshipContents(members)
                }
            }
        }
        tables[layout.root, default: .init()].setRow(RetainedRow(buffer: buffer, row: row), for: object.key)
    }

    /// The members of a relationship, each once. A to-one relationship may refer to a deleted object, but not to a key
    /// that isn't given yet: a new object would get this key.
    private func members(_ relationship: AtomicFileContent.Relationship, _ slot: PropertySlot, _ layout: EntityLayout)
        throws -> [ObjectReference]
    {
        var seen: Set<Int64> = []
        let destination = layout.model[slot.destination]
        return try relationship.keys.compactMap { key in
            guard seen.insert(key).inserted else { return nil }
            guard let member = layouts[key] else {
                guard key < content.nextKey else {
                    throw corrupt("The relationship \(layout.name).\(slot.name) has the key \(key) of no object.")
                }
                return slot.kind == .toOne && key > 0 ? ObjectReference(key: key, layout: destination.number) : nil
            }
            guard member.isKind(of: destination) else {
                throw corrupt("The relationship \(layout.name).\(slot.name) contains an object of \(member.name).")
            }
            return ObjectReference(key: key, layout: member.number)
        }
    }

    /// Checks the classes in an archive before anything decodes it.
    private func checkArchive(_ slot: PropertySlot, _ cells: Cells) throws {
        guard trust.checksWhenOpening, slot.kind == .transformable, let attribute = slot.attribute,
            let stored = cells.object(slot.cell).pointee as? StoredTransformable,
            let refused = TransformableCoding.untrustedClass(in: stored, attribute)
        else { return }
        throw AtomicFileErrors.error(
            NSPersistentStoreOpenError, path, .opening,
            reason: """
                The archive of a value of \(slot.entityName).\(slot.keyPath) contains an object of the class \
                \(refused), which isn\u{2019}t allowed.
                """,
            suggestion: "Allow the class in the option NSBinaryStoreSecureDecodingClasses, if the file can be trusted.")
    }

    // MARK: Inverses

    /// Makes both sides of each relationship agree; a damaged file may contradict itself. The to-one side decides.
    private mutating func repairInverses() {
        guard let model = layouts.first?.value.model else { return }
        for layout in model.layouts {
            let inherited = layout.superlayout?.properties.count ?? 0
            for slot in layout.properties[inherited...]
            where slot.isRelationship && slot.inverse >= 0 && !slot.isTransient {
                let inverse = model[slot.destination].properties[slot.inverse]
                if inverse.isTransient { continue }
                switch (slot.kind, inverse.kind) {
                case (.toOne, .toOne): repairPairs(layout, slot, inverse)
                case (.toMany, .toOne): repairContents(layout, slot, inverse)
                case (.toMany, .toMany): completeContents(layout, slot, inverse)
                default: break
                }
            }
        }
    }

    private func rows(_ layout: EntityLayout) -> [(key: Int64, row: Row)] {
        (tables[layout.root]?.rows ?? [:]).compactMap { key, retained in
            layout.model[retained.row.layoutNumber].isKind(of: layout) ? (key, retained.row) : nil
        }
    }

    /// Removes references that the other object doesn't return.
    private func repairPairs(_ layout: EntityLayout, _ slot: PropertySlot, _ inverse: PropertySlot) {
        let destination = layout.model[slot.destination]
        for (key, row) in rows(layout) where row.cells.isPresent(slot.cell) {
            guard let other = tables[destination.root]?.rows[row.cells.integer(slot.cell)]?.row else { continue }
            let isReturned = other.cells.isPresent(inverse.cell) && other.cells.integer(inverse.cell) == key
            if !isReturned { row.cells.setEmpty(slot.cell) }
        }
    }

    /// Makes the contents of a to-many relationship follow the references of its members.
    private mutating func repairContents(_ layout: EntityLayout, _ slot: PropertySlot, _ inverse: PropertySlot) {
        let destination = layout.model[slot.destination]
        var owners: [Int64: Int64] = [:]
        var missing: [Int64: Set<Int64>] = [:]
        for (key, row) in rows(destination) where row.cells.isPresent(inverse.cell) {
            owners[key] = row.cells.integer(inverse.cell)
            missing[row.cells.integer(inverse.cell), default: []].insert(key)
        }
        for (owner, _) in rows(layout) {
            let link = MemoryDatabase.LinkKey(owner: owner, property: slot.index)
            let former = tables[layout.root]?.links[link]?.members ?? []
            var members = former.filter { owners[$0.key] == owner }
            var absent = missing[owner] ?? []
            for member in members { absent.remove(member.key) }
            if absent.isEmpty && members.count == former.count { continue }
            members += absent.sorted().compactMap { key in
                layouts[key].map { ObjectReference(key: key, layout: $0.number) }
            }
            tables[layout.root, default: .init()].changeLink(link) { $0 = MemoryRelationshipContents(members) }
        }
    }

    /// Adds each owner to the inverse relationships of its members.
    private mutating func completeContents(_ layout: EntityLayout, _ slot: PropertySlot, _ inverse: PropertySlot) {
        let destination = layout.model[slot.destination]
        for (owner, row) in rows(layout).sorted(by: { $0.key < $1.key }) {
            let link = MemoryDatabase.LinkKey(owner: owner, property: slot.index)
            for member in tables[layout.root]?.links[link]?.members ?? [] {
                let back = MemoryDatabase.LinkKey(owner: member.key, property: inverse.index)
                tables[destination.root, default: .init()].changeLink(back) {
                    $0.append(ObjectReference(key: owner, layout: row.layoutNumber))
                }
            }
        }
    }
}
