// SPDX-License-Identifier: Apache-2.0

/// The parameters of a statement in the server's binary form, each with its type.
///
/// All values are in one buffer, so that a value needs no allocation.
struct PostgreSQLParameters: PostgreSQLValueWriter, Sendable {
    var bytes = PostgreSQLBytes()
    /// The number of the type of each parameter.
    private(set) var types: [UInt32] = []
    private var starts: [Int] = []
    /// -1 for null.
    private var lengths: [Int32] = []

    /// The server's limit of parameters of one statement.
    static let maximumCount = 65_535
    /// The server's limit of the bytes of one message, a little less than 1 GB. Room is left for what libpq adds.
    static let maximumSize = 0x3FFF_FFFF - 0x10_0000

    init() {}

    var count: Int { types.count }

    mutating func reserve(_ count: Int, bytes size: Int = 0) {
        types.reserveCapacity(count)
        starts.reserveCapacity(count)
        lengths.reserveCapacity(count)
        bytes.reserve(size)
    }

    @inline(__always) mutating func beginValue(_ type: PostgreSQLType) {
        types.append(type.oid)
        starts.append(bytes.count)
    }

    /// Starts a value that is an array.
    @inline(__always) mutating func beginArray(_ type: PostgreSQLType) {
        types.append(type.arrayOID)
        starts.append(bytes.count)
    }

    @inline(__always) mutating func endValue() {
        lengths.append(Int32(clamping: bytes.count - starts[starts.count - 1]))
    }

    @inline(__always) mutating func writeNull(_ type: PostgreSQLType) { writeNull(oid: type.oid) }

    /// Appends an array, for `unnest($1::bigint[])` and the like.
    mutating func append(array: PostgreSQLArray) {
        beginArray(array.type)
        array.append(to: &bytes)
        endValue()
    }

    /// Appends an array of `bigint`, for `= ANY($1::bigint[])`.
    mutating func append(keys: [Int64]) {
        beginArray(.int8)
        bytes.reserve(bytes.count + PostgreSQLArray.headerSize + keys.count * 12)
        PostgreSQLArray.appendHeader(type: .int8, count: keys.count, to: &bytes)
        for key in keys {
            bytes.append(bigEndian: Int32(8))
            bytes.append(bigEndian: key)
        }
        endValue()
    }

    private mutating func writeNull(oid: UInt32) {
        types.append(oid)
        starts.append(bytes.count)
        lengths.append(-1)
    }

    /// The parameters as libpq takes them. The pointers are valid in the body only.
    func withArguments<Result>(_ body: (Arguments) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { bytes in
            try withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count + 1) { values in
                try withUnsafeTemporaryAllocation(of: Int32.self, capacity: count + 1) { formats in
                    // An empty value isn't null, so it needs an address too.
                    let base = (bytes.baseAddress ?? UnsafeRawPointer(formats.baseAddress!))
                        .assumingMemoryBound(to: CChar.self)
                    for index in 0..<count {
                        values.initializeElement(at: index, to: lengths[index] < 0 ? nil : base + starts[index])
                        formats.initializeElement(at: index, to: 1)
                    }
                    return try types.withUnsafeBufferPointer { types in
                        try lengths.withUnsafeBufferPointer { lengths in
                            try body(
                                Arguments(
                                    count: Int32(types.count), types: types.baseAddress, values: values.baseAddress,
                                    lengths: lengths.baseAddress, formats: formats.baseAddress))
                        }
                    }
                }
            }
        }
    }

    struct Arguments {
        let count: Int32
        let types: UnsafePointer<UInt32>?
        let values: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        let lengths: UnsafePointer<Int32>?
        let formats: UnsafeMutablePointer<Int32>?
    }
}

extension PostgreSQLParameters {
    /// The values, for the log. An array is a text with the count of its elements.
    var values: [SQLValue] {
        bytes.withUnsafeBytes { bytes in
            (0..<count).map { index in
                guard lengths[index] >= 0 else { return .null }
                let value = UnsafeRawBufferPointer(rebasing: bytes[starts[index]..<starts[index] + Int(lengths[index])])
                if let type = PostgreSQLType(oid: types[index]) {
                    return PostgreSQLValue.decode(value, as: type) ?? .null
                }
                return .text("an array of \(PostgreSQLArray.count(inBytes: value))")
            }
        }
    }
}

extension PostgreSQLParameters {
    /// Appends a value of a statement with its own type; a list becomes an array.
    mutating func append(statementValue value: SQLValue) {
        switch value {
        case .null: appendNull(of: .text)
        case .integer(let value): append(int64: value)
        case .real(let value): append(double: value)
        case .decimal(let value): append(numeric: value)
        case .text(let value): append(text: value)
        case .bytes(let value): append(bytes: value)
        case .timestamp(let value): append(timestamp: value)
        case .uuid(let value): append(uuid: value)
        case .keys(let keys): append(keys: keys)
        case .list(let values):
            var array = PostgreSQLArray(type: PostgreSQLType(ofList: values) ?? .text, capacity: values.count)
            for value in values { array.append(value) }
            append(array: array)
        case .parameter(_, let value): append(statementValue: value)
        }
    }
}

extension PostgreSQLParameters {
    /// Appends a value of other parameters.
    mutating func append(_ other: PostgreSQLParameters, at index: Int) {
        types.append(other.types[index])
        starts.append(bytes.count)
        guard other.lengths[index] >= 0 else { return lengths.append(-1) }
        let start = other.starts[index]
        other.bytes.withUnsafeBytes {
            bytes.append(UnsafeRawBufferPointer(rebasing: $0[start..<start + Int(other.lengths[index])]))
        }
        lengths.append(other.lengths[index])
    }
}
