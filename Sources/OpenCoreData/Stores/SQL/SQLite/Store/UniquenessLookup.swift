/// Finds rows of a SQLite file by the values of a uniqueness constraint, inside the caller's transaction.
///
/// Used only once a unique index has refused a row: saves that violate nothing pay nothing.
struct UniquenessLookup {
    let save: SQLiteSave

    /// The row that has the same values as the given cells.
    func holder(_ constraint: UniquenessConstraint, _ layout: EntityLayout, _ cells: Cells) throws -> RetainedRow? {
        let writer = try save.writer(layout)
        guard let steps = steps(constraint, writer) else { return nil }
        // A new object is nobody's destination in the file yet.
        if steps.contains(where: { $0.kind == .relationshipKey && cells.integer($0.cell) < 0 }) { return nil }
        let conditions = steps.map { "\($0.column) = ?" }.joined(separator: " AND ")
        let statement = try save.open.connection.statement(
            "SELECT Z_PK FROM \(writer.entity.tableName) WHERE \(conditions)")
        let binder = CellBinder(save: save, cells: cells)
        for (index, step) in steps.enumerated() {
            // Bound one by one: a reference's second column, of the entity, is no part of the index.
            _ = try binder.bind(step.withoutEntityColumn, to: statement, at: Int32(index + 1))
        }
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let key = statement.int64(at: 0)
        statement.reset()
        return try save.open.row(save.open.layouts[constraint.layout], key: key)
    }

    /// Empties the columns of the constraints whose values rows change, so that rows may exchange values: what each
    /// gets is written later.
    func vacate(_ rows: [StoreChanges.UpdatedRow]) throws {
        for row in rows {
            let changed = row.layout.uniquenessConstraints.filter { $0.differs(row.cells, row.committed) }
            guard !changed.isEmpty else { continue }
            let writer = try save.writer(row.layout)
            let columns = Set(changed.flatMap { steps($0, writer) ?? [] }.map(\.column)).sorted()
            guard !columns.isEmpty else { continue }
            try save.open.connection.run(
                """
                UPDATE \(writer.entity.tableName) SET \(columns.map { "\($0) = NULL" }.joined(separator: ", ")) \
                WHERE Z_PK = ?
                """,
                [.integer(row.key)])
        }
    }

    private func steps(_ constraint: UniquenessConstraint, _ writer: RowWriter) -> [RowWriter.Step]? {
        let steps = constraint.slots.compactMap { slot in writer.steps.first { $0.slot.index == slot.index } }
        return steps.count == constraint.slots.count ? steps : nil
    }
}

extension RowWriter.Step {
    fileprivate var withoutEntityColumn: RowWriter.Step {
        entityColumn == nil
            ? self : RowWriter.Step(slot: slot, kind: kind, column: column, entityColumn: nil, orderColumn: nil)
    }
}
