// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Executes a batch update: one statement for all rows, or a statement for each list of keys if the keys are needed.
struct SQLBatchUpdate {
    private let update: BatchUpdate
    private let run: any SQLBatchRun

    init(_ update: BatchUpdate, _ run: any SQLBatchRun) {
        self.update = update
        self.run = run
    }

    func execute() throws {
        let layout = update.query.layout
        let plan = try run.plans.writePlan(layout)
        var assignments: [SQLBatchAssignment] = []
        var columnsOfConstants: [RowWritePlan.Column] = []
        for (slot, value) in update.assignments {
            let columns = plan.columns.filter { column in slot.leaves.contains { $0.cell == column.cell } }
            for column in columns {
                switch value {
                case .constant:
                    columnsOfConstants.append(column)
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
        let constants = SQLBatchConstants(columns: columnsOfConstants, row: update.constants)
        let external = run.storesFiles ? constants.columns.filter { $0.kind == .externalBinary } : []
        if try run.log.needsKeys || !external.isEmpty || derives() {
            try updateByKeys(assignments, constants, external)
        } else {
            let statement = try run.translator.update(update.query, assignments, .matching)
            // Recorded first: afterwards other rows may match.
            if run.history != nil { try run.forEachList(update.query, recordHistory) }
            run.log.record(.update, count: try run.execute(statement, constants, keys: nil))
        }
        try run.recordRowsChangedByTriggers()
    }

    private func recordHistory(_ layout: EntityLayout, _ keys: [Int64]) throws {
        let properties = update.assignments.map(\.slot.name) + (try run.plans.computedProperties(layout).map(\.name))
        try run.history?.recordUpdates(layout, keys: keys, properties: properties)
    }

    /// Whether some rows have derived attributes that must be computed again.
    private func derives() throws -> Bool {
        try run.layouts(of: update.query).contains { layout in
            guard run.plans.mapping.entity(layout) != nil else { return false }
            return try !run.plans.computedProperties(layout).isEmpty
        }
    }

    private func updateByKeys(
        _ assignments: [SQLBatchAssignment], _ constants: SQLBatchConstants, _ external: [RowWritePlan.Column]
    ) throws {
        let references = try run.references(update.query)
        let plan = try run.plans.writePlan(update.query.layout)
        try run.willReplaceFiles(of: external, plan, references.map(\.key))
        let statement = try run.translator.update(update.query, assignments, .keys)
        // Each row has its own file.
        try references.map(\.key).forEachPart(of: external.isEmpty ? run.keyLimit : 1) { keys in
            _ = try run.execute(statement, constants, keys: keys)
        }
        for reference in references {
            run.log.record(.update, key: reference.key, layout: run.layouts[reference.layout])
        }
        for (layout, keys) in run.keysByLayout(references) {
            try run.deriveAgain(layout, keys)
            try recordHistory(layout, keys)
        }
    }
}
