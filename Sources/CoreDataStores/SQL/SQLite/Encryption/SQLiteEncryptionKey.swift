// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The value of `NSSQLiteEncryptionKeyOption`: a passphrase, or a raw key.
///
/// No text of this type shows the key.
package struct SQLiteEncryptionKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The bytes that SQLCipher takes; nil for a value that is no key.
    let bytes: [UInt8]?

    /// - Parameter option: a text that isn't empty, or data of 32 bytes (a key), or of 48 (a key and its salt).
    package init(option: Any) {
        switch option {
        case let passphrase as String where !passphrase.isEmpty:
            bytes = Array(passphrase.utf8)
        case let key as Data where key.count == 32 || key.count == 48:
            let digits = Array("0123456789abcdef".utf8)
            bytes = Array("x'".utf8) + key.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + Array("'".utf8)
        default:
            bytes = nil
        }
    }

    package var description: String { "a key" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
