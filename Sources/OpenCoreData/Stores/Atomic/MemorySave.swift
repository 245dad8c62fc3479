/// One save into a store in memory.
struct MemorySave {
    private let changes: StoreChanges
    private var permanentKeys: [Int64: Int64] = [:]
    /// To-many contents that changed references add to and take from.
    private var moves: [Place: Move] = [:]

    private struct Place: Hashable {
        let root: UInt32
        let link: MemoryStore.LinkKey
    }

    private struct Move {
        var gone: Set<Int64> = []
        var come: [ObjectReference] = []
    }

    init(_ changes: StoreChanges) { self.changes = changes }

    func run(on tables: inout [UInt32: MemoryStore.Table], allocate: ([EntityLayout]) throws -> [Int64]) throws -> StoreSaveResult {
        var save = self
        let fresh = changes.inserted.filter { $0.key < 0 }
        let keys = try allocate(fresh.map(\.layout))
        for (row, key) in zip(fresh, keys) { save.permanentKeys[row.key] = key }

        for row in changes.deleted { save.remove(row, &tables) }
        var result = StoreSaveResult()
        for row in changes.inserted {
            let key = try save.permanent(row.key)
            result.keys.append(key)
            try save.put(row.layout, key, version: 1, row.cells, &tables, isReplacement: row.isReplacement)
        }
        for row in changes.updated { try save.put(row.layout, row.key, version: row.version &+ 1, row.cells, &tables) }
        for (place, move) in save.moves { save.apply(move, at: place, &tables) }
        for link in changes.links { try save.apply(link, &tables) }
        return result
    }

    private func permanent(_ key: Int64) throws -> Int64 {
        if key >= 0 { return key }
        if let permanent = permanentKeys[key] { return permanent }
        throw StoreChanges.unknownReference
    }

    private func permanent(_ reference: ObjectReference) throws -> ObjectReference {
        ObjectReference(key: try permanent(reference.key), layout: reference.layout)
    }

    private mutating func put(_ layout: EntityLayout, _ key: Int64, version: Int32, _ cells: Cells, _ tables: inout [UInt32: MemoryStore.Table],
        isReplacement: Bool = false
    ) throws {
        let buffer = RowBuffer(layout: layout, includesSubentities: false, capacity: 1)
        let row = buffer.appendUninitialized(primaryKey: key, version: version, layout: layout)
        layout.copy(cells, to: row.cells)
        for slot in layout.properties where slot.cell >= 0 {
            if slot.isTransient { slot.clear(row.cells) }
            if slot.kind == .toOne, row.cells.isPresent(slot.cell) {
                row.cells.setReference(try permanent(row.cells.integer(slot.cell)), layout: row.cells.referenceLayout(slot.cell), at: slot.cell)
            }
        }
        let previous = tables[layout.root]?.rows[key]
        tables[layout.root, default: .init()].rows[key] = RetainedRow(buffer: buffer, row: row)
        guard previous != nil || isReplacement else { return }
        for index in layout.toOneProperties { noteMove(layout, layout.properties[index], key, from: previous?.row.cells, to: row.cells) }
    }

    /// Notes that the to-many side of a reference has to follow it: the context that saves may not know whom the reference leads to in the store.
    private mutating func noteMove(_ layout: EntityLayout, _ slot: PropertySlot, _ key: Int64, from old: Cells?, to new: Cells) {
        guard slot.inverse >= 0, !slot.isTransient, old.map({ !slot.isEqual($0, new) }) ?? true else { return }
        func change(_ cells: Cells, _ change: (inout Move) -> Void) {
            guard cells.isPresent(slot.cell) else { return }
            let owner = layout.model[cells.referenceLayout(slot.cell)]
            guard owner.properties[slot.inverse].kind == .toMany else { return }
            change(&moves[Place(root: owner.root, link: .init(owner: cells.integer(slot.cell), property: slot.inverse)), default: Move()])
        }
        if let old { change(old) { $0.gone.insert(key) } }
        change(new) { $0.come.append(ObjectReference(key: key, layout: layout.number)) }
    }

    private func apply(_ move: Move, at place: Place, _ tables: inout [UInt32: MemoryStore.Table]) {
        var content = tables[place.root]?.links[place.link] ?? []
        content.removeAll { move.gone.contains($0.key) }
        let present = Set(content.map(\.key))
        content += move.come.filter { !present.contains($0.key) }
        tables[place.root, default: .init()].links[place.link] = content
    }

    private func remove(_ row: StoreChanges.DeletedRow, _ tables: inout [UInt32: MemoryStore.Table]) {
        tables[row.layout.root]?.rows[row.key] = nil
        for index in row.layout.relationshipProperties {
            tables[row.layout.root]?.links[.init(owner: row.key, property: index)] = nil
        }
    }

    private func apply(_ link: StoreChanges.LinkChange, _ tables: inout [UInt32: MemoryStore.Table]) throws {
        let key = MemoryStore.LinkKey(owner: try permanent(link.owner), property: link.property)
        var content = tables[link.layout.root]?.links[key] ?? []
        if let order = link.order {
            content = try order.map(permanent)
        } else {
            // An object that came and went unsaved was never in the content.
            let removed = Set(link.removed.map { permanentKeys[$0.key] ?? $0.key })
            content.removeAll { removed.contains($0.key) }
            let present = Set(content.map(\.key))
            content += try link.added.map(permanent).filter { !present.contains($0.key) }
        }
        let slot = link.layout.properties[link.property]
        if slot.inverse >= 0, link.layout.model[slot.destination].properties[slot.inverse].kind == .toOne {
            // Members say themselves to whom they belong; what the context knew of the content may be old.
            content.removeAll { member in
                let layout = link.layout.model[member.layout], inverse = layout.properties[slot.inverse]
                guard let row = tables[layout.root]?.rows[member.key]?.row else { return false }
                return !inverse.isTransient && (!row.cells.isPresent(inverse.cell) || row.cells.integer(inverse.cell) != key.owner)
            }
        }
        tables[link.layout.root, default: .init()].links[key] = content
    }
}
