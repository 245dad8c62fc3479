// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Computes the derived attributes of the rows of a batch request, or of a migration, that no trigger maintains.
package final class DerivedRowValues {
    /// Reads the row of an entity or its subentities with a key, nil if there is none.
    private let readRow: (EntityLayout, Int64) throws -> RetainedRow?
    /// The error of the last related row that could not be read: key-value access can't throw.
    private var failure: (any Error)?

    init(_ readRow: @escaping (EntityLayout, Int64) throws -> RetainedRow?) { self.readRow = readRow }

    package convenience init(_ engine: any SQLSaveEngine) { self.init { try engine.row($0, key: $1) } }

    /// Writes the values of derived attributes.
    ///
    /// - Parameters:
    ///   - slots: the derived attributes.
    ///   - layout: the layout of the row.
    ///   - cells: the values of the row.
    ///   - target: the cells that get the derived values.
    /// - Throws: the errors of the derivations, and the engine's errors when it reads a related row.
    package func write(_ slots: [PropertySlot], of layout: EntityLayout, _ cells: Cells, to target: Cells) throws {
        guard !slots.isEmpty else { return }
        let row = DerivingRow(layout, cells, self)
        for slot in slots { slot.write(try value(of: slot, layout, row), to: target, entity: layout.name) }
    }

    /// The value of a derived attribute for a row.
    ///
    /// - Throws: the errors of the derivation, and the engine's errors when it reads a related row.
    func value(of slot: PropertySlot, _ layout: EntityLayout, _ cells: Cells) throws -> Any? {
        try value(of: slot, layout, DerivingRow(layout, cells, self))
    }

    private func value(of slot: PropertySlot, _ layout: EntityLayout, _ row: DerivingRow) throws -> Any? {
        failure = nil
        let value = Result { try DerivedValues.value(of: slot, for: row, layout: layout) }
        if let failure { throw failure }
        return try value.get()
    }

    /// A related row; nil if there is none, or if it can't be read.
    fileprivate func row(_ layout: EntityLayout, key: Int64) -> RetainedRow? {
        do { return try readRow(layout, key) } catch {
            failure = error
            return nil
        }
    }
}

/// A row whose values derivations read by keys. Used while its memory is valid.
private final class DerivingRow: NSObject, KeyValueCoding {
    private let layout: EntityLayout
    private let cells: Cells
    private let values: DerivedRowValues
    /// Keeps the memory of a row that was read for a relationship.
    private let buffer: RowBuffer?

    init(_ layout: EntityLayout, _ cells: Cells, _ values: DerivedRowValues, buffer: RowBuffer? = nil) {
        self.layout = layout
        self.cells = cells
        self.values = values
        self.buffer = buffer
    }

    func value(forKey key: String) -> Any? {
        guard let slot = layout.slot(named: key) else { return nil }
        guard slot.kind == .toOne else { return slot.cell < 0 ? nil : slot.read(cells) }
        guard cells.isPresent(slot.cell) else { return nil }
        let destination = layout.model[cells.referenceLayout(slot.cell)]
        guard let found = values.row(destination, key: cells.integer(slot.cell)) else { return nil }
        return DerivingRow(layout.model[found.row.layoutNumber], found.row.cells, values, buffer: found.buffer)
    }
}
