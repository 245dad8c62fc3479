/// A growing buffer of values in the server's binary form, one after another.
package struct PostgreSQLBytes: Sendable {
    package private(set) var storage: [UInt8] = []

    package init() {}

    package var count: Int { storage.count }

    @inline(__always) package mutating func append(_ buffer: UnsafeRawBufferPointer) {
        storage.append(contentsOf: buffer)
    }

    @inline(__always) package mutating func append<Number: FixedWidthInteger>(bigEndian value: Number) {
        withUnsafeBytes(of: value.bigEndian) { storage.append(contentsOf: $0) }
    }

    /// Replaces four bytes that are already there.
    @inline(__always) package mutating func replace(at offset: Int, bigEndian value: Int32) {
        storage.withUnsafeMutableBytes {
            $0.storeBytes(of: value.bigEndian, toByteOffset: offset, as: Int32.self)
        }
    }

    package mutating func reserve(_ count: Int) { storage.reserveCapacity(count) }

    package mutating func removeAll() { storage.removeAll(keepingCapacity: true) }

    @inline(__always) package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { storage.append(contentsOf: $0) }
    }

    package mutating func append(_ data: Data) {
        data.withUnsafeBytes { append($0) }
    }

    @inline(__always) package mutating func append(_ value: UUID) {
        withUnsafeBytes(of: value.uuid) { append($0) }
    }
}
