// SPDX-License-Identifier: Apache-2.0

/// Why a store that a program still uses isn't open, for errors.
package struct ClosedStoreText {
    private let reason: String
    private let suggestion: String

    private init(_ reason: String, _ suggestion: String) {
        self.reason = reason
        self.suggestion = suggestion
    }

    package static let removed = ClosedStoreText("It was removed from its coordinator.", "Add it again.")
    package static let destroyed = again("It was destroyed while it was open.", "to begin with a new store")
    package static let replaced = again(
        "It was replaced by another store while it was open.", "to use the new store")

    /// The text about a store that must be added again.
    ///
    /// - Parameters:
    ///   - reason: a sentence.
    ///   - purpose: what for, or with what.
    package static func again(_ reason: String, _ purpose: String) -> ClosedStoreText {
        ClosedStoreText(reason, "Remove it from its coordinator, and add it again \(purpose).")
    }

    /// The error of a request to the store.
    ///
    /// - Parameters:
    ///   - store: the store's path or address.
    ///   - userInfo: the same, under the key of its kind.
    package func error(
        _ code: Int = NSPersistentStoreOperationError, of store: String, userInfo: [String: Any]
    ) -> NSError {
        CoreDataErrors.error(
            code, "The store \(store) can\u{2019}t be used.", reason: reason, suggestion: suggestion, userInfo: userInfo
        )
    }
}
