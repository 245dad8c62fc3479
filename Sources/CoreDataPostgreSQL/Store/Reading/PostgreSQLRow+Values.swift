// SPDX-License-Identifier: Apache-2.0

/// A store on a server, as the source of rows.
struct PostgreSQLRowSource: SQLRowSource {
    /// The URL in errors.
    let url: URL

    static var primaryKeyName: String { "z_pk" }

    func damaged(_ finding: String) -> NSError { PostgreSQLStoreErrors.damaged(url, "It has \(finding).") }
}

/// The values of a row, as cells and dictionaries have them.
extension PostgreSQLRow: SQLRow {
    @inline(__always) func integer(at column: Int32) throws -> Int64? {
        let column = Int(column)
        if isNull(column) { return nil }
        guard PostgreSQLValue.isInteger(length: length(column)) else { throw damage(at: column) }
        return int64(column)
    }

    @inline(__always) func real(at column: Int32, kind: SQLStorageKind) throws -> Double? {
        let column = Int(column)
        if isNull(column) { return nil }
        let length = length(column)
        guard length == 8 || length == 4 && kind != .date else { throw damage(at: column) }
        return kind == .date ? date(column).timeIntervalSinceReferenceDate : double(column)
    }

    @inline(__always) func string(at column: Int32) -> String? {
        isNull(Int(column)) ? nil : text(Int(column))
    }

    func object(
        at column: Int32, kind: SQLStorageKind, origin: () -> (source: PostgreSQLRowSource, entityName: String)
    ) throws -> AnyObject? {
        let column = Int(column)
        if isNull(column) { return nil }
        if let type = PostgreSQLType(ofObject: kind), !PostgreSQLValue.isWhole(bytes(column), of: type) {
            throw damage(at: column)
        }
        return switch kind {
        case .decimal: HashableDecimalNumber(decimal: decimal(column))
        case .binary, .externalBinary: Box(data(column))
        case .uuid: Box(uuid(column))
        case .uri: URL(string: text(column)).map { Box($0) }
        case .transformable: StoredTransformable(data(column))
        case .undefined: PostgreSQLUntyped.value(jsonb(column)).map { Box<Any>($0) }
        default: nil
        }
    }

    func value(of step: ValuePlan.Step, in source: PostgreSQLRowSource) throws -> Any? {
        let column = Int(step.column)
        if isNull(column) { return nil }
        switch step.kind {
        case .boolean: return try integer(at: step.column).map { NSNumber(value: $0 != 0) }
        case .float: return try real(at: step.column, kind: .float).map { NSNumber(value: Float($0)) }
        case .uri: return URL(string: text(column))
        default: break
        }
        return switch try checkedValue(column) {
        case .null, .keys, .list, .parameter: nil
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

extension PostgreSQLType {
    /// The type of a value that is an object in a cell, if not any bytes are one.
    fileprivate init?(ofObject kind: SQLStorageKind) {
        switch kind {
        case .decimal: self = .numeric
        case .uuid: self = .uuid
        case .undefined: self = .jsonb
        default: return nil
        }
    }
}

extension PostgreSQLRow {
    @inline(never)
    private func damage(at column: Int) -> PostgreSQLDamage {
        PostgreSQLDamage(column: column, name: columnName(column), length: length(column))
    }

    /// The value of a column; see ``value(_:)``.
    ///
    /// - Throws: `PostgreSQLDamage` for a value that hasn't the form of its type.
    func checkedValue(_ column: Int) throws -> SQLValue {
        guard let value = valueIfWhole(column) else { throw damage(at: column) }
        return value
    }
}

/// A value that no server sends: its length doesn't fit its type, or the row has no such column. The column doesn't
/// have the type that the store has given it, or the server is damaged or hostile.
struct PostgreSQLDamage: Error {
    /// The position in the result.
    let column: Int
    /// The name in the result; nil for a row of a COPY, which has none.
    let name: String?
    /// The number of its bytes; 0 for a column that the row doesn't have.
    let length: Int

    /// The error of a damaged store (259).
    ///
    /// - Parameters:
    ///   - url: the URL of the store, without a password.
    ///   - plan: has the names of the columns and of the table.
    func storeError(_ url: URL, _ plan: RowPlan? = nil) -> NSError {
        let columns = plan?.selectedColumns ?? []
        let name = column < columns.count ? columns[column] : self.name
        let table = plan.flatMap { $0.mapping.entity($0.layout)?.tableName }
        let place = (name ?? "\(column + 1) of a result") + (table.map { " of the table \($0)" } ?? "")
        return PostgreSQLStoreErrors.damaged(
            url, "It has a value of \(length) bytes in the column \(place), which isn\u{2019}t the form of its type.")
    }
}
