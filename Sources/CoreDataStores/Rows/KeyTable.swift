// SPDX-License-Identifier: Apache-2.0

/// Addresses by 64-bit key, for keys that mostly form runs.
///
/// Open addressing in blocks of sixteen entries. Adjacent keys are adjacent in memory, while a hash distributes the
/// blocks, so that runs at a distance of a multiple of the table's size don't collide. A removed entry becomes a
/// tombstone, which is freed when no entry follows in its chain. Not thread safe: the owner's lock guards the table.
///
/// `Companion` is stored beside each address; `Void` takes no memory.
@usableFromInline package struct KeyTable<Companion: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
    @usableFromInline struct Entry {
        @usableFromInline var key: Int64
        /// The address; 0 for a free entry, 1 for a tombstone.
        @usableFromInline var bits: UInt
        @usableFromInline var companion: Companion

        @inlinable @inline(__always)
        init(key: Int64, bits: UInt, companion: Companion) {
            self.key = key
            self.bits = bits
            self.companion = companion
        }
    }

    @usableFromInline static var removed: UInt { 1 }
    @usableFromInline static var block: Int { 16 }

    @usableFromInline let free: Entry
    @usableFromInline var entries: UnsafeMutablePointer<Entry>
    @usableFromInline var mask: Int
    /// The number of entries and tombstones in each chain. The entries at one position of all blocks are a chain.
    @usableFromInline let used: UnsafeMutablePointer<Int>
    @usableFromInline package private(set) var count = 0

    /// - Parameter companion: any value, for free entries.
    @inlinable package init(freeCompanion companion: Companion) {
        free = Entry(key: 0, bits: 0, companion: companion)
        mask = 31
        entries = .allocate(capacity: 32)
        entries.initialize(repeating: free, count: 32)
        used = .allocate(capacity: Self.block)
        used.initialize(repeating: 0, count: Self.block)
    }

    @inlinable deinit {
        entries.deallocate()
        used.deallocate()
    }

    @inlinable @inline(__always)
    func home(_ key: Int64) -> Int {
        let scattered = UInt64(bitPattern: key >> 4) &* 0x9E37_79B9_7F4A_7C15
        return (Int(truncatingIfNeeded: scattered >> 32) << 4 | Int(truncatingIfNeeded: key & 15)) & mask
    }

    @inlinable @inline(__always)
    package subscript(key: Int64) -> MemoryAddress? { self[entry: key]?.address }

    /// The address of a key, and its companion.
    @inlinable @inline(__always)
    subscript(entry key: Int64) -> (address: MemoryAddress, companion: Companion)? {
        var slot = home(key)
        // Every chain has a free slot (see `set`), so the search ends.
        while true {
            let entry = entries[slot]
            if entry.bits == 0 { return nil }
            if entry.key == key && entry.bits != Self.removed { return (Self.address(entry), entry.companion) }
            slot = (slot + Self.block) & mask
        }
    }

    @inlinable @inline(__always)
    static func address(_ entry: Entry) -> MemoryAddress {
        MemoryAddress(UnsafeRawPointer(bitPattern: entry.bits).unsafelyUnwrapped)
    }

    @inlinable @inline(__always)
    package mutating func set(_ value: MemoryAddress, _ companion: Companion, for key: Int64) {
        let bits = UInt(bitPattern: value.pointer)
        var slot = home(key)
        var reusable = -1
        while true {
            let entry = entries[slot]
            if entry.bits == 0 { break }
            if entry.bits == Self.removed {
                if reusable < 0 { reusable = slot }
            } else if entry.key == key {
                entries[slot] = Entry(key: key, bits: bits, companion: companion)
                return
            }
            slot = (slot + Self.block) & mask
        }
        count += 1
        if reusable >= 0 {
            entries[reusable] = Entry(key: key, bits: bits, companion: companion)
            return
        }
        entries[slot] = Entry(key: key, bits: bits, companion: companion)
        let chain = Int(truncatingIfNeeded: key & 15)
        used[chain] += 1
        // Keys of one chain alone may fill it while the table is nearly empty.
        if used[chain] * 8 > (mask + 1) / Self.block * 6 { rebuild(minimum: count * 2) }
    }

    /// Makes room for a number of entries, so that adding them doesn't move the others again and again.
    @inlinable package mutating func reserve(_ minimum: Int) {
        if minimum * 8 > (mask + 1) * 5 { rebuild(minimum: minimum) }
    }

    /// Removes the entry of a key.
    ///
    /// - Parameter value: the address that the entry must contain; nil for any.
    @inlinable package mutating func remove(_ key: Int64, ifHolding value: MemoryAddress? = nil) {
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
        // The chain ends here: tombstones at its end are not needed.
        while entries[slot].bits == Self.removed {
            entries[slot].bits = 0
            used[Int(truncatingIfNeeded: key & 15)] -= 1
            slot = (slot - Self.block) & mask
        }
    }

    @inlinable package func forEachEntry(_ body: (Int64, MemoryAddress, Companion) -> Void) {
        for slot in 0...mask where entries[slot].bits > Self.removed {
            body(entries[slot].key, Self.address(entries[slot]), entries[slot].companion)
        }
    }

    /// The violated invariants, for tests.
    ///
    /// - `count` is the number of entries; the table's size is a power of two.
    /// - A look-up finds each entry: no free entry stands between the home of a key and its entry.
    /// - `used` counts the entries and tombstones of each chain, and each chain has a free entry.
    package func checkInvariants() -> [String] {
        var violations: [String] = []
        var entryCount = 0
        var usedCounts = [Int](repeating: 0, count: Self.block)
        for slot in 0...mask where entries[slot].bits != 0 {
            usedCounts[slot & (Self.block - 1)] += 1
            guard entries[slot].bits != Self.removed else { continue }
            entryCount += 1
            let key = entries[slot].key
            if self[key].map({ UInt(bitPattern: $0.pointer) }) != entries[slot].bits {
                violations.append("a look-up doesn't find the entry of \(key)")
            }
        }
        if entryCount != count { violations.append("the table counts \(count) of \(entryCount) entries") }
        if mask & (mask + 1) != 0 { violations.append("the size \(mask + 1) is no power of two") }
        for chain in 0..<Self.block {
            if usedCounts[chain] != used[chain] {
                violations.append("chain \(chain) counts \(used[chain]) of \(usedCounts[chain]) used entries")
            }
            if usedCounts[chain] >= (mask + 1) / Self.block { violations.append("chain \(chain) has no free entry") }
        }
        return violations
    }

    /// Moves the entries into a table for at least `minimum` entries, without tombstones; into a larger one if a chain
    /// would be nearly full.
    @inlinable @inline(never)
    mutating func rebuild(minimum: Int) {
        var size = 32
        while minimum * 8 > size * 5 { size *= 2 }
        while true {
            let old = entries
            let oldMask = mask
            let new = UnsafeMutablePointer<Entry>.allocate(capacity: size)
            new.initialize(repeating: free, count: size)
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

    /// - Returns: false if a chain would be nearly full.
    @inlinable func moveAll(from old: UnsafeMutablePointer<Entry>, count: Int) -> Bool {
        let chainLength = (mask + 1) / Self.block
        used.update(repeating: 0, count: Self.block)
        for index in 0..<count where old[index].bits > Self.removed {
            let chain = Int(truncatingIfNeeded: old[index].key & 15)
            used[chain] += 1
            if used[chain] * 8 > chainLength * 5 { return false }
            var slot = home(old[index].key)
            while entries[slot].bits != 0 { slot = (slot + Self.block) & mask }
            entries[slot] = old[index]
        }
        return true
    }
}

extension KeyTable<Void> {
    @inlinable package init() { self.init(freeCompanion: ()) }

    @inlinable @inline(__always)
    package mutating func set(_ value: MemoryAddress, for key: Int64) { set(value, (), for: key) }
}
