/// Addresses by 64-bit key, for keys that mostly come in runs.
///
/// Open addressing in blocks of sixteen: neighbouring keys are neighbours in memory, while the blocks are scattered by
/// a hash, so that runs which differ by a multiple of the table's size don't pile up. A removed entry leaves a mark,
/// which goes as soon as the chain behind it ends. Not thread safe; its owner's lock guards it.
struct KeyTable: ~Copyable, @unchecked Sendable {
    /// Where a value is; what may be done with it, its owner knows.
    struct Address: Equatable, @unchecked Sendable {
        let pointer: UnsafeRawPointer

        @inline(__always) init(_ pointer: UnsafeRawPointer) { self.pointer = pointer }
        @inline(__always) init(_ object: AnyObject) {
            pointer = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        }
    }

    /// Addresses that one thread hands to a table.
    struct AddressList: @unchecked Sendable {
        let addresses: UnsafeBufferPointer<UnsafeRawPointer>

        init(_ addresses: UnsafeBufferPointer<UnsafeRawPointer>) { self.addresses = addresses }
    }

    private struct Entry {
        var key: Int64
        /// The address; 0 for a free slot, 1 for a removed entry.
        var bits: UInt

        static let free = Entry(key: 0, bits: 0)
    }

    private static let removed: UInt = 1
    private static let block = 16

    private var entries: UnsafeMutablePointer<Entry>
    private var mask: Int
    /// Entries and marks of each place in the blocks: the slots of one place are a chain of their own.
    private let used: UnsafeMutablePointer<Int>
    private(set) var count = 0

    init() {
        mask = 31
        entries = .allocate(capacity: 32)
        entries.initialize(repeating: .free, count: 32)
        used = .allocate(capacity: Self.block)
        used.initialize(repeating: 0, count: Self.block)
    }

    deinit {
        entries.deallocate()
        used.deallocate()
    }

    @inline(__always)
    private func home(_ key: Int64) -> Int {
        let scattered = UInt64(bitPattern: key >> 4) &* 0x9E37_79B9_7F4A_7C15
        return (Int(truncatingIfNeeded: scattered >> 32) << 4 | Int(truncatingIfNeeded: key & 15)) & mask
    }

    @inline(__always)
    subscript(key: Int64) -> Address? {
        var slot = home(key)
        // Every chain has a free slot (see `set`), so the search ends.
        while true {
            let entry = entries[slot]
            if entry.bits == 0 { return nil }
            if entry.key == key && entry.bits != Self.removed {
                return Address(UnsafeRawPointer(bitPattern: entry.bits).unsafelyUnwrapped)
            }
            slot = (slot + Self.block) & mask
        }
    }

    @inline(__always)
    mutating func set(_ value: Address, for key: Int64) {
        let bits = UInt(bitPattern: value.pointer)
        var slot = home(key)
        var reusable = -1
        while true {
            let entry = entries[slot]
            if entry.bits == 0 { break }
            if entry.bits == Self.removed {
                if reusable < 0 { reusable = slot }
            } else if entry.key == key {
                entries[slot].bits = bits
                return
            }
            slot = (slot + Self.block) & mask
        }
        count += 1
        if reusable >= 0 {
            entries[reusable] = Entry(key: key, bits: bits)
            return
        }
        entries[slot] = Entry(key: key, bits: bits)
        let place = Int(truncatingIfNeeded: key & 15)
        used[place] += 1
        // Keys of one place alone may fill their chain while the table is nearly empty.
        if used[place] * 8 > (mask + 1) / Self.block * 6 { rebuild(minimum: count * 2) }
    }

    /// Removes the entry of `key`, if it holds `value` where one is given.
    mutating func remove(_ key: Int64, ifHolding value: Address? = nil) {
        var slot = home(key)
        while true {
            let entry = entries[slot]
            if entry.bits == 0 { return }
            if entry.key == key && entry.bits != Self.removed { break }
            slot = (slot + Self.block) & mask
        }
        if let value, entries[slot].bits != UInt(bitPattern: value.pointer) { return }
        count -= 1
        entries[slot].bits = Self.removed
        guard entries[(slot + Self.block) & mask].bits == 0 else { return }
        // The chain ends here: marks at its end serve nobody.
        while entries[slot].bits == Self.removed {
            entries[slot].bits = 0
            used[Int(truncatingIfNeeded: key & 15)] -= 1
            slot = (slot - Self.block) & mask
        }
    }

    func forEachEntry(_ body: (Int64, Address) -> Void) {
        for slot in 0...mask where entries[slot].bits > Self.removed {
            body(entries[slot].key, Address(UnsafeRawPointer(bitPattern: entries[slot].bits).unsafelyUnwrapped))
        }
    }

    /// Moves the entries into a table with room for `minimum`, without marks, larger if some chain would be nearly
    /// full.
    @inline(never)
    private mutating func rebuild(minimum: Int) {
        var size = 32
        while minimum * 8 > size * 5 { size *= 2 }
        while true {
            let old = entries
            let oldMask = mask
            let new = UnsafeMutablePointer<Entry>.allocate(capacity: size)
            new.initialize(repeating: .free, count: size)
            entries = new
            mask = size - 1
            if moveAll(from: old, count: oldMask + 1) {
                old.deallocate()
                return
            }
            new.deallocate()
            entries = old
            mask = oldMask
            size *= 2
        }
    }

    /// - Returns: false if some chain would be full.
    private func moveAll(from old: UnsafeMutablePointer<Entry>, count: Int) -> Bool {
        let chainLength = (mask + 1) / Self.block
        used.update(repeating: 0, count: Self.block)
        for index in 0..<count where old[index].bits > Self.removed {
            let place = Int(truncatingIfNeeded: old[index].key & 15)
            used[place] += 1
            if used[place] * 8 > chainLength * 5 { return false }
            var slot = home(old[index].key)
            while entries[slot].bits != 0 { slot = (slot + Self.block) & mask }
            entries[slot] = old[index]
        }
        return true
    }
}
