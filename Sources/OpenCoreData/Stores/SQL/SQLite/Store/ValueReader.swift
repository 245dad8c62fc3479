internal import CSQLite

/// Reads the values of dictionaries out of the rows of a statement. How each column is read is settled once.
struct ValueReader {
    private struct Step {
        let position: Int32
        /// The place of the actual entity's number, -1 if it is known.
        let entityPosition: Int32
        let kind: SQLStorageKind
        let natural: ProjectedType
        let type: ProjectedType
        /// Whether what is read is of the type already.
        let isExact: Bool
        /// How the elements of a composite attribute are read, in order of its leaves.
        var elements: [Step] = []
    }

    private let steps: [Step]
    private let mapping: LayoutMapping
    private let identity: StoreIdentity
    private let externalValues: ExternalValueReader

    init(
        _ columns: [ProjectedColumn], _ results: [SQLResultColumn], mapping: LayoutMapping, identity: StoreIdentity,
        externalValues: ExternalValueReader
    ) {
        self.mapping = mapping
        self.identity = identity
        self.externalValues = externalValues
        steps = zip(columns, results).map { column, result in
            let isStored = result.kind != .undefined && column.natural.slot != nil
            let leaves = column.natural.slot?.leaves ?? []
            let elements = zip(leaves, result.elementKinds).enumerated().map { place, element in
                let type = ProjectedType.value(element.0.attribute?.attributeType ?? .undefinedAttributeType, element.0)
                return Step(
                    position: Int32(result.position + place), entityPosition: -1, kind: element.1, natural: type,
                    type: type, isExact: true)
            }
            return Step(
                position: Int32(result.position), entityPosition: Int32(result.entityPosition ?? -1), kind: result.kind,
                natural: column.natural,
                type: column.type,
                isExact: (isStored || result.kind == .relationshipKey)
                    && column.type.attributeType == column.natural.attributeType,
                elements: elements)
        }
    }

    /// Steps a statement to its end.
    func readAll(_ statement: SQLiteStatement) throws -> ProjectedRows {
        defer { statement.reset() }
        var rows = ProjectedRows(width: steps.count)
        while try statement.step() {
            for step in steps {
                if !step.elements.isEmpty {
                    rows.values.append(try composite(step, statement.handle))
                    continue
                }
                let value = sqlite3_column_value(statement.handle, step.position)
                guard sqlite3_value_type(value) != SQLITE_NULL else {
                    rows.values.append(nil)
                    continue
                }
                let read = try read(value, step, statement.handle)
                rows.values.append(step.isExact ? read : step.type.value(of: read))
            }
        }
        return rows
    }

    /// The dictionary of a composite attribute, nil if no element has a value.
    private func composite(_ step: Step, _ statement: OpaquePointer) throws -> [String: Any]? {
        guard let slot = step.natural.slot else { return nil }
        var rest = step.elements[...]
        func read(elementsOf slot: PropertySlot) throws -> [String: Any]? {
            var values: [String: Any] = [:]
            for element in slot.elements {
                if element.kind == .composite {
                    values[element.name] = try read(elementsOf: element)
                } else if let step = rest.popFirst() {
                    let value = sqlite3_column_value(statement, step.position)
                    if sqlite3_value_type(value) != SQLITE_NULL {
                        values[element.name] = try self.read(value, step, statement)
                    }
                }
            }
            return values.isEmpty ? nil : values
        }
        return try read(elementsOf: slot)
    }

    private func read(_ value: OpaquePointer?, _ step: Step, _ statement: OpaquePointer) throws -> Any? {
        switch step.kind {
        case .integer16, .integer32, .integer64: return NumberObjects.integer(sqlite3_value_int64(value))
        case .boolean: return NSNumber(value: sqlite3_value_int64(value) != 0)
        case .double: return NumberObjects.double(sqlite3_value_double(value))
        case .float: return NSNumber(value: Float(sqlite3_value_double(value)))
        case .date: return Date(timeIntervalSinceReferenceDate: sqlite3_value_double(value))
        case .string: return SQLiteColumnValue.text(value)
        case .decimal: return SQLiteColumnValue.decimal(value)
        case .uri: return URL(string: SQLiteColumnValue.text(value))
        case .uuid: return SQLiteColumnValue.uuid(SQLiteColumnValue.data(value))
        case .binary: return SQLiteColumnValue.data(value)
        case .externalBinary:
            return try externalValues.value(
                of: SQLiteColumnValue.data(value), entityName: step.natural.slot?.entityName ?? "")
        case .transformable:
            return step.natural.slot.flatMap {
                TransformableCoding.decode(StoredTransformable(SQLiteColumnValue.data(value)), slot: $0)
            }
        case .relationshipKey: return object(sqlite3_value_int64(value), step, statement)
        case .objectID: return nil
        default: return SQLiteColumnValue.any(value)
        }
    }

    private func object(_ key: Int64, _ step: Step, _ statement: OpaquePointer) -> NSManagedObjectID? {
        // Only a damaged file has negative keys, and numbers of other entities.
        guard case .object(let declared) = step.natural, key >= 0 else { return nil }
        var layout = declared
        if step.entityPosition >= 0,
            let actual = mapping.layout(entity: sqlite3_column_int64(statement, step.entityPosition)),
            actual.isKind(of: declared)
        {
            layout = actual
        }
        return NSManagedObjectID(layout: layout, store: identity, key: key)
    }
}
