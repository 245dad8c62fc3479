/// Addresses by 64-bit key: open addressing on the key itself, unscrambled, since primary keys are dense.
///
/// Not thread safe; its owner's lock guards it.
struct KeyTable: ~Copyable, @unchecked Sendable {
    /// Where a value is; what may be done with it, its owner knows.
    struct Address: Equatable, @unchecked Sendable {
        let pointer: UnsafeRawPointer

        @inline(__always) init(_ pointer: UnsafeRawPointer) { self.pointer = pointer }
        @inline(__always) init(_ object: AnyObject) { pointer = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()) }
    }

    private var keys: UnsafeMutablePointer<Int64>
    private var values: UnsafeMutablePointer<Address?>
    private var mask: Int
    private(set) var count = 0

    init(minimumCapacity: Int = 8) {
        var size = 16
        while size * 3 < minimumCapacity * 4 { size *= 2 }
        mask = size - 1
        keys = .allocate(capacity: size)
        values = .allocate(capacity: size)
        keys.initialize(repeating: 0, count: size)
        values.initialize(repeating: nil, count: size)
    }

    deinit {
        keys.deallocate()
        values.deallocate()
    }

    @inline(__always)
    private func index(of key: Int64) -> Int {
        var index = Int(truncatingIfNeeded: key) & mask
        while values[index] != nil && keys[index] != key { index = (index + 1) & mask }
        return index
    }

    @inline(__always)
    subscript(key: Int64) -> Address? { values[index(of: key)] }

    @inline(__always)
    mutating func set(_ value: Address, for key: Int64) {
        let slot = index(of: key)
        if values[slot] == nil {
            count += 1
            if count * 4 > (mask + 1) * 3 {
                count -= 1
                grow()
                set(value, for: key)
                return
            }
        }
        keys[slot] = key
        values[slot] = value
    }

    /// Removes the entry of `key` if it holds `value`.
    mutating func remove(_ key: Int64, ifHolding value: Address? = nil) {
        var hole = index(of: key)
        guard let present = values[hole], value == nil || present == value else { return }
        count -= 1
        // Close the gap, so that no probe sequence is cut.
        var next = (hole + 1) & mask
        while values[next] != nil {
            let home = Int(truncatingIfNeeded: keys[next]) & mask
            if (next &- home) & mask >= (next &- hole) & mask {
                keys[hole] = keys[next]
                values[hole] = values[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        values[hole] = nil
    }

    mutating func reserve(_ capacity: Int) {
        while capacity * 4 > (mask + 1) * 3 { grow() }
    }

    func forEach(_ body: (Int64, Address) -> Void) {
        for index in 0...mask {
            if let value = values[index] { body(keys[index], value) }
        }
    }

    private mutating func grow() {
        let oldKeys = keys, oldValues = values, oldMask = mask
        let size = (mask + 1) * 2
        mask = size - 1
        keys = .allocate(capacity: size)
        values = .allocate(capacity: size)
        keys.initialize(repeating: 0, count: size)
        values.initialize(repeating: nil, count: size)
        for old in 0...oldMask {
            guard let value = oldValues[old] else { continue }
            let slot = index(of: oldKeys[old])
            keys[slot] = oldKeys[old]
            values[slot] = value
        }
        oldKeys.deallocate()
        oldValues.deallocate()
    }
}
