// SPDX-License-Identifier: Apache-2.0

/// Takes values of the server's types: parameters, the elements of an array, or the fields of a copied row.
protocol PostgreSQLValueWriter {
    var bytes: PostgreSQLBytes { get set }

    /// Starts a value of a type that isn't null. Its bytes follow.
    mutating func beginValue(_ type: PostgreSQLType)
    /// Ends the value.
    mutating func endValue()
    /// Takes a null of a type.
    mutating func writeNull(_ type: PostgreSQLType)
}

extension PostgreSQLValueWriter {
    @inline(__always) mutating func append(bool value: Bool) {
        beginValue(.bool)
        bytes.append(bigEndian: UInt8(value ? 1 : 0))
        endValue()
    }

    @inline(__always) mutating func append(int16 value: Int16) {
        beginValue(.int2)
        bytes.append(bigEndian: value)
        endValue()
    }

    @inline(__always) mutating func append(int32 value: Int32) {
        beginValue(.int4)
        bytes.append(bigEndian: value)
        endValue()
    }

    @inline(__always) mutating func append(int64 value: Int64) {
        beginValue(.int8)
        bytes.append(bigEndian: value)
        endValue()
    }

    @inline(__always) mutating func append(float value: Float) {
        beginValue(.float4)
        bytes.append(bigEndian: value.bitPattern)
        endValue()
    }

    @inline(__always) mutating func append(double value: Double) {
        beginValue(.float8)
        bytes.append(bigEndian: value.bitPattern)
        endValue()
    }

    mutating func append(numeric value: Decimal) {
        beginValue(.numeric)
        PostgreSQLNumeric.append(value, to: &bytes)
        endValue()
    }

    @inline(__always) mutating func append(text value: String) {
        beginValue(.text)
        bytes.append(value)
        endValue()
    }

    mutating func append(bytes value: Data) {
        beginValue(.bytea)
        bytes.append(value)
        endValue()
    }

    mutating func append(bytes value: UnsafeRawBufferPointer) {
        beginValue(.bytea)
        bytes.append(value)
        endValue()
    }

    /// Appends a date, rounded to microseconds; null if it is not a number.
    @inline(__always) mutating func append(timestamp value: Date) {
        guard !value.timeIntervalSinceReferenceDate.isNaN else { return writeNull(.timestamptz) }
        beginValue(.timestamptz)
        bytes.append(bigEndian: PostgreSQLTimestamp.microseconds(of: value))
        endValue()
    }

    @inline(__always) mutating func append(uuid value: UUID) {
        beginValue(.uuid)
        bytes.append(value)
        endValue()
    }

    /// Appends a document of JSON.
    mutating func append(jsonb value: String) {
        beginValue(.jsonb)
        // The version of the binary form.
        bytes.append(bigEndian: UInt8(1))
        bytes.append(value)
        endValue()
    }

    mutating func appendNull(of type: PostgreSQLType) { writeNull(type) }

    /// Appends a value as a type, which can hold it.
    mutating func append(_ value: SQLValue, as type: PostgreSQLType) {
        switch value {
        case .null: writeNull(type)
        case .integer(let value): append(integer: value, as: type)
        case .real(let value): append(real: value, as: type)
        case .decimal(let value): append(decimal: value, as: type)
        case .text(let value):
            if type == .jsonb { return append(jsonb: value) }
            require(type, .text)
            append(text: value)
        case .bytes(let value):
            require(type, .bytea)
            append(bytes: value)
        case .timestamp(let value):
            require(type, .timestamptz)
            append(timestamp: value)
        case .uuid(let value):
            require(type, .uuid)
            append(uuid: value)
        case .keys, .list:
            preconditionFailure("A list is a parameter, not a value in one.")
        case .parameter(_, let value): append(value, as: type)
        }
    }

    private mutating func append(integer value: Int64, as type: PostgreSQLType) {
        switch type {
        case .bool where value == 0 || value == 1: append(bool: value == 1)
        case .int2 where Int16(exactly: value) != nil: append(int16: Int16(value))
        case .int4 where Int32(exactly: value) != nil: append(int32: Int32(value))
        case .float4 where Int64(exactly: Float(value)) == value: append(float: Float(value))
        case .float8 where Int64(exactly: Double(value)) == value: append(double: Double(value))
        case .numeric: append(numeric: Decimal(value))
        default:
            require(type, .int8)
            append(int64: value)
        }
    }

    private mutating func append(real value: Double, as type: PostgreSQLType) {
        switch type {
        case .float4 where value.isNaN || Double(Float(value)) == value: append(float: Float(value))
        case .int2 where Int16(exactly: value) != nil: append(int16: Int16(value))
        case .int4 where Int32(exactly: value) != nil: append(int32: Int32(value))
        case .int8 where Int64(exactly: value) != nil: append(int64: Int64(value))
        case .timestamptz: append(timestamp: Date(timeIntervalSinceReferenceDate: value))
        default:
            require(type, .float8)
            append(double: value)
        }
    }

    private mutating func append(decimal value: Decimal, as type: PostgreSQLType) {
        switch type {
        case .float8: append(double: value.nearestDouble)
        case .float4: append(float: Float(value.nearestDouble))
        case .int2, .int4, .int8:
            guard let integer = Int64("\(value)") else { fallthrough }
            append(integer: integer, as: type)
        default:
            require(type, .numeric)
            append(numeric: value)
        }
    }

    private func require(_ type: PostgreSQLType, _ own: PostgreSQLType) {
        precondition(
            type == own, "A value of the type \(own.name) was appended where each is a \(type.name).")
    }
}
