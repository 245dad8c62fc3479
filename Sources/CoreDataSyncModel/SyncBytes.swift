// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Writes numbers and texts. Small whole numbers take one byte.
package struct SyncByteWriter {
    private var bytes: [UInt8] = []

    package init() {}

    package var data: Data { Data(bytes) }

    package mutating func write(_ value: Int64) {
        var rest = UInt64(bitPattern: value << 1 ^ value >> 63)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    package mutating func write(_ value: Double) {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ text: String) {
        write(Int64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func write(bytes new: UnsafeRawBufferPointer) { bytes.append(contentsOf: new) }
}

/// Reads what ``SyncByteWriter`` wrote. Behind the end everything is 0: the bytes come from a store of sync itself.
package struct SyncByteReader {
    private let data: [UInt8]
    private var place = 0

    package init(_ data: Data) { self.data = Array(data) }

    private mutating func next() -> UInt8? {
        guard place < data.count else { return nil }
        place += 1
        return data[place - 1]
    }

    package mutating func integer() -> Int64 {
        var (result, shift): (UInt64, UInt64) = (0, 0)
        while shift < 64, let byte = next() {
            result |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return Int64(bitPattern: result >> 1) ^ -Int64(bitPattern: result & 1)
    }

    /// A number of elements, each of which has a byte at least.
    package mutating func count() -> Int { min(max(Int(clamping: integer()), 0), data.count - place) }

    package mutating func number() -> Double {
        var bits: UInt64 = 0
        withUnsafeMutableBytes(of: &bits) { read($0) }
        return Double(bitPattern: UInt64(littleEndian: bits))
    }

    package mutating func text() -> String {
        let length = count()
        defer { place += length }
        return String(decoding: data[place..<place + length], as: UTF8.self)
    }

    mutating func bytes(_ length: Int) -> Data {
        let length = min(max(length, 0), data.count - place)
        defer { place += length }
        return Data(data[place..<place + length])
    }

    /// Fills a buffer; what is missing stays as it is.
    mutating func read(_ buffer: UnsafeMutableRawBufferPointer) {
        let length = min(buffer.count, data.count - place)
        data.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[place..<place + length])) }
        place += length
    }
}
