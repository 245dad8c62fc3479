// SPDX-License-Identifier: Apache-2.0

/// A Swift type of the values in cells, for typed access by `ManagedProperty` and by `PropertyHandle`.
///
/// The functions that other modules call are of one type each, so that the generic ones are specialized here.
protocol CellValue {
    /// The kinds of attributes whose cells have values of the type.
    static var kinds: StorageKinds { get }
    /// The value of a cell; nil for nil.
    static func read(_ cells: Cells, _ cell: Int) -> Self?
    /// The value of a cell, with zero or an empty value for nil; nil if the type has no such value.
    static func readRequired(_ cells: Cells, _ cell: Int) -> Self?
    static func write(_ value: Self?, _ cells: Cells, _ cell: Int)
}

extension CellValue {
    @inline(__always) static func readRequired(_ cells: Cells, _ cell: Int) -> Self? { read(cells, cell) }
}

// MARK: Scalars

protocol ScalarCellValue: CellValue {
    init(cellBits: UInt64)
    var cellBits: UInt64 { get }
}

extension ScalarCellValue {
    @inline(__always) static func read(_ cells: Cells, _ cell: Int) -> Self? {
        cells.isPresent(cell) ? Self(cellBits: cells.bits(cell)) : nil
    }

    // The word of a cell without a value is zero.
    @inline(__always) static func readRequired(_ cells: Cells, _ cell: Int) -> Self? {
        Self(cellBits: cells.bits(cell))
    }

    @inline(__always) static func write(_ value: Self?, _ cells: Cells, _ cell: Int) {
        if let value { cells.setBits(value.cellBits, at: cell) } else { cells.setEmpty(cell) }
    }
}

extension ScalarCellValue where Self: FixedWidthInteger {
    @inline(__always) static var kinds: StorageKinds { .integers }
    // A word that isn't zero has a value, so its mark needn't be read.
    @inline(__always) static func read(_ cells: Cells, _ cell: Int) -> Self? {
        let bits = cells.bits(cell)
        return bits != 0 || cells.isPresent(cell) ? Self(cellBits: bits) : nil
    }

    @inline(__always) init(cellBits: UInt64) { self.init(truncatingIfNeeded: cellBits) }
    @inline(__always) var cellBits: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension Int: ScalarCellValue {}
extension Int16: ScalarCellValue {}
extension Int32: ScalarCellValue {}
extension Int64: ScalarCellValue {}

extension Bool: ScalarCellValue {
    @inline(__always) static var kinds: StorageKinds { .integers }
    @inline(__always) init(cellBits: UInt64) { self = cellBits != 0 }
    @inline(__always) var cellBits: UInt64 { self ? 1 : 0 }
}

extension Double: ScalarCellValue {
    @inline(__always) static var kinds: StorageKinds { .real }
    @inline(__always) init(cellBits: UInt64) { self.init(bitPattern: cellBits) }
    @inline(__always) var cellBits: UInt64 { bitPattern }
}

extension Float: ScalarCellValue {
    @inline(__always) static var kinds: StorageKinds { .real }
    @inline(__always) init(cellBits: UInt64) { self.init(Double(bitPattern: cellBits)) }
    @inline(__always) var cellBits: UInt64 { Double(self).bitPattern }
}

extension Date: ScalarCellValue {
    @inline(__always) static var kinds: StorageKinds { .date }
    @inline(__always) init(cellBits: UInt64) { self.init(timeIntervalSinceReferenceDate: Double(bitPattern: cellBits)) }
    @inline(__always) var cellBits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
    @inline(__always) static func readRequired(_ cells: Cells, _ cell: Int) -> Date? { read(cells, cell) }
}

// MARK: Strings

extension String: CellValue {
    @inline(__always) static var kinds: StorageKinds { .string }
    @inline(__always) static func read(_ cells: Cells, _ cell: Int) -> String? { cells.string(cell).pointee }
    @inline(__always) static func readRequired(_ cells: Cells, _ cell: Int) -> String? { read(cells, cell) ?? "" }
    @inline(__always) static func write(_ value: String?, _ cells: Cells, _ cell: Int) {
        cells.string(cell).pointee = value
    }
}

// MARK: Objects

protocol BoxedCellValue: CellValue {}

extension BoxedCellValue {
    @inline(__always) static func read(_ cells: Cells, _ cell: Int) -> Self? {
        (cells.object(cell).pointee as? Box<Self>)?.value
    }

    @inline(__always) static func write(_ value: Self?, _ cells: Cells, _ cell: Int) {
        cells.object(cell).pointee = value.map { Box($0) }
    }
}

extension Data: BoxedCellValue {
    @inline(__always) static var kinds: StorageKinds { .data }
    @inline(__always) static func readRequired(_ cells: Cells, _ cell: Int) -> Data? { read(cells, cell) ?? Data() }
}

extension UUID: BoxedCellValue {
    @inline(__always) static var kinds: StorageKinds { .uuid }
}

extension URL: BoxedCellValue {
    @inline(__always) static var kinds: StorageKinds { .uri }
}

extension Decimal: CellValue {
    @inline(__always) static var kinds: StorageKinds { .decimal }

    @inline(__always) static func read(_ cells: Cells, _ cell: Int) -> Decimal? {
        (cells.object(cell).pointee as? NSDecimalNumber)?.decimalValue
    }

    @inline(__always) static func write(_ value: Decimal?, _ cells: Cells, _ cell: Int) {
        cells.object(cell).pointee = value.map { HashableDecimalNumber(decimal: $0) }
    }
}
