// SPDX-License-Identifier: Apache-2.0

/// The objects whose derived values a save may have changed: the written objects, and the objects that were related to
/// written objects before the save or are afterwards.
struct MemoryDerivationEffects {
    /// The keys of the objects by the number of the root layout.
    private(set) var owners: [UInt32: Set<Int64>] = [:]

    /// The tables with the changes of the save, which they can undo.
    private let tables: [UInt32: MemoryTable]
    /// Whether relations before the save count too.
    private let includesFormer: Bool

    init(
        _ changes: StoreChanges, keys: [Int64], in tables: [UInt32: MemoryTable], derivations: [MemoryDerivation]
    ) {
        self.tables = tables
        includesFormer = true
        var written: [UInt32: Set<Int64>] = [:]
        for (row, key) in zip(changes.inserted, keys) { written[row.layout.root, default: []].insert(key) }
        for row in changes.updated { written[row.layout.root, default: []].insert(row.key) }
        let permanentKeys = Dictionary(zip(changes.inserted.map(\.key), keys), uniquingKeysWith: { first, _ in first })
        for link in changes.relationships {
            written[link.layout.root, default: []].insert(permanentKeys[link.owner] ?? link.owner)
        }
        var changed = written
        for row in changes.deleted { changed[row.layout.root, default: []].insert(row.key) }
        let roots = Set(derivations.map(\.layout.root))
        owners = written.filter { roots.contains($0.key) }
        addOwners(of: changed, derivations)
    }

    /// The objects whose derived values depend on derived values that were computed again.
    init(
        dependingOn computed: [UInt32: Set<Int64>], in tables: [UInt32: MemoryTable], derivations: [MemoryDerivation]
    ) {
        self.tables = tables
        includesFormer = false
        addOwners(of: computed, derivations)
    }

    private mutating func addOwners(of changed: [UInt32: Set<Int64>], _ derivations: [MemoryDerivation]) {
        for derivation in derivations {
            guard let keys = changed[derivation.layout.model[derivation.relationship.destination].root] else {
                continue
            }
            owners[derivation.layout.root, default: []].formUnion(related(to: keys, by: derivation))
        }
    }

    /// The objects with some of the changed objects in a relationship, before the save or afterwards.
    private func related(to changed: Set<Int64>, by derivation: MemoryDerivation) -> Set<Int64> {
        let relationship = derivation.relationship
        let layout = derivation.layout
        let destination = layout.model[relationship.destination]
        guard relationship.inverse >= 0 else {
            return owners(of: changed, relationship, in: tables[layout.root])
        }
        var found: Set<Int64> = []
        guard let table = tables[destination.root] else { return found }
        let inverse = destination.properties[relationship.inverse]
        func add(_ row: RetainedRow?) {
            guard let row = row?.row, layout.model[row.layoutNumber].isKind(of: destination),
                row.cells.isPresent(inverse.cell)
            else { return }
            found.insert(row.cells.integer(inverse.cell))
        }
        for key in changed {
            if inverse.kind == .toMany {
                let link = MemoryTable.LinkKey(owner: key, property: inverse.index)
                for owner in table.links[link]?.members ?? [] { found.insert(owner.key) }
                guard includesFormer else { continue }
                for owner in table.formerLink(link)?.members ?? [] { found.insert(owner.key) }
            } else {
                add(table.rows[key])
                if includesFormer { add(table.formerRow(key)) }
            }
        }
        return found
    }

    /// The owners of a relationship without inverse, found by a search through all owners.
    private func owners(of changed: Set<Int64>, _ relationship: PropertySlot, in table: MemoryTable?) -> Set<Int64> {
        guard let table else { return [] }
        var found: Set<Int64> = []
        func add(_ owner: Int64, _ contents: MemoryRelationshipContents) {
            if contents.members.contains(where: { changed.contains($0.key) }) { found.insert(owner) }
        }
        func add(_ key: Int64, _ retained: RetainedRow) {
            let cells = retained.row.cells
            let layout = retained.buffer.layouts[retained.row.layoutNumber]
            guard layout.properties.count > relationship.index, layout.properties[relationship.index] === relationship,
                cells.isPresent(relationship.cell), changed.contains(cells.integer(relationship.cell))
            else { return }
            found.insert(key)
        }
        if relationship.kind == .toMany {
            for (link, contents) in table.links where link.property == relationship.index { add(link.owner, contents) }
            guard includesFormer else { return found }
            for (owner, contents) in table.formerLinks(ofProperty: relationship.index) { add(owner, contents) }
        } else {
            for (key, row) in table.rows { add(key, row) }
            guard includesFormer else { return found }
            for (key, row) in table.formerRows { add(key, row) }
        }
        return found
    }
}
