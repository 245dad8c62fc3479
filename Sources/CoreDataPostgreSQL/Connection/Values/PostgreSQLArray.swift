// SPDX-License-Identifier: Apache-2.0

/// An array of one type in the server's binary form, for a parameter.
struct PostgreSQLArray: PostgreSQLValueWriter, Sendable {
    let type: PostgreSQLType
    private(set) var count = 0
    var bytes = PostgreSQLBytes()
    private var hasNull = false
    private var start = 0

    static let headerSize = 20
    /// The bytes of an element of the most frequent types.
    static let elementSize = 12

    init(type: PostgreSQLType) {
        self.type = type
        Self.appendHeader(type: type, count: 1, to: &bytes)
    }

    init(type: PostgreSQLType, capacity: Int) {
        self.type = type
        bytes.reserve(Self.headerSize + capacity * Self.elementSize)
        Self.appendHeader(type: type, count: 1, to: &bytes)
    }

    @inline(__always) mutating func beginValue(_ type: PostgreSQLType) {
        precondition(type == self.type, "An array has elements of one type.")
        start = bytes.count
        bytes.append(bigEndian: Int32(0))
    }

    @inline(__always) mutating func endValue() {
        bytes.replace(at: start, bigEndian: Int32(clamping: bytes.count - start - 4))
        count += 1
    }

    @inline(__always) mutating func writeNull(_ type: PostgreSQLType) {
        precondition(type == self.type, "An array has elements of one type.")
        bytes.append(bigEndian: Int32(-1))
        hasNull = true
        count += 1
    }

    mutating func appendNull() { writeNull(type) }

    /// Appends a value as the type of the array.
    mutating func append(_ value: SQLValue) { append(value, as: type) }

    /// Removes all elements and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll()
        count = 0
        hasNull = false
        Self.appendHeader(type: type, count: 1, to: &bytes)
    }

    /// Appends the complete binary form to bytes.
    func append(to other: inout PostgreSQLBytes) {
        Self.appendHeader(type: type, count: count, hasNull: hasNull, to: &other)
        guard count > 0 else { return }
        bytes.withUnsafeBytes { other.append(UnsafeRawBufferPointer(rebasing: $0[Self.headerSize...])) }
    }

    /// How many bytes the complete binary form has, at most.
    var size: Int { bytes.count }

    /// Appends what precedes the elements: the count of dimensions, whether there are nulls, the type, and for the one
    /// dimension its count and first index. An array without elements has no dimension.
    static func appendHeader(
        type: PostgreSQLType, count: Int, hasNull: Bool = false, to bytes: inout PostgreSQLBytes
    ) {
        bytes.append(bigEndian: Int32(count > 0 ? 1 : 0))
        bytes.append(bigEndian: Int32(hasNull ? 1 : 0))
        bytes.append(bigEndian: type.oid)
        guard count > 0 else { return }
        bytes.append(bigEndian: Int32(count))
        bytes.append(bigEndian: Int32(1))
    }

    /// The count of elements of an array in binary form.
    static func count(inBytes bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count >= headerSize else { return 0 }
        return Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: 12, as: Int32.self)))
    }
}
