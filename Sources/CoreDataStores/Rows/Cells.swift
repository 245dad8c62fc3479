// SPDX-License-Identifier: Apache-2.0

/// The values of one object or row, as words of eight bytes.
///
/// The slot of a property says at which word its cell begins, and what the cell contains:
/// - scalars (integers, Boolean, Double, Float, Date): a word with the value's bits;
/// - objects (Decimal, Data, UUID, URL, transformable values): a word with an `Optional<AnyObject>`;
/// - strings: two words with an `Optional<String>`;
/// - to-one relationships: a word with the destination's primary key, and one with its entity layout's number.
///
/// Every 64th word, from the first one on, has a bit for each of the 63 words behind it: whether the scalar or the
/// reference that begins there has a value. Strings and objects need no such bit.
///
/// Invariant: words of zero are nil for every kind, and a scalar or a reference without a value has zero as its first
/// word.
///
/// A composite attribute has a cell for each of its elements, and is nil where all of these are.
@usableFromInline package struct Cells: Equatable {
    @usableFromInline let words: UnsafeMutablePointer<UInt64>

    @inlinable @inline(__always) package init(_ memory: UnsafeMutableRawPointer) {
        words = memory.assumingMemoryBound(to: UInt64.self)
    }

    // MARK: Memory

    /// Memory for the cells of a layout, not initialized.
    @inlinable @inline(__always) package static func allocate(_ layout: EntityLayout) -> Cells {
        allocate(wordCount: layout.wordCount)
    }

    @usableFromInline package static func allocate(wordCount: Int) -> Cells {
        Cells(UnsafeMutableRawPointer(UnsafeMutablePointer<UInt64>.allocate(capacity: max(wordCount, 1))))
    }

    /// Sets all cells to nil, in memory without values.
    @inlinable @inline(__always) package func initializeEmpty(wordCount: Int) {
        words.initialize(repeating: 0, count: wordCount)
    }

    /// Copies the bytes of all cells into memory without values. Nothing is retained.
    @inlinable @inline(__always) package func initialize(from source: Cells, wordCount: Int) {
        words.initialize(from: source.words, count: wordCount)
    }

    /// Exchanges the values of all cells with the values of `other`.
    package func swap(with other: Cells, wordCount: Int) {
        for index in 0..<wordCount { Swift.swap(&words[index], &other.words[index]) }
    }

    package func deallocate() { words.deallocate() }

    // MARK: Scalars and references

    /// Whether a scalar or a reference has a value.
    @inlinable @inline(__always) package func isPresent(_ cell: Int) -> Bool {
        words[cell & ~63] &>> UInt64(truncatingIfNeeded: cell) & 1 != 0
    }

    /// Marks a scalar or a reference as one that has a value.
    @inlinable @inline(__always) func setPresent(_ cell: Int) {
        words[cell & ~63] |= 1 &<< UInt64(truncatingIfNeeded: cell)
    }

    /// The bits of a scalar, 0 for nil.
    @inlinable @inline(__always) package func bits(_ cell: Int) -> UInt64 { words[cell] }
    @inlinable @inline(__always) package func integer(_ cell: Int) -> Int64 { Int64(bitPattern: words[cell]) }
    @inlinable @inline(__always) package func double(_ cell: Int) -> Double { Double(bitPattern: words[cell]) }
    @inlinable @inline(__always) package func referenceLayout(_ cell: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: words[cell + 1])
    }

    @inlinable @inline(__always) package func setBits(_ bits: UInt64, at cell: Int) {
        words[cell] = bits
        setPresent(cell)
    }

    @inlinable @inline(__always) package func setInteger(_ value: Int64, at cell: Int) {
        setBits(UInt64(bitPattern: value), at: cell)
    }

    @inlinable @inline(__always) package func setDouble(_ value: Double, at cell: Int) {
        setBits(value.bitPattern, at: cell)
    }

    /// Whether a to-one relationship leads to the object with a key. The object belongs to the destination's hierarchy.
    @inlinable @inline(__always) package func refers(to key: Int64, at cell: Int) -> Bool {
        isPresent(cell) && integer(cell) == key
    }

    @inlinable @inline(__always) package func setReference(_ key: Int64, layout: UInt32, at cell: Int) {
        words[cell + 1] = UInt64(layout)
        setBits(UInt64(bitPattern: key), at: cell)
    }

    /// Sets a scalar or a reference to nil.
    @inlinable @inline(__always) package func setEmpty(_ cell: Int) {
        words[cell] = 0
        words[cell & ~63] &= ~(1 &<< UInt64(truncatingIfNeeded: cell))
    }

    /// Writes a scalar without marking it.
    @inlinable @inline(__always) func setUnmarkedBits(_ bits: UInt64, at cell: Int) { words[cell] = bits }

    /// Marks scalars among the first 63 words.
    @inlinable @inline(__always) func mark(_ marks: UInt64) { words[0] |= marks }

    // MARK: Strings and objects

    /// The cell as a string; its memory is always a valid `String?`.
    @inlinable @inline(__always) package func string(_ cell: Int) -> UnsafeMutablePointer<String?> {
        UnsafeMutableRawPointer(words + cell).assumingMemoryBound(to: String?.self)
    }

    /// The cell as an object; its memory is always a valid `AnyObject?`.
    @inlinable @inline(__always) package func object(_ cell: Int) -> UnsafeMutablePointer<AnyObject?> {
        UnsafeMutableRawPointer(words + cell).assumingMemoryBound(to: AnyObject?.self)
    }

    /// Whether words of zero are nil for strings and objects, in the sizes of their cells: the invariant rests on this
    /// layout of the toolchain. `ModelLayout` stops the program if it doesn't hold.
    static let hasExpectedLayout: Bool = {
        guard MemoryLayout<String?>.size == 16, MemoryLayout<String?>.alignment <= 8,
            MemoryLayout<AnyObject?>.size == 8
        else {
            return false
        }
        let cells = Cells.allocate(wordCount: 2)
        defer { cells.deallocate() }
        cells.initializeEmpty(wordCount: 2)
        guard cells.string(0).pointee == nil, cells.object(0).pointee == nil else { return false }
        for text in ["", "short", "a text of more than fifteen bytes"] {
            cells.string(0).pointee = text
            let isZero = cells.words[0] == 0 && cells.words[1] == 0
            cells.string(0).pointee = nil
            if isZero || cells.words[0] != 0 || cells.words[1] != 0 { return false }
        }
        return true
    }()
}

/// Writes scalars, and collects their marks: a loop that fills a row writes the word of marks once.
@usableFromInline struct CellMarks {
    @usableFromInline let cells: Cells
    /// The marks of the first 63 words.
    @usableFromInline var marks: UInt64 = 0

    @inlinable @inline(__always) init(_ cells: Cells) { self.cells = cells }

    @inlinable @inline(__always) mutating func set(_ bits: UInt64, at cell: Int) {
        guard cell < 64 else { return cells.setBits(bits, at: cell) }
        cells.setUnmarkedBits(bits, at: cell)
        marks |= 1 &<< UInt64(truncatingIfNeeded: cell)
    }

    /// Writes the marks. Call it once, at the end.
    @inlinable @inline(__always) func write() { cells.mark(marks) }
}

/// Assigns the words of a layout to the cells of its properties, one after the other.
struct CellAssignment {
    /// The number of assigned words. The marks between the cells count too.
    private(set) var wordCount: Int

    /// - Parameter wordCount: the words that have been assigned already.
    init(after wordCount: Int = 0) { self.wordCount = wordCount }

    /// The cell of the next property: the position of its first word.
    mutating func next(_ kind: StorageKind) -> Int {
        let width: Int
        switch kind.family {
        case .scalar, .object, .composite, .none: width = 1
        case .string, .reference: width = 2
        }
        // A cell doesn't lie across the marks of the next 63 words.
        if (wordCount & 63) + width > 64 { wordCount = (wordCount + 63) & ~63 }
        if wordCount & 63 == 0 { wordCount += 1 }
        defer { wordCount += width }
        return wordCount
    }
}
