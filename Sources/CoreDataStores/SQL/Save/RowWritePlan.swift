// SPDX-License-Identifier: Apache-2.0

/// The columns that a save writes in the rows of one entity, and the statements that don't depend on the changes.
///
/// Immutable. An open store makes one for each entity and reuses it in every save.
package final class RowWritePlan {
    /// A property, or an element of a composite attribute, with its column.
    package final class Column {
        package let slot: PropertySlot
        package let kind: SQLStorageKind
        package let cell: Int
        package let name: String
        /// For to-one relationships: the column of the destination's `Z_ENT`.
        package let entityColumn: String?
        /// For to-one relationships: the column of the position in the ordered inverse.
        package let orderColumn: String?

        init(
            slot: PropertySlot, kind: SQLStorageKind, name: String, entityColumn: String?, orderColumn: String?
        ) {
            self.slot = slot
            self.kind = kind
            cell = slot.cell
            self.name = name
            self.entityColumn = entityColumn
            self.orderColumn = orderColumn
        }
    }

    /// The cell that a column of a new row has, for loops that must not touch reference counts.
    struct InsertCell {
        let kind: SQLStorageKind
        let cell: Int
        /// The position of the property among ``RowWritePlan/columns``.
        let column: Int
        /// Whether the column has the number of the entity that a reference leads to.
        let isEntity: Bool
    }

    let layout: EntityLayout
    package let entity: SQLEntity
    package let columns: [Column]
    /// The cells that the columns of a new row have, behind `Z_PK`, `Z_ENT` and `Z_OPT`: see ``insertColumns``.
    let insertCells: UnsafeBufferPointer<InsertCell>
    /// The columns with external storage.
    let externalColumns: [Column]
    /// The names of the columns of a new row: `Z_PK`, `Z_ENT`, `Z_OPT`, then ``columns``, each followed by its entity
    /// column.
    let insertColumns: [String]
    /// Parameters: ``insertColumns``.
    let insertText: String
    /// The same, but a row that violates a unique index is not inserted.
    let insertIfUniqueText: String
    /// A further condition: the row belongs to the entity, and not to another entity of its hierarchy, since an ID may
    /// name the wrong entity. Empty for a table with one entity.
    package let entityCondition: String
    /// Parameter: the key. Deletes no row of another entity.
    let deleteText: String
    /// Parameters: the key and the version. Deletes no row of another entity.
    let deleteVersionText: String
    /// Selects the version of a row of the entity; no row for a key of another entity. Parameter: the key.
    let versionText: String
    /// Selects the entity number of a row of any entity. Parameter: the key.
    package let entityText: String
    /// The statements that remove a deleted row from relationships that other tables store. Parameter: the key.
    let deletedOwnerTexts: [String]
    package let statements: SQLWriteStatements

    init(layout: EntityLayout, entity: SQLEntity, dialect: any SQLDialect) {
        self.layout = layout
        self.entity = entity
        statements = SQLWriteStatements(dialect: dialect)
        var columns: [Column] = []
        func add(_ slot: PropertySlot, _ property: SQLProperty?) {
            switch property {
            case .composite(let composite)?:
                for element in slot.elements { add(element, composite.element(element.name)) }
            case .attribute(let attribute)? where attribute.derivation?.isMaintainedByTriggers != true:
                columns.append(
                    Column(
                        slot: slot, kind: attribute.column.kind, name: attribute.column.name, entityColumn: nil,
                        orderColumn: nil))
            case .toOne(let relationship)?:
                columns.append(
                    Column(
                        slot: slot, kind: .relationshipKey, name: relationship.column.name,
                        entityColumn: relationship.entityColumn?.name, orderColumn: relationship.orderColumn?.name))
            default:
                break
            }
        }
        for slot in layout.properties where slot.cell >= 0 { add(slot, entity.properties[slot.name]) }
        self.columns = columns
        externalColumns = columns.filter { $0.kind == .externalBinary }
        let cells = columns.enumerated().flatMap { index, column in
            (column.entityColumn == nil ? [false] : [false, true]).map {
                InsertCell(kind: column.kind, cell: column.cell, column: index, isEntity: $0)
            }
        }
        let insertCells = UnsafeMutableBufferPointer<InsertCell>.allocate(capacity: cells.count)
        _ = insertCells.initialize(from: cells)
        self.insertCells = UnsafeBufferPointer(insertCells)

        let table = entity.tableName
        insertColumns =
            ["Z_PK", "Z_ENT", "Z_OPT"] + columns.flatMap { [$0.name] + ($0.entityColumn.map { [$0] } ?? []) }
        insertText = statements.insert(into: table, columns: insertColumns)
        insertIfUniqueText = statements.insertIfAbsent(into: table, columns: insertColumns)
        entityCondition = entity.table.hasOneEntity ? "" : " AND Z_ENT = \(entity.number)"
        deleteText = statements.delete(from: table, where: ["Z_PK"]) + entityCondition
        deleteVersionText = statements.delete(from: table, where: ["Z_PK", "Z_OPT"]) + entityCondition
        versionText = statements.select(["Z_OPT"], from: table, where: ["Z_PK"]) + entityCondition
        entityText = statements.select(["Z_ENT"], from: table, where: ["Z_PK"])
        deletedOwnerTexts = Self.deletedOwnerTexts(entity, statements)
    }

    deinit { insertCells.deallocate() }

    /// The statement that writes some columns of one row, if the row still has the version that the context saw.
    ///
    /// - Parameter signature: the changed columns, by their positions. A column whose position in the ordered inverse
    ///   becomes NULL, too, is given by the complement of its position.
    func updatePlan(_ signature: [Int]) -> RowUpdatePlan {
        var changed: [Column] = []
        var assignments: [SQLWriteStatements.Assignment] = []
        for position in signature {
            let column = columns[position < 0 ? ~position : position]
            changed.append(column)
            assignments.append(.parameter(column.name))
            if let entityColumn = column.entityColumn { assignments.append(.parameter(entityColumn)) }
            if position < 0, let orderColumn = column.orderColumn { assignments.append(.null(orderColumn)) }
        }
        let text = statements.update(
            entity.tableName, assignments + [.parameter("Z_OPT")], where: ["Z_PK", "Z_OPT"])
        return RowUpdatePlan(columns: changed, assignments: assignments, text: text + entityCondition)
    }

    /// The statement that selects the stored value of one column. Parameter: the key.
    func valueText(_ column: Column) -> String {
        statements.select([column.name], from: entity.tableName, where: ["Z_PK"])
    }

    private static func deletedOwnerTexts(_ entity: SQLEntity, _ statements: SQLWriteStatements) -> [String] {
        entity.properties.sorted { $0.key.precedesBytewise($1.key) }.flatMap { _, property -> [String] in
            guard case .toMany(let relationship) = property else { return [] }
            switch relationship.storage {
            case .join(let join):
                let columns = join.table.isReflexive ? [join.ownerColumn, join.contentColumn] : [join.ownerColumn]
                return columns.map { statements.deleteKeys(from: join.table.name, where: [$0]) }
            case .foreignKey(let key) where key.isWithoutInverse:
                return [
                    statements.updateKeys(
                        relationship.destination.tableName, key.columns.map { .null($0.name) }, where: [key.column.name]
                    )
                ]
            default:
                return []
            }
        }
    }
}

/// The statement that writes the changed columns of a row.
struct RowUpdatePlan {
    let columns: [RowWritePlan.Column]
    /// The assignments of the columns. The version gets its own.
    let assignments: [SQLWriteStatements.Assignment]
    /// Parameters: the columns, each followed by its entity column, the new version, the key, the old version.
    let text: String
}

// MARK: - Uniqueness constraints

extension RowWritePlan {
    /// A statement that finds the row with the values of a uniqueness constraint.
    package struct UniqueValueLookup {
        /// The columns of the constraint, without entity columns, which are not part of the unique index.
        package let columns: [Column]
        /// Selects `Z_PK`. Parameters: ``columns``.
        let text: String
    }

    /// Nil if the store has no column for one of the properties.
    package func lookup(_ constraint: UniquenessConstraint) -> UniqueValueLookup? {
        guard let columns = columns(of: constraint) else { return nil }
        return UniqueValueLookup(
            columns: columns,
            text: statements.select(["Z_PK"], from: entity.tableName, where: columns.map(\.name)))
    }

    /// The statement that sets the columns of some constraints of one row to NULL. Parameter: the key. Nil if there are
    /// no such columns.
    func clearUniqueValuesText(_ constraints: [UniquenessConstraint]) -> String? {
        let names = Set(constraints.flatMap { columns(of: $0) ?? [] }.map(\.name)).sorted()
        if names.isEmpty { return nil }
        return statements.updateKeys(entity.tableName, names.map { .null($0) }, where: ["Z_PK"])
    }

    /// The columns of a constraint, without entity columns, which are not part of the unique index. Nil if the store
    /// has no column for one of the properties.
    func columns(of constraint: UniquenessConstraint) -> [Column]? {
        let found = constraint.slots.compactMap { slot in columns.first { $0.slot.index == slot.index } }
        guard found.count == constraint.slots.count else { return nil }
        return found.map { Column(slot: $0.slot, kind: $0.kind, name: $0.name, entityColumn: nil, orderColumn: nil) }
    }
}

extension TransformableCoding {
    /// The bytes that a store gets for a transformable cell, nil for nil.
    package static func storedData(_ cells: Cells, _ slot: PropertySlot) throws -> Data? {
        guard let object = cells.object(slot.cell).pointee else { return nil }
        // A value that was fetched and never read is not decoded.
        if let stored = object as? StoredTransformable { return stored.data }
        if let data = (object as? TransformableBox)?.savedForm?.data { return data }
        return try slot.read(cells).map { try encode($0, slot: slot) }
    }
}
