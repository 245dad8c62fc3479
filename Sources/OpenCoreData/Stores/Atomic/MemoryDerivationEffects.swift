/// The objects whose derived values a save may have changed: the written objects, and the objects that were related to
/// written objects before the save or are afterwards.
struct MemoryDerivationEffects {
    /// The keys of the objects by the number of the root layout.
    private(set) var owners: [UInt32: Set<Int64>] = [:]

    private let before: [UInt32: MemoryDatabase.Table]
    private let after: [UInt32: MemoryDatabase.Table]

    init(
        _ changes: StoreChanges, keys: [Int64], before: [UInt32: MemoryDatabase.Table],
        after: [UInt32: MemoryDatabase.Table],
        derivations: [MemoryDerivation]
    ) {
        self.before = before
        self.after = after
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
        dependingOn computed: [UInt32: Set<Int64>], in tables: [UInt32: MemoryDatabase.Table],
        derivations: [MemoryDerivation]
    ) {
        before = [:]
        after = tables
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
        var found: Set<Int64> = []
        for tables in [before, after] {
            guard relationship.inverse >= 0 else {
                found.formUnion(owners(of: changed, relationship, in: tables[layout.root]))
                continue
            }
            let table = tables[destination.root]
            let inverse = destination.properties[relationship.inverse]
            for key in changed {
                if inverse.kind == .toMany {
                    for owner in table?.links[.init(owner: key, property: inverse.index)]?.members ?? [] {
                        found.insert(owner.key)
                    }
                } else if let row = table?.rows[key]?.row, layout.model[row.layoutNumber].isKind(of: destination),
                    row.cells.isPresent(inverse.cell)
                {
                    found.insert(row.cells.integer(inverse.cell))
                }
            }
        }
        return found
    }

    /// The owners of a relationship without inverse, found by a search through all owners.
    private func owners(of changed: Set<Int64>, _ relationship: PropertySlot, in table: MemoryDatabase.Table?)
        -> [Int64]
    {
        guard let table else { return [] }
        if relationship.kind == .toMany {
            return table.links.compactMap { link, content in
                link.property == relationship.index && content.members.contains { changed.contains($0.key) }
                    ? link.owner : nil
            }
        }
        return table.rows.compactMap { key, retained in
            let cells = retained.row.cells
            let layout = retained.buffer.layouts[retained.row.layoutNumber]
            guard layout.properties.count > relationship.index, layout.properties[relationship.index] === relationship
            else { return nil }
            return cells.isPresent(relationship.cell) && changed.contains(cells.integer(relationship.cell)) ? key : nil
        }
    }
}
