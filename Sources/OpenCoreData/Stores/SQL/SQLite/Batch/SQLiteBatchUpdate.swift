import CoreDataPredicates

/// Executes a batch update: one statement for all rows, or one for each list of keys where the keys are needed.
struct SQLiteBatchUpdate {
    private let update: BatchUpdate
    private let run: SQLiteBatchRun
    private let layouts: [EntityLayout]

    init(_ update: BatchUpdate, _ run: SQLiteBatchRun) {
        self.update = update
        self.run = run
        layouts = run.layouts(of: update.query)
    }

    func execute() throws {
        let layout = update.query.layout
        let plan = try run.open.plans.writePlan(layout)
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
        let external = constants.filter { $0.kind == .externalBinary }
        if try run.log.needsKeys || !external.isEmpty || derives() {
            try updateByKeys(assignments, constants, external)
        } else {
            let statement = try run.open.translator.update(run.query(update.query), assignments, .matching)
            // Recorded first: afterwards other rows may match.
            if run.history != nil { try run.forEachList(update.query, recordHistory) }
            try step(statement, constants)
            run.log.record(.update, count: run.connection.changedRowCount)
        }
        try run.recordRowsChangedByTriggers()
    }

    private func recordHistory(_ layout: EntityLayout, _ keys: [Int64]) throws {
        let properties = update.assignments.map(\.slot.name) + (try run.computedProperties(layout).map(\.name))
        try run.history?.recordUpdates(layout, keys: keys, properties: properties)
    }

    /// Whether some rows have derived attributes that must be computed again.
    private func derives() throws -> Bool {
        try layouts.contains { layout in
            guard run.open.plans.mapping.entity(layout) != nil else { return false }
            return try !run.computedProperties(layout).isEmpty
        }
    }

    private func updateByKeys(
        _ assignments: [SQLBatchAssignment], _ constants: [RowWritePlan.Column], _ external: [RowWritePlan.Column]
    ) throws {
        let references = try run.references(update.query)
        let plan = try run.open.plans.writePlan(update.query.layout)
        try run.engine.recordUnusedFiles(external, plan, references.lazy.map(\.key))
        let statement = try run.open.translator.update(run.query(update.query), assignments, .keys)
        // Each row has a file of its own.
        let size = external.isEmpty ? SQLiteBatchRun.keyCount : 1
        var rest = references[...]
        while !rest.isEmpty {
            try step(statement, constants, keys: rest.prefix(size).map(\.key))
            rest = rest.dropFirst(size)
        }
        for reference in references {
            run.log.record(.update, key: reference.key, layout: run.open.layouts[reference.layout])
        }
        for (layout, keys) in run.keysByLayout(references) {
            try run.deriveAgain(layout, keys)
            try recordHistory(layout, keys)
        }
    }

    private func step(
        _ batch: SQLBatchStatement, _ constants: [RowWritePlan.Column], keys: [Int64]? = nil
    ) throws {
        let statement = try run.connection.statement(batch.text)
        try statement.bind(batch.bindings)
        let binder = SQLiteCellBinder(engine: run.engine, keys: nil)
        var parameters = batch.constants[...]
        for column in constants {
            guard let parameter = parameters.first else { break }
            let next = try binder.bind(column, update.constants.cells, to: statement, at: parameter)
            parameters = parameters.dropFirst(Int(next - parameter))
        }
        if let keys { try statement.bind(SQLiteDialect().list(ofKeys: keys), at: batch.keyListParameter) }
        try statement.run()
    }
}
