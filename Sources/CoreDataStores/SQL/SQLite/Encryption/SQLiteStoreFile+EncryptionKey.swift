// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension SQLiteStoreFile {
    /// Encrypts a closed store again with another key.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) for a store that the process has open, and for options
    ///   without a key; the errors of ``SQLiteConnection/use(_:)`` and ``SQLiteConnection/changeKey(to:)``.
    package static func changeEncryptionKey(
        at url: URL, options: SQLiteStoreOptions, to key: SQLiteEncryptionKey, isOpen: Bool
    ) throws {
        let path = url.path
        func refusal(_ reason: String, _ suggestion: String) -> NSError {
            SQLiteErrors.storeError(
                NSPersistentStoreOperationError, path: path, reason: reason, suggestion: suggestion,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The key of the store \u{201c}\(path)\u{201d} can\u{2019}t be changed. \(reason)"
                ])
        }
        guard let old = options.encryptionKey else {
            throw refusal(
                "The options have no key.",
                "Give the present key in the options. To encrypt a store, copy it with "
                    + "migratePersistentStore(_:to:options:type:).")
        }
        guard !isOpen else {
            throw refusal("The store is open in this process.", "Remove it from its coordinators first.")
        }
        _ = try metadata(at: path, options: options)
        try SQLiteConnection(path: path, mode: .readWrite, timeout: options.timeout, encryptionKey: old)
            .changeKey(to: key)
    }
}
