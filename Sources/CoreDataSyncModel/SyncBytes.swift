// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Writes numbers and texts. Small whole numbers take one byte.
package struct SyncByteWriter {
    package private(set) var data = Data()

    package init() {}

    package mutating func write(_ value: Int64) {
        var rest = UInt64(bitPattern: value << 1 ^ value >> 63)
        while rest >= 0x80 {
            data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        data.append(UInt8(rest))
    }

    package mutating func write(_ value: Double) {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) }
    }

    package mutating func write(_ text: String) {
        write(Int64(text.utf8.count))
        data.append(contentsOf: text.utf8)
    }
}

/// Reads what ``SyncByteWriter`` wrote. Behind the end everything is 0: the bytes come from a store of sync itself.
package struct SyncByteReader {
    private var rest: Data.SubSequence

    package init(_ data: Data) { rest = data[...] }

    package mutating func integer() -> Int64 {
        var (result, shift): (UInt64, UInt64) = (0, 0)
        while let byte = rest.popFirst(), shift < 64 {
            result |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return Int64(bitPattern: result >> 1) ^ -Int64(bitPattern: result & 1)
    }

    package mutating func number() -> Double {
        var bits: UInt64 = 0
        for index in 0..<8 { bits |= UInt64(rest.popFirst() ?? 0) << UInt64(8 * index) }
        return Double(bitPattern: bits)
    }

    package mutating func text() -> String {
        let count = Int(clamping: integer())
        let bytes = rest.prefix(max(count, 0))
        rest = rest.dropFirst(max(count, 0))
        return String(decoding: bytes, as: UTF8.self)
    }
}
