// SPDX-License-Identifier: Apache-2.0

/// Writes binary property lists in the form of Apple's writer: objects in the order of their first reference (the keys
/// of a dictionary before its values), equal strings, numbers, dates and data once, integers in the fewest bytes.
///
/// A file of Foundation that is read and written again has the same bytes. A file of Apple's keyed archiver becomes a
/// little smaller, as that writes some equal strings, mostly class names, several times.
package struct BinaryPropertyListWriter {
    /// One entry of the object table.
    private enum Item {
        case leaf(PropertyListValue)
        case array([Int])
        case set([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private var items: [Item] = []
    private var known: [PropertyListValue: Int] = [:]
    private var bytes: [UInt8] = Array("bplist00".utf8)

    /// The binary form of a property list.
    package static func write(_ value: PropertyListValue) -> Data {
        var writer = BinaryPropertyListWriter()
        _ = writer.flatten(value)
        return writer.encode()
    }

    private mutating func flatten(_ value: PropertyListValue) -> Int {
        switch value {
        case .array(let values):
            let index = reserve()
            items[index] = .array(values.map { flatten($0) })
            return index
        case .set(let values):
            let index = reserve()
            items[index] = .set(values.map { flatten($0) })
            return index
        case .dictionary(let dictionary):
            let index = reserve()
            let keys = dictionary.entries.map { flatten(.string($0.key)) }
            let values = dictionary.entries.map { flatten($0.value) }
            items[index] = .dictionary(keys: keys, values: values)
            return index
        case .boolean, .uid, .null:
            // Apple's writer adds an entry for each occurrence, but refers to the first entry only.
            items.append(.leaf(value))
            if let first = known[value] { return first }
        default:
            if let first = known[value] { return first }
            items.append(.leaf(value))
        }
        known[value] = items.count - 1
        return items.count - 1
    }

    private mutating func reserve() -> Int {
        items.append(.leaf(.null))
        return items.count - 1
    }

    private mutating func encode() -> Data {
        let referenceSize = Self.width(of: items.count)
        var offsets: [Int] = []
        offsets.reserveCapacity(items.count)
        for item in items {
            offsets.append(bytes.count)
            switch item {
            case .leaf(let value):
                append(leaf: value)
            case .array(let references):
                appendMarker(0xA0, count: references.count)
                for reference in references { append(UInt64(reference), size: referenceSize) }
            case .set(let references):
                appendMarker(0xC0, count: references.count)
                for reference in references { append(UInt64(reference), size: referenceSize) }
            case .dictionary(let keys, let values):
                appendMarker(0xD0, count: keys.count)
                for reference in keys { append(UInt64(reference), size: referenceSize) }
                for reference in values { append(UInt64(reference), size: referenceSize) }
            }
        }
        let table = bytes.count
        let offsetSize = Self.width(of: table)
        for offset in offsets { append(UInt64(offset), size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        append(UInt64(items.count), size: 8)
        append(0, size: 8)
        append(UInt64(table), size: 8)
        return Data(bytes)
    }

    private mutating func append(leaf value: PropertyListValue) {
        switch value {
        case .null:
            bytes.append(0x00)
        case .boolean(let flag):
            bytes.append(flag ? 0x09 : 0x08)
        case .integer(let number):
            append(integer: number)
        case .unsignedInteger(let number):
            bytes.append(0x14)
            append(0, size: 8)
            append(number, size: 8)
        case .single(let number):
            bytes.append(0x22)
            append(UInt64(number.bitPattern), size: 4)
        case .real(let number):
            bytes.append(0x23)
            append(number.bitPattern, size: 8)
        case .date(let seconds):
            bytes.append(0x33)
            append(seconds.bitPattern, size: 8)
        case .data(let data):
            appendMarker(0x40, count: data.count)
            bytes += data
        case .string(let text):
            if text.utf8.allSatisfy({ $0 < 0x80 }) {
                appendMarker(0x50, count: text.utf8.count)
                bytes += text.utf8
            } else {
                appendMarker(0x60, count: text.utf16.count)
                for unit in text.utf16 { append(UInt64(unit), size: 2) }
            }
        case .uid(let number):
            let size = Self.integerWidth(UInt64(number))
            bytes.append(0x80 | UInt8(size - 1))
            append(UInt64(number), size: size)
        case .array, .set, .dictionary:
            preconditionFailure("containers are written by reference")
        }
    }

    private mutating func append(integer number: Int64) {
        let size = number < 0 ? 8 : Self.integerWidth(UInt64(number))
        bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
        append(UInt64(bitPattern: number), size: size)
    }

    private mutating func appendMarker(_ marker: UInt8, count: Int) {
        if count < 15 {
            bytes.append(marker | UInt8(count))
        } else {
            bytes.append(marker | 0x0F)
            append(integer: Int64(count))
        }
    }

    private mutating func append(_ value: UInt64, size: Int) {
        // A loop over a range is slow in the debug builds of the model compiler.
        var shift = UInt64(size) * 8
        while shift > 0 {
            shift &-= 8
            bytes.append(UInt8(truncatingIfNeeded: value &>> shift))
        }
    }

    /// 1, 2, 4 or 8 bytes: the widths of an integer.
    private static func integerWidth(_ value: UInt64) -> Int {
        value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8
    }

    /// The width of references or offsets, from the greatest value.
    private static func width(of greatest: Int) -> Int {
        integerWidth(UInt64(greatest))
    }
}
