// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// A short number for the values of an object, by which a change is noticed: FNV-1a, with 64 bits. It protects from no
/// forger: it compares a store with its own past.
package struct SyncDigest {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    /// The number for values. Empty ones don't count, so that a new version of a model changes no digest.
    package static func of(_ values: [String: SyncValue]) -> Int64 {
        var digest = SyncDigest()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) where value != .null && value != .objects([]) {
            digest.add(name)
            digest.add(value)
        }
        return Int64(bitPattern: digest.state)
    }

    private mutating func add(byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }

    private mutating func add(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte: byte) }
        add(byte: 0xff)
    }

    private mutating func add(_ uuid: UUID) {
        withUnsafeBytes(of: uuid.uuid) { for byte in $0 { add(byte: byte) } }
    }

    private mutating func add(_ value: SyncValue) {
        switch value {
        case .null: add(byte: 0)
        case .boolean(let value): add(byte: value ? 2 : 1)
        case .integer(let value):
            add(byte: 3)
            add(UInt64(bitPattern: value))
        case .double(let value), .date(let value):
            add(byte: 4)
            add(value.isNaN ? 1 : value.bitPattern)
        case .decimal(let value): add("\(value)")
        case .text(let value), .uri(let value):
            add(byte: 5)
            add(value)
        case .uuid(let value), .object(let value):
            add(byte: 6)
            add(value)
        case .data(let value):
            add(byte: 7)
            add(UInt64(value.count))
            for byte in value { add(byte: byte) }
        case .blob(let value):
            add(byte: 10)
            add(UInt64(bitPattern: value.size))
            for byte in value.digest { add(byte: byte) }
        case .objects(let values):
            add(byte: 8)
            for value in values { add(value) }
        case .composite(let values):
            add(byte: 9)
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                add(name)
                add(value)
            }
        }
    }
}
