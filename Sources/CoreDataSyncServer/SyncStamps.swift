// SPDX-License-Identifier: Apache-2.0

import CoreData

/// When the properties of an object changed last, and by which replica.
///
/// The bytes have a stamp for all properties, that of the insertion, and those that differ from it.
struct SyncStamps: Equatable {
    struct Stamp: Equatable {
        /// The number of the position.
        var position: Int64
        /// Seconds since the reference date.
        var time: Double
        /// The number of the replica; 0 for the server itself.
        var replica: Int64
    }

    private(set) var common: Stamp
    private(set) var exceptions: [String: Stamp] = [:]

    init(_ common: Stamp) { self.common = common }

    subscript(property: String) -> Stamp {
        get { exceptions[property] ?? common }
        set { exceptions[property] = newValue == common ? nil : newValue }
    }

    // MARK: Bytes

    init(_ data: Data) {
        var reader = SyncByteReader(data)
        common = Self.stamp(&reader)
        for _ in 0..<reader.integer() {
            let name = reader.text()
            exceptions[name] = Self.stamp(&reader)
        }
    }

    var data: Data {
        var writer = SyncByteWriter()
        Self.write(common, to: &writer)
        writer.write(Int64(exceptions.count))
        for (name, stamp) in exceptions.sorted(by: { $0.key < $1.key }) {
            writer.write(name)
            Self.write(stamp, to: &writer)
        }
        return writer.data
    }

    private static func stamp(_ reader: inout SyncByteReader) -> Stamp {
        Stamp(position: reader.integer(), time: reader.number(), replica: reader.integer())
    }

    private static func write(_ stamp: Stamp, to writer: inout SyncByteWriter) {
        writer.write(stamp.position)
        writer.write(stamp.time)
        writer.write(stamp.replica)
    }
}

/// Writes numbers and texts. Small whole numbers take one byte.
struct SyncByteWriter {
    private(set) var data = Data()

    mutating func write(_ value: Int64) {
        var rest = UInt64(bitPattern: value << 1 ^ value >> 63)
        while rest >= 0x80 {
            data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        data.append(UInt8(rest))
    }

    mutating func write(_ value: Double) {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) }
    }

    mutating func write(_ text: String) {
        write(Int64(text.utf8.count))
        data.append(contentsOf: text.utf8)
    }
}

/// Reads what ``SyncByteWriter`` wrote. Behind the end everything is 0: the bytes come from the server's own store.
struct SyncByteReader {
    private var rest: Data.SubSequence

    init(_ data: Data) { rest = data[...] }

    mutating func integer() -> Int64 {
        var (result, shift): (UInt64, UInt64) = (0, 0)
        while let byte = rest.popFirst(), shift < 64 {
            result |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return Int64(bitPattern: result >> 1) ^ -Int64(bitPattern: result & 1)
    }

    mutating func number() -> Double {
        var bits: UInt64 = 0
        for index in 0..<8 { bits |= UInt64(rest.popFirst() ?? 0) << UInt64(8 * index) }
        return Double(bitPattern: bits)
    }

    mutating func text() -> String {
        let count = Int(clamping: integer())
        let bytes = rest.prefix(max(count, 0))
        rest = rest.dropFirst(max(count, 0))
        return String(decoding: bytes, as: UTF8.self)
    }
}
