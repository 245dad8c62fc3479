// SPDX-License-Identifier: Apache-2.0

/// A store on a server, as the source of rows.
package struct PostgreSQLRowSource: SQLRowSource {
    /// The URL in errors.
    let url: URL

    package static var primaryKeyName: String { "z_pk" }

    package func damaged(_ finding: String) -> NSError { PostgreSQLStoreErrors.damaged(url, "It has \(finding).") }
}

/// The values of a row, as cells and dictionaries have them.
extension PostgreSQLRow: SQLRow {
    @inline(__always) package func integer(at column: Int32) -> Int64? {
        isNull(Int(column)) ? nil : int64(Int(column))
    }

    @inline(__always) package func real(at column: Int32, kind: SQLStorageKind) -> Double? {
        if isNull(Int(column)) { return nil }
        return kind == .date ? date(Int(column)).timeIntervalSinceReferenceDate : double(Int(column))
    }

    @inline(__always) package func string(at column: Int32) -> String? {
        isNull(Int(column)) ? nil : text(Int(column))
    }

    package func object(
        at column: Int32, kind: SQLStorageKind, origin: () -> (source: PostgreSQLRowSource, entityName: String)
    ) throws -> AnyObject? {
        let column = Int(column)
        if isNull(column) { return nil }
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

    package func value(of step: ValuePlan.Step, in source: PostgreSQLRowSource) throws -> Any? {
        let column = Int(step.column)
        if isNull(column) { return nil }
        switch step.kind {
        case .boolean: return NSNumber(value: int64(column) != 0)
        case .float: return NSNumber(value: float(column))
        case .uri: return URL(string: text(column))
        default: break
        }
        return switch value(column) {
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
