// SPDX-License-Identifier: Apache-2.0

/// Positions by key, found by the two words of a short string instead of its hash.
///
/// Swift stores strings of up to 15 UTF-8 bytes within the value itself, so two of them with the same words are
/// equal. The reverse isn't needed: a key that isn't found here (a long one, or one in another form) is found in the
/// ordinary dictionary. A toolchain that lays strings out in another way fails the self-check at first use
/// (`isUsable`): tables are then empty, and the dictionary finds every key. Tested by `RuntimeTests`.
@usableFromInline struct QuickKeyTable: @unchecked Sendable {
    @usableFromInline struct Entry {
        @usableFromInline var low: UInt64
        @usableFromInline var high: UInt64
        @usableFromInline var position: Int
    }

    /// Plain memory, so that a look-up touches no reference count. The owner calls `deallocate()`.
    @usableFromInline let entries: UnsafeMutablePointer<Entry>
    @usableFromInline let mask: Int

    /// Whether strings are laid out as the table expects, found out at first use.
    static let isUsable: Bool = {
        guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return false }
        // Inline strings with the same bytes have the same words, wherever they come from. Different bytes have
        // different words.
        let texts = ["", "a", "b", "ab", "ba", "fourteen bytes", "exactly fifteen", "exactly fiftee!"]
        var seen: Set<[UInt64]> = []
        for text in texts {
            let copy = String(decoding: Array(text.utf8), as: UTF8.self)
            guard let found = words(text), let same = words(copy), found == same,
                seen.insert([found.0, found.1]).inserted
            else { return false }
        }
        // A longer string is an address: its words are no key.
        let long = String(repeating: "long ", count: 4)
        return words(long) == nil && words(String(decoding: Array(long.utf8), as: UTF8.self)) == nil
    }()

    /// - Parameters:
    ///   - positions: the positions by key.
    ///   - isUsable: false makes an empty table: every look-up is left to the dictionary.
    init(_ positions: [String: Int], isUsable: Bool = Self.isUsable) {
        var size = 8
        while size < positions.count * 3 { size *= 2 }
        mask = size - 1
        entries = .allocate(capacity: size)
        entries.initialize(repeating: Entry(low: 0, high: 0, position: -1), count: size)
        guard isUsable else { return }
        for (key, position) in positions {
            guard let words = Self.words(key) else { continue }
            var index = Self.hash(words) & mask
            while entries[index].position >= 0 { index = (index + 1) & mask }
            entries[index] = Entry(low: words.0, high: words.1, position: position)
        }
    }

    func deallocate() { entries.deallocate() }

    @inlinable @inline(__always)
    subscript(key: String) -> Int? {
        guard let words = Self.words(key) else { return nil }
        var index = Self.hash(words) & mask
        while true {
            let entry = entries[index]
            if entry.position < 0 { return nil }
            if entry.low == words.0 && entry.high == words.1 { return entry.position }
            index = (index + 1) & mask
        }
    }

    /// The words of a string that is stored inline; nil for every other string.
    @inlinable @inline(__always)
    static func words(_ key: String) -> (UInt64, UInt64)? {
        guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return nil }
        let words = unsafeBitCast(key, to: (UInt64, UInt64).self)
        // The top three bits of the second word are set for inline strings alone.
        return words.1 >> 61 == 0b111 ? words : nil
    }

    @inlinable @inline(__always)
    static func hash(_ words: (UInt64, UInt64)) -> Int {
        let mixed = (words.0 ^ (words.1 &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed >> 40)
    }
}
