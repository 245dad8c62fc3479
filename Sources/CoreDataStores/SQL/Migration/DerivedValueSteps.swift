// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The steps that compute derived attributes, when all rows are written.
struct DerivedValueSteps {
    let migration: SQLLightweightMigration
    let dialect: any SQLMigrationDialect

    /// - Throws: `NSCoreDataError` (134060) for an expression that no store computes.
    func steps() throws -> [SQLMigrationStep] {
        let columns = migration.columns
        var steps: [SQLMigrationStep] = []
        for entity in migration.destination.entities {
            guard let old = columns.sourceEntity(of: entity) else { continue }
            for (name, property) in entity.properties.sortedBytewise(by: { $0.key }) {
                guard case .attribute(let attribute) = property, let derivation = attribute.derivation,
                    entity.superentity.flatMap(columns.sourceEntity) == nil
                        || entity.superentity?.attribute(name) == nil,
                    columns.needsComputing(attribute, old), let step = try step(attribute, derivation, entity)
                else { continue }
                steps.append(step)
            }
        }
        return steps
    }

    private func step(_ attribute: SQLAttribute, _ derivation: SQLDerivation, _ entity: SQLEntity) throws
        -> SQLMigrationStep?
    {
        let action = SQLMigrationAction.computeDerived(attribute: attribute.description.name, entity: entity.name)
        if let value = derivation.value(table: dialect.table) {
            let numbers = entity.numbers.map(String.init).joined(separator: ", ")
            return SQLMigrationStep(
                action,
                """
                UPDATE \(dialect.table(entity.tableName)) AS S SET \
                \(dialect.identifier(attribute.column.name)) = \(value) WHERE S.Z_ENT IN (\(numbers))
                """)
        }
        guard case .computedOnSave(let expression) = derivation else { return nil }
        let translator = SQLQueryTranslator(schema: migration.destination, dialect: dialect.dialect) { _ in nil }
        let assignment = SQLBatchAssignment(
            column: attribute.column.name, kind: attribute.column.kind, value: .expression(expression))
        do {
            let statement = try translator.update(
                StoreQuery(layout: entity.entity.entityLayout), [assignment], .matching)
            return SQLMigrationStep(action, [SQLStatement(text: statement.text, bindings: statement.bindings)])
        } catch {
            // A statement that updates a table reads no other objects, and an engine may lack a function.
            let layout = entity.entity.entityLayout
            guard let slot = layout.slot(named: attribute.description.name) else { throw error }
            try DerivedValues.check(slot, layout)
            let column = DerivedColumn(
                attribute: attribute, entity: entity, schema: migration.destination, dialect: dialect)
            return SQLMigrationStep(.computeInProcess(column), [])
        }
    }
}
