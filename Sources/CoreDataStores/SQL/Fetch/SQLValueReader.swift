// SPDX-License-Identifier: Apache-2.0

/// Reads the values of dictionaries as a value plan says.
package struct SQLValueReader<Source: SQLRowSource> {
    private let plan: ValuePlan
    private let source: Source
    package private(set) var rows: ProjectedRows

    package init(plan: ValuePlan, source: Source) {
        self.plan = plan
        self.source = source
        rows = ProjectedRows(width: plan.steps.count)
    }

    /// Appends the values of a row.
    package mutating func append<Row: SQLRow>(_ row: Row) throws where Row.Source == Source {
        for step in plan.steps {
            if !step.elements.isEmpty {
                rows.values.append(try plan.composite(step) { try read($0, row) })
            } else if let value = try read(step, row) {
                rows.values.append(step.isExact ? value : step.type.value(of: value))
            } else {
                rows.values.append(nil)
            }
        }
    }

    /// A stored value, nil for NULL.
    private func read<Row: SQLRow>(_ step: ValuePlan.Step, _ row: Row) throws -> Any?
    where Row.Source == Source {
        switch step.kind {
        case .transformable:
            guard let slot = step.natural.slot else { return nil }
            let stored = try row.object(
                at: step.column, kind: .transformable, origin: { (source, slot.entityName) })
            return (stored as? StoredTransformable).flatMap { TransformableCoding.decode($0, slot: slot) }
        case .relationshipKey:
            return try row.integer(at: step.column).flatMap { key in
                let entity = try step.entityColumn >= 0 ? row.integer(at: step.entityColumn) : nil
                return plan.object(step, key: key, entity: entity)
            }
        case .objectID: return nil
        default: return try row.value(of: step, in: source)
        }
    }
}
