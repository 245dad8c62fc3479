// SPDX-License-Identifier: Apache-2.0

/// Reads single values from the server's binary form.
enum PostgreSQLValue {
    @inline(__always) static func load<Number: FixedWidthInteger>(_ bytes: UnsafeRawPointer, as type: Number.Type)
        -> Number
    {
        Number(bigEndian: bytes.loadUnaligned(as: type))
    }

    /// An integer or a truth value of any width.
    @inline(__always) static func integer(_ bytes: UnsafeRawPointer, count: Int) -> Int64 {
        switch count {
        case 8: load(bytes, as: Int64.self)
        case 4: Int64(load(bytes, as: Int32.self))
        case 2: Int64(load(bytes, as: Int16.self))
        case 1: Int64(bytes.load(as: UInt8.self))
        default: 0
        }
    }

    @inline(__always) static func double(_ bytes: UnsafeRawPointer, count: Int) -> Double {
        switch count {
        case 8: Double(bitPattern: load(bytes, as: UInt64.self))
        case 4: Double(Float(bitPattern: load(bytes, as: UInt32.self)))
        default: 0
        }
    }

    @inline(__always) static func uuid(_ bytes: UnsafeRawPointer) -> UUID {
        UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    /// Whether an integer or a truth value may have a length.
    @inline(__always) static func isInteger(length: Int) -> Bool {
        length == 8 || length == 4 || length == 2 || length == 1
    }

    /// Whether bytes have the length of a type, by which they can be read.
    static func isWhole(_ bytes: UnsafeRawBufferPointer, of type: PostgreSQLType) -> Bool {
        switch type {
        case .bool: bytes.count == 1
        case .int2: bytes.count == 2
        case .int4, .float4: bytes.count == 4
        case .int8, .float8, .timestamptz: bytes.count == 8
        case .uuid: bytes.count == 16
        case .numeric: PostgreSQLNumeric.isWhole(bytes)
        case .jsonb: bytes.count >= 1
        case .text, .bytea: true
        }
    }

    /// The value of bytes; nil if they haven't the form of the type.
    static func decode(_ bytes: UnsafeRawBufferPointer, as type: PostgreSQLType) -> SQLValue? {
        guard isWhole(bytes, of: type) else { return nil }
        guard let base = bytes.baseAddress else { return type == .bytea ? .bytes(Data()) : .text("") }
        switch type {
        case .bool, .int2, .int4, .int8: return .integer(integer(base, count: bytes.count))
        case .float4, .float8: return .real(double(base, count: bytes.count))
        case .numeric: return .decimal(PostgreSQLNumeric.decimal(bytes))
        case .text: return .text(String(decoding: bytes, as: UTF8.self))
        case .jsonb: return .text(String(decoding: bytes.dropFirst(), as: UTF8.self))
        case .bytea: return .bytes(Data(bytes))
        case .timestamptz: return .timestamp(PostgreSQLTimestamp.date(microseconds: load(base, as: Int64.self)))
        case .uuid: return .uuid(uuid(base))
        }
    }
}
