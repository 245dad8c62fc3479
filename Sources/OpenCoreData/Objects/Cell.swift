/// Sixteen raw bytes: one property value of one object or row.
///
/// Invariant: the slot of the entity layout defines the meaning of the bytes, and all-zero bytes are nil for every
/// kind:
/// - scalars (integers, Boolean, Double, Float, Date): the value's 64 bits and a presence word;
/// - strings: an `Optional<String>`;
/// - objects (Decimal, Data, UUID, URL, transformable values): an `Optional<AnyObject>` in the first word;
/// - to-one relationships: the destination's primary key and its entity layout's number.
///
/// A composite attribute has a cell for each of its elements, and is nil where all of these are.
package struct Cell {
    package var payload: UInt64
    package var tag: UInt64

    @inline(__always)
    package init(payload: UInt64, tag: UInt64) {
        self.payload = payload
        self.tag = tag
    }

    package static let empty = Cell(payload: 0, tag: 0)

    /// Whether all-zero bytes are nil for strings and objects, in the sizes of a cell: the invariant rests on this
    /// layout of the toolchain. `ModelLayout` stops the program if it doesn't hold.
    package static let hasExpectedLayout: Bool = {
        guard MemoryLayout<Cell>.size == 16, MemoryLayout<String?>.size == 16, MemoryLayout<AnyObject?>.size == 8 else {
            return false
        }
        let cells = Cells.allocate(capacity: 1)
        defer { cells.deallocate() }
        cells.initialize(to: .empty)
        guard cells.string(0).pointee == nil, cells.object(0).pointee == nil else { return false }
        for text in ["", "short", "a text of more than fifteen bytes"] {
            cells.string(0).pointee = text
            let isZero = cells[0].payload == 0 && cells[0].tag == 0
            cells.string(0).pointee = nil
            if isZero || cells[0].payload != 0 || cells[0].tag != 0 { return false }
        }
        return true
    }()
}

package typealias Cells = UnsafeMutablePointer<Cell>

extension UnsafeMutablePointer where Pointee == Cell {
    @inline(__always) package func isPresent(_ index: Int) -> Bool { self[index].tag != 0 }
    @inline(__always) package func integer(_ index: Int) -> Int64 { Int64(bitPattern: self[index].payload) }
    @inline(__always) package func double(_ index: Int) -> Double { Double(bitPattern: self[index].payload) }

    @inline(__always) package func setInteger(_ value: Int64, at index: Int) {
        self[index] = Cell(payload: UInt64(bitPattern: value), tag: 1)
    }

    @inline(__always) package func setDouble(_ value: Double, at index: Int) {
        self[index] = Cell(payload: value.bitPattern, tag: 1)
    }

    @inline(__always) package func setReference(_ key: Int64, layout: UInt32, at index: Int) {
        self[index] = Cell(payload: UInt64(bitPattern: key), tag: UInt64(layout))
    }

    @inline(__always) package func referenceLayout(_ index: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: self[index].tag)
    }

    @inline(__always) package func setEmpty(_ index: Int) { self[index] = .empty }

    /// The cell as a string; its memory is always a valid `String?`.
    @inline(__always) package func string(_ index: Int) -> UnsafeMutablePointer<String?> {
        UnsafeMutableRawPointer(self + index).assumingMemoryBound(to: String?.self)
    }

    /// The cell's first word as an object; its memory is always a valid `AnyObject?`.
    @inline(__always) package func object(_ index: Int) -> UnsafeMutablePointer<AnyObject?> {
        UnsafeMutableRawPointer(self + index).assumingMemoryBound(to: AnyObject?.self)
    }
}
