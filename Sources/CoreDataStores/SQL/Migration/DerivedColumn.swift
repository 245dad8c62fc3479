// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The column of a derived attribute whose values a migration computes in the process, as saves do: the statement that
/// would write them reads other objects, or an engine lacks a function.
package struct DerivedColumn {
    let attribute: SQLAttribute
    let entity: SQLEntity
    /// Owns the entity.
    let schema: SQLSchema
    let dialect: any SQLMigrationDialect

    /// The number of rows that are read and written together.
    private static let rowsOfStatement = 1000

    /// Writes the values. All rows of the store have the destination's form by then.
    ///
    /// - Throws: the errors of `DerivedValues` and of the engine.
    func write(on executor: any SQLMigrationExecutor) throws {
        let layouts = entity.entity.entityLayout.model
        let plans = SQLPlans(
            schema: schema, layouts: layouts, dialect: dialect.dialect, location: executor.storeName)
        var related: [ObjectReference: RetainedRow] = [:]
        let values = DerivedRowValues { layout, key in
            let reference = ObjectReference(key: key, layout: layout.number)
            if let known = related[reference] { return known }
            let plan = try plans.rowPlan(layout, includesSubentities: true)
            let statement = try plans.rowStatement(plan)
            let rows = try executor.rows(
                plan, SQLStatement(text: statement.text, bindings: statement.bindings(for: key)))
            guard rows.count > 0, let buffer = rows.buffers.first else { return nil }
            let row = RetainedRow(buffer: buffer, row: buffer[0])
            related[reference] = row
            return row
        }
        let plan = try plans.rowPlan(entity.entity.entityLayout, includesSubentities: true)
        var last: Int64 = 0
        while true {
            let rows = try executor.rows(plan, select(plan, after: last))
            guard rows.count > 0 else { return }
            related.removeAll()
            var written: [(key: Int64, value: SQLValue)] = []
            for buffer in rows.buffers {
                for index in 0..<buffer.count {
                    let row = buffer[index]
                    last = max(last, row.primaryKey)
                    let layout = layouts[row.layoutNumber]
                    guard let slot = layout.slot(named: attribute.description.name) else { continue }
                    guard let value = try values.value(of: slot, layout, row.cells) else {
                        written.append((row.primaryKey, .null))
                        continue
                    }
                    guard let cell = dialect.value(value, of: attribute.column.kind) else {
                        throw misfit(value, row.primaryKey, layout, executor)
                    }
                    written.append((row.primaryKey, cell))
                }
            }
            try executor.write(written, to: attribute.column, of: entity.table)
        }
    }

    /// The error of a derived value that the type of the attribute can't have.
    private func misfit(
        _ value: Any, _ key: Int64, _ layout: EntityLayout, _ executor: any SQLMigrationExecutor
    ) -> NSError {
        let name = attribute.description.name
        return executor.error(
            NSMigrationError,
            reason: "The derived attribute \(name) of \(layout.name)/p\(key) is \(value), which isn't one of its type.",
            suggestion: "Give the attribute a larger type in the new model, or change what it is derived from.",
            userInfo: ["entity": layout.name, "attribute": name])
    }

    /// Selects the rows of the entity and its subentities whose keys follow another one.
    private func select(_ plan: RowPlan, after key: Int64) -> SQLStatement {
        let columns = plan.selectedColumns.map { dialect.identifier($0) }.joined(separator: ", ")
        let numbers = entity.numbers.map(String.init).joined(separator: ", ")
        return dialect.statement(
            """
            SELECT \(columns) FROM \(dialect.table(entity.tableName)) WHERE Z_ENT IN (\(numbers)) \
            AND Z_PK > \(value: .integer(key)) ORDER BY Z_PK LIMIT \(number: Self.rowsOfStatement)
            """)
    }
}
