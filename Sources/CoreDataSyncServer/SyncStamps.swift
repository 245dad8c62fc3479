// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel

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
