// SPDX-License-Identifier: Apache-2.0

/// A growing buffer of values in the server's binary form, one after another. Copies share the memory until one of them
/// is changed.
///
/// The buffer allocates its memory itself: an array of bytes takes several times as long for the appending of single
/// numbers, of which rows are made.
struct PostgreSQLBytes: Sendable {
    /// Invariant: `base` has `capacity` bytes. The bytes before the count of a buffer are initialized. Only a buffer
    /// with the sole reference to the memory changes them, so that other threads see no change.
    private final class Memory: @unchecked Sendable {
        let base: UnsafeMutableRawPointer
        let capacity: Int

        init(capacity: Int) {
            base = .allocate(byteCount: capacity, alignment: 8)
            self.capacity = capacity
        }

        deinit { base.deallocate() }
    }

    /// Nil for a buffer that has had no bytes.
    private var memory: Memory?
    private(set) var count = 0

    init() {}

    /// Room for more bytes, in memory that no other buffer has.
    @inline(__always)
    private mutating func room(_ size: Int) -> UnsafeMutableRawPointer {
        guard isKnownUniquelyReferenced(&memory) else { return grow(toFit: size) + count }
        let memory = memory.unsafelyUnwrapped
        return memory.capacity - count >= size ? memory.base + count : grow(toFit: size) + count
    }

    @inline(never)
    private mutating func grow(toFit size: Int) -> UnsafeMutableRawPointer {
        let new = Memory(capacity: max(count + size, 2 * count, 64))
        if let memory { new.base.copyMemory(from: memory.base, byteCount: count) }
        memory = new
        return new.base
    }

    mutating func append(_ buffer: UnsafeRawBufferPointer) {
        guard let address = buffer.baseAddress, !buffer.isEmpty else { return }
        room(buffer.count).copyMemory(from: address, byteCount: buffer.count)
        count += buffer.count
    }

    @inline(__always)
    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(bigEndian value: Number) {
        room(MemoryLayout<Number>.size).storeBytes(of: value.bigEndian, as: Number.self)
        count += MemoryLayout<Number>.size
    }

    /// Replaces four bytes that are already there.
    @inline(__always) mutating func replace(at offset: Int, bigEndian value: Int32) {
        precondition(offset >= 0 && offset <= count - 4, "The buffer has no such bytes.")
        (room(0) - count + offset).storeBytes(of: value.bigEndian, as: Int32.self)
    }

    /// Makes room for bytes.
    ///
    /// - Parameter count: the number of all bytes, including the present ones.
    mutating func reserve(_ count: Int) { _ = room(max(0, count - self.count)) }

    /// Removes all bytes and keeps the memory.
    mutating func removeAll() { count = 0 }

    @inline(__always) mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    mutating func append(_ data: Data) {
        data.withUnsafeBytes { append($0) }
    }

    @inline(__always) mutating func append(_ value: UUID) {
        Swift.withUnsafeBytes(of: value.uuid) { append($0) }
    }

    /// Reads the bytes. The address is valid in the body only.
    @inline(__always)
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(memory) {
            try body(UnsafeRawBufferPointer(start: memory?.base, count: count))
        }
    }
}
