/// Executes a batch update: one statement for all rows, or one for each list of keys where the keys are needed.
struct PostgreSQLBatchUpdate {
    private let update: BatchUpdate
    private let run: PostgreSQLBatchRun

    init(_ update: BatchUpdate, _ run: PostgreSQLBatchRun) {
        self.update = update
        self.run = run
    }

    func execute() throws {
        let layout = update.query.layout
        let plan = try run.plans.writePlan(layout)
        var assignments: [SQLBatchAssignment] = []
        var constants: [RowWritePlan.Column] = []
        for (slot, value) in update.assignments {
            let columns = plan.columns.filter { column in slot.leaves.contains { $0.cell == column.cell } }
            for column in columns {
                switch value {
                case .constant:
                    constants.append(column)
                    assignments.append(.init(column: column.name, kind: column.kind, value: .constant))
                    if let entityColumn = column.entityColumn {
                        assignments.append(.init(column: entityColumn, kind: .relationshipEntity, value: .constant))
                    }
                case .expression(let expression):
                    assignments.append(.init(column: column.name, kind: column.kind, value: .expression(expression)))
                }
            }
        }
        run.log.touch(layout)
        if try run.log.needsKeys || derives() {
            try updateByKeys(assignments, constants)
        } else {
            let statement = try run.translator.update(run.query(update.query), assignments, .matching)
            // Recorded first: afterwards other rows may match.
            if run.history != nil { try run.forEachList(update.query, recordHistory) }
            run.log.record(.update, count: try step(statement, constants))
        }
        try run.recordRowsChangedByTriggers()
    }

    private func recordHistory(_ layout: EntityLayout, _ keys: [Int64]) throws {
        let properties = update.assignments.map(\.slot.name) + (try run.computedProperties(layout).map(\.name))
        try run.history?.recordUpdates(layout, keys: keys, properties: properties)
    }

    /// Whether some rows have derived attributes that must be computed again.
    private func derives() throws -> Bool {
        try run.layouts(of: update.query).contains { layout in
            guard run.plans.mapping.entity(layout) != nil else { return false }
            return try !run.computedProperties(layout).isEmpty
        }
    }

    private func updateByKeys(_ assignments: [SQLBatchAssignment], _ constants: [RowWritePlan.Column]) throws {
        let references = try run.references(update.query)
        let statement = try run.translator.update(run.query(update.query), assignments, .keys)
        var rest = references[...]
        while !rest.isEmpty {
            _ = try step(statement, constants, keys: rest.prefix(PostgreSQLBatchRun.keyCount).map(\.key))
            rest = rest.dropFirst(PostgreSQLBatchRun.keyCount)
        }
        for reference in references {
            run.log.record(.update, key: reference.key, layout: run.layouts[reference.layout])
        }
        for (layout, keys) in run.keysByLayout(references) {
            try run.deriveAgain(layout, keys)
            try recordHistory(layout, keys)
        }
    }

    /// Runs a statement with the constants in their places.
    ///
    /// - Returns: the number of changed rows.
    private func step(_ batch: SQLBatchStatement, _ constants: [RowWritePlan.Column], keys: [Int64]? = nil) throws
        -> Int
    {
        var values = PostgreSQLParameters()
        for column in constants {
            try PostgreSQLCellWriter.append(column, update.constants.cells, nil, to: &values)
            guard column.entityColumn != nil else { continue }
            let cells = update.constants.cells
            let number =
                cells.isPresent(column.cell)
                ? run.plans.mapping.entity(layout: cells.referenceLayout(column.cell))?.number : nil
            if let number {
                values.append(int32: Int32(number))
            } else {
                values.appendNull(of: .int4)
            }
        }
        var parameters = PostgreSQLParameters()
        var next = 0
        for (index, binding) in batch.bindings.enumerated() {
            if batch.constants.contains(Int32(index + 1)) {
                parameters.append(values, at: next)
                next += 1
            } else {
                parameters.append(statementValue: binding)
            }
        }
        if let keys { parameters.append(keys: keys) }
        return try run.execute(batch.text, parameters).affectedRows
    }
}
