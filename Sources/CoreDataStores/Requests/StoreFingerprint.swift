// SPDX-License-Identifier: Apache-2.0

/// The sizes and dates of a store's files: while they are the same, no process has written to the store.
package struct StoreFingerprint: Codable, Equatable {
    package struct File: Codable, Equatable {
        package let size: UInt64
        let modified: Date

        package init(size: UInt64, modified: Date) {
            self.size = size
            self.modified = modified
        }
    }

    let store: String
    let files: [File]

    package init(store: String, files: [File]) {
        self.store = store
        self.files = files
    }

    /// Whether a further change could leave the same dates: file systems count in steps of up to two seconds.
    package var isTooRecent: Bool { files.contains { $0.modified.timeIntervalSinceNow > -2 } }
}
