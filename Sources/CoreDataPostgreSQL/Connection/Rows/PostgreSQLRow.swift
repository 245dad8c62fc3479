// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// A row of a result or of a COPY. Columns are numbered from 0.
///
/// The caller knows the type of each column. An accessor of a null, of a column that the row doesn't have, and of a
/// value of another length than its type has, gives 0, an empty text and the like: ask `isNull(_:)` first. The
/// accessors of `SQLRow` throw.
struct PostgreSQLRow {
    /// Where a value of a row is.
    struct Field {
        let address: UnsafeRawPointer
        /// -1 for null.
        let length: Int32
    }

    /// The result of a row that isn't copied.
    private let result: OpaquePointer?
    private let index: Int32
    /// Keeps the result alive. The row of a cursor has no owner.
    private let owner: PostgreSQLResult?
    /// The values of a row of a COPY, which the cursor keeps until its next row.
    private let fields: UnsafeBufferPointer<Field>?

    init(result: OpaquePointer, index: Int32, owner: PostgreSQLResult?) {
        self.result = result
        self.index = index
        self.owner = owner
        fields = nil
    }

    init(fields: UnsafeBufferPointer<Field>) {
        result = nil
        index = 0
        owner = nil
        self.fields = fields
    }

    var columnCount: Int { fields?.count ?? Int(PQnfields(result)) }

    @inline(__always) func isNull(_ column: Int) -> Bool {
        if let fields { return column < fields.count && fields[column].length < 0 }
        return PQgetisnull(result, index, Int32(column)) != 0 && column < PQnfields(result)
    }

    /// An integer or a truth value of any width. A value that doesn't fit is truncated.
    @inline(__always) func int64(_ column: Int) -> Int64 {
        PostgreSQLValue.integer(address(column), count: length(column))
    }

    @inline(__always) func bool(_ column: Int) -> Bool { int64(column) != 0 }

    /// A number of the type `double precision` or `real`.
    @inline(__always) func double(_ column: Int) -> Double {
        PostgreSQLValue.double(address(column), count: length(column))
    }

    @inline(__always) func date(_ column: Int) -> Date {
        length(column) == 8
            ? PostgreSQLTimestamp.date(microseconds: PostgreSQLValue.load(address(column), as: Int64.self))
            : Date(timeIntervalSinceReferenceDate: 0)
    }

    /// A number of the type `numeric`, rounded to the digits that `Decimal` has. An infinite number, or one that is too
    /// large, becomes NaN.
    func decimal(_ column: Int) -> Decimal {
        PostgreSQLNumeric.isWhole(bytes(column)) ? PostgreSQLNumeric.decimal(bytes(column)) : Decimal()
    }

    @inline(__always) func text(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// A document of JSON in a column of the type `jsonb`.
    func jsonb(_ column: Int) -> String { String(decoding: bytes(column).dropFirst(), as: UTF8.self) }

    /// The bytes of a value. They are valid as long as the result of the row.
    @inline(__always) func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: address(column), count: length(column))
    }

    func data(_ column: Int) -> Data { Data(bytes(column)) }

    @inline(__always) func uuid(_ column: Int) -> UUID {
        length(column) == 16 ? PostgreSQLValue.uuid(address(column)) : UUID(uuid: UUID.zero)
    }

    /// The value of a column, by the type that the result gives; a COPY gives none. Nil if it doesn't have the form of
    /// its type. Names and other kinds of text are texts, object and transaction identifiers integers; a value of
    /// another type is read as bytes.
    func valueIfWhole(_ column: Int) -> SQLValue? {
        if isNull(column) { return .null }
        guard column < columnCount else { return nil }
        precondition(fields == nil, "A row of a COPY doesn't know the types of its values.")
        let oid = PQftype(result, Int32(column))
        if let type = PostgreSQLType(oid: oid) { return PostgreSQLValue.decode(bytes(column), as: type) }
        switch oid {
        case 18, 19, 114, 1042, 1043: return .text(text(column))
        case 26, 28: return .integer(int64(column) & 0xFFFF_FFFF)
        case 5069: return .integer(int64(column))
        default: return .bytes(data(column))
        }
    }

    /// The name of a column; nil in a row of a COPY.
    func columnName(_ column: Int) -> String? {
        guard fields == nil, let name = PQfname(result, Int32(column)) else { return nil }
        return String(cString: name)
    }

    /// The number of bytes of a value: 0 for null and for a column that the row doesn't have.
    @inline(__always) func length(_ column: Int) -> Int {
        if let fields { return column < fields.count ? max(0, Int(fields[column].length)) : 0 }
        return Int(PQgetlength(result, index, Int32(column)))
    }

    /// The bytes of a value. Nothing is read where its length is 0.
    @inline(__always) private func address(_ column: Int) -> UnsafeRawPointer {
        if let fields { return column < fields.count ? fields[column].address : Self.noBytes }
        return PQgetvalue(result, index, Int32(column)).map { UnsafeRawPointer($0) } ?? Self.noBytes
    }

    nonisolated(unsafe) private static let noBytes = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 8))
}

extension UUID {
    fileprivate static let zero: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}
