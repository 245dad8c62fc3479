/// Reads the values of dictionaries as a value plan says.
struct PostgreSQLValueReader {
    let plan: ValuePlan

    func readAll(_ result: PostgreSQLResult) throws -> ProjectedRows {
        var rows = ProjectedRows(width: plan.steps.count)
        for index in 0..<result.rowCount {
            let row = result[index]
            for step in plan.steps {
                if !step.elements.isEmpty {
                    rows.values.append(try plan.composite(step) { read($0, row) })
                } else if let value = read(step, row) {
                    rows.values.append(step.isExact ? value : step.type.value(of: value))
                } else {
                    rows.values.append(nil)
                }
            }
        }
        return rows
    }

    /// A stored value, nil for NULL.
    private func read(_ step: ValuePlan.Step, _ row: PostgreSQLRow) -> Any? {
        let column = Int(step.column)
        if row.isNull(column) { return nil }
        switch step.kind {
        case .transformable:
            return step.natural.slot.flatMap {
                TransformableCoding.decode(StoredTransformable(row.data(column)), slot: $0)
            }
        case .relationshipKey:
            let entityColumn = Int(step.entityColumn)
            let entity: Int64? = entityColumn >= 0 && !row.isNull(entityColumn) ? row.int64(entityColumn) : nil
            return plan.object(step, key: row.int64(column), entity: entity)
        case .objectID: return nil
        case .boolean: return NSNumber(value: row.int64(column) != 0)
        case .float: return NSNumber(value: row.float(column))
        case .uri: return URL(string: row.text(column))
        default: return Self.object(row.value(column), isReal: !step.natural.isInteger && step.natural.isNumber)
        }
    }

    /// - Parameter isReal: whether a computed number may have a fraction. A sum of integers is a decimal for the
    ///   server.
    private static func object(_ value: SQLValue, isReal: Bool) -> Any? {
        switch value {
        case .null, .keys, .list: nil
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .decimal(let value): HashableDecimalNumber(decimal: value)
        case .text(let value): value
        case .bytes(let value): value
        case .timestamp(let value): value
        case .uuid(let value): value
        }
    }
}
