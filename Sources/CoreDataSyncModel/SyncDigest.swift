// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire
import Digests

/// A short number for the values of an object, by which a change is noticed.
package enum SyncDigest {
    /// The first 8 bytes of the SHA-256 of the values.
    ///
    /// - Throws: an error of the encoder.
    package static func of(_ values: [String: SyncValue]) throws -> Int64 {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = SHA256.hash(Array(try encoder.encode(values)))
        return bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}
