// SPDX-License-Identifier: Apache-2.0

/// Reads binary property lists, including the references of keyed archives.
///
/// The file may be hostile: all offsets and counts are checked. Cycles, deep nesting and trees with too many values are
/// errors.
struct BinaryPropertyListReader {
    static let magic = Array("bplist0".utf8)
    private static let headerSize = 8
    private static let trailerSize = 32

    private enum ObjectState {
        case unread
        case reading
        /// The value, the number of values in its tree, and the depth of that tree.
        case read(PropertyListValue, weight: Int, height: Int)
    }

    private let bytes: [UInt8]
    private let limits: PropertyListLimits
    private let referenceSize: Int
    private let offsets: [Int]
    /// The end of the objects, where the offset table begins.
    private let objectsEnd: Int
    private var states: [ObjectState]

    static func read(_ data: Data, limits: PropertyListLimits) throws -> PropertyListValue {
        let bytes = [UInt8](data)
        guard bytes.count >= headerSize + trailerSize, bytes.starts(with: magic) else {
            throw propertyListError(
                "the binary property list is truncated: it has \(Wording.count(bytes.count, "byte"))")
        }
        let trailer = bytes.count - trailerSize
        let offsetSize = Int(bytes[trailer + 6])
        let referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = Int(exactly: unsigned(bytes, trailer + 8, 8)),
            let top = Int(exactly: unsigned(bytes, trailer + 16, 8)),
            let table = Int(exactly: unsigned(bytes, trailer + 24, 8)),
            table >= headerSize, table <= trailer, count > 0, count <= (trailer - table) / offsetSize, top < count
        else {
            throw propertyListError("the trailer of the binary property list is damaged")
        }
        var offsets: [Int] = []
        offsets.reserveCapacity(count)
        for index in 0..<count {
            guard let offset = Int(exactly: unsigned(bytes, table + index * offsetSize, offsetSize)),
                offset >= headerSize, offset < table
            else {
                throw propertyListError("the offset of object \(index) is outside of the file")
            }
            offsets.append(offset)
        }
        var reader = BinaryPropertyListReader(
            bytes: bytes, limits: limits, referenceSize: referenceSize, offsets: offsets, objectsEnd: table,
            states: Array(repeating: .unread, count: count))
        return try reader.object(top, depth: 0).value
    }

    private mutating func object(_ index: Int, depth: Int) throws
        -> (value: PropertyListValue, weight: Int, height: Int)
    {
        switch states[index] {
        case .read(let value, let weight, let height):
            guard depth + height <= limits.depth else { throw tooDeep() }
            return (value, weight, height)
        case .reading:
            throw propertyListError("object \(index) contains itself")
        case .unread:
            break
        }
        guard depth < limits.depth else { throw tooDeep() }
        states[index] = .reading
        let result = try parse(at: offsets[index], depth: depth)
        states[index] = .read(result.value, weight: result.weight, height: result.height)
        return result
    }

    private func tooDeep() -> any Error {
        propertyListError("it has more than \(limits.depth) nested levels")
    }

    private mutating func parse(at offset: Int, depth: Int) throws
        -> (value: PropertyListValue, weight: Int, height: Int)
    {
        let marker = bytes[offset]
        switch marker >> 4 {
        case 0xA, 0xC:
            let (count, start) = try countedRange(at: offset, unit: referenceSize)
            let (values, weight, height) = try children(count, start, depth: depth)
            return (marker >> 4 == 0xA ? .array(values) : .set(values), weight, height)
        case 0xD:
            let (count, start) = try countedRange(at: offset, unit: 2 * referenceSize)
            let (keys, keyWeight, _) = try children(count, start, depth: depth)
            let (values, valueWeight, height) = try children(count, start + count * referenceSize, depth: depth)
            var dictionary = PropertyListDictionary()
            for (key, value) in zip(keys, values) {
                guard case .string(let name) = key else {
                    throw propertyListError("a dictionary at byte \(offset) has a key that is no string")
                }
                // Readers differ in which of two equal keys they use. The check of an archive and Foundation's decoder
                // must see the same value.
                guard dictionary[name] == nil else {
                    throw propertyListError("a dictionary at byte \(offset) has the key '\(name)' twice")
                }
                dictionary[name] = value
            }
            return (.dictionary(dictionary), keyWeight + valueWeight, height)
        default:
            return (try leaf(at: offset), 1, 1)
        }
    }

    private mutating func children(_ count: Int, _ start: Int, depth: Int) throws -> ([PropertyListValue], Int, Int) {
        var values: [PropertyListValue] = []
        values.reserveCapacity(count)
        var weight = 1
        var height = 1
        for position in 0..<count {
            let raw = Self.unsigned(bytes, start + position * referenceSize, referenceSize)
            guard let index = Int(exactly: raw), index < offsets.count else {
                throw propertyListError("the reference at byte \(start + position * referenceSize) is invalid")
            }
            let child = try object(index, depth: depth + 1)
            values.append(child.value)
            weight += child.weight
            height = max(height, child.height + 1)
            guard weight <= limits.values else {
                throw propertyListError("it has more than \(limits.values) values")
            }
        }
        return (values, weight, height)
    }

    private func leaf(at offset: Int) throws -> PropertyListValue {
        let marker = bytes[offset]
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0:
            switch marker {
            case 0x00: return .null
            case 0x08: return .boolean(false)
            case 0x09: return .boolean(true)
            default: break
            }
        case 0x1:
            return try integer(at: offset)
        case 0x2:
            guard low == 2 || low == 3 else { break }
            let start = try range(from: offset + 1, count: 1 << low, unit: 1)
            let raw = Self.unsigned(bytes, start, 1 << low)
            return low == 2
                ? .single(Float(bitPattern: UInt32(truncatingIfNeeded: raw))) : .real(Double(bitPattern: raw))
        case 0x3:
            guard low == 3 else { break }
            let start = try range(from: offset + 1, count: 8, unit: 1)
            return .date(Double(bitPattern: Self.unsigned(bytes, start, 8)))
        case 0x4:
            let (count, start) = try countedRange(at: offset, unit: 1)
            return .data(Data(bytes[start..<start + count]))
        case 0x5:
            let (count, start) = try countedRange(at: offset, unit: 1)
            return .string(String(decoding: bytes[start..<start + count], as: UTF8.self))
        case 0x6:
            let (count, start) = try countedRange(at: offset, unit: 2)
            let units = (0..<count).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
            return .string(String(decoding: units, as: UTF16.self))
        case 0x8:
            guard low < 8 else { break }
            let start = try range(from: offset + 1, count: low + 1, unit: 1)
            guard let value = Int32(exactly: Self.unsigned(bytes, start, low + 1)) else { break }
            return .uid(Int(value))
        default:
            break
        }
        throw propertyListError("the object marker 0x\(String(marker, radix: 16)) at byte \(offset) is unknown")
    }

    private func integer(at offset: Int) throws -> PropertyListValue {
        let size = 1 << Int(bytes[offset] & 0x0F)
        guard size <= 16 else {
            throw propertyListError("an integer at byte \(offset) has \(Wording.count(size, "byte"))")
        }
        let start = try range(from: offset + 1, count: size, unit: 1)
        switch size {
        case 8:
            return .integer(Int64(bitPattern: Self.unsigned(bytes, start, 8)))
        case 16:
            let high = Self.unsigned(bytes, start, 8)
            let low = Self.unsigned(bytes, start + 8, 8)
            if high == 0 { return low <= UInt64(Int64.max) ? .integer(Int64(low)) : .unsignedInteger(low) }
            if high == .max, low > UInt64(Int64.max) { return .integer(Int64(bitPattern: low)) }
            throw propertyListError("an integer at byte \(offset) needs more than 64 bits")
        default:
            return .integer(Int64(Self.unsigned(bytes, start, size)))
        }
    }

    /// The count in an object's marker, or in the integer after the marker, and the checked start of its contents.
    private func countedRange(at offset: Int, unit: Int) throws -> (count: Int, start: Int) {
        let low = Int(bytes[offset] & 0x0F)
        if low < 0x0F {
            return (low, try range(from: offset + 1, count: low, unit: unit))
        }
        let marker = offset + 1
        guard marker < objectsEnd, bytes[marker] >> 4 == 0x1, bytes[marker] & 0x0F <= 3 else {
            throw propertyListError("the object at byte \(offset) has no valid length")
        }
        let size = 1 << Int(bytes[marker] & 0x0F)
        let start = try range(from: marker + 1, count: size, unit: 1)
        guard let count = Int(exactly: Self.unsigned(bytes, start, size)) else {
            throw propertyListError("the object at byte \(offset) is longer than the file")
        }
        return (count, try range(from: start + size, count: count, unit: unit))
    }

    private func range(from start: Int, count: Int, unit: Int) throws -> Int {
        guard start <= objectsEnd, count <= (objectsEnd - start) / unit else {
            throw propertyListError("the object before byte \(start) ends outside of the file")
        }
        return start
    }

    /// A big-endian number of at most eight bytes; the caller has checked the range.
    private static func unsigned(_ bytes: [UInt8], _ start: Int, _ size: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in start..<start + size { value = value << 8 | UInt64(bytes[index]) }
        return value
    }
}
