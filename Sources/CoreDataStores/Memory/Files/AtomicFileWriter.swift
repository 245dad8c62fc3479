// SPDX-License-Identifier: Apache-2.0

/// Makes the contents of a file from the rows of a store.
package struct AtomicFileWriter {
    private let tables: [UInt32: MemoryDatabase.Table]
    private let path: String

    package init(_ tables: [UInt32: MemoryDatabase.Table], path: String) {
        self.tables = tables
        self.path = path
    }

    /// The objects in the order of their keys.
    ///
    /// - Throws: the errors of ``AtomicFileValue/value(of:in:path:)``.
    package func objects() throws -> [AtomicFileContent.Object] {
        var rows: [(key: Int64, retained: RetainedRow)] = []
        for table in tables.values { for (key, retained) in table.rows { rows.append((key, retained)) } }
        rows.sort { $0.key < $1.key }
        return try rows.map { try object($0.retained) }
    }

    private func object(_ retained: RetainedRow) throws -> AtomicFileContent.Object {
        let row = retained.row
        let layout = retained.buffer.layouts[row.layoutNumber]
        var object = AtomicFileContent.Object(entity: layout.name, key: row.primaryKey)
        for slot in layout.properties where !slot.isTransient && slot.kind != .fetched {
            switch slot.kind {
            case .toOne, .toMany:
                let keys = keys(of: slot, row, layout)
                guard !keys.isEmpty else { continue }
                object.relationships.append(
                    .init(name: slot.name, keys: keys, slot: slot, destination: layout.model[slot.destination].name))
            default:
                for leaf in slot.leaves {
                    guard let value = try AtomicFileValue.value(of: leaf, in: row.cells, path: path) else { continue }
                    object.values.append(.init(name: leaf.keyPath, kind: leaf.kind, value: value))
                }
            }
        }
        return object
    }

    /// The keys of related objects. A to-one relationship may refer to a deleted object. A key of another entity's row
    /// is left out: a reader would find the wrong object.
    private func keys(of slot: PropertySlot, _ row: Row, _ layout: EntityLayout) -> [Int64] {
        let destination = layout.model[slot.destination]
        if slot.kind == .toOne {
            guard row.cells.isPresent(slot.cell) else { return [] }
            let key = row.cells.integer(slot.cell)
            return tables.values.allSatisfy { isOf(destination, $0.rows[key]) ?? true } ? [key] : []
        }
        let members = tables[layout.root]?.links[.init(owner: row.primaryKey, property: slot.index)]?.members ?? []
        let rows = tables[destination.root]?.rows
        return members.map(\.key).filter { isOf(destination, rows?[$0]) ?? false }
    }

    /// Whether a row is of an entity or its subentities; nil without a row.
    private func isOf(_ layout: EntityLayout, _ row: RetainedRow?) -> Bool? {
        row.map { layout.contains($0.row.layoutNumber) }
    }
}
