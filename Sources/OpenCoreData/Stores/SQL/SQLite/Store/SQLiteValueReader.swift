internal import SQLiteLibrary

/// Steps statements and reads the values of dictionaries as a value plan says.
struct SQLiteValueReader {
    let plan: ValuePlan
    let externalValues: SQLiteExternalValueReader

    /// Steps a statement to its end.
    func readAll(_ statement: SQLiteStatement) throws -> ProjectedRows {
        defer { statement.reset() }
        let handle = statement.handle
        var rows = ProjectedRows(width: plan.steps.count)
        while try statement.step() {
            for step in plan.steps {
                if !step.elements.isEmpty {
                    rows.values.append(try plan.composite(step) { try read($0, handle) })
                } else if let value = try read(step, handle) {
                    rows.values.append(step.isExact ? value : step.type.value(of: value))
                } else {
                    rows.values.append(nil)
                }
            }
        }
        return rows
    }

    /// A stored value, nil for NULL.
    private func read(_ step: ValuePlan.Step, _ statement: OpaquePointer) throws -> Any? {
        let value = sqlite3_column_value(statement, step.column)
        if sqlite3_value_type(value) == SQLITE_NULL { return nil }
        switch step.kind {
        case .integer16, .integer32, .integer64: return NumberObjects.integer(sqlite3_value_int64(value))
        case .boolean: return NSNumber(value: sqlite3_value_int64(value) != 0)
        case .double: return NumberObjects.double(sqlite3_value_double(value))
        case .float: return NSNumber(value: Float(sqlite3_value_double(value)))
        case .date: return Date(timeIntervalSinceReferenceDate: sqlite3_value_double(value))
        case .string: return SQLiteColumnValue.text(value)
        case .decimal: return SQLiteColumnValue.decimal(value)
        case .uri: return URL(string: SQLiteColumnValue.text(value))
        case .uuid: return SQLiteColumnValue.uuid(value)
        case .binary: return SQLiteColumnValue.data(value)
        case .externalBinary:
            return try externalValues.value(
                of: SQLiteColumnValue.data(value), entityName: step.natural.slot?.entityName ?? "")
        case .transformable:
            return step.natural.slot.flatMap {
                TransformableCoding.decode(StoredTransformable(SQLiteColumnValue.data(value)), slot: $0)
            }
        case .relationshipKey:
            return plan.object(
                step, key: sqlite3_value_int64(value),
                entity: step.entityColumn >= 0 ? sqlite3_column_int64(statement, step.entityColumn) : nil)
        case .objectID: return nil
        default: return SQLiteColumnValue.any(value)
        }
    }
}
